//! The report as a page that stands alone and prints on A4.

use super::page::Page;
use super::{loop_positions, rounds, text, words};
use crate::audit::{Audit, Fate, Kept, Point, Weight, gist, shown};
use crate::board::{Color, Move, Position};
use crate::finding::Lang;
use crate::finding::catalogue::words::side;
use crate::report::findings::printable;
use crate::report::game::heading;
use crate::report::judgement_words;
use crate::report::moves::chinese;
use crate::report::svg;

const STYLE: &str = include_str!("audit.css");

/// Boards that are drawn beside the points; more would hide what matters.
const MOST_BOARDS: usize = 12;

/// The page of one report or several, each on a sheet of its own.
#[must_use]
pub fn html(audits: &[Audit], lang: Lang) -> String {
    let mut page = Page::default();
    let title = lang.pick("Arbiter's report", "裁判报告");
    page.raw("<!DOCTYPE html>\n<html lang=\"").raw(lang.pick("en", "zh-CN")).raw("\">\n<head>");
    page.raw("<meta charset=\"utf-8\">");
    page.raw("<meta name=\"viewport\" content=\"width=device-width\">");
    page.put("title", "", title).raw("\n<style>\n").raw(STYLE).raw("</style></head>\n<body>\n");
    for audit in audits {
        let mut report = Report { page: &mut page, audit, lang, boards: 0 };
        report.write();
    }
    page.raw("</body>\n</html>\n");
    page.finish()
}

struct Report<'a> {
    page: &'a mut Page,
    audit: &'a Audit,
    lang: Lang,
    boards: usize,
}

impl Report<'_> {
    fn write(&mut self) {
        self.page.open("section", "report");
        self.head();
        self.points();
        self.sheets();
        self.game();
        self.loops();
        self.fouls();
        self.clock();
        self.block();
        self.foot();
        self.page.close("section").raw("\n");
    }

    fn title(&mut self, en: &str, zh: &str) {
        self.page.put("h2", "", self.lang.pick(en, zh)).raw("\n");
    }

    fn head(&mut self) {
        let (lang, audit) = (self.lang, self.audit);
        self.page.put("h1", "", lang.pick("Arbiter's report", "裁判报告"));
        let who = audit.sheets.first().map(|sheet| heading(&sheet.game, lang));
        if let Some(who) = who.filter(|who| !who.is_empty()) {
            self.page.put("p", "where", &who);
        }
        let mut rules = words::rules(audit, lang).to_owned();
        if let Some(plan) = &audit.clock.plan {
            rules.push_str(lang.pick("; clocks: ", "；计时："));
            rules.push_str(plan.title(lang));
        }
        self.page.put("p", "sub", &rules);
        self.page.open("div", "verdict").put("span", "", lang.pick("Verdict: ", "结论："));
        self.page.put("b", "", &words::verdict(&audit.verdict, lang));
        if let Some(recorded) = words::recorded(&audit.verdict, lang) {
            self.page.put("p", "record", &recorded);
        }
        self.page.close("div").raw("\n");
    }

    fn points(&mut self) {
        let mut number = 0;
        let (all, left_out) = words::shown_points(self.audit);
        for weight in [Weight::Decide, Weight::Look, Weight::Note] {
            let points: Vec<&Point> =
                all.iter().copied().filter(|point| point.weight == weight).collect();
            if points.is_empty() {
                continue;
            }
            let heading = words::weight(weight, self.lang);
            self.title(heading, heading);
            let mut drawn: Option<&Position> = None;
            for point in points {
                number += 1;
                let position = point.position.as_ref().filter(|position| {
                    weight < Weight::Note && drawn.is_none_or(|known| known != *position)
                });
                let position = position.filter(|_| self.boards < MOST_BOARDS);
                drawn = position.or(drawn);
                self.point(number, point, position);
            }
        }
        if left_out > 0 {
            self.page.put("p", "small", &words::more_loops(left_out, self.lang));
        }
    }

    fn point(&mut self, number: usize, point: &Point, position: Option<&Position>) {
        let (lang, audit) = (self.lang, self.audit);
        self.page.open("div", &format!("point {}", point.weight.name())).open("div", "");
        self.page.text(&format!("{number}. ")).put("span", "art", point.article);
        let mut places = Vec::new();
        if audit.sheets.len() > 1
            && let Some(sheet) = point.sheet
        {
            places.push(words::sheet(audit, sheet, lang));
        }
        places.extend(point.ply.map(|ply| words::place(audit, ply, lang)));
        if !places.is_empty() {
            let place = places.join(lang.pick(", ", "，")) + lang.pick(": ", "：");
            self.page.put("span", "where", &place);
        }
        self.page.text(&point.message(lang));
        let decision = point.decision(lang);
        if !decision.is_empty() && point.weight < Weight::Note {
            self.page.put("p", "todo", &decision);
        }
        if point.weight < Weight::Note {
            for line in words::moves(audit, point, lang) {
                self.page.put("p", "moves", &line);
            }
        }
        self.page.close("div");
        if let Some(position) = position {
            self.boards += 1;
            let ply = point.ply.and_then(|ply| ply.checked_sub(1));
            let last = ply.and_then(|ply| audit.line.ply(ply)?.mv);
            self.board(position, last);
        }
        self.page.close("div").raw("\n");
    }

    fn board(&mut self, position: &Position, last: Option<Move>) {
        self.page.open("div", "").raw(&svg::board(position, last));
        self.page.put("div", "fen", &position.fen()).close("div");
    }

    /// Both sheets side by side.
    fn sheets(&mut self) {
        let (lang, audit) = (self.lang, self.audit);
        let Some(merged) = &audit.merged else { return };
        self.title("Both sheets", "两份对照");
        self.page.put("p", "", &words::agreement(merged, lang));
        self.page.open("table", "sheets").raw("<thead><tr>");
        let heads = [words::sheet(audit, 1, lang), words::sheet(audit, 2, lang)];
        let game = lang.pick("game", "棋局");
        for head in ["", heads[0].as_str(), "", heads[1].as_str(), "", game, "", ""] {
            self.page.put("th", "", head);
        }
        self.page.raw("</tr></thead><tbody>\n");
        for round in rounds::rounds(audit) {
            let of = |wanted: Fate| round.fates.contains(&Some(wanted));
            let class = [Fate::Open, Fate::Missing, Fate::Decided].into_iter().find(|f| of(*f));
            self.page.open("tr", class.map_or("", Fate::name));
            self.page.put("td", "", &format!("{}.", round.number));
            for pair in [&round.sheets[0], &round.sheets[1], &round.game] {
                for cell in pair {
                    self.page.put("td", "", cell);
                }
            }
            self.page.put("td", "", &rounds::remark(&round, lang)).raw("</tr>\n");
        }
        self.page.raw("</tbody>").close("table").raw("\n");
    }

    /// The moves in columns, and the last position.
    fn game(&mut self) {
        let audit = self.audit;
        if audit.line.is_empty() {
            return;
        }
        // With two sheets the moves stand there already.
        let listed = audit.merged.is_none();
        if listed {
            self.title("The game and its last position", "棋局与终局局面");
        } else {
            self.title("The last position", "终局局面");
        }
        self.page.open("div", "side");
        if listed {
            self.rounds();
        }
        let last = audit.line.ply(audit.line.len()).and_then(|ply| ply.mv);
        self.board(&audit.line.last(), last);
        self.page.close("div").raw("\n");
    }

    /// The moves, a round a line.
    fn rounds(&mut self) {
        self.page.open("div", "list");
        for round in rounds::rounds(self.audit) {
            self.page.open("div", "").put("span", "n", &format!("{}.", round.number));
            for half in &round.game {
                self.page.put("span", "", half);
            }
            self.page.close("div");
        }
        self.page.close("div");
    }

    fn loops(&mut self) {
        let (lang, audit) = (self.lang, self.audit);
        for judged in words::shown_loops(audit) {
            let Some(cycle) = judged.cycle else { continue };
            self.title("The loop (24 to 29)", "循环（24 至 29）");
            let from = audit.loops_from;
            let (first, last) = (from + cycle.from_ply, from + cycle.to_ply);
            self.page.put("p", "keep", &words::cycle(first, last, cycle.times, lang));
            let positions = loop_positions(audit, judged);
            let steps = positions.iter().zip(positions.iter().skip(1));
            self.page.open("div", "side").open("div", "");
            let rows = judged.plies.iter().zip(steps).map(|(ply, (before, after))| {
                vec![
                    (from + ply.ply).to_string(),
                    format!("{} {}", side(ply.side, lang), chinese(ply.mv, before)),
                    format!("{} ({})", judgement_words::class(ply, lang), ply.article),
                    judgement_words::why(ply, after, lang),
                ]
            });
            let head = [
                lang.pick("ply", "步"),
                lang.pick("move", "着法"),
                lang.pick("is", "性质"),
                lang.pick("why", "理由"),
            ];
            if words::in_full(judged) {
                self.page.table("", &head, rows);
            } else {
                self.page.put("p", "", words::see_judge(lang));
            }
            for color in words::SIDES {
                let conduct = judgement_words::conduct(judged.conduct(color), lang);
                let line = format!("{}{}{conduct}", side(color, lang), lang.pick(": ", "："));
                self.page.put("p", "", &line);
            }
            self.page.put("p", "where", &judgement_words::verdict(judged, lang));
            if let Some(point) = judged.open {
                self.page.put("p", "", judgement_words::open_point(point, lang));
            }
            self.page.close("div");
            if let Some(first) = positions.first() {
                self.board(first, None);
            }
            self.page.close("div").raw("\n");
        }
    }

    fn fouls(&mut self) {
        let (lang, audit) = (self.lang, self.audit);
        if audit.fouls.is_empty() {
            return;
        }
        self.title("Fouls (9, 4.1.8)", "犯规（9、4.1.8）");
        self.page.table("", &words::foul_heads(lang), words::foul_rows(audit, lang));
    }

    fn clock(&mut self) {
        let (lang, clock) = (self.lang, &self.audit.clock);
        if clock.is_empty() {
            return;
        }
        self.title("Clocks (6, 22)", "棋钟（6、22）");
        for color in words::SIDES {
            self.page.put("p", "", &words::used(self.audit, color, lang));
        }
        let rows = words::control_rows(self.audit, lang);
        if !rows.is_empty() {
            self.page.table("", &words::control_heads(lang), rows);
        }
        let late = |kept: Kept| matches!(kept, Kept::Overstepped(..));
        let any = clock.sides.iter().any(|own| own.controls.iter().any(|c| late(c.kept)));
        if any {
            self.page.put("p", "small", words::flag(lang));
        }
    }

    /// Result, times, fouls and three signatures (article 10.1).
    fn block(&mut self) {
        let (lang, audit) = (self.lang, self.audit);
        self.title("Result block (10.1)", "记录末栏（10.1）");
        self.page.open("div", "block");
        let result = words::block_result(&audit.verdict, lang);
        let by_program = lang.pick("Result by this report: ", "本报告所得结果：");
        self.page.put("p", "", &format!("{by_program}{result}"));
        self.page.open("p", "").text(lang.pick("Result as ruled: ", "裁定结果："));
        self.page.put("span", "blank", "").close("p");
        for color in words::SIDES {
            let own = words::fouls(audit, color, lang);
            self.page.open("p", "").text(side(color, lang)).text(lang.pick(": time ", "：用时 "));
            match audit.clock.sides[color.index()].used() {
                Some(used) => self.page.text(&shown(used)),
                None => self.page.put("span", "blank", ""),
            };
            self.page.text(lang.pick(", fouls ", "，犯规 ")).text(&own).close("p");
        }
        self.page.put("p", "small", &words::natural_limit(audit, lang));
        self.page.open("div", "sign");
        let game = audit.sheets.first().map(|sheet| &sheet.game.headers);
        let name = |color: Color| {
            let named = game.and_then(|headers| match color {
                Color::Red => headers.red.as_deref(),
                Color::Black => headers.black.as_deref(),
            });
            let own = named.map_or_else(String::new, |name| format!(" ({})", printable(name)));
            format!("{}{own}", side(color, lang))
        };
        let arbiter = lang.pick("Arbiter", "裁判").to_owned();
        for who in [name(Color::Red), name(Color::Black), arbiter] {
            self.page.put("div", "", &who);
        }
        self.page.close("div").close("div").raw("\n");
    }

    fn foot(&mut self) {
        let (lang, audit) = (self.lang, self.audit);
        self.title("Articles named above, and sources", "所引条款与来源");
        self.page.open("div", "small");
        let rows = text::articles(audit, lang)
            .into_iter()
            .map(|article| vec![article.to_owned(), gist(article, lang).unwrap_or("").to_owned()]);
        self.page.table("", &[lang.pick("article", "条款"), lang.pick("about", "内容")], rows);
        for (number, sheet) in (1..).zip(&audit.sheets) {
            let origin = words::origin(audit, number, sheet, lang);
            self.page.open("p", "").text(&origin).raw(" ");
            self.page.put("span", "hash", &sheet.sha256.to_string()).close("p");
        }
        let version = env!("CARGO_PKG_VERSION");
        self.page.put("p", "", &format!("qipu {version}, --rules {}", audit.rules));
        self.page.close("div");
    }
}
