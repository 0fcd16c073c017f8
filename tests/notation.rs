//! Written moves against boards. The expected values are those of
//! `cases/reports/EXPECTED.tsv` (R01 to R11, R29, R30) and of the reference
//! on Chinese notation.

#[path = "common/notation_laws.rs"]
mod notation_laws;

use proptest::prelude::*;
use qipu::board::{Color, IllegalReason, Move, Piece, PieceKind, Position, Square};
use qipu::notation::{
    Context, Digits, MarkHabit, MarkStyle, Notation, Numerals, PawnStyle, Resolution, Script,
    Slips, Style, Syntax, lex_chinese, parse, rank_base, readings, render, resolve, write_chinese,
};

const TWO_FILES: &str = "3k5/9/6P2/2P3P2/2P6/9/9/9/9/4K4 w - - 0 1";
const THREE_PAWNS: &str = "3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w - - 0 1";
const FOUR_PAWNS: &str = "3k5/9/9/9/9/2p6/2p6/2p6/2p6/5K3 b - - 0 1";
const PAIRS: &str = "3k5/9/9/9/9/6B2/9/3A5/9/3AK1B2 w - - 0 1";

fn position(fen: &str) -> Position {
    fen.parse().expect("a FEN")
}

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

fn meaning(notation: Notation, text: &str, position: &Position) -> Resolution {
    let syntax = parse(notation, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    resolve(syntax, position, Context::of(position))
}

/// The outcome as the cases write it: a move with what is worth a finding, a
/// set of candidates, or a reason.
fn outcome(notation: Notation, text: &str, position: &Position) -> String {
    match meaning(notation, text, position) {
        Resolution::Legal { mv, slips } => {
            let slips: Vec<_> = slips.without_style().names().collect();
            if slips.is_empty() { mv.to_string() } else { format!("{mv} {}", slips.join(" ")) }
        }
        Resolution::Ambiguous(found) => {
            let mut moves: Vec<_> = found.iter().map(|r| r.mv.to_string()).collect();
            moves.sort();
            format!("{{{}}}", moves.join(","))
        }
        Resolution::Illegal { reason, .. } => reason.name().to_owned(),
    }
}

fn check(notation: Notation, fen: &str, cases: &[(&str, &str)]) {
    let position = position(fen);
    for (text, expected) in cases {
        assert_eq!(outcome(notation, text, &position), *expected, "{text} in {fen}");
    }
}

#[test]
fn r01_two_files_of_tandem_pawns() {
    check(
        Notation::Chinese,
        TWO_FILES,
        &[
            ("一兵进一", "g7g8"),
            ("二兵平四", "g6f6"),
            ("三兵进一", "c6c7"),
            ("四兵平八", "c5b5"),
            ("前七进一", "c6c7"),
            ("后三平二", "g6h6"),
            ("前兵进一", "{c6c7,g7g8}"),
            ("后兵平二", "g6h6 pawn-file-missing"),
            ("前兵七进一", "c6c7"),
            ("后兵三平二", "g6h6"),
        ],
    );
}

#[test]
fn r02_three_and_four_pawns_on_one_file() {
    check(
        Notation::Chinese,
        THREE_PAWNS,
        &[
            ("前兵平四", "e8f8"),
            ("中兵平四", "e7f7"),
            ("后兵平六", "e6d6"),
            ("一兵平四", "e8f8"),
            ("三兵平六", "e6d6"),
        ],
    );
    check(
        Notation::Chinese,
        FOUR_PAWNS,
        &[
            ("前卒平4", "c1d1"),
            ("一卒平4", "c1d1"),
            ("二卒平2", "c2b2"),
            ("三卒平2", "c3b3"),
            ("后卒平2", "c4b4"),
            ("四卒平2", "c4b4"),
            ("4卒平2", "c4b4"),
            ("中卒平2", "{c2b2,c3b3}"),
        ],
    );
}

#[test]
fn r01_the_same_in_the_letters_of_wxf() {
    check(
        Notation::Wxf,
        TWO_FILES,
        &[
            ("13+1", "g7g8"),
            ("17+1", "c6c7"),
            ("27=8", "c5b5"),
            ("P++1", "{c6c7,g7g8}"),
            ("Pc+1", "c6c7"),
            ("3-=2", "g6h6"),
            ("+7+1", "c6c7"),
        ],
    );
}

#[test]
fn dialects_of_wxf_for_three_and_more_pawns() {
    // The federation's page: P+ P3 P-, and ++ P+ P- -- of four.
    check(
        Notation::Wxf,
        THREE_PAWNS,
        &[
            ("P+.4", "e8f8"),
            ("P5.4", "e7f7"),
            ("P-.6", "e6d6"),
            ("35=6", "e6d6"),
            ("=P=4", "e7f7"),
            ("2P=4", "e7f7"),
        ],
    );
    check(
        Notation::Wxf,
        FOUR_PAWNS,
        &[
            ("++.4", "c1d1"),
            ("p+.2", "c2b2"),
            ("p-.2", "c3b3"),
            ("--.4", "c4d4"),
            ("+P.4", "c1d1"),
            ("Pd.4", "c4d4"),
            ("43=4", "c4d4"),
        ],
    );
    // 3+2: the third of file 3 for one convention, the middle one for the other.
    let fen = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w - - 0 1";
    check(Notation::Wxf, fen, &[("33=4", "{g5f5,g6f6}"), ("23=4", "g6f6"), ("3-=4", "g5f5")]);
}

/// notation-abbreviated.md, 2.2: Yang's file format has `P+ P= P-` for three
/// pawns on a file, and letters for more or for two files, from Red's right and
/// from north to south for both sides.
#[test]
fn pawns_with_letters_as_yang_has_them() {
    check(Notation::Wxf, THREE_PAWNS, &[("P+=4", "e8f8"), ("P==4", "e7f7"), ("P-=4", "e6f6")]);
    // g7 and g6 stand on Red's right, c6 and c5 on his left.
    check(
        Notation::Wxf,
        TWO_FILES,
        &[("PA=4", "g7f7"), ("PB=4", "g6f6"), ("PC=6", "c6d6"), ("PD=6", "c5d5")],
    );
    // Five of Red's: the frontmost is the northernmost.
    let five = "5k3/2P6/2P6/2P6/2P6/2P6/9/9/9/3K5 w - - 0 1";
    check(
        Notation::Wxf,
        five,
        &[("PA=6", "c8d8"), ("PB=6", "c7d7"), ("PC=6", "c6d6"), ("PD=6", "c5d5")],
    );
    // Black's front is in the south: there A is the last, and the letters that
    // count from the mover's front have it first. The board cannot tell.
    check(
        Notation::Wxf,
        FOUR_PAWNS,
        &[
            ("PA=4", "{c1d1,c4d4}"),
            ("PB=4", "{c2d2,c3d3}"),
            ("PC=4", "{c2d2,c3d3}"),
            ("PD=4", "{c1d1,c4d4}"),
            // Small letters are those of xqbase alone.
            ("Pa=4", "c1d1"),
            ("Pd=4", "c4d4"),
        ],
    );
    // The middle one of five is the third from either end; the rearmost, c5,
    // has not crossed the river.
    let five = "3k5/9/9/9/2p6/2p6/2p6/2p6/2p6/5K3 b - - 0 1";
    check(Notation::Wxf, five, &[("PC=4", "c3d3"), ("PE=4", "c1d1"), ("PA=4", "c1d1")]);
    // A to D are g3, g2, c4, c3; where only they can go so, they are meant.
    let two_files = "4k4/9/9/9/9/2p6/2p3p2/6p2/9/3K5 b - - 0 1";
    check(
        Notation::Wxf,
        two_files,
        &[("PA=6", "g3f3"), ("PB+1", "g2g1"), ("PC=2", "c4b4"), ("PD=4", "c3d3")],
    );
}

#[test]
fn pawns_are_written_with_letters_as_yang_has_them() {
    let style: Style = "yang".parse().expect("a style");
    let black_files = "4k4/9/9/9/9/2p6/2p3p2/6p2/9/3K5 b - - 0 1";
    for (fen, move_, text) in [
        (THREE_PAWNS, "e8f8", "P+=4"),
        (THREE_PAWNS, "e7f7", "P==4"),
        (THREE_PAWNS, "e6f6", "P-=4"),
        (TWO_FILES, "g7f7", "PA=4"),
        (TWO_FILES, "c5d5", "PD=6"),
        // For Black, too, A is the northernmost, which is his last.
        (FOUR_PAWNS, "c4d4", "PA=4"),
        (FOUR_PAWNS, "c1d1", "PD=4"),
        (black_files, "g3f3", "PA=6"),
        (black_files, "g2g1", "PB+1"),
        (black_files, "c4b4", "PC=2"),
        (black_files, "c3d3", "PD=4"),
    ] {
        let position: Position = fen.parse().expect("a FEN");
        let written = render(Notation::Wxf, mv(move_), &position, style);
        assert_eq!(written.as_deref(), Some(text), "{move_} in {fen}");
    }
}

#[test]
fn tandem_pieces_in_every_spelling_of_wxf() {
    let fen = "3k5/9/9/9/7R1/9/9/7R1/9/4K4 w - - 0 1";
    check(
        Notation::Wxf,
        fen,
        &[
            ("R++4", "h5h9"),
            ("R--2", "h2h0"),
            ("R+.3", "h5g5"),
            ("+R+4", "h5h9"),
            ("-R=4", "h2f2"),
            ("＋Ｒ＝４", "h5f5"),
            ("fR-1", "h5h4"),
            ("rR-1", "h2h1"),
            ("R2+1", "{h2h3,h5h6}"),
            ("R2+3", "h5h8 front-rear-missing"),
        ],
    );
    assert!(parse(Notation::Wxf, "R+4").is_err());
}

#[test]
fn r04_san_with_two_advisors() {
    check(Notation::San, PAIRS, &[("Ae2", "{d0e1,d2e1}"), ("A1e2", "d0e1")]);
}

/// Replays a game whose tokens are separated by spaces.
fn replays(notation: Notation, text: &str, expected: &str) {
    let mut position = Position::start();
    let mut base = None;
    for (token, expected) in text.split_whitespace().zip(expected.split_whitespace()) {
        let syntax = parse(notation, token).unwrap_or_else(|error| panic!("{token}: {error}"));
        let context = Context { rank_base: base, ..Context::of(&position) };
        let Resolution::Legal { mv, slips } = resolve(syntax, &position, context) else {
            panic!("{token} in {position:?}")
        };
        assert_eq!((mv.to_string().as_str(), slips), (expected, Slips::NONE), "{token}");
        if base.is_none() {
            base = rank_base(syntax, mv);
        }
        position.make(mv);
    }
}

#[test]
fn r06_small_letters_and_dots() {
    replays(
        Notation::Wxf,
        "C2.5 h8+7 H2+3 r9.8 R1.2 h2+3 P7+1 p7+1 R2+6 c8.9 R2.3 c9-1",
        "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8",
    );
}

#[test]
fn r11_algebraic_with_either_rank_base() {
    let game = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7";
    replays(Notation::San, "Che2 Hg7 Hg2 Rh9 Rh0 Hc7 Pc4 Pg5 Rh6 Ci7", game);
    replays(Notation::San, "Che3 Ng8 Ng3 Rh10 Rh1 Nc8 Pc5 Pg6 Rh7 Ci8", game);
    replays(
        Notation::San,
        "Che3 Hh10g8 Hg3 Rh10 Ri1h1 Rh9 Ra1a2 Raa9 Rf2",
        "h2e2 h9g7 h0g2 i9h9 i0h0 h9h8 a0a1 a9a8 a1f1",
    );
}

#[test]
fn r12_bars_over_and_under() {
    let read = |text: &str, habit, position: &Position| {
        let Ok(Syntax::Relative(relative)) = parse(Notation::Abbreviated, text) else {
            panic!("{text}")
        };
        resolve(Syntax::Relative(relative.with_marks(habit)), position, Context::of(position))
    };
    let mut after = Position::start();
    after.make(mv("h2e2"));
    let legal = Resolution::Legal { mv: mv("h9g7"), slips: Slips::NONE };
    assert_eq!(read("马87\u{332}", MarkHabit::UnderIsForward, &after), legal);
    assert_eq!(read("馬87\u{305}", MarkHabit::OverIsForward, &after), legal);
    let other = read("马87\u{332}", MarkHabit::OverIsForward, &after);
    assert!(matches!(other, Resolution::Illegal { .. }));
    // No bar on a marked sheet is 平.
    let start = Position::start();
    assert_eq!(
        read("炮25", MarkHabit::OverIsForward, &start),
        Resolution::Legal { mv: mv("h2e2"), slips: Slips::NONE }
    );
}

#[test]
fn the_six_short_moves_of_the_rule_book() {
    let mut position = Position::start();
    let game = [
        ("炮25", "h2e2", "h2e2"),
        ("馬87", "h9g7", "h9g7"),
        ("馬23", "h0g2", "h0g2"),
        ("車98", "i9h9", "i9h9"),
        ("車12", "{i0h0,i0i2}", "i0h0"),
        ("炮84", "h7h3", "h7h3"),
    ];
    for (text, expected, played) in game {
        assert_eq!(outcome(Notation::Abbreviated, text, &position), expected, "{text}");
        position.make(mv(played));
    }
}

#[test]
fn vietnamese_and_pinyin() {
    let start = Position::start();
    let mut after = start.clone();
    after.make(mv("h2e2"));
    for (notation, red, black) in [
        (Notation::Vietnamese, "P2-5", "M8.7"),
        (Notation::Pinyin, "p2p5", "m8j7"),
        (Notation::Digits, "7747", "7062"),
        (Notation::Digits, "77-47", "70-62"),
        (Notation::Numeric, "62.5", "48+7"),
        (Notation::Numeric, "６２＝５", "４８＋７"),
    ] {
        assert_eq!(outcome(notation, red, &start), "h2e2");
        assert_eq!(outcome(notation, black, &after), "h9g7");
    }
    let fen = "3k5/9/9/9/7R1/9/9/7R1/9/4KA3 w - - 0 1";
    check(
        Notation::Pinyin,
        fen,
        &[("qct1", "h5h4"), ("hcp1", "h2i2"), ("s5j1", "e0e1"), ("s4j5", "f0e1")],
    );
    check(Notation::Numeric, fen, &[("5++1", "h5h6"), ("5-+1", "h2h3"), ("24+5", "f0e1")]);
    check(Notation::Vietnamese, fen, &[("Xt/1", "h5h4"), ("Xs-1", "h2i2"), ("Tg5.1", "e0e1")]);
}

#[test]
fn r03_front_and_rear_left_out() {
    let mut position = Position::start();
    for text in ["炮二平五", "马8进7", "炮八进二", "马2进3", "炮八平五", "士6进5"]
    {
        let Resolution::Legal { mv, slips } = meaning(Notation::Chinese, text, &position) else {
            panic!("{text}")
        };
        assert!(slips.is_empty(), "{text}");
        position.make(mv);
    }
    assert_eq!(outcome(Notation::Chinese, "炮五平四", &position), "{e2f2,e4f4}");
    assert_eq!(outcome(Notation::Chinese, "炮五退一", &position), "e2e1 front-rear-missing");
    let style = Style::default();
    assert_eq!(
        render(Notation::Chinese, mv("e2e1"), &position, style).as_deref(),
        Some("后炮退一")
    );
}

#[test]
fn r04_advisors_and_elephants_need_no_front_and_rear() {
    check(
        Notation::Chinese,
        PAIRS,
        &[
            ("仕六进五", "d0e1"),
            ("仕六退五", "d2e1"),
            ("相三进五", "g0e2"),
            ("相三退五", "g4e2"),
            ("前仕退五", "d2e1 front-rear-superfluous"),
            ("后相进五", "g0e2 front-rear-superfluous"),
        ],
    );
    let position = position(PAIRS);
    for (square, text) in
        [("d0e1", "仕六进五"), ("d2e1", "仕六退五"), ("g0e2", "相三进五"), ("g4e2", "相三退五")]
    {
        let written = render(Notation::Chinese, mv(square), &position, Style::default());
        assert_eq!(written.as_deref(), Some(text));
    }
}

#[test]
fn r29_widths_variants_and_digits_for_red() {
    let mut position = Position::start();
    let line = [
        ("炮２平５", "h2e2"),
        ("馬８進７", "h9g7"),
        ("傌二進三", "h0g2"),
        ("車９平８", "i9h9"),
        ("俥一平二", "i0h0"),
        ("马２进３", "b9c7"),
        ("兵7进1", "c3c4"),
        ("卒７進１", "g6g5"),
        ("车二进６", "h0h6"),
        ("砲８平９", "h7i7"),
    ];
    for (text, expected) in line {
        assert_eq!(outcome(Notation::Chinese, text, &position), expected, "{text}");
        position.make(mv(expected));
    }
}

#[test]
fn r30_the_reason_is_named() {
    let start = qipu::board::START_FEN;
    let check = |fen: &str, text: &str, square: &str, reasons: &[IllegalReason]| match meaning(
        Notation::Chinese,
        text,
        &position(fen),
    ) {
        Resolution::Illegal { reason, mv: named } => {
            assert!(reasons.contains(&reason), "{text}: {reason:?}");
            assert_eq!(named, Some(mv(square)), "{text}");
        }
        other => panic!("{text}: {other:?}"),
    };
    check(
        "4k4/9/9/9/4R4/9/9/9/9/4K4 w - - 0 1",
        "车五平九",
        "e5a5",
        &[IllegalReason::GeneralsFacing],
    );
    check(start, "炮二进六", "h2h8", &[IllegalReason::PathBlocked, IllegalReason::NoScreen]);
    check("3k5/9/9/9/9/2B6/9/9/9/4K4 w - - 0 1", "相七进五", "c4e6", &[IllegalReason::AcrossRiver]);
    check(start, "马二进四", "h0f1", &[IllegalReason::HorseLeg]);
    check(
        "3k5/9/9/9/9/9/9/9/5n3/4K1B2 w - - 0 1",
        "相三进五",
        "g0e2",
        &[IllegalReason::ElephantEye],
    );
    check(
        "3k5/9/9/9/4r4/9/9/9/R8/3AK4 w - - 0 1",
        "车九进一",
        "a1a2",
        &[IllegalReason::LeavesKingInCheck],
    );
    // 马二进三 on Black's turn, in a record whose numerals tell the sides apart.
    let mut after = Position::start();
    after.make(mv("h2e2"));
    let syntax = parse(Notation::Chinese, "马二进三").unwrap();
    let context = Context { numerals: Numerals::BySide, ..Context::of(&after) };
    assert_eq!(
        resolve(syntax, &after, context),
        Resolution::Illegal { reason: IllegalReason::WrongSide, mv: None }
    );
    // Without that evidence it is Black's horse, in Chinese numerals.
    let Resolution::Legal { mv: played, slips } = resolve(syntax, &after, Context::of(&after))
    else {
        panic!("马2进3 is legal")
    };
    assert_eq!((played, slips), (mv("b9c7"), Slips::NUMERALS_OF_OTHER_SIDE));
}

#[test]
fn a_token_only_the_other_side_can_play_is_on_the_wrong_side() {
    // Black to move, and 车一平二 can be Red's only.
    let mut position = Position::start();
    for text in ["h2e2", "h9g7", "h0g2"] {
        position.make(mv(text));
    }
    assert_eq!(outcome(Notation::Chinese, "车一平二", &position), "wrong-side");
}

#[test]
fn the_kings_safety_is_no_reason_to_read_something_else() {
    // Both 前炮 and 后炮 could be meant, but the text names the one on file 5.
    let fen = "3k5/9/9/9/4r4/9/9/9/4C4/C3K4 w - - 0 1";
    check(Notation::Chinese, fen, &[("炮五平四", "leaves-king-in-check")]);
}

#[test]
fn sloppy_texts_with_one_reading_are_played() {
    let start = qipu::board::START_FEN;
    check(
        Notation::Chinese,
        start,
        &[
            ("前炮平五", "{b2e2,h2e2}"),
            ("前兵进一", "{a3a4,c3c4,e3e4,g3g4,i3i4}"),
            ("后车进l", "{a0a1,i0i1}"),
            ("车九进l", "a0a1 digit-typed-as-letter"),
            ("马人进七", "b0c2 misread-character"),
            ("炮二上二", "h2h4"),
        ],
    );
    // One cannon only: 前 says nothing.
    let fen = "3k5/9/9/9/9/9/9/7C1/9/4K4 w - - 0 1";
    check(Notation::Chinese, fen, &[("前炮平五", "h2e2 front-rear-superfluous")]);
    // No chariot on Red's file 2, one on Black's file 2, and no black chariot.
    let fen = "3k5/9/9/9/9/9/9/9/9/1R2K4 w - - 0 1";
    check(
        Notation::Chinese,
        fen,
        &[("车二进四", "b0b4 color-swapped-file"), ("车2进4", "no-such-piece")],
    );
    let fen = "3k5/9/9/4p4/4r4/9/9/9/9/3AK4 b - - 0 1";
    check(Notation::Chinese, fen, &[("卯5平4", "piece-cannot-move-so")]);
}

#[test]
fn r10_iccs_in_all_its_spellings() {
    let start = Position::start();
    for text in ["H2-E2", "h2-e2", "H2E2", "h2e2", "H2 E2", "H2–E2", "Ｈ２－Ｅ２"] {
        assert_eq!(outcome(Notation::Iccs, text, &start), "h2e2", "{text}");
    }
    assert_eq!(outcome(Notation::Iccs, "HO-G2", &start), "h0g2 digit-typed-as-letter");
    assert!(parse(Notation::Iccs, "H10-G8").is_err());
}

#[test]
fn uci_tells_its_rank_base_where_it_can() {
    let start = Position::start();
    assert_eq!(outcome(Notation::Uci, "h2e2", &start), "h2e2");
    assert_eq!(outcome(Notation::Uci, "h3e3", &start), "h2e2");
    let mut after = start.clone();
    after.make(mv("h2e2"));
    assert_eq!(outcome(Notation::Uci, "h10g8", &after), "h9g7");
    assert_eq!(outcome(Notation::Uci, "b10c8", &after), "b9c7");
    assert!(parse(Notation::Uci, "b10c0").is_err());
}

/// Every legal move, written in every style, is read back as itself.
fn assert_round_trips(position: &Position) -> Result<(), TestCaseError> {
    let context = Context::of(position);
    let mut text = String::new();
    for mv in position.legal_moves() {
        for style in styles() {
            text.clear();
            prop_assert!(write_chinese(mv, position, &mut text, style));
            let (syntax, used) = lex_chinese(&text)
                .ok_or_else(|| TestCaseError::fail(format!("{text} is not read")))?;
            prop_assert_eq!(used, text.len());
            prop_assert_eq!(parse(Notation::Chinese, &text), Ok(syntax), "{}", text);
            match resolve(syntax, position, context) {
                Resolution::Legal { mv: read, slips } => {
                    prop_assert_eq!(read, mv, "{} in {:?}", text, position);
                    prop_assert!(slips.without_style().is_empty(), "{text}: {slips:?}");
                    let style_only =
                        style.digits == Digits::Ascii || style.digits == Digits::FullWidth;
                    prop_assert!(!style_only || slips.is_empty(), "{text}: {slips:?}");
                }
                other => {
                    return Err(TestCaseError::fail(format!("{text}: {other:?} in {position:?}")));
                }
            }
            let all = readings(syntax, position, context);
            prop_assert_eq!(all.first().map(|reading| reading.mv), Some(mv));
        }
        assert_other_notations_round_trip(mv, position, context)?;
    }
    Ok(())
}

/// The same in the other notations.
fn assert_other_notations_round_trip(
    mv: Move,
    position: &Position,
    context: Context,
) -> Result<(), TestCaseError> {
    let style = |names: &str| names.parse::<Style>().expect("a style");
    let cases = [
        (Notation::Wxf, "federation"),
        (Notation::Wxf, "equals"),
        (Notation::Wxf, "xqbase"),
        (Notation::Wxf, "yang"),
        (Notation::Vietnamese, ""),
        (Notation::Vietnamese, "front-pawn-file"),
        (Notation::Pinyin, ""),
        (Notation::Pinyin, "front-file"),
        (Notation::Abbreviated, "marks-under"),
        (Notation::Abbreviated, "marks-over,traditional,front-file"),
        (Notation::Abbreviated, ""),
        (Notation::Iccs, ""),
        (Notation::Digits, ""),
        (Notation::Numeric, ""),
        (Notation::Uci, ""),
        (Notation::Uci, "ranks-from-one"),
        (Notation::San, ""),
        (Notation::San, "ranks-from-one"),
    ];
    for (notation, names) in cases {
        let style = style(names);
        let text = render(notation, mv, position, style).unwrap_or_default();
        let mut syntax = parse(notation, &text)
            .map_err(|error| TestCaseError::fail(format!("{notation} {text}: {error}")))?;
        if let Syntax::Relative(relative) = syntax
            && notation == Notation::Abbreviated
        {
            let habit = match style.marks {
                MarkStyle::None => MarkHabit::Unmarked,
                MarkStyle::UnderIsForward => MarkHabit::UnderIsForward,
                MarkStyle::OverIsForward => MarkHabit::OverIsForward,
            };
            syntax = Syntax::Relative(relative.with_marks(habit));
        }
        let context = Context { rank_base: Some(style.rank_base), ..context };
        match resolve(syntax, position, context) {
            Resolution::Legal { mv: read, slips } => {
                prop_assert_eq!(read, mv, "{} {} in {:?}", notation, text, position);
                prop_assert!(slips.is_empty(), "{notation} {text}: {slips:?} in {position:?}");
            }
            Resolution::Ambiguous(found)
                if names.is_empty() && notation == Notation::Abbreviated =>
            {
                prop_assert!(found.iter().any(|reading| reading.mv == mv), "{text}");
            }
            // Black's letters do not say from whose side they count.
            Resolution::Ambiguous(found) if names == "yang" && position.side() == Color::Black => {
                prop_assert!(text.as_bytes()[1].is_ascii_uppercase(), "{text}");
                prop_assert_eq!(found.len(), 2, "{} in {:?}", text, position);
                prop_assert!(found.iter().any(|reading| reading.mv == mv), "{text}");
            }
            other => {
                let message = format!("{notation} {text}: {other:?} in {position:?}");
                return Err(TestCaseError::fail(message));
            }
        }
    }
    Ok(())
}

fn styles() -> [Style; 6] {
    let plain = Style::default();
    [
        plain,
        Style { script: Script::Traditional, digits: Digits::FullWidth, ..plain },
        Style { script: Script::Taiwan, digits: Digits::Han, ..plain },
        Style { pawns: PawnStyle::FrontFile, ..plain },
        Style { pawns: PawnStyle::FrontPawnFile, digits: Digits::FullWidth, ..plain },
        Style { digits: Digits::AsciiBoth, ..plain },
    ]
}

/// Kings at home and any pieces of a set on any points they could stand on.
fn crafted() -> impl Strategy<Value = Position> {
    let pieces = prop::collection::vec((0..7usize, 0..2usize, 0..90u8), 0..24);
    let pawns = prop::collection::vec((0..2usize, 0..3i8, 3..7i8), 0..10);
    (pieces, pawns, any::<bool>()).prop_map(|(pieces, pawns, black)| {
        let mut position = Position::empty();
        let mut place = |color: Color, kind: PieceKind, square: Square| {
            let room = position.pieces(color, kind).len() < kind.full_count();
            if room && position.piece_at(square).is_none() {
                position.put(square, Piece::new(color, kind));
            }
        };
        place(Color::Red, PieceKind::King, Square::at(4, 0).expect("e0"));
        place(Color::Black, PieceKind::King, Square::at(3, 9).expect("d9"));
        for (color, file, rank) in pawns {
            let square = Square::at(2 + 2 * file, rank).expect("on the board");
            place(Color::ALL[color], PieceKind::Pawn, square);
        }
        for (kind, color, square) in pieces {
            let (kind, color) = (PieceKind::ALL[kind], Color::ALL[color]);
            let square = Square::new(square).expect("below 90");
            let home = square.advance(color) <= 4;
            let fits = match kind {
                PieceKind::Advisor => {
                    ["d0", "f0", "e1", "d2", "f2", "d9", "f9", "e8", "d7", "f7"]
                        .contains(&square.to_string().as_str())
                        && home
                }
                PieceKind::Elephant => {
                    [
                        "c0", "g0", "a2", "e2", "i2", "c4", "g4", "c9", "g9", "a7", "e7", "i7",
                        "c5", "g5",
                    ]
                    .contains(&square.to_string().as_str())
                        && home
                }
                PieceKind::Pawn => square.advance(color) >= 3,
                _ => true,
            };
            if fits {
                place(color, kind, square);
            }
        }
        position.set_side(if black { Color::Black } else { Color::Red });
        position
    })
}

/// Bytes for [`notation_laws::hold`]: some pieces, flags, and a text that is
/// often a move.
fn boards_and_texts() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec((0..90u8, any::<u8>()), 0..40);
    let text = prop_oneof![
        "[前中后一二三四五][兵卒车马炮仕相]?[一三五七1379][进退平][一二三五1235]",
        "[帅士相马车炮兵卒][前中后一二四六八九2468l人][进退平上下][一二三四五六七八九1-9]",
        "[+\\-=1-5]?[KAEHRCPkaehrcp]?[+\\-.=1-9a-e]?[+\\-.=][1-9]",
        "[a-iA-I](10|[0-9])-?[a-iA-I](10|[0-9])",
        "[KAEHRCP][a-i]?[0-9]?[a-i](10|[0-9])",
        "[马车炮兵仕相][1-9][1-9]\u{332}?",
        any::<String>(),
    ];
    (pieces, any::<u8>(), text).prop_map(|(pieces, flags, text)| {
        let mut bytes = vec![pieces.len() as u8];
        bytes.extend(pieces.into_iter().flat_map(|(square, piece)| [square, piece]));
        bytes.push(flags);
        bytes.extend_from_slice(text.as_bytes());
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_on_any_board_is_safe(bytes in boards_and_texts()) {
        notation_laws::hold(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves_of_games_come_back(choices in prop::collection::vec(any::<u16>(), 1..120)) {
        let mut position = Position::start();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[choice as usize % moves.len()]);
        }
        assert_round_trips(&position)?;
    }

    #[test]
    fn moves_of_crafted_positions_come_back(position in crafted()) {
        assert_round_trips(&position)?;
    }

    #[test]
    fn the_two_readers_of_chinese_agree(text in "[帅士象馬车炮兵卯一二七人壹1９l前中后後进上退平包. x]{1,7}") {
        match (parse(Notation::Chinese, &text), lex_chinese(text.trim())) {
            (Ok(syntax), lexed) => prop_assert_eq!(lexed, Some((syntax, text.trim().len()))),
            (Err(error), Some((_, used))) => {
                // The lexer stops after a move, the parser wants the end.
                prop_assert!(used < text.trim().len(), "{}: {}", text, error);
            }
            (Err(_), None) => {}
        }
    }
}
