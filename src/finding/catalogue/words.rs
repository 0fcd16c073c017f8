//! Values of parameters in words: pieces, sides.

use crate::board::{Color, Piece, PieceKind};
use crate::finding::Lang;
use crate::finding::raise::side_of;

/// `Red` or `Black`, `红方` or `黑方`.
#[must_use]
pub const fn side(color: Color, lang: Lang) -> &'static str {
    match color {
        Color::Red => lang.pick("Red", "红方"),
        Color::Black => lang.pick("Black", "黑方"),
    }
}

/// The English name of a kind of piece.
#[must_use]
pub const fn kind(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King => "king",
        PieceKind::Advisor => "advisor",
        PieceKind::Elephant => "elephant",
        PieceKind::Horse => "horse",
        PieceKind::Chariot => "chariot",
        PieceKind::Cannon => "cannon",
        PieceKind::Pawn => "pawn",
    }
}

/// A piece by its side, name and character: `red elephant (相)`, `红相`.
#[must_use]
pub fn piece(piece: Piece, lang: Lang) -> String {
    let hanzi = piece.hanzi();
    match lang {
        Lang::En => format!("{} {} ({hanzi})", piece.color.name(), kind(piece.kind)),
        Lang::Zh => {
            let side = if piece.color == Color::Red { '红' } else { '黑' };
            format!("{side}{hanzi}")
        }
    }
}

/// Gives a parameter value the form its placeholder asks for: `{piece:piece}`
/// names a piece by its FEN letter, `{side:side}` a side. A value of another
/// shape stays as it is.
pub(super) fn shaped(value: &str, shape: Option<&str>, lang: Lang) -> String {
    match shape {
        Some("piece") => {
            let mut letters = value.chars();
            match (letters.next().and_then(Piece::from_letter), letters.next()) {
                (Some(found), None) => piece(found, lang),
                _ => value.to_owned(),
            }
        }
        Some("side") => {
            side_of(value).map_or_else(|| value.to_owned(), |color| side(color, lang).to_owned())
        }
        _ => value.to_owned(),
    }
}
