//! The library of CCBridge 3: header, index, and records in slots of 4096
//! bytes, each a CBR image.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::layout::{
    CAPACITY, ENTRY_BYTES, ENTRY_GUID, ENTRY_LENGTH, ENTRY_STATE, HEADER, MAGIC, SLOT, TEXTS,
    VERSION,
};
use crate::finding::{Code, Finding, Place};
use crate::formats::bytes::Bytes;
use crate::formats::cbr;
use crate::formats::coded::Wide;
use crate::formats::{Limits, Piece, common};
use crate::record::Record;

/// What the index says of a record.
struct Entry {
    state: u32,
    length: usize,
}

/// A live record; others are free or have been replaced by a newer one.
const LIVE: u32 = 7;
const SUPERSEDED: u32 = 5;

/// Reads all records. Those that were replaced or deleted but are still in the
/// file are read too and say so in the header `LibraryState`.
pub(super) fn read(
    input: &Piece,
    limits: &Limits,
    emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
) {
    let bytes = Bytes::of(input);
    let mut first = common::record(super::ID, input);
    let mut library = Record::default();
    let mut wide = Wide::default();
    for field in TEXTS {
        let text = bytes.up_to(field.at, field.size);
        let value = wide.field(text, bytes.offset(field.at), field.key);
        common::header(&mut library, field.key, value);
    }
    wide.findings(&mut first.findings);
    let version = VERSION.number(bytes);
    if version != 3 {
        first.findings.push(
            Finding::new(Code::UnsupportedFormat, Place::offset(bytes.offset(VERSION.at)))
                .reason("newer-version")
                .param("version", version),
        );
    }
    let index = index(bytes, &mut first);
    let mut pending = Some(first);
    let mut game = 0;
    let slots = slots(bytes);
    for (number, at) in slots.iter().copied().enumerate() {
        if game >= limits.games {
            let mut last = pending.take().unwrap_or_else(|| common::record(super::ID, input));
            common::over_limit(&mut last, bytes.offset(at), "games", limits.games as usize);
            let _ = emit(last);
            return;
        }
        let next = slots.get(number + 1).copied().unwrap_or(bytes.len());
        let guid = bytes.array::<16>(at + cbr::GUID.at).map(common::guid).unwrap_or_default();
        let entry = index.get(&guid);
        let length = entry.map_or(next - at, |entry| entry.length.min(next - at));
        game += 1;
        let mut record = pending
            .take()
            .unwrap_or_else(|| Record { findings: Vec::new(), ..common::record(super::ID, input) });
        record.origin.game = game;
        record.origin.offset = bytes.offset(at);
        let image = Bytes::new(bytes.up_to(at, length), bytes.offset(at));
        cbr::image(image, limits, &mut record);
        record.origin.version = Some(version.to_string());
        library_headers(&mut record, &library, game == 1);
        state(&mut record, entry, bytes.offset(at));
        if emit(record).is_break() {
            return;
        }
    }
    if let Some(mut empty) = pending {
        empty.headers = library.headers;
        empty.findings.push(Finding::new(Code::NoGame, Place::WHOLE));
        let _ = emit(empty);
    }
}

/// The library's name goes with each record, its remarks, which may fill a
/// book, only with the first.
fn library_headers(record: &mut Record, library: &Record, first: bool) {
    let headers = library.headers.iter().filter(|header| first || header.name == TEXTS[0].key);
    record.headers.extend(headers.cloned());
}

fn state(record: &mut Record, entry: Option<&Entry>, offset: u64) {
    let (state, reason) = match entry.map(|entry| entry.state) {
        Some(LIVE) => return,
        Some(SUPERSEDED) => ("superseded".to_owned(), "record-superseded"),
        Some(other) => (other.to_string(), "record-state"),
        None => ("not in the index".to_owned(), "record-not-in-index"),
    };
    record.findings.push(
        Finding::new(Code::DialectRead, Place::offset(offset))
            .reason(reason)
            .param("state", &state),
    );
    common::header(record, "LibraryState", state);
}

/// The entries of the index by the GUID of their record.
fn index(bytes: Bytes<'_>, record: &mut Record) -> HashMap<String, Entry> {
    let capacity = CAPACITY.number(bytes) as usize;
    let room = bytes.len().saturating_sub(HEADER) / ENTRY_BYTES;
    if bytes.len() < HEADER {
        common::damage(record, Code::Truncated, bytes.offset(bytes.len()), "library-header");
    } else if capacity > room {
        record.findings.push(
            Finding::new(Code::Corrupt, Place::offset(bytes.offset(CAPACITY.at)))
                .reason("index-capacity")
                .param("capacity", capacity),
        );
    }
    let mut entries = HashMap::new();
    for number in 0..capacity.min(room) {
        let at = HEADER + number * ENTRY_BYTES;
        let entry = Bytes::new(bytes.up_to(at, ENTRY_BYTES), bytes.offset(at));
        let length = ENTRY_LENGTH.number(entry) as usize;
        if length == 0 {
            continue;
        }
        let text = entry.up_to(ENTRY_GUID.at, ENTRY_GUID.size);
        let guid = Wide::default().field(text, bytes.offset(at), ENTRY_GUID.key);
        entries.insert(guid, Entry { state: ENTRY_STATE.number(entry), length });
    }
    entries
}

/// Where records begin: the slots that carry the magic bytes. Some writers put
/// the first record elsewhere than the capacity of the index says; then the
/// magic bytes are looked for, and the slots are counted from there.
fn slots(bytes: Bytes<'_>) -> Vec<usize> {
    let capacity = CAPACITY.number(bytes) as usize;
    let stated = capacity.checked_mul(ENTRY_BYTES).and_then(|index| index.checked_add(HEADER));
    let begins = |at: usize| cbr::begins(bytes.from(at));
    let search = || {
        let after = bytes.from(HEADER.min(bytes.len()));
        memchr::memmem::find(after, cbr::MAGIC).map(|found| HEADER + found)
    };
    let Some(first) = stated.filter(|at| begins(*at)).or_else(search) else { return Vec::new() };
    (first..bytes.len()).step_by(SLOT).filter(|at| begins(*at)).collect()
}

/// Whether bytes begin as a library does.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}
