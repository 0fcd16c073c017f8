//! Findings about what the board says: why a move is not legal, what is wrong
//! with a position or a FEN. The parameters are free of language: a piece is
//! its FEN letter, a side `red` or `black`, a point its ICCS square.

use super::{Code, Finding, Place, Severity};
use crate::board::attacks::between;
use crate::board::{
    Color, FenError, FenNote, IllegalReason, Move, Piece, PieceKind, Position, PositionFault,
    Square,
};

/// The article of the 1999 rules that a move breaks.
#[must_use]
pub const fn article_of(reason: IllegalReason) -> &'static str {
    match reason {
        IllegalReason::NotYourPiece | IllegalReason::WrongSide => "2.1",
        IllegalReason::NoSuchPiece
        | IllegalReason::PieceCannotMoveSo
        | IllegalReason::PathBlocked
        | IllegalReason::HorseLeg
        | IllegalReason::ElephantEye
        | IllegalReason::OutsidePalace
        | IllegalReason::AcrossRiver
        | IllegalReason::PawnBackward
        | IllegalReason::GeneralsFacing => "2.2",
        IllegalReason::OwnPieceOnTarget | IllegalReason::NoScreen | IllegalReason::TwoScreens => {
            "2.3"
        }
        IllegalReason::LeavesKingInCheck => "3.1",
    }
}

impl Finding {
    /// `illegal-move`: why `mv` cannot be played in `position`. Where the
    /// written move names no squares (`no-such-piece`, `wrong-side`), `mv` is
    /// `None`.
    ///
    /// Parameters: `move`, `piece`, `from`, `to`; `at` is the blocked leg or
    /// eye or the piece in the way, `block` the piece there; `by` and
    /// `by-square` the piece that gives check; `side` the side to move.
    #[must_use]
    pub fn illegal_move(
        place: Place,
        position: &Position,
        mv: Option<Move>,
        reason: IllegalReason,
    ) -> Finding {
        let mut finding = Finding::new(Code::IllegalMove, place)
            .reason(reason.name())
            .article(article_of(reason))
            .param("side", position.side().name());
        let Some(mv) = mv else { return finding };
        finding = finding.param("move", mv).param("from", mv.from).param("to", mv.to);
        if let Some(piece) = position.piece_at(mv.from) {
            finding = finding.param("piece", piece.letter());
        }
        if let Some(at) = obstacle(position, mv, reason) {
            finding = finding.param("at", at);
            if let Some(block) = position.piece_at(at) {
                finding = finding.param("block", block.letter());
            }
        }
        if reason == IllegalReason::LeavesKingInCheck {
            let mut after = position.clone();
            after.make(mv);
            if let Some(from) = after.checkers(position.side()).into_iter().next()
                && let Some(by) = after.piece_at(from)
            {
                finding = finding.param("by", by.letter()).param("by-square", from);
            }
        }
        finding
    }

    /// `illegal-position`: a fault of a start position.
    ///
    /// Parameters: `side`, `piece`, `square`, `count`, `full`, as far as the
    /// fault has them.
    #[must_use]
    pub fn illegal_position(place: Place, fault: PositionFault) -> Finding {
        let finding = Finding::new(Code::IllegalPosition, place).reason(fault.name());
        match fault {
            PositionFault::KingMissing(color) => finding
                .param("side", color.name())
                .param("piece", Piece::new(color, PieceKind::King).letter()),
            PositionFault::TooMany(piece, count) => finding
                .param("piece", piece.letter())
                .param("count", count)
                .param("full", piece.kind.full_count()),
            PositionFault::Misplaced(piece, square) => {
                finding.param("piece", piece.letter()).param("square", square)
            }
            PositionFault::GeneralsFacing => finding.article("2.2"),
            PositionFault::OpponentInCheck(color) => {
                finding.param("side", color.name()).param("turn", color.other().name())
            }
        }
    }

    /// `bad-fen`: why a FEN cannot be read.
    ///
    /// Parameters: `found`, `field`, `rank`, `column`, `index`, as far as the
    /// error has them.
    #[must_use]
    pub fn bad_fen(place: Place, error: &FenError) -> Finding {
        let finding = Finding::new(Code::BadFen, place);
        match error {
            FenError::Empty => finding.reason("empty"),
            FenError::TooLong => finding.reason("too-long"),
            FenError::Ranks { found } => finding.reason("ranks").param("found", found),
            FenError::Files { field, rank, found } => finding
                .reason("files")
                .param("field", field)
                .param("rank", rank)
                .param("found", found),
            FenError::Letter { found, column } => {
                finding.reason("letter").param("found", found).param("column", column)
            }
            FenError::Move { index, text } => {
                finding.reason("move").param("index", index).param("found", text)
            }
        }
    }

    /// `bad-fen` as a note: what the reader of a FEN had to assume.
    #[must_use]
    pub fn fen_note(place: Place, note: FenNote) -> Finding {
        let reason = match note {
            FenNote::SideAssumed => "side-assumed",
            FenNote::SideUnknown => "side-unknown",
            FenNote::Rotated => "rotated",
            FenNote::CounterUnreadable => "counter-unreadable",
        };
        Finding::new(Code::BadFen, place).reason(reason).severity(Severity::Note)
    }
}

/// The point that a move stumbles over.
fn obstacle(position: &Position, mv: Move, reason: IllegalReason) -> Option<Square> {
    let (from, to) = (mv.from, mv.to);
    let file = to.file() as i8 - from.file() as i8;
    let rank = to.rank() as i8 - from.rank() as i8;
    let step = |file: i8, rank: i8| Square::at(from.file() as i8 + file, from.rank() as i8 + rank);
    match reason {
        IllegalReason::HorseLeg if rank.abs() == 2 => step(0, rank.signum()),
        IllegalReason::HorseLeg => step(file.signum(), 0),
        IllegalReason::ElephantEye => step(file / 2, rank / 2),
        IllegalReason::OwnPieceOnTarget => Some(to),
        IllegalReason::PathBlocked | IllegalReason::TwoScreens => {
            let mut squares: Vec<Square> =
                (between(from, to) & position.occupied()).into_iter().collect();
            squares.sort_by_key(|square| {
                square.file().abs_diff(from.file()) + square.rank().abs_diff(from.rank())
            });
            squares.first().copied()
        }
        IllegalReason::GeneralsFacing => position.king(position.side().other()),
        _ => None,
    }
}

/// The side of a parameter value.
pub(super) fn side_of(value: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color.name() == value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn illegal(fen: &str, mv: &str) -> Finding {
        let position: Position = fen.parse().unwrap();
        let mv = mv.parse().unwrap();
        let reason = position.legality(mv).unwrap_err();
        Finding::illegal_move(Place::WHOLE, &position, Some(mv), reason)
    }

    fn param<'a>(finding: &'a Finding, name: &str) -> Option<&'a str> {
        finding.params.iter().find(|(n, _)| *n == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn the_place_of_the_obstacle_is_named() {
        let start = crate::board::START_FEN;
        let leg = illegal(start, "b0d1");
        assert_eq!((leg.reason, param(&leg, "at")), (Some("horse-leg"), Some("c0")));
        assert_eq!(param(&leg, "block"), Some("B"));
        let eye = illegal(
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/3A5/RNB1KABNR w - - 0 1",
            "c0e2",
        );
        assert_eq!((eye.reason, param(&eye, "at")), (Some("elephant-eye"), Some("d1")));
        let path = illegal(start, "a0a5");
        assert_eq!((path.reason, param(&path, "at")), (Some("path-blocked"), Some("a3")));
    }

    #[test]
    fn the_piece_that_gives_check_is_named() {
        let check = illegal("4k4/9/9/9/4r4/9/9/9/9/R3K4 w - - 0 1", "a0a1");
        assert_eq!(check.reason, Some("leaves-king-in-check"));
        assert_eq!((param(&check, "by"), param(&check, "by-square")), (Some("r"), Some("e5")));
        assert_eq!(check.article, Some("3.1"));
    }
}
