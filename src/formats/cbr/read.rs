//! Bytes to a record.

use super::layout::{GUID, Layout, MAGIC, V1, V2, VERSION};
use crate::board::{Color, Move, Piece, PieceKind, Position, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::formats::Limits;
use crate::formats::bytes::Bytes;
use crate::formats::coded::Wide;
use crate::formats::common;
use crate::record::{NodeId, Record, RecordTree, Start, Written};

/// Reads a record that begins at the first of `bytes` and ends with the last.
pub(crate) fn image(bytes: Bytes<'_>, limits: &Limits, record: &mut Record) {
    let version = VERSION.number(bytes);
    record.origin.version = Some(version.to_string());
    record.origin.encoding = Some("utf-16le");
    let layout = match version {
        1 => &V1,
        2 => &V2,
        _ => {
            record.findings.push(
                Finding::new(Code::UnsupportedFormat, Place::offset(bytes.offset(VERSION.at)))
                    .reason("newer-version")
                    .param("version", version),
            );
            return;
        }
    };
    if bytes.slice(0, MAGIC.len()) != Some(MAGIC) {
        common::damage(record, Code::Corrupt, bytes.offset(0), "no-magic");
    }
    let mut wide = Wide::default();
    headers(record, bytes, layout, &mut wide);
    start(record, bytes, layout);
    if version == 1 {
        oldest_tree(record, bytes, layout, limits, &mut wide);
    } else {
        Reader { bytes, limits, square: by_rank, wide: &mut wide }.tree(record, layout.tree);
    }
    common::settle_start(record);
    wide.findings(&mut record.findings);
}

fn headers(record: &mut Record, bytes: Bytes<'_>, layout: &Layout, wide: &mut Wide) {
    if let Some(guid) = bytes.array::<16>(GUID.at).filter(|guid| *guid != [0; 16]) {
        common::header(record, GUID.key, common::guid(guid));
    }
    for field in layout.texts {
        let text = bytes.up_to(field.at, field.size);
        let value = wide.field(text, bytes.offset(field.at), field.key);
        common::header(record, field.key, value);
    }
    common::result_code(record, layout.result.number(bytes));
    // A full game is the usual type.
    let kind = layout.record_type.number(bytes);
    if kind != 1 {
        common::header(record, layout.record_type.key, kind.to_string());
    }
}

/// The board, from the top left. The colour of the first moved piece decides
/// who moves first, as the stored side is not always right.
fn start(record: &mut Record, bytes: Bytes<'_>, layout: &Layout) {
    let Some(board) = bytes.slice(layout.board.at, layout.board.size) else { return };
    let mut position = Position::empty();
    for (at, code) in board.iter().enumerate() {
        if let (Some(piece), Some(square)) = (man(*code), by_rank(at as u8)) {
            position.put(square, piece);
        } else if *code >= 0x11 {
            record.findings.push(
                Finding::new(Code::Corrupt, Place::offset(bytes.offset(layout.board.at + at)))
                    .reason("piece-code")
                    .param("value", format_args!("{code:#04x}")),
            );
        }
    }
    if layout.side.number(bytes) == 2 {
        position.set_side(Color::Black);
    }
    position.set_counters(0, layout.number.number(bytes).max(1));
    record.start = Start::Board { position: Box::new(position), side_known: false };
}

/// The kinds in the order of their codes, which begin at 1.
pub(super) const KINDS: [PieceKind; 7] = [
    PieceKind::Chariot,
    PieceKind::Horse,
    PieceKind::Elephant,
    PieceKind::Advisor,
    PieceKind::King,
    PieceKind::Cannon,
    PieceKind::Pawn,
];

/// A piece of the board: colour in the high nibble, kind in the low.
fn man(code: u8) -> Option<Piece> {
    let color = match code >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    let kind = KINDS.get(usize::from(code & 15).checked_sub(1)?)?;
    Some(Piece::new(color, *kind))
}

/// How a version writes a square in a byte.
type SquareReader = fn(u8) -> Option<Square>;

/// rank * 9 + file from the top left.
pub(super) fn by_rank(value: u8) -> Option<Square> {
    if value < 90 { Square::at((value % 9) as i8, 9 - (value / 9) as i8) } else { None }
}

/// File and rank in two nibbles, counted from either side.
fn by_nibbles<const FROM_RIGHT: bool, const FROM_BOTTOM: bool>(value: u8) -> Option<Square> {
    let (file, rank) = ((value >> 4) as i8, (value & 15) as i8);
    Square::at(if FROM_RIGHT { 8 - file } else { file }, if FROM_BOTTOM { rank } else { 9 - rank })
}

/// The tree of version 1. From where its squares are counted is not known, so
/// the count that makes the longest legal line is taken.
fn oldest_tree(
    record: &mut Record,
    bytes: Bytes<'_>,
    layout: &Layout,
    limits: &Limits,
    wide: &mut Wide,
) {
    let ways: [(&str, SquareReader); 4] = [
        ("top-left", by_nibbles::<false, false>),
        ("bottom-left", by_nibbles::<false, true>),
        ("top-right", by_nibbles::<true, false>),
        ("bottom-right", by_nibbles::<true, true>),
    ];
    let mut best: Option<(usize, &str, Record, Wide)> = None;
    for (name, square) in ways {
        let mut trial = Record { start: record.start.clone(), ..Record::default() };
        let mut trial_wide = wide.clone();
        Reader { bytes, limits, square, wide: &mut trial_wide }.tree(&mut trial, layout.tree);
        let legal = common::legal_plies(&trial);
        if best.as_ref().is_none_or(|(most, ..)| legal > *most) {
            best = Some((legal, name, trial, trial_wide));
        }
    }
    if let Some((_, name, trial, trial_wide)) = best {
        record.tree = trial.tree;
        record.findings.extend(trial.findings);
        record.findings.push(
            Finding::new(Code::DialectRead, Place::offset(bytes.offset(layout.tree)))
                .reason("squares-counted-from")
                .param("corner", name),
        );
        *wide = trial_wide;
    }
}

/// Nothing follows in this line.
pub(super) const END: u8 = 1;
/// An alternative to this move follows.
pub(super) const ALTERNATIVE: u8 = 2;
/// A comment follows.
pub(super) const COMMENT: u8 = 4;

struct Reader<'a, 'r> {
    bytes: Bytes<'a>,
    limits: &'r Limits,
    square: SquareReader,
    wide: &'r mut Wide,
}

impl Reader<'_, '_> {
    fn tree(&mut self, record: &mut Record, tree: usize) {
        let bytes = self.bytes;
        let mut waiting: Vec<NodeId> = Vec::new();
        let mut parent = NodeId::ROOT;
        let mut at = tree;
        record.tree = RecordTree::with_capacity(bytes.len().saturating_sub(tree).min(4096) / 4);
        loop {
            let root = at == tree;
            let Some([flags, _, from, to]) = bytes.array::<4>(at) else {
                self.ends_early(record, at, root);
                return;
            };
            let place = bytes.offset(at);
            if flags > 7 {
                record.findings.push(
                    Finding::new(Code::Corrupt, Place::offset(place))
                        .reason("move-flags")
                        .param("value", format_args!("{flags:#04x}")),
                );
                return;
            }
            if record.tree.len() >= self.limits.moves {
                common::over_limit(record, place, "moves", self.limits.moves);
                return;
            }
            let node = if root {
                NodeId::ROOT
            } else {
                let written = match ((self.square)(from), (self.square)(to)) {
                    (Some(from), Some(to)) => {
                        Written::Squares { mv: Move::new(from, to), offset: place }
                    }
                    _ => Written::OffBoard { raw: (from, to), offset: place },
                };
                record.tree.add(parent, written)
            };
            at += 4;
            if flags & COMMENT != 0 {
                match self.comment(record, at, node) {
                    Some(next) => at = next,
                    None => return,
                }
            }
            let alternative = flags & ALTERNATIVE != 0 && !root;
            if flags & END == 0 {
                if alternative {
                    waiting.push(parent);
                }
                parent = node;
            } else if !alternative {
                let Some(next) = waiting.pop() else { return };
                parent = next;
            }
        }
    }

    /// Reads a comment; where the next record is, or nothing when the tree
    /// cannot be followed any further.
    fn comment(&mut self, record: &mut Record, at: usize, node: NodeId) -> Option<usize> {
        let bytes = self.bytes;
        let Some(length) = bytes.u32(at) else {
            self.ends_early(record, at, false);
            return None;
        };
        let (at, length) = (at + 4, length as usize);
        let rest = bytes.len().saturating_sub(at);
        let kept = length.min(rest).min(self.limits.comment_bytes);
        let text = self.wide.text(bytes.up_to(at, kept), bytes.offset(at));
        if !text.is_empty() {
            record.tree.comment(node, false, text);
        }
        if length > rest {
            record.findings.push(
                Finding::new(Code::Corrupt, Place::offset(bytes.offset(at - 4)))
                    .reason("comment-length")
                    .param("length", length)
                    .param("rest", rest),
            );
            return None;
        }
        if length > kept {
            common::over_limit(record, bytes.offset(at), "comment-bytes", kept);
        }
        Some(at + length)
    }

    /// Some programs leave out the end mark of the last line: a warning where
    /// the bytes end between two records, an error inside one.
    fn ends_early(&self, record: &mut Record, at: usize, root: bool) {
        let mut finding =
            Finding::new(Code::Truncated, Place::offset(self.bytes.offset(self.bytes.len())))
                .reason("tree");
        if at == self.bytes.len() && !root {
            finding = finding.severity(Severity::Warning);
        }
        record.findings.push(finding);
    }
}

/// Whether bytes begin as a record does.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}
