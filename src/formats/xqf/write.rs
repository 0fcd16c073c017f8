//! Writes format 1.0, which has no keys, and on demand the keyed versions.

use std::io::Write;

use super::keys::{KeyBytes, Keys};
use super::layout::{
    FROM_SHIFT, HEADER, KEY_MASK, KEY_OR, KEYS, MAGIC, PIECES, PLAY_STEP, RESULT, TEXTS, TO_SHIFT,
    TYPE, TYPES, VERSION, VERSION_LAST, VERSION_PLAIN, WHO_PLAY,
};
use crate::board::{Color, Square};
use crate::finding::Finding;
use crate::formats::bytes::Field;
use crate::formats::movetext::not_written;
use crate::formats::outgoing::{self, Encoder, Known, Outgoing, Step};
use crate::formats::{WriteError, WriteOptions};
use crate::game::{Game, GameResult};
use crate::text::Encoding;

/// The flags of version 10: a reply follows, an alternative follows.
const CHILD: u8 = 0xf0;
const SIBLING: u8 = 0x0f;
/// The flags of later versions: a reply, an alternative, a comment follows.
const KEYED_CHILD: u8 = 0x80;
const KEYED_SIBLING: u8 = 0x40;
const KEYED_COMMENT: u8 = 0x20;

/// The versions with keys of which real files were read. No file of 14 or 17
/// is known.
const KEYED: [u8; 6] = [11, 12, 13, 15, 16, VERSION_LAST];

/// The version that a style names: `plain`, `keyed` for the last one, and
/// `keyed-11` for a certain one.
fn version(style: Option<&str>) -> Result<u8, WriteError> {
    let unknown = |style: &str| {
        let names: Vec<String> = KEYED.iter().map(|version| format!("keyed-{version}")).collect();
        WriteError::Option(format!(
            "xqf has no style `{style}`; there are plain, keyed, {}",
            names.join(", ")
        ))
    };
    match style {
        None | Some("plain") => Ok(VERSION_PLAIN),
        Some("keyed") => Ok(VERSION_LAST),
        Some(style) => style
            .strip_prefix("keyed-")
            .and_then(|version| version.parse().ok())
            .filter(|version| KEYED.contains(version))
            .ok_or_else(|| unknown(style)),
    }
}

pub(super) fn write(
    game: &Game,
    options: &WriteOptions,
    output: &mut dyn Write,
) -> Result<Vec<Finding>, WriteError> {
    let version = version(options.style.as_deref())?;
    let encoding = outgoing::encoding(options, Encoding::Gb18030)?;
    if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
        return Err(WriteError::Option(format!("xqf is not written in `{encoding}`")));
    }
    let mut encoder = Encoder::new(encoding);
    let mut out = Outgoing::new(game);
    let mut header = vec![0u8; HEADER];
    header[..2].copy_from_slice(MAGIC);
    for (slot, at) in outgoing::men(&game.start)?.into_iter().enumerate() {
        header[PIECES.at + slot] = at.map_or(0xff, number);
    }
    header[WHO_PLAY.at] = u8::from(game.start.side() == Color::Black);
    header[RESULT.at] = match game.headers.result {
        GameResult::Unknown => 0,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    };
    let kind = out.own(TYPE.key);
    let known = kind.as_deref().and_then(|kind| TYPES.iter().position(|name| *name == kind));
    let kind = known.map(|kind| kind as u16).or_else(|| kind?.parse().ok()).unwrap_or(0);
    header[TYPE.at..TYPE.at + 2].copy_from_slice(&kind.to_le_bytes());
    let step: u16 = out.own(PLAY_STEP.key).and_then(|step| step.parse().ok()).unwrap_or(0);
    header[PLAY_STEP.at..PLAY_STEP.at + 2].copy_from_slice(&step.to_le_bytes());
    for field in TEXTS {
        text(&mut header, field, &mut out, &mut encoder);
    }
    if game.start.round() > 1 {
        out.lose("first-number", 1);
    }

    let remarks = out.remarks();
    let steps = out.steps().into_iter().map(|step| {
        let remark = remarks.get(&step.node).map(|text| encoder.encode(text, "\r\n"));
        (step, remark.unwrap_or_default())
    });
    let steps: Vec<_> = steps.collect();
    let plain = plain(header, &steps);
    if version == VERSION_PLAIN {
        output.write_all(&plain)?;
    } else {
        output.write_all(&keyed(&plain, version, &steps))?;
    }
    encoder.findings(&mut out.findings);
    Ok(out.finish(false))
}

/// A file of version 10.
fn plain(mut file: Vec<u8>, steps: &[(Step, Vec<u8>)]) -> Vec<u8> {
    file[VERSION.at] = VERSION_PLAIN;
    for (step, remark) in steps {
        let flags = if step.child { CHILD } else { 0 } | if step.sibling { SIBLING } else { 0 };
        let record = match step.mv {
            Some(mv) => [number(mv.from) + FROM_SHIFT, number(mv.to) + TO_SHIFT, flags, 0],
            None => [FROM_SHIFT, TO_SHIFT, flags, 0xff],
        };
        file.extend_from_slice(&record);
        file.extend_from_slice(&(remark.len() as u32).to_le_bytes());
        file.extend_from_slice(remark);
    }
    file
}

/// A file of a version with keys, of the same game as a file without. Where
/// XQStudio leaves random bits, zeros are written.
fn keyed(plain: &[u8], version: u8, steps: &[(Step, Vec<u8>)]) -> Vec<u8> {
    let bytes = KeyBytes::from_content(plain);
    let keys = Keys::of_bytes(&bytes);
    let mut file = plain[..HEADER].to_vec();
    file[VERSION.at] = version;
    file[KEY_MASK.at] = bytes.mask;
    file[KEY_OR.at..KEY_OR.at + 4].copy_from_slice(&bytes.or);
    file[KEYS.at..KEYS.at + 4].copy_from_slice(&bytes.keys);
    for slot in 0..PIECES.size {
        let square = plain[PIECES.at + slot];
        file[PIECES.at + keys.place(slot, version)] = square.wrapping_add(keys.pieces);
    }
    let mut tree = Vec::with_capacity(plain.len() - HEADER);
    for (step, remark) in steps {
        let [from, to] = match step.mv {
            Some(mv) => [
                number(mv.from).wrapping_add(FROM_SHIFT).wrapping_add(keys.from),
                number(mv.to).wrapping_add(TO_SHIFT).wrapping_add(keys.to),
            ],
            // Readers may tell by it that the keys fit.
            None => *MAGIC,
        };
        let flags = if step.child { KEYED_CHILD } else { 0 }
            | if step.sibling { KEYED_SIBLING } else { 0 }
            | if remark.is_empty() { 0 } else { KEYED_COMMENT };
        tree.extend_from_slice(&[from, to, flags, 0]);
        if !remark.is_empty() {
            let length = (remark.len() as u32).wrapping_add(keys.comment);
            tree.extend_from_slice(&length.to_le_bytes());
            tree.extend_from_slice(remark);
        }
    }
    keys.encrypt(&mut tree);
    file.extend_from_slice(&tree);
    file
}

/// file * 10 + rank.
fn number(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}

/// A text field, cut to its capacity between characters.
fn text(file: &mut [u8], field: Field, out: &mut Outgoing<'_>, encoder: &mut Encoder) {
    let value = match field.key {
        "Title" => out.known(Known::Title),
        "Event" => out.known(Known::Event),
        "Date" => out.known(Known::Date),
        "Site" => out.known(Known::Site),
        "Red" => out.known(Known::Red),
        "Black" => out.known(Known::Black),
        "Annotator" => out.known(Known::Annotator),
        key => out.own(key),
    };
    let Some(value) = value else { return };
    let (mut bytes, cut) = encoder.encode_within(value.trim(), "\n", field.size - 1);
    if !cut.is_empty() {
        // Blanks at the cut would be taken off on reading.
        bytes.truncate(bytes.trim_ascii_end().len());
        out.findings.push(not_written("field-cut", 1).param("field", field.key).text(cut));
    }
    file[field.at] = bytes.len() as u8;
    if let Some(room) = file.get_mut(field.at + 1..field.at + 1 + bytes.len()) {
        room.copy_from_slice(&bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_name_versions_of_which_files_are_known() {
        assert_eq!(version(None).ok(), Some(10));
        assert_eq!(version(Some("plain")).ok(), Some(10));
        assert_eq!(version(Some("keyed")).ok(), Some(18));
        assert_eq!(version(Some("keyed-12")).ok(), Some(12));
        for bad in ["", "keyed-10", "keyed-14", "keyed-19", "keyed-274", "traditional"] {
            assert!(version(Some(bad)).is_err(), "{bad}");
        }
    }
}
