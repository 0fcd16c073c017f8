//! Touched pieces (摸子走子): article 5 and the five cases of the Asian text.
//! Which moves a player is bound to, in order, and whether it is a foul.

use std::fmt;
use std::str::FromStr;

use crate::board::{Color, Move, Piece, Position, Square};
use crate::rules::RuleSet;

/// Most pieces that are taken to be touched in one turn.
const MOST: usize = 32;

/// Points in the order in which they were touched, or two at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The points.
    pub squares: Vec<Square>,
    /// Whether they were touched at the same time (article 5.5).
    pub at_once: bool,
}

/// The text is not a list of points.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("touched points are squares such as h2,h9, or h2+h9 for two at once; not `{0}`")]
pub struct ParseTouchedError(String);

impl FromStr for Touched {
    type Err = ParseTouchedError;

    /// `h2,h9` in this order; `h2+h9` at the same time.
    fn from_str(text: &str) -> Result<Touched, ParseTouchedError> {
        let wrong = || ParseTouchedError(text.to_owned());
        let at_once = text.contains('+');
        let squares: Vec<Square> = text
            .split([',', '+', '，', ' '])
            .filter(|word| !word.is_empty())
            .map(|word| word.to_ascii_lowercase().parse().map_err(|_| wrong()))
            .collect::<Result<_, _>>()?;
        if squares.is_empty() || squares.len() > MOST {
            return Err(wrong());
        }
        Ok(Touched { squares, at_once })
    }
}

impl fmt::Display for Touched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.at_once { "+" } else { "," };
        let squares: Vec<String> = self.squares.iter().map(ToString::to_string).collect();
        f.write_str(&squares.join(between))
    }
}

/// What a step of the order asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Duty {
    /// The own piece on the first point takes the enemy piece on the second.
    TakeWith(Square, Square),
    /// The own piece on this point moves.
    MoveIt(Square),
    /// Any piece takes the enemy piece on this point.
    TakeIt(Square),
    /// Another piece than the one on the first point takes the enemy piece on
    /// the second.
    TakeWithAnother(Square, Square),
}

/// One step of the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundStep {
    /// Number of the step in its article, from 1.
    pub step: u32,
    /// The article, such as `5.3`, or `AX 3.2 C` in the Asian text.
    pub article: &'static str,
    /// What it asks for.
    pub duty: Duty,
    /// The legal moves that do it; where there is none, the next step binds.
    pub moves: Vec<Move>,
}

/// What follows from touching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchRuling {
    /// The steps in their order. The first that has moves binds.
    pub steps: Vec<BoundStep>,
    /// The article of the case.
    pub article: &'static str,
    /// Technical fouls: the article and the point that was touched.
    pub fouls: Vec<(&'static str, Square)>,
}

impl TouchRuling {
    /// The step that binds the player; `None` where any move may be played.
    #[must_use]
    pub fn binding(&self) -> Option<&BoundStep> {
        self.steps.iter().find(|step| !step.moves.is_empty())
    }
}

/// Why a touch cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TouchError {
    /// No piece stands on the point.
    #[error("no piece stands on {0}")]
    Empty(Square),
}

/// The articles of one text.
struct Cases {
    own: &'static str,
    enemy: &'static str,
    own_first: &'static str,
    enemy_first: &'static str,
    at_once: &'static str,
    asian: bool,
}

const CHINESE: Cases = Cases {
    own: "5.1",
    enemy: "5.2",
    own_first: "5.3",
    enemy_first: "5.4",
    at_once: "5.5",
    asian: false,
};

const ASIAN: Cases = Cases {
    own: "AX 3.2 A",
    enemy: "AX 3.2 B",
    own_first: "AX 3.2 C",
    enemy_first: "AX 3.2 D",
    at_once: "AX 3.2 E",
    asian: true,
};

/// Rules on pieces that the side to move has touched, in a position.
///
/// Of several own pieces, or several of the enemy's, the first touched counts
/// first; the others follow, should nothing bind before.
///
/// # Errors
/// When no piece stands on one of the points.
pub fn touch(
    position: &Position,
    touched: &Touched,
    rules: RuleSet,
) -> Result<TouchRuling, TouchError> {
    let cases = if rules.is_chinese() { &CHINESE } else { &ASIAN };
    let mut pieces: Vec<(Square, Piece)> = Vec::new();
    for square in &touched.squares {
        let piece = position.piece_at(*square).ok_or(TouchError::Empty(*square))?;
        if !pieces.iter().any(|(known, _)| known == square) {
            pieces.push((*square, piece));
        }
    }
    let side = position.side();
    let of = |color: Color| {
        pieces.iter().filter(move |(_, piece)| piece.color == color).map(|(square, _)| *square)
    };
    let own: Vec<Square> = of(side).collect();
    let enemy: Vec<Square> = of(side.other()).collect();
    let own_first = pieces.first().is_some_and(|(_, piece)| piece.color == side);
    let mut order: Vec<(&'static str, Duty)> = Vec::new();
    let article = match (own.first(), enemy.first()) {
        (Some(mine), Some(theirs)) => {
            let (mine, theirs) = (*mine, *theirs);
            let another = Duty::TakeWithAnother(mine, theirs);
            let (article, rest) = if touched.at_once {
                (cases.at_once, [another, Duty::MoveIt(mine)])
            } else if own_first {
                (cases.own_first, [Duty::MoveIt(mine), another])
            } else {
                (cases.enemy_first, [another, Duty::MoveIt(mine)])
            };
            order.push((article, Duty::TakeWith(mine, theirs)));
            order.extend(rest.map(|duty| (article, duty)));
            article
        }
        (Some(_), None) => cases.own,
        _ => cases.enemy,
    };
    let mixed = usize::from(!order.is_empty());
    order.extend(own.iter().skip(mixed).map(|at| (cases.own, Duty::MoveIt(*at))));
    order.extend(enemy.iter().skip(mixed).map(|at| (cases.enemy, Duty::TakeIt(*at))));
    let legal = crate::audit::sorted_moves(position);
    let steps: Vec<BoundStep> = (1..)
        .zip(order)
        .map(|(step, (article, duty))| {
            let moves = legal.iter().copied().filter(|mv| duty.is_done_by(*mv)).collect();
            BoundStep { step, article, duty, moves }
        })
        .collect();
    let stuck = |at: &Square| !legal.iter().any(|mv| mv.from == *at);
    let safe = |at: &Square| !legal.iter().any(|mv| mv.to == *at);
    let mut fouls: Vec<(&'static str, Square)> = Vec::new();
    if !cases.asian {
        fouls.extend(own.iter().filter(|at| stuck(at)).map(|at| ("9.1.5", *at)));
        fouls.extend(enemy.iter().filter(|at| safe(at)).map(|at| ("9.1.6", *at)));
    } else if steps.iter().all(|step| step.moves.is_empty()) {
        // The Asian text calls it a foul only where the player goes free.
        fouls.extend(pieces.first().map(|(square, _)| (article, *square)));
    }
    Ok(TouchRuling { steps, article, fouls })
}

impl Duty {
    fn is_done_by(self, mv: Move) -> bool {
        match self {
            Duty::TakeWith(mine, theirs) => mv.from == mine && mv.to == theirs,
            Duty::MoveIt(mine) => mv.from == mine,
            Duty::TakeIt(theirs) => mv.to == theirs,
            Duty::TakeWithAnother(mine, theirs) => mv.from != mine && mv.to == theirs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::START_FEN;

    fn ruled(fen: &str, touched: &str, rules: RuleSet) -> TouchRuling {
        touch(&fen.parse().unwrap(), &touched.parse().unwrap(), rules).unwrap()
    }

    /// Number, article and moves of the step that binds.
    fn bound(fen: &str, touched: &str, rules: RuleSet) -> (u32, &'static str, String) {
        let ruling = ruled(fen, touched, rules);
        let moves = |step: &BoundStep| {
            step.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        ruling.binding().map_or((0, ruling.article, String::new()), |step| {
            (step.step, step.article, moves(step))
        })
    }

    const CN: RuleSet = RuleSet::Cn1999;
    const AX: RuleSet = RuleSet::Axf;

    #[test]
    fn one_piece_is_moved_or_taken() {
        let horse = (1, "5.1", "b0a2 b0c2".to_owned());
        assert_eq!(bound(START_FEN, "b0", CN), horse);
        assert_eq!(bound(START_FEN, "h9", CN), (1, "5.2", "h2h9".to_owned()));
        assert_eq!(bound(START_FEN, "b0", AX), (1, "AX 3.2 A", "b0a2 b0c2".to_owned()));
    }

    #[test]
    fn own_first_then_enemy() {
        // Article 5.3: the first takes the second …
        assert_eq!(bound(START_FEN, "h2,h9", CN), (1, "5.3", "h2h9".to_owned()));
        // … or moves if it cannot: the horse cannot take the cannon.
        assert_eq!(bound(START_FEN, "b0,h9", CN), (2, "5.3", "b0a2 b0c2".to_owned()));
        // … or, unable to move, leaves the capture to another piece.
        let shut = "4k4/9/9/9/r3p4/9/9/B8/4A4/RNBAK4 w - - 0 1";
        assert!(ruled(shut, "a0", CN).binding().is_some());
        let pinned = "3k5/9/9/p3r4/9/9/9/R8/4A4/4K4 w - - 0 1";
        let ruling = ruled(pinned, "e1,a6", CN);
        assert_eq!(ruling.steps[1].moves, []);
        assert_eq!(bound(pinned, "e1,a6", CN), (3, "5.3", "a2a6".to_owned()));
        assert_eq!(ruling.fouls, [("9.1.5", "e1".parse().unwrap())]);
    }

    #[test]
    fn enemy_first_then_own() {
        let fen = "3k5/9/9/p8/9/9/9/R7N/9/4K4 w - - 0 1";
        // Article 5.4: the second takes the first, else another piece does …
        assert_eq!(bound(fen, "a6,a2", CN), (1, "5.4", "a2a6".to_owned()));
        assert_eq!(bound(fen, "a6,i2", CN), (2, "5.4", "a2a6".to_owned()));
        // … while 5.3 lets the own piece move first.
        assert_eq!(bound(fen, "i2,a6", CN).0, 2);
        assert!(bound(fen, "i2,a6", CN).2.starts_with("i2"));
        // 5.5: both at once is as 5.4.
        assert_eq!(bound(fen, "i2+a6", CN), (2, "5.5", "a2a6".to_owned()));
        assert_eq!(bound(fen, "i2+a6", AX), (2, "AX 3.2 E", "a2a6".to_owned()));
        // Nothing takes it: the own piece moves, and touching it was a foul.
        let far = "3k5/9/9/8p/9/9/9/R8/9/4K4 w - - 0 1";
        let ruling = ruled(far, "i6,a2", CN);
        assert_eq!(ruling.binding().map(|step| step.step), Some(3));
        assert_eq!(ruling.fouls, [("9.1.6", "i6".parse().unwrap())]);
        assert_eq!(ruled(far, "i6,a2", AX).fouls, []);
    }

    #[test]
    fn what_cannot_be_honoured_frees_and_is_a_foul() {
        for (touched, article, asian) in [
            ("e0", "9.1.5", "AX 3.2 A"),
            ("e9", "9.1.6", "AX 3.2 B"),
            ("e0,e9", "9.1.5", "AX 3.2 C"),
            ("e9,e0", "9.1.5", "AX 3.2 D"),
        ] {
            let fen = "3rkr3/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
            let ruling = ruled(fen, touched, CN);
            assert_eq!(ruling.binding(), None, "{touched}");
            assert_eq!(ruling.fouls[0].0, article, "{touched}");
            let ruling = ruled(fen, touched, AX);
            assert_eq!(ruling.fouls.len(), 1, "{touched}");
            assert_eq!(ruling.fouls[0].0, asian, "{touched}");
        }
    }

    #[test]
    fn words_that_are_no_points() {
        for bad in ["", ",", "j2", "h2;h9", "炮"] {
            assert!(bad.parse::<Touched>().is_err(), "{bad}");
        }
        let empty: Touched = "e5".parse().unwrap();
        let error = touch(&Position::start(), &empty, CN);
        assert_eq!(error, Err(TouchError::Empty("e5".parse().unwrap())));
    }
}
