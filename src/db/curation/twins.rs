//! Twins: records that may be of one game.
//!
//! *Exact*: the same moves and people, whatever the notation or script.
//! *Contained*: the line of one begins the line of the other. *Near*: a few
//! half-moves or one header differ. *Same moves*: other people or another
//! date; that is told, but such games are never put together.

use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;
use serde::Serialize;

use crate::board::Move;
use crate::db::error::Result;
use crate::db::fold::folded;
use crate::db::index::GameId;
use crate::db::lines::LineReader;

/// How two records agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TwinKind {
    /// The same moves, the same people.
    Exact,
    /// One line begins the other.
    Contained,
    /// A few half-moves or one header differ.
    Near,
    /// The same moves, other people or another date: another game.
    SameMoves,
}

impl TwinKind {
    /// `exact`, `contained`, `near` or `same-moves`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TwinKind::Exact => "exact",
            TwinKind::Contained => "contained",
            TwinKind::Near => "near",
            TwinKind::SameMoves => "same-moves",
        }
    }
}

/// Two records that may be of one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Twin {
    /// How they agree.
    pub kind: TwinKind,
    /// The better one: the longer line, else the one that says more.
    pub keep: GameId,
    /// The other one.
    pub other: GameId,
    /// Half-moves of both.
    pub plies: (u32, u32),
    /// Half-moves that differ, a longer line's rest left out.
    pub differ: u32,
    /// Headers that differ: `red`, `black`, `date`, `event`, `round`,
    /// `result`.
    pub headers: Vec<&'static str>,
}

/// Shorter lines are openings rather than games.
const SHORTEST: u32 = 4;
/// From here on moves alone tell a game; shorter lines must agree in event and
/// round, too.
const LONG: u32 = 20;
/// Lines of fewer half-moves with other people are no news.
const SAME_MOVES_FROM: u32 = 10;
/// Half-moves that may differ in near twins.
const FEW: usize = 4;
/// Games of two people that are compared each with each.
const MOST_GAMES: usize = 500;

struct Game {
    id: GameId,
    hash: i64,
    plies: u32,
    red: u32,
    black: u32,
    event: u32,
    date: String,
    round: String,
    result: String,
    fields: u32,
    errors: u32,
}

/// Numbers for texts, 0 for none.
#[derive(Default)]
struct Numbers(HashMap<String, u32>);

impl Numbers {
    fn of(&mut self, text: Option<String>) -> u32 {
        let Some(key) = text.map(|text| folded(&text)).filter(|key| !key.is_empty()) else {
            return 0;
        };
        let next = self.0.len() as u32 + 1;
        *self.0.entry(key).or_insert(next)
    }
}

/// All twins of the games that count; exact ones first.
pub(crate) fn twins(connection: &Connection) -> Result<Vec<Twin>> {
    let games = read(connection)?;
    let mut twins: BTreeMap<(GameId, GameId), Twin> = BTreeMap::new();
    let mut by_hash: HashMap<i64, Vec<usize>> = HashMap::new();
    let mut by_people: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (at, game) in games.iter().enumerate() {
        if game.plies > 0 {
            by_hash.entry(game.hash).or_default().push(at);
        }
        if game.red != 0 && game.black != 0 && game.plies >= SHORTEST {
            by_people.entry((game.red, game.black)).or_default().push(at);
        }
    }
    let mut put = |twin: Twin| {
        twins.entry((twin.keep.min(twin.other), twin.keep.max(twin.other))).or_insert(twin);
    };
    for group in by_hash.values().filter(|group| group.len() > 1) {
        same_lines(&games, group, &mut put);
    }
    let mut lines = LineReader::new(connection)?;
    for group in by_people.values().filter(|group| (2..=MOST_GAMES).contains(&group.len())) {
        like_lines(&games, group, &mut lines, &mut put)?;
    }
    let mut twins: Vec<Twin> = twins.into_values().collect();
    twins.sort_by_key(|twin| (twin.kind, twin.keep, twin.other));
    Ok(twins)
}

fn read(connection: &Connection) -> Result<Vec<Game>> {
    let mut select = connection.prepare(
        "SELECT game.id, content_hash, plies, red.person, black.person, competition, date, round,
             result, (game.event_id IS NOT NULL) + (site_id IS NOT NULL) + (round IS NOT NULL)
             + (title IS NOT NULL) + (annotator IS NOT NULL) + ifnull(length(date), 0), errors
         FROM game
         LEFT JOIN person AS red ON red.player_id = red_id
         LEFT JOIN person AS black ON black.player_id = black_id
         LEFT JOIN competition ON competition.event_id = game.event_id
         WHERE duplicate_of IS NULL ORDER BY game.id",
    )?;
    let mut rows = select.query([])?;
    let (mut people, mut events) = (Numbers::default(), Numbers::default());
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        games.push(Game {
            id: row.get(0)?,
            hash: row.get(1)?,
            plies: row.get(2)?,
            red: people.of(row.get(3)?),
            black: people.of(row.get(4)?),
            event: events.of(row.get(5)?),
            date: row.get::<_, Option<String>>(6)?.unwrap_or_default(),
            round: row.get::<_, Option<String>>(7)?.unwrap_or_default(),
            result: row.get(8)?,
            fields: row.get(9)?,
            errors: row.get(10)?,
        });
    }
    Ok(games)
}

/// Whether one text says no more than the other begins with.
fn agree(a: &str, b: &str) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// Headers that contradict each other.
fn contradictions(a: &Game, b: &Game) -> Vec<&'static str> {
    let names = |a: u32, b: u32| a != 0 && b != 0 && a != b;
    let texts = |a: &str, b: &str| !a.is_empty() && !b.is_empty() && a != b;
    [
        ("red", names(a.red, b.red)),
        ("black", names(a.black, b.black)),
        ("date", !agree(&a.date, &b.date)),
        ("event", names(a.event, b.event)),
        ("round", texts(&a.round, &b.round)),
        ("result", a.result != "*" && b.result != "*" && a.result != b.result),
    ]
    .into_iter()
    .filter_map(|(name, differs)| differs.then_some(name))
    .collect()
}

fn twin(kind: TwinKind, a: &Game, b: &Game, differ: u32, headers: Vec<&'static str>) -> Twin {
    let worth = |game: &Game| {
        let known = game.result != "*";
        (game.plies, known, game.fields, std::cmp::Reverse(game.errors), std::cmp::Reverse(game.id))
    };
    let (keep, other) = if worth(a) >= worth(b) { (a, b) } else { (b, a) };
    Twin { kind, keep: keep.id, other: other.id, plies: (keep.plies, other.plies), differ, headers }
}

/// Games with the same start and moves.
fn same_lines(games: &[Game], group: &[usize], put: &mut dyn FnMut(Twin)) {
    // Each against the first of its people, so that n games give n - 1 pairs.
    let mut heads: Vec<&Game> = Vec::new();
    for game in group.iter().filter_map(|at| games.get(*at)) {
        let mut placed = false;
        for head in &heads {
            let headers = contradictions(head, game);
            let people = headers.iter().filter(|name| ["red", "black"].contains(name)).count();
            let place = headers.contains(&"event") || headers.contains(&"round");
            let kind = if people == 0 && !headers.contains(&"date") {
                if game.plies < LONG && place {
                    continue;
                }
                TwinKind::Exact
            } else if game.plies >= LONG && people + usize::from(headers.contains(&"date")) == 1 {
                TwinKind::Near
            } else if game.plies >= SAME_MOVES_FROM {
                TwinKind::SameMoves
            } else {
                continue;
            };
            placed |= kind == TwinKind::Exact;
            put(twin(kind, head, game, 0, headers));
            break;
        }
        if !placed {
            heads.push(game);
        }
    }
}

/// Games of the same people with like lines.
fn like_lines(
    games: &[Game],
    group: &[usize],
    lines: &mut LineReader<'_>,
    put: &mut dyn FnMut(Twin),
) -> Result<()> {
    let mut read: Vec<(&Game, Vec<Option<Move>>, String)> = Vec::with_capacity(group.len());
    for game in group.iter().filter_map(|at| games.get(*at)) {
        if let Some(stored) = lines.counted(game.id)? {
            let start = stored.start.fen_board();
            read.push((game, stored.line()?, start));
        }
    }
    for (i, (a, line, start)) in read.iter().enumerate() {
        for (b, other, its_start) in read.get(i + 1..).unwrap_or_default() {
            if a.hash == b.hash || start != its_start || !agree(&a.date, &b.date) {
                continue;
            }
            let headers = contradictions(a, b);
            let place = headers.contains(&"event") || headers.contains(&"round");
            let shorter = line.len().min(other.len());
            let common = line.iter().zip(other).take_while(|(a, b)| a == b).count();
            if common == shorter {
                if !place || shorter as u32 >= LONG {
                    put(twin(TwinKind::Contained, a, b, 0, headers));
                }
            } else if shorter as u32 >= LONG
                && line.len().abs_diff(other.len()) <= FEW
                && let Some(differ) = distance(line, other)
            {
                put(twin(TwinKind::Near, a, b, differ as u32, headers));
            }
        }
    }
    Ok(())
}

/// Half-moves to change, leave out or put in between two lines, when these are
/// few.
fn distance(a: &[Option<Move>], b: &[Option<Move>]) -> Option<usize> {
    // Only a band about the diagonal can stay that low.
    const WIDTH: usize = 2 * FEW + 1;
    let far = FEW + 1;
    let mut row = [far; WIDTH];
    for (k, cell) in row.iter_mut().enumerate().skip(FEW) {
        *cell = (k - FEW).min(far);
    }
    for (i, mine) in a.iter().enumerate() {
        let mut next = [far; WIDTH];
        for k in 0..WIDTH {
            // Column j = i + 1 + k - FEW of row i + 1.
            let Some(j) = (i + 1 + k).checked_sub(FEW) else { continue };
            let mut best = far;
            if j > 0 && j <= b.len() {
                let same = b.get(j - 1) == Some(mine);
                best = best.min(row[k] + usize::from(!same));
            }
            if j == 0 {
                best = best.min(i + 1);
            }
            if k + 1 < WIDTH {
                best = best.min(row[k + 1] + 1);
            }
            if k > 0 && j <= b.len() {
                best = best.min(next[k - 1] + 1);
            }
            if j <= b.len() {
                next[k] = best.min(far);
            }
        }
        row = next;
        if row.iter().all(|cell| *cell >= far) {
            return None;
        }
    }
    let last = (b.len() + FEW).checked_sub(a.len())?;
    row.get(last).copied().filter(|distance| *distance <= FEW)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(numbers: &[u16]) -> Vec<Option<Move>> {
        numbers.iter().map(|number| Move::from_u16(*number)).collect()
    }

    /// The textbook way.
    fn plain(a: &[Option<Move>], b: &[Option<Move>]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, mine) in a.iter().enumerate() {
            let mut next = vec![i + 1];
            for (j, its) in b.iter().enumerate() {
                let change = row[j] + usize::from(mine != its);
                next.push(change.min(row[j + 1] + 1).min(next[j] + 1));
            }
            row = next;
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn the_band_finds_every_small_distance(
            a in prop::collection::vec(0u16..3, 0..12), b in prop::collection::vec(0u16..3, 0..12),
        ) {
            let (a, b) = (line(&a), line(&b));
            let full = plain(&a, &b);
            prop_assert_eq!(distance(&a, &b), (full <= FEW).then_some(full));
        }
    }
}
