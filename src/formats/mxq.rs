//! MXQ, the records of 弈天 (Yitian): read.
//!
//! Strings, each behind a length byte: eleven about the game, the word
//! `Moves`, one string for each move, `Ends`, `CommentsEnd`.

use std::ops::ControlFlow;

use super::bytes::Bytes;
use super::coded::Fields;
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::board::{Move, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::record::{FormatId, NodeId, Record, Written};

const ID: FormatId = FormatId("mxq");

/// The strings before the moves. 6 to 10 have no known names; they look like
/// time settings and the seconds that were left.
const KEYS: [&str; 11] = [
    "Site",
    "Date",
    "Players",
    "RedRating",
    "BlackRating",
    "Field6",
    "Field7",
    "Field8",
    "Field9",
    "Field10",
    "Ending",
];

/// Between the players stands Red's result, in either script.
const RESULTS: [(&str, &str); 5] =
    [("-胜-", "1-0"), ("-勝-", "1-0"), ("-和-", "1/2-1/2"), ("-负-", "0-1"), ("-負-", "0-1")];

/// The format.
#[derive(Debug)]
pub struct Mxq;

impl Format for Mxq {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "Yitian game record",
            title_zh: "弈天棋谱",
            extensions: &["mxq"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let bytes = Bytes::new(head.bytes, 0);
        let mut at = 0;
        for _ in 0..16 {
            match string(bytes, at) {
                Some((b"Moves", _)) => return Confidence::Certain,
                Some((_, next)) => at = next,
                None => break,
            }
        }
        Confidence::No
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let _ = emit(read(piece, limits));
    }
}

/// The string at `at`, and where the next one is.
fn string(bytes: Bytes<'_>, at: usize) -> Option<(&[u8], usize)> {
    let length = bytes.u8(at)? as usize;
    Some((bytes.slice(at + 1, length)?, at + 1 + length))
}

fn read(piece: &Piece, limits: &Limits) -> Record {
    let bytes = Bytes::of(piece);
    let mut record = common::record(ID, piece);
    let mut texts: Vec<(usize, &[u8])> = Vec::new();
    let mut remarks: Vec<(usize, &[u8])> = Vec::new();
    let mut at = 0;
    let mut stage = Stage::Header;
    let mut last = NodeId::ROOT;
    while stage != Stage::Done {
        let Some((text, next)) = string(bytes, at) else {
            common::damage(&mut record, Code::Truncated, bytes.offset(bytes.len()), "moves");
            if at < bytes.len() {
                remarks.push((at + 1, bytes.from(at + 1)));
            }
            break;
        };
        match (stage, text) {
            (Stage::Header, b"Moves") => stage = Stage::Moves,
            (Stage::Header, _) => texts.push((at + 1, text)),
            (Stage::Moves, b"Ends") => stage = Stage::Remarks,
            (Stage::Moves, _) => {
                if record.tree.len() >= limits.moves {
                    common::over_limit(&mut record, bytes.offset(at), "moves", limits.moves);
                    break;
                }
                last = a_move(&mut record, last, text, bytes.offset(at + 1));
            }
            (Stage::Remarks, b"CommentsEnd") => stage = Stage::Done,
            (Stage::Remarks, _) => remarks.push((at + 1, text)),
            (Stage::Done, _) => {}
        }
        at = next;
    }
    if stage == Stage::Done && at < bytes.len() {
        record.findings.push(
            Finding::new(Code::Corrupt, Place::offset(bytes.offset(at)))
                .severity(Severity::Note)
                .reason("trailing-bytes")
                .param("bytes", bytes.len() - at),
        );
    }
    let all = texts.iter().chain(&remarks).map(|(_, text)| *text);
    let mut fields = Fields::decide(all);
    record.origin.encoding = fields.name();
    for (number, (at, text)) in texts.into_iter().enumerate() {
        let key = KEYS.get(number).copied().unwrap_or("Extra");
        let value = fields.decode(text, bytes.offset(at), key);
        if key == "Players" {
            players(&mut record, value);
        } else {
            common::header(&mut record, key, value);
        }
    }
    for (at, text) in remarks {
        let text = fields.decode(text, bytes.offset(at), "comment");
        if !text.trim().is_empty() {
            record.tree.comment(NodeId::ROOT, false, text);
        }
    }
    fields.findings(&mut record.findings);
    common::settle_start(&mut record);
    record
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Header,
    Moves,
    Remarks,
    Done,
}

/// `红方-胜-黑方`: the players and the result.
fn players(record: &mut Record, value: String) {
    let found = RESULTS.iter().find_map(|(words, code)| Some((value.split_once(words)?, *code)));
    match found {
        Some(((red, black), code)) => {
            common::header(record, "Red", red.to_owned());
            common::header(record, "Black", black.to_owned());
            common::header(record, "Result", code.to_owned());
        }
        None => common::header(record, "Players", value),
    }
}

/// `7C-4C`: file from Red's left, rank as a letter from Red's side.
fn a_move(record: &mut Record, last: NodeId, text: &[u8], offset: u64) -> NodeId {
    let square = |file: u8, rank: u8| {
        let rank = rank.to_ascii_uppercase();
        Square::at(file.wrapping_sub(b'0') as i8, rank.wrapping_sub(b'A') as i8)
    };
    let [a, b, b'-', c, d] = *text else {
        record.findings.push(
            Finding::new(Code::UnreadableMove, Place::offset(offset))
                .text(String::from_utf8_lossy(text)),
        );
        return record.tree.add(last, Written::Placeholder(crate::record::Span::default()));
    };
    let raw = |file: u8, rank: u8| common::packed(file.wrapping_sub(b'0'), rank.wrapping_sub(b'A'));
    let written = match (square(a, b), square(c, d)) {
        (Some(from), Some(to)) => Written::Squares { mv: Move::new(from, to), offset },
        _ => Written::OffBoard { raw: (raw(a, b), raw(c, d)), offset },
    };
    record.tree.add(last, written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(strings: &[&str]) -> Piece {
        let mut bytes = Vec::new();
        for text in strings {
            let (text, _, _) = encoding_rs::GB18030.encode(text);
            bytes.push(text.len() as u8);
            bytes.extend_from_slice(&text);
        }
        Piece { bytes, ..Piece::default() }
    }

    const HEAD: [&str; 11] =
        ["论坛", "2003年5月22日", "甲-负-乙", "1", "2", "1", "1", "0", "8", "0", "认负"];

    #[test]
    fn players_result_and_moves_are_read() {
        let mut strings = HEAD.to_vec();
        strings.extend(["Moves", "7C-4C", "7J-6H", "Ends", "好局", "CommentsEnd"]);
        let piece = file(&strings);
        let head = Head { bytes: &piece.bytes, complete: true, extension: "" };
        assert_eq!(Mxq.sniff(&head), Confidence::Certain);
        let record = read(&piece, &Limits::default());
        assert!(record.findings.is_empty(), "{:?}", record.findings);
        assert_eq!(record.header("red"), Some("甲"));
        assert_eq!(record.header("black"), Some("乙"));
        assert_eq!(record.header("result"), Some("0-1"));
        assert_eq!(record.header("ending"), Some("认负"));
        assert_eq!(record.tree.comments[0].text, "好局");
        let moves: Vec<_> =
            record.tree.main_line().map(|node| record.tree.node(node).written).collect();
        assert!(matches!(moves[0], Written::Squares { mv, .. } if mv.to_string() == "h2e2"));
        assert!(matches!(moves[1], Written::Squares { mv, .. } if mv.to_string() == "h9g7"));
    }

    #[test]
    fn a_move_that_is_none_and_an_end_that_is_missing_are_found() {
        let mut strings = HEAD.to_vec();
        strings.extend(["Moves", "7C-4C", "炮", "7Z-4C"]);
        let record = read(&file(&strings), &Limits::default());
        let codes: Vec<Code> = record.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::UnreadableMove, Code::Truncated]);
        assert_eq!(record.tree.len(), 3);
    }
}
