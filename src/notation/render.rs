//! Writing a move in a notation.

use super::describe::describe;
use super::style::{PawnStyle, Style, WxfStyle};
use super::{
    Notation, RankBase, abbreviated, chinese, numeric, pinyin, san, squares, vietnamese, wxf,
};
use crate::board::{Color, Move, Position};

/// Appends a move in Chinese notation: canonical text (notation-chinese.md, 8)
/// in the given style, without allocating when `out` has room for 15 bytes.
///
/// The mover is the owner of the piece. A move that the notation has no words
/// for (no piece on the from-square, a chariot going aslant) is written as
/// ICCS in lower case, `h2e2`, and `false` is returned.
pub fn write_chinese(mv: Move, position: &Position, out: &mut String, style: Style) -> bool {
    write(Notation::Chinese, mv, position, out, style)
}

/// Appends a move in any notation; see [`write_chinese`].
///
/// Of a legal move the result is `true` and the text is read back as the same
/// move, with three exceptions: the short record (简写) without bars leaves the
/// direction open, UCI and SAN text needs to be read with the rank base of the
/// style, and the capital pawn letters of [`WxfStyle::Yang`] may be ambiguous
/// for Black, because they do not say from whose side they count.
pub fn write(
    notation: Notation,
    mv: Move,
    position: &Position,
    out: &mut String,
    style: Style,
) -> bool {
    match notation {
        Notation::Iccs => squares::write_iccs(mv, out),
        Notation::Uci => squares::write_uci(mv, style.rank_base, out),
        Notation::Digits => squares::write_digits(mv, out),
        Notation::San => san::write(mv, position, style.rank_base, out),
        _ => return write_relative(notation, mv, position, out, style),
    }
    true
}

fn write_relative(
    notation: Notation,
    mv: Move,
    position: &Position,
    out: &mut String,
    style: Style,
) -> bool {
    let pawns = match notation {
        Notation::Wxf if !matches!(style.wxf, WxfStyle::Xqbase | WxfStyle::Yang) => {
            PawnStyle::FrontPawnFile
        }
        Notation::Wxf | Notation::Numeric => PawnStyle::Numbered,
        // Without the piece, 中 of a file would read as 卒 (z) there, and the
        // short record would be two bare numerals.
        Notation::Pinyin | Notation::Abbreviated if style.pawns == PawnStyle::FrontFile => {
            PawnStyle::FrontPawnFile
        }
        _ => style.pawns,
    };
    let (Some(relative), Some(piece)) = (describe(mv, position, pawns), position.piece_at(mv.from))
    else {
        squares::write_uci(mv, RankBase::Zero, out);
        return false;
    };
    let written = match notation {
        Notation::Wxf => wxf::write(relative, mv, position, style.wxf, out),
        Notation::Numeric => numeric::write(relative, mv, position, out),
        Notation::Vietnamese => vietnamese::write(relative, out),
        Notation::Abbreviated => {
            abbreviated::write(relative, piece.color, style, out);
            true
        }
        Notation::Pinyin => {
            pinyin::write(relative, piece.color == Color::Black, out);
            true
        }
        _ => {
            chinese::spell(relative, piece.color, style, out);
            true
        }
    };
    if !written {
        squares::write_uci(mv, RankBase::Zero, out);
    }
    written
}

/// The text of a move in a notation; see [`write()`]. `None` where the notation
/// has no words for it.
#[must_use]
pub fn render(notation: Notation, mv: Move, position: &Position, style: Style) -> Option<String> {
    let mut out = String::with_capacity(16);
    write(notation, mv, position, &mut out, style).then_some(out)
}
