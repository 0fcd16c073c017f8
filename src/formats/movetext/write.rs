//! Writes the moves of a game as movetext: one round a line, variations in
//! parentheses, comments in braces.

use crate::board::{Color, Move, Position};
use crate::finding::{Code, Finding, Place, Severity};
use crate::formats::{WriteError, WriteOptions};
use crate::game::{Game, GameNode};
use crate::notation::{Notation, Script, Style, render, write_chinese};
use crate::record::NodeId;
use crate::text::Encoding;
use crate::text::width::width;

/// How moves are to be spelled and text to be stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// The notation of the moves.
    pub(crate) notation: Notation,
    style: Style,
    /// The encoding of the output.
    pub(crate) encoding: Encoding,
    /// Whether games stand before this one.
    continued: bool,
}

impl Manner {
    /// From the options of the caller.
    pub(crate) fn new(options: &WriteOptions, usual: Notation) -> Result<Manner, WriteError> {
        let wrong = |error: &dyn std::fmt::Display| WriteError::Option(error.to_string());
        let notation = options.notation.unwrap_or(usual);
        let encoding = match &options.encoding {
            Some(name) => name.parse::<Encoding>().map_err(|e| wrong(&e))?,
            None => Encoding::Utf8,
        };
        let mut style = match &options.style {
            Some(name) => name.parse::<Style>().map_err(|e| wrong(&e))?,
            None => Style::default(),
        };
        if encoding == Encoding::Big5 && style.script == Script::Simplified {
            // Big5 has no 马 车 进.
            style.script = Script::Traditional;
        }
        // Any move that every notation has words for: 炮二平五.
        let first: Option<Move> = "h2e2".parse().ok();
        if first.is_some_and(|mv| render(notation, mv, &Position::start(), style).is_none()) {
            return Err(WriteError::Option(format!("moves are not written in `{notation}`")));
        }
        Ok(Manner { notation, style, encoding, continued: options.continued })
    }

    /// Whether the words of the format should be Chinese.
    pub(crate) fn is_chinese(self) -> bool {
        matches!(self.notation, Notation::Chinese | Notation::Abbreviated)
    }

    /// Whether the characters should be traditional.
    pub(crate) fn is_traditional(self) -> bool {
        self.style.script != Script::Simplified
    }

    /// Appends a move; `--` for one that is not known. One that was only
    /// assumed is written too: without it the rest could not be played.
    pub(crate) fn spell(self, node: &GameNode, position: &Position, out: &mut String) {
        match node.mv.or(node.assumed) {
            None => out.push_str("--"),
            Some(mv) if self.notation == Notation::Chinese => {
                write_chinese(mv, position, out, self.style);
            }
            Some(mv) => match render(self.notation, mv, position, self.style) {
                Some(text) => out.push_str(&text),
                None => out.push_str(&mv.to_string()),
            },
        }
    }

    /// Text to bytes; what the encoding does not have is written as its number
    /// and is a finding for each character.
    pub(crate) fn encode(self, text: &str, findings: &mut Vec<Finding>) -> Vec<u8> {
        let (text, missing) = self.encoding.escaped(text);
        let encoded = self.encoding.encode(&text);
        let mut seen: Vec<(char, usize)> = Vec::new();
        for character in missing {
            match seen.iter_mut().find(|(c, _)| *c == character) {
                Some((_, count)) => *count += 1,
                None => seen.push((character, 1)),
            }
        }
        for (character, count) in seen {
            findings.push(
                Finding::new(Code::EncodingUnmappable, Place::WHOLE)
                    .text(character)
                    .param("encoding", self.encoding)
                    .param("code", format!("U+{:04X}", u32::from(character)))
                    .param("count", count),
            );
        }
        // Without the mark nobody would know it for text; before a later game it
        // would be a character of the text, and hide where the game begins.
        match self.encoding {
            Encoding::Utf16Le | Encoding::Utf16Be if !self.continued => {
                [self.encoding.bom(), &encoded.bytes].concat()
            }
            _ => encoded.bytes,
        }
    }
}

/// Half-moves of the lines that are written which were only assumed.
pub(crate) fn assumed(game: &Game, findings: &mut Vec<Finding>) {
    let nodes = game.tree.ids().map(|id| game.tree.node(id));
    let count = nodes.filter(|node| node.mv.is_none() && node.assumed.is_some()).count();
    if count > 0 {
        findings.push(not_written("assumed", count));
    }
}

/// Something that could not be written.
pub(crate) fn not_written(reason: &'static str, count: usize) -> Finding {
    Finding::new(Code::NotWritten, Place::WHOLE).reason(reason).param("count", count)
}

/// Lines longer than this are broken between moves.
const WIDTH: usize = 78;

enum Task {
    /// A move and the position before it.
    Move(NodeId, Position),
    /// A move that was made but could not be played; variations follow it.
    Unknown(NodeId, Position),
    /// The first move of a variation, and the position before it.
    Variation(NodeId, Position),
    Close,
}

/// Writes movetext.
pub(crate) struct Writer<'a> {
    game: &'a Game,
    manner: Manner,
    out: String,
    /// Columns of the line that is being written.
    column: usize,
    /// A number has to come before the next move, even one of Black.
    interrupted: bool,
    depth: usize,
    comments: Vec<usize>,
    glyphs: Vec<usize>,
    /// Characters of comments that the format could not hold.
    braces: usize,
}

impl<'a> Writer<'a> {
    /// For a game.
    pub(crate) fn new(game: &'a Game, manner: Manner) -> Writer<'a> {
        let tree = &game.tree;
        // By node, in the order in which they were written.
        let mut comments: Vec<usize> = (0..tree.comments.len()).collect();
        comments.sort_by_key(|i| tree.comments.get(*i).map(|c| (c.node, !c.before)));
        let mut glyphs: Vec<usize> = (0..tree.glyphs.len()).collect();
        glyphs.sort_by_key(|i| tree.glyphs.get(*i).map(|g| g.0));
        Writer {
            game,
            manner,
            out: String::with_capacity(32 * tree.len() + 256),
            column: 0,
            interrupted: false,
            depth: 0,
            comments,
            glyphs,
            braces: 0,
        }
    }

    /// The movetext with its result, ending in a line feed; and what could not
    /// be kept.
    pub(crate) fn run(mut self, findings: &mut Vec<Finding>) -> String {
        self.write_comments(NodeId::ROOT, false);
        let mut tasks = Vec::new();
        self.interrupted = true;
        self.follow(NodeId::ROOT, self.game.start.clone(), &mut tasks);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => {
                    self.out.push(')');
                    self.column += 1;
                    self.depth -= 1;
                    self.interrupted = true;
                }
                Task::Move(node, position) => self.write_move(node, position, &mut tasks),
                Task::Unknown(parent, position) => {
                    self.number(&position, "--");
                    self.variations(parent, None, &position, &mut tasks);
                }
                Task::Variation(node, position) => {
                    self.line_break();
                    self.out.push('(');
                    self.column = 1;
                    self.depth += 1;
                    self.interrupted = true;
                    self.write_move(node, position, &mut tasks);
                }
            }
        }
        self.write_unplayed(findings);
        self.line_break();
        self.out.push_str(self.game.headers.result.code());
        self.out.push('\n');
        if self.braces > 0 {
            findings.push(not_written("comment-brackets", self.braces));
        }
        self.out
    }

    /// The moves of the main line alone, a round a line.
    pub(crate) fn plain(mut self) -> String {
        let mut position = self.game.start.clone();
        self.interrupted = true;
        for node in self.game.tree.main_line() {
            let entry = self.game.tree.node(node);
            let mut word = String::with_capacity(24);
            self.manner.spell(entry, &position, &mut word);
            self.number(&position, &word);
            self.write_glyphs(node);
            entry.play_on(&mut position);
        }
        self.line_break();
        self.out
    }

    fn write_move(&mut self, node: NodeId, position: Position, tasks: &mut Vec<Task>) {
        let game = self.game;
        let entry = game.tree.node(node);
        self.write_comments(node, true);
        let mut word = String::with_capacity(24);
        self.manner.spell(entry, &position, &mut word);
        self.number(&position, &word);
        self.write_glyphs(node);
        self.write_comments(node, false);
        let mut after = position.clone();
        entry.play_on(&mut after);
        self.follow(node, after, tasks);
        // The alternatives stand behind the move of the main line.
        let parent = game.tree.parent(node).unwrap_or(NodeId::ROOT);
        if game.tree.continuation(parent) == Some(node) {
            self.variations(parent, Some(node), &position, tasks);
        }
    }

    /// What comes after a move.
    fn follow(&self, node: NodeId, after: Position, tasks: &mut Vec<Task>) {
        let tree = &self.game.tree;
        match tree.continuation(node) {
            Some(next) => tasks.push(Task::Move(next, after)),
            None if tree.children(node).next().is_some() => {
                tasks.push(Task::Unknown(node, after));
            }
            None => {}
        }
    }

    /// The variations of the move `main` after `parent`.
    fn variations(
        &self,
        parent: NodeId,
        main: Option<NodeId>,
        position: &Position,
        tasks: &mut Vec<Task>,
    ) {
        let children = self.game.tree.children(parent);
        let others: Vec<NodeId> = children.filter(|child| Some(*child) != main).collect();
        for other in others.into_iter().rev() {
            tasks.push(Task::Close);
            tasks.push(Task::Variation(other, position.clone()));
        }
    }

    /// Writes a move with its number where it needs one.
    fn number(&mut self, position: &Position, word: &str) {
        let red = position.side() == Color::Red;
        let interrupted = std::mem::take(&mut self.interrupted);
        if !red && !interrupted {
            return self.put(word);
        }
        if self.depth == 0 {
            self.line_break();
        }
        let dots = if red { "" } else { " ..." };
        self.put(&format!("{}.{dots} {word}", position.round()));
    }

    /// Adds a word, on a new line when this one is full.
    fn put(&mut self, word: &str) {
        let columns = width(word);
        if self.column > 0 && !self.out.ends_with('(') {
            if self.column + 1 + columns > WIDTH {
                self.line_break();
            } else {
                self.out.push(' ');
                self.column += 1;
            }
        }
        self.out.push_str(word);
        self.column += columns;
    }

    fn line_break(&mut self) {
        if self.column > 0 {
            self.out.push('\n');
            self.column = 0;
        }
    }

    fn write_glyphs(&mut self, node: NodeId) {
        let game = self.game;
        let glyphs = game.tree.glyphs.as_slice();
        let from = self.glyphs.partition_point(|i| glyphs.get(*i).is_some_and(|g| g.0 < node));
        for i in self.glyphs.get(from..).unwrap_or_default() {
            let Some((of, glyph)) = glyphs.get(*i).filter(|g| g.0 == node) else { break };
            debug_assert_eq!(*of, node);
            if glyph.starts_with('$') {
                self.out.push(' ');
                self.column += 1;
            }
            self.out.push_str(glyph);
            self.column += width(glyph);
        }
    }

    fn write_comments(&mut self, node: NodeId, before: bool) {
        let game = self.game;
        let comments = game.tree.comments.as_slice();
        let from = self.comments.partition_point(|i| {
            comments.get(*i).is_some_and(|c| (c.node, !c.before) < (node, !before))
        });
        let own: Vec<&str> = self
            .comments
            .get(from..)
            .unwrap_or_default()
            .iter()
            .map_while(|i| comments.get(*i).filter(|c| c.node == node && c.before == before))
            .map(|comment| comment.text.as_str())
            .collect();
        for text in own {
            self.write_comment(text);
        }
    }

    /// A comment stands as it is; only what would end it is changed.
    fn write_comment(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let body = text.replace('}', "｝").replace("\n[", "\n [");
        self.braces += text.matches('}').count() + text.matches("\n[").count();
        let word = format!("{{{body}}}");
        match word.rsplit_once('\n') {
            None => self.put(&word),
            Some((_, last)) => {
                if self.column > 0 && !self.out.ends_with('(') {
                    self.out.push(' ');
                }
                self.out.push_str(&word);
                self.column = width(last);
            }
        }
        self.interrupted = true;
    }

    /// Words of the record that could not be played stay readable as a
    /// comment.
    fn write_unplayed(&mut self, findings: &mut Vec<Finding>) {
        let unplayed = &self.game.unplayed;
        if unplayed.is_empty() {
            return;
        }
        self.write_comment(&unplayed.join(" "));
        findings.push(not_written("unplayed-moves", unplayed.len()).severity(Severity::Note));
    }
}
