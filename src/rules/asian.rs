//! The Asian rules (亚洲象棋规则), and with them the world rules of 2018.
//! "Detail rule" stands for the 35 棋例细则.
//!
//! Only perpetual check and the perpetual chase of *one* piece are forbidden;
//! a mate threat is nothing, and any mixture is a draw.

use smallvec::SmallVec;

use crate::board::{Color, Move, Piece, PieceKind, Position, Square};

use super::captures::{Threatener, root_after, valuables, with_turn};
use super::judgement::{
    Chased, Conduct, Exemption, How, Means, MoveClass, OpenPoint, PlyJudgement, Root, Verdict, Why,
};
use super::mate::{Proof, mate_by_checks};
use super::ruling::Ruling;
use super::{RuleSet, idle, means};

/// A piece attacks another so that it counts.
#[derive(Clone, Copy, Debug)]
struct Pair {
    attacker: Square,
    target: Square,
    root: Root,
    /// It counts only if advisors and elephants chase dearer pieces that have
    /// a root, about which the text is silent.
    by_guard: bool,
}

/// A move of the loop, with what the verdict needs beyond the public answer.
#[derive(Clone, Debug)]
pub(crate) struct Classified {
    pub ply: PlyJudgement,
    targets: SmallVec<[Target; 4]>,
}

/// A piece that a move chases.
#[derive(Clone, Copy, Debug)]
struct Target {
    /// Where it stood when the loop began: its name.
    id: u8,
    /// Only because its root was cut.
    by_root: bool,
    /// Only by the reading of [`OpenPoint::GuardChases`].
    by_guard: bool,
    /// A chariot that may not move because of a horse (detail rule 14).
    held: bool,
}

/// The attacks of the side to move that count (repetition-rules.md, 3.1,
/// points 1 to 5).
fn pairs(position: &Position) -> SmallVec<[Pair; 16]> {
    let side = position.side();
    let mut found = SmallVec::new();
    let mut threatener = Threatener::new(position);
    // Detail rule 26 counts crossed pawns, 20 does not count the others.
    let replies = with_turn(position, side.other());
    for target in valuables(position, side.other()) {
        let Some(prey) = position.piece_at(target) else { continue };
        for capture in threatener.captures(target) {
            let Some(hunter) = position.piece_at(capture.from) else { continue };
            // Detail rules 23 and 24: generals and pawns never chase.
            if matches!(hunter.kind, PieceKind::King | PieceKind::Pawn) {
                continue;
            }
            // Detail rules 19 and 22: pieces of a kind that can take each
            // other offer an exchange.
            let back = Move::new(target, capture.from);
            if hunter.kind == prey.kind && replies.is_legal(back) {
                continue;
            }
            let root = root_after(&mut threatener.board, capture);
            let rooted = root == Root::True;
            let by_guard = rooted
                && matches!(hunter.kind, PieceKind::Advisor | PieceKind::Elephant)
                && matches!(prey.kind, PieceKind::Chariot | PieceKind::Horse | PieceKind::Cannon);
            // Detail rules 9, 15, 16 and 21: a root does not help a chariot
            // against cannon and horse.
            let dearer = prey.kind == PieceKind::Chariot
                && matches!(hunter.kind, PieceKind::Cannon | PieceKind::Horse);
            if !rooted || dearer || by_guard {
                found.push(Pair { attacker: capture.from, target, root, by_guard });
            }
        }
    }
    found
}

/// Whether the chariot on `square` may not move because a horse would then
/// attack its general (detail rule 14).
fn held_by_horse(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_at(square) else { return false };
    if piece.kind != PieceKind::Chariot {
        return false;
    }
    let mut without = position.clone();
    without.take(square);
    let horses = without.pieces(piece.color.other(), PieceKind::Horse);
    !(without.checkers(piece.color) & horses).is_empty()
}

/// Classifies `mv`, played from `before`; `ply` counts from 1. `ids` names
/// the piece on each square.
pub(crate) fn classify(
    set: RuleSet,
    ply: u32,
    before: &Position,
    mv: Move,
    ids: &[u8; 90],
) -> Classified {
    let side = before.side();
    let articles = set.articles();
    let mut after = before.clone();
    after.make(mv);
    let mut answer = PlyJudgement {
        ply,
        mv,
        side,
        class: MoveClass::Idle,
        idle: None,
        chased: Vec::new(),
        why: Why::Nothing,
        article: articles.idle,
        bounded: false,
    };
    let threat = with_turn(&after, side);
    let then = pairs(before);
    let now = pairs(&threat);
    let mut targets: SmallVec<[Target; 4]> = SmallVec::new();
    for target in valuables(&after, side.other()) {
        let all = || now.iter().filter(move |p| p.target == target);
        let was = |p: &&Pair| {
            let from = if p.attacker == mv.to { mv.from } else { p.attacker };
            then.iter().any(|t| t.attacker == from && t.target == target)
        };
        let new: SmallVec<[Pair; 4]> = all().filter(|p| !was(p)).copied().collect();
        if new.is_empty() {
            if all().next().is_some() && answer.why == Why::Nothing {
                answer.why = Why::NotNew(target);
            }
            continue;
        }
        let chased = chased(before, &after, mv, target, &new);
        targets.push(Target {
            id: ids[target.index()],
            by_root: new.iter().all(|p| {
                p.attacker != mv.to
                    && means::of(before, Move::new(p.attacker, target)) == Means::Root
            }),
            by_guard: new.iter().all(|p| p.by_guard),
            held: held_by_horse(&after, target),
        });
        answer.chased.extend(chased);
    }
    let checkers = after.checkers(side.other());
    if !checkers.is_empty() {
        answer.class = MoveClass::Check;
        answer.article = articles.check;
        let with_piece = |s| Some((after.piece_at(s)?, s));
        answer.why = Why::Checks(checkers.into_iter().filter_map(with_piece).collect());
        return Classified { ply: answer, targets };
    }
    if !answer.chased.is_empty() {
        answer.class = MoveClass::Chase;
        answer.why = Why::Chases;
        answer.article = answer.chased.first().map_or(articles.chase, detail_rule);
        return Classified { ply: answer, targets };
    }
    match mate_by_checks(&threat, |_| false) {
        Proof::Mates(line) => {
            answer.class = MoveClass::MateThreat;
            answer.article = articles.mate_threat;
            answer.why = Why::Mates(line);
        }
        proof => {
            answer.bounded = proof == Proof::Bounded;
            if let Some((target, exemption)) = exempt(&threat) {
                answer.why = Why::Exempt(target, exemption);
            }
            let kind = idle::kind(&after, mv, before, set);
            answer.idle = Some(kind);
            answer.article = match &answer.why {
                Why::Exempt(_, Exemption::King) => "23",
                Why::Exempt(_, Exemption::Pawn) => "24",
                _ => idle::article(kind, articles),
            };
        }
    }
    Classified { ply: answer, targets }
}

/// An unrooted piece that only the general or a pawn attacks.
fn exempt(threat: &Position) -> Option<(Square, Exemption)> {
    let mut threatener = Threatener::new(threat);
    for target in valuables(threat, threat.side().other()) {
        for capture in threatener.captures(target) {
            let exemption = match threat.piece_at(capture.from)?.kind {
                PieceKind::King => Exemption::King,
                PieceKind::Pawn => Exemption::Pawn,
                _ => continue,
            };
            if root_after(&mut threatener.board, capture) != Root::True {
                return Some((target, exemption));
            }
        }
    }
    None
}

fn chased(
    before: &Position,
    after: &Position,
    mv: Move,
    target: Square,
    new: &[Pair],
) -> Option<Chased> {
    let piece = after.piece_at(target)?;
    let first = new.iter().find(|p| p.attacker == mv.to).or(new.first())?;
    let direct = first.attacker == mv.to;
    let by: Vec<(Piece, Square)> =
        new.iter().filter_map(|p| Some((after.piece_at(p.attacker)?, p.attacker))).collect();
    let capture = Move::new(first.attacker, target);
    Some(Chased {
        piece,
        square: target,
        by,
        how: if direct { How::Direct } else { How::Discovered },
        means: (!direct).then(|| means::of(before, capture)),
        root: first.root,
        line: vec![capture],
    })
}

/// The detail rule that names a chase.
fn detail_rule(chased: &Chased) -> &'static str {
    if chased.root == Root::False || chased.means == Some(Means::Root) {
        return "29";
    }
    let by = chased.by.first().map(|(piece, _)| piece.kind);
    let mount = chased.means == Some(Means::Mount);
    match (by, chased.piece.kind) {
        (Some(hunter), prey) if hunter == prey => "19",
        (Some(PieceKind::Cannon), PieceKind::Chariot) if mount => "21",
        (Some(PieceKind::Cannon), _) if mount => "20",
        (Some(PieceKind::Cannon), PieceKind::Chariot) => "9",
        (Some(PieceKind::Horse), PieceKind::Chariot) => "16",
        (Some(PieceKind::Chariot), PieceKind::Cannon) => "13",
        (Some(PieceKind::Chariot), PieceKind::Horse) => "18",
        (Some(PieceKind::Chariot), PieceKind::Pawn) => "26",
        _ => "28",
    }
}

/// What a side does, for the table of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// Anything else.
    Free,
    /// Chases one piece all the time.
    Chase,
    /// Chases a chariot that a horse holds fixed.
    HeldChase,
    /// Checks all the time.
    Check,
}

/// Which of the readings are taken.
#[derive(Clone, Copy, Debug)]
struct Reading {
    /// Attacks that arise by cutting a root count.
    roots: bool,
    /// Advisors and elephants chase dearer pieces whatever their root.
    guards: bool,
}

fn grade(moves: &[Classified], side: Color, reading: Reading) -> Grade {
    let mut own = moves.iter().filter(|m| m.ply.side == side).peekable();
    if own.peek().is_none() {
        return Grade::Free;
    }
    let own: Vec<&Classified> = own.collect();
    if own.iter().all(|m| m.ply.class == MoveClass::Check) {
        return Grade::Check;
    }
    let counts = |target: &Target| {
        (reading.roots || !target.by_root) && (reading.guards || !target.by_guard)
    };
    let chases = |m: &Classified, id: u8| {
        m.targets.iter().find(|target| target.id == id && counts(target)).copied()
    };
    let mut best = Grade::Free;
    for target in &own[0].targets {
        let all: Option<Vec<Target>> = own.iter().map(|m| chases(m, target.id)).collect();
        if let Some(all) = all {
            let held = all.iter().all(|t| t.held);
            best = best.max(if held { Grade::HeldChase } else { Grade::Chase });
        }
    }
    best
}

/// Detail rules 1 to 35 on what each side does all through the loop.
pub(crate) fn rule(set: RuleSet, moves: &[Classified]) -> Ruling {
    let with = grades(moves, true);
    let without = grades(moves, false);
    let (verdict, article) = table(with);
    let open = if table(without).0 != verdict {
        Some(OpenPoint::GuardChases)
    } else if with == [Grade::HeldChase; 2] {
        Some(OpenPoint::BothHold)
    } else {
        None
    };
    let conduct = |grade, side| match grade {
        Grade::Check => Conduct::PerpetualCheck,
        Grade::Chase | Grade::HeldChase => Conduct::PerpetualChase,
        Grade::Free => {
            let mut own = moves.iter().filter(|m| m.ply.side == side);
            if own.all(|m| m.ply.class == MoveClass::MateThreat) {
                Conduct::PerpetualMateThreat
            } else {
                Conduct::Permitted
            }
        }
    };
    let article = if article.is_empty() { article_of_draw(moves) } else { article };
    let loser_article = |side: Color| {
        let mut own = moves.iter().filter(|m| m.ply.side == side);
        own.find(|m| m.ply.class == MoveClass::Chase).map_or(article, |m| m.ply.article)
    };
    let article = match verdict {
        Verdict::Loses(side) if article == set.articles().chase => loser_article(side),
        _ => article,
    };
    Ruling {
        red: conduct(with[0], Color::Red),
        black: conduct(with[1], Color::Black),
        verdict: if open.is_some() { Verdict::Undecided } else { verdict },
        article,
        open,
    }
}

/// The grades of Red and Black.
///
/// An attack that arises only because the move cut a root is not counted
/// against a side that is itself chased all the time: it answers
/// (repetition-rules.md, 3.1, point 6; diagrams 61 and 105).
fn grades(moves: &[Classified], guards: bool) -> [Grade; 2] {
    let strict = Color::ALL.map(|side| grade(moves, side, Reading { roots: false, guards }));
    Color::ALL.map(|side| {
        if strict[side.other().index()] >= Grade::Chase {
            strict[side.index()]
        } else {
            grade(moves, side, Reading { roots: true, guards })
        }
    })
}

/// The verdict and its detail rule; empty for a draw by what is permitted.
fn table([red, black]: [Grade; 2]) -> (Verdict, &'static str) {
    let article = |grade| match grade {
        Grade::Check => "1",
        Grade::HeldChase => "14",
        _ => "9",
    };
    match red.cmp(&black) {
        std::cmp::Ordering::Greater => (Verdict::Loses(Color::Red), article(red)),
        std::cmp::Ordering::Less => (Verdict::Loses(Color::Black), article(black)),
        std::cmp::Ordering::Equal => match red {
            Grade::Check => (Verdict::Draw, "2"),
            Grade::Chase | Grade::HeldChase => (Verdict::Draw, "17"),
            Grade::Free => (Verdict::Draw, ""),
        },
    }
}

/// The detail rule that lets the loop stand: that of the side which comes
/// nearest to an offence.
fn article_of_draw(moves: &[Classified]) -> &'static str {
    let rule_of = |side: Color| {
        let own: Vec<&PlyJudgement> =
            moves.iter().map(|m| &m.ply).filter(|p| p.side == side).collect();
        let any = |class| own.iter().any(|p| p.class == class);
        let all_idle = |kind| own.iter().all(|p| p.idle == Some(kind));
        let idle_kinds = super::judgement::IdleKind::Block;
        if any(MoveClass::Check) && any(MoveClass::MateThreat) {
            "6"
        } else if any(MoveClass::Check) && any(MoveClass::Chase) {
            "7"
        } else if any(MoveClass::Check) {
            "8"
        } else if own.iter().all(|p| p.class == MoveClass::Chase) {
            "27"
        } else if own.iter().all(|p| p.class == MoveClass::MateThreat) {
            "4"
        } else if own.iter().all(|p| matches!(p.why, Why::Exempt(_, Exemption::King))) {
            "23"
        } else if own.iter().all(|p| matches!(p.why, Why::Exempt(_, Exemption::Pawn))) {
            "24"
        } else if any(MoveClass::Chase) {
            "11"
        } else if all_idle(idle_kinds) {
            "34"
        } else {
            ""
        }
    };
    match (rule_of(Color::Red), rule_of(Color::Black)) {
        ("4", "4") => "5",
        ("", "") => "35",
        ("", other) | (other, _) => other,
    }
}
