//! What follows from touching a piece, in words.

use super::moves::chinese;
use crate::audit::{BoundStep, Duty, TouchRuling};
use crate::board::{Position, Square};
use crate::finding::Lang;
use crate::finding::catalogue::words::piece;

/// The order of the article, a line a step, the fouls, and the result.
#[must_use]
pub fn ruling(ruling: &TouchRuling, position: &Position, lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    let binding = ruling.binding().map(|step| step.step);
    for step in &ruling.steps {
        let what = duty(step.duty, position, lang);
        let moves = moves(step, position);
        let line = match (binding == Some(step.step), step.moves.is_empty(), lang) {
            (true, _, Lang::En) => format!("must {what}: {moves}"),
            (true, _, Lang::Zh) => format!("必须{what}：{moves}"),
            (_, true, Lang::En) => format!("cannot {what}"),
            (_, true, Lang::Zh) => format!("不能{what}"),
            (_, _, Lang::En) => format!("(not reached: {what})"),
            (_, _, Lang::Zh) => format!("（不适用：{what}）"),
        };
        lines.push(format!("{}. {line} ({})", step.step, step.article));
    }
    if binding.is_none() {
        lines.push(match lang {
            Lang::En => format!("Any move may be played ({}).", ruling.article),
            Lang::Zh => format!("可另行走子（{}）。", ruling.article),
        });
    }
    for (article, at) in &ruling.fouls {
        let what = man(*at, position, lang);
        let asian = article.starts_with("AX");
        lines.push(match (lang, *article) {
            (Lang::En, "9.1.5") => {
                format!("One foul: {what} was touched and has no legal move (9.1.5).")
            }
            (Lang::Zh, "9.1.5") => format!("犯规一次：触摸了不能走动的{what}（9.1.5）。"),
            (Lang::En, _) if asian => {
                format!("One technical foul: the touch cannot be honoured ({article}).")
            }
            (Lang::Zh, _) if asian => format!("技术犯规一次：摸子后无法照办（{article}）。"),
            (Lang::En, _) => {
                format!("One foul: {what} was touched and cannot be taken ({article}).")
            }
            (Lang::Zh, _) => format!("犯规一次：触摸了无法吃掉的{what}（{article}）。"),
        });
    }
    lines
}

fn man(at: Square, position: &Position, lang: Lang) -> String {
    match (position.piece_at(at), lang) {
        (Some(man), Lang::En) => format!("the {} on {at}", piece(man, lang)),
        (Some(man), Lang::Zh) => format!(" {at} 的{}", piece(man, lang)),
        (None, _) => at.to_string(),
    }
}

fn duty(duty: Duty, position: &Position, lang: Lang) -> String {
    let man = |at| man(at, position, lang);
    match (duty, lang) {
        (Duty::TakeWith(mine, theirs), Lang::En) => {
            format!("take {} with {}", man(theirs), man(mine))
        }
        (Duty::TakeWith(mine, theirs), Lang::Zh) => format!("用{}吃掉{}", man(mine), man(theirs)),
        (Duty::MoveIt(mine), Lang::En) => format!("move {}", man(mine)),
        (Duty::MoveIt(mine), Lang::Zh) => format!("走动{}", man(mine)),
        (Duty::TakeIt(theirs), Lang::En) => format!("take {}", man(theirs)),
        (Duty::TakeIt(theirs), Lang::Zh) => format!("吃掉{}", man(theirs)),
        (Duty::TakeWithAnother(_, theirs), Lang::En) => {
            format!("take {} with another piece", man(theirs))
        }
        (Duty::TakeWithAnother(_, theirs), Lang::Zh) => format!("用其他棋子吃掉{}", man(theirs)),
    }
}

fn moves(step: &BoundStep, position: &Position) -> String {
    let written: Vec<String> =
        step.moves.iter().map(|mv| format!("{} ({mv})", chinese(*mv, position))).collect();
    written.join(", ")
}
