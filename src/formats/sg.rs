//! SG, fixed records of 1192 bytes, one game each: read.
//!
//! The format has no description; the layout (`grammars/sg.layout`) was found
//! in 997 games, whose moves it makes legal.

use std::ops::ControlFlow;

use super::bytes::{Bytes, Field, Kind};
use super::coded::Fields;
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::board::{Color, Move, Piece as Man, PieceKind, Position, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::record::{FormatId, NodeId, Record, Start, Written};

const ID: FormatId = FormatId("sg");

/// Bytes of a record.
const RECORD: usize = 1192;
const RED: Field = Field::new(0x00, 32, Kind::Bytes, "Red");
const BLACK: Field = Field::new(0x20, 32, Kind::Bytes, "Black");
const RESULT: Field = Field::new(0x40, 8, Kind::Bytes, "Result");
const DATE: Field = Field::new(0x48, 10, Kind::Bytes, "Date");
const PIECES: Field = Field::new(0x52, 128, Kind::Bytes, "Pieces");
const MOVES: Field = Field::new(0xd2, 900, Kind::Bytes, "Moves");
const TAIL: Field = Field::new(0x456, 6, Kind::Bytes, "Tail");

/// Ends the moves.
const END: u8 = b'\t';
/// Added to each square of a move.
const SHIFT: u8 = 10;
/// What the tail says in every game that was seen.
const USUAL_TAIL: &[u8] = b"0 1 1 ";

/// The format.
#[derive(Debug)]
pub struct Sg;

impl Format for Sg {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "SG game records",
            title_zh: "SG 棋谱",
            extensions: &["sg"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let bytes = Bytes::new(head.bytes, 0);
        let Some(pieces) = bytes.slice(PIECES.at, PIECES.size) else { return Confidence::No };
        let numbers = pieces.chunks_exact(4).all(|word| {
            word.ends_with(b" ") && word.iter().all(|byte| byte.is_ascii_digit() || *byte == b' ')
        });
        let date = bytes.up_to(DATE.at, DATE.size);
        let dated = date.iter().all(|byte| byte.is_ascii_digit() || b"- /.".contains(byte));
        if numbers && dated { Confidence::Certain } else { Confidence::No }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let bytes = Bytes::of(piece);
        let games = bytes.len().div_ceil(RECORD).max(1);
        let texts = (0..games).flat_map(|game| {
            [RED, BLACK].map(|field| bytes.up_to(game * RECORD + field.at, field.size))
        });
        let decided = Fields::decide(texts);
        for number in 0..games {
            let mut record = common::record(ID, piece);
            let at = number * RECORD;
            record.origin.game = u32::try_from(number + 1).unwrap_or(u32::MAX);
            record.origin.offset = bytes.offset(at);
            record.origin.encoding = decided.name();
            if number > 0 {
                record.findings.clear();
            }
            if record.origin.game > limits.games {
                common::over_limit(&mut record, bytes.offset(at), "games", limits.games as usize);
                let _ = emit(record);
                return;
            }
            let game = Bytes::new(bytes.up_to(at, RECORD), bytes.offset(at));
            read(&mut record, game, decided.fresh());
            if emit(record).is_break() {
                return;
            }
        }
    }
}

fn read(record: &mut Record, game: Bytes<'_>, mut fields: Fields) {
    for field in [RED, BLACK, DATE] {
        let text = game.up_to(field.at, field.size);
        let value = fields.decode(text, game.offset(field.at), field.key);
        common::header(record, field.key, value.trim().to_owned());
    }
    fields.findings(&mut record.findings);
    result(record, game);
    start(record, game);
    let stored = game.up_to(MOVES.at, MOVES.size);
    let end = stored.iter().position(|byte| *byte == END);
    let mut last = NodeId::ROOT;
    for (number, pair) in
        stored.get(..end.unwrap_or(stored.len())).unwrap_or(stored).chunks(2).enumerate()
    {
        let offset = game.offset(MOVES.at + 2 * number);
        let [from, to] = *pair else {
            common::damage(record, Code::Corrupt, offset, "odd-bytes");
            break;
        };
        let (from, to) = (from.wrapping_sub(SHIFT), to.wrapping_sub(SHIFT));
        let written = match (square(from), square(to)) {
            (Some(from), Some(to)) => Written::Squares { mv: Move::new(from, to), offset },
            _ => Written::OffBoard { raw: (from, to), offset },
        };
        last = record.tree.add(last, written);
    }
    if end.is_none() {
        let code = if game.len() < RECORD { Code::Truncated } else { Code::Corrupt };
        common::damage(record, code, game.offset(game.len().min(TAIL.at)), "moves");
    }
    let tail = game.up_to(TAIL.at, TAIL.size);
    if tail != USUAL_TAIL && !tail.is_empty() {
        common::header(record, TAIL.key, String::from_utf8_lossy(tail).trim().to_owned());
    }
    common::settle_start(record);
}

/// `R+c` and `B+c`: Red or Black won; `D==`: a draw; `---`: not known. What
/// stands behind the plus is kept.
fn result(record: &mut Record, game: Bytes<'_>) {
    let stored = String::from_utf8_lossy(game.up_to(RESULT.at, RESULT.size)).trim().to_owned();
    let value = match stored.chars().next() {
        Some('R') => "1-0",
        Some('B') => "0-1",
        Some('D') => "1/2-1/2",
        _ => "*",
    };
    common::header(record, RESULT.key, value.to_owned());
    if !matches!(stored.as_str(), "D==" | "---" | "") {
        common::header(record, "ResultCode", stored);
    }
}

/// The kinds of the 16 men of a side, in the order of the format.
const ORDER: [PieceKind; 16] = {
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, Horse, King, Pawn};
    [
        Pawn, Pawn, Pawn, Pawn, Pawn, Cannon, Cannon, Horse, Horse, Chariot, Chariot, Elephant,
        Elephant, Advisor, Advisor, King,
    ]
};

/// The start position: 32 numbers of three digits and a blank. A number less
/// 52 is row * 16 + file, the rows from the top; 0 is off the board.
fn start(record: &mut Record, game: Bytes<'_>) {
    let mut position = Position::empty();
    for (slot, word) in game.up_to(PIECES.at, PIECES.size).chunks_exact(4).enumerate() {
        let color = if slot < 16 { Color::Red } else { Color::Black };
        let piece = Man::new(color, ORDER[slot % 16]);
        let offset = game.offset(PIECES.at + 4 * slot);
        let number =
            std::str::from_utf8(word).ok().and_then(|word| word.trim().parse::<i16>().ok());
        let cell = number.and_then(|number| number.checked_sub(52)).filter(|cell| *cell >= 0);
        let at =
            cell.and_then(|cell| Square::at((cell % 16) as i8, i8::try_from(9 - cell / 16).ok()?));
        match (at, number) {
            (Some(at), _) => common::put(record, &mut position, at, piece, offset),
            (None, Some(0)) => {}
            _ => record.findings.push(
                Finding::new(Code::Corrupt, Place::offset(offset))
                    .severity(Severity::Warning)
                    .reason("piece-square")
                    .param("value", String::from_utf8_lossy(word).trim()),
            ),
        }
    }
    record.start = Start::Board { position: Box::new(position), side_known: false };
}

/// file * 10 + rank from the top.
fn square(value: u8) -> Option<Square> {
    Square::at((value / 10) as i8, 9 - (value % 10) as i8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_says_the_same() {
        let all = [RED, BLACK, RESULT, DATE, PIECES, MOVES, TAIL];
        crate::formats::bytes::tests::same_as_grammar("sg.layout", "record", &all);
    }

    /// A record of our own making.
    fn game() -> Vec<u8> {
        let mut bytes = vec![b' '; RECORD];
        bytes[..3].copy_from_slice(b"Jia");
        bytes[0x20..0x22].copy_from_slice(b"Yi");
        bytes[RESULT.at..RESULT.at + 3].copy_from_slice(b"R+c");
        bytes[DATE.at..DATE.at + 10].copy_from_slice(b"2004-11-02");
        let start = "148 150 152 154 156 165 171 197 203 196 204 198 202 199 201 200 \
                     100 102 104 106 108 085 091 053 059 052 060 054 058 055 057 056 ";
        bytes[PIECES.at..PIECES.at + 128].copy_from_slice(start.as_bytes());
        // 相三进五 马8进7: g0 is 69 and e2 47, h9 is 70 and g7 62.
        bytes[MOVES.at..MOVES.at + 5].copy_from_slice(&[79, 57, 80, 72, END]);
        bytes[TAIL.at..TAIL.at + 6].copy_from_slice(USUAL_TAIL);
        bytes[TAIL.at + 6..].fill(0);
        bytes
    }

    #[test]
    fn a_record_gives_names_result_and_moves() {
        let bytes = [game(), game()].concat();
        let head = Head { bytes: &bytes, complete: true, extension: "" };
        assert_eq!(Sg.sniff(&head), Confidence::Certain);
        let mut records = Vec::new();
        let piece = Piece { bytes, ..Piece::default() };
        Sg.read(&piece, &Limits::default(), &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        assert_eq!(records.len(), 2);
        let record = &records[1];
        assert!(record.findings.is_empty(), "{:?}", record.findings);
        assert_eq!(record.origin.offset, 1192);
        assert_eq!(record.header("red"), Some("Jia"));
        assert_eq!(record.header("result"), Some("1-0"));
        assert_eq!(record.header("resultcode"), Some("R+c"));
        assert_eq!(record.start, Start::Standard);
        assert_eq!(common::legal_plies(record), 2);
    }
}
