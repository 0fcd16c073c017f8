//! A game as a person reads it: headers, moves, comments, variations.

use std::fmt;

use super::findings::printable;
use super::json::GAP;
use super::moves::{MainLine, notated};
use super::position_words;
use super::style::{Paint, Tone};
use crate::board::{Color, Position};
use crate::finding::Lang;
use crate::finding::catalogue::words;
use crate::game::{Game, GameTree, OutcomeKind, Winner};
use crate::notation::{Notation, Style};
use crate::record::NodeId;
use crate::text::width::{pad_left, pad_right};

/// Who played: `甲 – 乙`, with what is known of the event. Empty when nothing
/// is known.
#[must_use]
pub fn heading(game: &Game, lang: Lang) -> String {
    let headers = &game.headers;
    let mut parts = Vec::new();
    if headers.red.is_some() || headers.black.is_some() {
        let name = |name: &Option<String>, color| {
            name.as_deref().map_or_else(|| words::side(color, lang).to_owned(), printable)
        };
        parts.push(format!(
            "{} – {}",
            name(&headers.red, Color::Red),
            name(&headers.black, Color::Black)
        ));
    }
    parts.extend(headers.event.as_deref().or(headers.title.as_deref()).map(printable));
    parts.extend(headers.date.map(|date| date.to_string()));
    parts.join(", ")
}

/// A game in text.
#[derive(Clone, Debug)]
pub struct GameText<'a> {
    game: &'a Game,
    path: &'a str,
    notation: Notation,
    style: Style,
    variations: bool,
    lang: Lang,
    paint: Paint,
}

impl<'a> GameText<'a> {
    /// Shows `game`, which was read from `path`, in Chinese notation.
    #[must_use]
    pub fn new(path: &'a str, game: &'a Game, lang: Lang, paint: Paint) -> GameText<'a> {
        GameText {
            game,
            path,
            notation: Notation::Chinese,
            style: Style::default(),
            variations: true,
            lang,
            paint,
        }
    }

    /// Chooses notation and style.
    #[must_use]
    pub fn notation(mut self, notation: Notation, style: Style) -> GameText<'a> {
        self.notation = notation;
        self.style = style;
        self
    }

    /// Whether variations are written out.
    #[must_use]
    pub fn variations(mut self, show: bool) -> GameText<'a> {
        self.variations = show;
        self
    }

    fn headers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lang = self.lang;
        let headers = &self.game.headers;
        let player = |name: &Option<String>, team: &Option<String>| match (name, team) {
            (Some(name), Some(team)) => Some(format!("{name} ({team})")),
            (Some(name), None) => Some(name.clone()),
            (None, team) => team.clone(),
        };
        let origin = &self.game.origin;
        let mut source = vec![
            printable(self.path),
            match lang {
                Lang::En => format!("game {}", origin.game),
                Lang::Zh => format!("第 {} 局", origin.game),
            },
        ];
        if !origin.format.name().is_empty() {
            let version = origin.version.as_deref().unwrap_or("");
            source.push(format!("{} {version}", origin.format.name()).trim_end().to_owned());
        }
        source.extend(origin.encoding.map(str::to_owned));
        let rows = [
            (lang.pick("Title", "标题"), headers.title.clone()),
            (lang.pick("Event", "赛事"), headers.event.clone()),
            (lang.pick("Site", "地点"), headers.site.clone()),
            (lang.pick("Date", "日期"), headers.date.map(|date| date.to_string())),
            (lang.pick("Round", "轮次"), headers.round.clone()),
            (lang.pick("Red", "红方"), player(&headers.red, &headers.red_team)),
            (lang.pick("Black", "黑方"), player(&headers.black, &headers.black_team)),
            (lang.pick("Result", "结果"), Some(headers.result.code().to_owned())),
            (lang.pick("Opening", "开局"), headers.ecco.clone()),
            (lang.pick("Notes by", "评注"), headers.annotator.clone()),
        ];
        let known = rows.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let other = headers.other.iter().map(|(name, value)| (name.clone(), value.clone()));
        let last = (lang.pick("Source", "来源").to_owned(), source.join(", "));
        for (name, value) in known.chain(other).chain([last]) {
            let name = pad_right(&printable(&name), 10);
            writeln!(f, "{} {}", self.paint.tone(Tone::Dim, name), printable(&value))?;
        }
        Ok(())
    }

    /// The main line, a round a line, with the comments where they stand.
    fn moves(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tree = &self.game.tree;
        self.comments(f, NodeId::ROOT)?;
        let mut open = false;
        for step in MainLine::new(self.game) {
            let black = step.before.side() == Color::Black;
            if !black || !open {
                let number = pad_left(&format!("{}.", step.before.round()), 4);
                write!(f, "{} ", self.paint.tone(Tone::Dim, number))?;
                if black {
                    write!(f, "{} ", pad_right("…", 10))?;
                }
            }
            let mut text = match step.mv {
                Some(mv) => notated(self.notation, mv, &step.before, self.style),
                None => GAP.to_owned(),
            };
            for (_, glyph) in tree.glyphs.iter().filter(|(node, _)| *node == step.node) {
                text.push_str(&printable(glyph));
            }
            let remarked = tree.comments.iter().any(|comment| comment.node == step.node);
            if black || remarked {
                writeln!(f, "{text}")?;
                open = false;
            } else {
                write!(f, "{} ", pad_right(&text, 10))?;
                open = true;
            }
            self.comments(f, step.node)?;
        }
        if open {
            writeln!(f)?;
        }
        Ok(())
    }

    fn comments(&self, f: &mut fmt::Formatter<'_>, node: NodeId) -> fmt::Result {
        for comment in self.game.tree.comments.iter().filter(|comment| comment.node == node) {
            for line in comment.text.lines() {
                writeln!(f, "     {{{}}}", printable(line.trim()))?;
            }
        }
        Ok(())
    }

    /// Each variation on a line of its own, in the order of the record.
    fn write_variations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tree = &self.game.tree;
        let mut any = false;
        for node in tree.ids() {
            let Some(parent) = tree.parent(node) else { continue };
            if tree.continuation(parent) == Some(node) {
                continue;
            }
            if !any {
                any = true;
                writeln!(f)?;
                writeln!(f, "{}", self.lang.pick("Variations", "变着"))?;
            }
            self.variation(f, node, parent)?;
        }
        Ok(())
    }

    fn variation(&self, f: &mut fmt::Formatter<'_>, from: NodeId, parent: NodeId) -> fmt::Result {
        let tree = &self.game.tree;
        let mut position = position_at(self.game, parent);
        let mut next = Some(from);
        write!(f, " ")?;
        while let Some(node) = next {
            let black = position.side() == Color::Black;
            if !black || node == from {
                write!(f, " {}.{}", position.round(), if black { " … " } else { " " })?;
            } else {
                write!(f, " ")?;
            }
            let mv = tree.node(node).mv;
            match mv {
                Some(mv) => {
                    write!(f, "{}", notated(self.notation, mv, &position, self.style))?;
                }
                None => write!(f, "{GAP}")?,
            }
            for comment in tree.comments.iter().filter(|comment| comment.node == node) {
                write!(f, " {{{}}}", printable(comment.text.trim()))?;
            }
            tree.node(node).play_on(&mut position);
            next = tree.continuation(node);
        }
        writeln!(f)
    }

    fn end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lang = self.lang;
        if !self.game.unplayed.is_empty() {
            let label = lang.pick("Not played", "未走的着法");
            let words: Vec<String> = self.game.unplayed.iter().map(|w| printable(w)).collect();
            writeln!(f)?;
            writeln!(f, "{} {}", self.paint.tone(Tone::Warning, label), words.join(" "))?;
        }
        if let Some(words) = outcome(self.game, lang) {
            writeln!(f)?;
            writeln!(f, "{words}")?;
        }
        Ok(())
    }
}

/// How the board ended the game, in words; `None` where it did not.
#[must_use]
pub fn outcome(game: &Game, lang: Lang) -> Option<String> {
    let kind = match game.outcome.kind {
        OutcomeKind::None => return None,
        OutcomeKind::Checkmate | OutcomeKind::Stalemate => {
            let last = game.final_position();
            return Some(position_words::state(&last, last.end_of_play(), lang));
        }
        OutcomeKind::Repetition => lang.pick("repetition", "循环重复局面"),
        OutcomeKind::NaturalLimit => lang.pick("the natural limit", "自然限着"),
        OutcomeKind::Insufficient => lang.pick("neither side can win", "双方均无取胜可能"),
    };
    let winner = match game.outcome.winner {
        Some(Winner::Side(color)) => match lang {
            Lang::En => format!(": {} wins", words::side(color, lang)),
            Lang::Zh => format!("：{}胜", words::side(color, lang)),
        },
        Some(Winner::Draw) => lang.pick(": draw", "：和棋").to_owned(),
        None => String::new(),
    };
    let article = game.outcome.article.map_or(String::new(), |article| format!(" ({article})"));
    Some(format!("{kind}{winner}{article}"))
}

/// The position at a node of the tree.
fn position_at(game: &Game, node: NodeId) -> Position {
    let mut path = ancestors(&game.tree, node);
    let mut position = game.start.clone();
    while let Some(node) = path.pop() {
        game.tree.node(node).play_on(&mut position);
    }
    position
}

/// The node and those before it, without the root, last one first.
fn ancestors(tree: &GameTree, node: NodeId) -> Vec<NodeId> {
    let mut path: Vec<NodeId> =
        std::iter::successors(Some(node), |node| tree.parent(*node)).collect();
    path.pop();
    path
}

impl fmt::Display for GameText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.headers(f)?;
        if self.game.start != Position::start() {
            writeln!(f, "{} {}", pad_right("FEN", 10), self.game.start.fen())?;
        }
        if !self.game.tree.is_empty() || !self.game.tree.comments.is_empty() {
            writeln!(f)?;
            self.moves(f)?;
        }
        if self.variations {
            self.write_variations(f)?;
        }
        self.end(f)
    }
}
