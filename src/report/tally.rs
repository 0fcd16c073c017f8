//! Counting what was read, so that nothing goes unaccounted.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::findings::severity;
use super::table::table;
use crate::finding::{Code, Finding, Lang, Severity};
use crate::game::Game;

/// Files, games, plies and findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files that were read.
    pub files: u64,
    /// Files that could not be read.
    pub failed: u64,
    /// Games.
    pub games: u64,
    /// Games without a finding of severity `error`.
    pub sound: u64,
    /// Plies of the main lines.
    pub plies: u64,
    /// Number of findings by severity and code.
    pub findings: BTreeMap<(Severity, Code), u64>,
}

impl Tally {
    /// Counts a game and its findings.
    pub fn game(&mut self, game: &Game) {
        self.games += 1;
        self.sound += u64::from(game.findings.iter().all(|f| f.severity < Severity::Error));
        self.plies += game.main_line().count() as u64;
        self.findings(&game.findings);
    }

    /// Counts findings.
    pub fn findings(&mut self, findings: &[Finding]) {
        for finding in findings {
            *self.findings.entry((finding.severity, finding.code)).or_default() += 1;
        }
    }

    /// Number of findings of a severity.
    #[must_use]
    pub fn of(&self, severity: Severity) -> u64 {
        self.findings.iter().filter(|((own, _), _)| *own == severity).map(|(_, n)| n).sum()
    }

    /// What was read, and the findings by code, errors first.
    #[must_use]
    pub fn summary(&self, lang: Lang) -> String {
        let mut text = match lang {
            Lang::En => format!(
                "{}, {}, {}; {} without errors",
                counted(self.files, "file", "files"),
                counted(self.games, "game", "games"),
                counted(self.plies, "ply", "plies"),
                counted(self.sound, "game", "games"),
            ),
            Lang::Zh => format!(
                "{} 个文件，{} 局棋，{} 步；{} 局没有错误",
                self.files, self.games, self.plies, self.sound
            ),
        };
        if self.failed > 0 {
            let _ = match lang {
                Lang::En => {
                    write!(text, "; {} not read", counted(self.failed, "file", "files"))
                }
                Lang::Zh => write!(text, "；{} 个文件未能读取", self.failed),
            };
        }
        if !self.findings.is_empty() {
            let rows = self.findings.iter().rev().map(|((level, code), count)| {
                vec![
                    count.to_string(),
                    severity(*level, lang).to_owned(),
                    code.to_string(),
                    code.gist(lang),
                ]
            });
            let head = match lang {
                Lang::En => ["number", "severity", "finding", "what it is"],
                Lang::Zh => ["数量", "程度", "代码", "说明"],
            };
            let _ = write!(text, "\n\n{}", table(&head, rows, &[0]));
        }
        text
    }
}

/// `1 game`, `2 games`.
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Place;

    #[test]
    fn every_finding_is_counted_and_errors_come_first() {
        let mut tally = Tally { files: 1, games: 2, sound: 1, plies: 9, ..Tally::default() };
        let note = Finding::new(Code::ResultMissing, Place::WHOLE);
        let error = Finding::new(Code::IllegalMove, Place::WHOLE);
        tally.findings(&[note.clone(), error, note]);
        assert_eq!(tally.of(Severity::Note), 2);
        assert_eq!(tally.of(Severity::Error), 1);
        let text = tally.summary(Lang::En);
        assert!(text.starts_with("1 file, 2 games, 9 plies; 1 game without errors\n"), "{text}");
        let error = text.find("illegal-move").unwrap();
        assert!(error < text.find("result-missing").unwrap());
        assert!(tally.summary(Lang::Zh).contains("1 个文件，2 局棋"));
    }
}
