//! The ways in which a written move can be understood, from the literal one
//! to the sloppiest.

use smallvec::SmallVec;

use super::order;
use super::resolve::{kind_of, spelling_slips};
use super::slip::Slips;
use super::syntax::{Direction, Hints, Ordinal, Place, Relative};
use crate::board::{Color, Move, PieceKind, Position, Square};

/// A legal move that a text can mean, and what is sloppy about the text if it
/// means this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The move.
    pub mv: Move,
    /// Empty when the text is as the notation prescribes.
    pub slips: Slips,
}

/// Readings with distinct moves, the least sloppy first.
pub type Candidates = SmallVec<[Reading; 4]>;

/// As the notation prescribes, or with 前/后 left out.
pub(super) const LITERAL: u8 = 0;
/// By another convention of ordinals.
const CONVENTION: u8 = 1;
/// 前/后 written where nothing needs it.
const SUPERFLUOUS: u8 = 2;
/// Files counted from the opponent's right.
pub(super) const SWAPPED: u8 = 3;
/// The last of the tiers.
pub(super) const LAST_TIER: u8 = SWAPPED;

/// One way to find the piece a text speaks of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interpretation {
    /// The pieces that could be meant.
    pub(super) from: u128,
    /// Whose file numbers the text uses.
    numbering: Color,
    /// What is sloppy about the text if this is what it means.
    slips: Slips,
    /// How far-fetched it is.
    pub(super) tier: u8,
}

/// Ways to understand a text, the tiers in ascending order.
pub(super) type Interpretations = SmallVec<[Interpretation; 8]>;

impl Interpretation {
    /// The moves it names, whether the piece may go there or not.
    pub(super) fn moves(
        self,
        relative: Relative,
        position: &Position,
    ) -> impl Iterator<Item = Move> + use<> {
        let Relative { direction, to, hints, .. } = relative;
        // A bar over or under a short move means 进 or 退, never 平.
        let barred = hints.has(Hints::UNDERLINED) || hints.has(Hints::OVERLINED);
        let (kind, side) = (kind_of(relative), position.side());
        let mut left = self.from;
        let squares = std::iter::from_fn(move || {
            (left != 0).then(|| {
                let square = Square::from_index(left.trailing_zeros() as u8);
                left &= left - 1;
                square
            })
        });
        squares.flat_map(move |from| {
            Direction::ALL
                .into_iter()
                .filter(move |way| match direction {
                    Some(written) => written == *way,
                    None => !(barred && *way == Direction::Sideways),
                })
                .filter_map(move |way| order::target(kind, side, self.numbering, from, way, to))
                .map(move |to| Move::new(from, to))
        })
    }
}

/// Adds the legal moves of an interpretation that are not found yet.
pub(super) fn legal_readings(
    relative: Relative,
    interpretation: &Interpretation,
    position: &Position,
    in_check: bool,
    found: &mut Candidates,
) {
    for mv in interpretation.moves(relative, position) {
        if found.iter().all(|reading| reading.mv != mv) && position.is_legal_knowing(mv, in_check) {
            let slips = interpretation.slips.with(spelling_slips(relative, position.side()));
            found.push(Reading { mv, slips });
        }
    }
}

/// All ways to understand a text in a position.
pub(super) fn interpretations(relative: Relative, position: &Position) -> Interpretations {
    let mut list = List {
        mine: position.bits(position.side(), kind_of(relative)),
        side: position.side(),
        kind: kind_of(relative),
        hints: relative.hints,
        found: SmallVec::new(),
    };
    match relative.place {
        Place::File(number) => list.by_file(number),
        Place::Ordinal(ordinal) => list.by_ordinal(ordinal),
        Place::OrdinalFile(ordinal, number) => list.by_ordinal_of_file(ordinal, number),
    }
    list.found.sort_by_key(|interpretation| interpretation.tier);
    list.found
}

struct List {
    mine: u128,
    side: Color,
    kind: PieceKind,
    hints: Hints,
    found: Interpretations,
}

impl List {
    fn add(&mut self, tier: u8, from: u128, slips: Slips) {
        if from != 0 {
            self.found.push(Interpretation { from, numbering: self.side, slips, tier });
        }
    }

    fn add_swapped(&mut self, from: u128, slips: Slips) {
        if from != 0 {
            let slips = slips.with(Slips::COLOR_SWAPPED_FILE);
            let numbering = self.side.other();
            self.found.push(Interpretation { from, numbering, slips, tier: SWAPPED });
        }
    }

    /// Whether the text is in the letters of the federation.
    fn in_letters(&self) -> bool {
        self.hints.has(Hints::WXF)
    }

    /// Advisors and elephants on one file are told apart by 进 and 退.
    fn told_by_direction(&self) -> bool {
        matches!(self.kind, PieceKind::Advisor | PieceKind::Elephant)
    }

    fn by_file(&mut self, number: u8) {
        let on_file = self.mine & order::file_of_number(number, self.side);
        let count = on_file.count_ones();
        if count <= 1 || self.told_by_direction() {
            self.add(LITERAL, on_file, Slips::NONE);
        } else if self.kind == PieceKind::Pawn && self.in_letters() && count % 2 == 1 {
            // `P3.4` of the federation: the middle pawn of three keeps the file.
            let middle = order::ordinal_on_file(on_file, self.side, Ordinal::Middle);
            self.add(LITERAL, middle, Slips::NONE);
            self.add(CONVENTION, on_file & !middle, Slips::FRONT_REAR_MISSING);
        } else {
            self.add(LITERAL, on_file, Slips::FRONT_REAR_MISSING);
        }
        let swapped = self.mine & order::file_of_number(number, self.side.other());
        if swapped.is_power_of_two() || self.told_by_direction() {
            // One repair at a time: two prove nothing.
            self.add_swapped(swapped, Slips::NONE);
        }
    }

    fn by_ordinal(&mut self, ordinal: Ordinal) {
        let shared: SmallVec<[u128; 9]> = order::shared_files(self.mine, self.side).collect();
        if shared.is_empty() {
            self.add(SUPERFLUOUS, self.mine, Slips::FRONT_REAR_SUPERFLUOUS);
            return;
        }
        if let (Ordinal::Nth(n), true) = (ordinal, self.kind == PieceKind::Pawn) {
            let own = order::running_number(self.mine, self.side, n);
            self.add(LITERAL, own, Slips::NONE);
            // Yang numbers the pawns of both sides as Red sees the board. For
            // Black that is the reverse, and either may be meant.
            let seen_by_red = order::running_number(self.mine, Color::Red, n);
            if self.hints.has(Hints::CAPITAL_NUMBER) && seen_by_red != own {
                self.add(LITERAL, seen_by_red, Slips::NONE);
            }
        }
        let slip = if self.told_by_direction() {
            Slips::FRONT_REAR_SUPERFLUOUS
        } else if shared.len() > 1 {
            Slips::PAWN_FILE_MISSING
        } else {
            Slips::NONE
        };
        let side = self.side;
        let pick = |ordinal| {
            shared
                .iter()
                .map(|on_file| order::ordinal_on_file(*on_file, side, ordinal))
                .fold(0, |all, one| all | one)
        };
        let literal = pick(ordinal);
        let pairs = shared.iter().fold(0, |all, on| all | order::middle_pair(*on, side));
        match (ordinal, shared.as_slice()) {
            (Ordinal::Nth(_), _) if self.kind == PieceKind::Pawn => {
                self.add(CONVENTION, literal, Slips::ORDINAL_CONVENTION);
            }
            (Ordinal::Middle, _) if literal != 0 => {
                // Three on one file and two on the other: only one is 中.
                let slip = if literal.is_power_of_two() { Slips::NONE } else { slip };
                self.add(LITERAL, literal, slip);
            }
            (Ordinal::Middle, _) => {
                self.add(LITERAL, pairs, slip.with(Slips::ORDINAL_CONVENTION));
            }
            (_, [on_file])
                if self.kind == PieceKind::Pawn
                    && self.hints.has(Hints::LETTER_MARK)
                    && on_file.count_ones() >= 4 =>
            {
                // `P+` and `P-` of the federation stand inside `++` and `--`.
                let n = if ordinal == Ordinal::Front { 1 } else { on_file.count_ones() - 2 };
                self.add(LITERAL, order::from_front(*on_file, side, n), Slips::NONE);
                self.add(CONVENTION, literal, Slips::ORDINAL_CONVENTION);
            }
            (_, [on_file]) if self.hints.has(Hints::DOUBLE_MARK) && on_file.count_ones() < 4 => {
                self.add(LITERAL, literal, Slips::ORDINAL_CONVENTION);
            }
            _ => self.add(LITERAL, literal, slip),
        }
        if self.in_letters() && self.kind == PieceKind::Pawn {
            // The table of xqbase has `-` for the middle and `.` for the rear,
            // its program the other way round.
            let exchanged = match ordinal {
                Ordinal::Rear => pick(Ordinal::Middle),
                Ordinal::Middle => pick(Ordinal::Rear),
                _ => 0,
            };
            self.add(CONVENTION, exchanged, Slips::ORDINAL_CONVENTION);
        }
        self.add_swapped(literal, slip);
    }

    fn by_ordinal_of_file(&mut self, ordinal: Ordinal, number: u8) {
        let on_file = self.mine & order::file_of_number(number, self.side);
        let others = order::shared_files(self.mine, self.side).any(|shared| shared != on_file);
        let slip = if self.in_letters() || others { Slips::NONE } else { Slips::FILE_SUPERFLUOUS };
        match on_file.count_ones() {
            0 => {}
            1 => self.add(SUPERFLUOUS, on_file, Slips::FRONT_REAR_SUPERFLUOUS),
            count => {
                let picked = order::ordinal_on_file(on_file, self.side, ordinal);
                self.add(LITERAL, picked, slip);
                if ordinal == Ordinal::Middle && picked == 0 {
                    let pair = order::middle_pair(on_file, self.side);
                    self.add(LITERAL, pair, slip.with(Slips::ORDINAL_CONVENTION));
                }
                if self.hints.has(Hints::DIGIT_PAIR)
                    && ordinal == Ordinal::Nth(number)
                    && count == 3
                    && others
                {
                    // `33.4`: the third of file 3, and for the federation's
                    // older page the middle one.
                    let middle = order::ordinal_on_file(on_file, self.side, Ordinal::Middle);
                    self.add(LITERAL, middle, Slips::NONE);
                }
            }
        }
        let swapped = self.mine & order::file_of_number(number, self.side.other());
        let picked = order::ordinal_on_file(swapped, self.side, ordinal);
        self.add_swapped(picked, slip);
    }
}
