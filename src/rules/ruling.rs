//! What the rules of either kind answer to a classified loop.

use super::judgement::{Conduct, OpenPoint, Verdict};

/// A ruling with the final loss for the offender; at the third time it is
/// softened to a demand to change.
pub(crate) struct Ruling {
    pub red: Conduct,
    pub black: Conduct,
    pub verdict: Verdict,
    pub article: &'static str,
    pub open: Option<OpenPoint>,
}
