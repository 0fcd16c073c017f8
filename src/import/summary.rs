//! What a run did.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::db::RunCounts;
use crate::finding::Finding;

/// The summary of a run: the object of `import --json`. Every file that was
/// offered is in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Number of the run.
    pub run: i64,
    /// Files that were offered.
    pub files: u64,
    /// Of these, files that were there already.
    pub files_skipped: u64,
    /// Of these, files that could not be read; none of their games were kept.
    pub files_failed: u64,
    /// Games read.
    pub games: u64,
    /// Of these, games that were new.
    pub new: u64,
    /// Of these, games that are linked to an earlier copy.
    pub duplicates: u64,
    /// Of these, games with a finding of severity `error`.
    pub with_errors: u64,
    /// Half-moves of their main lines.
    pub plies: u64,
    /// Findings by code.
    pub findings: BTreeMap<&'static str, u64>,
    /// Time it took.
    pub seconds: f64,
    /// Whether somebody stopped it before the last file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

impl Summary {
    /// The counts that the database keeps.
    #[must_use]
    pub fn counts(&self) -> RunCounts {
        RunCounts {
            files: self.files,
            files_skipped: self.files_skipped,
            files_failed: self.files_failed,
            games: self.games,
            new: self.new,
            duplicates: self.duplicates,
            with_errors: self.with_errors,
            plies: self.plies,
        }
    }

    /// Counts findings.
    pub(crate) fn note<'f>(&mut self, findings: impl IntoIterator<Item = &'f Finding>) {
        for finding in findings {
            *self.findings.entry(finding.code.name()).or_default() += 1;
        }
    }

    /// Adds what one file brought.
    pub(crate) fn add_file(&mut self, file: &Summary) {
        self.games += file.games;
        self.new += file.new;
        self.duplicates += file.duplicates;
        self.with_errors += file.with_errors;
        self.plies += file.plies;
        for (code, count) in &file.findings {
            *self.findings.entry(code).or_default() += count;
        }
    }
}
