//! Qipu (棋谱) turns any record of a xiangqi (Chinese chess, 象棋) game into a
//! checked game in one SQLite database.
//!
//! Data flows one way, and a room imports only the rooms above it:
//! [`board`] → [`rules`] → [`finding`] → [`text`] → [`notation`] → [`record`]
//! → [`game`] → [`formats`] → [`replay`] → [`db`] → [`import`] → [`audit`]
//! → [`report`]
//! (`docs/decisions/0001-rooms.md`).

#![forbid(unsafe_code)]
#![warn(missing_docs, missing_debug_implementations, unreachable_pub)]

pub mod audit;
pub mod board;
pub mod db;
pub mod finding;
pub mod formats;
pub mod game;
pub mod import;
pub mod notation;
pub mod record;
pub mod replay;
pub mod report;
pub mod rules;
pub mod text;
