//! What the writers of formats with fixed fields and stored trees share: which
//! header goes where, one comment for each move, the tree depth first, and a
//! list of what the format cannot carry.

use std::fmt::Write as _;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::movetext::not_written;
use super::{WriteError, WriteOptions};
use crate::board::{Move, Position};
use crate::finding::{Code, Finding, Place};
use crate::game::Game;
use crate::record::NodeId;
use crate::text::Encoding;

/// A header field under its common name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    Event,
    Site,
    Date,
    Round,
    Red,
    Black,
    RedTeam,
    BlackTeam,
    Ecco,
    Title,
    Annotator,
}

impl Known {
    const ALL: [Known; 11] = [
        Known::Event,
        Known::Site,
        Known::Date,
        Known::Round,
        Known::Red,
        Known::Black,
        Known::RedTeam,
        Known::BlackTeam,
        Known::Ecco,
        Known::Title,
        Known::Annotator,
    ];

    const fn name(self) -> &'static str {
        match self {
            Known::Event => "event",
            Known::Site => "site",
            Known::Date => "date",
            Known::Round => "round",
            Known::Red => "red",
            Known::Black => "black",
            Known::RedTeam => "red_team",
            Known::BlackTeam => "black_team",
            Known::Ecco => "ecco",
            Known::Title => "title",
            Known::Annotator => "annotator",
        }
    }
}

/// A record of a stored tree: the move, and whether a reply and an alternative
/// follow. The first one is the start position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub node: NodeId,
    /// The squares; of an illegal move too. Absent at the start position.
    pub mv: Option<Move>,
    pub child: bool,
    pub sibling: bool,
}

/// A game on its way out.
#[derive(Debug)]
pub(crate) struct Outgoing<'g> {
    pub game: &'g Game,
    used: BTreeSet<&'g str>,
    taken: BTreeSet<Known>,
    pub findings: Vec<Finding>,
}

impl<'g> Outgoing<'g> {
    pub(crate) fn new(game: &'g Game) -> Outgoing<'g> {
        let tag = game.headers.other.get_key_value("Game");
        let tag = tag.filter(|(name, value)| is_game_tag(name, value));
        let used = tag.map(|(name, _)| name.as_str()).into_iter().collect();
        Outgoing { game, used, taken: BTreeSet::new(), findings: Vec::new() }
    }

    /// The value of a common field. Where the file said more than the common
    /// form keeps, as dates do, its own words are given.
    pub(crate) fn known(&mut self, known: Known) -> Option<String> {
        self.taken.insert(known);
        let headers = &self.game.headers;
        let plain = |field: &Option<String>| field.clone();
        match known {
            Known::Event => plain(&headers.event),
            Known::Site => plain(&headers.site),
            Known::Round => plain(&headers.round),
            Known::Red => plain(&headers.red),
            Known::Black => plain(&headers.black),
            Known::RedTeam => plain(&headers.red_team),
            Known::BlackTeam => plain(&headers.black_team),
            Known::Title => plain(&headers.title),
            Known::Annotator => plain(&headers.annotator),
            Known::Ecco => self.own("open").or_else(|| plain(&headers.ecco)),
            Known::Date => self.own("date").or_else(|| headers.date.map(|date| date.to_string())),
        }
    }

    /// The value of any other field, whatever case and prefix a format gives
    /// its name.
    pub(crate) fn own(&mut self, key: &str) -> Option<String> {
        let (name, value) = self
            .game
            .headers
            .other
            .iter()
            .find(|(name, _)| bare(name).eq_ignore_ascii_case(key))?;
        self.used.insert(name);
        Some(value.clone())
    }

    /// Other fields that were not taken yet, which takes them.
    pub(crate) fn rest(&mut self) -> Vec<(&'g str, &'g str)> {
        let rest: Vec<_> = self
            .game
            .headers
            .other
            .iter()
            .filter(|(name, _)| !self.used.contains(name.as_str()))
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        self.used.extend(rest.iter().map(|(name, _)| *name));
        rest
    }

    /// One text for each move and for the start position. The format has one
    /// place, so what stands before a first move goes to the position before
    /// it, what stands before a variation in front of its own comment, and
    /// several comments are joined by line ends.
    pub(crate) fn remarks(&mut self) -> HashMap<NodeId, String> {
        let tree = &self.game.tree;
        let mut before: HashMap<NodeId, Vec<&str>> = HashMap::new();
        let mut after: HashMap<NodeId, Vec<&str>> = HashMap::new();
        let mut moved = 0;
        let mut joined = 0;
        for comment in &tree.comments {
            let parent = tree.parent(comment.node);
            let first = parent.is_some_and(|p| tree.children(p).next() == Some(comment.node));
            match parent.filter(|_| comment.before) {
                Some(parent) if first => after.entry(parent).or_default().push(&comment.text),
                Some(_) => before.entry(comment.node).or_default().push(&comment.text),
                None => after.entry(comment.node).or_default().push(&comment.text),
            }
            moved += usize::from(comment.before && parent.is_some());
        }
        for (node, texts) in after {
            before.entry(node).or_default().extend(texts);
        }
        let remarks = before
            .into_iter()
            .map(|(node, texts)| {
                joined += texts.len() - 1;
                (node, texts.join("\n"))
            })
            .collect();
        self.lose("comment-place", moved);
        self.lose("comments-joined", joined);
        remarks
    }

    /// The tree, depth first: a move, all that follows it, then the next
    /// alternative. A half-move of which the squares are not known ends its
    /// line.
    pub(crate) fn steps(&mut self) -> Vec<Step> {
        let tree = &self.game.tree;
        let squares = |id: NodeId| {
            let node = tree.node(id);
            node.mv.or(node.assumed)
        };
        let assumed = tree.ids().filter(|id| tree.node(*id).mv.is_none()).count();
        let mut gaps = 0;
        let mut steps = Vec::with_capacity(tree.len() + 1);
        let mut stack = vec![(NodeId::ROOT, false)];
        while let Some((node, sibling)) = stack.pop() {
            let begin = stack.len();
            for child in tree.children(node) {
                if squares(child).is_some() {
                    if let Some((_, sibling)) = stack.get_mut(begin..).and_then(<[_]>::last_mut) {
                        *sibling = true;
                    }
                    stack.push((child, false));
                } else {
                    gaps += 1;
                }
            }
            let child = stack.len() > begin;
            if let Some(children) = stack.get_mut(begin..) {
                children.reverse();
            }
            steps.push(Step { node, mv: squares(node), child, sibling });
        }
        self.lose("gaps", gaps);
        self.lose("assumed", assumed.saturating_sub(gaps));
        steps
    }

    /// Says that some things of a kind are not written.
    pub(crate) fn lose(&mut self, reason: &'static str, count: usize) {
        if count > 0 {
            self.findings.push(not_written(reason, count));
        }
    }

    /// What the format has no place for. `counters` tells whether it carries
    /// the counters of the start position.
    pub(crate) fn finish(mut self, counters: bool) -> Vec<Finding> {
        let headers = &self.game.headers;
        let mut names = Vec::new();
        for known in Known::ALL {
            if !self.taken.contains(&known) {
                let filled = match known {
                    Known::Event => headers.event.is_some(),
                    Known::Site => headers.site.is_some(),
                    Known::Date => headers.date.is_some(),
                    Known::Round => headers.round.is_some(),
                    Known::Red => headers.red.is_some(),
                    Known::Black => headers.black.is_some(),
                    Known::RedTeam => headers.red_team.is_some(),
                    Known::BlackTeam => headers.black_team.is_some(),
                    Known::Ecco => headers.ecco.is_some(),
                    Known::Title => headers.title.is_some(),
                    Known::Annotator => headers.annotator.is_some(),
                };
                if filled {
                    names.push(known.name().to_owned());
                }
            }
        }
        let others = headers.other.keys().filter(|name| !self.used.contains(name.as_str()));
        names.extend(others.cloned());
        if !names.is_empty() {
            self.findings
                .push(not_written("headers", names.len()).param("fields", names.join(", ")));
        }
        self.lose("glyphs", self.game.tree.glyphs.len());
        self.lose("clocks", self.game.tree.clocks.len());
        self.lose("unplayed", self.game.unplayed.len());
        if self.game.start.quiet_plies() > 0 && !counters {
            self.lose("quiet-plies", 1);
        }
        self.findings
    }
}

/// A name without the prefix of DhtmlXQ.
fn bare(name: &str) -> &str {
    match name.get(..8) {
        Some(prefix) if prefix.eq_ignore_ascii_case("DhtmlXQ_") => name.get(8..).unwrap_or(name),
        _ => name,
    }
}

/// Whether a header is the tag by which PGN says which game it is. It says
/// nothing elsewhere; with any other value it does.
pub(crate) fn is_game_tag(name: &str, value: &str) -> bool {
    name == "Game" && value == "Chinese Chess"
}

/// Refuses a style where the format has none.
///
/// # Errors
/// When a style is asked for.
pub(crate) fn no_style(options: &WriteOptions, format: &str) -> Result<(), WriteError> {
    match &options.style {
        None => Ok(()),
        Some(style) => Err(WriteError::Option(format!("{format} has no style `{style}`"))),
    }
}

/// The encoding of the options, or the format's own.
pub(crate) fn encoding(options: &WriteOptions, own: Encoding) -> Result<Encoding, WriteError> {
    match &options.encoding {
        Some(name) => name.parse().map_err(|error| WriteError::Option(format!("{error}"))),
        None => Ok(own),
    }
}

/// Encodes texts and remembers the characters that the encoding lacks. They
/// are written as numeric entities, which no other text looks like.
#[derive(Debug)]
pub(crate) struct Encoder {
    encoding: Encoding,
    missing: BTreeMap<char, usize>,
}

impl Encoder {
    pub(crate) fn new(encoding: Encoding) -> Encoder {
        Encoder { encoding, missing: BTreeMap::new() }
    }

    /// The text as bytes, with line ends as asked for.
    pub(crate) fn encode(&mut self, text: &str, line_end: &str) -> Vec<u8> {
        self.encode_within(text, line_end, usize::MAX).0
    }

    /// As [`Encoder::encode`], up to a number of bytes, cut between
    /// characters; what was cut off comes back too.
    pub(crate) fn encode_within<'t>(
        &mut self,
        text: &'t str,
        line_end: &str,
        room: usize,
    ) -> (Vec<u8>, &'t str) {
        let mut kept = String::with_capacity(text.len());
        let mut length = 0;
        let mut end = text.len();
        for (at, c) in text.char_indices() {
            let mark = kept.len();
            match c {
                '\n' => kept.push_str(line_end),
                '\r' | '\0' => {}
                c if self.encoding.len(c).is_some() => kept.push(c),
                c => {
                    let _ = write!(kept, "&#{};", u32::from(c));
                    *self.missing.entry(c).or_default() += 1;
                }
            }
            length += kept
                .get(mark..)
                .unwrap_or("")
                .chars()
                .map(|c| self.encoding.len(c).unwrap_or(0))
                .sum::<usize>();
            if length > room {
                kept.truncate(mark);
                end = at;
                break;
            }
        }
        (self.encoding.encode(&kept).bytes, text.get(end..).unwrap_or(""))
    }

    /// The characters that were missing.
    pub(crate) fn findings(self, into: &mut Vec<Finding>) {
        for (character, count) in self.missing {
            into.push(
                Finding::new(Code::EncodingUnmappable, Place::WHOLE)
                    .text(character)
                    .param("encoding", self.encoding)
                    .param("code", format_args!("U+{:04X}", u32::from(character)))
                    .param("count", count),
            );
        }
    }
}

/// The 32 squares of a start position in the order of
/// [`super::common::MEN`]; `None` for a piece that is not on the board.
///
/// # Errors
/// When there are more pieces of a kind than the format has places for.
pub(crate) fn men(position: &Position) -> Result<[Option<crate::board::Square>; 32], WriteError> {
    let mut squares = [None; 32];
    for color in crate::board::Color::ALL {
        for kind in crate::board::PieceKind::ALL {
            let piece = crate::board::Piece::new(color, kind);
            let mut slots = (0..32).filter(|slot| super::common::MEN[*slot] == piece);
            for square in position.pieces(color, kind) {
                let Some(slot) = slots.next() else {
                    return Err(WriteError::Option(format!(
                        "the format has no room for so many pieces `{}`",
                        piece.letter()
                    )));
                };
                squares[slot] = Some(square);
            }
        }
    }
    Ok(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_characters_and_never_loses_silently() {
        let mut encoder = Encoder::new(Encoding::Big5);
        assert_eq!(encoder.encode_within("紅方", "\r\n", 3).1, "方");
        assert_eq!(encoder.encode("a\nb", "\r\n"), b"a\r\nb");
        assert_eq!(encoder.encode("车", "\n"), b"&#36710;");
        let mut findings = Vec::new();
        encoder.findings(&mut findings);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].text, "车");
    }

    #[test]
    fn a_third_chariot_is_refused() {
        let position = Position::parse_fen("R3k4/9/9/9/9/9/9/9/9/R3K3R w").unwrap().start;
        assert!(men(&position).is_err());
        let start = men(&Position::start()).unwrap();
        assert!(start.iter().all(Option::is_some));
    }
}
