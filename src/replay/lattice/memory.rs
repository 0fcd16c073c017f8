//! What is kept of a lattice. What can never be taken up is not. Where the
//! rest needs more memory than a sheet may have, the positions farthest behind
//! are forgotten, and the beam tells where one of them might have been taken
//! up; where the positions that were looked at fill it alone, the beam becomes
//! narrow.

use super::graph::LEAF_BYTES;
use super::layers::{Layer, Node};
use super::search::Decoder;

/// Bytes from which on it pays to look for what is not wanted any more.
pub(super) const UNTIDY: usize = 1 << 20;

/// Steps in which the distance to the best is counted, of half a nat.
const STEPS: usize = 128;

impl Decoder<'_> {
    /// Whether a way is so far behind that neither the beam nor a later search
    /// will take it up.
    pub(super) fn is_hopeless(&self, layer: Layer, alpha: f64) -> bool {
        let (of_layer, of_read) = self.graph.behind_both(layer, alpha);
        of_read > self.kept && (layer < self.turn || of_layer > self.waiting())
    }

    /// Nats behind the best of a layer up to which its nodes wait for its turn.
    fn waiting(&self) -> f64 {
        2.0 * f64::from(self.options.window)
    }

    /// Forgets what is not wanted any more; where that is not enough, what is
    /// farthest behind.
    pub(super) fn tidy(&mut self) {
        if self.graph.bytes() < self.tidy_at {
            return;
        }
        let memory = self.options.memory;
        let (turn, waiting) = (self.turn, self.waiting());
        let graph = &self.graph;
        let waits = |node: &Node| {
            node.layer >= turn && graph.behind_both(node.layer, node.alpha).0 <= waiting
        };
        // How many there are by their distance, in steps of half a nat.
        let mut spare = [0usize; STEPS];
        let step = |far: f64| ((far * 2.0).max(0.0) as usize).min(STEPS - 1);
        for node in graph.nodes.iter().filter(|node| node.dropped() && !waits(node)) {
            spare[step(graph.behind(node))] += 1;
        }
        let mut left = graph.bytes();
        let mut kept = STEPS;
        while kept > 0 && (left > memory / 2 || kept as f64 / 2.0 > self.kept + 0.5) {
            kept -= 1;
            left = left.saturating_sub(spare[kept] * LEAF_BYTES);
        }
        if kept < STEPS {
            self.kept = self.kept.min(kept as f64 / 2.0);
        }
        let keep: Vec<bool> =
            graph.nodes.iter().map(|node| waits(node) || step(graph.behind(node)) < kept).collect();
        self.graph.retain(|id| keep[id]);
        let bytes = self.graph.bytes();
        self.full = bytes > memory / 4 * 3;
        self.tidy_at = (2 * bytes).clamp(UNTIDY, memory.max(UNTIDY)).max(bytes + memory / 16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Position};
    use crate::replay::lattice::{At, Channel, Gap, LatticeOptions};
    use crate::replay::prior::Prior;
    use crate::replay::work::Work;

    /// A sheet in which half-moves may be missing anywhere, and of which
    /// nothing can be read. The last word may be no move at all.
    struct Loose {
        tokens: usize,
        dead: bool,
    }

    impl Channel for Loose {
        fn len(&self) -> usize {
            self.tokens
        }

        fn readings(&self, at: At, _: &Position, legal: &[Move], out: &mut Vec<(usize, f32)>) {
            let no_move = self.dead && at.token + 1 == self.tokens;
            out.extend((0..legal.len()).filter(|_| !no_move).map(|index| (index, 0.0)));
        }

        fn gap(&self, token: usize) -> Gap {
            Gap { most: if token < self.tokens { 4 } else { 0 }, cost: -1.0 }
        }
    }

    #[test]
    fn memory_is_bounded_and_it_is_told_where_that_may_matter() {
        let (start, prior) = (Position::start(), Prior::uniform());
        let (little, much) = (3 << 20, 1 << 30);
        let read = |dead, memory| {
            let options = LatticeOptions { memory, ..LatticeOptions::default() };
            let mut decoder = Decoder::new(&start, &prior, &options);
            let sheet = Loose { tokens: 5, dead };
            decoder.read(&sheet, &mut Work::new(u32::MAX));
            let bytes = decoder.graph.bytes();
            assert!(bytes <= memory + memory / 8, "{bytes} bytes of {memory}");
            (decoder.was_cut(), decoder.kept, decoder.decoding(&sheet).steps)
        };
        // What was forgotten would not have been taken up: a way leads to the
        // end.
        let (few, all) = (read(false, little), read(false, much));
        assert!(few.1 < all.1);
        assert!(!few.0 && !all.0);
        assert!(few.2.iter().map(|step| step.mv).eq(all.2.iter().map(|step| step.mv)));
        let shares = few.2.iter().zip(&all.2).map(|(a, b)| a.probability - b.probability);
        assert!(shares.into_iter().all(|apart| apart.abs() < 1e-4));
        // It might have been, where none does.
        assert!(read(true, little).0);
    }
}
