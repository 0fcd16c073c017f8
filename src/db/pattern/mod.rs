//! Questions about what stood on the board and how it came: a partial board,
//! material, a sequence of moves (`docs/patterns.md`).

mod condition;
mod error;
mod machine;
mod parse;
mod scan;
mod sequence;
mod syntax;
mod tally;

use condition::Condition;
use machine::Image;
use sequence::Sequence;
use syntax::{Clause, Material};

pub use error::PatternError;
pub(crate) use scan::{first_ply, retain, scan};

/// A question as it is written.
#[derive(Clone, Debug, Default)]
pub struct PatternText<'t> {
    /// A partial board, pieces in regions, the turn.
    pub pattern: Option<&'t str>,
    /// What both sides have.
    pub material: Option<&'t str>,
    /// Moves that follow one another.
    pub sequence: Option<&'t str>,
    /// From the first to the last move of the sequence are at most so many
    /// half-moves.
    pub within: Option<u32>,
    /// Board and material hold in so many positions in a row; 1 when not
    /// given.
    pub lasting: Option<u32>,
    /// The left-right mirror image will do, too.
    pub mirror: bool,
    /// The same with Red and Black exchanged will do, too.
    pub swap: bool,
}

/// A question made ready. It is held by a game when one of its images is held
/// as a whole: the board, the material and the sequence.
#[derive(Clone, Debug)]
pub struct Pattern {
    images: Vec<Image>,
    lasting: u32,
}

impl Pattern {
    /// Reads a question; `None` when nothing is asked.
    ///
    /// # Errors
    /// When a text is not of the language.
    pub fn parse(text: &PatternText<'_>) -> Result<Option<Pattern>, PatternError> {
        let clauses: Option<Vec<Clause>> = text.pattern.map(parse::pattern).transpose()?;
        let material: Option<Material> = text.material.map(parse::material).transpose()?;
        let sequence: Option<Sequence> = match text.sequence {
            Some(written) => Some(Sequence::read(written, text.within)?),
            None => None,
        };
        if clauses.is_none() && material.is_none() && sequence.is_none() {
            return Ok(None);
        }
        let mut images = Vec::new();
        for swap in [false, true] {
            for mirror in [false, true] {
                if (swap && !text.swap) || (mirror && !text.mirror) {
                    continue;
                }
                let view = View { mirror, swap };
                let asked = clauses.is_some() || material.is_some();
                let condition = asked.then(|| {
                    Condition::new(clauses.as_deref().unwrap_or(&[]), material.as_ref(), view)
                });
                if condition.as_ref().is_some_and(Condition::is_too_long) {
                    let written = text.pattern.unwrap_or("");
                    return Err(PatternError::new(
                        written,
                        written.len(),
                        "a pattern of 32 regions at most",
                    ));
                }
                let image = Image::new(condition, sequence.as_ref().map(|s| s.seen(view)));
                // Material, and much else, looks alike from the other side.
                if !images.iter().any(|other: &Image| other.is_same(&image)) {
                    images.push(image);
                }
            }
        }
        Ok(Some(Pattern { images, lasting: text.lasting.unwrap_or(1).max(1) }))
    }
}

/// How a question is turned around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// Left and right exchanged.
    pub(crate) mirror: bool,
    /// The board turned by 180 degrees and the colours exchanged.
    pub(crate) swap: bool,
}

impl View {
    /// Where a point lies then; the same way leads back.
    pub(crate) fn square(self, square: crate::board::Square) -> crate::board::Square {
        let square = if self.swap { square.rotated() } else { square };
        if self.mirror { square.mirrored() } else { square }
    }

    /// Which colour it is then.
    pub(crate) fn color(self, color: crate::board::Color) -> crate::board::Color {
        if self.swap { color.other() } else { color }
    }
}
