//! The positions of many games, parted by their keys.
//!
//! What does not fit into memory goes to a scratch file beside the database,
//! run by run; in a run the parts follow one another. A part is read back as a
//! whole and sorted in memory. The largest is that of the start position, which
//! every game has: 32 bytes a game while it is sorted.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Visit;

/// Bits of a key that tell its part.
pub(crate) const PART_BITS: u32 = 8;
/// Number of parts.
pub(crate) const PARTS: usize = 1 << PART_BITS;
/// Postings that are held in memory: 8 MB, and up to twice that as the parts
/// grow.
const HELD: usize = 1 << 19;
/// From so many postings on, sorting digit by digit is quicker than comparing.
const DIGITS_PAY: usize = 256;
/// From so many on, two passes over long digits are quicker than three.
const LONG_DIGITS_PAY: usize = 1 << 15;

/// A game at a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Posting {
    key: [u32; 2],
    /// Its id less the segment's first.
    pub(crate) game: u32,
    /// Packed move that was played there, or [`super::NO_MOVE`].
    pub(crate) mv: u16,
}

impl Posting {
    pub(crate) fn new(visit: Visit, game: u32) -> Posting {
        Posting { key: [(visit.key >> 32) as u32, visit.key as u32], game, mv: visit.mv }
    }

    /// The whole key.
    pub(crate) fn key(self) -> u64 {
        u64::from(self.key[0]) << 32 | u64::from(self.key[1])
    }

    /// Its upper half.
    pub(crate) fn short_key(self) -> u32 {
        self.key[0]
    }

    fn part(self) -> usize {
        (self.key[0] >> (32 - PART_BITS)) as usize
    }

    fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..4].copy_from_slice(&self.key[0].to_le_bytes());
        bytes[4..8].copy_from_slice(&self.key[1].to_le_bytes());
        bytes[8..12].copy_from_slice(&self.game.to_le_bytes());
        bytes[12..].copy_from_slice(&self.mv.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; BYTES]) -> Posting {
        let four = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        Posting {
            key: [four(0), four(4)],
            game: four(8),
            mv: u16::from_le_bytes([bytes[12], bytes[13]]),
        }
    }
}

/// Bytes of a posting in the scratch file.
const BYTES: usize = 14;

/// Postings of many games by part, in the order in which they came.
#[derive(Debug)]
pub(crate) struct Postings {
    parts: Vec<Vec<Posting>>,
    held: usize,
    /// Postings that are held at most.
    limit: usize,
    /// How many postings of each part were held at the last [`Postings::keep`].
    kept: Vec<usize>,
    folder: Option<PathBuf>,
    file: Option<Mutex<File>>,
    runs: Vec<Run>,
}

/// A stretch of the scratch file.
#[derive(Debug)]
struct Run {
    /// Where each part begins, in postings from the start of the file.
    starts: Vec<u64>,
    /// How many postings of each part count.
    lengths: Vec<usize>,
    /// How many of them count if what came since the last [`Postings::keep`]
    /// is taken back.
    kept: Vec<usize>,
    /// Where the run ends.
    end: u64,
}

impl Postings {
    /// None yet. `folder` is where a scratch file may be made; the system's
    /// own place for them is taken without.
    pub(crate) fn new(folder: Option<&Path>) -> Postings {
        Postings {
            parts: vec![Vec::new(); PARTS],
            held: 0,
            limit: HELD,
            kept: vec![0; PARTS],
            folder: folder.map(Path::to_owned),
            file: None,
            runs: Vec::new(),
        }
    }

    /// Takes postings in.
    ///
    /// # Errors
    /// When the scratch file cannot be written.
    pub(crate) fn extend(
        &mut self,
        postings: impl ExactSizeIterator<Item = Posting>,
    ) -> io::Result<()> {
        if self.held + postings.len() > self.limit {
            self.spill()?;
        }
        self.held += postings.len();
        for posting in postings {
            if let Some(part) = self.parts.get_mut(posting.part()) {
                part.push(posting);
            }
        }
        Ok(())
    }

    /// Writes what is held to the scratch file.
    fn spill(&mut self) -> io::Result<()> {
        if self.held == 0 {
            return Ok(());
        }
        if self.file.is_none() {
            // Beside the database: elsewhere there may be less room.
            self.file = Some(Mutex::new(match &self.folder {
                Some(folder) => tempfile::tempfile_in(folder)?,
                None => tempfile::tempfile()?,
            }));
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let file = file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut end = self.runs.last().map_or(0, |run| run.end);
        file.seek(SeekFrom::Start(end * BYTES as u64))?;
        let mut run = Run { starts: Vec::new(), lengths: Vec::new(), kept: self.kept.clone(), end };
        let mut bytes = Vec::new();
        for part in &self.parts {
            bytes.clear();
            bytes.extend(part.iter().flat_map(|posting| posting.to_bytes()));
            file.write_all(&bytes)?;
            run.starts.push(end);
            run.lengths.push(part.len());
            end += part.len() as u64;
        }
        run.end = end;
        self.runs.push(run);
        // Only now: where the file cannot be written, what is held must stay.
        for part in &mut self.parts {
            part.clear();
        }
        self.kept.fill(0);
        self.held = 0;
        Ok(())
    }

    /// What is there now will not be taken back.
    pub(crate) fn keep(&mut self) {
        for run in &mut self.runs {
            run.kept.clone_from(&run.lengths);
        }
        for (kept, part) in self.kept.iter_mut().zip(&self.parts) {
            *kept = part.len();
        }
    }

    /// Takes back what came since the last [`Postings::keep`].
    pub(crate) fn take_back(&mut self) {
        for run in &mut self.runs {
            run.lengths.clone_from(&run.kept);
        }
        while self.runs.pop_if(|run| run.lengths.iter().all(|length| *length == 0)).is_some() {}
        for (kept, part) in self.kept.iter().zip(&mut self.parts) {
            part.truncate(*kept);
        }
        self.held = self.kept.iter().sum();
    }

    /// Number of postings.
    pub(crate) fn len(&self) -> usize {
        let written = self.runs.iter().flat_map(|run| &run.lengths);
        self.held + written.sum::<usize>()
    }

    /// Number of postings in the largest part.
    pub(crate) fn largest_part(&self) -> usize {
        let length = |part: usize| {
            let runs = self.runs.iter().filter_map(|run| run.lengths.get(part));
            runs.sum::<usize>() + self.parts.get(part).map_or(0, Vec::len)
        };
        (0..PARTS).map(length).max().unwrap_or(0)
    }

    /// A part, sorted by key; postings with the same key stay in the order in
    /// which they came.
    ///
    /// # Errors
    /// When the scratch file cannot be read.
    pub(crate) fn part(&self, part: usize) -> io::Result<Vec<Posting>> {
        let own = self.parts.get(part).map_or(&[][..], Vec::as_slice);
        let lengths = self.runs.iter().filter_map(|run| run.lengths.get(part));
        let mut postings = Vec::with_capacity(own.len() + lengths.sum::<usize>());
        let mut bytes = Vec::new();
        for run in &self.runs {
            let (Some(file), Some(start), Some(length)) =
                (&self.file, run.starts.get(part), run.lengths.get(part))
            else {
                continue;
            };
            bytes.resize(length * BYTES, 0);
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(start * BYTES as u64))?;
            file.read_exact(&mut bytes)?;
            drop(file);
            postings.extend(bytes.as_chunks().0.iter().map(|record| Posting::from_bytes(*record)));
        }
        postings.extend_from_slice(own);
        sort_part(&mut postings);
        Ok(postings)
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for part in &mut self.parts {
            part.clear();
        }
        self.kept.fill(0);
        self.held = 0;
        self.runs.clear();
        self.file = None;
    }
}

/// Sorts a part by key and keeps the order of postings with the same key, which
/// is that of their games.
fn sort_part(postings: &mut Vec<Posting>) {
    match postings.len() {
        0..DIGITS_PAY => postings.sort_by_key(|posting| posting.key()),
        DIGITS_PAY..LONG_DIGITS_PAY => sort_by_digits::<8>(postings),
        _ => sort_by_digits::<12>(postings),
    }
}

/// By the upper half of the key digit by digit, and then the few places where
/// only the lower half differs. The bits that tell the part are the same in all.
fn sort_by_digits<const DIGIT: u32>(postings: &mut Vec<Posting>) {
    let digits = 1usize << DIGIT;
    let passes = ((32 - PART_BITS) / DIGIT) as usize;
    let digit = |posting: &Posting, pass: usize| {
        (posting.key[0] >> (pass as u32 * DIGIT)) as usize & (digits - 1)
    };
    let mut counts = vec![0usize; digits * passes];
    for posting in postings.iter() {
        for (pass, counts) in counts.chunks_exact_mut(digits).enumerate() {
            counts[digit(posting, pass)] += 1;
        }
    }
    let mut other = vec![Posting::default(); postings.len()];
    for (pass, counts) in counts.chunks_exact_mut(digits).enumerate() {
        let mut next = 0;
        for count in counts.iter_mut() {
            next += std::mem::replace(count, next);
        }
        for posting in postings.iter() {
            let place = &mut counts[digit(posting, pass)];
            other[*place] = *posting;
            *place += 1;
        }
        std::mem::swap(postings, &mut other);
    }
    for group in postings.chunk_by_mut(|a, b| a.key[0] == b.key[0]) {
        if !group.is_sorted_by_key(|posting| posting.key[1]) {
            group.sort_by_key(|posting| posting.key[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// One of the things that happen to postings.
    #[derive(Clone, Debug)]
    enum Step {
        Extend(Vec<(u64, u16)>),
        Keep,
        TakeBack,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => prop::collection::vec((any::<u64>(), any::<u16>()), 0..30).prop_map(Step::Extend),
            1 => Just(Step::Keep),
            1 => Just(Step::TakeBack),
        ]
    }

    proptest! {
        #[test]
        fn the_sort_is_stable_and_right(
            keys in prop::collection::vec((0u32..4, 0u32..3, any::<u32>()), 0..300),
            part: u8,
        ) {
            let posting = |(i, (high, low, far)): (usize, &(u32, u32, u32))| Posting {
                key: [u32::from(part) << 24 | high << 22 | far % 5, *low],
                game: i as u32,
                mv: 0,
            };
            let postings: Vec<Posting> = keys.iter().enumerate().map(posting).collect();
            let mut expected = postings.clone();
            expected.sort_by_key(|posting| posting.key());
            for sort in [sort_by_digits::<8>, sort_by_digits::<12>] {
                let mut postings = postings.clone();
                sort(&mut postings);
                prop_assert_eq!(&postings, &expected);
            }
        }

        /// Whatever is spilled, kept and taken back, a part holds what came
        /// for it, in order.
        #[test]
        fn the_scratch_file_keeps_every_posting(
            steps in prop::collection::vec(step(), 0..40),
            limit in 1usize..60,
        ) {
            let mut postings = Postings::new(None);
            postings.limit = limit;
            let (mut expected, mut kept) = (Vec::new(), 0);
            for step in steps {
                match step {
                    Step::Extend(list) => {
                        let game = expected.len() as u32;
                        let list: Vec<Posting> = list
                            .into_iter()
                            .map(|(key, mv)| Posting::new(Visit { key, mv }, game))
                            .collect();
                        postings.extend(list.iter().copied()).unwrap();
                        expected.extend(list);
                    }
                    Step::Keep => {
                        postings.keep();
                        kept = expected.len();
                    }
                    Step::TakeBack => {
                        postings.take_back();
                        expected.truncate(kept);
                    }
                }
                prop_assert_eq!(postings.len(), expected.len());
            }
            for part in 0..PARTS {
                let own = expected.iter().copied().filter(|posting| posting.part() == part);
                let mut own: Vec<Posting> = own.collect();
                own.sort_by_key(|posting| posting.key());
                prop_assert_eq!(postings.part(part).unwrap(), own);
            }
        }
    }
}
