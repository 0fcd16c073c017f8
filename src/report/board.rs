//! A board (棋盘) drawn in text.

use std::fmt::{self, Write as _};

use super::style::{Paint, Tone};
use crate::board::{Color, Move, Piece, PieceKind, Position, Square};

/// How pieces are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PieceSet {
    /// Characters as they are printed on the pieces. With colours both sides
    /// share 车 马 炮; without, Red has 俥 傌 炮 and Black 車 馬 砲, so that
    /// each of the fourteen pieces has a character of its own.
    #[default]
    Hanzi,
    /// FEN letters, Red's in upper case.
    Letters,
}

/// A position to be drawn: coordinates of both sides and of ICCS, the river,
/// the palaces, and brackets around the two points of the last move.
///
/// Every point takes four columns; a character takes two, so columns stand
/// right wherever a hanzi is two columns wide.
#[derive(Clone, Copy, Debug)]
pub struct BoardText<'a> {
    position: &'a Position,
    last: Option<Move>,
    pieces: PieceSet,
    paint: Paint,
}

impl<'a> BoardText<'a> {
    /// Draws `position` with hanzi and without colours.
    #[must_use]
    pub fn new(position: &'a Position) -> BoardText<'a> {
        BoardText { position, last: None, pieces: PieceSet::Hanzi, paint: Paint::PLAIN }
    }

    /// Marks the move that led here.
    #[must_use]
    pub fn last_move(mut self, mv: Option<Move>) -> BoardText<'a> {
        self.last = mv;
        self
    }

    /// Chooses the pieces.
    #[must_use]
    pub fn pieces(mut self, pieces: PieceSet) -> BoardText<'a> {
        self.pieces = pieces;
        self
    }

    /// Chooses the colours.
    #[must_use]
    pub fn paint(mut self, paint: Paint) -> BoardText<'a> {
        self.paint = paint;
        self
    }

    fn marked(&self, square: Square) -> bool {
        self.last.is_some_and(|mv| mv.from == square || mv.to == square)
    }

    /// The piece on a point, or the lines that cross there: two columns.
    fn point(&self, f: &mut fmt::Formatter<'_>, square: Square) -> fmt::Result {
        let Some(piece) = self.position.piece_at(square) else {
            if self.marked(square) {
                return f.write_str("  ");
            }
            f.write_char(crossing(square))?;
            return if square.file() == 8 { Ok(()) } else { f.write_char('─') };
        };
        let tone = if piece.color == Color::Red { Tone::Red } else { Tone::Black };
        match self.pieces {
            PieceSet::Hanzi => {
                let hanzi = if self.paint.on { piece.hanzi() } else { printed(piece) };
                write!(f, "{}", self.paint.tone(tone, hanzi))
            }
            PieceSet::Letters => {
                write!(f, "{}", self.paint.tone(tone, piece.letter()))?;
                match (self.marked(square), square.file()) {
                    (true, _) => f.write_char(' '),
                    (false, 8) => Ok(()),
                    (false, _) => f.write_char('─'),
                }
            }
        }
    }

    /// One rank with its points.
    fn rank(&self, f: &mut fmt::Formatter<'_>, rank: i8) -> fmt::Result {
        write!(f, "{} ", self.paint.tone(Tone::Dim, rank))?;
        let squares: Vec<Square> = (0..9).filter_map(|file| Square::at(file, rank)).collect();
        let mut before = ' ';
        for (file, square) in squares.iter().enumerate() {
            let marked = self.marked(*square);
            write!(f, "{}", if marked { '[' } else { before })?;
            self.point(f, *square)?;
            let line = if file == 8 { ' ' } else { '─' };
            before = line;
            if file < 8 || marked {
                write!(f, "{}", if marked { ']' } else { line })?;
            }
        }
        writeln!(f)
    }
}

/// What stands between two ranks, from the upper one down.
fn between(rank: i8) -> &'static str {
    match rank {
        // The palaces have their diagonals.
        9 | 2 => "   │   │   │   │ ╲ │ ╱ │   │   │   │",
        8 | 1 => "   │   │   │   │ ╱ │ ╲ │   │   │   │",
        5 => "   │       楚 河       汉 界       │",
        _ => "   │   │   │   │   │   │   │   │   │",
    }
}

/// The crossing of lines on an empty point.
fn crossing(square: Square) -> char {
    match (square.file(), square.rank()) {
        (0, 9) => '┌',
        (8, 9) => '┐',
        (0, 0) => '└',
        (8, 0) => '┘',
        (0, _) => '├',
        (8, _) => '┤',
        (_, 9 | 4) => '┬',
        (_, 0 | 5) => '┴',
        _ => '┼',
    }
}

/// The character of a piece where no colour tells the sides apart.
pub(super) fn printed(piece: Piece) -> char {
    match (piece.color, piece.kind) {
        (Color::Red, PieceKind::Chariot) => '俥',
        (Color::Red, PieceKind::Horse) => '傌',
        (Color::Black, PieceKind::Chariot) => '車',
        (Color::Black, PieceKind::Horse) => '馬',
        (Color::Black, PieceKind::Cannon) => '砲',
        _ => piece.hanzi(),
    }
}

impl fmt::Display for BoardText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dim = |text| self.paint.tone(Tone::Dim, text);
        writeln!(f, "{}", dim("   1   2   3   4   5   6   7   8   9"))?;
        for rank in (0..10).rev() {
            self.rank(f, rank)?;
            if rank > 0 {
                writeln!(f, "{}", between(rank))?;
            }
        }
        writeln!(f, "{}", dim("   九  八  七  六  五  四  三  二  一"))?;
        writeln!(f, "{}", dim("   a   b   c   d   e   f   g   h   i"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_has_river_palace_and_both_numberings() {
        let drawn = BoardText::new(&Position::start()).to_string();
        let expected = "
   1   2   3   4   5   6   7   8   9
9  車──馬──象──士──将──士──象──馬──車
   │   │   │   │ ╲ │ ╱ │   │   │   │
8  ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │ ╱ │ ╲ │   │   │   │
7  ├───砲──┼───┼───┼───┼───┼───砲──┤
   │   │   │   │   │   │   │   │   │
6  卒──┼───卒──┼───卒──┼───卒──┼───卒
   │   │   │   │   │   │   │   │   │
5  ├───┴───┴───┴───┴───┴───┴───┴───┤
   │       楚 河       汉 界       │
4  ├───┬───┬───┬───┬───┬───┬───┬───┤
   │   │   │   │   │   │   │   │   │
3  兵──┼───兵──┼───兵──┼───兵──┼───兵
   │   │   │   │   │   │   │   │   │
2  ├───炮──┼───┼───┼───┼───┼───炮──┤
   │   │   │   │ ╲ │ ╱ │   │   │   │
1  ├───┼───┼───┼───┼───┼───┼───┼───┤
   │   │   │   │ ╱ │ ╲ │   │   │   │
0  俥──傌──相──仕──帅──仕──相──傌──俥
   九  八  七  六  五  四  三  二  一
   a   b   c   d   e   f   g   h   i
";
        assert_eq!(drawn, expected.trim_start_matches('\n'));
    }

    #[test]
    fn the_last_move_stands_in_brackets() {
        let mut position = Position::start();
        let mv: Move = "h2e2".parse().unwrap();
        position.make(mv);
        let drawn = BoardText::new(&position).last_move(Some(mv)).to_string();
        let rank = drawn.lines().find(|line| line.starts_with('2')).unwrap();
        assert_eq!(rank.trim_end(), "2  ├───炮──┼───┼──[炮]─┼───┼──[  ]─┤");
        let corner: Move = "i0i1".parse().unwrap();
        let letters = BoardText::new(&Position::start())
            .last_move(Some(corner))
            .pieces(PieceSet::Letters)
            .to_string();
        let home = letters.lines().find(|line| line.starts_with('0')).unwrap();
        assert_eq!(home.trim_end(), "0  R───N───B───A───K───A───B───N──[R ]");
    }

    #[test]
    fn colours_replace_the_old_characters() {
        let drawn = BoardText::new(&Position::start()).paint(Paint { on: true }).to_string();
        assert!(drawn.contains("\x1b[31m车\x1b[0m"));
        assert!(!drawn.contains('俥'));
    }
}
