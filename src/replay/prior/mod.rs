//! A small model of which moves people play: log-linear over hashed features
//! of a move in its position, normalised over all legal moves. It weighs the
//! readings of abbreviated and damaged sheets; it never overrules legality.
//!
//! The method follows an experiment (`docs/accuracy.md` has the figures);
//! the weights that ship in the binary are made by `qipu prior train`.

mod features;
mod model;
mod train;

pub use features::Trail;
pub use model::{ModelError, Prior};
pub use train::{TrainOptions, Trained, train};
