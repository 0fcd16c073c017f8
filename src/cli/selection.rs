//! Which games: what `find` and `export` both take.

use qipu::db::{Pattern, PatternError, PatternText, Query};
use qipu::finding::{Code, Lang};
use unicode_width::UnicodeWidthStr as _;

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
    /// Games with these words in a comment, a name or another header, in either script
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// The mirror image of position, pattern and sequence (left and right
    /// exchanged) will do, too
    #[arg(long)]
    mirror: bool,
    /// It does not matter whose turn it is in the position
    #[arg(long)]
    any_side: bool,
    /// Look for the position on variations, too; with --novelty, what an earlier
    /// game has on a variation is not new
    #[arg(long)]
    variations: bool,
    /// Replay every game rather than ask the position index
    #[arg(long)]
    no_index: bool,
    /// A partial board, pieces in a region, or both: `////4R4/////`,
    /// `N@c-g>=1; turn red` (docs/patterns.md)
    #[arg(long, value_name = "PATTERN")]
    pattern: Option<String>,
    /// What Red and Black have, `RNP:RC`, or what one has more, `R~NC`
    #[arg(long, value_name = "MATERIAL")]
    material: Option<String>,
    /// Moves that follow one another, with `?` for any half-move and `…` for
    /// any number of them: `炮二平五 … 马八进七`
    #[arg(long, value_name = "MOVES")]
    sequence: Option<String>,
    /// From the first to the last move of the sequence, at most so many
    /// half-moves
    #[arg(long, value_name = "PLIES", requires = "sequence")]
    within: Option<u32>,
    /// Pattern and material hold in at least so many positions in a row
    #[arg(long, value_name = "POSITIONS")]
    lasting: Option<u32>,
    /// Pattern, material and sequence with Red and Black exchanged will do,
    /// too
    #[arg(long)]
    swap: bool,
    /// Copies of games that are there already, too
    #[arg(long)]
    duplicates: bool,
}

impl Selection {
    /// As the database takes it.
    pub(crate) fn query(self, out: &Output) -> Result<Query, CliError> {
        Ok(Query {
            position: self.position.position(out)?,
            pattern: self.asked(out)?,
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

    fn asked(&self, out: &Output) -> Result<Option<Pattern>, CliError> {
        let text = PatternText {
            pattern: self.pattern.as_deref(),
            material: self.material.as_deref(),
            sequence: self.sequence.as_deref(),
            within: self.within,
            lasting: self.lasting,
            mirror: self.mirror,
            swap: self.swap,
        };
        let lang = out.lang();
        let asked = Pattern::parse(&text).map_err(|error| unreadable(&error, lang))?;
        let board = self.pattern.is_some() || self.material.is_some();
        let lacks = if self.lasting.is_some() && !board {
            Some("--lasting")
        } else if self.swap && asked.is_none() {
            Some("--swap")
        } else {
            None
        };
        match lacks {
            None => Ok(asked),
            Some(option) => Err(CliError::usage(
                match lang {
                    Lang::En => format!("{option} needs --pattern or --material"),
                    Lang::Zh => format!("{option} 须与 --pattern 或 --material 同用"),
                },
                "",
            )),
        }
    }
}

/// The text, a mark under the fault, and what could stand there.
fn unreadable(error: &PatternError, lang: Lang) -> CliError {
    let expected = error.expected(lang);
    let column = error.column();
    let what = match lang {
        Lang::En => format!("{expected} is expected at column {column}"),
        Lang::Zh => format!("第 {column} 列应为{expected}"),
    };
    let indent = " ".repeat(error.before().width());
    CliError::usage(
        format!("{what}\n  {}\n  {indent}^", error.text()),
        lang.pick("docs/patterns.md describes the language", "docs/patterns.md 说明写法"),
    )
}
