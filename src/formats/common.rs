//! What several readers and writers of formats share.

use crate::board::{Color, Piece as Man, PieceKind};
use crate::finding::{Code, Finding, Place};
use crate::formats::Piece;
use crate::record::{FormatId, Header, Origin, Record, Span};

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

/// A record of a format, with its place filled in.
pub(crate) fn record(id: FormatId, piece: &Piece) -> Record {
    Record {
        origin: Origin { format: id, game: 1, offset: piece.offset, ..Origin::default() },
        ..Record::default()
    }
}

/// Adds a header of a binary format; empty values are not there.
pub(crate) fn header(record: &mut Record, name: &str, value: String) {
    if !value.trim().is_empty() {
        record.headers.push(Header { name: name.to_owned(), value, span: Span::default() });
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
