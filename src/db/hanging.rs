//! Rows that hang on a game: variations, comments, clocks, glyphs and findings.

use rusqlite::{CachedStatement, Connection, params};

use super::error::Result;
use super::index::GameId;
use super::pack::PackedGame;
use super::params::Params;
use super::writer::SourceId;
use crate::finding::Finding;
use crate::game::GameNode;
use crate::record::NodeId;

/// Inserts these rows.
pub(crate) struct HangingRows<'c> {
    finding: CachedStatement<'c>,
    variation: CachedStatement<'c>,
    comment: CachedStatement<'c>,
    clock: CachedStatement<'c>,
    glyph: CachedStatement<'c>,
}

impl<'c> HangingRows<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Result<HangingRows<'c>> {
        Ok(HangingRows {
            finding: connection.prepare_cached(
                "INSERT INTO finding (source_id, game_id, code, severity, reason, ply, node, line,
                     \"column\", offset, text, params, article, candidates, confidence)
                 VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            )?,
            variation: connection.prepare_cached(
                "INSERT INTO variation (game_id, node, parent, ply, move, assumed, varies)
                 VALUES (?,?,?,?,?,?,?)",
            )?,
            comment: connection.prepare_cached(
                "INSERT INTO comment (game_id, seq, node, ply, before, text)
                 VALUES (?,?,?,?,?,?)",
            )?,
            clock: connection.prepare_cached(
                "INSERT INTO clock (game_id, seq, node, ply, text) VALUES (?,?,?,?,?)",
            )?,
            glyph: connection.prepare_cached(
                "INSERT INTO glyph (game_id, seq, node, ply, text) VALUES (?,?,?,?,?)",
            )?,
        })
    }

    /// Variations, comments, clocks and glyphs.
    pub(crate) fn add_tree(&mut self, game: GameId, packed: &PackedGame) -> Result<()> {
        let tree = &packed.game.tree;
        let depth = |node: NodeId| packed.depths.get(node.index()).copied().unwrap_or(0);
        let index = |node: NodeId| node.index() as i64;
        if tree.len() > packed.plies as usize {
            let mut main_line = tree.main_line().peekable();
            for node in tree.ids() {
                if main_line.next_if_eq(&node).is_some() {
                    continue;
                }
                let parent = tree.parent(node).unwrap_or(NodeId::ROOT);
                let varies = tree.continuation(parent) != Some(node);
                let GameNode { mv, assumed, .. } = tree.node(node);
                self.variation.execute(params![
                    game,
                    index(node),
                    index(parent),
                    depth(node),
                    mv.map_or_else(|| "--".to_owned(), |mv| mv.to_string()),
                    assumed.map(|mv| mv.to_string()),
                    varies
                ])?;
            }
        }
        for (seq, comment) in tree.comments.iter().enumerate() {
            let node = comment.node;
            self.comment.execute(params![
                game,
                seq as i64,
                index(node),
                depth(node),
                comment.before,
                comment.text
            ])?;
        }
        for (seq, clock) in tree.clocks.iter().enumerate() {
            let node = clock.node;
            self.clock.execute(params![game, seq as i64, index(node), depth(node), clock.text])?;
        }
        for (seq, (node, text)) in tree.glyphs.iter().enumerate() {
            self.glyph.execute(params![game, seq as i64, index(*node), depth(*node), text])?;
        }
        Ok(())
    }

    /// A finding of a game, or of its file as a whole.
    pub(crate) fn add_finding(
        &mut self,
        source: SourceId,
        game: Option<GameId>,
        finding: &Finding,
    ) -> Result<()> {
        let point = finding.place.source;
        let params = (!finding.params.is_empty())
            .then(|| serde_json::to_string(&Params(&finding.params)).ok())
            .flatten();
        let candidates = (!finding.candidates.is_empty()).then(|| {
            finding.candidates.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        });
        self.finding.execute(params![
            source,
            game,
            finding.code.name(),
            finding.severity.name(),
            finding.reason,
            finding.place.ply,
            finding.place.node,
            point.map(|point| point.line),
            point.map(|point| point.column),
            point.map(|point| point.offset as i64),
            finding.text,
            params,
            finding.article,
            candidates,
            finding.confidence,
        ])?;
        Ok(())
    }
}
