//! Bytes to a record.

use super::keys::{self, Keys};
use super::layout::{
    FROM_SHIFT, HEADER, MAGIC, PIECES, PLAY_STEP, RESULT, TEXTS, TO_SHIFT, TYPE, TYPES, VERSION,
    VERSION_LAST, VERSION_PLAIN, WHO_PLAY,
};
use crate::board::{Color, Move, Position, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::formats::bytes::{Bytes, Field};
use crate::formats::coded::Fields;
use crate::formats::common::{self, MEN};
use crate::formats::{Limits, Piece as Input};
use crate::record::{NodeId, Record, Start, Written};

/// Reads the one game of a file.
pub(super) fn read(input: &Input, limits: &Limits) -> Record {
    let bytes = Bytes::of(input);
    let mut record = common::record(super::ID, input);
    let version = VERSION.number(bytes) as u8;
    let whole = bytes.slice(0, 2) == Some(MAGIC);
    // Where the first bytes are lost, the sniffer saw the tree of a file
    // without keys.
    let version = if whole { version } else { VERSION_PLAIN };
    record.origin.version = Some(version.to_string());
    if !whole {
        common::damage(&mut record, Code::Corrupt, bytes.offset(0), "no-magic");
    }
    if version > VERSION_LAST {
        record.findings.push(
            Finding::new(Code::UnsupportedFormat, Place::offset(bytes.offset(VERSION.at)))
                .reason("newer-version")
                .param("version", version),
        );
    }
    if bytes.len() < HEADER {
        common::damage(&mut record, Code::Truncated, bytes.offset(bytes.len()), "header");
    } else if !keys::sum_fits(bytes) {
        common::damage(&mut record, Code::Corrupt, bytes.offset(0x0c), "key-sum");
    }
    let keys = Keys::of(bytes, version);
    let plain;
    let tree = if version > VERSION_PLAIN {
        plain = keys.decrypt(bytes.from(HEADER));
        Bytes::new(&plain, bytes.offset(HEADER))
    } else {
        Bytes::new(bytes.from(HEADER), bytes.offset(HEADER))
    };
    let remarks = Reader { bytes: tree, keys, version, limits, record: &mut record }.tree();

    let texts: Vec<(Field, &[u8])> =
        TEXTS.into_iter().map(|field| (field, pascal(bytes, field))).collect();
    let all = texts.iter().map(|(_, text)| *text);
    let mut fields = Fields::decide(all.chain(remarks.iter().map(|remark| remark.text)));
    record.origin.encoding = fields.name();
    for (field, text) in texts {
        let value = fields.decode(text, bytes.offset(field.at + 1), field.key);
        common::header(&mut record, field.key, value);
    }
    for remark in &remarks {
        let text = fields.decode(remark.text, remark.offset, "comment");
        record.tree.comment(remark.node, false, text);
    }
    numbers(&mut record, bytes, whole);
    if whole {
        start(&mut record, bytes, &keys, version);
    }
    common::settle_start(&mut record);
    fields.findings(&mut record.findings);
    record
}

/// The bytes of a text field. The length byte of bad files exceeds the field.
fn pascal(bytes: Bytes<'_>, field: Field) -> &[u8] {
    let length = bytes.u8(field.at).unwrap_or(0) as usize;
    bytes.up_to(field.at + 1, length.min(field.size - 1))
}

/// Result, kind of record and the step that is shown on opening.
fn numbers(record: &mut Record, bytes: Bytes<'_>, whole: bool) {
    if whole {
        result(record, RESULT.number(bytes), bytes.offset(RESULT.at));
    }
    let kind = TYPE.number(bytes);
    match TYPES.get(kind as usize) {
        // What also stands where nobody chose anything.
        _ if kind == 0 => {}
        Some(name) => common::header(record, TYPE.key, (*name).to_owned()),
        None => common::header(record, TYPE.key, kind.to_string()),
    }
    let step = PLAY_STEP.number(bytes);
    if step != 0 && whole {
        common::header(record, PLAY_STEP.key, step.to_string());
    }
}

/// The result. Number 4 has no official meaning; all files that have it are
/// games that were drawn by their titles.
fn result(record: &mut Record, code: u32, offset: u64) {
    if code == 4 {
        record.findings.push(
            Finding::new(Code::DialectRead, Place::offset(offset)).reason("result-four-is-draw"),
        );
    }
    common::result_code(record, if code == 4 { 3 } else { code });
}

/// The start position. Who moves first is stored but seldom right, so the
/// colour of the first moved piece decides.
fn start(record: &mut Record, bytes: Bytes<'_>, keys: &Keys, version: u8) {
    let Some(raw) = bytes.array::<32>(PIECES.at) else { return };
    let mut position = Position::empty();
    for (slot, piece) in MEN.into_iter().enumerate() {
        let from = keys.place(slot, version);
        let value = raw[from].wrapping_sub(keys.pieces);
        if let Some(square) = square(value) {
            common::put(record, &mut position, square, piece, bytes.offset(PIECES.at + from));
        }
    }
    if WHO_PLAY.number(bytes) == 1 {
        position.set_side(Color::Black);
    }
    record.start = Start::Board { position: Box::new(position), side_known: false };
}

/// A square number: file * 10 + rank.
fn square(value: u8) -> Option<Square> {
    if value < 90 { Square::at((value / 10) as i8, (value % 10) as i8) } else { None }
}

/// The bytes of a comment and where they belong.
struct Remark<'a> {
    node: NodeId,
    offset: u64,
    text: &'a [u8],
}

struct Reader<'a, 'r> {
    bytes: Bytes<'a>,
    keys: Keys,
    version: u8,
    limits: &'r Limits,
    record: &'r mut Record,
}

impl<'a> Reader<'a, '_> {
    /// Reads the tree into the record. Each record of the file is met once,
    /// and the parents that still wait for an alternative lie on a stack, so
    /// time and memory follow the size of the file.
    fn tree(mut self) -> Vec<Remark<'a>> {
        let mut remarks = Vec::new();
        let mut waiting: Vec<NodeId> = Vec::new();
        let mut parent = NodeId::ROOT;
        let mut at = 0;
        let mut root = true;
        loop {
            let Some(head) = self.bytes.array::<4>(at) else {
                self.truncated(at, root);
                break;
            };
            let (child, sibling, remark) = self.flags(head[2]);
            let node = if root {
                NodeId::ROOT
            } else if self.record.tree.len() >= self.limits.moves {
                self.too_many_moves(at);
                return remarks;
            } else {
                self.record.tree.add(parent, self.written(head, at))
            };
            at += 4;
            if remark {
                let Some(stored) = self.bytes.u32(at) else {
                    self.truncated(at, false);
                    break;
                };
                at += 4;
                let (text, whole) = self.comment(stored, at);
                if !text.is_empty() {
                    remarks.push(Remark { node, offset: self.bytes.offset(at), text });
                }
                at += text.len();
                if !whole {
                    break;
                }
            }
            if sibling && !root {
                waiting.push(parent);
            }
            root = false;
            if child {
                parent = node;
            } else if let Some(next) = waiting.pop() {
                parent = next;
            } else {
                self.trailing(at);
                break;
            }
        }
        self.check_keys();
        remarks
    }

    /// XQStudio's own root record says "XQ", other writers leave it random.
    /// Where it says something else and the tree makes no sense, the keys are
    /// not those of the tree.
    fn check_keys(&mut self) {
        let off_board =
            |node: NodeId| matches!(self.record.tree.node(node).written, Written::OffBoard { .. });
        let nonsense = self.record.tree.ids().take(8).any(off_board);
        if self.version > VERSION_PLAIN && nonsense && self.bytes.slice(0, 2) != Some(MAGIC) {
            let offset = self.bytes.offset(0);
            common::damage(self.record, Code::Corrupt, offset, "keys-do-not-match");
        }
    }

    /// Whether a reply, an alternative and a comment follow.
    fn flags(&self, flags: u8) -> (bool, bool, bool) {
        if self.version <= VERSION_PLAIN {
            (flags & 0xf0 != 0, flags & 0x0f != 0, true)
        } else {
            (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
        }
    }

    fn written(&self, head: [u8; 4], at: usize) -> Written {
        let from = head[0].wrapping_sub(FROM_SHIFT).wrapping_sub(self.keys.from);
        let to = head[1].wrapping_sub(TO_SHIFT).wrapping_sub(self.keys.to);
        let offset = self.bytes.offset(at);
        match (square(from), square(to)) {
            (Some(from), Some(to)) => Written::Squares { mv: Move::new(from, to), offset },
            _ => Written::OffBoard { raw: (from, to), offset },
        }
    }

    /// The bytes of a comment, and whether all were there.
    fn comment(&mut self, stored: u32, at: usize) -> (&'a [u8], bool) {
        let length = if self.version <= VERSION_PLAIN {
            Some(stored)
        } else {
            stored.checked_sub(self.keys.comment)
        };
        let rest = self.bytes.len().saturating_sub(at);
        match length {
            Some(length) if length as usize <= rest => {
                if length as usize > self.limits.comment_bytes {
                    self.long_comment(at, length);
                    let kept = self.bytes.up_to(at, self.limits.comment_bytes);
                    return (kept, false);
                }
                (self.bytes.up_to(at, length as usize), true)
            }
            _ => {
                let offset = self.bytes.offset(at - 4);
                self.record.findings.push(
                    Finding::new(Code::Corrupt, Place::offset(offset))
                        .reason("comment-length")
                        .param("length", length.map_or_else(|| "< 0".to_owned(), |l| l.to_string()))
                        .param("rest", rest),
                );
                // A text that was cut off is worth keeping, a negative length
                // says nothing about what follows.
                let kept = if length.is_some() { rest.min(self.limits.comment_bytes) } else { 0 };
                (self.bytes.up_to(at, kept), false)
            }
        }
    }

    fn truncated(&mut self, at: usize, root: bool) {
        if root && self.bytes.len() == 0 && !self.record.findings.is_empty() {
            return;
        }
        let offset = self.bytes.offset(self.bytes.len().max(at));
        common::damage(self.record, Code::Truncated, offset, "tree");
    }

    fn too_many_moves(&mut self, at: usize) {
        let limit = self.limits.moves;
        let offset = self.bytes.offset(at);
        common::over_limit(self.record, offset, "moves", limit);
    }

    fn long_comment(&mut self, at: usize, length: u32) {
        let limit = self.limits.comment_bytes;
        let offset = self.bytes.offset(at);
        common::over_limit(self.record, offset, "comment-bytes", limit);
        if let Some(last) = self.record.findings.last_mut() {
            last.params.push(("length", length.to_string()));
        }
    }

    /// Bytes behind a complete tree belong to nothing.
    fn trailing(&mut self, at: usize) {
        let rest = self.bytes.len().saturating_sub(at);
        if rest > 0 {
            self.record.findings.push(
                Finding::new(Code::Corrupt, Place::offset(self.bytes.offset(at)))
                    .severity(Severity::Note)
                    .reason("trailing-bytes")
                    .param("bytes", rest),
            );
        }
    }
}
