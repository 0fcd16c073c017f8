//! Makes games that look like real ones: players begin alike and part ways.
//!
//! The first 8 to 24 half-moves follow a tree in which each position prefers
//! the same few moves (the first in 60 of 100 games, each further one half as
//! often); after that any legal move is as likely as another. The same seed
//! gives the same games on every machine.
#![allow(dead_code, reason = "each program uses its part")]

use std::fmt::Write as _;

use qipu::board::{Move, Position};

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A source of numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// The moves of a game of about `plies` half-moves.
pub fn moves(random: &mut Random, plies: usize) -> Vec<Move> {
    let mut position = Position::start();
    let length = plies / 2 + random.below(plies.max(1)) + 1;
    let book = 8 + random.below(17);
    let mut line = Vec::with_capacity(length);
    while line.len() < length {
        let mut legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        legal.sort_unstable();
        let mv = if line.len() < book {
            // Each position shuffles its moves in its own way.
            let mut taste = Random::new(position.key().0);
            let mut rank = 0;
            while rank + 1 < legal.len() && random.below(100) >= if rank == 0 { 60 } else { 50 } {
                rank += 1;
            }
            for i in 0..=rank {
                let j = i + taste.below(legal.len() - i);
                legal.swap(i, j);
            }
            legal[rank]
        } else {
            legal[random.below(legal.len())]
        };
        position.make(mv);
        line.push(mv);
    }
    line
}

/// Headers and result of a made-up game.
#[derive(Clone, Debug)]
pub struct Tags {
    /// 赛事
    pub event: String,
    /// Year and the rest of the date as a PGN writes it.
    pub date: String,
    /// 红方
    pub red: String,
    /// 黑方
    pub black: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
}

const FAMILY: [&str; 16] = [
    "王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴", "徐", "孙", "胡", "朱", "高", "林",
];
const GIVEN: [&str; 16] = [
    "天一", "大华", "荣华", "鑫", "川", "银川", "国荣", "桂英", "少华", "浩", "超", "强", "平",
    "勇", "辉", "明",
];

/// Headers of a game.
pub fn tags(random: &mut Random) -> Tags {
    let mut name = || {
        // A few play much, most play little.
        let skew = random.below(16).min(random.below(16));
        format!("{}{}", FAMILY[skew], GIVEN[random.below(16)])
    };
    let (red, black) = (name(), name());
    let year = 1950 + random.below(75);
    Tags {
        event: format!("{year}年全国象棋比赛第{}站", random.below(8) + 1),
        date: format!("{year}.{:02}.{:02}", random.below(12) + 1, random.below(28) + 1),
        red,
        black,
        result: ["1-0", "1-0", "0-1", "1/2-1/2", "1/2-1/2"][random.below(5)],
    }
}

/// A PGN of `games` games of about `plies` half-moves, with each move written
/// by `write` (position before it, the move).
pub fn pgn(
    seed: u64,
    games: usize,
    plies: usize,
    format: &str,
    write: &dyn Fn(&Position, Move) -> String,
) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    for _ in 0..games {
        game(&mut random, plies, format, write, &mut text);
    }
    text
}

/// Appends one game.
pub fn game(
    random: &mut Random,
    plies: usize,
    format: &str,
    write: &dyn Fn(&Position, Move) -> String,
    text: &mut String,
) {
    let tags = tags(random);
    let _ = write!(
        text,
        "[Game \"Chinese Chess\"]\n[Event \"{}\"]\n[Date \"{}\"]\n[Red \"{}\"]\n[Black \"{}\"]\n\
         [Result \"{}\"]\n[Format \"{format}\"]\n\n",
        tags.event, tags.date, tags.red, tags.black, tags.result
    );
    let mut position = Position::start();
    for (i, mv) in moves(random, plies).into_iter().enumerate() {
        if i % 2 == 0 {
            let _ = write!(text, "{}. ", i / 2 + 1);
        }
        text.push_str(&write(&position, mv));
        text.push(if i % 10 == 9 { '\n' } else { ' ' });
        position.make(mv);
    }
    text.push_str(tags.result);
    text.push_str("\n\n");
}

/// H2-E2.
pub fn iccs(_: &Position, mv: Move) -> String {
    let text = mv.to_string().to_uppercase();
    format!("{}-{}", &text[..2], &text[2..])
}
