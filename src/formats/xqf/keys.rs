//! The keys of versions above 10.

use sha2::{Digest, Sha256};

use super::layout::{KEY_MASK, KEY_OR, KEYS, VERSION_PLAIN, VERSION_ROTATED};
use crate::formats::bytes::Bytes;

/// The text that feeds the key stream, in the file format since 1999.
const STREAM: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The key bytes of a header, from which all keys follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyBytes {
    /// Which bits of the key bytes feed the stream.
    pub mask: u8,
    /// Bits that are set in the stream whatever the key bytes say.
    pub or: [u8; 4],
    /// Sum, pieces, from, to; together 0 modulo 256.
    pub keys: [u8; 4],
}

impl KeyBytes {
    /// Key bytes for a new file. XQStudio rolls them anew at each saving; here
    /// they follow from the bytes of the file without keys, so that the same
    /// game gives the same file.
    pub(super) fn from_content(plain: &[u8]) -> KeyBytes {
        let hash = Sha256::digest(plain);
        let [mask, a, b, c, d, xy, from, to, ..]: [u8; 32] = hash.into();
        let sum = 0u8.wrapping_sub(xy).wrapping_sub(from).wrapping_sub(to);
        // The bits that XQStudio sets in each of its masks.
        KeyBytes { mask: mask | 0xaa, or: [a, b, c, d], keys: [sum, xy, from, to] }
    }
}

/// What a header's key bytes amount to. All zero in version 10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    /// Shift of the piece squares.
    pub pieces: u8,
    /// Shift of from-squares.
    pub from: u8,
    /// Shift of to-squares.
    pub to: u8,
    /// Added to the length of a comment.
    pub comment: u32,
    /// Added to each byte from the tree on, by offset modulo 32.
    pub stream: [u8; 32],
}

impl Keys {
    /// The keys of a header.
    pub(super) fn of(header: Bytes<'_>, version: u8) -> Keys {
        if version <= VERSION_PLAIN {
            return Keys::default();
        }
        let mask = KEY_MASK.number(header) as u8;
        let or = header.array::<4>(KEY_OR.at).unwrap_or_default();
        let keys = header.array::<4>(KEYS.at).unwrap_or_default();
        Keys::from_parts(mask, or, keys)
    }

    /// The keys of the mask, the four bytes to be set, and the four key bytes
    /// (sum, pieces, from, to).
    pub(super) fn from_parts(mask: u8, or: [u8; 4], keys: [u8; 4]) -> Keys {
        let [sum, xy, from, to] = keys;
        let square = |key: u8| 54 * u32::from(key) * u32::from(key) + 221;
        let pieces = (square(xy) * u32::from(xy)) as u8;
        let from = (square(from) * u32::from(pieces)) as u8;
        let to = (square(to) * u32::from(from)) as u8;
        let comment = (u32::from(sum) * 256 + u32::from(xy)) % 32000 + 767;
        let mut stream = *STREAM;
        for (i, byte) in stream.iter_mut().enumerate() {
            *byte &= keys[i % 4] & mask | or[i % 4];
        }
        Keys { pieces, from, to, comment, stream }
    }

    /// The keys of a new file.
    pub(super) fn of_bytes(bytes: &KeyBytes) -> Keys {
        Keys::from_parts(bytes.mask, bytes.or, bytes.keys)
    }

    /// Where the number of the piece of a slot lies among the 32 piece bytes.
    pub(super) const fn place(&self, slot: usize, version: u8) -> usize {
        if version >= VERSION_ROTATED { (slot + 63 - self.pieces as usize % 32) % 32 } else { slot }
    }

    /// Hides the plain bytes of a tree, as [`Keys::decrypt`] reads them.
    pub(super) fn encrypt(&self, tree: &mut [u8]) {
        for block in tree.chunks_mut(32) {
            for (byte, key) in block.iter_mut().zip(self.stream) {
                *byte = byte.wrapping_add(key);
            }
        }
    }

    /// The plain bytes of the tree, which begins at an offset that is a
    /// multiple of 32.
    pub(super) fn decrypt(&self, tree: &[u8]) -> Vec<u8> {
        let mut plain = tree.to_vec();
        for block in plain.chunks_mut(32) {
            for (byte, key) in block.iter_mut().zip(self.stream) {
                *byte = byte.wrapping_sub(key);
            }
        }
        plain
    }
}

/// Whether the four key bytes add up to 0 modulo 256, as XQStudio demands.
pub(super) fn sum_fits(header: Bytes<'_>) -> bool {
    header
        .array::<4>(KEYS.at)
        .is_some_and(|keys| keys.iter().fold(0u8, |sum, key| sum.wrapping_add(*key)) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key examples of the format's description.
    #[test]
    fn known_files_have_these_keys() {
        let cases = [
            (0xfe, [0x66, 0xf9, 0x7d, 0x24], [0x2d, 0x75, 0x66, 0xf8], (63, 203, 191, 12404)),
            (0xab, [0xb7, 0x60, 0xd8, 0x11], [0x97, 0xda, 0x79, 0x16], (162, 70, 254, 7641)),
            (0xef, [0xfa, 0x5d, 0x2d, 0x7c], [0x58, 0xdf, 0x29, 0xa0], (13, 215, 155, 23518)),
            (0x00, [0, 0, 0, 0], [0xec, 0x09, 0xa4, 0x67], (139, 31, 173, 29192)),
        ];
        for (mask, or, bytes, expected) in cases {
            let keys = Keys::from_parts(mask, or, bytes);
            assert_eq!((keys.pieces, keys.from, keys.to, keys.comment), expected);
        }
        let keys = Keys::from_parts(0xfe, [0x66, 0xf9, 0x7d, 0x24], [0x2d, 0x75, 0x66, 0xf8]);
        assert_eq!(keys.stream[..8], [0x4a, 0x28, 0x43, 0x28, 0x20, 0x41, 0x6f, 0x70]);
        assert_eq!(keys.decrypt(&[0xa2, 0x79, 0x00, 0x05])[..2], [0x58, 0x51]);
    }

    #[test]
    fn new_keys_pass_the_test_of_xqstudio() {
        let mut tree = *b"\x58\x51\x80\x00 and some moves behind it, over a block";
        for content in 0..64u8 {
            let bytes = KeyBytes::from_content(&[content]);
            assert_eq!(bytes.keys.iter().fold(0u8, |sum, key| sum.wrapping_add(*key)), 0);
            assert_eq!(bytes.mask & 0xaa, 0xaa);
            assert_eq!(bytes, KeyBytes::from_content(&[content]));
            assert_ne!(bytes, KeyBytes::from_content(&[content, 0]));
            let (keys, plain) = (Keys::of_bytes(&bytes), tree);
            keys.encrypt(&mut tree);
            assert_eq!(keys.decrypt(&tree), plain);
            tree = plain;
        }
    }

    #[test]
    fn no_keys_are_no_shift_but_for_the_comment() {
        let keys = Keys::from_parts(0, [0; 4], [0; 4]);
        assert_eq!(keys, Keys { comment: 767, ..Keys::default() });
    }
}
