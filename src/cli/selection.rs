//! Which games: what `find` and `export` both take.

use qipu::db::Query;
use qipu::finding::Code;

use super::database::{Filters, PositionArg, parse_code};
use super::{CliError, Output};

/// Which games.
#[derive(Debug, clap::Args)]
pub(crate) struct Selection {
    #[command(flatten)]
    position: PositionArg,
    #[command(flatten)]
    filters: Filters,
    /// Games with a finding of this code
    #[arg(long, value_name = "CODE", value_parser = parse_code)]
    finding: Option<Code>,
    /// Games with these words in a comment, a name or another header
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// The mirror image of the position (left and right exchanged) will do,
    /// too
    #[arg(long)]
    mirror: bool,
    /// It does not matter whose turn it is in the position
    #[arg(long)]
    any_side: bool,
    /// Look for the position on variations, too
    #[arg(long)]
    variations: bool,
    /// Replay every game rather than ask the position index
    #[arg(long)]
    no_index: bool,
    /// Copies of games that are there already, too
    #[arg(long)]
    duplicates: bool,
}

impl Selection {
    /// As the database takes it.
    pub(crate) fn query(self, out: &Output) -> Result<Query, CliError> {
        Ok(Query {
            position: self.position.position(out)?,
            mirror: self.mirror,
            any_side: self.any_side,
            variations: self.variations,
            no_index: self.no_index,
            finding: self.finding,
            text: self.text,
            duplicates: self.duplicates,
            ..self.filters.query()
        })
    }
}
