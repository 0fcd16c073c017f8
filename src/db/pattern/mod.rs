//! Questions about what stood on the board and how it came: a partial board,
//! material, a sequence of moves (`docs/patterns.md`).
