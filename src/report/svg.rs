//! A board (棋盘) as SVG: for pages that are printed. Black and white tell the
//! sides apart too: Red's pieces have a light ground and two rings, Black's
//! are dark.

use std::fmt::Write as _;

use super::board::printed;
use crate::board::{Color, Move, Position, Square};

/// Distance between two lines.
const STEP: i32 = 32;
/// From the edge of the picture to the first line.
const EDGE: i32 = 34;
/// Width and height of the picture.
const SIZE: (i32, i32) = (EDGE * 2 + STEP * 8, EDGE * 2 + STEP * 9);

fn x(file: i32) -> i32 {
    EDGE + STEP * file
}

fn y(rank: i32) -> i32 {
    EDGE + STEP * (9 - rank)
}

/// Draws a position, and marks the two points of a move.
#[must_use]
pub fn board(position: &Position, last: Option<Move>) -> String {
    let mut out = String::with_capacity(8 << 10);
    let (width, height) = SIZE;
    let _ = write!(
        out,
        "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"{}\"><g stroke=\"#444\" stroke-width=\"1\" fill=\"none\">",
        position.fen()
    );
    lines(&mut out);
    out.push_str("</g>");
    labels(&mut out);
    if let Some(mv) = last {
        for square in [mv.from, mv.to] {
            corners(&mut out, square);
        }
    }
    for square in position.occupied() {
        piece(&mut out, position, square);
    }
    out.push_str("</svg>");
    out
}

fn lines(out: &mut String) {
    let mut line = |(x1, y1): (i32, i32), (x2, y2): (i32, i32)| {
        let _ = write!(out, "<path d=\"M{x1} {y1}L{x2} {y2}\"/>");
    };
    for rank in 0..10 {
        line((x(0), y(rank)), (x(8), y(rank)));
    }
    for file in 0..9 {
        if file == 0 || file == 8 {
            line((x(file), y(0)), (x(file), y(9)));
        } else {
            line((x(file), y(0)), (x(file), y(4)));
            line((x(file), y(5)), (x(file), y(9)));
        }
    }
    for rank in [0, 7] {
        line((x(3), y(rank)), (x(5), y(rank + 2)));
        line((x(5), y(rank)), (x(3), y(rank + 2)));
    }
}

fn labels(out: &mut String) {
    let mut label = |at: (i32, i32), size: i32, text: &str| {
        let (x, y) = at;
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"#555\" \
             text-anchor=\"middle\" dominant-baseline=\"central\">{text}</text>"
        );
    };
    for (file, (black, (red, iccs))) in
        "123456789".chars().zip("九八七六五四三二一".chars().zip("abcdefghi".chars())).enumerate()
    {
        let file = file as i32;
        label((x(file), 8), 10, &black.to_string());
        label((x(file), SIZE.1 - 12), 10, &red.to_string());
        label((x(file), SIZE.1 - 3), 7, &iccs.to_string());
    }
    for rank in 0..10 {
        label((7, y(rank)), 8, &rank.to_string());
    }
    let river = i32::midpoint(y(4), y(5));
    label((x(2), river), 15, "楚 河");
    label((x(6), river), 15, "汉 界");
}

/// Corners around a point of the last move.
fn corners(out: &mut String, square: Square) {
    let (cx, cy) = (x(i32::from(square.file())), y(i32::from(square.rank())));
    let (far, near) = (STEP / 2, STEP / 2 - 6);
    for (sx, sy) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
        let _ = write!(
            out,
            "<path d=\"M{} {}L{} {}L{} {}\" stroke=\"#06c\" stroke-width=\"2\" fill=\"none\"/>",
            cx + sx * near,
            cy + sy * far,
            cx + sx * far,
            cy + sy * far,
            cx + sx * far,
            cy + sy * near
        );
    }
}

fn piece(out: &mut String, position: &Position, square: Square) {
    let Some(piece) = position.piece_at(square) else { return };
    let (cx, cy) = (x(i32::from(square.file())), y(i32::from(square.rank())));
    let radius = STEP / 2 - 2;
    let (ground, ink) = match piece.color {
        Color::Red => ("#fff6e6", "#b00"),
        Color::Black => ("#222", "#fff"),
    };
    let _ = write!(
        out,
        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{radius}\" fill=\"{ground}\" stroke=\"{}\" \
         stroke-width=\"1.5\"/>",
        if piece.color == Color::Red { ink } else { "#000" }
    );
    if piece.color == Color::Red {
        let _ = write!(
            out,
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\" fill=\"none\" stroke=\"{ink}\" \
             stroke-width=\".7\"/>",
            radius - 2
        );
    }
    let _ = write!(
        out,
        "<text x=\"{cx}\" y=\"{cy}\" font-size=\"17\" fill=\"{ink}\" text-anchor=\"middle\" \
         dominant-baseline=\"central\">{}</text>",
        printed(piece)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_drawn_and_both_points_of_a_move() {
        let drawn = board(&Position::start(), "h2e2".parse().ok());
        assert_eq!(drawn.matches("<circle").count(), 32 + 16, "two rings for Red");
        assert_eq!(drawn.matches("#06c").count(), 8);
        for hanzi in "俥傌相仕帅炮兵車馬象士将砲卒".chars() {
            assert!(drawn.contains(hanzi), "{hanzi}");
        }
        assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>"));
    }
}
