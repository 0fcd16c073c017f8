//! How a game ends: repetition (棋例) under four rule sets, and the rest of
//! article 4.
//!
//! [`judge`] finds the loop in a line of moves, says what each move of it is
//! and why, and rules on it. `docs/rules.md` maps every article to its place
//! in the code and lists what the texts leave open.

mod asian;
mod captures;
mod chinese;
mod cycle;
mod idle;
mod judge;
mod judgement;
mod mate;
mod material;
mod means;
mod natural;
mod outcome;
mod rule_set;
mod ruling;

pub use cycle::stands_thrice;
pub use judge::{judge, judge_all, rule_on_loops};
pub use judgement::{
    Chased, Conduct, Cycle, Exemption, How, IdleKind, Judgement, LoopRuling, Means, MoveClass,
    OpenPoint, PlyJudgement, Root, Verdict, Why,
};
pub use natural::{COUNTED_CHECKS, NaturalCount, NaturalCounter, natural_count};
pub use outcome::{End, end_of_game};
pub use rule_set::{RuleSet, UnknownRuleSet};
