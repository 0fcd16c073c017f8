//! What holds for any text on any board; a property test and the fuzz target
//! `notation` both call it.

use qipu::board::{Color, Move, Piece, PieceKind, Position, Square};
use qipu::notation::{
    Candidates, Context, Notation, Numerals, RankBase, Resolution, Style, Syntax, classify,
    count_moves, for_other_side, lex_chinese, parse, readings, render, resolve,
};

/// Checks every law on a board and a text made from `bytes`: a number of
/// pieces, two bytes for each, and what is left as text.
pub fn hold(bytes: &[u8]) {
    let (position, context, rest) = board(bytes);
    let text = String::from_utf8_lossy(rest);
    let _ = count_moves(&text);
    let _ = classify(&text);
    if let Some((syntax, used)) = lex_chinese(&text) {
        assert!(text.is_char_boundary(used) && used > 0);
        means_something(syntax, &position, context);
        assert_eq!(parse(Notation::Chinese, &text[..used]), Ok(syntax));
    }
    for notation in Notation::ALL {
        if let Ok(syntax) = parse(notation, &text) {
            means_something(syntax, &position, context);
        }
    }
    is_written_and_read(&position, context, rest);
}

/// Any arrangement of pieces, also those that no game reaches.
fn board(bytes: &[u8]) -> (Position, Context, &[u8]) {
    let mut position = Position::empty();
    let (count, rest) =
        bytes.split_first().map_or((0, bytes), |(n, rest)| (*n as usize % 48, rest));
    let (pieces, rest) = rest.split_at((2 * count).min(rest.len()));
    for pair in pieces.chunks_exact(2) {
        let Some(square) = Square::new(pair[0] % 90) else { continue };
        let kind = PieceKind::ALL[pair[1] as usize % 7];
        let color = if pair[1] & 0x80 == 0 { Color::Red } else { Color::Black };
        if kind != PieceKind::King || position.king(color).is_none() {
            position.put(square, Piece::new(color, kind));
        }
    }
    let (flags, rest) = rest.split_first().map_or((0, rest), |(flags, rest)| (*flags, rest));
    position.set_side(if flags & 1 == 0 { Color::Red } else { Color::Black });
    let context = Context {
        in_check: position.in_check(),
        numerals: if flags & 2 == 0 { Numerals::Any } else { Numerals::BySide },
        rank_base: match flags >> 2 & 3 {
            0 => Some(RankBase::Zero),
            1 => Some(RankBase::One),
            _ => None,
        },
    };
    (position, context, rest)
}

fn are_legal_and_distinct(found: &Candidates, position: &Position) {
    for (i, reading) in found.iter().enumerate() {
        assert!(position.is_legal(reading.mv), "{:?} in {position:?}", reading.mv);
        assert!(found[..i].iter().all(|other| other.mv != reading.mv), "{found:?}");
    }
}

fn means_something(syntax: Syntax, position: &Position, context: Context) {
    let all = readings(syntax, position, context);
    are_legal_and_distinct(&all, position);
    match resolve(syntax, position, context) {
        Resolution::Legal { mv, .. } => {
            assert!(position.is_legal(mv), "{syntax:?}: {mv} in {position:?}");
            assert!(all.iter().any(|reading| reading.mv == mv), "{syntax:?}: {mv} is not listed");
        }
        Resolution::Ambiguous(found) => {
            assert!(found.len() >= 2, "{syntax:?}");
            are_legal_and_distinct(&found, position);
        }
        Resolution::Illegal { mv, .. } => {
            if let Some(mv) = mv {
                assert!(!position.is_legal(mv), "{syntax:?}: {mv} in {position:?}");
            }
        }
    }
    if let Some(mv) = for_other_side(syntax, position) {
        let piece = position.piece_at(mv.from).expect("it stands there");
        assert_ne!(piece.color, position.side());
    }
}

fn more_than_five_pawns(position: &Position) -> bool {
    let pieces = (0..90).filter_map(Square::new).filter_map(|square| position.piece_at(square));
    let mut pawns = [0; 2];
    for piece in pieces.filter(|piece| piece.kind == PieceKind::Pawn) {
        pawns[usize::from(piece.color == Color::Black)] += 1;
    }
    pawns.into_iter().any(|count| count > 5)
}

/// A few moves of the board, legal or not, in every notation and style.
fn is_written_and_read(position: &Position, context: Context, choices: &[u8]) {
    for pair in choices.chunks_exact(2).take(8) {
        let (Some(from), Some(to)) = (Square::new(pair[0] % 90), Square::new(pair[1] % 90)) else {
            continue;
        };
        for notation in Notation::ALL {
            // Nothing is asked of a move that cannot be made but to be harmless.
            let _ = render(notation, Move::new(from, to), position, Style::default());
        }
    }
    // No notation has a name for one of six pawns on a file.
    if more_than_five_pawns(position) {
        return;
    }
    let moves = position.legal_moves();
    for choice in choices.iter().take(4) {
        let Some(mv) = moves.get(*choice as usize % moves.len().max(1)).copied() else { return };
        let names = Style::NAMES[*choice as usize / 8 % Style::NAMES.len()];
        let style: Style = names.parse().expect("a name of the list");
        for notation in Notation::ALL {
            let Some(text) = render(notation, mv, position, style) else { continue };
            let syntax = parse(notation, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let context = Context { rank_base: Some(style.rank_base), ..context };
            match resolve(syntax, position, context) {
                Resolution::Legal { mv: read, .. } => {
                    assert_eq!(read, mv, "{notation} {text} in {position:?}");
                }
                Resolution::Ambiguous(found) => {
                    assert!(found.iter().any(|reading| reading.mv == mv), "{notation} {text}");
                }
                // In a record whose numerals tell the side, ours may not.
                Resolution::Illegal { reason, .. } => assert!(
                    context.numerals == Numerals::BySide,
                    "{notation} {text}: {reason:?} in {position:?}"
                ),
            }
        }
    }
}
