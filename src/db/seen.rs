//! Whether moves may have been seen before.

/// Bits of a content hash that count: a table of 2 MiB, of which a million
/// games fill 6 %.
const BITS: u32 = 24;

/// The content hashes of the games of a database, or rather a sketch of them:
/// it takes moves that are new for known now and then, and never the reverse.
#[derive(Debug)]
pub(crate) struct Seen {
    table: Vec<u64>,
}

impl Seen {
    /// Of a database without games.
    pub(crate) fn nothing() -> Seen {
        Seen { table: vec![0; 1 << (BITS - 6)] }
    }

    /// Notes a game; tells whether one with its hash may have come before.
    pub(crate) fn note(&mut self, content_hash: i64) -> bool {
        // The hash is the beginning of a SHA-256: any of its bits will do.
        let bit = content_hash as usize & ((1 << BITS) - 1);
        let Some(word) = self.table.get_mut(bit >> 6) else { return true };
        let mask = 1 << (bit & 63);
        let before = *word & mask != 0;
        *word |= mask;
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_game_that_was_noted_is_forgotten() {
        let mut seen = Seen::nothing();
        let hashes = [0, 1, -1, i64::MIN, i64::MAX, 0x0123_4567_89ab_cdef];
        let new = hashes.map(|hash| !seen.note(hash));
        // The last but one shares its low bits with -1, the fourth with 0.
        assert_eq!(new, [true, true, true, false, false, true]);
        assert!(hashes.iter().all(|hash| seen.note(*hash)));
    }
}
