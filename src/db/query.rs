//! Finding games.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::curation::{Named, matching};
use super::error::Result;
use super::index::{GameId, PositionIndex};
use super::lines::LineReader;
use super::load;
use super::pattern::{self, Pattern};
use super::search;
use super::side_lines;
use super::walk::Walk;
use crate::board::Position;
use crate::finding::Code;
use crate::game::GameResult;
use crate::record::NodeId;

/// What games should be like. Every field that is set has to match.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Part of a name of either player, in any script or spelling (pinyin,
    /// too); all names of the people who have such a name count.
    pub player: Option<String>,
    /// The same of the player of the red pieces.
    pub red: Option<String>,
    /// The same of the player of the black pieces.
    pub black: Option<String>,
    /// Part of the name of the event, in either script.
    pub event: Option<String>,
    /// First year.
    pub from_year: Option<u16>,
    /// Last year.
    pub to_year: Option<u16>,
    /// The recorded result.
    pub result: Option<GameResult>,
    /// Opening code of the moves, or how it begins.
    pub ecco: Option<String>,
    /// A finding of this kind.
    pub finding: Option<Code>,
    /// Text in a comment, a name or another header field, in either script.
    pub text: Option<String>,
    /// A position on the main line.
    pub position: Option<Position>,
    /// What stood on the board, and how it came, on the main line.
    pub pattern: Option<Pattern>,
    /// The left-right mirror image of the position will do, too.
    pub mirror: bool,
    /// It does not matter whose turn it is in the position.
    pub any_side: bool,
    /// Look for the position on variations, too. These are replayed; there is
    /// no index of them.
    pub variations: bool,
    /// Replay every game rather than ask the position index; the answers are
    /// the same.
    pub no_index: bool,
    /// Also games that are linked to an earlier copy. Always so when `finding`
    /// or `text` is set, because those look at records, not at games.
    pub duplicates: bool,
}

impl Query {
    /// Whether nothing but the position is asked for.
    pub(crate) fn has_filters(&self) -> bool {
        self.player.is_some()
            || self.red.is_some()
            || self.black.is_some()
            || self.event.is_some()
            || self.from_year.is_some()
            || self.to_year.is_some()
            || self.result.is_some()
            || self.ecco.is_some()
            || self.finding.is_some()
            || self.text.is_some()
    }

    fn with_duplicates(&self) -> bool {
        self.duplicates || self.finding.is_some() || self.text.is_some()
    }

    /// The position and the images that will do.
    fn images(&self) -> Vec<Position> {
        let Some(position) = &self.position else { return Vec::new() };
        let mut images = vec![position.clone()];
        let mut add = |image: Position| {
            if !images.contains(&image) {
                images.push(image);
            }
        };
        let mut turned = position.clone();
        turned.set_side(position.side().other());
        if self.mirror {
            add(position.mirrored());
        }
        if self.any_side {
            if self.mirror {
                add(turned.mirrored());
            }
            add(turned);
        }
        images
    }
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// Its id.
    pub id: GameId,
    /// Path of its file as it was given to `import`.
    pub path: String,
    /// Its number in the file, from 1.
    pub number: u32,
    /// 红方
    pub red: Option<String>,
    /// 黑方
    pub black: Option<String>,
    /// 赛事
    pub event: Option<String>,
    /// ISO 8601, as far as it is known.
    pub date: Option<String>,
    /// 轮次
    pub round: Option<String>,
    /// 结果
    pub result: GameResult,
    /// Opening code as the file has it.
    pub ecco: Option<String>,
    /// Opening code of the moves.
    pub opening: Option<String>,
    /// 棋谱标题
    pub title: Option<String>,
    /// Half-moves of the main line.
    pub plies: u32,
    /// Findings of severity `error`.
    pub errors: u32,
    /// The earlier copy it is linked to.
    pub duplicate_of: Option<GameId>,
    /// Half-moves played when the wanted position first stood on the board.
    pub ply: Option<u32>,
}

/// Finds games, by id; `each` may stop.
pub(crate) fn find(
    connection: &Connection,
    index: &dyn PositionIndex,
    query: &Query,
    each: &mut dyn FnMut(GameRow) -> ControlFlow<()>,
) -> Result<()> {
    let images: Vec<Walk> = query.images().iter().map(Walk::of).collect();
    let ids = find_ids(connection, index, query)?;
    let mut select = connection.prepare_cached(
        "SELECT id, path, number, red, black, event, date, round, result, ecco, title, plies,
             errors, duplicate_of, opening FROM game_view WHERE id = ?",
    )?;
    let mut lines = LineReader::new(connection)?;
    for id in ids {
        let mut row = select.query_row([id], |row| Ok(game_row(row)))??;
        if !images.is_empty() {
            row.ply = first_ply(connection, &mut lines, &row, &images, query.variations)?;
        } else if let Some(asked) = &query.pattern {
            row.ply = pattern::first_ply(connection, asked, id)?;
        }
        if each(row).is_break() {
            return Ok(());
        }
    }
    Ok(())
}

/// Half-moves before one of the positions stood on the board, on the main line
/// where it did.
fn first_ply(
    connection: &Connection,
    lines: &mut LineReader<'_>,
    row: &GameRow,
    images: &[Walk],
    variations: bool,
) -> Result<Option<u32>> {
    // A copy has the moves of the game it is linked to.
    let mut first = None;
    if let Some(stored) = lines.counted(row.duplicate_of.unwrap_or(row.id))? {
        for image in images {
            let ply = stored.reach(image)?.map(|reached| reached.ply);
            first = first.into_iter().chain(ply).min();
        }
    }
    if first.is_none() && variations {
        first = variations_reach(connection, row.id, images)?;
    }
    Ok(first)
}

/// The lowest depth at which a game's tree reaches one of the positions.
fn variations_reach(connection: &Connection, game: GameId, images: &[Walk]) -> Result<Option<u32>> {
    let Some(game) = load::game(connection, game)? else { return Ok(None) };
    // Each node with its depth; no board after a half-move that is not known.
    let mut nodes = vec![(0, Some(Walk::of(&game.start)))];
    let mut first = None;
    for id in game.tree.ids() {
        let parent = game.tree.parent(id).map_or(0, NodeId::index);
        let Some((depth, board)) = nodes.get(parent).cloned() else { continue };
        let board = board.zip(game.tree.node(id).mv).map(|(mut board, mv)| {
            board.make(mv);
            board
        });
        if board.as_ref().is_some_and(|board| images.contains(board)) {
            first = first.into_iter().chain([depth + 1]).min();
        }
        nodes.push((depth + 1, board));
    }
    Ok(first)
}

fn game_row(row: &Row<'_>) -> Result<GameRow> {
    Ok(GameRow {
        id: row.get(0)?,
        path: row.get(1)?,
        number: row.get(2)?,
        red: row.get(3)?,
        black: row.get(4)?,
        event: row.get(5)?,
        date: row.get(6)?,
        round: row.get(7)?,
        result: super::lines::result_of(&row.get::<_, String>(8)?)?,
        ecco: row.get(9)?,
        title: row.get(10)?,
        plies: row.get(11)?,
        errors: row.get(12)?,
        duplicate_of: row.get(13)?,
        opening: row.get(14)?,
        ply: None,
    })
}

/// With this many games at a position it is quicker to read all games that
/// match the filters than to look at each.
pub(crate) const FEW: usize = 4096;

/// The ids of the games that match, ascending.
pub(crate) fn find_ids(
    connection: &Connection,
    index: &dyn PositionIndex,
    query: &Query,
) -> Result<Vec<GameId>> {
    match &query.pattern {
        None => find_without_pattern(connection, index, query),
        Some(asked) if query.position.is_none() && !query.has_filters() => {
            pattern::scan(connection, asked, query.with_duplicates())
        }
        Some(asked) => {
            let ids = find_without_pattern(connection, index, query)?;
            pattern::retain(connection, asked, &ids)
        }
    }
}

fn find_without_pattern(
    connection: &Connection,
    index: &dyn PositionIndex,
    query: &Query,
) -> Result<Vec<GameId>> {
    let images = query.images();
    if images.is_empty() {
        return filtered(connection, query);
    }
    let mut ids = Vec::new();
    for image in &images {
        ids.extend(index.games_at(image)?);
    }
    if query.variations {
        let images: Vec<Walk> = images.iter().map(Walk::of).collect();
        side_lines::each(connection, &mut |game, _, board| {
            if ids.last() != Some(&game) && images.contains(board) {
                ids.push(game);
            }
        })?;
    }
    ids.sort_unstable();
    ids.dedup();
    if query.with_duplicates() {
        add_copies(connection, &mut ids)?;
    }
    if !query.has_filters() {
        return Ok(ids);
    }
    if ids.len() > FEW {
        let wanted = filtered(connection, query)?;
        ids.retain(|id| wanted.binary_search(id).is_ok());
        return Ok(ids);
    }
    let (condition, mut values) = conditions(connection, query)?;
    values.push(Value::Null);
    let mut select =
        connection.prepare_cached(&format!("SELECT 1 FROM game WHERE {condition} AND id = ?"))?;
    let mut matching = Vec::with_capacity(ids.len());
    for id in ids {
        if let Some(last) = values.last_mut() {
            *last = Value::from(id);
        }
        if select.exists(params_from_iter(&values))? {
            matching.push(id);
        }
    }
    Ok(matching)
}

/// Adds the games that are linked to these.
fn add_copies(connection: &Connection, ids: &mut Vec<GameId>) -> Result<()> {
    let mut select = connection.prepare_cached(
        "SELECT id, duplicate_of FROM game WHERE duplicate_of IS NOT NULL ORDER BY duplicate_of",
    )?;
    let mut rows = select.query([])?;
    let originals = ids.len();
    while let Some(row) = rows.next()? {
        let (copy, original): (GameId, GameId) = (row.get(0)?, row.get(1)?);
        if ids[..originals].binary_search(&original).is_ok() {
            ids.push(copy);
        }
    }
    ids.sort_unstable();
    Ok(())
}

/// The games that match everything but the position, ascending.
fn filtered(connection: &Connection, query: &Query) -> Result<Vec<GameId>> {
    let (condition, values) = conditions(connection, query)?;
    let mut select =
        connection.prepare_cached(&format!("SELECT id FROM game WHERE {condition} ORDER BY id"))?;
    let ids = select.query_map(params_from_iter(values), |row| row.get(0))?;
    Ok(ids.collect::<rusqlite::Result<Vec<GameId>>>()?)
}

/// Everything but the position as a condition on `game`, with its values.
pub(crate) fn conditions(connection: &Connection, query: &Query) -> Result<(String, Vec<Value>)> {
    let mut conditions: Vec<String> = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    let mut add = |condition: String, value: Option<Value>| {
        if let Some(value) = value {
            let holes = condition.matches('?').count();
            values.extend(std::iter::repeat_n(value, holes));
        }
        conditions.push(condition);
    };
    let names =
        |named, name: &str| Ok::<_, super::DbError>(among(matching(connection, named, name)?));
    if let Some(name) = &query.player {
        let people = names(Named::Player, name)?;
        add(format!("(red_id IN ({people}) OR black_id IN ({people}))"), None);
    }
    for (column, named, name) in [
        ("red_id", Named::Player, &query.red),
        ("black_id", Named::Player, &query.black),
        ("event_id", Named::Event, &query.event),
    ] {
        if let Some(name) = name {
            add(format!("{column} IN ({})", names(named, name)?), None);
        }
    }
    if let Some(year) = query.from_year {
        add("year >= ?".to_owned(), Some(Value::from(i64::from(year))));
    }
    if let Some(year) = query.to_year {
        add("year <= ?".to_owned(), Some(Value::from(i64::from(year))));
    }
    if let Some(result) = query.result {
        add("result = ?".to_owned(), Some(Value::from(result.code().to_owned())));
    }
    if let Some(code) = &query.ecco {
        let code = code.trim().to_uppercase();
        add("opening >= ?".to_owned(), Some(Value::from(code.clone())));
        add("opening < ?".to_owned(), Some(Value::from(format!("{code}~"))));
    }
    if let Some(code) = query.finding {
        add(
            "id IN (SELECT game_id FROM finding WHERE code = ?)".to_owned(),
            Some(Value::from(code.name().to_owned())),
        );
    }
    if let Some(text) = &query.text {
        let ids = search::games(connection, text)?;
        let ids = Value::from(serde_json::to_string(&ids).unwrap_or_default());
        add("id IN (SELECT value FROM json_each(?))".to_owned(), Some(ids));
    }
    if !query.with_duplicates() {
        conditions.push("duplicate_of IS NULL".to_owned());
    }
    let all = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" AND ") };
    Ok((all, values))
}

/// Ids as SQL lists them.
fn among(ids: BTreeSet<i64>) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}
