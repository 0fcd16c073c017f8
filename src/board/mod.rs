//! The rules core: articles 1 to 3 of the Chinese competition rules.
//!
//! Squares, pieces, attack tables, positions, legal moves and the *reason*
//! why a move is not legal, FEN, the position key. This room knows nothing of
//! text files and does no input or output.
//!
//! ```
//! use qipu::board::{Move, Position};
//!
//! let mut position = Position::start();
//! let mv: Move = "h2e2".parse()?;
//! position.play(mv).expect("炮二平五 is legal at the start");
//! let reply: Move = "h9g7".parse()?; // 马8进7
//! assert!(position.is_legal(reply));
//! # Ok::<(), qipu::board::ParseMoveError>(())
//! ```

pub mod attacks;
mod bitboard;
mod checks;
mod fault;
mod fen;
mod key;
mod legality;
mod movegen;
mod moves;
mod near_king;
mod perft;
mod piece;
mod position;
mod square;
mod status;

pub use bitboard::Bitboard;
pub use fault::PositionFault;
pub use fen::{FenError, FenNote, ParsedFen, START_FEN};
pub use key::PositionKey;
pub(crate) use key::{of_black_to_move, of_piece};
pub use legality::IllegalReason;
pub(crate) use movegen::FewMoves;
pub use movegen::MoveList;
pub use moves::{Move, ParseMoveError};
pub use perft::{perft, perft_by_making, perft_divide};
pub use piece::{Color, Piece, PieceKind};
pub use position::{Position, Undo};
pub use square::{ParseSquareError, Square};
pub use status::Status;
