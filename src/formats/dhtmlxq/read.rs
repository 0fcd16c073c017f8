//! Text to records.

use std::ops::ControlFlow;

use super::Ranks;
use super::lines::{self, Branch, Lines, Target};
use super::tags::{self, Tag};
use crate::board::{Position, Square};
use crate::finding::{Code, Finding, Place};
use crate::formats::common::{self, MEN};
use crate::formats::text_input::{self, TextInput, span_of};
use crate::formats::{Limits, Piece};
use crate::record::{NodeId, Record, Start};

/// Reads every block of a piece.
pub(super) fn read(
    piece: &Piece,
    limits: &Limits,
    emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
) {
    let input = TextInput::decode(piece);
    let carrier = carrier(&input, piece);
    let input = carrier.as_ref().unwrap_or(&input);
    let text = input.text();
    let mut cursor = input.cursor();
    let blocks = tags::blocks(text);
    let mut before = piece.findings.clone();
    if carrier.is_some() {
        before.push(
            Finding::new(Code::DialectRead, Place::offset(piece.offset)).reason("url-encoded"),
        );
    }
    if blocks.is_empty() {
        let mut record = input.record(super::ID, 0..text.len(), 1, &mut cursor, limits);
        let whole = std::mem::take(&mut record.text);
        let mut found = tags::variables(&whole);
        let bare = found.is_empty().then(|| super::bare_list(&whole)).flatten();
        if bare.is_some() {
            found.push(Tag { name: "movelist", value: &whole });
        }
        if bare == Some(Ranks::FromRed) {
            before.push(
                Finding::new(Code::DialectRead, Place::offset(piece.offset))
                    .reason("ranks-from-red"),
            );
        }
        if found.is_empty() {
            record.findings.push(Finding::new(Code::NoGame, Place::WHOLE));
        }
        block(&mut record, &whole, &found, limits, bare == Some(Ranks::FromRed));
        record.text = whole;
        record.findings.splice(0..0, before);
        let _ = emit(record);
        return;
    }
    for (number, range) in blocks.into_iter().enumerate() {
        let game = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let mut record = input.record(super::ID, range, game, &mut cursor, limits);
        if game > limits.games {
            let offset = record.origin.offset;
            common::over_limit(&mut record, offset, "games", limits.games as usize);
            let _ = emit(record);
            return;
        }
        let whole = std::mem::take(&mut record.text);
        block(&mut record, &whole, &tags::tags(&whole), limits, false);
        record.text = whole;
        record.findings.splice(0..0, std::mem::take(&mut before));
        if emit(record).is_break() {
            return;
        }
    }
}

/// The inner text where a page carries the tags URL-encoded.
fn carrier(input: &TextInput, piece: &Piece) -> Option<TextInput> {
    let text = input.text();
    let encoded = memchr::memmem::find(text.as_bytes(), b"%5BDhtmlXQ").is_some()
        || memchr::memmem::find(text.as_bytes(), b"%5bDhtmlXQ").is_some();
    if !encoded || memchr::memmem::find(text.as_bytes(), b"[DhtmlXQ").is_some() {
        return None;
    }
    let bytes = tags::from_url(text)?;
    Some(TextInput::decode(&Piece { bytes, offset: piece.offset, line: 1, ..Piece::default() }))
}

/// Reads the tags of a block into the record.
fn block(record: &mut Record, text: &str, found: &[Tag<'_>], limits: &Limits, from_red: bool) {
    let mut main = None;
    let mut branches = Vec::new();
    let mut comments = Vec::new();
    let mut binit = None;
    for tag in found {
        let lower = tag.name.to_ascii_lowercase();
        let at = span_of(text, tag.value).start as usize;
        match lower.as_str() {
            "movelist" => moves(tag.value, at, &mut main, &mut branches),
            "binit" => binit = Some((tag.value, at)),
            "fen" if !tag.value.trim().is_empty() => {
                let span = span_of(text, tag.value);
                record.start = Start::Fen { text: tag.value.trim().to_owned(), span };
            }
            _ => {
                if let Some([parent, ply, number]) = numbers(&lower, "move_") {
                    let branch = Branch { parent, ply, number, digits: tag.value, at };
                    place(branch, &mut main, &mut branches);
                } else if let Some(place) = comment_place(&lower) {
                    comments.push((place, tag.value, at));
                } else {
                    let value = tags::unescape(tag.value);
                    if !value.trim().is_empty() {
                        record.headers.push(text_input::header(
                            &lower,
                            value,
                            span_of(text, tag.value),
                        ));
                    }
                }
            }
        }
    }
    let map = record.origin.map.clone();
    let mut target = Target { record, cursor: map.cursor(text), limits, from_red };
    if let (Some((value, at)), Start::Standard) = (binit, &target.record.start) {
        start(&mut target, value, at);
    }
    let old = main.is_some_and(|main| main.digits.contains(['X', 'Y', 'Z']));
    let built = match main {
        Some(main) if old => lines::old_list(main, &mut target),
        _ => Lines::build(main, &branches, &mut target),
    };
    for ((branch, ply), value, at) in comments {
        comment(&built, &mut target, (branch, ply), value, at);
    }
    common::settle_start(target.record);
}

/// A move list: plain digits, or all branches in one text with each between
/// `[P_S_B]` and `[/P_S_B]`.
fn moves<'a>(
    value: &'a str,
    at: usize,
    main: &mut Option<Branch<'a>>,
    branches: &mut Vec<Branch<'a>>,
) {
    if !value.contains('[') {
        place(Branch { parent: 0, ply: 1, number: 0, digits: value, at }, main, branches);
        return;
    }
    for (open, _) in value.match_indices('[') {
        let rest = value.get(open + 1..).unwrap_or("");
        let Some((name, digits)) = rest.split_once(']') else { continue };
        let Some([parent, ply, number]) = numbers(name, "") else { continue };
        let digits = digits.split('[').next().unwrap_or(digits);
        let at = at + open + name.len() + 2;
        place(Branch { parent, ply, number, digits, at }, main, branches);
    }
}

/// Branch 0 of branch 0 is the main line.
fn place<'a>(branch: Branch<'a>, main: &mut Option<Branch<'a>>, branches: &mut Vec<Branch<'a>>) {
    if branch.number == 0 && main.is_none() { *main = Some(branch) } else { branches.push(branch) }
}

/// `prefix` and three numbers with `_` between them.
fn numbers(name: &str, prefix: &str) -> Option<[u32; 3]> {
    let mut parts = name.strip_prefix(prefix)?.split('_').map(|part| part.parse().ok());
    let three = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(three)
}

/// `commentN` is after ply N of the main line, `commentB_N` after ply N of
/// branch B.
fn comment_place(name: &str) -> Option<(u32, usize)> {
    let rest = name.strip_prefix("comment")?;
    Some(match rest.split_once('_') {
        Some((branch, ply)) => (branch.parse().ok()?, ply.parse().ok()?),
        None => (0, rest.parse().ok()?),
    })
}

fn comment(
    built: &Lines,
    to: &mut Target<'_>,
    (branch, ply): (u32, usize),
    value: &str,
    at: usize,
) {
    let text = tags::unescape(value);
    if text.trim().is_empty() {
        return;
    }
    let kept = text_input::cut_at(&text, to.limits.comment_bytes);
    if kept.len() < text.len() {
        let limit = to.limits.comment_bytes;
        to.found(at, Code::LimitExceeded, |finding| {
            finding.reason("comment-bytes").param("limit", limit)
        });
    }
    let node = built.node(branch, ply, to.limits);
    let kept_node = node.or_else(|| built.last(branch)).unwrap_or(NodeId::ROOT);
    to.record.tree.comment(kept_node, false, kept);
    if node.is_none() {
        to.found(at, Code::Corrupt, |finding| {
            finding.reason("comment-place").param("branch", branch).param("move", ply)
        });
    }
}

/// The start position: 32 squares in the order of [`MEN`], 99 off the board.
/// The normal one when there are too few digits.
fn start(to: &mut Target<'_>, value: &str, at: usize) {
    let digits: Vec<(usize, u8)> = value
        .char_indices()
        .filter(|(_, c)| !c.is_whitespace())
        .map(|(at, c)| (at, c.to_digit(10).map_or(9, |digit| digit as u8)))
        .collect();
    if digits.len() < 64 {
        if !digits.is_empty() {
            to.found(at, Code::Corrupt, |finding| finding.reason("board-digits").text(value));
        }
        return;
    }
    let mut position = Position::empty();
    for (pair, piece) in digits.chunks_exact(2).zip(MEN) {
        let [(place, file), (_, rank)] = [pair[0], pair[1]];
        if let Some(square) = Square::at(file as i8, 9 - rank as i8) {
            let offset = to.cursor.point(at + place).offset;
            common::put(to.record, &mut position, square, piece, offset);
        }
    }
    to.record.start = Start::Board { position: Box::new(position), side_known: false };
}
