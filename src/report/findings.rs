//! Findings as a person reads them: what, where, the line with a mark under
//! the place, the article, what could be meant, what to do.

use std::fmt::{self, Write as _};

use super::excerpt::Excerpt;
use super::moves::{MainLine, chinese};
use super::style::{Paint, Tone};
use crate::board::Position;
use crate::finding::{Finding, Lang, Severity};
use crate::game::Game;
use crate::text::width::width;

/// A finding with everything that is shown beside it.
#[derive(Clone, Debug)]
pub struct FindingText<'a> {
    finding: &'a Finding,
    path: &'a str,
    game: Option<u32>,
    candidates: Vec<String>,
    excerpt: Option<Excerpt>,
    hint: bool,
    lang: Lang,
    paint: Paint,
}

impl<'a> FindingText<'a> {
    /// A finding of the file `path` as a whole.
    #[must_use]
    pub fn of_file(path: &'a str, finding: &'a Finding, lang: Lang, paint: Paint) -> Self {
        let candidates = finding.candidates.iter().map(ToString::to_string).collect();
        FindingText {
            finding,
            path,
            game: None,
            candidates,
            excerpt: None,
            hint: true,
            lang,
            paint,
        }
    }

    /// A finding of a game; its candidates are written in Chinese notation
    /// and ICCS.
    #[must_use]
    pub fn of_game(
        path: &'a str,
        game: &Game,
        finding: &'a Finding,
        lang: Lang,
        paint: Paint,
    ) -> Self {
        let mut text = FindingText::of_file(path, finding, lang, paint);
        text.game = Some(game.origin.game);
        if let Some(ply) = finding.place.ply.filter(|_| !finding.candidates.is_empty()) {
            text.candidates = candidates(finding, &position_before(game, ply));
        }
        text
    }

    /// Adds the line of the source.
    #[must_use]
    pub fn excerpt(mut self, excerpt: Option<Excerpt>) -> Self {
        self.excerpt = excerpt;
        self
    }

    /// Whether to say what to do; once for each kind of finding is enough.
    #[must_use]
    pub fn hint(mut self, show: bool) -> Self {
        self.hint = show;
        self
    }

    /// The finding on one line: severity, code, message, place.
    #[must_use]
    pub fn short(&self) -> String {
        format!("{} ({})", self.head(), self.place())
    }

    fn head(&self) -> String {
        let label =
            format!("{}[{}]", severity(self.finding.severity, self.lang), kind(self.finding));
        let tone = tone(self.finding.severity);
        format!("{}: {}", self.paint.tone(tone, label), self.finding.message(self.lang))
    }

    /// `a.pgn:4:13, game 1, ply 2`.
    fn place(&self) -> String {
        let mut place = printable(self.path);
        let zh = self.lang == Lang::Zh;
        let _ = match self.finding.place.source {
            Some(point) if point.line > 0 => write!(place, ":{}:{}", point.line, point.column),
            Some(point) if zh => write!(place, "，第 {} 字节", point.offset),
            Some(point) => write!(place, ", byte {}", point.offset),
            None => Ok(()),
        };
        let _ = match self.game {
            Some(game) if zh => write!(place, "，第 {game} 局"),
            Some(game) => write!(place, ", game {game}"),
            None => Ok(()),
        };
        let _ = match self.finding.place.ply {
            Some(ply) if zh => write!(place, "，第 {ply} 步"),
            Some(ply) => write!(place, ", ply {ply}"),
            None => Ok(()),
        };
        place
    }
}

/// The moves that a finding proposes, as `炮二平五 (h2e2)` where they can be
/// played in `position`.
fn candidates(finding: &Finding, position: &Position) -> Vec<String> {
    finding
        .candidates
        .iter()
        .map(|mv| match position.legality(*mv) {
            Ok(()) => format!("{} ({mv})", chinese(*mv, position)),
            Err(_) => mv.to_string(),
        })
        .collect()
}

/// The position before a ply of the main line; the last one there is for a
/// ply beyond it.
#[must_use]
pub fn position_before(game: &Game, ply: u32) -> Position {
    let mut position = game.start.clone();
    for step in MainLine::new(game).take_while(|step| step.ply < ply) {
        position = step.after();
    }
    position
}

/// `illegal-move/horse-leg`.
fn kind(finding: &Finding) -> String {
    match finding.reason {
        Some(reason) => format!("{}/{reason}", finding.code),
        None => finding.code.to_string(),
    }
}

/// A severity in words.
#[must_use]
pub const fn severity(severity: Severity, lang: Lang) -> &'static str {
    match severity {
        Severity::Note => lang.pick("note", "说明"),
        Severity::Warning => lang.pick("warning", "警告"),
        Severity::Error => lang.pick("error", "错误"),
    }
}

const fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Note => Tone::Note,
        Severity::Warning => Tone::Warning,
        Severity::Error => Tone::Error,
    }
}

/// A path or word of a file as it may go to a terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

impl fmt::Display for FindingText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lang, paint) = (self.lang, self.paint);
        let gutter = self.excerpt.as_ref().map_or(2, |excerpt| width(&excerpt.label).max(2));
        let margin = " ".repeat(gutter + 1);
        writeln!(f, "{}", self.head())?;
        writeln!(f, "{margin}{} {}", paint.tone(Tone::Dim, "-->"), self.place())?;
        let bar = paint.tone(Tone::Dim, "|");
        if let Some(excerpt) = &self.excerpt {
            let label = paint.tone(Tone::Dim, &excerpt.label);
            let before = " ".repeat(gutter - width(&excerpt.label).min(gutter));
            let mark = "^".repeat(excerpt.marked);
            writeln!(f, "{margin}{bar}")?;
            writeln!(f, "{before}{label} {bar} {}", excerpt.line)?;
            let indent = " ".repeat(excerpt.indent);
            let mark = paint.tone(tone(self.finding.severity), mark);
            writeln!(f, "{margin}{bar} {indent}{mark}")?;
        }
        let mut line = |name: &str, tone: Tone, value: &str| {
            let equals = paint.tone(Tone::Dim, "=");
            writeln!(f, "{margin}{equals} {}: {value}", paint.tone(tone, name))
        };
        if !self.candidates.is_empty() {
            let mut listed = self.candidates.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
            if self.candidates.len() > 8 {
                let more = self.candidates.len() - 8;
                let _ = match lang {
                    Lang::En => write!(listed, " and {more} more"),
                    Lang::Zh => write!(listed, " 等，另有 {more} 种"),
                };
            }
            line(lang.pick("possible", "可能"), Tone::Heading, &listed)?;
        }
        if let Some(article) = self.finding.article {
            line(lang.pick("article", "规则"), Tone::Heading, article)?;
        }
        if self.hint {
            let hint = self.finding.hint(lang);
            if !hint.is_empty() {
                line(lang.pick("help", "提示"), Tone::Help, &hint)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::IllegalReason;
    use crate::finding::{Code, Place, SourcePoint};

    fn blocked() -> Finding {
        let place = Place::at(SourcePoint { offset: 16, line: 4, column: 9 }).ply(1);
        let mv = "b0d1".parse().unwrap();
        let start = Position::start();
        Finding::illegal_move(place, &start, Some(mv), IllegalReason::HorseLeg).text("马八进六")
    }

    #[test]
    fn a_finding_tells_what_where_and_what_to_do() {
        let finding = blocked();
        let excerpt =
            Excerpt { label: "4".into(), line: "1. 马八进六".into(), indent: 3, marked: 8 };
        let text = FindingText::of_file("a.pgn", &finding, Lang::En, Paint::PLAIN)
            .excerpt(Some(excerpt))
            .hint(false)
            .to_string();
        assert_eq!(
            text,
            "\
error[illegal-move/horse-leg]: 马八进六: the horse's leg at c0 is blocked by the red elephant (相)
   --> a.pgn:4:9, ply 1
   |
 4 | 1. 马八进六
   |    ^^^^^^^^
   = article: 2.2
"
        );
    }

    #[test]
    fn candidates_are_written_in_chinese_and_iccs() {
        let finding = Finding::new(Code::AmbiguousMove, Place::WHOLE.ply(1))
            .candidates(["h2e2".parse().unwrap(), "b2e2".parse().unwrap()]);
        let shown = candidates(&finding, &Position::start());
        assert_eq!(shown, ["炮二平五 (h2e2)", "炮八平五 (b2e2)"]);
    }

    #[test]
    fn a_path_cannot_reach_the_terminal() {
        let finding = blocked();
        let text = FindingText::of_file("a\x1b[2J", &finding, Lang::Zh, Paint::PLAIN).to_string();
        assert!(!text.contains('\x1b'));
    }
}
