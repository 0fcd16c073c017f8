//! The articles on repetition, each on a small position of our own. The
//! rulings follow from the articles named; `tests/repetition.rs` tries the
//! printed diagrams.

use qipu::board::{Move, PieceKind, Position};
use qipu::rules::{
    Conduct, Exemption, How, IdleKind, Judgement, Means, MoveClass, Root, RuleSet, Verdict, Why,
    judge,
};

/// Plays a loop so often and judges it.
fn ruled(fen: &str, round: &str, times: usize, set: RuleSet) -> Judgement {
    let start: Position = fen.parse().expect("a position");
    assert_eq!(start.faults(), [], "{fen}");
    let round: Vec<Move> = round.split(' ').map(|mv| mv.parse().expect("a move")).collect();
    let moves: Vec<Move> = round.iter().copied().cycle().take(round.len() * times).collect();
    let mut position = start.clone();
    for mv in &moves {
        position.play(*mv).expect("legal");
    }
    let judged = judge(&start, &moves, set);
    // The mirror image is the same loop, and so is the one with the sides
    // exchanged.
    let mirrored = |mv: &Move| Move::new(mv.from.mirrored(), mv.to.mirrored());
    let rotated = |mv: &Move| Move::new(mv.from.rotated(), mv.to.rotated());
    let image: Vec<Move> = moves.iter().map(mirrored).collect();
    let other: Vec<Move> = moves.iter().map(rotated).collect();
    assert_eq!(judge(&start.mirrored(), &image, set).verdict, judged.verdict, "mirror image");
    let exchanged = match judged.verdict {
        Verdict::Loses(side) => Verdict::Loses(side.other()),
        Verdict::MustChange(side) => Verdict::MustChange(side.other()),
        verdict => verdict,
    };
    assert_eq!(judge(&start.color_swapped(), &other, set).verdict, exchanged, "sides exchanged");
    judged
}

/// The verdicts under cn1999, cn2020, axf and wxf when nobody changes.
fn verdicts(fen: &str, round: &str) -> [&'static str; 4] {
    RuleSet::ALL.map(|set| ruled(fen, round, 3, set).verdict.name())
}

const RED: &str = "red-loses";
const DRAW: &str = "draw";
const CHECKS: Conduct = Conduct::PerpetualCheck;

/// 26.1 and 24.1 (2020: 25.1; Asian detail rule 1).
#[test]
fn one_side_checks_all_the_time() {
    let fen = "5k3/9/9/9/5R3/9/9/9/9/3K5 b - - 0 1";
    let round = "f9e9 f5e5 e9f9 e5f5";
    assert_eq!(verdicts(fen, round), [RED; 4]);
    // At the third time already under the Chinese rules.
    let third = RuleSet::ALL.map(|set| ruled(fen, round, 2, set).verdict.name());
    assert_eq!(third, [RED, RED, "red-must-change", "red-must-change"]);
    let judged = ruled(fen, round, 3, RuleSet::Cn1999);
    assert_eq!((judged.article, judged.plies[1].class), ("26.1", MoveClass::Check));
}

/// 26.3 (Asian detail rule 2): each check is answered by a check.
#[test]
fn both_sides_check_all_the_time() {
    let fen = "9/4c4/5k3/5r3/9/9/4C4/9/4K4/5R3 w - - 0 1";
    let round = "e3f3 f6e6 f3e3 e6f6";
    assert_eq!(verdicts(fen, round), [DRAW; 4]);
    let judged = ruled(fen, round, 2, RuleSet::Cn1999);
    assert_eq!((judged.article, judged.red, judged.black), ("26.3", CHECKS, CHECKS));
    assert_eq!(ruled(fen, round, 2, RuleSet::Axf).article, "2");
}

/// 26.4 against Asian detail rule 4: mate threats answered by blocks.
#[test]
fn mate_is_threatened_all_the_time() {
    let fen = "5k3/7R1/9/9/r8/9/9/9/R8/3K5 w - - 0 1";
    let round = "a1b1 a5b5 b1a1 b5a5";
    assert_eq!(verdicts(fen, round), [RED, RED, DRAW, DRAW]);
    let judged = ruled(fen, round, 3, RuleSet::Cn2020);
    assert_eq!(judged.red, Conduct::PerpetualMateThreat);
    assert!(matches!(&judged.plies[0].why, Why::Mates(line) if line.len() == 1));
}

/// 29: a chariot after a cannon without a root.
#[test]
fn a_piece_without_a_root_is_chased() {
    let fen = "5k3/9/9/2c6/9/9/2R6/9/9/4K4 b - - 0 1";
    let round = "c6g6 c3g3 g6c6 g3c3";
    assert_eq!(verdicts(fen, round), [RED; 4]);
    let judged = ruled(fen, round, 2, RuleSet::Cn1999);
    assert_eq!((judged.verdict.name(), judged.article), ("red-must-change", "26.4"));
    assert_eq!(judged.plies[1].chased[0].root, Root::None);
}

/// 28.16: the same with a root that holds.
#[test]
fn a_piece_with_a_root_is_followed() {
    let fen = "5k3/9/9/2c5r/9/9/2R6/9/9/4K4 b - - 0 1";
    let round = "c6g6 c3g3 g6c6 g3c3";
    assert_eq!(verdicts(fen, round), [DRAW; 4]);
    let judged = ruled(fen, round, 3, RuleSet::Cn1999);
    assert_eq!(judged.plies[1].idle, Some(IdleKind::Follow));
}

/// 28.16 (Asian detail rule 29): the root may not leave the file, because of a
/// cannon.
#[test]
fn a_bound_root_is_false() {
    let fen = "4k4/4a4/9/c3r4/9/9/R8/4C4/9/2BK5 b - - 0 1";
    let round = "a6b6 a3b3 b6a6 b3a3";
    assert_eq!(verdicts(fen, round), [RED; 4]);
    let judged = ruled(fen, round, 3, RuleSet::Axf);
    assert_eq!((judged.plies[1].chased[0].root, judged.article), (Root::False, "29"));
}

/// 27.2 (Asian detail rule 24): a pawn's own attacks are idle.
#[test]
fn pawns_do_not_chase() {
    let fen = "4k4/9/6c2/7P1/9/9/9/9/9/3K5 w - - 0 1";
    let round = "h6g6 g7h7 g6h6 h7g7";
    assert_eq!(verdicts(fen, round), [DRAW; 4]);
    for set in RuleSet::ALL {
        let judged = ruled(fen, round, 3, set);
        assert!(matches!(judged.plies[0].why, Why::Exempt(_, Exemption::Pawn)), "{set}");
    }
}

/// 27.1 (2020: 26.1; Asian detail rule 23): a general's own attacks are idle.
#[test]
fn generals_do_not_chase() {
    let fen = "5k3/9/9/9/9/9/9/3c5/3K5/9 b - - 0 1";
    let round = "d2e2 d1e1 e2d2 e1d1";
    assert_eq!(verdicts(fen, round), [DRAW; 4]);
    for set in RuleSet::ALL {
        let judged = ruled(fen, round, 3, set);
        assert!(matches!(judged.plies[1].why, Why::Exempt(_, Exemption::King)), "{set}");
    }
}

/// 27.2 against 2020, 26.1: where both sides attack on every move, a pawn
/// chases too. The Asian rules ask for one and the same target (27).
#[test]
fn pawns_chase_where_both_attack() {
    let fen = "5k3/9/6c2/7P1/9/6Pp1/9/9/6NN1/3K5 w - - 0 1";
    let round = "h6g6 g7h7 g6h6 h7g7";
    assert_eq!(verdicts(fen, round), [DRAW, "black-loses", DRAW, DRAW]);
    let judged = ruled(fen, round, 3, RuleSet::Cn1999);
    let chases = Conduct::PerpetualChase;
    assert_eq!((judged.article, judged.red, judged.black), ("26.3", chases, chases));
    assert_eq!(judged.plies[0].article, "27.2");
}

/// 29.4 (2020: 24.3): the chariot that takes the cannon can no longer step in
/// between, and its general is mated. The Asian text has no such article.
#[test]
fn who_would_be_mated_does_not_chase() {
    let fen = "3k5/9/4r4/2c6/8r/9/2R6/9/9/5K3 b - - 0 1";
    let round = "c6g6 c3g3 g6c6 g3c3";
    assert_eq!(verdicts(fen, round), [DRAW, DRAW, RED, RED]);
}

/// 28.5, 28.6 (Asian detail rule 19): chariots that can take each other.
#[test]
fn equal_pieces_offer_themselves() {
    let fen = "5k3/9/9/2r6/9/9/2R6/9/9/3K5 b - - 0 1";
    let round = "c6g6 c3g3 g6c6 g3c3";
    assert_eq!(verdicts(fen, round), [DRAW; 4]);
    let judged = ruled(fen, round, 3, RuleSet::Cn1999);
    assert_eq!(judged.plies[1].idle, Some(IdleKind::Offer));
}

/// Detail rule 9 (25.3, 29.3): a cannon after a chariot, whose root is no help.
#[test]
fn a_root_does_not_help_a_chariot_against_a_cannon() {
    let fen = "5k3/9/9/2r5r/9/2P3P2/9/9/2C6/3K5 b - - 0 1";
    let round = "c6g6 c1g1 g6c6 g1c1";
    assert_eq!(verdicts(fen, round), [RED; 4]);
    let judged = ruled(fen, round, 3, RuleSet::Axf);
    assert_eq!((judged.plies[1].chased[0].root, judged.article), (Root::True, "9"));
}

/// 28.16 against Asian detail rule 30: chariot and horse attack a piece that
/// one chariot protects.
#[test]
fn one_root_is_too_few_against_two_attackers() {
    let fen = "5k3/9/9/2c5r/4N4/9/2R6/9/9/3K5 b - - 0 1";
    let round = "c6g6 c3g3 g6c6 g3c3";
    assert_eq!(verdicts(fen, round), [RED, RED, DRAW, DRAW]);
    let judged = ruled(fen, round, 3, RuleSet::Cn1999);
    let chased = &judged.plies[1].chased[0];
    assert_eq!((chased.root, chased.how), (Root::TooFew, How::ByExchange));
}

/// 29.1, second form, and 25.3: the chariot takes a pawn of no value with
/// check, and then wins the horse behind it, which is what it chases.
#[test]
fn what_is_won_by_checks_has_value() {
    let fen = "4k4/9/9/4p1n2/R8/9/9/9/9/3K5 w - - 0 1";
    let round = "a5a6 e9f9 a6a5 f9e9";
    for set in [RuleSet::Cn1999, RuleSet::Cn2020] {
        let judged = ruled(fen, round, 3, set);
        let [chased] = &judged.plies[0].chased[..] else { panic!("{set}: one piece is chased") };
        assert_eq!((chased.piece.kind, chased.how), (PieceKind::Horse, How::ByChecks));
        assert_eq!(chased.line[0].to_string(), "a6e6");
    }
    assert_eq!(verdicts(fen, round), [DRAW; 4]);
}

/// Detail rules 20 and 21 (29.1, 28.3): the cannon stands still and its mount
/// comes and goes.
#[test]
fn a_mount_lets_a_cannon_chase() {
    let fen = "3k5/9/9/9/9/9/3c5/C3B2n1/9/5K3 b - - 0 1";
    let round = "d3d2 e2g4 d2d3 g4e2";
    assert_eq!(verdicts(fen, round), [RED; 4]);
    let judged = ruled(fen, round, 3, RuleSet::Axf);
    assert_eq!(judged.article, "20");
    let chased = &judged.plies[3].chased[0];
    assert_eq!((chased.means, chased.how), (Some(Means::Mount), How::Discovered));
}

/// 25.3 (Asian detail rule 20): behind the river a pawn is a piece, before it
/// none.
#[test]
fn pawns_are_chased_once_they_have_crossed() {
    let round = "i1a1 a2c0 a1i1 c0a2";
    let crossed = "3k5/9/9/9/9/p8/9/B8/8c/C4K3 b - - 0 1";
    let home = "3k5/9/9/p8/9/9/9/B8/8c/C4K3 b - - 0 1";
    assert_eq!(verdicts(crossed, round), [RED; 4]);
    assert_eq!(verdicts(home, round), [DRAW; 4]);
}

/// 25.2 against Asian detail rule 27: one chariot after two pieces by turns.
#[test]
fn two_pieces_are_chased_by_turns() {
    let fen = "5k3/9/9/2c6/9/9/2R6/9/9/4K3n b - - 0 1";
    let round = "c6g6 c3i3 i0h2 i3g3 g6c6 g3h3 h2i0 h3c3";
    assert_eq!(verdicts(fen, round), [RED, RED, DRAW, DRAW]);
}

/// 25.2: what may be repeated without end.
#[test]
fn idle_moves_are_permitted() {
    let fen = "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1";
    assert_eq!(verdicts(fen, "f0f1 d9d8 f1f0 d8d9"), [DRAW; 4]);
    assert_eq!(ruled(fen, "f0f1 d9d8 f1f0 d8d9", 1, RuleSet::Cn1999).verdict, Verdict::None);
}
