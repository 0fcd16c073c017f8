//! How a position ends a game: mate, stalemate, neither side able to win, the
//! natural limit. Repetition is judged apart, because it needs the moves.

use crate::board::{Color, PieceKind, Position, Status};

/// The end of a game by the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// 将死
    Checkmate {
        /// Who has mated.
        winner: Color,
    },
    /// 困毙: the side on turn has no legal move and has lost.
    Stalemate {
        /// Who has stalemated the other.
        winner: Color,
    },
    /// Neither side has a piece that can cross the river.
    Insufficient,
    /// The natural limit is reached; a draw can be claimed. The position
    /// tells the plies without a capture, but not the checks in them, of which
    /// only ten count: with the moves at hand, ask
    /// [`NaturalCounter`](super::NaturalCounter).
    NaturalLimit,
}

impl End {
    /// The article that makes it the end.
    #[must_use]
    pub const fn article(self) -> &'static str {
        match self {
            End::Checkmate { .. } => "4.1.1",
            End::Stalemate { .. } => "4.1.3",
            End::Insufficient => "4.2.1",
            End::NaturalLimit => "4.2.4",
        }
    }
}

/// Whether a position is the end of a game, with a natural limit of so many
/// rounds ([`RuleSet::natural_limit`](super::RuleSet::natural_limit)). Mate
/// and stalemate come before the draws; a position without both kings is never
/// an end.
#[must_use]
pub fn end_of_game(position: &Position, natural_limit: u32) -> Option<End> {
    if Color::ALL.into_iter().any(|color| position.king(color).is_none()) {
        return None;
    }
    let winner = position.side().other();
    match position.end_of_play() {
        Status::Checkmate => Some(End::Checkmate { winner }),
        Status::Stalemate => Some(End::Stalemate { winner }),
        _ if !has_attackers(position) => Some(End::Insufficient),
        _ if position.quiet_plies() / 2 >= natural_limit => Some(End::NaturalLimit),
        _ => None,
    }
}

/// Whether any piece is left that can cross the river. Advisors, elephants
/// and kings alone win only by stalemate, which needs the opponent's help:
/// the conservative reading of article 4.2.1.
fn has_attackers(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        [PieceKind::Horse, PieceKind::Chariot, PieceKind::Cannon, PieceKind::Pawn]
            .into_iter()
            .any(|kind| !position.pieces(color, kind).is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(fen: &str) -> Option<End> {
        end_of_game(&fen.parse().unwrap(), 60)
    }

    #[test]
    fn mate_and_stalemate_lose() {
        let winner = Color::Red;
        assert_eq!(end("R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1"), Some(End::Checkmate { winner }));
        assert_eq!(end("4k4/R8/4N4/9/9/9/9/9/9/3K5 b - - 0 1"), Some(End::Stalemate { winner }));
        assert_eq!(End::Stalemate { winner }.article(), "4.1.3");
    }

    #[test]
    fn draws_need_bare_boards_or_sixty_rounds() {
        assert_eq!(end("2bak4/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1"), Some(End::Insufficient));
        assert_eq!(end("3k5/9/9/9/9/9/9/9/4P4/4K4 w - - 0 1"), None);
        assert_eq!(end("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 120 61"), Some(End::NaturalLimit));
        assert_eq!(end("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 119 60"), None);
        let forty: Position = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 80 41".parse().unwrap();
        assert_eq!(end_of_game(&forty, 40), Some(End::NaturalLimit));
        assert_eq!(end_of_game(&forty, 41), None);
        // A diagram without a king is no end.
        assert_eq!(end("3k5/9/9/9/9/9/9/9/9/9 w - - 0 1"), None);
    }
}
