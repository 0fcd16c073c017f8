//! Positions in words.

use crate::board::{
    Color, FenError, FenNote, Piece, PieceKind, Position, PositionFault, Square, Status,
};
use crate::finding::Lang;

/// `Red` or `Black`.
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

/// A sentence about a fault of a position.
#[must_use]
pub fn fault(fault: PositionFault, lang: Lang) -> String {
    match (fault, lang) {
        (PositionFault::KingMissing(color), Lang::En) => {
            format!("{} has no king ({})", side(color, lang), king(color))
        }
        (PositionFault::KingMissing(color), Lang::Zh) => {
            format!("{}没有{}", side(color, lang), king(color))
        }
        (PositionFault::TooMany(what, count), Lang::En) => {
            let full = what.kind.full_count();
            format!("{count} pieces of {}, a set has {full}", piece(what, lang))
        }
        (PositionFault::TooMany(what, count), Lang::Zh) => {
            format!("{}有 {count} 个，应不多于 {} 个", piece(what, lang), what.kind.full_count())
        }
        (PositionFault::Misplaced(what, square), Lang::En) => {
            format!("the {} can never stand on {square}", piece(what, lang))
        }
        (PositionFault::Misplaced(what, square), Lang::Zh) => {
            format!("{}不可能在 {square}", piece(what, lang))
        }
        (PositionFault::GeneralsFacing, _) => lang
            .pick("the generals face each other on an open file", "将帅在同一直线上直接对面")
            .to_owned(),
        (PositionFault::OpponentInCheck(color), Lang::En) => format!(
            "{} is in check although it is {}'s turn",
            side(color, lang),
            side(color.other(), lang)
        ),
        (PositionFault::OpponentInCheck(color), Lang::Zh) => {
            format!("轮到{}走，而{}正被将军", side(color.other(), lang), side(color, lang))
        }
    }
}

const fn king(color: Color) -> char {
    Piece::new(color, PieceKind::King).hanzi()
}

/// Why a FEN cannot be read.
#[must_use]
pub fn fen_error(error: &FenError, lang: Lang) -> String {
    if lang == Lang::En {
        return error.to_string();
    }
    match error {
        FenError::Empty => "没有棋盘".to_owned(),
        FenError::TooLong => "文字过长，不是 FEN".to_owned(),
        FenError::Ranks { found } => format!("有 {found} 行，应为 10 行"),
        FenError::Files { field, found, .. } => {
            format!("棋盘第 {field} 段有 {found} 列，应为 9 列")
        }
        FenError::Letter { found, column } => {
            format!("第 {column} 个字符 `{found}` 既不是棋子字母也不是空点数")
        }
        FenError::Move { index, text } => format!("第 {index} 着 `{text}` 不能走"),
    }
}

/// What the FEN reader had to assume.
#[must_use]
pub fn fen_note(note: FenNote, lang: Lang) -> &'static str {
    let (en, zh) = match note {
        FenNote::SideAssumed => {
            ("the FEN does not say who is to move; Red is assumed", "FEN 没有写明轮到谁走，按红先")
        }
        FenNote::SideUnknown => (
            "the side in the FEN is neither `w` nor `b`; Red is assumed",
            "FEN 的走子方不是 w 或 b，按红先",
        ),
        FenNote::Rotated => (
            "the board was written with Red at the top and has been turned",
            "棋盘写成红方在上，已旋转",
        ),
        FenNote::CounterUnreadable => (
            "a counter of the FEN is not a number and is taken as 0 or 1",
            "FEN 的计数不是数字，按 0 或 1",
        ),
    };
    lang.pick(en, zh)
}

/// Who is to move, check, mate: a line about a position.
#[must_use]
pub fn state(position: &Position, status: Status, lang: Lang) -> String {
    let color = position.side();
    let (mover, other) = (side(color, lang), side(color.other(), lang));
    let checkers: Vec<String> =
        position.checkers(color).into_iter().map(|from| checker(position, from, lang)).collect();
    match (status, lang) {
        (Status::Ongoing, Lang::En) if !checkers.is_empty() => {
            format!("{mover} to move, in check from {}", checkers.join(" and "))
        }
        (Status::Ongoing, Lang::Zh) if !checkers.is_empty() => {
            format!("轮到{mover}走，被{}将军", checkers.join("、"))
        }
        (Status::Ongoing, Lang::En) => format!("{mover} to move"),
        (Status::Ongoing, Lang::Zh) => format!("轮到{mover}走"),
        (Status::Checkmate, Lang::En) => {
            format!("checkmate by {}: {other} has won (4.1.1)", checkers.join(" and "))
        }
        (Status::Checkmate, Lang::Zh) => {
            format!("{mover}被{}将死，{other}胜（4.1.1）", checkers.join("、"))
        }
        (Status::Stalemate, Lang::En) => {
            format!("{mover} is not in check and has no legal move: {other} has won (4.1.3)")
        }
        (Status::Stalemate, Lang::Zh) => format!("{mover}困毙，{other}胜（4.1.3）"),
        (Status::Illegal, Lang::En) => format!("{mover} to move; the position is not legal:"),
        (Status::Illegal, Lang::Zh) => format!("轮到{mover}走；局面不合规则："),
    }
}

fn checker(position: &Position, from: Square, lang: Lang) -> String {
    match position.piece_at(from) {
        Some(what) if lang == Lang::En => format!("the {} on {from}", piece(what, lang)),
        Some(what) => format!("{from} 的{}", piece(what, lang)),
        None => from.to_string(),
    }
}

/// `44 legal moves:`
#[must_use]
pub fn moves_heading(count: usize, lang: Lang) -> String {
    match lang {
        Lang::En if count == 1 => "1 legal move:".to_owned(),
        Lang::En => format!("{count} legal moves:"),
        Lang::Zh => format!("合法着法 {count} 种："),
    }
}
