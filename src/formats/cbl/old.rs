//! The library of CCBridge 2.1: one stream, usually compressed, with texts in
//! GB18030 behind their lengths.

use std::io::Read;
use std::ops::ControlFlow;

use crate::board::{Color, Move, Position, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::formats::bytes::Bytes;
use crate::formats::coded::Fields;
use crate::formats::common::{self, MEN};
use crate::formats::{Limits, Piece};
use crate::record::{NodeId, Record, Start, Written};

/// The first eight bytes; a newer library goes on with letters.
const MAGIC: &[u8] = b"CCBridge";
/// Where the data begin.
const DATA: usize = 20;
/// The one version that is known.
const VERSION: u32 = 0x15;

/// Whether bytes begin as an old library does: the name, and then a small
/// number where newer files have letters.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) && matches!(bytes.get(8..12), Some([_, 0, 0, 0]))
}

/// A text of the file, not decoded yet.
struct Text<'a> {
    key: &'static str,
    offset: u64,
    bytes: &'a [u8],
}

/// A record before its texts are decoded.
struct Raw<'a> {
    record: Record,
    texts: Vec<Text<'a>>,
    comments: Vec<(NodeId, Text<'a>)>,
    /// The remarks on the game as a whole stand before the first move.
    remarks: Option<Text<'a>>,
}

/// Reads all records.
pub(super) fn read(
    input: &Piece,
    limits: &Limits,
    emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
) {
    let bytes = Bytes::of(input);
    let mut first = common::record(super::ID, input);
    let version = bytes.u32(8).unwrap_or(0);
    first.origin.version = Some(format!("{version:#x}"));
    if version != VERSION {
        first.findings.push(
            Finding::new(Code::UnsupportedFormat, Place::offset(bytes.offset(8)))
                .reason("newer-version")
                .param("version", version),
        );
        let _ = emit(first);
        return;
    }
    let data = inflate(bytes, limits, &mut first);
    let stream = bytes.offset(DATA);
    let packed = bytes.u32(12) != Some(0);
    let plain = Bytes::new(&data, if packed { 0 } else { stream });
    // What was found so far has places in the file.
    let mut placed = first.findings.len();
    let mut emit = |mut record: Record| {
        if packed {
            place_in_stream(&mut record, stream, std::mem::take(&mut placed));
        }
        emit(record)
    };
    let emit = &mut emit;
    let mut cursor = Cursor { bytes: plain, at: 0, end: plain.len() };
    let library = Library::read(&mut cursor);
    let mut raws = Vec::new();
    let count = library.count;
    for number in 0..count {
        if number >= limits.games {
            common::over_limit(&mut first, plain.offset(cursor.at), "games", limits.games as usize);
            break;
        }
        let Some(raw) = Raw::read(&mut cursor, number + 1, limits) else {
            first.findings.push(
                Finding::new(Code::Truncated, Place::offset(plain.offset(cursor.at)))
                    .reason("records-missing")
                    .param("missing", count - number),
            );
            break;
        };
        raws.push(raw);
    }
    if cursor.at < plain.len() && raws.len() == count as usize {
        first.findings.push(
            Finding::new(Code::Corrupt, Place::offset(plain.offset(cursor.at)))
                .severity(Severity::Note)
                .reason("trailing-bytes")
                .param("bytes", plain.len() - cursor.at),
        );
    }
    decode(first, &library, raws, emit);
}

/// An offset in the unpacked data means nothing in the file: there, all lies
/// where the compressed stream begins. Findings say the other offset too;
/// the first `placed` of them have their place.
fn place_in_stream(record: &mut Record, stream: u64, placed: usize) {
    record.origin.offset = stream;
    for finding in record.findings.iter_mut().skip(placed) {
        if let Some(point) = &mut finding.place.source {
            finding.params.push(("unpacked_offset", point.offset.to_string()));
            point.offset = stream;
        }
    }
    for id in record.tree.ids() {
        if let Written::Squares { offset, .. } | Written::OffBoard { offset, .. } =
            &mut record.tree.node_mut(id).written
        {
            *offset = stream;
        }
    }
}

/// Decodes the texts of all records by one encoding, and hands them on.
fn decode(
    mut first: Record,
    library: &Library<'_>,
    raws: Vec<Raw<'_>>,
    emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
) {
    let all = library.texts.iter().map(|text| text.bytes).chain(raws.iter().flat_map(|raw| {
        let own = raw.texts.iter().map(|text| text.bytes);
        own.chain(raw.remarks.iter().map(|text| text.bytes))
            .chain(raw.comments.iter().map(|(_, text)| text.bytes))
    }));
    let decided = Fields::decide(all);
    let mut fields = decided.fresh();
    let mut shared = Record::default();
    for text in &library.texts {
        let value = lines(fields.decode(text.bytes, text.offset, text.key));
        common::header(&mut shared, text.key, value);
    }
    fields.findings(&mut first.findings);
    if raws.is_empty() {
        first.headers = shared.headers;
        first.findings.push(Finding::new(Code::NoGame, Place::WHOLE));
        let _ = emit(first);
        return;
    }
    let mut found = std::mem::take(&mut first.findings);
    for (number, raw) in raws.into_iter().enumerate() {
        let mut fields = decided.fresh();
        let Raw { mut record, texts, comments, remarks } = raw;
        record.origin = crate::record::Origin {
            format: super::ID,
            version: first.origin.version.clone(),
            encoding: decided.name(),
            game: number as u32 + 1,
            offset: record.origin.offset,
            ..Default::default()
        };
        let coded = std::mem::take(&mut record.headers);
        for text in texts {
            let value = lines(fields.decode(text.bytes, text.offset, text.key));
            common::header(&mut record, text.key, value);
        }
        record.headers.extend(coded);
        for (node, text) in remarks.into_iter().map(|text| (NodeId::ROOT, text)).chain(comments) {
            let words = lines(fields.decode(text.bytes, text.offset, "comment"));
            if !words.is_empty() {
                record.tree.comment(node, false, words);
            }
        }
        let names = shared.headers.iter().filter(|h| number == 0 || h.name == "Library");
        record.headers.extend(names.cloned());
        fields.findings(&mut record.findings);
        record.findings.splice(0..0, std::mem::take(&mut found));
        if emit(record).is_break() {
            return;
        }
    }
}

/// `||` stands for a line break.
fn lines(text: String) -> String {
    if text.contains("||") { text.replace("||", "\n") } else { text }
}

/// The plain data. A stream that is damaged gives what comes before the damage.
fn inflate(bytes: Bytes<'_>, limits: &Limits, record: &mut Record) -> Vec<u8> {
    let stored = bytes.from(DATA);
    let stated = u64::from(bytes.u32(16).unwrap_or(0));
    if bytes.u32(12) == Some(0) {
        return stored.to_vec();
    }
    let mut data = Vec::new();
    let mut stream = flate2::read::ZlibDecoder::new(stored).take(limits.file_bytes + 1);
    if let Err(error) = stream.read_to_end(&mut data) {
        record.findings.push(
            Finding::new(Code::Corrupt, Place::offset(bytes.offset(DATA)))
                .reason("zlib-stream")
                .param("error", error)
                .param("read", data.len()),
        );
    } else if data.len() as u64 > limits.file_bytes {
        data.truncate(limits.file_bytes as usize);
        common::over_limit(record, bytes.offset(DATA), "file-bytes", limits.file_bytes as usize);
    } else if data.len() as u64 != stated {
        record.findings.push(
            Finding::new(Code::Corrupt, Place::offset(bytes.offset(16)))
                .severity(Severity::Warning)
                .reason("plain-length")
                .param("stated", stated)
                .param("read", data.len()),
        );
    }
    data
}

/// Takes one value after the other, up to an end.
struct Cursor<'a> {
    bytes: Bytes<'a>,
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    fn slice(&mut self, len: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(len).filter(|end| *end <= self.end)?;
        let slice = self.bytes.slice(self.at, len)?;
        self.at = end;
        Some(slice)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.slice(4)?.try_into().ok()?))
    }

    fn fixed(&mut self, key: &'static str, len: usize) -> Option<Text<'a>> {
        let offset = self.bytes.offset(self.at);
        Some(Text { key, offset, bytes: self.slice(len)? })
    }

    fn var(&mut self, key: &'static str) -> Option<Text<'a>> {
        let before = self.at;
        let length = self.u32()? as usize;
        let text = self.fixed(key, length);
        if text.is_none() {
            self.at = before;
        }
        text
    }
}

struct Library<'a> {
    texts: Vec<Text<'a>>,
    count: u32,
}

impl<'a> Library<'a> {
    /// The header, as far as it goes.
    fn read(cursor: &mut Cursor<'a>) -> Library<'a> {
        let mut library = Library { texts: Vec::new(), count: 0 };
        let _ = library.fill(cursor);
        library
    }

    fn fill(&mut self, cursor: &mut Cursor<'a>) -> Option<()> {
        for key in
            ["Library", "LibrarySource", "LibraryOther", "LibraryCreator", "LibraryCreatorURL"]
        {
            self.texts.push(cursor.var(key)?);
        }
        self.texts.push(cursor.fixed("LibraryDateCreated", 19)?);
        self.texts.push(cursor.fixed("LibraryDateModified", 19)?);
        self.count = cursor.u32()?;
        self.texts.push(cursor.var("LibraryRemarks")?);
        Some(())
    }
}

impl<'a> Raw<'a> {
    /// The next record; nothing when its size does not fit in what is left.
    fn read(cursor: &mut Cursor<'a>, number: u32, limits: &Limits) -> Option<Raw<'a>> {
        let begin = cursor.at;
        let size = cursor.u32()? as usize;
        let end = begin.checked_add(size)?;
        if size < 4 || begin >= cursor.end {
            return None;
        }
        let cut = end > cursor.end;
        let mut inner = Cursor { bytes: cursor.bytes, at: cursor.at, end: end.min(cursor.end) };
        let mut raw = Raw {
            record: Record::default(),
            texts: Vec::new(),
            comments: Vec::new(),
            remarks: None,
        };
        raw.record.origin.offset = cursor.bytes.offset(begin);
        raw.record.origin.game = number;
        if raw.fill(&mut inner, limits).is_none() {
            let code = if cut { Code::Truncated } else { Code::Corrupt };
            common::damage(&mut raw.record, code, cursor.bytes.offset(inner.at), "record");
        }
        cursor.at = inner.end;
        Some(raw)
    }

    fn fill(&mut self, cursor: &mut Cursor<'a>, limits: &Limits) -> Option<()> {
        let squares_at = cursor.bytes.offset(cursor.at);
        let squares = cursor.slice(32)?;
        let kind = cursor.u32()?;
        self.texts.push(cursor.var("Contest")?);
        let number = cursor.u32()?;
        for key in ["Name", "From", "Other", "Site", "Date", "Red", "Black"] {
            self.texts.push(cursor.var(key)?);
        }
        let result = cursor.u32()?;
        for key in ["Commentator", "CommentatorURL", "Recorder", "RecorderURL"] {
            self.texts.push(cursor.var(key)?);
        }
        self.remarks = Some(cursor.var("Remarks")?);
        let red_first = cursor.slice(1)?;
        self.texts.push(cursor.fixed("DateCreated", 19)?);
        self.texts.push(cursor.fixed("DateModified", 19)?);
        // Here 4 means that the result is not known.
        common::result_code(&mut self.record, if result == 4 { 0 } else { result });
        if kind != 1 {
            common::header(&mut self.record, "RecordType", kind.to_string());
        }
        self.start(squares, squares_at, red_first == [0], number);
        self.moves(cursor, limits)
    }

    fn start(&mut self, squares: &[u8], offset: u64, black_first: bool, number: u32) {
        let mut position = Position::empty();
        for (slot, (value, piece)) in squares.iter().zip(MEN).enumerate() {
            // Files and ranks count from 1 here, from 0 in moves.
            if let Some(square) = value.checked_sub(0x11).and_then(square) {
                common::put(&mut self.record, &mut position, square, piece, offset + slot as u64);
            } else if *value != 0 {
                self.record.findings.push(
                    Finding::new(Code::Corrupt, Place::offset(offset + slot as u64))
                        .reason("piece-square")
                        .param("value", format_args!("{value:#04x}")),
                );
            }
        }
        if black_first {
            position.set_side(Color::Black);
        }
        position.set_counters(0, number.clamp(1, 9999));
        self.record.start = Start::Board { position: Box::new(position), side_known: false };
    }

    /// Moves, depth first, each with its ply. A ply that is not the next one
    /// begins a variation: its move replaces the last move with that ply.
    fn moves(&mut self, cursor: &mut Cursor<'a>, limits: &Limits) -> Option<()> {
        let count = cursor.u32()? as usize;
        let mut line: Vec<NodeId> = vec![NodeId::ROOT];
        let mut nodes = Vec::new();
        for _ in 0..count {
            if self.record.tree.len() >= limits.moves {
                let offset = cursor.bytes.offset(cursor.at);
                common::over_limit(&mut self.record, offset, "moves", limits.moves);
                return Some(());
            }
            let offset = cursor.bytes.offset(cursor.at);
            let Some([low, high, from, to, ..]) = cursor.slice(6) else {
                cursor.at = cursor.end;
                return None;
            };
            let ply = usize::from(u16::from_le_bytes([*low, *high]));
            if ply == 0 || ply > line.len() {
                self.record.findings.push(
                    Finding::new(Code::Corrupt, Place::offset(offset))
                        .reason("ply-number")
                        .param("found", ply)
                        .param("expected", line.len()),
                );
            }
            // A ply from nowhere goes on with the line.
            let ply = if ply == 0 { line.len() } else { ply.min(line.len()) };
            line.truncate(ply);
            let parent = line.last().copied().unwrap_or(NodeId::ROOT);
            let written = match (square(*from), square(*to)) {
                (Some(from), Some(to)) => Written::Squares { mv: Move::new(from, to), offset },
                _ => Written::OffBoard { raw: (*from, *to), offset },
            };
            let node = self.record.tree.add(parent, written);
            line.push(node);
            nodes.push(node);
        }
        common::settle_start(&mut self.record);
        self.comments(cursor, &nodes, limits);
        Some(())
    }

    /// One comment for each move, ended by a line end.
    fn comments(&mut self, cursor: &mut Cursor<'a>, nodes: &[NodeId], limits: &Limits) {
        for node in nodes {
            let rest = cursor.bytes.up_to(cursor.at, cursor.end - cursor.at);
            let (length, next) = match memchr::memmem::find(rest, b"\r\n") {
                Some(length) => (length, length + 2),
                None => (rest.len(), rest.len()),
            };
            let offset = cursor.bytes.offset(cursor.at);
            let kept = length.min(limits.comment_bytes);
            if kept < length {
                common::over_limit(&mut self.record, offset, "comment-bytes", kept);
            }
            if length > 0 {
                let bytes = rest.get(..kept).unwrap_or(rest);
                self.comments.push((*node, Text { key: "comment", offset, bytes }));
            }
            cursor.at += next;
        }
        let rest = cursor.bytes.up_to(cursor.at, cursor.end - cursor.at);
        if rest.iter().any(|byte| !b"\r\n\0".contains(byte)) {
            let offset = cursor.bytes.offset(cursor.at);
            self.record.findings.push(
                Finding::new(Code::Corrupt, Place::offset(offset))
                    .severity(Severity::Note)
                    .reason("trailing-bytes")
                    .param("bytes", rest.len()),
            );
        }
        cursor.at = cursor.end;
    }
}

/// file * 16 + rank, both from 0, from the top left.
fn square(value: u8) -> Option<Square> {
    Square::at((value >> 4) as i8, 9 - (value & 15) as i8)
}
