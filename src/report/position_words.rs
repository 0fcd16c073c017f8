//! Positions in words.

use crate::board::{Position, Square, Status};
use crate::finding::Lang;
use crate::finding::catalogue::words::{piece, side};

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
