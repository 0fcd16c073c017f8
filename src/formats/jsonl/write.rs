//! A game as one line.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;

use serde::Serialize;

use crate::finding::Finding;
use crate::formats::{WriteError, WriteOptions};
use crate::game::{Game, GameTree};
use crate::record::NodeId;
use crate::text::Encoding;

#[derive(Serialize)]
struct Line<'g> {
    headers: Headers<'g>,
    initial_fen: String,
    moves: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    branches: Vec<Branch>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    assumed: BTreeMap<usize, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<Note<'g>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<Note<'g>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<Note<'g>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unplayed: &'g [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    result_token: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trailer: Option<&'g str>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
struct Headers<'g> {
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    red: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    red_team: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black_team: Option<&'g str>,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ecco: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotator: Option<&'g str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    other: &'g BTreeMap<String, String>,
}

#[derive(Serialize)]
struct Branch {
    after: usize,
    moves: Vec<String>,
}

#[derive(Serialize)]
struct Note<'g> {
    node: usize,
    text: &'g str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    before: bool,
}

pub(super) fn write(
    game: &Game,
    options: &WriteOptions,
    output: &mut dyn Write,
) -> Result<Vec<Finding>, WriteError> {
    if options.encoding.as_deref().is_some_and(|name| name.parse() != Ok(Encoding::Utf8)) {
        return Err(WriteError::Option("jsonl is written in utf-8 only".to_owned()));
    }
    let mut numbers = vec![0; game.tree.len() + 1];
    let (moves, branches, assumed) = lines(&game.tree, &mut numbers);
    let number = |node: NodeId| numbers.get(node.index()).copied().unwrap_or(0);
    let tree = &game.tree;
    let note = |node, text, before| Note { node: number(node), text, before };
    let headers = &game.headers;
    let line = Line {
        headers: Headers {
            event: headers.event.as_deref(),
            site: headers.site.as_deref(),
            date: headers.date.map(|date| date.to_string()),
            round: headers.round.as_deref(),
            red: headers.red.as_deref(),
            black: headers.black.as_deref(),
            red_team: headers.red_team.as_deref(),
            black_team: headers.black_team.as_deref(),
            result: headers.result.code(),
            ecco: headers.ecco.as_deref(),
            title: headers.title.as_deref(),
            annotator: headers.annotator.as_deref(),
            other: &headers.other,
        },
        initial_fen: game.start.fen(),
        moves,
        branches,
        assumed,
        remarks: tree.comments.iter().map(|c| note(c.node, &c.text, c.before)).collect(),
        glyphs: tree.glyphs.iter().map(|(node, text)| note(*node, text, false)).collect(),
        clocks: tree.clocks.iter().map(|clock| note(clock.node, &clock.text, false)).collect(),
        unplayed: &game.unplayed,
        result_token: game.result_token.as_deref(),
        trailer: game.trailer.as_deref(),
    };
    serde_json::to_writer(&mut *output, &line).map_err(std::io::Error::from)?;
    output.write_all(b"\n")?;
    Ok(Vec::new())
}

/// The main line and the branches; every node gets its number.
fn lines(
    tree: &GameTree,
    numbers: &mut [usize],
) -> (Vec<String>, Vec<Branch>, BTreeMap<usize, String>) {
    let mut next = 1;
    let mut assumed = BTreeMap::new();
    let mut branches = Vec::new();
    let mut main = Vec::new();
    let mut waiting: VecDeque<(NodeId, NodeId)> = VecDeque::new();
    let mut line: Option<(NodeId, Option<NodeId>)> = Some((NodeId::ROOT, None));
    while let Some((after, first)) = line {
        let mut moves = Vec::new();
        let mut node = first;
        if first.is_none() {
            node = follow(tree, after, &mut waiting);
        }
        while let Some(id) = node {
            let here = tree.node(id);
            if let Some(slot) = numbers.get_mut(id.index()) {
                *slot = next;
            }
            if let Some(mv) = here.assumed.filter(|_| here.mv.is_none()) {
                assumed.insert(next, mv.to_string());
            }
            moves.push(here.mv.map_or_else(|| "--".to_owned(), |mv| mv.to_string()));
            next += 1;
            node = follow(tree, id, &mut waiting);
        }
        if first.is_none() {
            main = moves;
        } else {
            branches.push((after, moves));
        }
        line = waiting.pop_front().map(|(after, first)| (after, Some(first)));
    }
    let number = |node: NodeId| numbers.get(node.index()).copied().unwrap_or(0);
    let branches =
        branches.into_iter().map(|(after, moves)| Branch { after: number(after), moves }).collect();
    (main, branches, assumed)
}

/// The continuation of a move; its variations wait for their turn.
fn follow(tree: &GameTree, id: NodeId, waiting: &mut VecDeque<(NodeId, NodeId)>) -> Option<NodeId> {
    let continuation = tree.continuation(id);
    waiting.extend(tree.children(id).filter(|c| Some(*c) != continuation).map(|c| (id, c)));
    continuation
}
