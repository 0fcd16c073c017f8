//! The rules by which a code is found, in the order in which they are tried
//! (ecco.md, 4). They look at written moves, not at positions, and a few are
//! odd; both are kept, because that is what the tags in files agree with.

/// A half-move as letters: `C2.5`. A blank one is all zeros and matches no
/// move.
pub(super) type Token = [u8; 4];

/// Half-moves that are looked at.
pub(super) const WINDOW: usize = 20;

/// The first half-moves of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line(pub(super) [Token; WINDOW]);

#[derive(Clone, Copy)]
enum Side {
    Red,
    Black,
}
use Side::{Black, Red};

/// What a search along one side's moves came to.
struct Scan {
    /// A bit for each noted move.
    noted: u8,
    end: End,
}

enum End {
    /// Every move to note was seen.
    AllNoted,
    /// The number of the first move that is neither skipped nor noted.
    Other(usize),
    /// The tenth move was passed.
    None,
}

const NOTHING: &[&Token] = &[];

impl Line {
    /// Red's `n`-th move, from 1.
    fn r(&self, n: usize) -> Token {
        self.0[2 * n - 2]
    }

    /// Black's `n`-th move, from 1.
    fn b(&self, n: usize) -> Token {
        self.0[2 * n - 1]
    }

    fn of(&self, side: Side, n: usize) -> Token {
        match side {
            Red => self.r(n),
            Black => self.b(n),
        }
    }

    /// Whether the half-moves from Red's (Black's) `n`-th on are these.
    fn is(&self, side: Side, n: usize, moves: &[&Token]) -> bool {
        let first = match side {
            Red => 2 * n - 2,
            Black => 2 * n - 1,
        };
        moves.iter().enumerate().all(|(i, mv)| self.0.get(first + i) == Some(*mv))
    }

    /// Whether a side's moves of these numbers are all in a set.
    fn within(&self, side: Side, numbers: std::ops::RangeInclusive<usize>, set: &[&Token]) -> bool {
        numbers.into_iter().all(|n| set.contains(&&self.of(side, n)))
    }

    /// Whether a side's first moves are this set, in any order.
    fn set(&self, side: Side, moves: &[&Token]) -> bool {
        let mut own: Vec<Token> = (1..=moves.len()).map(|n| self.of(side, n)).collect();
        let mut wanted: Vec<Token> = moves.iter().map(|mv| **mv).collect();
        own.sort_unstable();
        wanted.sort_unstable();
        own == wanted
    }

    /// Goes through a side's moves from number `from` to `last`.
    fn scan_to(
        &self,
        side: Side,
        from: usize,
        last: usize,
        skip: &[&Token],
        note: &[&Token],
    ) -> Scan {
        let mut noted = 0u8;
        for n in from..=last {
            let mv = self.of(side, n);
            if let Some(place) = note.iter().position(|noted| **noted == mv) {
                noted |= 1 << place;
                if noted.count_ones() as usize == note.len() && note.len() > 1 {
                    return Scan { noted, end: End::AllNoted };
                }
            } else if !skip.contains(&&mv) {
                return Scan { noted, end: End::Other(n) };
            }
        }
        Scan { noted, end: End::None }
    }

    fn scan(&self, side: Side, from: usize, skip: &[&Token], note: &[&Token]) -> Scan {
        self.scan_to(side, from, 10, skip, note)
    }

    /// The move that decides a search without notes; blank for none.
    fn decider(&self, side: Side, from: usize, skip: &[&Token]) -> Token {
        match self.scan(side, from, skip, NOTHING).end {
            End::Other(n) => self.of(side, n),
            _ => [0; 4],
        }
    }

    /// The code of a game.
    pub(super) fn code(&self) -> &'static str {
        match &self.r(1) {
            b"B3+5" => self.flying_elephant(),
            b"N2+3" => match (&self.b(1), &self.r(2)) {
                (b"P7+1", b"P7+1") => "A45",
                (b"P7+1", b"C8.5") => "A44",
                (b"P7+1", b"C8.6") => "A43",
                (b"P7+1", b"C2.1") => "A42",
                (b"P7+1", _) => "A41",
                _ => "A40",
            },
            b"C2.4" => match &self.b(1) {
                b"C2.5" => {
                    let skip = [b"R9.8", b"P3+1", b"P7+1"];
                    let scan = self.scan(Red, 2, &skip, &[b"N2+3", b"N8+7"]);
                    if matches!(scan.end, End::AllNoted) { "A53" } else { "A52" }
                }
                b"P7+1" => "A54",
                b"N8+7" => "A51",
                _ => "A50",
            },
            b"C2.5" => match &self.b(1) {
                b"C8.5" => self.same_direction_cannons(),
                b"N8+7" => self.left_horse(),
                b"N2+3" => self.right_horse(),
                b"C2.5" => "D50",
                _ => "B00",
            },
            b"C2.6" => match &self.b(1) {
                b"C8.5" if self.r(2) == *b"N2+3" && self.r(3) == *b"R1.2" => {
                    let replies = [self.b(2), self.b(3)];
                    let either = [[*b"N8+7", *b"R9+1"], [*b"R9+1", *b"N8+7"]];
                    if either.contains(&replies) { "A65" } else { "A64" }
                }
                b"C8.5" => "A63",
                b"R9+1" => "A62",
                b"N8+7" => "A61",
                _ => "A60",
            },
            b"P3+1" => self.pointing_the_way(),
            b"P1+1" => "A08",
            b"C2.7" => "A07",
            b"C2.3" => "A06",
            b"C2+4" => "A05",
            b"C2+2" => "A04",
            b"C2.1" => "A03",
            b"N2+1" => "A02",
            b"A4+5" => "A01",
            _ => "A00",
        }
    }

    /// 飞相局.
    fn flying_elephant(&self) -> &'static str {
        let r2 = &self.r(2);
        match &self.b(1) {
            b"N2+3" => match r2 {
                b"P7+1" => "A16",
                b"P3+1" => "A15",
                _ => "A14",
            },
            b"C2.4" => match r2 {
                b"P7+1" => "A26",
                b"P3+1" => "A25",
                b"R9+1" => "A24",
                b"N8+9" => "A23",
                b"N8+7" => "A22",
                _ => "A21",
            },
            b"C8.4" => {
                if r2 != b"N2+3" {
                    "A30"
                } else if self.is(Black, 2, &[b"N8+7", b"R1.2", b"P7+1"]) {
                    match &self.r(4) {
                        b"P7+1" => "A34",
                        b"C2.1" => "A33",
                        _ => "A32",
                    }
                } else {
                    "A31"
                }
            }
            b"P7+1" => match r2 {
                b"P7+1" => "A38",
                b"N8+7" => "A37",
                _ => "A36",
            },
            b"C8.5" => {
                let skip = [b"R1.2", b"P3+1", b"P7+1"];
                let scan = self.scan(Red, 2, &skip, &[b"N2+3", b"N8+7"]);
                if matches!(scan.end, End::AllNoted) { "A28" } else { "A27" }
            }
            b"P3+1" => "A39",
            b"C2.6" => "A35",
            b"C2.5" => "A29",
            b"C8.6" => "A20",
            b"N8+7" => "A13",
            b"B3+5" => "A12",
            b"B7+5" => "A11",
            _ => "A10",
        }
    }

    /// 中炮对进右马 (node BX).
    fn right_horse(&self) -> &'static str {
        match &self.b(2) {
            b"R9+1" => {
                if self.r(2) == *b"N2+3" && self.is(Red, 3, &[b"R1.2", b"R9.4"]) {
                    match &self.r(4) {
                        b"P7+1" => "B14",
                        b"C8+2" => "B13",
                        _ => "B12",
                    }
                } else {
                    "B10"
                }
            }
            b"C8.6" => match &self.b(3) {
                b"N8+9" | b"R9+1" => "B11",
                _ => self.sandwich(),
            },
            b"P3+1" | b"P7+1" => match &self.b(3) {
                b"A6+5" | b"A4+5" => "B02",
                b"C8.6" => self.sandwich(),
                b"N8+7" => self.screen(),
                b"R9+2" => "B03",
                _ => "B01",
            },
            b"N8+7" => self.screen(),
            b"N8+9" => "B10",
            b"C2.1" => "B04",
            _ => "B01",
        }
    }

    /// 反宫马.
    fn sandwich(&self) -> &'static str {
        if self.is(Red, 2, &[b"P7+1", b"C8.6", b"N8+7"]) {
            return "B32";
        }
        let skip = [b"B7+5", b"B3+5", b"C8.6", b"P7+1", b"P3+1"];
        if self.decider(Black, 2, &skip) != *b"N8+7" {
            return "B30";
        }
        let (mut edge, mut middle, mut sixth) = (false, false, false);
        for n in 2..=10 {
            match &self.r(n) {
                b"N2+3" | b"R1.2" | b"P3+1" | b"P7+1" => {}
                b"N8+9" => edge = true,
                b"N8+7" => middle = true,
                b"C8.6" => sixth = true,
                b"R1+1" if !sixth => return "B34",
                b"R2+6" if !sixth => return "B33",
                b"R1+1" | b"R2+6" => {}
                b"C8.7" => return self.five_seven_sandwich(),
                b"C8+4" => return "B36",
                b"C8+2" => return "B35",
                _ if !sixth => return "B31",
                _ if !self.is(Red, 2, &[b"N2+3", b"C8.6", b"R1.2", b"N8+7"]) => return "B40",
                _ if middle => {
                    return if self.r(4) != *b"C8.6" || self.b(4) != *b"R1.2" {
                        "B41"
                    } else if self.b(5) != *b"C2.1" {
                        "B42"
                    } else if self.b(6) == *b"P7+1" {
                        "B44"
                    } else {
                        "B43"
                    };
                }
                _ if edge => return "B45",
                _ => return "B40",
            }
        }
        "B30"
    }

    /// 五七炮对反宫马 (node B5).
    fn five_seven_sandwich(&self) -> &'static str {
        if self.within(Red, 2..=5, &[b"N2+3", b"N8+9", b"R1.2", b"P3+1"])
            && self.within(Black, 2..=4, &[b"N8+7", b"C8.6", b"P3+1"])
        {
            return if !self.is(Black, 5, &[b"B7+5", b"C8.7", b"R1.2", b"R9.8", b"C2+4"]) {
                "B54"
            } else if self.is(Red, 8, &[b"P7+1", b"P3+1", b"P3+1"]) {
                "B56"
            } else {
                "B55"
            };
        }
        let skip = [b"B7+5", b"B3+5", b"N8+7", b"C8.6", b"P7+1", b"P3+1"];
        match &self.decider(Black, 2, &skip) {
            b"R1.2" => "B53",
            b"R9+1" => "B52",
            b"R9.8" => "B51",
            _ => "B50",
        }
    }

    /// 中炮对进左马 (node CX).
    fn left_horse(&self) -> &'static str {
        let mut s = 0;
        let mut k = 0;
        for n in 2..=10 {
            match &self.b(n) {
                b"R9.8" | b"R8+5" | b"P7+1" | b"P3+1" => continue,
                b"C8.9" => {
                    s = 1;
                    continue;
                }
                b"C8+4" => {
                    s = 2;
                    continue;
                }
                b"N2+3" => k = if s > 0 { s } else { 7 },
                b"R9+1" => k = if s > 0 { s } else { 6 },
                b"C2.5" => k = 5 - s,
                _ => k = s,
            }
            break;
        }
        match k {
            1 => self.three_step_tiger(),
            2 => "B07",
            3 => self.blocking_cannon(),
            4 => self.tiger_to_opposite_cannons(),
            5 => self.late_opposite_cannons(),
            6 => "B06",
            7 => self.screen(),
            _ => "B05",
        }
    }

    /// 左三步虎.
    fn three_step_tiger(&self) -> &'static str {
        let scan = self.scan(Red, 2, &[b"N2+3", b"N8+7"], &[b"P3+1", b"P7+1"]);
        let n = match scan.end {
            End::AllNoted => return "B25",
            End::None => return "B20",
            End::Other(n) => n,
        };
        match &self.r(n) {
            b"B7+9" if self.b(n - 1) == *b"R8+5" => "B21",
            b"C8+4" => "B24",
            b"C8+2" => "B23",
            b"R1+1" => "B22",
            _ => "B20",
        }
    }

    /// 屏风马.
    fn screen(&self) -> &'static str {
        let both_ways = [b"N8+7", b"R9.8", b"P7+1", b"N2+3"];
        if self.set(Red, &[b"C2.5", b"N2+3", b"R1.2", b"R2+6", b"N8+7"])
            && self.set(Black, &[b"N8+7", b"R9.8", b"P7+1", b"N2+3", b"P3+1"])
        {
            return self.two_headed_snake();
        }
        if self.set(Red, &[b"C2.5", b"N2+3", b"R1.2", b"R2+6", b"P7+1"])
            && self.set(Black, &both_ways)
        {
            return self.river_chariot();
        }
        if self.set(Red, &[b"C2.5", b"N2+3", b"R1.2", b"N8+9", b"C8.7"])
            && self.set(Black, &both_ways)
        {
            return match &self.b(5) {
                b"R1.2" if self.r(6) != *b"R9.8" => "C62",
                b"R1.2" => match &self.b(6) {
                    b"C2+4" => "C66",
                    b"C2+2" => "C65",
                    b"C8+4" => "C64",
                    _ => "C63",
                },
                b"C2+2" => "C67",
                _ => "C61",
            };
        }
        if self.set(Red, &[b"C2.5", b"N2+3", b"R1.2", b"P3+1", b"N8+9", b"C8.7"])
            && self.set(Black, &[b"N8+7", b"R9.8", b"N2+3", b"P3+1", b"P1+1", b"N3+2"])
        {
            if self.r(7) != *b"R9+1" {
                return "C72";
            }
            return match (&self.b(7), &self.r(8)) {
                (b"B7+5", b"R2+4") => "C76",
                (b"B7+5", b"N3+4") => "C75",
                (b"B7+5", _) => "C74",
                (b"P1+1", _) => "C78",
                (b"B3+5", _) => "C77",
                _ => "C73",
            };
        }
        self.other_screen()
    }

    /// 中炮过河车七路马对屏风马两头蛇.
    fn two_headed_snake(&self) -> &'static str {
        if self.r(6) != *b"R9+1" {
            return "C20";
        }
        if !self.is(Black, 6, &[b"C2+1", b"R2-2", b"B3+5"]) {
            return "C21";
        }
        match (&self.r(8), &self.r(9)) {
            (b"P3+1" | b"P7+1", b"P7+1") => "C25",
            (b"P3+1", _) => "C23",
            (b"P7+1", _) => "C24",
            _ => "C22",
        }
    }

    /// 中炮过河车互进七兵对屏风马.
    fn river_chariot(&self) -> &'static str {
        match &self.b(5) {
            b"N7+6" => {
                if self.r(6) != *b"N8+7" {
                    return "C35";
                }
                if self.b(6) != *b"B3+5" {
                    return "C36";
                }
                match &self.r(7) {
                    b"C8.9" => "C39",
                    b"C8+1" => "C38",
                    _ => "C37",
                }
            }
            b"C8.9" => {
                if !self.is(Red, 6, &[b"R2.3", b"C9-1"]) {
                    return "C40";
                }
                match &self.r(7) {
                    b"N8+7" if self.b(7) != *b"A4+5" => "C42",
                    b"N8+7" => match &self.r(8) {
                        b"C8.9" if self.b(8) == *b"R1.2" || self.b(9) == *b"R1.2" => "C46",
                        b"C8.9" => "C45",
                        b"N7+6" => "C44",
                        _ => "C43",
                    },
                    b"P5+1" => "C49",
                    b"C8.6" => "C48",
                    b"N8+9" => "C47",
                    _ => "C41",
                }
            }
            b"B7+5" | b"B3+5" => "C32",
            b"A6+5" | b"A4+5" => "C31",
            b"C2+4" => "C34",
            b"R1+1" => "C33",
            _ => "C30",
        }
    }

    /// The rest of 屏风马, by Red's plan.
    fn other_screen(&self) -> &'static str {
        let skip = [b"N2+3", b"R1.2", b"P3+1", b"P7+1"];
        // Noted one by one: all three together decide nothing.
        let mut noted = [false; 3];
        let mut decided = None;
        for n in 2..=9 {
            let mv = self.r(n);
            match &mv {
                b"N8+9" => noted[0] = true,
                b"N8+7" => noted[1] = true,
                b"R2+6" => noted[2] = true,
                _ if skip.contains(&&mv) => {}
                _ => {
                    decided = Some(mv);
                    break;
                }
            }
        }
        let Some(mv) = decided else { return "C00" };
        match &mv {
            b"R2+4" => {
                let skip = [b"N2+3", b"R1.2", b"R2+4", b"P3+1", b"P7+1"];
                match &self.decider(Red, 2, &skip) {
                    b"N8+7" | b"N8+9" => "C16",
                    _ => "C15",
                }
            }
            b"R1+1" => {
                let skip = [b"N2+3", b"N8+7", b"R1+1", b"R1.4", b"R1.6", b"P3+1", b"P7+1"];
                match &self.decider(Red, 2, &skip) {
                    b"P5+1" => "C14",
                    b"C8.9" => "C13",
                    b"C8+2" => "C12",
                    b"N7+6" => "C11",
                    _ => "C10",
                }
            }
            b"C8.7" => {
                let scan = self.scan(Black, 2, &[b"N2+3", b"N8+7", b"R9.8"], &[b"P3+1"]);
                let decider = match scan.end {
                    End::Other(n) => self.b(n),
                    _ => [0; 4],
                };
                match &decider {
                    b"P7+1" => {
                        let skip = [b"N2+3", b"N8+9", b"R1.2", b"R2+6", b"C8.7"];
                        if self.decider(Red, 2, &skip) == *b"P7+1" { "C68" } else { "C60" }
                    }
                    b"N3+2" => "C71",
                    _ if scan.noted != 0 => "C70",
                    _ => "C60",
                }
            }
            b"C8+4" => self.five_eight(),
            b"C8+2" => self.river_cannon(),
            b"C8.6" => self.five_six(),
            b"C8.9" => "C99",
            _ if noted[2] => {
                let skip = [b"N2+3", b"R1.2", b"R2+6", b"P3+1", b"P7+1"];
                match &self.decider(Red, 2, &skip) {
                    b"N8+9" => "C19",
                    b"N8+7" => "C18",
                    _ => "C17",
                }
            }
            _ if noted[1] => {
                let skip = [b"N2+3", b"N8+7", b"R1.2", b"P3+1", b"P7+1"];
                match &self.decider(Red, 2, &skip) {
                    b"P5+1" => {
                        let skip = [b"N2+3", b"N8+7", b"R9.8", b"P7+1", b"P3+1"];
                        let scan = self.scan(Black, 2, &skip, &[b"C8+4", b"C2+4"]);
                        if matches!(scan.end, End::AllNoted) { "C04" } else { "C03" }
                    }
                    b"N7+6" => "C02",
                    _ => "C01",
                }
            }
            _ if noted[0] => {
                let skip = [b"N2+3", b"N8+9", b"R1.2", b"P3+1", b"P7+1"];
                if self.decider(Red, 2, &skip) == *b"R9+1" { "C06" } else { "C05" }
            }
            _ => "C00",
        }
    }

    /// 五六炮对屏风马 (node C5).
    fn five_six(&self) -> &'static str {
        let x = self.within(Red, 2..=5, &[b"N2+3", b"R1.2", b"C8.6", b"N8+9"]);
        let y = self.within(Red, 2..=5, &[b"N2+3", b"R1.2", b"C8.6", b"R2+6"]);
        let z = self.within(Black, 2..=4, &[b"N2+3", b"N8+7", b"R9.8", b"P7+1"]);
        if x && z {
            return if !self.is(Black, 5, &[b"R1.2", b"R9.8"]) {
                "C51"
            } else if self.b(6) == *b"C2+4" {
                "C53"
            } else {
                "C52"
            };
        }
        if y && z {
            return match &self.b(5) {
                b"P3+1" => "C56",
                b"R1.2" => "C55",
                _ => "C54",
            };
        }
        let skip = [b"N2+3", b"R1.2", b"C8.6", b"P3+1", b"P7+1"];
        match &self.decider(Red, 2, &skip) {
            b"R2+6" => "C54",
            b"N8+9" => "C51",
            _ => "C50",
        }
    }

    /// 巡河炮 (node C8).
    fn river_cannon(&self) -> &'static str {
        if self.within(Red, 2..=5, &[b"N2+3", b"N8+7", b"C8+2", b"P7+1"])
            && self.within(Black, 2..=4, &[b"N8+7", b"N2+3", b"R9.8", b"P7+1"])
            && self.b(5) == *b"N7+8"
        {
            let other = self.r(6) == *b"N7+6" && self.r(7) == *b"R1+1";
            return if other { "C86" } else { "C85" };
        }
        let skip = [b"P7+1", b"P3+1", b"N8+7", b"N2+3", b"R9.8"];
        let scan = self.scan(Black, 2, &skip, &[b"B7+5"]);
        let End::Other(n) = scan.end else { return "C80" };
        match (&self.b(n), scan.noted != 0) {
            (b"B3+5", _) => "C84",
            (b"C8+2", true) => "C83",
            (b"R1+1", true) => "C82",
            (b"C8+2" | b"R1+1", false) => "C80",
            (_, true) => "C81",
            (_, false) => "C80",
        }
    }

    /// 五八炮 (node C9).
    fn five_eight(&self) -> &'static str {
        let skip = [b"N2+3", b"N8+7", b"N8+9", b"R1.2", b"R2+6", b"C8+4"];
        if self.decider(Red, 2, &skip) != *b"P3+1" {
            return "C90";
        }
        if self.decider(Black, 2, &[b"N8+7", b"N2+3", b"R9.8"]) != *b"P3+1" {
            return "C90";
        }
        match &self.decider(Red, 2, &[b"N2+3", b"R1.2", b"C8+4", b"P3+1"]) {
            b"C8.7" => "C98",
            b"N8+7" => "C92",
            b"N8+9" => {
                let elephant = matches!(&self.b(5), b"B7+5" | b"B3+5");
                match &if elephant { self.b(6) } else { self.b(5) } {
                    b"P1+1" if self.r(7) == *b"C8.7" => "C97",
                    b"P1+1" => "C96",
                    b"A6+5" | b"A4+5" => "C94",
                    b"P7+1" => "C95",
                    _ => "C93",
                }
            }
            _ => "C91",
        }
    }

    /// 顺炮 (node D).
    fn same_direction_cannons(&self) -> &'static str {
        match &self.r(2) {
            b"N2+3" => match &self.b(2) {
                b"N8+7" => match (&self.r(3), &self.b(3)) {
                    (b"R1.2", b"R9+1") => self.straight_against_sideways(),
                    (b"R1.2", _) => self.straight_against_late(),
                    (b"R1+1", b"R9.8") if self.b(4) == *b"R8+4" => "D05",
                    (b"R1+1", b"R9.8") => "D04",
                    (b"R1+1", _) => "D03",
                    (_, b"R9.8") => "D02",
                    (_, b"R9+1") => "D01",
                    _ => "D00",
                },
                b"R9+1" if self.is(Red, 3, &[b"R1.2", b"N8+7"]) => self.straight_against_sideways(),
                b"R9+1" => "D01",
                _ => "D00",
            },
            b"R1+1" => "D03",
            _ => "D00",
        }
    }

    /// 直车对缓开车 (node D1).
    fn straight_against_late(&self) -> &'static str {
        match &self.decider(Black, 3, &[b"N2+3", b"P7+1", b"P3+1"]) {
            b"C2.1" => "D15",
            b"C2+4" => "D14",
            b"R9.8" => "D13",
            b"R1+1" => "D12",
            b"R9+1" => "D11",
            _ => "D10",
        }
    }

    /// 直车对横车 (node D2).
    fn straight_against_sideways(&self) -> &'static str {
        let scan = self.scan(Red, 4, &[b"N8+7"], &[b"P3+1", b"P7+1"]);
        let n = match scan.end {
            End::AllNoted => {
                let two = self.decider(Black, 4, &[b"N2+3", b"R9.4"]) == *b"R1+1";
                return if two { "D29" } else { "D28" };
            }
            End::None => return "D20",
            End::Other(n) => n,
        };
        match &self.r(n) {
            b"A4+5" | b"A6+5" => "D21",
            b"N8+9" => "D22",
            b"R2+4" => "D23",
            b"R2+6" => "D24",
            b"C8.6" => "D25",
            _ => match scan.noted {
                1 => "D26",
                2 => "D27",
                _ => "D20",
            },
        }
    }

    /// 左炮封车转列炮 (node D3).
    fn blocking_cannon(&self) -> &'static str {
        if !self.is(Red, 2, &[b"N2+3", b"R9.8", b"R1.2", b"C8+4", b"P3+1", b"C2.5"]) {
            return "D30";
        }
        match &self.r(5) {
            b"P7+1" => "D36",
            b"C8+5" => "D35",
            b"N8+9" => "D34",
            b"N8+7" => "D33",
            b"N3+4" => "D32",
            _ => "D31",
        }
    }

    /// 左三步虎转列炮 (node D4).
    fn tiger_to_opposite_cannons(&self) -> &'static str {
        let scan = self.scan(Red, 2, &[b"N2+3", b"N8+7"], &[b"P3+1", b"P7+1"]);
        let n = match scan.end {
            End::AllNoted => return "D43",
            End::None => return "D40",
            End::Other(n) => n,
        };
        match &self.r(n) {
            b"P5+1" if self.b(n - 1) == *b"R8+5" && self.b(n) == *b"C2.5" => "D41",
            b"R9.8" => "D42",
            _ => "D40",
        }
    }

    /// 后补列炮 (node D5).
    fn late_opposite_cannons(&self) -> &'static str {
        let skip = [b"N2+3", b"N8+7", b"P3+1", b"P7+1"];
        let scan = self.scan(Red, 2, &skip, &[b"R1.2", b"R9.8"]);
        match scan.end {
            End::AllNoted => "D55",
            End::None => "D50",
            End::Other(n) if self.r(n) == *b"R2+6" => "D53",
            End::Other(_) => match scan.noted {
                1 => "D52",
                2 => "D54",
                _ => "D51",
            },
        }
    }

    /// 仙人指路 (node E).
    fn pointing_the_way(&self) -> &'static str {
        let r2 = &self.r(2);
        match &self.b(1) {
            b"C8.7" => match r2 {
                b"C8.5" => match &self.b(2) {
                    b"B3+5" if self.r(3) != *b"N2+1" => "E14",
                    b"B3+5" if self.b(3) == *b"N8+9" => "E16",
                    b"B3+5" => "E15",
                    b"B7+5" => match &self.r(3) {
                        b"N8+7" => self.left_elephant(),
                        b"C5+4" => "E38",
                        b"N2+1" => "E37",
                        b"A4+5" => "E21",
                        _ => "E20",
                    },
                    b"C2.5" => "E17",
                    _ => "E13",
                },
                b"B7+5" | b"B3+5" => "E11",
                b"C2.5" => "E12",
                _ => "E10",
            },
            b"N2+3" => match (r2, &self.b(2)) {
                (b"N2+3", b"P3+1") => self.pawns_and_horses(),
                (b"N2+3", _) => "E07",
                (b"P7+1", b"C8.7") => "E09",
                (b"P7+1", _) => "E08",
                _ => "E06",
            },
            b"P3+1" => match (r2, &self.b(2)) {
                (b"N2+3", b"N2+3") => self.pawns_and_horses(),
                (b"N2+3", _) => "E41",
                (b"C8.7", b"C8.5") => "E48",
                (b"C8.7", b"C2.5") => "E47",
                (b"C8.7", _) => "E46",
                _ => "E40",
            },
            b"B7+5" | b"B3+5" if r2 == b"N2+3" => "E02",
            b"B7+5" | b"B3+5" => "E01",
            b"C8.6" | b"C8.4" | b"C2.6" | b"C2.4" => "E04",
            b"C8.5" | b"C2.5" => "E03",
            b"C2.7" => "E05",
            _ => "E00",
        }
    }

    /// 卒底炮飞左象, Red's left horse out (node E2x).
    fn left_elephant(&self) -> &'static str {
        match &self.b(3) {
            b"R1+1" => {
                if !self.is(Red, 4, &[b"R9.8", b"R1.8", b"N2+3", b"N8+6"]) {
                    return "E23";
                }
                if !self.is(Red, 6, &[b"C2.1", b"N2+1", b"N3+4"]) {
                    return "E24";
                }
                match &self.b(7) {
                    b"P1+1" => "E27",
                    b"R8+6" => "E26",
                    b"A6+5" => "E25",
                    _ => "E24",
                }
            }
            b"P7+1" => {
                if !self.is(Red, 4, &[b"N2+1", b"P7+1"]) && !self.is(Red, 4, &[b"R9.8", b"P7+1"]) {
                    return "E30";
                }
                if !matches!(&self.r(5), b"N2+1" | b"R9.8") {
                    return "E31";
                }
                match (&self.b(5), &self.r(6)) {
                    (b"R1+1", b"R1.2") => "E36",
                    (b"R1+1", b"R8+4") => "E35",
                    (b"R1+1", b"A4+5") => "E34",
                    (b"R1+1", _) => "E33",
                    (b"N8+6", _) => "E32",
                    _ => "E31",
                }
            }
            _ => "E22",
        }
    }

    /// 对兵互进右马 (node E4x).
    fn pawns_and_horses(&self) -> &'static str {
        match &self.r(3) {
            b"B3+5" | b"B7+5" => "E43",
            b"C2.1" => "E45",
            b"R1+1" => "E44",
            _ => "E42",
        }
    }
}
