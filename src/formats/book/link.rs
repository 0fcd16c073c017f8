//! Tells the positions of a book from its keys alone.
//!
//! A key is a sum, bit by bit without carry (XOR), of one random number for
//! each piece on its square and one for the side to move (Zobrist 1970). The
//! numbers are not known. But the same move changes every key by the same
//! number, its *difference*: whenever a piece goes from one square to another,
//! the numbers of that piece on both squares and that of the side are added.
//! So a difference shows by leading from a key of the book to a key of the book
//! again and again, which numbers of 64 bits do not do by chance. The start
//! position is the one with the most moves that are legal first moves; from
//! there each difference that is found tells the boards behind it. A key only
//! gets a board on which all its moves are legal.
//!
//! Several steps of other pieces, added together, also lead from keys to keys.
//! They are told apart by legality, and by that the move alone leads to a key
//! at least as often, wherever it is played; where one is not clearly ahead,
//! none is believed.

use rustc_hash::FxHashMap;

use super::numbers::{Kind, Numbers};
use crate::board::{Move, Position, PositionKey};

/// The rows of one key.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The key.
    pub(super) key: u64,
    /// The moves of its rows that name squares.
    pub(super) moves: Vec<Move>,
}

/// Keys that are looked at before the search for differences ends.
const WORK: u64 = 1 << 30;
/// Places of a move that take part in a vote.
const VOTERS: usize = 64;
/// Places with a board, and as many without, from which candidates are sought.
const FROM: usize = 4;
/// Other places with which each of these is paired.
const PAIRS: usize = 8;
/// Candidates that are weighed in one vote.
const CANDIDATES: usize = 1 << 14;
/// Votes that a difference needs.
const VOTES: usize = 4;
/// Votes that it needs more than any other.
const AHEAD: usize = 2;
/// Searches for the same difference, as more of its places become known.
const TRIES: u8 = 4;
/// Fewer boards are no proof that the start position was recognised, nor are
/// boards for less than one key in so many: a book that begins elsewhere.
const FEWEST: usize = 8;
const SHARE: usize = 3;
/// Keys that are tried as the start position.
const STARTS: usize = 3;

/// The boards of the groups, as far as they can be told.
#[derive(Debug, Default)]
pub(super) struct Boards {
    /// The position of a group.
    pub(super) of: Vec<Option<Box<Position>>>,
    /// The group of a position.
    pub(super) group: FxHashMap<PositionKey, usize>,
    /// Whether the search ended before its work was done.
    pub(super) over: bool,
}

impl Boards {
    /// The group of the position after a move.
    pub(super) fn after(&self, position: &Position, mv: Move) -> Option<usize> {
        let mut after = position.clone();
        after.play(mv).ok()?;
        self.group.get(&after.key()).copied()
    }
}

/// Tells the boards of groups with different keys.
pub(super) fn boards(groups: &[Group]) -> Boards {
    let start = Position::start();
    let mut starts: Vec<usize> = (0..groups.len()).filter(|at| fits(groups, *at, &start)).collect();
    starts.sort_by_key(|at| std::cmp::Reverse(groups.get(*at).map_or(0, |g| g.moves.len())));
    let mut best = Boards::default();
    let mut work = WORK;
    for root in starts.into_iter().take(STARTS) {
        let mut solver = Solver::new(groups, work);
        solver.place(root, start.clone());
        solver.run();
        work = solver.work;
        if solver.boards.group.len() > best.group.len() {
            best = solver.boards;
        }
        // A wrong start does not explain half of a book.
        if best.group.len() * 2 > groups.len() || work == 0 {
            break;
        }
    }
    if best.group.len() < FEWEST || best.group.len() * SHARE < groups.len() {
        best = Boards::default();
    }
    best.over = work == 0;
    best
}

/// Whether a group has moves and all of them are legal.
fn fits(groups: &[Group], at: usize, position: &Position) -> bool {
    groups.get(at).is_some_and(|group| {
        !group.moves.is_empty() && group.moves.iter().all(|mv| position.is_legal(*mv))
    })
}

#[derive(Debug, Default)]
struct Known {
    /// Groups with a board and this move.
    places: Vec<usize>,
    difference: Option<u64>,
    tries: u8,
    /// Places at the last search.
    seen: usize,
}

/// The word and the bit of a key in a filter of 2^n words.
fn place_in(filter: &[u64], key: u64) -> (usize, u64) {
    ((key >> 32) as usize & (filter.len() - 1), 1 << (key & 63))
}

struct Solver<'b> {
    groups: &'b [Group],
    index: FxHashMap<u64, usize>,
    /// A bit for some bits of each key, to tell quickly that a key is not there.
    filter: Vec<u64>,
    /// The groups with a move.
    with: FxHashMap<Move, Vec<usize>>,
    boards: Boards,
    kinds: FxHashMap<Kind, Known>,
    /// The kinds in the order in which they were met.
    order: Vec<Kind>,
    numbers: Numbers,
    /// Groups whose moves are still to be followed.
    queue: Vec<usize>,
    work: u64,
}

impl<'b> Solver<'b> {
    fn new(groups: &'b [Group], work: u64) -> Solver<'b> {
        let mut with: FxHashMap<Move, Vec<usize>> = FxHashMap::default();
        for (at, group) in groups.iter().enumerate() {
            for mv in &group.moves {
                with.entry(*mv).or_default().push(at);
            }
        }
        let mut filter = vec![0u64; (groups.len() / 2 + 1).next_power_of_two()];
        for group in groups {
            let (word, bit) = place_in(&filter, group.key);
            if let Some(word) = filter.get_mut(word) {
                *word |= bit;
            }
        }
        Solver {
            groups,
            filter,
            index: groups.iter().enumerate().map(|(at, group)| (group.key, at)).collect(),
            with,
            boards: Boards { of: vec![None; groups.len()], ..Boards::default() },
            kinds: FxHashMap::default(),
            order: Vec::new(),
            numbers: Numbers::default(),
            queue: Vec::new(),
            work,
        }
    }

    fn key(&self, at: usize) -> u64 {
        self.groups.get(at).map_or(0, |group| group.key)
    }

    fn place(&mut self, at: usize, position: Position) {
        if let Some(slot) = self.boards.of.get_mut(at)
            && slot.is_none()
        {
            self.boards.group.insert(position.key(), at);
            *slot = Some(Box::new(position));
            self.queue.push(at);
        }
    }

    fn run(&mut self) {
        loop {
            while let Some(at) = self.queue.pop() {
                self.follow(at);
            }
            // What was found since may explain moves that it did not explain
            // when they were met.
            for kind in self.order.clone() {
                if self.difference(kind).is_none()
                    && let Some(difference) = self.derived(kind)
                {
                    self.learn(kind, difference);
                }
            }
            if self.queue.is_empty() && !self.search() {
                return;
            }
        }
    }

    fn difference(&self, kind: Kind) -> Option<u64> {
        self.kinds.get(&kind)?.difference
    }

    /// Meets the moves of a group whose board is known.
    fn follow(&mut self, at: usize) {
        let groups = self.groups;
        let Some(group) = groups.get(at) else { return };
        for mv in &group.moves {
            let Some(kind) = self.kind(at, *mv) else { continue };
            let known = self.kinds.entry(kind).or_insert_with(|| {
                self.order.push(kind);
                Known::default()
            });
            known.places.push(at);
            match known.difference {
                Some(difference) => self.go(at, *mv, difference),
                None => {
                    if let Some(difference) = self.met(at, *mv).or_else(|| self.derived(kind)) {
                        self.learn(kind, difference);
                    }
                }
            }
        }
    }

    fn kind(&self, at: usize, mv: Move) -> Option<Kind> {
        let position = self.boards.of.get(at)?.as_ref()?;
        Some(Kind { piece: position.piece_at(mv.from)?, mv, captured: position.piece_at(mv.to) })
    }

    /// The position after a move in a group.
    fn child(&self, at: usize, mv: Move) -> Option<Position> {
        let mut after = self.boards.of.get(at)?.as_ref()?.as_ref().clone();
        after.play(mv).ok()?;
        Some(after)
    }

    /// The difference of a move that leads to a position whose key is known by
    /// another order of moves.
    fn met(&self, at: usize, mv: Move) -> Option<u64> {
        let child = self.boards.group.get(&self.child(at, mv)?.key())?;
        Some(self.key(at) ^ self.key(*child))
    }

    /// Gives the position after a move its board, if the book has its key.
    fn go(&mut self, at: usize, mv: Move, difference: u64) {
        let Some(next) = self.index.get(&(self.key(at) ^ difference)).copied() else { return };
        if self.boards.of.get(next).is_some_and(Option::is_none)
            && let Some(child) = self.child(at, mv)
            && !self.boards.group.contains_key(&child.key())
            && fits(self.groups, next, &child)
        {
            self.place(next, child);
        }
    }

    fn learn(&mut self, kind: Kind, difference: u64) {
        let Some(known) = self.kinds.get_mut(&kind) else { return };
        known.difference = Some(difference);
        self.numbers.add(kind, difference);
        for at in known.places.clone() {
            self.go(at, kind.mv, difference);
        }
    }

    fn derived(&self, kind: Kind) -> Option<u64> {
        self.numbers.difference(kind)
    }

    /// Searches for the difference of one more kind, the kinds with the most
    /// places first. False when no kind is left.
    fn search(&mut self) -> bool {
        let mut open: Vec<Kind> = self
            .order
            .iter()
            .copied()
            .filter(|kind| {
                self.kinds.get(kind).is_some_and(|known| {
                    known.difference.is_none()
                        && known.tries < TRIES
                        && known.seen < known.places.len()
                })
            })
            .collect();
        let weight = |kind: &Kind| self.with.get(&kind.mv).map_or(0, Vec::len);
        open.sort_by_key(|kind| std::cmp::Reverse(weight(kind)));
        for kind in open {
            if self.work == 0 {
                return false;
            }
            let found = self.vote(kind);
            if let Some(known) = self.kinds.get_mut(&kind) {
                known.tries += 1;
                known.seen = known.places.len();
            }
            if let Some(difference) = found {
                self.learn(kind, difference);
                if !self.queue.is_empty() {
                    return true;
                }
            }
        }
        false
    }

    /// The difference that leads from most places of a move to keys.
    fn vote(&mut self, kind: Kind) -> Option<u64> {
        let places = self.kinds.get(&kind)?.places.clone();
        let boarded = |at: &usize| self.boards.of.get(*at).is_some_and(Option::is_some);
        let same = self.with.get(&kind.mv)?;
        let others: Vec<usize> =
            same.iter().copied().filter(|at| !boarded(at)).take(VOTERS).collect();
        let mut voters = places.clone();
        voters.truncate((VOTERS / 2).max(VOTERS - others.len()));
        let room = VOTERS - voters.len();
        voters.extend(others.iter().take(room));
        if voters.len() < VOTES {
            return None;
        }
        let from: Vec<usize> =
            places.iter().take(FROM).chain(others.iter().take(FROM)).copied().collect();
        let mut votes: Vec<(usize, u64)> = self
            .candidates(&from, &voters)
            .into_iter()
            .map(|difference| (self.votes(&voters, difference), difference))
            .filter(|(votes, _)| *votes >= VOTES - 1)
            .collect();
        votes.sort_unstable_by(|a, b| b.cmp(a));
        let children: Vec<(u64, Position)> = voters
            .iter()
            .filter_map(|at| Some((self.key(*at), self.child(*at, kind.mv)?)))
            .collect();
        let mut best: Option<(usize, u64)> = None;
        for (count, difference) in votes {
            let Some(good) = self.legal(&children, difference) else { continue };
            match best {
                None if good > 0 && count >= VOTES => best = Some((count, difference)),
                None => return None,
                Some((most, _)) if count + AHEAD > most => return None,
                Some(_) => break,
            }
        }
        best.map(|(_, difference)| difference)
    }

    fn votes(&self, voters: &[usize], difference: u64) -> usize {
        voters.iter().filter(|at| self.index.contains_key(&(self.key(**at) ^ difference))).count()
    }

    /// At how many known places a difference leads to a key with legal moves;
    /// nothing when it leads anywhere to a key that is another position.
    fn legal(&self, children: &[(u64, Position)], difference: u64) -> Option<usize> {
        let mut good = 0;
        for (key, child) in children {
            let Some(next) = self.index.get(&(key ^ difference)).copied() else { continue };
            let same = match self.boards.of.get(next)? {
                Some(board) => board.key() == child.key(),
                None => fits(self.groups, next, child),
            };
            if !same {
                return None;
            }
            good += 1;
        }
        Some(good)
    }

    /// Differences that lead from two places of a move to keys.
    fn candidates(&mut self, from: &[usize], voters: &[usize]) -> Vec<u64> {
        let mut found = Vec::new();
        for from in from {
            for other in voters.iter().filter(|at| *at != from).take(PAIRS) {
                let key = self.key(*from);
                let apart = key ^ self.key(*other);
                let known = found.len();
                for group in self.groups {
                    let (word, bit) = place_in(&self.filter, group.key ^ apart);
                    let perhaps = self.filter.get(word).is_some_and(|word| word & bit != 0);
                    if perhaps && self.index.contains_key(&(group.key ^ apart)) {
                        found.push(key ^ group.key);
                    }
                }
                // Each candidate is looked up at every voter. In most books there
                // are few; keys that are closed under XOR make all of them some.
                let looked_up = self.groups.len() + (found.len() - known) * VOTERS;
                self.work = self.work.saturating_sub(looked_up as u64);
                if found.len() > CANDIDATES || self.work == 0 {
                    break;
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::board::{Color, Square};

    /// A table of random numbers as a program has one.
    fn number(seed: u64) -> u64 {
        let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn key(position: &Position, table: u64) -> u64 {
        let mut key = if position.side() == Color::Red { number(table) } else { 0 };
        for square in Square::all() {
            if let Some(piece) = position.piece_at(square) {
                let letter = u64::from(u32::from(piece.letter()));
                key ^= number(table ^ letter << 32 ^ (square.index() as u64 + 1) << 16);
            }
        }
        key
    }

    /// A book of games whose moves are drawn from the first few legal ones.
    fn book(games: u64, plies: u64, table: u64) -> BTreeMap<u64, (Position, Vec<Move>)> {
        let mut rows: BTreeMap<u64, (Position, Vec<Move>)> = BTreeMap::new();
        for game in 0..games {
            let mut position = Position::start();
            for ply in 0..plies {
                let moves = position.legal_moves();
                // Some moves are much more frequent than others, as in books.
                let draw = number(game << 8 ^ ply ^ 0x5eed);
                let choice = (draw % 7) * (draw >> 8) % 7 * 5;
                let Some(mv) = moves.get(choice as usize % moves.len().max(1)) else { break };
                let (_, moves) = rows
                    .entry(key(&position, table))
                    .or_insert_with(|| (position.clone(), Vec::new()));
                if !moves.contains(mv) {
                    moves.push(*mv);
                }
                position.make(*mv);
            }
        }
        rows
    }

    fn groups(book: &BTreeMap<u64, (Position, Vec<Move>)>) -> Vec<Group> {
        let group = |(key, (_, moves)): (&u64, &(Position, Vec<Move>))| Group {
            key: *key,
            moves: moves.clone(),
        };
        book.iter().map(group).collect()
    }

    #[test]
    fn boards_are_told_from_keys_alone() {
        let book = book(600, 8, 1);
        let groups = groups(&book);
        let boards = boards(&groups);
        let placed = boards.of.iter().flatten().count();
        for (group, board) in groups.iter().zip(&boards.of) {
            if let Some(board) = board {
                assert_eq!(board.key(), book[&group.key].0.key());
            }
        }
        assert!(placed * 10 > groups.len() * 6, "{placed} of {}", groups.len());
        assert!(!boards.over);
    }

    #[test]
    fn keys_that_are_no_sums_tell_nothing() {
        let book = book(300, 8, 1);
        let mut groups = groups(&book);
        for (at, group) in groups.iter_mut().enumerate() {
            group.key = number(at as u64 + 99);
        }
        assert_eq!(boards(&groups).group.len(), 0);
        assert_eq!(boards(&[]).group.len(), 0);
        let one = Group {
            key: 7,
            moves: vec![Move::new(Square::at(7, 2).unwrap(), Square::at(4, 2).unwrap())],
        };
        assert_eq!(boards(&[one]).group.len(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever the table: books of moves drawn at random, with rows taken
        /// out, are harder than those of games, and hardly a board is wrong.
        #[test]
        fn hardly_a_board_is_wrong(
            table in any::<u64>(),
            games in 5u64..200,
            plies in 4u64..12,
            gap in 2usize..30,
        ) {
            let book = book(games, plies, table);
            let mut groups = groups(&book);
            let mut at = 0;
            groups.retain(|_| {
                at += 1;
                at % gap != 0
            });
            let boards = boards(&groups);
            let (mut told, mut wrong) = (0, 0);
            for (group, board) in groups.iter().zip(&boards.of) {
                if let Some(board) = board {
                    told += 1;
                    wrong += usize::from(board.key() != book[&group.key].0.key());
                }
            }
            prop_assert!(wrong * 50 <= told, "{} of {}", wrong, told);
        }
    }
}
