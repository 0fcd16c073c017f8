//! A score sheet (记录) as evidence: the game that was replayed from it, and
//! its words.

use std::io;
use std::ops::ControlFlow;

use sha2::{Digest as _, Sha256};

use crate::board::{Color, Move};
use crate::finding::Finding;
use crate::formats::{self, Head};
use crate::game::Game;
use crate::import::{Entry, FileHash, HEAD_BYTES, ReadOptions, holds_a_game};
use crate::record::{Record, Written};
use crate::replay::replay;

/// A written half-move of the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The words; empty for a blank.
    pub text: String,
    /// What kind of thing it is.
    pub kind: WordKind,
    /// Number of the round before it; 0 where there is none.
    pub number: u32,
    /// The side whose move the layout says it is.
    pub side: Option<Color>,
}

/// What a written half-move is, before it is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// Text in a notation.
    Text,
    /// Two squares in a format that stores them.
    Squares(Move),
    /// A blank or a sign for a move that is not known.
    Unknown,
}

/// One sheet.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The file as it was given.
    pub path: String,
    /// SHA-256 of the whole file.
    pub sha256: FileHash,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// The game as it was replayed.
    pub game: Game,
    /// The written moves of the main line.
    pub words: Vec<Word>,
    /// Who kept the sheet, where that is known.
    pub keeper: Option<Color>,
}

/// Most sheets that are read of one file.
pub const MOST_SHEETS: usize = 100;

/// What a file holds for the arbiter.
#[derive(Clone, Debug, Default)]
pub struct SheetFile {
    /// A sheet for each game, in their order.
    pub sheets: Vec<Sheet>,
    /// What was found outside the games.
    pub findings: Vec<Finding>,
    /// Whether the file has more games than [`MOST_SHEETS`].
    pub more: bool,
}

/// Reads the games of a file, or the one with a number, with their words; at
/// most [`MOST_SHEETS`].
///
/// # Errors
/// When the file cannot be read. Damage of its content is a finding.
pub fn read_sheets(
    entry: &Entry,
    options: &ReadOptions,
    number: Option<u32>,
) -> io::Result<SheetFile> {
    let whole = options.limits.read_whole(&mut *entry.open()?)?;
    let hash = FileHash(Sha256::digest(&whole.bytes).into());
    let bytes = whole.bytes;
    let mut file = SheetFile { findings: whole.findings, ..SheetFile::default() };
    let head = bytes.get(..HEAD_BYTES).unwrap_or(&bytes);
    let complete = head.len() == bytes.len();
    let extension = entry.extension();
    let sniffed = formats::sniff(&Head { bytes: head, complete, extension: &extension });
    let Some(format) = sniffed else { return Ok(file) };
    let mut games = 0;
    format.cut(&mut &*bytes, &options.limits, &mut |piece| {
        format.read(&piece, &options.limits, &mut |mut record| {
            if !holds_a_game(&record) {
                file.findings.append(&mut record.findings);
                return ControlFlow::Continue(());
            }
            games += 1;
            record.origin.game = games;
            if file.sheets.len() >= MOST_SHEETS {
                file.more = true;
                return ControlFlow::Break(());
            }
            if number.is_none_or(|wanted| wanted == games) {
                let words = words(&record);
                file.sheets.push(Sheet {
                    path: entry.path().to_owned(),
                    sha256: hash,
                    bytes: bytes.len() as u64,
                    game: replay(record, &options.replay),
                    words,
                    keeper: None,
                });
            }
            let found = number.is_some_and(|wanted| wanted == games);
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let found = number.is_some_and(|wanted| wanted <= games);
        if found || file.more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(file)
}

fn words(record: &Record) -> Vec<Word> {
    let word = |id| {
        let node = record.tree.node(id);
        let (text, kind) = match node.written {
            Written::Text(span) => (record.slice(span).to_owned(), WordKind::Text),
            Written::Squares { mv, .. } => (mv.to_string(), WordKind::Squares(mv)),
            Written::OffBoard { raw: (from, to), .. } => {
                (format!("{from}-{to}"), WordKind::Unknown)
            }
            Written::Placeholder(span) => (record.slice(span).to_owned(), WordKind::Unknown),
        };
        Word { text, kind, number: node.number, side: node.side }
    };
    record.tree.main_line().map(word).collect()
}
