//! Writing Chinese move text.

use crate::board::{Color, PieceKind};
use crate::notation::style::{Digits, Script, Style};
use crate::notation::syntax::{Direction, Ordinal, Place, Relative};

const HAN: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Characters of the pieces K A B N R C P (notation-chinese.md, 8).
fn piece_character(kind: PieceKind, side: Color, script: Script) -> char {
    const SIMPLIFIED: [[char; 7]; 2] =
        [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']];
    const TRADITIONAL: [[char; 7]; 2] =
        [['帥', '仕', '相', '馬', '車', '炮', '兵'], ['將', '士', '象', '馬', '車', '砲', '卒']];
    const TAIWAN: [[char; 7]; 2] =
        [['帥', '仕', '相', '傌', '俥', '炮', '兵'], ['將', '士', '象', '馬', '車', '包', '卒']];
    let table = match script {
        Script::Simplified => &SIMPLIFIED,
        Script::Traditional => &TRADITIONAL,
        Script::Taiwan => &TAIWAN,
    };
    table[side.index()][kind.index()]
}

fn numeral(n: u8, side: Color, digits: Digits) -> char {
    let n = n.clamp(1, 9);
    match (side, digits) {
        (Color::Red, Digits::Ascii | Digits::FullWidth) | (_, Digits::Han) => HAN[n as usize - 1],
        (Color::Black, Digits::FullWidth) => char::from_u32(0xff10 + n as u32).unwrap_or('１'),
        (Color::Black, Digits::Ascii) | (_, Digits::AsciiBoth) => (b'0' + n) as char,
    }
}

/// Appends a move of `side` in the given style. The short record (简写), which
/// has no direction, is not written by this function.
pub(in crate::notation) fn spell(relative: Relative, side: Color, style: Style, out: &mut String) {
    let simplified = style.script == Script::Simplified;
    let ordinal = |ordinal| match ordinal {
        Ordinal::Front => '前',
        Ordinal::Middle => '中',
        Ordinal::Rear if simplified => '后',
        Ordinal::Rear => '後',
        Ordinal::Nth(n) => HAN[n.clamp(1, 9) as usize - 1],
    };
    let piece = relative.piece.map(|kind| piece_character(kind, side, style.script));
    match relative.place {
        Place::File(file) => {
            out.extend(piece);
            out.push(numeral(file, side, style.digits));
        }
        Place::Ordinal(rank) => {
            out.push(ordinal(rank));
            out.extend(piece);
        }
        Place::OrdinalFile(rank, file) => {
            out.push(ordinal(rank));
            out.extend(piece);
            out.push(numeral(file, side, style.digits));
        }
    }
    match relative.direction {
        Some(Direction::Forward) if simplified => out.push('进'),
        Some(Direction::Forward) => out.push('進'),
        Some(Direction::Back) => out.push('退'),
        Some(Direction::Sideways) => out.push('平'),
        None => {}
    }
    out.push(numeral(relative.to, side, style.digits));
}
