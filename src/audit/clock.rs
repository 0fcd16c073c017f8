//! Clocks (棋钟, articles 6 and 22): the times on a sheet, and whether each
//! control was met, by ply.

use std::str::FromStr;

use super::controls::{controls, fill_left};
use super::line::Line;
use super::plan::{Plan, SidePlan};
use crate::board::Color;
use crate::game::Game;

/// Below so many seconds a side need not record (article 7.2).
pub(super) const SHORT: u32 = 180;

/// What a column of times tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reads {
    /// Time used since the start of the game.
    Used,
    /// Time left on the clock.
    Left,
    /// Time used for each move.
    Each,
}

impl Reads {
    /// `used`, `left` or `each`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Reads::Used => "used",
            Reads::Left => "left",
            Reads::Each => "each",
        }
    }
}

/// The text is not a way to read times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a column of times tells what is `used`, `left`, or used for `each` move")]
pub struct ParseReadsError;

impl FromStr for Reads {
    type Err = ParseReadsError;

    fn from_str(text: &str) -> Result<Reads, ParseReadsError> {
        [Reads::Used, Reads::Left, Reads::Each]
            .into_iter()
            .find(|reads| reads.name() == text)
            .ok_or(ParseReadsError)
    }
}

/// A clock reading of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Moves the side had made.
    pub made: u32,
    /// The ply of the last of them.
    pub ply: u32,
    /// Seconds used in all, where they can be told.
    pub used: Option<u32>,
    /// Seconds left in the control, where the clock shows or the plan tells
    /// them.
    pub left: Option<u32>,
    /// Whether the side was already thinking about its next move.
    pub(super) thinking: bool,
    /// Whether the clock shows that nothing is left.
    pub(super) flag: bool,
}

/// How a control went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Its last move was made in time, at this ply; seconds used by a reading
    /// there or later.
    Met(u32, u32),
    /// Overstepped: ply of the reading, seconds used, moves made.
    Overstepped(u32, u32, u32),
    /// The game ended within it.
    Running,
    /// The readings do not tell.
    Unknown,
}

impl Kept {
    /// `met`, `overstepped`, `running` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kept::Met(..) => "met",
            Kept::Overstepped(..) => "overstepped",
            Kept::Running => "running",
            Kept::Unknown => "unknown",
        }
    }
}

/// One control of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlReport {
    /// Its number, from 1.
    pub number: u32,
    /// The move with which it is met; `None` where there is none.
    pub need: Option<u32>,
    /// Seconds that may have been used until then.
    pub allowed: u32,
    /// How it went.
    pub kept: Kept,
}

/// The clock of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    /// What the times on the sheet tell; `None` where there are none.
    pub reads: Option<Reads>,
    /// The readings in order.
    pub readings: Vec<Reading>,
    /// Readings that contradict those before them, as written.
    pub disorder: Vec<String>,
    /// The controls that were begun; empty without a plan.
    pub controls: Vec<ControlReport>,
}

impl SideClock {
    /// Seconds used at the end, where they can be told.
    #[must_use]
    pub fn used(&self) -> Option<u32> {
        self.readings.last().and_then(|reading| reading.used)
    }

    /// Where it overstepped: the control, the ply, seconds used, moves made.
    #[must_use]
    pub fn overstepped(&self) -> Option<(ControlReport, u32, u32, u32)> {
        self.controls.iter().find_map(|control| match control.kept {
            Kept::Overstepped(ply, used, made) => Some((*control, ply, used, made)),
            _ => None,
        })
    }

    /// The last reading at or before a ply.
    #[must_use]
    pub fn at(&self, ply: u32) -> Option<&Reading> {
        self.readings.iter().rev().find(|reading| reading.ply <= ply)
    }

    /// Seconds left around a run of plies: by the last reading before it, or
    /// the first after its beginning.
    #[must_use]
    pub fn left_around(&self, ply: u32) -> Option<u32> {
        let before = self.readings.iter().rev().find(|r| r.ply < ply && r.left.is_some());
        before.or_else(|| self.readings.iter().find(|r| r.left.is_some())).and_then(|r| r.left)
    }
}

/// What is known of both clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockReport {
    /// The plan, where one was named.
    pub plan: Option<Plan>,
    /// Red's clock, then Black's.
    pub sides: [SideClock; 2],
}

impl ClockReport {
    /// Whether anything is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plan.is_none() && self.sides.iter().all(|side| side.readings.is_empty())
    }
}

/// What is said about the times beside the sheet.
#[derive(Clone, Debug, Default)]
pub struct ClockOptions {
    /// The plan.
    pub plan: Option<Plan>,
    /// Seconds used by Red and by Black at the end, from the arbiter's clock.
    pub used: [Option<u32>; 2],
    /// What the column of times tells, where the sheet does not show it.
    pub reads: Option<Reads>,
    /// Whether times in two parts are hours and minutes.
    pub hours: bool,
}

/// Goes through the times of a game.
#[must_use]
pub(super) fn clocks(game: &Game, line: &Line, options: &ClockOptions) -> ClockReport {
    let written = written(game);
    let mut report = ClockReport { plan: options.plan.clone(), ..ClockReport::default() };
    for side in Color::ALL {
        let own: Vec<&(u32, Written)> = written
            .iter()
            .filter(|(ply, _)| line.ply(*ply).is_some_and(|half| half.side() == side))
            .collect();
        let plan = options.plan.as_ref().map(|plan| plan.of(side));
        let clock = &mut report.sides[side.index()];
        read(&own, side, line, options, plan, clock);
        if let Some(used) = options.used[side.index()] {
            let thinking = line.last().side() == side;
            let made = line.made(side, line.len());
            let ply = line.len();
            clock.readings.retain(|reading| reading.used.is_none_or(|known| known <= used));
            let used = Some(used);
            clock.readings.push(Reading { made, ply, used, left: None, thinking, flag: false });
        }
        if let Some(plan) = plan {
            clock.controls = controls(plan, clock, line.made(side, line.len()), line, side);
            fill_left(plan, &mut clock.readings);
        }
    }
    report
}

/// A time as written.
#[derive(Clone, Debug)]
struct Written {
    text: String,
    reads: Option<Reads>,
}

/// The times of the main line by ply: those of a column, and those that PGN
/// has in comments (`[%clk 1:00:00]`, `[%emt 0:00:30]`).
fn written(game: &Game) -> Vec<(u32, Written)> {
    let tree = &game.tree;
    let plies: rustc_hash::FxHashMap<usize, u32> =
        (1..).zip(tree.main_line()).map(|(ply, node)| (node.index(), ply)).collect();
    let last = plies.len() as u32;
    let mut found: Vec<(u32, Written)> = Vec::new();
    for clock in &tree.clocks {
        let Some(ply) = plies.get(&clock.node.index()).copied() else { continue };
        let known = found.iter().filter(|(known, _)| *known == ply).count();
        // Behind the last move that was played hang the times of all that
        // were not.
        if known >= 2 || ply == last && !game.unplayed.is_empty() && known >= 1 {
            continue;
        }
        let mut written = Written { text: clock.text.clone(), reads: tagged(&clock.text) };
        if known == 1 {
            // Two times beside a move: for the move, and in all.
            written.reads = Some(Reads::Used);
            if let Some(before) = found.iter_mut().rev().find(|(known, _)| *known == ply) {
                *before = (ply, written);
            }
            continue;
        }
        found.push((ply, written));
    }
    for comment in &tree.comments {
        let Some(ply) = plies.get(&comment.node.index()).copied() else { continue };
        for tag in ["[%clk", "[%emt"] {
            let Some((_, rest)) = comment.text.split_once(tag) else { continue };
            let Some((value, _)) = rest.split_once(']') else { continue };
            found.retain(|(known, _)| *known != ply);
            found.push((ply, Written { text: value.trim().to_owned(), reads: tagged(tag) }));
            break;
        }
    }
    found.sort_by_key(|(ply, _)| *ply);
    found
}

fn tagged(text: &str) -> Option<Reads> {
    if text.contains("%clk") {
        Some(Reads::Left)
    } else if text.contains("%emt") {
        Some(Reads::Each)
    } else {
        None
    }
}

/// The seconds of `1:02:31`, of `2:31`, or of `1:02` where two parts are hours
/// and minutes. `None` where the text is no time.
#[must_use]
pub fn seconds(text: &str, hours: bool) -> Option<u32> {
    let digits = |c: char| c.is_ascii_digit() || matches!(c, ':' | '：');
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let text = text.get(start..)?;
    let end = text.find(|c| !digits(c)).unwrap_or(text.len());
    let parts: Vec<u32> =
        text.get(..end)?.split([':', '：']).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let (h, m, s) = match parts[..] {
        [h, m, s] => (h, m, s),
        [h, m] if hours => (h, m, 0),
        [m, s] => (0, m, s),
        _ => return None,
    };
    h.checked_mul(3600)?.checked_add(m.checked_mul(60)?)?.checked_add(s)
}

/// `1:02:31`.
#[must_use]
pub fn shown(seconds: u32) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Reads the times of one side.
fn read(
    own: &[&(u32, Written)],
    side: Color,
    line: &Line,
    options: &ClockOptions,
    plan: Option<&SidePlan>,
    clock: &mut SideClock,
) {
    let times: Vec<(u32, u32, &Written)> = own
        .iter()
        .filter_map(|(ply, written)| Some((*ply, seconds(&written.text, options.hours)?, written)))
        .collect();
    let Some((_, _, head)) = times.first() else { return };
    let falls = times.windows(2).filter(|pair| pair[1].1 < pair[0].1).count();
    let rises = times.windows(2).filter(|pair| pair[1].1 > pair[0].1).count();
    let guessed = if falls == 0 {
        Reads::Used
    } else if rises * 4 <= falls {
        Reads::Left
    } else {
        Reads::Each
    };
    let reads = options.reads.or(head.reads).unwrap_or(guessed);
    clock.reads = Some(reads);
    let mut controls = plan.into_iter().flat_map(SidePlan::all).peekable();
    let increment = plan.map_or(0, |plan| plan.increment);
    let mut target = 0;
    let mut shown_left = match (controls.next(), reads) {
        (Some((_, control)), Reads::Left) => {
            target = control.moves.unwrap_or(u32::MAX);
            Some(control.seconds)
        }
        _ => None,
    };
    let (mut used, mut known_before) = (0u32, 0u32);
    for (ply, value, written) in times {
        let made = line.made(side, ply);
        let mut reading =
            Reading { made, ply, used: None, left: None, thinking: false, flag: false };
        match reads {
            Reads::Used if value < used => {
                clock.disorder.push(written.text.clone());
                continue;
            }
            Reads::Used => {
                used = value;
                reading.used = Some(used);
            }
            Reads::Each => {
                // A time that is missing leaves the sum unknown from there.
                let all = made == known_before + 1;
                known_before = if all { made } else { u32::MAX - 1 };
                used = used.saturating_add(value);
                reading.used = all.then_some(used);
            }
            Reads::Left => {
                reading.left = Some(value);
                reading.flag = value == 0;
                if let Some(before) = shown_left {
                    let gained = increment.saturating_mul(made - known_before.min(made));
                    let mut had = before.saturating_add(gained);
                    while had < value && made >= target {
                        let Some((_, control)) = controls.next() else { break };
                        had = had.saturating_add(control.seconds);
                        target =
                            control.moves.map_or(u32::MAX, |moves| target.saturating_add(moves));
                    }
                    if had < value {
                        clock.disorder.push(written.text.clone());
                        continue;
                    }
                    used = used.saturating_add(had - value);
                    reading.used = Some(used);
                    shown_left = Some(value);
                    known_before = made;
                }
            }
        }
        clock.readings.push(reading);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(seconds("0:02:31", false), Some(151));
        assert_eq!(seconds("2:31", false), Some(151));
        assert_eq!(seconds("1:02", true), Some(3720));
        assert_eq!(seconds("[%clk 1:00:00]", false), Some(3600));
        assert_eq!(seconds("用时", false), None);
        assert_eq!(seconds("99999999:0:0", false), None);
        assert_eq!(shown(5402), "1:30:02");
    }
}
