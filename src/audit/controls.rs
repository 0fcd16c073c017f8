//! Controls (时限, articles 4.1.4 and 22): whether each was met, by ply, and
//! what the arbiter has to decide about it.

use super::clock::{ClockReport, ControlReport, Kept, Reading, SideClock, shown};
use super::line::Line;
use super::plan::SidePlan;
use super::point::{Point, Weight};
use crate::board::{Color, Status};

/// Goes through the controls of a side.
pub(super) fn controls(
    plan: &SidePlan,
    clock: &SideClock,
    made: u32,
    line: &Line,
    side: Color,
) -> Vec<ControlReport> {
    // Seconds used beyond what the increments gave.
    let net = |reading: &Reading| {
        let gained = plan.increments(reading.made.saturating_sub(u32::from(!reading.thinking)));
        reading.used.map(|used| i64::from(used) - i64::from(gained))
    };
    let mut found = Vec::new();
    let (mut base, mut allowed) = (0u32, 0u32);
    let repeats = plan.then.is_some();
    for (number, control) in plan.all() {
        allowed = allowed.saturating_add(control.seconds);
        let limit = i64::from(allowed);
        let over =
            |reading: &&Reading| net(reading).is_some_and(|used| used > limit) || reading.flag;
        let Some(moves) = control.moves else {
            // Open: it ends with the game, or when its time is used up.
            let late = clock.readings.iter().find(over);
            let kept = match late {
                Some(reading) if !repeats => {
                    Kept::Overstepped(reading.ply, reading.used.unwrap_or(0), reading.made)
                }
                Some(reading) => Kept::Met(reading.ply, allowed),
                None => Kept::Running,
            };
            let at = late.or(clock.readings.last()).map_or(0, |reading| reading.made);
            let extra = plan.increments(at.saturating_sub(1));
            found.push(ControlReport { number, need: None, allowed: allowed + extra, kept });
            if late.is_none() || !repeats {
                break;
            }
            // The next control asks its moves from the last one made in time.
            let in_time = clock.readings.iter().rev().find(|reading| !over(reading));
            base = in_time.map_or(0, |reading| reading.made);
            continue;
        };
        let need = base.saturating_add(moves);
        base = need;
        let before = clock.readings.iter().find(|r| r.made < need && over(r));
        let exact = clock.readings.iter().find(|r| r.made == need && !r.thinking);
        let after = clock.readings.iter().find(|r| r.made >= need && r.used.is_some());
        let step = |reading: &Reading| {
            Kept::Overstepped(reading.ply, reading.used.unwrap_or(0), reading.made)
        };
        let kept = match (before, exact, after) {
            (Some(reading), ..) => step(reading),
            (None, Some(reading), _) if over(&reading) => step(reading),
            (None, _, Some(reading)) if !over(&reading) => {
                Kept::Met(ply_of_move(line, side, need), reading.used.unwrap_or(0))
            }
            _ if made >= need => Kept::Unknown,
            _ => Kept::Running,
        };
        let allowed = allowed + plan.increments(need.saturating_sub(1));
        found.push(ControlReport { number, need: Some(need), allowed, kept });
        if made < need || matches!(kept, Kept::Overstepped(..)) {
            break;
        }
    }
    found
}

/// The ply of a side's move by its number.
fn ply_of_move(line: &Line, side: Color, number: u32) -> u32 {
    let own = (1..).zip(&line.plies).filter(|(_, half)| half.side() == side);
    own.map(|(ply, _)| ply).nth(number.saturating_sub(1) as usize).unwrap_or(line.len())
}

/// Fills in what is left in the control at each reading.
pub(super) fn fill_left(plan: &SidePlan, readings: &mut [Reading]) {
    for reading in readings {
        let (Some(used), None) = (reading.used, reading.left) else { continue };
        let (mut moves, mut allowed) = (0u32, 0u32);
        for (_, control) in plan.all() {
            moves = moves.saturating_add(control.moves.unwrap_or(u32::MAX));
            allowed = allowed.saturating_add(control.seconds);
            let open_over = control.moves.is_none() && plan.then.is_some() && used > allowed;
            if moves > reading.made && !open_over {
                break;
            }
            if open_over {
                moves = reading.made;
            }
        }
        let all = allowed.saturating_add(plan.increments(reading.made));
        reading.left = Some(all.saturating_sub(used));
    }
}

/// What the arbiter has to decide about the clocks.
pub(super) fn points(report: &ClockReport, line: &Line) -> Vec<Point> {
    let mut points = Vec::new();
    for side in Color::ALL {
        let clock = &report.sides[side.index()];
        if let Some(first) = clock.disorder.first() {
            points.push(
                Point::new("clock-disorder", "10.1", Weight::Look)
                    .side(side)
                    .param("count", clock.disorder.len())
                    .param("text", first),
            );
        }
        for control in &clock.controls {
            match control.kept {
                Kept::Overstepped(ply, used, made) => {
                    points.push(overstepped(side, control, (ply, used, made), line));
                }
                Kept::Unknown => {
                    points.push(
                        Point::new("clock-open", "22.1", Weight::Look)
                            .side(side)
                            .param("need", control.need.unwrap_or(0))
                            .param("allowed", shown(control.allowed)),
                    );
                }
                Kept::Met(..) | Kept::Running => {}
            }
        }
    }
    points
}

fn overstepped(
    side: Color,
    control: &ControlReport,
    (ply, used, made): (u32, u32, u32),
    line: &Line,
) -> Point {
    let last = control.need == Some(made);
    let over = ends_game(line, side, ply);
    let article = if last || over { "22.5" } else { "4.1.4" };
    let weight = if over { Weight::Note } else { Weight::Decide };
    let mut point = Point::new("clock-overstepped", article, weight)
        .side(side)
        .ply(ply)
        .param("used", shown(used))
        .param("allowed", shown(control.allowed))
        .param("made", made);
    if let Some(need) = control.need {
        point = point.param("need", need);
    }
    match (over, last) {
        (true, _) => point.case("game-over"),
        (_, true) => point.case("last-move"),
        _ => point,
    }
}

/// Whether the reading is at a move of the side that mated or stalemated
/// (article 22.5).
pub(super) fn ends_game(line: &Line, side: Color, ply: u32) -> bool {
    let last = line.last();
    let over = matches!(last.end_of_play(), Status::Checkmate | Status::Stalemate);
    ply == line.len() && last.side() != side && over
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::clock::Reading;
    use crate::audit::plan::Plan;

    /// Red's readings by move and seconds, on a line of so many plies.
    fn red(plan: &str, plies: usize, readings: &[(u32, u32)]) -> Vec<(Option<u32>, Kept)> {
        let line = shuffle(plies);
        let readings = readings.iter().map(|(made, used)| Reading {
            made: *made,
            ply: 2 * made - 1,
            used: Some(*used),
            left: None,
            thinking: false,
            flag: false,
        });
        let clock = SideClock { readings: readings.collect(), ..SideClock::default() };
        let plan = Plan::by_name(plan).unwrap();
        let made = line.made(Color::Red, line.len());
        let found = controls(plan.of(Color::Red), &clock, made, &line, Color::Red);
        found.into_iter().map(|control| (control.need, control.kept)).collect()
    }

    /// Chariots that go to and fro.
    fn shuffle(plies: usize) -> Line {
        let mut position = crate::board::Position::start();
        let start = position.clone();
        let round = ["i0i1", "i9i8", "i1i0", "i8i9"];
        let mut half = Vec::new();
        for mv in round.iter().cycle().take(plies) {
            let mv = mv.parse().unwrap();
            half.push(super::super::line::Ply {
                before: position.clone(),
                mv: Some(mv),
                assumed: None,
            });
            position.make(mv);
        }
        Line { start, plies: half }
    }

    #[test]
    fn controls_are_met_or_overstepped_at_a_ply() {
        // 6.3: 40 moves in 10 minutes, then 30 in every 5.
        let met = Kept::Met(79, 590);
        assert_eq!(red("6.3", 90, &[(40, 590)]), [(Some(40), met), (Some(70), Kept::Running)]);
        let late = Kept::Overstepped(77, 601, 39);
        assert_eq!(red("6.3", 90, &[(38, 590), (39, 601)]), [(Some(40), late)]);
        // 22.5: the fortieth move was made, but too late.
        let last = Kept::Overstepped(79, 601, 40);
        assert_eq!(red("6.3", 90, &[(39, 590), (40, 601)]), [(Some(40), last)]);
        // A reading after the control that is too high tells nothing of it,
        // one that is low enough does.
        assert_eq!(red("6.3", 90, &[(45, 620)])[0], (Some(40), Kept::Unknown));
        assert_eq!(red("6.3", 90, &[(45, 599)])[0], (Some(40), Kept::Met(79, 599)));
        assert_eq!(red("6.3", 60, &[(30, 500)]), [(Some(40), Kept::Running)]);
    }

    #[test]
    fn increments_and_open_controls() {
        // 80 minutes and 30 seconds a move: 4800 + 9 * 30 after ten moves.
        assert_eq!(red("2007-odds", 20, &[(10, 5070)]), [(None, Kept::Running)]);
        let late = Kept::Overstepped(19, 5071, 10);
        assert_eq!(red("2007-odds", 20, &[(10, 5071)]), [(None, late)]);
        // Asian: 60 minutes, then 10 moves in every 15, from the move at which
        // they were used up.
        let found = red("asian-60", 60, &[(20, 3590), (21, 3610), (30, 4490)]);
        assert_eq!(found[1], (Some(30), Kept::Met(59, 4490)));
        let found = red("asian-60", 60, &[(20, 3590), (21, 3610), (29, 4501)]);
        assert_eq!(found[1], (Some(30), Kept::Overstepped(57, 4501, 29)));
    }

    #[test]
    fn what_is_left_in_the_control() {
        let plan = Plan::by_name("6.3").unwrap();
        let mut readings = [(39, 500), (40, 500)].map(|(made, used)| Reading {
            made,
            ply: 2 * made - 1,
            used: Some(used),
            left: None,
            thinking: false,
            flag: false,
        });
        fill_left(plan.of(Color::Red), &mut readings);
        assert_eq!(readings.map(|r| r.left), [Some(100), Some(400)]);
    }
}
