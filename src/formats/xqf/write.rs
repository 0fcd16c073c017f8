//! Writes format 1.0: no keys, records of eight bytes.

use std::io::Write;

use super::layout::{
    FROM_SHIFT, HEADER, MAGIC, PIECES, PLAY_STEP, RESULT, TEXTS, TO_SHIFT, TYPE, TYPES, VERSION,
    VERSION_PLAIN, WHO_PLAY,
};
use crate::board::{Color, Square};
use crate::finding::Finding;
use crate::formats::bytes::Field;
use crate::formats::movetext::not_written;
use crate::formats::outgoing::{self, Encoder, Known, Outgoing};
use crate::formats::{WriteError, WriteOptions};
use crate::game::{Game, GameResult};
use crate::text::Encoding;

/// The flags: a reply follows, an alternative follows.
const CHILD: u8 = 0xf0;
const SIBLING: u8 = 0x0f;

pub(super) fn write(
    game: &Game,
    options: &WriteOptions,
    output: &mut dyn Write,
) -> Result<Vec<Finding>, WriteError> {
    let encoding = outgoing::encoding(options, Encoding::Gb18030)?;
    if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
        return Err(WriteError::Option(format!("xqf is not written in `{encoding}`")));
    }
    let mut encoder = Encoder::new(encoding);
    let mut out = Outgoing::new(game);
    let mut file = vec![0u8; HEADER];
    file[..2].copy_from_slice(MAGIC);
    file[VERSION.at] = VERSION_PLAIN;
    for (slot, at) in outgoing::men(&game.start)?.into_iter().enumerate() {
        file[PIECES.at + slot] = at.map_or(0xff, number);
    }
    file[WHO_PLAY.at] = u8::from(game.start.side() == Color::Black);
    file[RESULT.at] = match game.headers.result {
        GameResult::Unknown => 0,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    };
    let kind = out.own(TYPE.key);
    let known = kind.as_deref().and_then(|kind| TYPES.iter().position(|name| *name == kind));
    let kind = known.map(|kind| kind as u16).or_else(|| kind?.parse().ok()).unwrap_or(0);
    file[TYPE.at..TYPE.at + 2].copy_from_slice(&kind.to_le_bytes());
    let step: u16 = out.own(PLAY_STEP.key).and_then(|step| step.parse().ok()).unwrap_or(0);
    file[PLAY_STEP.at..PLAY_STEP.at + 2].copy_from_slice(&step.to_le_bytes());
    for field in TEXTS {
        text(&mut file, field, &mut out, &mut encoder);
    }
    if game.start.round() > 1 {
        out.lose("first-number", 1);
    }

    let remarks = out.remarks();
    for step in out.steps() {
        let remark = remarks.get(&step.node).map(|text| encoder.encode(text, "\r\n"));
        let flags = if step.child { CHILD } else { 0 } | if step.sibling { SIBLING } else { 0 };
        let record = match step.mv {
            Some(mv) => [number(mv.from) + FROM_SHIFT, number(mv.to) + TO_SHIFT, flags, 0],
            None => [FROM_SHIFT, TO_SHIFT, flags, 0xff],
        };
        file.extend_from_slice(&record);
        let remark = remark.unwrap_or_default();
        file.extend_from_slice(&(remark.len() as u32).to_le_bytes());
        file.extend_from_slice(&remark);
    }
    output.write_all(&file)?;
    encoder.findings(&mut out.findings);
    Ok(out.finish(false))
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
