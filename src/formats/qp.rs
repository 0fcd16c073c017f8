//! QP, a start position in a binary file of a few bytes, as puzzle collections
//! have them: read.
//!
//! The format has no description. In 2,979 positions the first three kinds are
//! told by the points they stand on, and the others by the one assignment in
//! which Black is nearly never in check when Red is to move.

use std::ops::ControlFlow;

use super::bytes::Bytes;
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::board::{Color, Piece as Man, PieceKind, Position, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::record::{FormatId, Record, Start};

const ID: FormatId = FormatId("qp");

/// The first bytes; a space, the number of pieces and the pieces follow.
const MAGIC: &[u8; 4] = b"ccf0";
/// Where the pieces begin.
const PIECES: usize = 6;

/// Kinds by their number; 7 more is the same of Black.
const KINDS: [PieceKind; 7] = [
    PieceKind::King,
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Chariot,
    PieceKind::Horse,
    PieceKind::Cannon,
    PieceKind::Pawn,
];

/// The format.
#[derive(Debug)]
pub struct Qp;

impl Format for Qp {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "QP position",
            title_zh: "QP 局面",
            extensions: &["qp"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        if head.bytes.starts_with(MAGIC) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, piece: &Piece, _: &Limits, emit: &mut dyn FnMut(Record) -> ControlFlow<()>) {
        let bytes = Bytes::of(piece);
        let mut record = common::record(ID, piece);
        let count = bytes.u8(5).unwrap_or(0) as usize;
        let mut position = Position::empty();
        for number in 0..count {
            let at = PIECES + 3 * number;
            let offset = bytes.offset(at);
            let Some([kind, file, rank]) = bytes.array::<3>(at) else {
                common::damage(&mut record, Code::Truncated, bytes.offset(bytes.len()), "pieces");
                break;
            };
            let color = if kind < 7 { Color::Red } else { Color::Black };
            let known = KINDS.get(usize::from(kind % 7)).filter(|_| kind < 14);
            let square =
                (file < 9 && rank < 10).then(|| Square::at(file as i8, 9 - rank as i8)).flatten();
            if let (Some(kind), Some(square)) = (known, square) {
                let man = Man::new(color, *kind);
                common::put(&mut record, &mut position, square, man, offset);
            } else {
                record.findings.push(
                    Finding::new(Code::Corrupt, Place::offset(offset))
                        .reason("piece-square")
                        .param("value", format_args!("{kind} {file} {rank}")),
                );
            }
        }
        if count == 0 {
            common::damage(&mut record, Code::Truncated, bytes.offset(bytes.len()), "pieces");
        }
        let end = PIECES + 3 * count;
        if bytes.len() > end {
            record.findings.push(
                Finding::new(Code::Corrupt, Place::offset(bytes.offset(end)))
                    .severity(Severity::Note)
                    .reason("trailing-bytes")
                    .param("bytes", bytes.len() - end),
            );
        }
        record.start = Start::Board { position: Box::new(position), side_known: false };
        let _ = emit(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_kind_file_and_rank_from_the_top() {
        // 车 on e0 against a bare king on d9: 3 = chariot, 0 = king, 7 = king.
        let bytes = b"ccf0 \x03\x00\x03\x09\x03\x04\x09\x07\x03\x00".to_vec();
        let mut records = Vec::new();
        let piece = Piece { bytes, ..Piece::default() };
        Qp.read(&piece, &Limits::default(), &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        let Start::Board { position, .. } = &records[0].start else { panic!("a board") };
        assert_eq!(position.fen_board(), "3k5/9/9/9/9/9/9/9/9/3KR4");
        assert!(records[0].findings.is_empty());
    }
}
