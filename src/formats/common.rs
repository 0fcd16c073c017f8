//! What several readers and writers of formats share.

use std::fmt::Write as _;

use crate::board::{Color, Piece as Man, PieceKind, Position, Square};
use crate::finding::{Code, Finding, Place};
use crate::formats::Piece;
use crate::record::{FormatId, Header, NodeId, Origin, Record, Span, Start, Written, field_name};

const fn men() -> [Man; 32] {
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, Horse, King, Pawn};
    let order = [
        Chariot, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Chariot, Cannon, Cannon,
        Pawn, Pawn, Pawn, Pawn, Pawn,
    ];
    let mut men = [Man::new(Color::Red, PieceKind::King); 32];
    let mut i = 0;
    while i < 16 {
        men[i] = Man::new(Color::Red, order[i]);
        men[i + 16] = Man::new(Color::Black, order[i]);
        i += 1;
    }
    men
}

/// The order of the 32 pieces in XQF, old CBL and DhtmlXQ: 车马相仕帅仕相马车炮炮
/// 兵兵兵兵兵 for Red, then the same for Black.
pub(crate) const MEN: [Man; 32] = men();

/// The first record of a piece: its place filled in, and what was found while
/// cutting.
pub(crate) fn record(id: FormatId, piece: &Piece) -> Record {
    Record {
        origin: Origin { format: id, game: 1, offset: piece.offset, ..Origin::default() },
        findings: piece.findings.clone(),
        ..Record::default()
    }
}

/// How many plies of the main line are legal from the start, whoever begins.
pub(crate) fn legal_plies(record: &Record) -> usize {
    let mut position = match &record.start {
        Start::Board { position, .. } => position.as_ref().clone(),
        _ => Position::start(),
    };
    let mut plies = 0;
    for node in record.tree.main_line() {
        let Written::Squares { mv, .. } = record.tree.node(node).written else { break };
        if let Some(piece) = position.piece_at(mv.from).filter(|_| plies == 0) {
            position.set_side(piece.color);
        }
        if position.play(mv).is_err() {
            break;
        }
        plies += 1;
    }
    plies
}

/// The order in which a GUID spells its bytes: the first three parts are
/// little-endian.
const GUID_ORDER: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

/// A GUID in its usual spelling, such as `{970110B5-…}`.
pub(crate) fn guid(bytes: [u8; 16]) -> String {
    let mut text = String::from("{");
    for (number, at) in GUID_ORDER.into_iter().enumerate() {
        if matches!(number, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        let _ = write!(text, "{:02X}", bytes[at]);
    }
    text.push('}');
    text
}

/// The bytes of a GUID in its usual spelling.
pub(crate) fn guid_bytes(text: &str) -> Option<[u8; 16]> {
    let hex: String = text.chars().filter(|c| !matches!(c, '{' | '}' | '-')).collect();
    if hex.len() != 32 || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; 16];
    for (number, at) in GUID_ORDER.into_iter().enumerate() {
        bytes[at] = u8::from_str_radix(hex.get(2 * number..2 * number + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// Adds a header of a binary format; empty values are not there.
pub(crate) fn header(record: &mut Record, name: &str, value: String) {
    if !value.trim().is_empty() {
        record.headers.push(Header { name: field_name(name), value, span: Span::default() });
    }
}

/// The result by its number: 0 unknown, 1 Red, 2 Black, 3 draw. Other numbers
/// are kept under their own name.
pub(crate) fn result_code(record: &mut Record, code: u32) {
    let value = match code {
        0 => "*",
        1 => "1-0",
        2 => "0-1",
        3 => "1/2-1/2",
        _ => {
            header(record, "ResultCode", code.to_string());
            "*"
        }
    };
    header(record, "Result", value.to_owned());
}

/// Adds a finding at an offset of the file.
pub(crate) fn damage(record: &mut Record, code: Code, offset: u64, reason: &'static str) {
    record.findings.push(Finding::new(code, Place::offset(offset)).reason(reason));
}

/// Adds a `limit-exceeded`.
pub(crate) fn over_limit(record: &mut Record, offset: u64, reason: &'static str, limit: usize) {
    record.findings.push(
        Finding::new(Code::LimitExceeded, Place::offset(offset))
            .reason(reason)
            .param("limit", limit),
    );
}

/// Sets a piece of a start position; a second piece on a square takes the place
/// of the first.
pub(crate) fn put(
    record: &mut Record,
    position: &mut Position,
    square: Square,
    piece: Man,
    offset: u64,
) {
    if let Some(first) = position.piece_at(square) {
        record.findings.push(
            Finding::new(Code::Corrupt, Place::offset(offset))
                .reason("two-pieces-one-square")
                .param("square", square)
                .param("lost", first.letter())
                .param("kept", piece.letter()),
        );
    }
    position.put(square, piece);
}

/// A start position for which the format does not say who moves first. Where
/// it is the normal one and a red piece is moved first, it is just that.
pub(crate) fn settle_start(record: &mut Record) {
    let first = record.tree.first_child(NodeId::ROOT).map(|node| record.tree.node(node).written);
    let mover = |position: &Position| match first {
        Some(Written::Squares { mv, .. }) => position.piece_at(mv.from).map(|piece| piece.color),
        _ => None,
    };
    match &record.start {
        Start::Standard => {
            let position = Position::start();
            if mover(&position) == Some(Color::Black) {
                record.start = Start::Board { position: Box::new(position), side_known: false };
            }
        }
        Start::Board { position, side_known: false }
            if **position == Position::start()
                && position.round() == 1
                && mover(position) != Some(Color::Black) =>
        {
            record.start = Start::Standard;
        }
        _ => {}
    }
}

/// File and rank as one number, for squares off the board in formats that have
/// no number of their own for them.
pub(crate) const fn packed(file: u8, rank: u8) -> u8 {
    file.wrapping_mul(10).wrapping_add(rank)
}
