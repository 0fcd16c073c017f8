//! Writes XQR.

use std::io::Write;

use super::{MAGIC, block, flag};
use crate::board::{Position, Square};
use crate::finding::Finding;
use crate::formats::movetext::not_written;
use crate::formats::outgoing::{self, Encoder, Known, Outgoing};
use crate::formats::{WriteError, WriteOptions};
use crate::game::{Game, GameResult};
use crate::text::Encoding;

pub(super) fn write(
    game: &Game,
    options: &WriteOptions,
    output: &mut dyn Write,
) -> Result<Vec<Finding>, WriteError> {
    if options.encoding.as_deref().is_some_and(|name| name.parse() != Ok(Encoding::Utf8)) {
        return Err(WriteError::Option("xqr is written in utf-8 only".to_owned()));
    }
    outgoing::no_style(options, "xqr")?;
    let mut out = Outgoing::new(game);
    let mut encoder = Encoder::new(Encoding::Utf8);
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(&[block::VERSION, 1, 0]);
    for (kind, key) in block::TEXTS {
        let value = match key {
            "Event" => out.known(Known::Event),
            "Site" => out.known(Known::Site),
            "Date" => out.known(Known::Date),
            "Red" => out.known(Known::Red),
            _ => out.known(Known::Black),
        };
        let Some(value) = value else { continue };
        let (bytes, cut) = encoder.encode_within(value.trim(), "\n", u8::MAX.into());
        let kept = bytes.trim_ascii_end();
        if !cut.is_empty() {
            out.findings.push(not_written("field-cut", 1).param("field", key).text(cut));
        }
        file.extend_from_slice(&[kind, kept.len() as u8]);
        file.extend_from_slice(kept);
    }
    let result = match game.headers.result {
        GameResult::Unknown => 0,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    };
    file.extend_from_slice(&[block::RESULT, 1, result]);
    let (quiet, round) = (game.start.quiet_plies(), game.start.round());
    if game.start != Position::start() || quiet > 0 || round > 1 {
        let fen = game.start.fen();
        file.extend_from_slice(&[block::FEN, fen.len() as u8]);
        file.extend_from_slice(fen.as_bytes());
    }
    file.extend_from_slice(&[block::MOVES, 0]);
    let remarks = out.remarks();
    for step in out.steps() {
        let remark = remarks.get(&step.node).map(|text| encoder.encode(text, "\n"));
        let remark = remark.filter(|remark| !remark.is_empty());
        let mut flags = if step.child { flag::CHILD } else { 0 };
        flags |= if step.sibling { flag::SIBLING } else { 0 };
        flags |= if remark.is_some() { flag::COMMENT } else { 0 };
        let (from, to) = step.mv.map_or((0, 0), |mv| (cell(mv.from), cell(mv.to)));
        file.extend_from_slice(&[from, to, flags, 0]);
        if let Some(remark) = remark {
            file.extend_from_slice(&(remark.len() as u32).to_le_bytes());
            file.extend_from_slice(&remark);
        }
    }
    let mut crc = flate2::Crc::new();
    crc.update(&file);
    file.extend_from_slice(&[block::CRC, 4]);
    file.extend_from_slice(&crc.sum().to_le_bytes());
    output.write_all(&file)?;
    Ok(out.finish(true))
}

/// Rank from the top in the high nibble, file from Red's left in the low.
fn cell(square: Square) -> u8 {
    (9 - square.rank()) << 4 | square.file()
}
