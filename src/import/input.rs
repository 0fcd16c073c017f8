//! The bytes of an input on their way to a format: the head is looked at
//! before the format is known, and everything that passes is hashed.

use std::fmt;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// How much of an input a format sees before it says whether it is its own.
pub const HEAD_BYTES: usize = 64 << 10;

/// SHA-256 of a whole input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileHash(pub [u8; 32]);

/// 64 hexadecimal digits.
impl fmt::Display for FileHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for FileHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Is shown every byte that passes, in order.
pub(crate) type Tap<'a> = &'a mut dyn FnMut(&[u8]);

/// An input with its head read, which shows the tap what is taken from it.
pub(crate) struct Input<'a> {
    reader: Box<dyn Read + Send + 'a>,
    head: Vec<u8>,
    /// Bytes of the head that have been handed out.
    taken: usize,
    complete: bool,
    bytes: u64,
    tap: Option<Tap<'a>>,
}

impl<'a> Input<'a> {
    /// Reads the head.
    pub(crate) fn new(
        mut reader: Box<dyn Read + Send + 'a>,
        tap: Option<Tap<'a>>,
    ) -> io::Result<Input<'a>> {
        let mut head = Vec::new();
        // One byte more tells whether there is more.
        (&mut reader).take(HEAD_BYTES as u64 + 1).read_to_end(&mut head)?;
        let complete = head.len() <= HEAD_BYTES;
        Ok(Input { reader, head, taken: 0, complete, bytes: 0, tap })
    }

    /// The first bytes.
    pub(crate) fn head(&self) -> &[u8] {
        self.head.get(..HEAD_BYTES).unwrap_or(&self.head)
    }

    /// Whether [`Input::head`] is everything.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// Passes what the format left, then gives the length of the whole.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(self.bytes)
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.head.get(self.taken..).unwrap_or_default();
        let n = if rest.is_empty() {
            self.reader.read(buffer)?
        } else {
            let n = rest.len().min(buffer.len());
            buffer[..n].copy_from_slice(&rest[..n]);
            self.taken += n;
            n
        };
        let passed = &buffer[..n];
        self.bytes += n as u64;
        if let Some(tap) = &mut self.tap {
            tap(passed);
        }
        Ok(n)
    }
}

/// Takes the hash of what passes by.
#[derive(Default)]
pub(crate) struct Hasher(Sha256);

impl Hasher {
    pub(crate) fn pass(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> FileHash {
        FileHash(self.0.finalize().into())
    }
}

/// The hash of an input, read from start to end.
pub(crate) fn hash_all(mut reader: impl Read) -> io::Result<FileHash> {
    let mut hash = Hasher::default();
    let mut buffer = vec![0; HEAD_BYTES];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(hash.finish()),
            Ok(n) => hash.pass(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_is_shown_even_when_little_is_read() {
        let bytes: Vec<u8> = (0..HEAD_BYTES * 3).map(|i| (i % 251) as u8).collect();
        let mut seen = Vec::new();
        let mut tap = |part: &[u8]| seen.extend_from_slice(part);
        let mut input = Input::new(Box::new(&bytes[..]), Some(&mut tap)).unwrap();
        assert_eq!(input.head(), &bytes[..HEAD_BYTES]);
        assert!(!input.is_complete());
        let mut few = [0; 10];
        input.read_exact(&mut few).unwrap();
        assert_eq!(few, bytes[..10]);
        assert_eq!(input.finish().unwrap(), bytes.len() as u64);
        assert_eq!(seen, bytes);
    }

    #[test]
    fn the_hash_of_nothing_is_the_published_one() {
        let input = Input::new(Box::new(&b""[..]), None).unwrap();
        assert!(input.is_complete());
        assert_eq!(input.finish().unwrap(), 0);
        // FIPS 180-4, SHA-256 of the empty message.
        assert_eq!(
            hash_all(&b""[..]).unwrap().to_string(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }
}
