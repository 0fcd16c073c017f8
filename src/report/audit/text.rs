//! The report on a terminal.

use std::fmt;

use super::{loop_positions, rounds, words};
use crate::audit::{Audit, Point, Weight, gist, named_in, shown};
use crate::board::{Move, Position};
use crate::finding::Lang;
use crate::finding::catalogue::words::side;
use crate::report::board::{BoardText, PieceSet};
use crate::report::game::heading;
use crate::report::judgement_words;
use crate::report::moves::chinese;
use crate::report::style::{Paint, Tone};
use crate::report::table::table;
use crate::text::width::pad_right;

/// The report in text.
#[derive(Clone, Copy, Debug)]
pub struct AuditText<'a> {
    audit: &'a Audit,
    lang: Lang,
    paint: Paint,
    boards: bool,
    pieces: PieceSet,
}

impl<'a> AuditText<'a> {
    /// Shows a report.
    #[must_use]
    pub fn new(audit: &'a Audit, lang: Lang, paint: Paint) -> AuditText<'a> {
        AuditText { audit, lang, paint, boards: true, pieces: PieceSet::Hanzi }
    }

    /// Whether positions are drawn.
    #[must_use]
    pub fn boards(mut self, show: bool) -> AuditText<'a> {
        self.boards = show;
        self
    }

    /// Chooses the pieces.
    #[must_use]
    pub fn pieces(mut self, pieces: PieceSet) -> AuditText<'a> {
        self.pieces = pieces;
        self
    }

    fn title(&self, f: &mut fmt::Formatter<'_>, en: &str, zh: &str) -> fmt::Result {
        writeln!(f, "\n{}", self.paint.tone(Tone::Heading, self.lang.pick(en, zh)))
    }

    fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lang, audit) = (self.lang, self.audit);
        let title = lang.pick("Arbiter's report", "裁判报告");
        let who = audit.sheets.first().map(|sheet| heading(&sheet.game, lang));
        let who = who.filter(|who| !who.is_empty());
        let colon = lang.pick(": ", "：");
        let title = match who {
            Some(who) => format!("{title}{colon}{who}"),
            None => title.to_owned(),
        };
        writeln!(f, "{}", self.paint.tone(Tone::Heading, title))?;
        let mut rules = words::rules(audit, lang).to_owned();
        if let Some(plan) = &audit.clock.plan {
            rules.push_str(lang.pick("; clocks: ", "；计时："));
            rules.push_str(plan.title(lang));
            rules.push_str(&format!(" ({})", plan.name));
        }
        writeln!(f, "{rules}")?;
        let label = lang.pick("Verdict", "结论");
        let verdict = words::verdict(&audit.verdict, lang);
        writeln!(f, "\n{}{colon}{verdict}", self.paint.tone(Tone::Heading, label))?;
        if let Some(recorded) = words::recorded(&audit.verdict, lang) {
            writeln!(f, "{recorded}")?;
        }
        Ok(())
    }

    fn points(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = 0;
        let (shown, left_out) = words::shown_points(self.audit);
        for weight in [Weight::Decide, Weight::Look, Weight::Note] {
            let points = || shown.iter().filter(|point| point.weight == weight);
            if points().next().is_none() {
                continue;
            }
            let heading = words::weight(weight, self.lang);
            self.title(f, heading, heading)?;
            let mut drawn: Option<&Position> = None;
            for point in points() {
                number += 1;
                self.point(f, number, point)?;
                let Some(position) = point.position.as_ref() else { continue };
                let again = drawn.is_some_and(|known| known == position);
                if self.boards && weight == Weight::Decide && !again {
                    let last =
                        point.ply.and_then(|ply| self.audit.line.ply(ply.checked_sub(1)?)?.mv);
                    self.board(f, position, last)?;
                    drawn = Some(position);
                }
            }
        }
        if left_out > 0 {
            writeln!(f, "     {}", words::more_loops(left_out, self.lang))?;
        }
        Ok(())
    }

    fn point(&self, f: &mut fmt::Formatter<'_>, number: usize, point: &Point) -> fmt::Result {
        let (lang, paint) = (self.lang, self.paint);
        let tone = match point.weight {
            Weight::Decide => Tone::Error,
            Weight::Look => Tone::Warning,
            Weight::Note => Tone::Note,
        };
        let mut places = Vec::new();
        if self.audit.sheets.len() > 1
            && let Some(sheet) = point.sheet
        {
            places.push(words::sheet(self.audit, sheet, lang));
        }
        places.extend(point.ply.map(|ply| words::place(self.audit, ply, lang)));
        let place = places.join(lang.pick(", ", "，"));
        let colon = if place.is_empty() { "" } else { lang.pick(": ", "：") };
        let article = paint.tone(tone, format!("[{}]", point.article));
        writeln!(f, "{number:>3}. {article} {place}{colon}{}", point.message(lang))?;
        let decision = point.decision(lang);
        if !decision.is_empty() && point.weight < Weight::Note {
            writeln!(f, "     {} {decision}", paint.tone(Tone::Help, "→"))?;
        }
        if point.weight < Weight::Note {
            for line in words::moves(self.audit, point, lang) {
                writeln!(f, "     {line}")?;
            }
        }
        Ok(())
    }

    fn board(
        &self,
        f: &mut fmt::Formatter<'_>,
        position: &Position,
        last: Option<Move>,
    ) -> fmt::Result {
        let drawn = BoardText::new(position).last_move(last).pieces(self.pieces).paint(self.paint);
        for line in drawn.to_string().lines() {
            writeln!(f, "     {line}")?;
        }
        writeln!(f, "     {}", self.paint.tone(Tone::Dim, position.fen()))
    }

    fn fouls(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.audit.fouls.is_empty() {
            return Ok(());
        }
        let lang = self.lang;
        self.title(f, "Fouls (9, 4.1.8)", "犯规（9、4.1.8）")?;
        let heads = words::foul_heads(lang);
        writeln!(f, "{}", table(&heads, words::foul_rows(self.audit, lang), &[]))
    }

    fn clock(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lang, clock) = (self.lang, &self.audit.clock);
        if clock.is_empty() {
            return Ok(());
        }
        self.title(f, "Clocks (6, 22)", "棋钟（6、22）")?;
        for color in words::SIDES {
            writeln!(f, "{}", words::used(self.audit, color, lang))?;
        }
        let rows = words::control_rows(self.audit, lang);
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(f, "{}", table(&words::control_heads(lang), rows, &[1, 2]))
    }

    fn loops(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lang, paint) = (self.lang, self.paint);
        for judged in words::shown_loops(self.audit) {
            let Some(cycle) = judged.cycle else { continue };
            self.title(f, "The loop (24 to 29)", "循环（24 至 29）")?;
            let from = self.audit.loops_from;
            let (first, last) = (from + cycle.from_ply, from + cycle.to_ply);
            writeln!(f, "{}", words::cycle(first, last, cycle.times, lang))?;
            let positions = loop_positions(self.audit, judged);
            let steps = positions.iter().zip(positions.iter().skip(1));
            let full = words::in_full(judged);
            if !full {
                writeln!(f, "{}", words::see_judge(lang))?;
            }
            for (ply, (before, after)) in judged.plies.iter().zip(steps).filter(|_| full) {
                let name = judgement_words::class(ply, lang);
                let tone =
                    if judgement_words::attacks(ply.class) { Tone::Warning } else { Tone::Help };
                writeln!(
                    f,
                    "{:>4}. {} {}  {} {}",
                    from + ply.ply,
                    side(ply.side, lang),
                    chinese(ply.mv, before),
                    paint.tone(tone, name),
                    paint.tone(Tone::Dim, ply.article)
                )?;
                writeln!(f, "      {}", judgement_words::why(ply, after, lang))?;
            }
            for color in words::SIDES {
                let conduct = judgement_words::conduct(judged.conduct(color), lang);
                writeln!(f, "{}{}{conduct}", side(color, lang), lang.pick(": ", "："))?;
            }
            writeln!(f, "{}", paint.tone(Tone::Heading, judgement_words::verdict(judged, lang)))?;
            if let Some(point) = judged.open {
                writeln!(f, "{}", judgement_words::open_point(point, lang))?;
            }
        }
        Ok(())
    }

    /// Both sheets side by side, a round a row.
    fn rounds(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lang, audit) = (self.lang, self.audit);
        let Some(merged) = &audit.merged else { return Ok(()) };
        self.title(f, "Both sheets", "两份对照")?;
        writeln!(f, "{}", words::agreement(merged, lang))?;
        let pair = |pair: &[String; 2]| {
            format!("{} {}", pad_right(&pair[0], 9), pair[1]).trim_end().to_owned()
        };
        let rows = rounds::rounds(audit).into_iter().map(|round| {
            vec![
                format!("{}.", round.number),
                pair(&round.sheets[0]),
                pair(&round.sheets[1]),
                pair(&round.game),
                rounds::remark(&round, lang),
            ]
        });
        let heads = [words::sheet(audit, 1, lang), words::sheet(audit, 2, lang)];
        let game = lang.pick("game", "棋局");
        writeln!(f, "{}", table(&["", &heads[0], &heads[1], game, ""], rows, &[0]))
    }

    /// What is entered below the moves (article 10.1).
    fn block(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lang, audit) = (self.lang, self.audit);
        self.title(f, "Result block (10.1)", "记录末栏（10.1）")?;
        let colon = lang.pick(": ", "：");
        let result = words::block_result(&audit.verdict, lang);
        writeln!(f, "{}{colon}{result}", lang.pick("Result", "结果"))?;
        for color in words::SIDES {
            let used = audit.clock.sides[color.index()].used();
            let used = used.map_or_else(|| "________".to_owned(), shown);
            let (time, fouls) = (lang.pick("time", "用时"), lang.pick("fouls", "犯规"));
            let comma = lang.pick(", ", "，");
            let own = words::fouls(audit, color, lang);
            writeln!(f, "{}{colon}{time} {used}{comma}{fouls} {own}", side(color, lang))?;
        }
        writeln!(f, "{}", words::natural_limit(audit, lang))
    }

    /// What the articles named here are about, and where all this comes from.
    fn foot(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lang, audit) = (self.lang, self.audit);
        self.title(f, "Articles named above", "所引条款")?;
        for article in articles(audit, lang) {
            writeln!(f, "  {article:<7} {}", gist(article, lang).unwrap_or(""))?;
        }
        self.title(f, "Sources", "来源")?;
        for (number, sheet) in (1..).zip(&audit.sheets) {
            writeln!(f, "  {} {}", words::origin(audit, number, sheet, lang), sheet.sha256)?;
        }
        let version = env!("CARGO_PKG_VERSION");
        writeln!(f, "  qipu {version}, --rules {}", audit.rules)
    }
}

/// The articles that the points and the verdict name, in order.
pub(super) fn articles(audit: &Audit, lang: Lang) -> Vec<&'static str> {
    let mut named: Vec<&'static str> = Vec::new();
    for point in &audit.points {
        named.push(point.article);
        let shown = point.weight < Weight::Note;
        let decision = if shown { point.decision(lang) } else { String::new() };
        named.extend(named_in(&decision));
    }
    named.extend(audit.fouls.iter().map(|counted| counted.foul.article));
    named.extend(audit.verdict.article.and_then(|article| named_in(article).next()));
    named.push("10.1");
    crate::audit::articles().filter(|article| named.contains(article)).collect()
}

impl fmt::Display for AuditText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head(f)?;
        self.points(f)?;
        self.rounds(f)?;
        self.loops(f)?;
        self.fouls(f)?;
        self.clock(f)?;
        self.block(f)?;
        self.foot(f)
    }
}
