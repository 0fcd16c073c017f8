//! The judgement of a loop in words: what a move is and why, what a side does,
//! what follows.

use crate::board::{Color, Move, Piece, Position, Square};
use crate::finding::Lang;
use crate::finding::catalogue::words::{piece, side};
use crate::rules::{
    Chased, Conduct, Exemption, How, IdleKind, Judgement, Means, MoveClass, OpenPoint,
    PlyJudgement, Root, Verdict, Why,
};

use super::moves::chinese;

/// `chase`, `idle (offer)`; `捉`, `闲（献）`.
#[must_use]
pub fn class(ply: &PlyJudgement, lang: Lang) -> String {
    let plain = match lang {
        Lang::En => ply.class.name().replace('-', " "),
        Lang::Zh => ply.class.hanzi().to_string(),
    };
    match (ply.idle, lang) {
        (Some(idle), Lang::En) if idle.name() != ply.class.name() => {
            format!("{plain} ({})", idle.name())
        }
        (Some(idle), Lang::Zh) if idle.hanzi() != ply.class.hanzi() => {
            format!("{plain}（{}）", idle.hanzi())
        }
        _ => plain,
    }
}

/// Why a move is what it is, with the pieces and the line of play. `after` is
/// the position after it.
#[must_use]
pub fn why(ply: &PlyJudgement, after: &Position, lang: Lang) -> String {
    match &ply.why {
        Why::Checks(by) => match lang {
            Lang::En => format!("{} {} the general", pieces(by, lang), verb(by, "checks", "check")),
            Lang::Zh => format!("{}照将", pieces(by, lang)),
        },
        Why::Mates(mate) => {
            let mate = line(mate, after, ply.side, lang);
            match lang {
                Lang::En => format!("threatens mate by checks: {mate}"),
                Lang::Zh => format!("下一着起连续照将可将死：{mate}"),
            }
        }
        Why::Chases => {
            let parts: Vec<String> =
                ply.chased.iter().map(|chased| chase(chased, after, ply.side, lang)).collect();
            parts.join(lang.pick("; ", "；"))
        }
        Why::NotNew(square) => {
            let target = target(after, *square, lang);
            match lang {
                Lang::En => format!("what it threatens, the {target}, was threatened before"),
                Lang::Zh => format!("对{target}的威胁走子前已存在，不是新产生的"),
            }
        }
        Why::Exempt(square, exemption) => exempt(&target(after, *square, lang), *exemption, lang),
        Why::Nothing => nothing(ply.idle, lang).to_owned(),
    }
}

/// What a move does that threatens nothing.
const fn nothing(idle: Option<IdleKind>, lang: Lang) -> &'static str {
    match idle {
        Some(IdleKind::Exchange) => {
            lang.pick("offers to exchange equal pieces", "可与对方同等子力互换")
        }
        Some(IdleKind::Offer) => {
            lang.pick("offers a piece that may be taken for nothing", "送吃，对方吃后不致立即受损")
        }
        Some(IdleKind::Block) => {
            lang.pick("stands in the way of an enemy piece", "阻拦对方棋子的活动，没有攻击作用")
        }
        Some(IdleKind::Follow) => {
            lang.pick("looks at a piece that has a root", "盯牵对方有根子，没有攻击作用")
        }
        Some(IdleKind::Plain) | None => lang.pick("threatens nothing", "没有攻击作用"),
    }
}

fn exempt(target: &str, exemption: Exemption, lang: Lang) -> String {
    let (en, zh) = match exemption {
        Exemption::King => ("only the general attacks the {}", "只是将（帅）本身捉吃{}"),
        Exemption::Pawn => ("only a pawn attacks the {}", "只是兵（卒）本身捉吃{}"),
        Exemption::Evasion => {
            ("the general steps out of check and so attacks the {}", "将（帅）应将时附带捉吃{}")
        }
        Exemption::Fortress => {
            ("a drawn fortress attacks the {} on the way", "占据防守要点时附带捉吃{}")
        }
        Exemption::Mated => ("taking the {} would be answered by mate", "吃{}后即被将死，不算捉"),
    };
    lang.pick(en, zh).replace("{}", target)
}

/// `the red chariot (车) on d4 newly attacks the black cannon (炮) on d6 …`.
fn chase(chased: &Chased, after: &Position, mover: Color, lang: Lang) -> String {
    let target = place((chased.piece, chased.square), lang);
    let play = line(&chased.line, after, mover, lang);
    let hunters = pieces(&chased.by, lang);
    let root = root(chased.root, lang);
    let means = chased.means.map_or("", |means| self::means(means, lang));
    match lang {
        Lang::En => {
            let how = match chased.how {
                How::Direct | How::Discovered => {
                    format!("{hunters} {} the {target}", verb(&chased.by, "attacks", "attack"))
                }
                How::ByExchange => format!("{hunters} can win the {target} by exchange"),
                How::ByChecks => format!("{hunters} can win the {target} by checks"),
            };
            format!("{how}{means}{root}: {play}")
        }
        Lang::Zh => {
            let how = match chased.how {
                How::Direct | How::Discovered => format!("{hunters}捉{target}"),
                How::ByExchange => format!("{hunters}通过交换可得{target}"),
                How::ByChecks => format!("{hunters}通过照将可得{target}"),
            };
            format!("{how}{means}{root}：{play}")
        }
    }
}

fn means(means: Means, lang: Lang) -> &'static str {
    match means {
        Means::Line => lang.pick(" along an opened line", "（闪开线路）"),
        Means::Mount => lang.pick(" over a new mount", "（形成炮架）"),
        Means::Leg => lang.pick(" with its leg freed", "（松开马腿）"),
        Means::Eye => lang.pick(" with its eye freed", "（松开象眼）"),
        Means::Root => lang.pick(" now that it can do so with profit", "（断根或使其失去保护）"),
        Means::Unbound => lang.pick(" now that it is free to", "（解除牵制）"),
    }
}

fn root(root: Root, lang: Lang) -> &'static str {
    match root {
        Root::None => lang.pick(", which has no root", "，无根"),
        Root::False => lang.pick(", which has a false root", "，假根"),
        Root::TooFew => lang.pick(", whose roots are too few", "，少根"),
        Root::True => lang.pick(", which has a root that does not help it", "，有根亦算"),
    }
}

/// A line of play that begins with `mover` from `after`: ICCS in English,
/// Chinese notation in Chinese.
fn line(moves: &[Move], after: &Position, mover: Color, lang: Lang) -> String {
    let mut position = after.clone();
    position.set_side(mover);
    let mut words = Vec::with_capacity(moves.len());
    for mv in moves {
        words.push(match lang {
            Lang::En => mv.to_string(),
            Lang::Zh => chinese(*mv, &position),
        });
        position.make(*mv);
    }
    words.join(" ")
}

fn target(position: &Position, square: Square, lang: Lang) -> String {
    position.piece_at(square).map_or_else(|| square.to_string(), |p| place((p, square), lang))
}

/// `red chariot (车) on d4`, `d4 的红车`.
fn place((what, square): (Piece, Square), lang: Lang) -> String {
    match lang {
        Lang::En => format!("{} on {square}", piece(what, lang)),
        Lang::Zh => format!(" {square} 的{}", piece(what, lang)),
    }
}

fn pieces(by: &[(Piece, Square)], lang: Lang) -> String {
    let names: Vec<String> = by.iter().map(|at| place(*at, lang)).collect();
    match lang {
        Lang::En => format!("the {}", names.join(" and the ")),
        Lang::Zh => names.join("、").trim_start().to_owned(),
    }
}

fn verb<'a>(by: &[(Piece, Square)], one: &'a str, several: &'a str) -> &'a str {
    if by.len() == 1 { one } else { several }
}

/// What a side does: `perpetual chase`, `长捉`.
#[must_use]
pub fn conduct(conduct: Conduct, lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => conduct.hanzi(),
        Lang::En => match conduct {
            Conduct::PerpetualCheck => "perpetual check",
            Conduct::PerpetualMateThreat => "perpetual mate threat",
            Conduct::PerpetualChase => "perpetual chase",
            Conduct::PerpetualAttack => "perpetual attack",
            Conduct::Permitted => "permitted moves",
        },
    }
}

/// The verdict in a sentence, with its article.
#[must_use]
pub fn verdict(judgement: &Judgement, lang: Lang) -> String {
    let words = match (judgement.verdict, lang) {
        (Verdict::None, Lang::En) => {
            return "No position stands on the board for the third time.".to_owned();
        }
        (Verdict::None, Lang::Zh) => return "没有局面第三次出现。".to_owned(),
        (Verdict::Draw, Lang::En) => "Unchanged, the game is drawn".to_owned(),
        (Verdict::Draw, Lang::Zh) => "双方不变作和".to_owned(),
        (Verdict::MustChange(color), Lang::En) => {
            format!("{} must change; should the loop go on, {0} loses", side(color, lang))
        }
        (Verdict::MustChange(color), Lang::Zh) => {
            format!("{}须变着，再重复循环即判负", side(color, lang))
        }
        (Verdict::Loses(color), Lang::En) => format!("{} loses", side(color, lang)),
        (Verdict::Loses(color), Lang::Zh) => format!("{}不变作负", side(color, lang)),
        (Verdict::Undecided, Lang::En) => "Undecided".to_owned(),
        (Verdict::Undecided, Lang::Zh) => "未能裁定".to_owned(),
    };
    match lang {
        Lang::En => format!("{words} (article {}).", judgement.article),
        Lang::Zh => format!("{words}（第 {} 条）。", judgement.article),
    }
}

/// Why a verdict stays open.
#[must_use]
pub const fn open_point(point: OpenPoint, lang: Lang) -> &'static str {
    match point {
        OpenPoint::ExchangeMate => lang.pick(
            "The mate that is threatened needs an exchange which the other side could make as \
             well. Whether this is a mate threat or an offer to exchange, the printed rulings \
             answer both ways.",
            "所威胁的杀着须借助对方同样可以进行的兑子。这算杀还是算兑，书中判例前后不一。",
        ),
        OpenPoint::GuardChases => lang.pick(
            "The text is silent on whether an advisor or elephant chases a chariot, horse or \
             cannon that has a root.",
            "士（仕）、象（相）攻击有根的车、马、炮是否算捉，条文没有规定。",
        ),
        OpenPoint::BothHold => lang.pick(
            "Both sides perpetually chase a chariot that a horse holds fixed; no rule ranks them.",
            "双方都长捉被马牵制的车，条文没有规定轻重。",
        ),
        OpenPoint::TooLong => lang.pick(
            "The loops of this line are longer than any game; they are not judged.",
            "循环过长，超出任何实战对局，未作判定。",
        ),
        OpenPoint::Fortress => lang.pick(
            "Attacks on advisors and elephants are let pass where they come with holding a drawn \
             fortress. Whether this is one, the arbiter has to say.",
            "占据防守要点、立即构成简明和棋时，附带的捉士象按闲处理。此处是否如此，须由裁判认定。",
        ),
    }
}

/// The note under a loop in which a search met its bound.
#[must_use]
pub fn bounded(lang: Lang) -> &'static str {
    lang.pick(
        "the search for mates and wins by checks ended at its bound here",
        "寻找杀着与照将得子的搜索在此达到上限",
    )
}

/// Whether the class is one that is forbidden when it goes on and on.
#[must_use]
pub const fn attacks(class: MoveClass) -> bool {
    !matches!(class, MoveClass::Idle)
}
