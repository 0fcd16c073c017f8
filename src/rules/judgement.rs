//! What a judgement says: the loop, each move of it with its evidence, what
//! either side was doing, the verdict and the article.

use crate::board::{Color, Move, Piece, Square};

use super::RuleSet;

/// A loop (循环): moves that lead from a position back to the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The first ply of the loop where it is played for the first time,
    /// counted from 1 at the start of the line.
    pub from_ply: u32,
    /// The last ply of that first round of the loop.
    pub to_ply: u32,
    /// The ply after which a position stands for the third time.
    pub third_ply: u32,
    /// The last ply up to which the loop went on.
    pub until_ply: u32,
    /// How often the repeated position has stood on the board, the first time
    /// included: 3 at the third time.
    pub times: u32,
}

impl Cycle {
    /// Number of plies of one round of the loop.
    #[must_use]
    pub const fn length(&self) -> u32 {
        self.to_ply + 1 - self.from_ply
    }
}

/// What a move is (着法性质), the gravest name first (article 27.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveClass {
    /// 将: the general is attacked.
    Check,
    /// 杀: mate by checks is threatened.
    MateThreat,
    /// 捉: material is newly threatened.
    Chase,
    /// 闲: none of these.
    Idle,
}

impl MoveClass {
    /// `check`, `mate-threat`, `chase` or `idle`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MoveClass::Check => "check",
            MoveClass::MateThreat => "mate-threat",
            MoveClass::Chase => "chase",
            MoveClass::Idle => "idle",
        }
    }

    /// 将 杀 捉 闲
    #[must_use]
    pub const fn hanzi(self) -> char {
        match self {
            MoveClass::Check => '将',
            MoveClass::MateThreat => '杀',
            MoveClass::Chase => '捉',
            MoveClass::Idle => '闲',
        }
    }
}

/// What kind of idle move (闲着) it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdleKind {
    /// 兑: equal material can be exchanged.
    Exchange,
    /// 献: the piece may be taken for nothing.
    Offer,
    /// 拦: it stands in the way of an enemy piece.
    Block,
    /// 跟: it looks at a piece that has a root.
    Follow,
    /// Plainly idle.
    Plain,
}

impl IdleKind {
    /// `exchange`, `offer`, `block`, `follow` or `idle`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            IdleKind::Exchange => "exchange",
            IdleKind::Offer => "offer",
            IdleKind::Block => "block",
            IdleKind::Follow => "follow",
            IdleKind::Plain => "idle",
        }
    }

    /// 兑 献 拦 跟 闲
    #[must_use]
    pub const fn hanzi(self) -> char {
        match self {
            IdleKind::Exchange => '兑',
            IdleKind::Offer => '献',
            IdleKind::Block => '拦',
            IdleKind::Follow => '跟',
            IdleKind::Plain => '闲',
        }
    }
}

/// In which way a piece is won (article 29.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// The piece that moved takes it.
    Direct,
    /// Another piece takes it, thanks to the move.
    Discovered,
    /// A series of captures wins material.
    ByExchange,
    /// Checks come first, then the capture.
    ByChecks,
}

impl How {
    /// `direct`, `discovered`, `by-exchange` or `by-checks`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            How::Direct => "direct",
            How::Discovered => "discovered",
            How::ByExchange => "by-exchange",
            How::ByChecks => "by-checks",
        }
    }
}

/// By what means a move lets a piece that did not move attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Means {
    /// A chariot's line was opened.
    Line,
    /// A cannon got its mount (炮架), or lost the one too many.
    Mount,
    /// A horse's leg (马腿) was freed.
    Leg,
    /// An elephant's eye (象眼) was freed.
    Eye,
    /// The target's root was cut, bound or drawn off (断根).
    Root,
    /// The attacker was bound before, or in check.
    Unbound,
}

impl Means {
    /// `line`, `mount`, `leg`, `eye`, `root` or `unbound`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Means::Line => "line",
            Means::Mount => "mount",
            Means::Leg => "leg",
            Means::Eye => "eye",
            Means::Root => "root",
            Means::Unbound => "unbound",
        }
    }
}

/// The protection of an attacked piece (有根、无根, article 28.16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// 无根: nothing could retake.
    None,
    /// 假根: a piece looks as if it could retake, but may not.
    False,
    /// 少根: retaking is legal, and material is lost all the same.
    TooFew,
    /// 真根: a legal recapture.
    True,
}

impl Root {
    /// `none`, `false`, `too-few` or `true`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Root::None => "none",
            Root::False => "false",
            Root::TooFew => "too-few",
            Root::True => "true",
        }
    }
}

/// One piece that a move chases, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chased {
    /// What is chased.
    pub piece: Piece,
    /// Where it stands after the move.
    pub square: Square,
    /// Which pieces take it, where they stand after the move.
    pub by: Vec<(Piece, Square)>,
    /// In which way.
    pub how: How,
    /// By what means, when the attacker did not move.
    pub means: Option<Means>,
    /// How the target is protected.
    pub root: Root,
    /// The winning line, from the side that threatens: its capture (or first
    /// check), the reply, and so on.
    pub line: Vec<Move>,
}

/// Why a move is what it is, beyond its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// These pieces attack the general.
    Checks(Vec<(Piece, Square)>),
    /// This line mates.
    Mates(Vec<Move>),
    /// See [`PlyJudgement::chased`].
    Chases,
    /// It threatens something, but the threat was there before the move
    /// (article 29.2). The square of the target.
    NotNew(Square),
    /// It threatens something that the rules let pass; the square of the
    /// target, and which exemption.
    Exempt(Square, Exemption),
    /// Nothing is threatened.
    Nothing,
}

/// An attack that the rules let pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exemption {
    /// The general itself attacks (article 27.1).
    King,
    /// A pawn itself attacks (article 27.2).
    Pawn,
    /// The general steps out of check (2020, 26.1.2).
    Evasion,
    /// A drawn fortress attacks advisors and elephants on the way (27.3).
    Fortress,
    /// The capture would be answered by mate (29.4).
    Mated,
}

impl Exemption {
    /// `king`, `pawn`, `evasion`, `fortress` or `mated`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Exemption::King => "king",
            Exemption::Pawn => "pawn",
            Exemption::Evasion => "evasion",
            Exemption::Fortress => "fortress",
            Exemption::Mated => "mated",
        }
    }
}

/// What one move of the loop is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyJudgement {
    /// Counted from 1 at the start of the line.
    pub ply: u32,
    /// The move.
    pub mv: Move,
    /// Who plays it.
    pub side: Color,
    /// What it is.
    pub class: MoveClass,
    /// Which kind of idle move; `None` for the other classes.
    pub idle: Option<IdleKind>,
    /// What it chases. A graver class (check, mate threat) may chase too.
    pub chased: Vec<Chased>,
    /// The evidence.
    pub why: Why,
    /// The article that gives the move its name.
    pub article: &'static str,
    /// A search ended at its bound: the class is the best that was proved.
    pub bounded: bool,
}

/// What a side does all through the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conduct {
    /// 长将: every move checks.
    PerpetualCheck,
    /// 长杀: every move threatens mate.
    PerpetualMateThreat,
    /// 长捉: every move chases (Asian rules: the same piece every time).
    PerpetualChase,
    /// 长打: every move checks, threatens mate or chases, in a mixture.
    PerpetualAttack,
    /// 允许着法: something that may be repeated.
    Permitted,
}

impl Conduct {
    /// `perpetual-check`, `perpetual-mate-threat`, `perpetual-chase`,
    /// `perpetual-attack` or `permitted`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Conduct::PerpetualCheck => "perpetual-check",
            Conduct::PerpetualMateThreat => "perpetual-mate-threat",
            Conduct::PerpetualChase => "perpetual-chase",
            Conduct::PerpetualAttack => "perpetual-attack",
            Conduct::Permitted => "permitted",
        }
    }

    /// 长将 长杀 长捉 长打 允许
    #[must_use]
    pub const fn hanzi(self) -> &'static str {
        match self {
            Conduct::PerpetualCheck => "长将",
            Conduct::PerpetualMateThreat => "长杀",
            Conduct::PerpetualChase => "长捉",
            Conduct::PerpetualAttack => "长打",
            Conduct::Permitted => "允许着法",
        }
    }
}

/// The ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// No position stands for the third time.
    None,
    /// Unchanged, the game is drawn (不变作和).
    Draw,
    /// This side has to change; should the loop go on, it loses.
    MustChange(Color),
    /// This side loses.
    Loses(Color),
    /// The text leaves it open; see [`Judgement::open`].
    Undecided,
}

impl Verdict {
    /// `none`, `draw`, `red-must-change`, `black-must-change`, `red-loses`,
    /// `black-loses` or `undecided`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::None => "none",
            Verdict::Draw => "draw",
            Verdict::MustChange(Color::Red) => "red-must-change",
            Verdict::MustChange(Color::Black) => "black-must-change",
            Verdict::Loses(Color::Red) => "red-loses",
            Verdict::Loses(Color::Black) => "black-loses",
            Verdict::Undecided => "undecided",
        }
    }
}

/// Why a judgement stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpenPoint {
    /// Whether a mate that needs an exchange which the other side could make
    /// as well is a mate threat or an offer to exchange: the printed rulings
    /// contradict each other.
    ExchangeMate,
    /// Whether an advisor or elephant that attacks a chariot, horse or cannon
    /// chases it: the Asian text is silent.
    GuardChases,
    /// Both sides perpetually chase a chariot that a horse holds fixed.
    BothHold,
    /// Whether a fortress is drawn (27.3) cannot be told by machine.
    Fortress,
    /// The loops of the line are longer than any game, and none is judged.
    TooLong,
}

impl OpenPoint {
    /// `exchange-mate`, `guard-chases`, `both-hold`, `fortress` or `too-long`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OpenPoint::ExchangeMate => "exchange-mate",
            OpenPoint::GuardChases => "guard-chases",
            OpenPoint::BothHold => "both-hold",
            OpenPoint::Fortress => "fortress",
            OpenPoint::TooLong => "too-long",
        }
    }
}

/// The ruling on one loop, without the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopRuling {
    /// Under these rules.
    pub rules: RuleSet,
    /// The loop.
    pub cycle: Cycle,
    /// Whether every move of Red, and every move of Black, checks.
    pub checks: [bool; 2],
    /// The ruling.
    pub verdict: Verdict,
    /// The article of the ruling.
    pub article: &'static str,
    /// Why the verdict is [`Verdict::Undecided`].
    pub open: Option<OpenPoint>,
}

/// The judgement of a line of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Under these rules.
    pub rules: RuleSet,
    /// The loop that was judged; `None` when no position stands for the third
    /// time.
    pub cycle: Option<Cycle>,
    /// The moves of the loop, in order.
    pub plies: Vec<PlyJudgement>,
    /// What Red does.
    pub red: Conduct,
    /// What Black does.
    pub black: Conduct,
    /// The ruling.
    pub verdict: Verdict,
    /// The article of the ruling; empty without a loop.
    pub article: &'static str,
    /// Why the verdict is [`Verdict::Undecided`].
    pub open: Option<OpenPoint>,
}

impl Judgement {
    /// The judgement of a line without a loop.
    #[must_use]
    pub fn none(rules: RuleSet) -> Judgement {
        Judgement {
            rules,
            cycle: None,
            plies: Vec::new(),
            red: Conduct::Permitted,
            black: Conduct::Permitted,
            verdict: Verdict::None,
            article: "",
            open: None,
        }
    }

    /// What a side does.
    #[must_use]
    pub const fn conduct(&self, side: Color) -> Conduct {
        match side {
            Color::Red => self.red,
            Color::Black => self.black,
        }
    }
}
