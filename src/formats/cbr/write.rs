//! Writes version 2.

use std::io::Write;

use sha2::{Digest, Sha256};

use super::layout::{GUID, MAGIC, V2, VERSION};
use super::read::{ALTERNATIVE, COMMENT, END, KINDS};
use crate::board::{Color, Piece, Square};
use crate::finding::Finding;
use crate::formats::bytes::Field;
use crate::formats::movetext::not_written;
use crate::formats::outgoing::{self, Encoder, Known, Outgoing};
use crate::formats::{WriteError, WriteOptions, common};
use crate::game::{Game, GameResult};
use crate::text::Encoding;

pub(super) fn write(
    game: &Game,
    options: &WriteOptions,
    output: &mut dyn Write,
) -> Result<Vec<Finding>, WriteError> {
    if options.encoding.as_deref().is_some_and(|name| name.parse() != Ok(Encoding::Utf16Le)) {
        return Err(WriteError::Option("cbr is written in utf-16le only".to_owned()));
    }
    outgoing::no_style(options, "cbr")?;
    let mut encoder = Encoder::new(Encoding::Utf16Le);
    let mut out = Outgoing::new(game);
    let mut file = vec![0u8; V2.tree];
    file[..MAGIC.len()].copy_from_slice(MAGIC);
    file[VERSION.at] = 2;
    for field in V2.texts {
        text(&mut file, *field, &mut out, &mut encoder);
    }
    let result = match game.headers.result {
        GameResult::Unknown => 0u32,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    };
    number(&mut file, V2.result, result);
    let kind = out.own(V2.record_type.key).and_then(|kind| kind.parse().ok());
    number(&mut file, V2.record_type, kind.unwrap_or(1));
    number(&mut file, V2.side, if game.start.side() == Color::Black { 2 } else { 1 });
    number(&mut file, V2.number, game.start.round());
    for at in 0..90u8 {
        if let Some(piece) = super::read::by_rank(at).and_then(|at| game.start.piece_at(at)) {
            file[V2.board.at + usize::from(at)] = code(piece);
        }
    }
    file[V2.tree - 4..V2.tree].fill(0xff);

    let remarks = out.remarks();
    for step in out.steps() {
        let remark = remarks.get(&step.node).map(|text| encoder.encode(text, "\r\n"));
        let remark = remark.filter(|remark| !remark.is_empty());
        let mut flags = if step.child { 0 } else { END };
        flags |= if step.sibling { ALTERNATIVE } else { 0 };
        flags |= if remark.is_some() { COMMENT } else { 0 };
        let (from, to) = step.mv.map_or((0, 0), |mv| (cell(mv.from), cell(mv.to)));
        file.extend_from_slice(&[flags, 0, from, to]);
        if let Some(remark) = remark {
            file.extend_from_slice(&(remark.len() as u32).to_le_bytes());
            file.extend_from_slice(&remark);
        }
    }
    guid(&mut file, out.own(GUID.key));
    output.write_all(&file)?;
    encoder.findings(&mut out.findings);
    Ok(out.finish(false))
}

/// The record's own identity, or one made from all that is written, so that
/// the same game is written as the same bytes.
fn guid(file: &mut [u8], own: Option<String>) {
    let bytes = own.as_deref().and_then(common::guid_bytes).unwrap_or_else(|| {
        let digest = Sha256::digest(&*file);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        // Version and variant of a random GUID.
        bytes[7] = bytes[7] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        bytes
    });
    file[GUID.at..GUID.at + GUID.size].copy_from_slice(&bytes);
}

/// rank * 9 + file from the top left.
fn cell(square: Square) -> u8 {
    (9 - square.rank()) * 9 + square.file()
}

/// Colour in the high nibble, kind in the low.
fn code(piece: Piece) -> u8 {
    let kind = KINDS.iter().position(|kind| *kind == piece.kind).unwrap_or(0) as u8 + 1;
    kind | if piece.color == Color::Red { 0x10 } else { 0x20 }
}

fn number(file: &mut [u8], field: Field, value: u32) {
    if let Some(room) = file.get_mut(field.at..field.at + field.size) {
        for (byte, value) in room.iter_mut().zip(value.to_le_bytes()) {
            *byte = value;
        }
    }
}

/// A text field, cut so that the zero unit fits behind it.
fn text(file: &mut [u8], field: Field, out: &mut Outgoing<'_>, encoder: &mut Encoder) {
    let value = match field.key {
        "Name" => out.known(Known::Title),
        "Contest" => out.known(Known::Event),
        "Round" => out.known(Known::Round),
        "Date" => out.known(Known::Date),
        "Site" => out.known(Known::Site),
        "Red" => out.known(Known::Red),
        "RedTeam" => out.known(Known::RedTeam),
        "Black" => out.known(Known::Black),
        "BlackTeam" => out.known(Known::BlackTeam),
        "Commentator" => out.known(Known::Annotator),
        key => out.own(key),
    };
    let Some(value) = value else { return };
    let (mut bytes, cut) = encoder.encode_within(value.trim(), "\r\n", field.size - 2);
    if !cut.is_empty() {
        while bytes.ends_with(&[b' ', 0]) {
            bytes.truncate(bytes.len() - 2);
        }
        out.findings.push(not_written("field-cut", 1).param("field", field.key).text(cut));
    }
    if let Some(room) = file.get_mut(field.at..field.at + bytes.len()) {
        room.copy_from_slice(&bytes);
    }
}
