//! In which notation a game is written, told by its words.

use super::shape::Shapes;
use crate::notation::Notation;

/// How often the words of a game are moves of each notation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    counts: [u32; Notation::ALL.len()],
    /// Words that are moves of one notation alone decide before the others.
    proofs: [u32; Notation::ALL.len()],
}

impl Tally {
    /// Counts a word.
    #[inline]
    pub(crate) fn add(&mut self, shapes: Shapes) {
        let bits = shapes.bits();
        if bits.is_power_of_two() {
            if let Some(count) = self.proofs.get_mut(bits.trailing_zeros() as usize) {
                *count += 1;
            }
            return;
        }
        let mut left = bits;
        while left != 0 {
            if let Some(count) = self.counts.get_mut(left.trailing_zeros() as usize) {
                *count += 1;
            }
            left &= left - 1;
        }
    }

    /// The notation that fits most words; `hint`, what a header claims, wins a
    /// draw, and needs at least one word of its own.
    pub(crate) fn notation(&self, hint: Option<Notation>) -> Option<Notation> {
        let score = |n: Notation| {
            let i = n as usize;
            let count = self.counts.get(i).copied().unwrap_or(0);
            let proof = self.proofs.get(i).copied().unwrap_or(0);
            let all = count + proof;
            (all, proof, u32::from(hint == Some(n)))
        };
        Notation::ALL
            .into_iter()
            .filter(|n| score(*n).0 > 0)
            // The earlier of equals: the order of `ALL` is the order of use.
            .min_by_key(|n| {
                let (all, proof, hinted) = score(*n);
                std::cmp::Reverse((all, hinted, proof))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::movetext::shape::latin;

    #[test]
    fn the_tally_decides() {
        let tally = |words: &[&str]| {
            let mut tally = Tally::default();
            for word in words {
                tally.add(latin(word.as_bytes(), 0).map_or(Shapes::DAMAGED, |s| s.shapes));
            }
            tally
        };
        assert_eq!(tally(&["P2-5", "M8.7"]).notation(None), Some(Notation::Vietnamese));
        assert_eq!(tally(&["C2.5", "H8+7"]).notation(None), Some(Notation::Wxf));
        assert_eq!(tally(&["h2e2", "h10g8"]).notation(None), Some(Notation::Uci));
        assert_eq!(tally(&["h2e2", "h9g7"]).notation(Some(Notation::Wxf)), Some(Notation::Iccs));
        assert_eq!(tally(&[]).notation(None), None);
    }
}
