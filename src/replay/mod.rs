//! A record to a game that is believed.

pub mod lattice;
pub mod prior;
