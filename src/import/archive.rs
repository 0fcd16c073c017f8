//! Archives in place: members of .zip, .7z and .tar, and what .gz and .zst hold,
//! also one inside the other, as entries of their own called `archive!member`.
//!
//! What an archive is, its first bytes say, not its name. Bounds keep an
//! archive that unpacks to far more than it is from filling memory or time.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Sender, bounded};
use sevenz_rust2::{ArchiveReader, EntryDecision};

use super::entry::Entry;
use super::reading::ReadError;
use crate::text::{self, Encoding};

/// Bytes that show what an archive is: a tar says so at 257.
const HEAD: usize = 512;
/// Members that wait for whoever takes them.
const AHEAD: usize = 4;

/// Memory for the dictionary of a .7z, and for its directory, in KiB.
const SEVEN_ZIP_MEMORY_KIB: usize = 128 << 10;

/// How much of an archive is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Members of one archive, those of inner archives included.
    pub members: u64,
    /// Bytes of one member.
    pub member_bytes: u64,
    /// Bytes of all members, whatever the size of the archive.
    pub free_bytes: u64,
    /// How many times its own size an archive may unpack to beyond that.
    pub ratio: u64,
    /// Archives inside each other.
    pub depth: u32,
}

impl Default for ArchiveLimits {
    fn default() -> ArchiveLimits {
        ArchiveLimits {
            members: 10_000_000,
            member_bytes: 256 << 20,
            free_bytes: 4 << 30,
            ratio: 100,
            depth: 4,
        }
    }
}

/// The kinds of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zip,
    SevenZip,
    Tar,
    Gzip,
    Zstd,
    /// Known, and not read.
    Other(&'static str),
}

fn kind(head: &[u8]) -> Option<Kind> {
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        Some(Kind::Zip)
    } else if head.get(257..262) == Some(b"ustar") {
        Some(Kind::Tar)
    } else if head.starts_with(&[0x1f, 0x8b, 8]) {
        Some(Kind::Gzip)
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        Some(Kind::Zstd)
    } else if head.starts_with(b"7z\xbc\xaf\x27\x1c") {
        Some(Kind::SevenZip)
    } else if head.starts_with(b"Rar!\x1a\x07") {
        Some(Kind::Other("rar"))
    } else {
        None
    }
}

/// Puts the members of archives in the place of the archives; other entries
/// pass. Standard input is not looked into.
pub fn open_archives(
    entries: impl Iterator<Item = Result<Entry, ReadError>> + Send,
    limits: ArchiveLimits,
) -> impl Iterator<Item = Result<Entry, ReadError>> + Send {
    entries.flat_map(move |entry| -> Box<dyn Iterator<Item = _> + Send> {
        match entry {
            Ok(entry) if entry.is_repeatable() => match entry.open().and_then(head_of) {
                Ok((head, _)) if kind(&head).is_some() => Box::new(members(entry, limits)),
                // Whoever opens the entry meets the error again.
                _ => Box::new(std::iter::once(Ok(entry))),
            },
            other => Box::new(std::iter::once(other)),
        }
    })
}

/// The members of an archive. A thread of its own unpacks them, a few ahead.
fn members(
    archive: Entry,
    limits: ArchiveLimits,
) -> impl Iterator<Item = Result<Entry, ReadError>> + Send {
    let (sender, receiver) = bounded(AHEAD);
    let unpack = move || {
        let size = archive.size().unwrap_or(0);
        let allowed = limits.free_bytes.saturating_add(size.saturating_mul(limits.ratio));
        let mut unpacker = Unpacker { limits, allowed, bytes: 0, members: 0, sender };
        let name = archive.path().to_owned();
        let _ = unpacker.unpack(&name, Source::Entry(archive), 0);
    };
    // Without a thread to spare, the archive counts as unreadable.
    let failed = thread::Builder::new()
        .name("archive".to_owned())
        .spawn(unpack)
        .err()
        .map(|source| Err(ReadError { path: "archive".to_owned(), source }));
    receiver.into_iter().chain(failed)
}

/// The first bytes of a reader, and the reader behind them.
fn head_of(mut reader: Box<dyn Read + Send>) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut head = Vec::with_capacity(HEAD);
    (&mut reader).take(HEAD as u64).read_to_end(&mut head)?;
    Ok((head, reader))
}

/// Where the bytes of an archive are.
enum Source {
    Entry(Entry),
    Bytes(Arc<[u8]>),
}

trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl Source {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        match self {
            Source::Entry(entry) => entry.open(),
            Source::Bytes(bytes) => Ok(Box::new(Cursor::new(Arc::clone(bytes)))),
        }
    }

    /// A zip has its directory at the end. Entries that are no files are kept
    /// in memory for it, within the bound on a member.
    fn seekable(&self, limits: &ArchiveLimits) -> io::Result<Box<dyn ReadSeek>> {
        match self {
            Source::Entry(entry) => {
                if let Some(path) = entry.file_path() {
                    return Ok(Box::new(File::open(path)?));
                }
                let mut bytes = Vec::new();
                entry.open()?.take(limits.member_bytes + 1).read_to_end(&mut bytes)?;
                within(bytes.len() as u64, limits)?;
                Ok(Box::new(Cursor::new(bytes)))
            }
            Source::Bytes(bytes) => Ok(Box::new(Cursor::new(Arc::clone(bytes)))),
        }
    }
}

fn too_much(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the archive unpacks to too much: {what}"))
}

fn within(bytes: u64, limits: &ArchiveLimits) -> io::Result<()> {
    if bytes > limits.member_bytes { Err(too_much("a member is too long")) } else { Ok(()) }
}

/// Goes through an archive and all inside it.
struct Unpacker {
    limits: ArchiveLimits,
    /// Bytes that may come out in all.
    allowed: u64,
    bytes: u64,
    members: u64,
    sender: Sender<Result<Entry, ReadError>>,
}

/// Stops when nobody takes the members any more, or a bound is met.
type Flow = ControlFlow<()>;

impl Unpacker {
    fn send(&self, found: Result<Entry, ReadError>) -> Flow {
        match self.sender.send(found) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn fail(&self, path: &str, source: io::Error) -> Flow {
        self.send(Err(ReadError { path: path.to_owned(), source }))
    }

    /// Unpacks what `source` holds; `depth` archives are around it.
    fn unpack(&mut self, name: &str, source: Source, depth: u32) -> Flow {
        let opened = source.open().and_then(head_of);
        let (head, rest) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.fail(name, error),
        };
        let reader: Box<dyn Read + Send> = Box::new(Cursor::new(head.clone()).chain(rest));
        if depth >= self.limits.depth {
            return self.fail(name, too_much("archives inside archives"));
        }
        match kind(&head) {
            Some(Kind::Zip) => match source.seekable(&self.limits) {
                Ok(reader) => self.zip(name, reader, depth),
                Err(error) => self.fail(name, error),
            },
            Some(Kind::SevenZip) => match source.seekable(&self.limits) {
                Ok(reader) => self.seven_zip(name, reader, depth),
                Err(error) => self.fail(name, error),
            },
            Some(Kind::Tar) => self.tar(name, reader, depth),
            Some(packed @ (Kind::Gzip | Kind::Zstd)) => self.packed(name, source, packed, depth),
            Some(Kind::Other(which)) => self.fail(
                name,
                io::Error::new(
                    io::ErrorKind::Unsupported,
                    format!("{which} archives are not read; unpack it first"),
                ),
            ),
            None => match source {
                Source::Entry(entry) => self.send(Ok(entry)),
                Source::Bytes(bytes) => self.send(Ok(Entry::bytes(name, bytes))),
            },
        }
    }

    /// One compressed file, or a compressed tar.
    fn packed(&mut self, name: &str, source: Source, kind: Kind, depth: u32) -> Flow {
        let inner = inner_name(name);
        let inside = source.open().and_then(|reader| unpacked(kind, reader)).and_then(head_of);
        let (head, rest) = match inside {
            Ok(inside) => inside,
            Err(error) => return self.fail(name, error),
        };
        if self::kind(&head) == Some(Kind::Tar) {
            let reader: Box<dyn Read + Send> = Box::new(Cursor::new(head).chain(rest));
            return self.tar(name, reader, depth);
        }
        drop(rest);
        let path = format!("{name}!{inner}");
        if let (Source::Entry(entry), None) = (&source, self::kind(&head)) {
            // A long file is unpacked while it is read.
            let (entry, allowed) = (entry.clone(), self.allowed);
            let open = move || -> io::Result<Box<dyn Read + Send>> {
                let reader = unpacked(kind, entry.open()?)?;
                Ok(Box::new(Bounded { reader, left: allowed }))
            };
            return self.send(Ok(Entry::opened_by(path, open)));
        }
        match source.open().and_then(|reader| unpacked(kind, reader)) {
            Ok(reader) => self.member(&path, reader, depth),
            Err(error) => self.fail(&path, error),
        }
    }

    /// Takes a member into memory, and looks into it.
    fn member(&mut self, path: &str, reader: impl Read, depth: u32) -> Flow {
        self.members += 1;
        if self.members > self.limits.members {
            let _ = self.fail(path, too_much("too many members"));
            return ControlFlow::Break(());
        }
        let mut bytes = Vec::new();
        let left = self.allowed.saturating_sub(self.bytes);
        let room = self.limits.member_bytes.min(left);
        let read = reader.take(room.saturating_add(1)).read_to_end(&mut bytes);
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if let Err(error) = read {
            return self.fail(path, error);
        }
        if self.bytes > self.allowed {
            let _ = self.fail(path, too_much("more than its size can hold"));
            return ControlFlow::Break(());
        }
        if let Err(error) = within(bytes.len() as u64, &self.limits) {
            return self.fail(path, error);
        }
        if kind(&bytes).is_some() {
            return self.unpack(path, Source::Bytes(bytes.into()), depth + 1);
        }
        self.send(Ok(Entry::bytes(path, bytes)))
    }

    fn tar(&mut self, name: &str, reader: Box<dyn Read + Send>, depth: u32) -> Flow {
        let mut archive = tar::Archive::new(reader);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.fail(name, error),
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                // After a damaged header nothing can be found.
                Err(error) => return self.fail(name, error),
            };
            if !entry.header().entry_type().is_file() {
                continue;
            }
            let path = format!("{name}!{}", file_name(&entry.path_bytes()));
            self.member(&path, entry, depth)?;
        }
        ControlFlow::Continue(())
    }

    fn zip(&mut self, name: &str, reader: Box<dyn ReadSeek>, depth: u32) -> Flow {
        let mut archive = match zip::ZipArchive::new(reader) {
            Ok(archive) => archive,
            Err(error) => return self.fail(name, error.into()),
        };
        for index in 0..archive.len() {
            match archive.by_index(index) {
                Ok(member) if !member.is_file() => {}
                Ok(member) => {
                    let path = format!("{name}!{}", file_name(member.name_raw()));
                    self.member(&path, member, depth)?;
                }
                // Encrypted, or compressed in a way of its own.
                Err(error) => {
                    let path = format!("{name}!{}", index + 1);
                    self.fail(&path, error.into())?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn seven_zip(&mut self, name: &str, reader: Box<dyn ReadSeek>, depth: u32) -> Flow {
        let password = sevenz_rust2::Password::empty();
        let opened = ArchiveReader::new_with_memory_limit(reader, password, SEVEN_ZIP_MEMORY_KIB);
        let mut archive = match opened {
            Ok(archive) => archive,
            Err(error) => return self.fail(name, broken(error)),
        };
        archive.set_thread_count(1);
        // Members are packed one after the other and must be unpacked to get
        // at the next, wanted or not.
        let promised = archive.archive().files.iter().map(|file| u128::from(file.size()));
        if promised.sum::<u128>() > u128::from(self.allowed.saturating_sub(self.bytes)) {
            return self.fail(name, too_much("more than its size can hold"));
        }
        let mut flow = ControlFlow::Continue(());
        let read = archive.for_each_entries_with_decision(|member, reader| {
            if member.is_directory() {
                return Ok(EntryDecision::Continue);
            }
            flow = self.member(&format!("{name}!{}", member.name()), reader, depth);
            Ok(if flow.is_break() { EntryDecision::Stop } else { EntryDecision::Continue })
        });
        flow?;
        match read {
            Ok(()) => ControlFlow::Continue(()),
            // Encrypted, damaged, or compressed in a way of its own.
            Err(error) => self.fail(name, broken(error)),
        }
    }
}

fn broken(error: sevenz_rust2::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

/// What a compressed stream holds. Several gzip members follow each other in
/// some files; a frame of zstd may ask for a window of up to 128 MiB.
fn unpacked(kind: Kind, reader: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    if kind == Kind::Gzip {
        return Ok(Box::new(flate2::read::MultiGzDecoder::new(reader)));
    }
    let mut decoder = zstd::Decoder::new(reader)?;
    decoder.window_log_max(27)?;
    Ok(Box::new(decoder))
}

/// The name without the ending of the packer.
fn inner_name(name: &str) -> &str {
    let file = name.rsplit(['/', '\\', '!']).next().unwrap_or(name);
    match file.rsplit_once('.') {
        Some((inner, ending))
            if ["gz", "zst", "zstd"].iter().any(|known| ending.eq_ignore_ascii_case(known)) =>
        {
            inner
        }
        _ => file,
    }
}

/// A name of a member. Old archivers write it in the code page of their
/// country and do not say so.
fn file_name(bytes: &[u8]) -> String {
    if let Ok(name) = std::str::from_utf8(bytes) {
        return name.to_owned();
    }
    let found = text::detect(bytes, &|_| 0);
    let encoding = if found.confidence < 0.2 { Encoding::Gb18030 } else { found.encoding };
    text::decode(bytes, encoding).text
}

/// Fails beyond a number of bytes.
struct Bounded {
    reader: Box<dyn Read + Send>,
    left: u64,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(too_much("more than its size can hold")),
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn all(entry: Entry, limits: ArchiveLimits) -> Vec<Result<(String, Vec<u8>), String>> {
        open_archives(std::iter::once(Ok(entry)), limits)
            .map(|found| match found {
                Ok(entry) => {
                    let mut bytes = Vec::new();
                    match entry.open().and_then(|mut reader| reader.read_to_end(&mut bytes)) {
                        Ok(_) => Ok((entry.path().to_owned(), bytes)),
                        Err(error) => Err(error.to_string()),
                    }
                }
                Err(error) => Err(error.to_string()),
            })
            .collect()
    }

    fn tar_of(members: &[(&[u8], &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, bytes) in members {
            let mut header = tar::Header::new_ustar();
            header.as_old_mut().name[..name.len()].copy_from_slice(name);
            header.set_size(bytes.len() as u64);
            header.set_entry_type(tar::EntryType::Regular);
            header.set_cksum();
            builder.append(&header, *bytes).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            let options = zip::write::SimpleFileOptions::default();
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn gz_of(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn seven_zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = sevenz_rust2::ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
        for (name, bytes) in members {
            let entry = sevenz_rust2::ArchiveEntry::new_file(name);
            writer.push_archive_entry(entry, Some(*bytes)).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn members_of_all_kinds_come_by_name() {
        // 谱.pgn in GBK.
        let inner = tar_of(&[(b"a.pgn", b"one"), (b"\xc6\xd7.pgn", b"two")]);
        let packed = zstd::encode_all(&inner[..], 1).unwrap();
        let seven =
            seven_zip_of(&[("象/e.pgn", b"five"), ("f.pgn.gz", &gz_of(b"six")), ("g", b"")]);
        let zip = zip_of(&[
            ("x/b.pgn", b"three"),
            ("c.tar.zst", &packed),
            ("d.pgn.gz", &gz_of(b"four")),
            ("e.7z", &seven),
        ]);
        let found = all(Entry::bytes("t.zip", zip), ArchiveLimits::default());
        let names: Vec<(String, Vec<u8>)> = found.into_iter().map(Result::unwrap).collect();
        let expected = [
            ("t.zip!x/b.pgn", "three"),
            ("t.zip!c.tar.zst!a.pgn", "one"),
            ("t.zip!c.tar.zst!谱.pgn", "two"),
            ("t.zip!d.pgn.gz!d.pgn", "four"),
            ("t.zip!e.7z!象/e.pgn", "five"),
            ("t.zip!e.7z!f.pgn.gz!f.pgn", "six"),
            ("t.zip!e.7z!g", ""),
        ];
        let expected: Vec<(String, Vec<u8>)> =
            expected.map(|(name, bytes)| (name.to_owned(), bytes.as_bytes().to_vec())).to_vec();
        assert_eq!(names, expected);
    }

    #[test]
    fn a_file_that_is_no_archive_passes_and_a_packed_one_is_streamed() {
        let plain = all(Entry::bytes("a.pgn", b"[Event]".to_vec()), ArchiveLimits::default());
        assert_eq!(plain, [Ok(("a.pgn".to_owned(), b"[Event]".to_vec()))]);
        let packed = all(Entry::bytes("a.pgn.gz", gz_of(b"moves")), ArchiveLimits::default());
        assert_eq!(packed, [Ok(("a.pgn.gz!a.pgn".to_owned(), b"moves".to_vec()))]);
    }

    #[test]
    fn bombs_are_stopped() {
        let limits = ArchiveLimits {
            members: 3,
            member_bytes: 1 << 20,
            free_bytes: 2 << 20,
            ratio: 1,
            depth: 2,
        };
        let zeros = vec![0; 3 << 20];
        let long = all(Entry::bytes("t.zip", zip_of(&[("a", &zeros), ("b", b"x")])), limits);
        assert!(long[0].as_ref().is_err_and(|error| error.contains("too long")));
        assert_eq!(long[1], Ok(("t.zip!b".to_owned(), b"x".to_vec())));

        let part = &zeros[..1 << 20];
        let much = zip_of(&[("a", part), ("b", part), ("c", part)]);
        let much = all(Entry::bytes("t.zip", much), limits);
        assert!(much.last().is_some_and(|last| last.as_ref().is_err_and(|e| e.contains("size"))));

        let long = all(Entry::bytes("t.7z", seven_zip_of(&[("a", &zeros[..3 << 19])])), limits);
        assert!(long[0].as_ref().is_err_and(|error| error.contains("too long")));
        let much = all(Entry::bytes("t.7z", seven_zip_of(&[("a", part), ("b", &zeros)])), limits);
        assert!(much[0].as_ref().is_err_and(|error| error.contains("size")) && much.len() == 1);

        let stream = all(Entry::bytes("t.gz", gz_of(&zeros)), limits);
        assert!(stream[0].as_ref().is_err_and(|error| error.contains("size")));

        let members: Vec<(&[u8], &[u8])> = vec![(b"a", b"1"); 5];
        let many = all(Entry::bytes("t.tar", tar_of(&members)), limits);
        assert_eq!(many.iter().filter(|found| found.is_ok()).count(), 3);

        let nested = zip_of(&[("i.zip", &zip_of(&[("j.zip", &zip_of(&[("k", b"x")]))]))]);
        let nested = all(Entry::bytes("t.zip", nested), limits);
        assert!(nested[0].as_ref().is_err_and(|error| error.contains("inside")));
    }

    #[test]
    fn damaged_and_foreign_archives_say_so() {
        let mut tar = tar_of(&[(b"a", b"one"), (b"b", b"two")]);
        tar[1024 + 148..1024 + 156].fill(b'7');
        let found = all(Entry::bytes("t.tar", tar), ArchiveLimits::default());
        assert!(found[0].is_ok() && found[1].is_err());
        let found =
            all(Entry::bytes("t.zip", b"PK\x03\x04rubbish".to_vec()), ArchiveLimits::default());
        assert!(found[0].is_err());
        let rar = b"Rar!\x1a\x07\0".to_vec();
        let found = all(Entry::bytes("t.rar", rar), ArchiveLimits::default());
        assert!(found[0].as_ref().is_err_and(|error| error.contains("rar")));
    }

    #[test]
    fn a_7z_flipped_or_cut_anywhere_gives_its_members_or_an_error() {
        let whole = seven_zip_of(&[("a.pgn", b"1. C2=5 H8+7"), ("b.pgn", b"another")]);
        for at in 0..whole.len() {
            for broken in [whole[..at].to_vec(), {
                let mut flipped = whole.clone();
                flipped[at] ^= 0x41;
                flipped
            }] {
                let found = all(Entry::bytes("t.7z", broken.clone()), ArchiveLimits::default());
                assert!(!found.is_empty(), "nothing at all from {at}");
                let is_archive = kind(&broken) == Some(Kind::SevenZip);
                let sound = found.iter().all(Result::is_ok) && found.len() == 2;
                assert!(!is_archive || sound || found.iter().any(Result::is_err), "{at}");
            }
        }
    }
}
