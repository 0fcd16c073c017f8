//! Bytes to text, with places kept: encodings, full-width forms, variant
//! characters, display width. This room knows nothing of chess.
//!
//! [`detect`] chooses an [`Encoding`], [`decode`] gives a [`Decoded`] text with
//! a [`SourceMap`] back to the file and a list of what was damaged, [`fold`]
//! reads look-alike characters as one for a parser, [`width`] lays out hanzi.
//!
//! ```
//! use qipu::text::{Encoding, decode, detect};
//!
//! let bytes = [0xC5, 0xDA, 0xB6, 0xFE, 0xC6, 0xBD, 0xCE, 0xE5];
//! let found = detect(&bytes, &|text| if text == "炮二平五" { 10 } else { 0 });
//! assert_eq!(found.encoding, Encoding::Gb18030);
//! let decoded = decode(&bytes, found.encoding);
//! assert_eq!(decoded.text, "炮二平五");
//! assert_eq!(decoded.map.point(&decoded.text, "炮二".len()).offset, 4);
//! ```

mod codec;
mod decode;
mod detect;
mod encoding;
pub mod fold;
mod mixed;
mod plausible;
mod repair;
mod sink;
mod source_map;
mod tables;
pub mod width;

pub use decode::{Damage, DamageKind, Decoded, decode, decode_at};
pub use detect::{Detection, detect};
pub use encoding::{Encoded, Encoding, UnknownEncoding, Unmappable};
pub use repair::{Mojibake, repair};
pub use source_map::{Cursor, SourceMap};
