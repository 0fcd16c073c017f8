//! Headings and places of the arbiter's report, in both languages.

use crate::audit::{
    Audit, Counted, FoulSource, Kept, Merged, Point, Reads, Sheet, Standing, Verdict, Weight, gist,
    named, shown,
};
use crate::board::{Color, Move};
use crate::finding::Lang;
use crate::finding::catalogue::words::side;
use crate::game::{GameResult, Winner};
use crate::report::counted;
use crate::report::findings::printable;
use crate::rules::{Judgement, Verdict as Ruling};

/// `Red's move 4 (ply 7)`, `第 4 回合红方（第 7 步）`.
pub(super) fn place(audit: &Audit, ply: u32, lang: Lang) -> String {
    let before = audit.line.before(ply);
    let (round, mover) = (before.round(), side(before.side(), lang));
    match lang {
        Lang::En => format!("round {round}, {mover} (ply {ply})"),
        Lang::Zh => format!("第 {round} 回合{mover}（第 {ply} 步）"),
    }
}

/// `1-0, Red wins`.
pub(super) fn result(result: GameResult, lang: Lang) -> String {
    let words = match super::winner(result) {
        Some(Winner::Side(color)) => match lang {
            Lang::En => format!("{} wins", side(color, lang)),
            Lang::Zh => format!("{}胜", side(color, lang)),
        },
        Some(Winner::Draw) => lang.pick("draw", "和").to_owned(),
        None => lang.pick("no result", "无结果").to_owned(),
    };
    format!("{} {words}", result.code())
}

/// The result as it goes into the block; open while it hangs on a ruling.
pub(super) fn block_result(verdict: &Verdict, lang: Lang) -> String {
    match (verdict.standing, lang) {
        (Standing::Open, Lang::En) => "open".to_owned(),
        (Standing::Open, Lang::Zh) => "待裁定".to_owned(),
        _ => result(verdict.result, lang),
    }
}

/// The heading of a weight.
pub(super) const fn weight(weight: Weight, lang: Lang) -> &'static str {
    match weight {
        Weight::Decide => lang.pick("To be decided", "须裁定"),
        Weight::Look => lang.pick("To be looked at or completed", "须核对或补正"),
        Weight::Note => lang.pick("For the record", "备考"),
    }
}

/// The verdict in a sentence.
pub(super) fn verdict(verdict: &Verdict, lang: Lang) -> String {
    let why = verdict.why(lang);
    let result = result(verdict.result, lang);
    match verdict.standing {
        Standing::Decided => {
            let article = verdict.article.unwrap_or("");
            match (verdict.ply, lang) {
                (Some(ply), Lang::En) => format!("{result}: {why} (article {article}, ply {ply})"),
                (Some(ply), Lang::Zh) => format!("{result}：{why}（第 {article} 条，第 {ply} 步）"),
                (None, Lang::En) => format!("{result}: {why} (article {article})"),
                (None, Lang::Zh) => format!("{result}：{why}（第 {article} 条）"),
            }
        }
        Standing::Recorded => match lang {
            Lang::En => format!("{result}: {why}"),
            Lang::Zh => format!("{result}：{why}"),
        },
        Standing::Open | Standing::None => why,
    }
}

/// What the record says beside the verdict; `None` where they agree.
pub(super) fn recorded(verdict: &Verdict, lang: Lang) -> Option<String> {
    let recorded = result(verdict.recorded, lang);
    if verdict.recorded == GameResult::Unknown {
        return None;
    }
    match (verdict.standing, verdict.agrees()) {
        (Standing::Decided, false) => Some(match lang {
            Lang::En => format!("recorded is {recorded}: it does not agree (10.1)"),
            Lang::Zh => format!("记录为 {recorded}，与之不符（10.1）"),
        }),
        (Standing::Open, _) => Some(match lang {
            Lang::En => format!("recorded is {recorded}"),
            Lang::Zh => format!("记录为 {recorded}"),
        }),
        _ => None,
    }
}

/// Where a foul comes from.
pub(super) const fn source(source: FoulSource, lang: Lang) -> &'static str {
    match source {
        FoulSource::Announced => lang.pick("announced", "已宣布"),
        FoulSource::Sheet => lang.pick("noted on the sheet", "记录上注明"),
        FoulSource::Claim => lang.pick("wrong claim", "提议不实"),
        FoulSource::Unrecorded => lang.pick("moves left unrecorded: rule on it", "漏记：待裁定"),
    }
}

/// `2 of 3`, `第 2 次`.
pub(super) fn count(counted: &Counted, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{} of {}", counted.number, crate::audit::MOST_FOULS),
        Lang::Zh => format!("第 {} 次", counted.number),
    }
}

/// The heads of the table of fouls.
pub(super) fn foul_heads(lang: Lang) -> [&'static str; 6] {
    [
        lang.pick("side", "一方"),
        lang.pick("count", "次数"),
        lang.pick("article", "条款"),
        lang.pick("at", "何处"),
        lang.pick("source", "来源"),
        lang.pick("what", "内容"),
    ]
}

/// The table of fouls.
pub(super) fn foul_rows(audit: &Audit, lang: Lang) -> Vec<Vec<String>> {
    let row = |counted: &Counted| {
        let foul = &counted.foul;
        vec![
            side(foul.side, lang).to_owned(),
            count(counted, lang),
            foul.article.to_owned(),
            foul.ply.map_or_else(|| "–".to_owned(), |ply| place(audit, ply, lang)),
            source(counted.source, lang).to_owned(),
            gist(foul.article, lang).unwrap_or("").to_owned(),
        ]
    };
    audit.fouls.iter().map(row).collect()
}

/// The time that a side used, and what the sheet gives.
pub(super) fn used(audit: &Audit, color: Color, lang: Lang) -> String {
    let own = &audit.clock.sides[color.index()];
    let used = own.used().map_or_else(|| "–".to_owned(), shown);
    let from = own.reads.map_or_else(String::new, |from| {
        format!("{}{}", lang.pick("; the sheet gives ", "；记录所载为"), reads(from, lang))
    });
    let label = lang.pick(": used at the end ", "：终局用时 ");
    format!("{}{label}{used}{from}", side(color, lang))
}

/// The heads of the table of controls.
pub(super) fn control_heads(lang: Lang) -> [&'static str; 7] {
    [
        lang.pick("side", "一方"),
        lang.pick("control", "时限"),
        lang.pick("move", "着数"),
        lang.pick("within", "限时"),
        lang.pick("kept", "结果"),
        lang.pick("used", "用时"),
        lang.pick("at", "何处"),
    ]
}

/// The table of controls.
pub(super) fn control_rows(audit: &Audit, lang: Lang) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for color in SIDES {
        for control in &audit.clock.sides[color.index()].controls {
            let (at, used) = match control.kept {
                Kept::Met(ply, used) | Kept::Overstepped(ply, used, _) => {
                    (place(audit, ply, lang), shown(used))
                }
                Kept::Running | Kept::Unknown => (String::new(), String::new()),
            };
            rows.push(vec![
                side(color, lang).to_owned(),
                control.number.to_string(),
                control.need.map_or_else(|| "–".to_owned(), |need| need.to_string()),
                shown(control.allowed),
                kept(control.kept, lang).to_owned(),
                used,
                at,
            ]);
        }
    }
    rows
}

/// What decides where a clock is over its time.
pub(super) const fn flag(lang: Lang) -> &'static str {
    lang.pick(
        "Times on a sheet are what the players wrote; the flag decides (22.2, 22.3).",
        "记录上的时间为棋手所写；以小旗或两针为准（22.2、22.3）。",
    )
}

/// Where a loop is, and how often it was played.
pub(super) fn cycle(first: u32, last: u32, times: u32, lang: Lang) -> String {
    match lang {
        Lang::En => {
            format!("Plies {first} to {last}; the position stands on the board {times} times.")
        }
        Lang::Zh => format!("第 {first} 至 {last} 步；同一局面出现 {times} 次。"),
    }
}

/// What a column of times tells.
pub(super) const fn reads(reads: Reads, lang: Lang) -> &'static str {
    match reads {
        Reads::Used => lang.pick("time used", "累计用时"),
        Reads::Left => lang.pick("time left", "剩余时间"),
        Reads::Each => lang.pick("time for each move", "每着用时"),
    }
}

/// How a control went.
pub(super) const fn kept(kept: Kept, lang: Lang) -> &'static str {
    match kept {
        Kept::Met(..) => lang.pick("met", "按时完成"),
        Kept::Overstepped(..) => lang.pick("OVERSTEPPED", "超时"),
        Kept::Running => lang.pick("the game ended within it", "未到期"),
        Kept::Unknown => lang.pick("cannot be told", "无法断定"),
    }
}

/// Whose sheet it is.
pub(super) fn sheet(audit: &Audit, number: usize, lang: Lang) -> String {
    let keeper = audit.sheets.get(number.saturating_sub(1)).and_then(|sheet| sheet.keeper);
    match (keeper, lang) {
        (Some(color), Lang::En) => format!("sheet {number} ({}'s)", side(color, lang)),
        (Some(color), Lang::Zh) => format!("第 {number} 份（{}）", side(color, lang)),
        (None, Lang::En) => format!("sheet {number}"),
        (None, Lang::Zh) => format!("第 {number} 份"),
    }
}

/// On how much two sheets agree.
pub(super) fn agreement(merged: &Merged, lang: Lang) -> String {
    let (agreed, all) = (merged.agreed(), merged.rows.len());
    match lang {
        Lang::En => format!("The sheets agree on {agreed} of {all} half-moves."),
        Lang::Zh => format!("共 {all} 步，两份相同 {agreed} 步。"),
    }
}

/// How many fouls a side has, and how many are still to be ruled on.
pub(super) fn fouls(audit: &Audit, color: Color, lang: Lang) -> String {
    let own = || audit.fouls.iter().filter(|counted| counted.foul.side == color);
    let certain = own().filter(|counted| counted.source.is_certain()).count();
    match (own().count() - certain, lang) {
        (0, _) => certain.to_string(),
        (open, Lang::En) => format!("{certain} ({open} to be ruled on)"),
        (open, Lang::Zh) => format!("{certain}（另有 {open} 次待裁定）"),
    }
}

/// The moves of a point: what is proposed, and what is possible beside it.
pub(super) fn moves(audit: &Audit, point: &Point, lang: Lang) -> Vec<String> {
    let before = point.ply.map(|ply| audit.line.before(ply));
    let name = |mv: &Move| match &before {
        Some(before) if before.is_legal(*mv) => named(*mv, before),
        _ => mv.to_string(),
    };
    let colon = lang.pick(": ", "：");
    let mut lines = Vec::new();
    if let Some(proposal) = &point.proposal {
        lines.push(format!("{}{colon}{}", lang.pick("proposed", "建议"), name(proposal)));
    }
    let others = point.candidates.iter().filter(|mv| point.proposal != Some(**mv));
    let others: Vec<String> = others.take(8).map(name).collect();
    if !others.is_empty() {
        let label = match point.proposal {
            Some(_) => lang.pick("else possible", "其他可能"),
            None => lang.pick("possible", "可能"),
        };
        lines.push(format!("{label}{colon}{}", others.join(lang.pick(", ", "、"))));
    }
    lines
}

/// Where a sheet comes from: file, game, bytes; the hash stands behind it.
pub(super) fn origin(audit: &Audit, number: usize, sheet: &Sheet, lang: Lang) -> String {
    let (name, path) = (self::sheet(audit, number, lang), printable(&sheet.path));
    let (game, bytes) = (sheet.game.origin.game, sheet.bytes);
    match lang {
        Lang::En => format!("{name}: {path}, game {game}, {bytes} bytes, sha256"),
        Lang::Zh => format!("{name}：{path}，第 {game} 局，{bytes} 字节，sha256"),
    }
}

/// The points that are shown: of many loops of one kind the first and the
/// last; and how many of each kind are left out.
pub(super) fn shown_points(audit: &Audit) -> (Vec<&Point>, usize) {
    let alike = |one: &Point, other: &Point| {
        one.code == "repetition"
            && other.code == one.code
            && (one.reason, one.sheet) == (other.reason, other.sheet)
    };
    let points = &audit.points;
    let kept = |at: usize| {
        let point = &points[at];
        let before = points[..at].iter().any(|other| alike(point, other));
        let behind = points[at + 1..].iter().any(|other| alike(point, other));
        !(before && behind)
    };
    let shown: Vec<&Point> =
        (0..points.len()).filter(|at| kept(*at)).map(|at| &points[at]).collect();
    let left_out = points.len() - shown.len();
    (shown, left_out)
}

/// How many loops are not shown one by one.
pub(super) fn more_loops(count: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("Between them are loops of the same kind: {count} more (--json)."),
        Lang::Zh => format!("其间另有同类循环 {count} 处（见 --json）。"),
    }
}

/// The loops that are told ply by ply: those that are no draw, and the last.
pub(super) fn shown_loops(audit: &Audit) -> Vec<&Judgement> {
    const MOST: usize = 3;
    let last = audit.loops.len().saturating_sub(1);
    let told = |at: usize, judged: &Judgement| at == last || judged.verdict != Ruling::Draw;
    let mut shown: Vec<&Judgement> =
        audit.loops.iter().enumerate().filter(|(at, j)| told(*at, j)).map(|(_, j)| j).collect();
    let skip = shown.len().saturating_sub(MOST);
    shown.drain(..skip);
    shown
}

/// Whether a loop is told ply by ply: not a long one that is drawn anyhow.
pub(super) fn in_full(judged: &Judgement) -> bool {
    judged.verdict != Ruling::Draw || judged.plies.len() <= 12
}

/// Where the moves of a long loop are told.
pub(super) const fn see_judge(lang: Lang) -> &'static str {
    lang.pick(
        "`qipu judge` tells each move of it, and so does --json.",
        "各着性质见 `qipu judge` 或 --json。",
    )
}

/// The natural limit at the end, in a sentence.
pub(super) fn natural_limit(audit: &Audit, lang: Lang) -> String {
    let (count, limit) = (audit.count, audit.limit);
    match lang {
        Lang::En => format!(
            "{} without a capture at the end, counted as {}; {limit} are needed (23.3)",
            counted(count.rounds.into(), "round", "rounds"),
            count.counted
        ),
        Lang::Zh => format!(
            "终局时连续无吃子 {} 回合，计 {} 回合；限着为 {limit} 回合（23.3）",
            count.rounds, count.counted
        ),
    }
}

/// The rules, in words.
pub(super) fn rules(audit: &Audit, lang: Lang) -> &'static str {
    lang.pick(audit.rules.title(), audit.rules.title_zh())
}

/// Both players, for a table.
pub(super) const SIDES: [Color; 2] = Color::ALL;
