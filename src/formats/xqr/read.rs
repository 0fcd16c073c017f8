//! Bytes to a record.

use super::{block, flag};
use crate::board::{Move, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::formats::bytes::Bytes;
use crate::formats::{Limits, Piece, common, text_input};
use crate::record::{NodeId, Record, Span, Start, Written};

/// Reads the one game of a file.
pub(super) fn read(piece: &Piece, limits: &Limits) -> Record {
    let bytes = Bytes::of(piece);
    let mut record = common::record(super::ID, piece);
    record.origin.encoding = Some("utf-8");
    let mut at = 0;
    let mut closed = false;
    let mut lost = 0usize;
    while let (Some(kind), Some(length)) = (bytes.u8(at), bytes.u8(at + 1)) {
        let begin = at;
        at += 2;
        if kind == block::MOVES {
            // The tree ends when it is complete, whatever the length says.
            let Some(next) = tree(&mut record, bytes, at, limits, &mut lost) else {
                at = bytes.len();
                closed = true;
                break;
            };
            at = next;
            continue;
        }
        let Some(data) = bytes.slice(at, length as usize) else { break };
        at += data.len();
        match kind {
            block::MAGIC => {}
            block::VERSION => record.origin.version = data.first().map(u8::to_string),
            block::RESULT => {
                common::result_code(&mut record, u32::from(data.first().copied().unwrap_or(0)));
            }
            block::FEN => {
                let text = utf8(data, &mut lost);
                record.start = Start::Fen { text, span: Span::default() };
            }
            block::CRC => {
                check_sum(&mut record, bytes, begin, data);
                closed = true;
                break;
            }
            _ => {
                let key = block::TEXTS.iter().find(|(text, _)| *text == kind);
                let name = key.map_or_else(|| format!("Field{kind}"), |(_, key)| (*key).to_owned());
                if key.is_none() {
                    record.findings.push(
                        Finding::new(Code::Corrupt, Place::offset(bytes.offset(begin)))
                            .severity(Severity::Warning)
                            .reason("block-type")
                            .param("type", kind),
                    );
                }
                let value = utf8(data, &mut lost);
                common::header(&mut record, &name, value);
            }
        }
    }
    if !closed {
        common::damage(&mut record, Code::Truncated, bytes.offset(bytes.len()), "blocks");
    } else if at < bytes.len() {
        record.findings.push(
            Finding::new(Code::Corrupt, Place::offset(bytes.offset(at)))
                .severity(Severity::Note)
                .reason("trailing-bytes")
                .param("bytes", bytes.len() - at),
        );
    }
    if lost > 0 {
        record.findings.push(
            Finding::new(Code::EncodingReplaced, Place::offset(bytes.offset(0)))
                .param("count", lost)
                .param("encoding", "utf-8"),
        );
    }
    common::settle_start(&mut record);
    record
}

fn utf8(data: &[u8], lost: &mut usize) -> String {
    let text = String::from_utf8_lossy(data);
    if matches!(text, std::borrow::Cow::Owned(_)) {
        *lost += text.matches(char::REPLACEMENT_CHARACTER).count();
    }
    text_input::plain_lines(&text)
}

/// CRC-32 of everything before the block, the lowest byte first.
fn check_sum(record: &mut Record, bytes: Bytes<'_>, begin: usize, data: &[u8]) {
    let mut crc = flate2::Crc::new();
    crc.update(bytes.up_to(0, begin));
    if data != crc.sum().to_le_bytes() {
        common::damage(record, Code::Corrupt, bytes.offset(begin), "check-sum");
    }
}

/// The tree, depth first; where it ends, or nothing when it is damaged.
fn tree(
    record: &mut Record,
    bytes: Bytes<'_>,
    begin: usize,
    limits: &Limits,
    lost: &mut usize,
) -> Option<usize> {
    let mut waiting: Vec<NodeId> = Vec::new();
    let mut parent = NodeId::ROOT;
    let mut at = begin;
    loop {
        let root = at == begin;
        let Some([from, to, flags, _]) = bytes.array::<4>(at) else {
            common::damage(record, Code::Truncated, bytes.offset(bytes.len()), "tree");
            return None;
        };
        let offset = bytes.offset(at);
        if record.tree.len() >= limits.moves {
            common::over_limit(record, offset, "moves", limits.moves);
            return None;
        }
        let node = if root {
            NodeId::ROOT
        } else {
            let written = match (square(from), square(to)) {
                (Some(from), Some(to)) => Written::Squares { mv: Move::new(from, to), offset },
                _ => Written::OffBoard { raw: (from, to), offset },
            };
            record.tree.add(parent, written)
        };
        at += 4;
        if flags & flag::COMMENT != 0 {
            let length = bytes.u32(at).map(|length| length as usize);
            let text = length.and_then(|length| bytes.slice(at + 4, length));
            let Some(text) = text else {
                record.findings.push(
                    Finding::new(Code::Corrupt, Place::offset(bytes.offset(at)))
                        .reason("comment-length")
                        .param("length", length.unwrap_or(0))
                        .param("rest", bytes.len().saturating_sub(at + 4)),
                );
                return None;
            };
            let kept = text.get(..limits.comment_bytes).unwrap_or(text);
            if kept.len() < text.len() {
                common::over_limit(record, offset, "comment-bytes", kept.len());
            }
            let words = utf8(kept, lost);
            if !words.is_empty() {
                record.tree.comment(node, false, words);
            }
            at += 4 + text.len();
        }
        if flags & flag::SIBLING != 0 && !root {
            waiting.push(parent);
        }
        if flags & flag::CHILD != 0 {
            parent = node;
        } else if let Some(next) = waiting.pop() {
            parent = next;
        } else {
            return Some(at);
        }
    }
}

/// Rank from the top in the high nibble, file from Red's left in the low.
fn square(value: u8) -> Option<Square> {
    Square::at((value & 15) as i8, 9 - (value >> 4) as i8)
}
