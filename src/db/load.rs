//! A stored game back as it was.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row};

use super::error::{DbError, Result, corrupt};
use super::index::GameId;
use super::lines::{decode_line, result_of, start_of};
use super::moves::HalfMove;
use super::params::OwnedParams;
use super::text::interned;
use crate::board::{Color, Move};
use crate::finding::{Code, Finding, Place, Severity, SourcePoint};
use crate::game::{Game, GameTree, Headers, LaxDate, Outcome, OutcomeKind, Winner};
use crate::record::{Clock, Comment, FormatId, NodeId, Origin};

/// Name and place of the file a game came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRow {
    /// The run that brought it.
    pub run: i64,
    /// Id of the source.
    pub id: i64,
    /// Path as it was given to `import`.
    pub path: String,
    /// SHA-256 in hexadecimal digits.
    pub sha256: Option<String>,
    /// Length in bytes.
    pub bytes: Option<u64>,
    /// Name of the format; `None` when no format knew it.
    pub format: Option<String>,
    /// Number of games.
    pub games: u64,
}

/// Reads a game whole.
pub(crate) fn game(connection: &Connection, id: GameId) -> Result<Option<Game>> {
    let mut select = connection.prepare_cached(
        "SELECT game.*, source.format,
             CASE WHEN game.version IS NULL THEN source.version
                  ELSE nullif(game.version, '') END AS own_version,
             CASE WHEN game.encoding IS NULL THEN source.encoding
                  ELSE nullif(game.encoding, '') END AS own_encoding,
             CASE WHEN game.notation IS NULL THEN source.notation
                  ELSE nullif(game.notation, '') END AS own_notation,
             event.name AS event, site.name AS site, red.name AS red, black.name AS black,
             red_team.name AS red_team, black_team.name AS black_team
         FROM game
         JOIN source ON source.id = game.source_id
         LEFT JOIN event ON event.id = game.event_id
         LEFT JOIN site ON site.id = game.site_id
         LEFT JOIN player AS red ON red.id = game.red_id
         LEFT JOIN player AS black ON black.id = game.black_id
         LEFT JOIN team AS red_team ON red_team.id = game.red_team_id
         LEFT JOIN team AS black_team ON black_team.id = game.black_team_id
         WHERE game.id = ?",
    )?;
    let Some(mut game) = select.query_row([id], |row| Ok(whole(row))).optional()?.transpose()?
    else {
        return Ok(None);
    };
    add_variations(connection, id, &mut game.tree)?;
    add_remarks(connection, id, &mut game.tree)?;
    game.findings = findings(connection, "game_id = ?", id)?;
    Ok(Some(game))
}

/// Everything that stands in the row itself. The tree holds the main line.
fn whole(row: &Row<'_>) -> Result<Game> {
    let text = |name: &str| row.get::<_, Option<String>>(name);
    let start = start_of(text("start_fen")?.as_deref())?;
    let moves = row.get_ref("moves")?.as_blob().map_err(DbError::from_sql)?;
    let mut tree = GameTree::with_capacity(moves.len());
    let mut last = NodeId::ROOT;
    decode_line(&start, row.get("coding")?, moves, |half| last = add(&mut tree, last, half))?;
    let other = text("other")?.map_or_else(|| Ok(BTreeMap::new()), |json| parsed(&json))?;
    let unplayed = text("unplayed")?.map_or_else(|| Ok(Vec::new()), |json| parsed(&json))?;
    let headers = Headers {
        event: text("event")?,
        site: text("site")?,
        date: text("date")?.map(|date| date_of(&date)).transpose()?,
        round: text("round")?,
        red: text("red")?,
        black: text("black")?,
        red_team: text("red_team")?,
        black_team: text("black_team")?,
        result: result_of(&row.get::<_, String>("result")?)?,
        ecco: text("ecco")?,
        title: text("title")?,
        annotator: text("annotator")?,
        other,
    };
    let origin = Origin {
        format: FormatId(text("format")?.map_or("", |name| interned(&name))),
        version: text("own_version")?,
        encoding: text("own_encoding")?.map(|name| interned(&name)),
        game: row.get("number")?,
        line: row.get("line")?,
        offset: row.get::<_, i64>("offset")? as u64,
        ..Origin::default()
    };
    let outcome = Outcome {
        kind: text("outcome")?.map_or(Ok(OutcomeKind::None), |name| outcome_kind(&name))?,
        winner: text("winner")?.map(|name| winner(&name)).transpose()?,
        article: text("article")?.map(|name| interned(&name)),
    };
    let notation = text("own_notation")?
        .map(|name| name.parse().map_err(|error| corrupt(format!("{error}"))))
        .transpose()?;
    let result_token = match text("result_token")? {
        None => Some(headers.result.code().to_owned()),
        Some(none) if none.is_empty() => None,
        token => token,
    };
    Ok(Game {
        origin,
        notation,
        headers,
        start,
        tree,
        outcome,
        findings: Vec::new(),
        unplayed,
        result_token,
        trailer: text("trailer")?,
    })
}

fn add(tree: &mut GameTree, parent: NodeId, half: HalfMove) -> NodeId {
    match half {
        HalfMove::Known(mv) => tree.add(parent, Some(mv)),
        HalfMove::Assumed(mv) => tree.add_unknown(parent, Some(mv)),
        HalfMove::Unknown => tree.add_unknown(parent, None),
    }
}

fn parsed<T: serde::de::DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| corrupt(format!("JSON of a game: {error}")))
}

fn date_of(text: &str) -> Result<LaxDate> {
    let bad = || corrupt(format!("the date `{text}`"));
    let mut parts = text.split('-');
    let year = parts.next().and_then(|part| part.parse().ok()).ok_or_else(bad)?;
    let mut small = || parts.next().map(str::parse).transpose().map_err(|_| bad());
    Ok(LaxDate { year, month: small()?, day: small()? })
}

fn move_of(text: &str) -> Result<Move> {
    text.parse().map_err(|_| corrupt(format!("the move `{text}`")))
}

fn outcome_kind(name: &str) -> Result<OutcomeKind> {
    use OutcomeKind::{Checkmate, Insufficient, NaturalLimit, Repetition, Stalemate};
    [Checkmate, Stalemate, Repetition, NaturalLimit, Insufficient]
        .into_iter()
        .find(|kind| kind.name() == name)
        .ok_or_else(|| corrupt(format!("the outcome `{name}`")))
}

fn winner(name: &str) -> Result<Winner> {
    Ok(match name {
        "red" => Winner::Side(Color::Red),
        "black" => Winner::Side(Color::Black),
        "draw" => Winner::Draw,
        other => return Err(corrupt(format!("the winner `{other}`"))),
    })
}

/// Puts the variations into a tree that holds the main line. Nodes keep their
/// numbers: those without a row are the main line, in order.
fn add_variations(connection: &Connection, id: GameId, tree: &mut GameTree) -> Result<()> {
    let mut select = connection.prepare_cached(
        "SELECT node, parent, move, assumed, varies FROM variation WHERE game_id = ? ORDER BY node",
    )?;
    let mut rows = select.query([id])?;
    let Some(mut row) = rows.next()? else { return Ok(()) };
    let line: Vec<HalfMove> = tree.main_line().map(|node| HalfMove::of(tree.node(node))).collect();
    let mut main = line.into_iter();
    let mut whole = GameTree::default();
    let mut last_main = NodeId::ROOT;
    loop {
        let number = row.get::<_, u32>(0)? as usize;
        while whole.len() + 1 < number {
            let half = main.next().ok_or_else(|| corrupt("a variation's number"))?;
            last_main = add(&mut whole, last_main, half);
        }
        let parent = row.get::<_, u32>(1)? as usize;
        if number != whole.len() + 1 || parent >= number {
            return Err(corrupt("a variation's number"));
        }
        let mv = row.get_ref(2)?.as_str().map_err(DbError::from_sql)?;
        let assumed = row.get_ref(3)?.as_str_or_null().map_err(DbError::from_sql)?;
        let half = match (mv, assumed) {
            ("--", None) => HalfMove::Unknown,
            ("--", Some(assumed)) => HalfMove::Assumed(move_of(assumed)?),
            (mv, _) => HalfMove::Known(move_of(mv)?),
        };
        let parent = NodeId::from_index(parent);
        let node = add(&mut whole, parent, half);
        if row.get(4)? && whole.children(parent).next() == Some(node) {
            whole.mark_variation(node);
        }
        match rows.next()? {
            Some(next) => row = next,
            None => break,
        }
    }
    for half in main {
        last_main = add(&mut whole, last_main, half);
    }
    *tree = whole;
    Ok(())
}

fn add_remarks(connection: &Connection, id: GameId, tree: &mut GameTree) -> Result<()> {
    let moves = tree.len();
    let node = |index: u32| {
        (index as usize <= moves)
            .then(|| NodeId::from_index(index as usize))
            .ok_or_else(|| corrupt("a remark's move"))
    };
    let mut select = connection
        .prepare_cached("SELECT node, before, text FROM comment WHERE game_id = ? ORDER BY seq")?;
    let mut rows = select.query([id])?;
    while let Some(row) = rows.next()? {
        let node = node(row.get(0)?)?;
        tree.comments.push(Comment { node, before: row.get(1)?, text: row.get(2)? });
    }
    let mut select =
        connection.prepare_cached("SELECT node, text FROM clock WHERE game_id = ? ORDER BY seq")?;
    let mut rows = select.query([id])?;
    while let Some(row) = rows.next()? {
        tree.clocks.push(Clock { node: node(row.get(0)?)?, text: row.get(1)? });
    }
    let mut select =
        connection.prepare_cached("SELECT node, text FROM glyph WHERE game_id = ? ORDER BY seq")?;
    let mut rows = select.query([id])?;
    while let Some(row) = rows.next()? {
        tree.glyphs.push((node(row.get(0)?)?, row.get(1)?));
    }
    Ok(())
}

/// The findings of a game or source, in their order.
pub(crate) fn findings(
    connection: &Connection,
    condition: &'static str,
    id: i64,
) -> Result<Vec<Finding>> {
    let mut select = connection.prepare_cached(&format!(
        "SELECT code, severity, reason, ply, node, line, \"column\", offset, text, params, article,
             candidates, confidence
         FROM finding WHERE {condition} ORDER BY id"
    ))?;
    let mut rows = select.query([id])?;
    let mut findings = Vec::new();
    while let Some(row) = rows.next()? {
        findings.push(finding(row)?);
    }
    Ok(findings)
}

fn finding(row: &Row<'_>) -> Result<Finding> {
    let text = |index: usize| row.get::<_, Option<String>>(index);
    let fixed = |index: usize| -> Result<Option<&'static str>> {
        Ok(text(index)?.map(|name| interned(&name)))
    };
    let code: String = row.get(0)?;
    let code: Code = code.parse().map_err(|error| corrupt(format!("{error}")))?;
    let severity: String = row.get(1)?;
    let severity = [Severity::Note, Severity::Warning, Severity::Error]
        .into_iter()
        .find(|known| known.name() == severity)
        .ok_or_else(|| corrupt(format!("the severity `{severity}`")))?;
    let source = match row.get::<_, Option<i64>>(7)? {
        Some(offset) => {
            Some(SourcePoint { offset: offset as u64, line: row.get(5)?, column: row.get(6)? })
        }
        None => None,
    };
    let candidates = text(11)?.map_or_else(
        || Ok(Vec::new()),
        |list| list.split(' ').map(move_of).collect::<Result<Vec<Move>>>(),
    )?;
    let params = text(9)?
        .map_or_else(|| Ok(Vec::new()), |json| parsed::<OwnedParams>(&json).map(|list| list.0))?;
    Ok(Finding {
        code,
        severity,
        reason: fixed(2)?,
        place: Place { source, ply: row.get(3)?, node: row.get(4)? },
        text: row.get(8)?,
        params,
        article: fixed(10)?,
        candidates,
        confidence: row.get(12)?,
    })
}
