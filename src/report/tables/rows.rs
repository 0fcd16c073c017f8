//! The rows of a game.

use std::io;

use super::{Cell, Column, Kind, Sink};
use crate::board::{Color, Piece, Position};
use crate::db::StoredGame;
use crate::game::{OutcomeKind, Winner};
use crate::report::json::GAP;
use crate::report::moves::{MainLine, Step, chinese};

const fn number(name: &'static str) -> Column {
    Column { name, kind: Kind::Number, optional: false }
}

const fn text(name: &'static str) -> Column {
    Column { name, kind: Kind::Text, optional: false }
}

const fn flag(name: &'static str) -> Column {
    Column { name, kind: Kind::Flag, optional: false }
}

const fn optional(column: Column) -> Column {
    Column { optional: true, ..column }
}

/// Columns of `games`.
pub(super) const GAMES: &[Column] = &[
    number("id"),
    text("source"),
    number("number"),
    text("format"),
    optional(text("event")),
    optional(text("site")),
    optional(text("date")),
    optional(text("round")),
    optional(text("red")),
    optional(text("black")),
    optional(text("red_team")),
    optional(text("black_team")),
    text("result"),
    optional(text("ecco")),
    optional(text("title")),
    optional(text("annotator")),
    optional(text("other")),
    number("plies"),
    number("variations"),
    number("comments"),
    optional(text("outcome")),
    optional(text("winner")),
    optional(text("article")),
    number("errors"),
    optional(number("duplicate_of")),
    text("initial_fen"),
    text("moves"),
];

/// Columns of `moves`.
pub(super) const MOVES: &[Column] = &[
    number("game_id"),
    number("ply"),
    text("side"),
    text("move"),
    optional(text("chinese")),
    optional(text("piece")),
    optional(text("captured")),
    optional(flag("check")),
];

/// Columns of `positions`.
pub(super) const POSITIONS: &[Column] =
    &[number("game_id"), number("ply"), number("key"), text("side"), text("fen")];

fn maybe(text: Option<&str>) -> Cell<'_> {
    text.map_or(Cell::Absent, Cell::Text)
}

/// Blanks between moves, commas in names: a number fits every column.
fn count(number: usize) -> Cell<'static> {
    Cell::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

pub(super) fn game(stored: &StoredGame, sink: &mut dyn Sink) -> io::Result<()> {
    let StoredGame { id, path, duplicate_of, errors, game } = stored;
    let headers = &game.headers;
    let date = headers.date.map(|date| date.to_string());
    let other =
        if headers.other.is_empty() { None } else { Some(serde_json::to_string(&headers.other)?) };
    let mut plies = 0;
    let mut moves = String::new();
    for mv in game.main_line() {
        if plies > 0 {
            moves.push(' ');
        }
        match mv {
            Some(mv) => moves.push_str(&mv.to_string()),
            None => moves.push_str(GAP),
        }
        plies += 1;
    }
    let outcome = &game.outcome;
    let winner = outcome.winner.map(|winner| match winner {
        Winner::Side(side) => side.name(),
        Winner::Draw => "draw",
    });
    sink.row(&[
        Cell::Number(*id),
        Cell::Text(path),
        Cell::Number(i64::from(game.origin.game)),
        Cell::Text(game.origin.format.name()),
        maybe(headers.event.as_deref()),
        maybe(headers.site.as_deref()),
        maybe(date.as_deref()),
        maybe(headers.round.as_deref()),
        maybe(headers.red.as_deref()),
        maybe(headers.black.as_deref()),
        maybe(headers.red_team.as_deref()),
        maybe(headers.black_team.as_deref()),
        Cell::Text(headers.result.code()),
        maybe(headers.ecco.as_deref()),
        maybe(headers.title.as_deref()),
        maybe(headers.annotator.as_deref()),
        maybe(other.as_deref()),
        count(plies),
        count(game.tree.variations()),
        count(game.tree.comments.len()),
        maybe((outcome.kind != OutcomeKind::None).then(|| outcome.kind.name())),
        maybe(winner),
        maybe(outcome.article),
        Cell::Number(i64::from(*errors)),
        duplicate_of.map_or(Cell::Absent, Cell::Number),
        Cell::Text(&game.start.fen()),
        Cell::Text(&moves),
    ])
}

pub(super) fn moves(stored: &StoredGame, sink: &mut dyn Sink) -> io::Result<()> {
    for step in MainLine::new(&stored.game) {
        let ply = Cell::Number(i64::from(step.ply));
        let side = Cell::Text(step.before.side().name());
        let Some(mv) = step.mv else {
            let none = Cell::Absent;
            let gap = Cell::Text(GAP);
            sink.row(&[Cell::Number(stored.id), ply, side, gap, none, none, none, none])?;
            continue;
        };
        let chinese = chinese(mv, &step.before);
        let mut letters = [[0; 4]; 2];
        let [mover, taken] = &mut letters;
        let piece = step.before.piece_at(mv.from).map(|piece| &*letter(piece, mover));
        let captured = step.before.piece_at(mv.to).map(|piece| &*letter(piece, taken));
        sink.row(&[
            Cell::Number(stored.id),
            ply,
            side,
            Cell::Text(&mv.to_string()),
            Cell::Text(&chinese),
            maybe(piece),
            maybe(captured),
            Cell::Flag(step.after().in_check()),
        ])?;
    }
    Ok(())
}

fn letter(piece: Piece, buffer: &mut [u8; 4]) -> &mut str {
    piece.letter().encode_utf8(buffer)
}

pub(super) fn positions(stored: &StoredGame, sink: &mut dyn Sink) -> io::Result<()> {
    let mut position = stored.game.start.clone();
    place(stored.id, 0, &position, sink)?;
    for Step { ply, mv, .. } in MainLine::new(&stored.game) {
        let Some(mv) = mv else { break };
        position.make(mv);
        place(stored.id, ply, &position, sink)?;
    }
    Ok(())
}

fn place(game: i64, ply: u32, position: &Position, sink: &mut dyn Sink) -> io::Result<()> {
    let mut fen = position.fen_board();
    fen.push_str(if position.side() == Color::Red { " w" } else { " b" });
    sink.row(&[
        Cell::Number(game),
        Cell::Number(i64::from(ply)),
        // Signed, as in the table `position_tree`.
        Cell::Number(position.key().0 as i64),
        Cell::Text(position.side().name()),
        Cell::Text(&fen),
    ])
}
