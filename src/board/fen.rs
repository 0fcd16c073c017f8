//! FEN: a tolerant reader of its dialects, a canonical writer
//! (other-formats.md, 11; `grammars/fen.abnf`).

use std::fmt::Write as _;
use std::str::FromStr;

use super::moves::Move;
use super::piece::{Color, Piece, PieceKind};
use super::position::Position;
use super::square::Square;

/// The start position in canonical form.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Longest text that is looked at; real ones have about 100 bytes, with a
/// UCCI move list some thousand.
const MAX_LEN: usize = 1 << 16;

/// Why a text is not a FEN. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// No board field at all.
    #[error("there is no board")]
    Empty,
    /// Longer than any FEN can be.
    #[error("the text is too long for a FEN")]
    TooLong,
    /// Not ten ranks between slashes.
    #[error("{found} ranks, 10 expected")]
    Ranks {
        /// How many there are.
        found: usize,
    },
    /// A rank does not add up to nine files.
    #[error("rank {rank} (field {field} of the board) has {found} files, 9 expected")]
    Files {
        /// Field of the board, 1 at Black's home rank to 10.
        field: usize,
        /// Rank as ICCS counts, 9 to 0.
        rank: usize,
        /// How many files its pieces and numbers add up to.
        found: usize,
    },
    /// A character that is neither piece nor number.
    #[error("`{found}` is neither a piece letter nor a number of empty points")]
    Letter {
        /// The character.
        found: char,
        /// Where it stands.
        column: usize,
    },
    /// A move after `moves` that is no ICCS move or cannot be played.
    #[error("move {index} of the list, `{text}`, cannot be played")]
    Move {
        /// 1 for the first move of the list.
        index: usize,
        /// The move as written.
        text: String,
    },
}

/// Something the reader had to assume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FenNote {
    /// The side to move is absent; Red is assumed.
    SideAssumed,
    /// The side field is neither `w`, `r` nor `b`; Red is assumed, as the
    /// xqbase readers do.
    SideUnknown,
    /// The board was written with Red at the top; it has been turned by 180
    /// degrees.
    Rotated,
    /// A counter is not a number; its default is used.
    CounterUnreadable,
}

/// What [`Position::parse_fen`] read.
#[derive(Clone, Debug)]
pub struct ParsedFen {
    /// The position of the FEN itself.
    pub start: Position,
    /// Moves listed after it (UCCI `moves …`), each legal; playing them gives
    /// the position that is meant.
    pub moves: Vec<Move>,
    /// What had to be assumed.
    pub notes: Vec<FenNote>,
}

impl ParsedFen {
    /// The position after the listed moves.
    #[must_use]
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        for mv in &self.moves {
            position.make(*mv);
        }
        position
    }
}

impl Position {
    /// Reads a FEN or a UCCI `position` line. A position that the rules do
    /// not allow is no error here: see [`Position::faults`].
    ///
    /// # Errors
    /// When there are not ten ranks of nine files, a letter is unknown, or a
    /// listed move cannot be played.
    pub fn parse_fen(text: &str) -> Result<ParsedFen, FenError> {
        if text.len() > MAX_LEN {
            return Err(FenError::TooLong);
        }
        let mut fields = text.split_whitespace().peekable();
        while fields
            .next_if(|f| f.eq_ignore_ascii_case("position") || f.eq_ignore_ascii_case("fen"))
            .is_some()
        {}
        let board = fields.next().ok_or(FenError::Empty)?;
        let mut notes = Vec::new();
        let mut start = if board.eq_ignore_ascii_case("startpos") {
            Position::start()
        } else {
            let offset = text.find(board).unwrap_or(0);
            let column = text[..offset].chars().count();
            let mut position = read_board(board, column)?;
            if stands_on_its_head(&position) {
                position = position.turned();
                notes.push(FenNote::Rotated);
            }
            read_side(&mut position, fields.next_if(|f| !is_moves(f)), &mut notes);
            read_counters(&mut position, &mut fields, &mut notes);
            position
        };
        // A round 0 is written by several programs for the first round.
        start.set_counters(start.quiet_plies(), start.round().max(1));
        let moves = read_moves(&start, fields)?;
        Ok(ParsedFen { start, moves, notes })
    }

    /// Reads back what [`Position::fen`] wrote. Unlike
    /// [`Position::parse_fen`] it takes the board as it stands, also one with
    /// the kings in each other's palace, and any counters.
    ///
    /// # Errors
    /// As [`Position::parse_fen`].
    pub fn from_canonical_fen(text: &str) -> Result<Position, FenError> {
        if text.len() > MAX_LEN {
            return Err(FenError::TooLong);
        }
        let mut fields = text.split_whitespace().peekable();
        let mut position = read_board(fields.next().ok_or(FenError::Empty)?, 0)?;
        let mut notes = Vec::new();
        read_side(&mut position, fields.next(), &mut notes);
        read_counters(&mut position, &mut fields, &mut notes);
        Ok(position)
    }

    /// The canonical FEN: letters K A B N R C P, side `w` or `b`, two dashes,
    /// plies since the last capture, round.
    #[must_use]
    pub fn fen(&self) -> String {
        let mut text = self.fen_board();
        let side = if self.side() == Color::Red { 'w' } else { 'b' };
        let _ = write!(text, " {side} - - {} {}", self.quiet_plies(), self.round());
        text
    }

    /// Only the board field of the canonical FEN.
    #[must_use]
    pub fn fen_board(&self) -> String {
        let mut text = String::with_capacity(80);
        for rank in (0..10).rev() {
            let mut empty = 0;
            for file in 0..9 {
                match self.piece_at(Square::from_index(rank * 9 + file)) {
                    Some(piece) => {
                        if empty > 0 {
                            text.push((b'0' + empty) as char);
                            empty = 0;
                        }
                        text.push(piece.letter());
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                text.push((b'0' + empty) as char);
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    /// The board turned by 180 degrees, colours and turn kept.
    fn turned(&self) -> Position {
        let mut image = Position::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                image.put(square.rotated(), piece);
            }
        }
        image
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// The position a FEN means, after its listed moves.
    fn from_str(text: &str) -> Result<Position, FenError> {
        Position::parse_fen(text).map(|parsed| parsed.position())
    }
}

fn is_moves(field: &str) -> bool {
    field.eq_ignore_ascii_case("moves")
}

fn read_board(board: &str, before: usize) -> Result<Position, FenError> {
    // Some writers end the board with a slash.
    let board = board.strip_suffix('/').unwrap_or(board);
    let ranks = board.split('/').count();
    for (i, c) in board.chars().enumerate() {
        let known = c == '/'
            || c.is_ascii_digit()
            || matches!(c, '*' | '.')
            || Piece::from_letter(c).is_some();
        if !known {
            return Err(FenError::Letter { found: c, column: before + i + 1 });
        }
    }
    if ranks != 10 {
        return Err(FenError::Ranks { found: ranks });
    }
    let mut position = Position::empty();
    for (field, text) in board.split('/').enumerate() {
        let rank = 9 - field;
        let mut file = 0;
        for c in text.chars() {
            if let Some(digit) = c.to_digit(10) {
                file += digit as usize;
            } else {
                if let (Some(piece), Some(square)) =
                    (Piece::from_letter(c), Square::at(file.min(9) as i8, rank as i8))
                {
                    position.put(square, piece);
                }
                file += 1;
            }
        }
        if file != 9 {
            return Err(FenError::Files { field: field + 1, rank, found: file });
        }
    }
    Ok(position)
}

/// Red's king among Black's ranks and Black's among Red's.
fn stands_on_its_head(position: &Position) -> bool {
    let rank = |color| position.king(color).map(Square::rank);
    matches!((rank(Color::Red), rank(Color::Black)), (Some(7..), Some(..=2)))
        && position.pieces(Color::Red, PieceKind::King).len() == 1
        && position.pieces(Color::Black, PieceKind::King).len() == 1
}

fn read_side(position: &mut Position, field: Option<&str>, notes: &mut Vec<FenNote>) {
    match field {
        None => notes.push(FenNote::SideAssumed),
        Some("w" | "W" | "r" | "R") => {}
        Some("b" | "B") => position.set_side(Color::Black),
        Some(_) => notes.push(FenNote::SideUnknown),
    }
}

fn read_counters<'a>(
    position: &mut Position,
    fields: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
    notes: &mut Vec<FenNote>,
) {
    // One or two dashes stand for castling and en passant; a third (Qianhong)
    // stands in the place of the first counter.
    let mut dashes = 0;
    while fields.next_if(|f| f.chars().all(|c| c == '-')).is_some() {
        dashes += 1;
    }
    let mut counters = [0, 1];
    for counter in counters.iter_mut().skip(usize::from(dashes > 2)) {
        let Some(field) = fields.next_if(|f| !is_moves(f)) else { break };
        match field.parse() {
            Ok(number) => *counter = number,
            Err(_) => notes.push(FenNote::CounterUnreadable),
        }
    }
    position.set_counters(counters[0], counters[1]);
}

fn read_moves<'a>(
    start: &Position,
    mut fields: impl Iterator<Item = &'a str>,
) -> Result<Vec<Move>, FenError> {
    let mut moves = Vec::new();
    if !fields.by_ref().any(is_moves) {
        return Ok(moves);
    }
    let mut position = start.clone();
    for (i, text) in fields.enumerate() {
        let failed = || FenError::Move { index: i + 1, text: text.to_owned() };
        let mv: Move = text.parse().map_err(|_| failed())?;
        position.play(mv).map_err(|_| failed())?;
        moves.push(mv);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_is_written_canonically() {
        assert_eq!(Position::start().fen(), START_FEN);
        assert_eq!(START_FEN.parse::<Position>(), Ok(Position::start()));
    }

    #[test]
    fn dialects_give_the_same_position() {
        let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        for text in [
            board.to_owned(),
            format!("{board} w"),
            format!("{board} r - - 0 0"),
            format!("{board} w - - - 1"),
            format!("position fen {board} w - - 0 1"),
            "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w".to_owned(),
            "rnbakabnr/54/1c5c1/p1p1p1p1p/9/*8/P1P1P1P1P/1C5C1/9/RNBAKABNR w".to_owned(),
            "startpos".to_owned(),
        ] {
            let parsed = Position::parse_fen(&text).unwrap();
            assert_eq!(parsed.position().fen(), START_FEN, "{text}");
        }
    }

    #[test]
    fn a_board_with_red_at_the_top_is_turned_and_noted() {
        let text = "RNBAKABNR/9/1C5C1/P1P1P1P1P/9/9/p1p1p1p1p/1c5c1/9/rnbakabnr b";
        let parsed = Position::parse_fen(text).unwrap();
        assert_eq!(parsed.notes, [FenNote::Rotated]);
        assert_eq!(parsed.start.fen_board(), Position::start().fen_board());
        assert_eq!(parsed.start.side(), Color::Black);
    }

    #[test]
    fn listed_moves_are_played() {
        let parsed = Position::parse_fen("startpos moves h2e2 h9g7").unwrap();
        assert_eq!(parsed.moves.len(), 2);
        assert!(parsed.position().fen().ends_with(" w - - 2 2"));
        assert!(matches!(
            Position::parse_fen("startpos moves h2e2 h9g8"),
            Err(FenError::Move { index: 2, .. })
        ));
    }

    #[test]
    fn wrong_boards_say_where() {
        let files = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C2/9/RNBAKABNR w - - 0 1";
        assert_eq!(
            Position::parse_fen(files).err(),
            Some(FenError::Files { field: 8, rank: 2, found: 10 })
        );
        assert_eq!(Position::parse_fen("").err(), Some(FenError::Empty));
        assert_eq!(Position::parse_fen("9/9").err(), Some(FenError::Ranks { found: 2 }));
        assert_eq!(
            Position::parse_fen("fen rnbq").err(),
            Some(FenError::Letter { found: 'q', column: 8 })
        );
        let long = format!("{}/9", "9".repeat(30));
        assert!(Position::parse_fen(&long).is_err());
    }
}
