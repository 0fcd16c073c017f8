//! Bytes to text, with places kept: encodings, full-width forms, variant
//! characters, display width. This room knows nothing of chess.

mod source_map;

pub use source_map::SourceMap;
