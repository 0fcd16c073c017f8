//! The database: what goes in comes out, and every way of asking agrees.

#[path = "../benches/common/made.rs"]
mod made;

mod common;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use made::Random;
use proptest::prelude::*;
use qipu::board::{Color, Move, Position, Square};
use qipu::db::{
    Database, PackedGame, PositionIndex, Query, RunCounts, RunState, SourceEnd, Stored,
};
use qipu::finding::{Code, Finding, Place, SourcePoint};
use qipu::game::{Game, GameResult, GameTree, Headers, LaxDate, Outcome, OutcomeKind, Winner};
use qipu::record::{Clock, FormatId, NodeId, Origin};

#[test]
fn position_keys_are_pinned() {
    // Computed by a second implementation, from docs/position-key.md.
    let mut rows = 0;
    for row in include_str!("data/position-keys.tsv").lines().skip(1) {
        let field: Vec<&str> = row.split('\t').collect();
        let position =
            Position::from_canonical_fen(&format!("{} {} - - 0 1", field[0], field[1])).unwrap();
        assert_eq!(position.key().to_string(), field[2], "{row}");
        rows += 1;
    }
    assert!(rows > 90);
}

fn game_of(line: &[Option<Move>]) -> Game {
    let mut tree = GameTree::with_capacity(line.len());
    let mut last = NodeId::ROOT;
    for mv in line {
        last = tree.add(last, *mv);
    }
    Game {
        origin: Origin { format: FormatId("pgn"), game: 1, ..Origin::default() },
        headers: Headers::default(),
        notation: None,
        start: Position::start(),
        tree,
        outcome: Outcome::default(),
        findings: Vec::new(),
        unplayed: Vec::new(),
        result_token: None,
        trailer: None,
    }
}

fn line(text: &str) -> Vec<Option<Move>> {
    text.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// Puts games into a fresh database, as one file.
fn database_of(games: impl IntoIterator<Item = Game>) -> (Database, Vec<Stored>) {
    let db = Database::in_memory().unwrap();
    let run = db.begin_run("{}").unwrap();
    let mut writer = db.writer(run).unwrap();
    let stored = add_file(&mut writer, "a.pgn", games);
    writer.commit().unwrap();
    drop(writer);
    db.end_run(run, RunState::Finished, &RunCounts::default()).unwrap();
    (db, stored)
}

fn add_file(
    writer: &mut qipu::db::Writer<'_>,
    path: &str,
    games: impl IntoIterator<Item = Game>,
) -> Vec<Stored> {
    writer.begin_source(path).unwrap();
    let stored: Vec<Stored> =
        games.into_iter().map(|game| writer.add_game(&PackedGame::new(game)).unwrap()).collect();
    let end = SourceEnd { sha256: path, bytes: 1, format: Some("pgn"), findings: &[] };
    writer.end_source(&end).unwrap();
    stored
}

fn assert_same(a: &Game, b: &Game) {
    assert_eq!(a.headers, b.headers);
    assert_eq!(a.start, b.start);
    assert_eq!(a.start.fen(), b.start.fen());
    assert_eq!(a.tree, b.tree);
    assert_eq!(a.outcome, b.outcome);
    assert_eq!(a.findings, b.findings);
    assert_eq!(a.unplayed, b.unplayed);
    assert_eq!(a.notation, b.notation);
    assert_eq!(a.result_token, b.result_token);
    assert_eq!(a.trailer, b.trailer);
    assert_eq!(a.origin.format, b.origin.format);
    assert_eq!(a.origin.version, b.origin.version);
    assert_eq!(a.origin.encoding, b.origin.encoding);
    assert_eq!(a.origin.game, b.origin.game);
    assert_eq!(a.origin.line, b.origin.line);
    assert_eq!(a.origin.offset, b.origin.offset);
}

/// A game with something in every field.
fn rich_game() -> Game {
    let mut game = game_of(&line("h2e2 h9g7 -- i9h9"));
    game.origin.version = Some("18".into());
    game.origin.encoding = Some("gb18030");
    game.origin.line = Some(12);
    game.origin.offset = 345;
    let after_first = NodeId::from_index(1);
    let mut deep = game.tree.add(after_first, Some("b9c7".parse().unwrap()));
    deep = game.tree.add_unknown(deep, Some("h2h5".parse().unwrap()));
    game.tree.add(deep, Some("a9b9".parse().unwrap()));
    let end = game.tree.main_line().last().unwrap();
    let end = game.tree.add_unknown(end, Some("c3c4".parse().unwrap()));
    let instead = game.tree.add(end, Some("g6g5".parse().unwrap()));
    game.tree.mark_variation(instead);
    let other = game.tree.add(NodeId::ROOT, Some("b2e2".parse().unwrap()));
    game.tree.comment(NodeId::ROOT, true, "开局之前");
    game.tree.comment(other, false, "也可以\n{这样} \"走\"");
    game.tree.comment(other, true, "");
    game.tree.clocks.push(Clock { node: after_first, text: "0:07".into() });
    game.tree.glyphs.push((deep, "!?".into()));
    game.headers = Headers {
        event: Some("全国赛".into()),
        site: Some("广州".into()),
        date: Some(LaxDate { year: 1956, month: Some(12), day: None }),
        round: Some("3".into()),
        red: Some("甲".into()),
        black: Some("乙".into()),
        red_team: Some("上海".into()),
        black_team: None,
        result: GameResult::Draw,
        ecco: Some("C20".into()),
        title: Some("名局".into()),
        annotator: Some("丙".into()),
        other: BTreeMap::from([("Opening".into(), "中炮 \"对\" 屏风马".into())]),
    };
    game.start.set_counters(7, 31);
    game.outcome = Outcome {
        kind: OutcomeKind::Repetition,
        winner: Some(Winner::Side(Color::Black)),
        article: Some("26.4"),
    };
    let point = SourcePoint { offset: 131, line: 4, column: 9 };
    let mut finding = Finding::new(Code::IllegalMove, Place::at(point).ply(13))
        .reason("horse-leg")
        .text("馬8進6")
        .param("zeta", 1)
        .param("alpha", "马")
        .candidates(["h9g7".parse().unwrap(), "h9i7".parse().unwrap()]);
    finding.confidence = Some(0.25);
    game.findings = vec![finding, Finding::new(Code::ResultMissing, Place::WHOLE)];
    game.notation = Some(qipu::notation::Notation::Wxf);
    game.result_token = Some("红胜".into());
    game.trailer = Some("广告".into());
    game.unplayed = vec!["馬8進6".into(), "???".into()];
    game
}

#[test]
fn a_game_comes_back_whole() {
    let first = rich_game();
    let mut second = rich_game();
    second.origin.game = 2;
    second.origin.version = None;
    second.origin.encoding = Some("big5");
    second.notation = None;
    second.result_token = Some("1/2-1/2".into());
    second.headers.date = Some(LaxDate { year: 1957, month: None, day: None });
    let (db, stored) = database_of([first.clone(), second.clone()]);
    for (game, stored) in [&first, &second].into_iter().zip(stored) {
        let back = db.game(stored.game).unwrap().expect("it is there");
        assert_same(game, &back);
    }
    assert_eq!(db.game(99).unwrap().map(|game| game.unplayed), None);
    assert_eq!(db.problems().unwrap(), Vec::<String>::new());
}

#[test]
fn a_board_upside_down_comes_back_as_it_was() {
    let mut game = game_of(&[]);
    game.start = Position::empty();
    let red = Position::start().piece_at(Square::at(4, 0).unwrap()).unwrap();
    let black = Position::start().piece_at(Square::at(4, 9).unwrap()).unwrap();
    game.start.put(Square::at(4, 9).unwrap(), red);
    game.start.put(Square::at(3, 0).unwrap(), black);
    let (db, stored) = database_of([game.clone()]);
    assert_same(&game, &db.game(stored[0].game).unwrap().unwrap());
}

fn with_players(mut game: Game, red: &str, black: &str, year: u16) -> Game {
    game.headers.red = Some(red.into());
    game.headers.black = Some(black.into());
    game.headers.date = Some(LaxDate { year, month: None, day: None });
    game
}

fn ids(db: &Database, query: &Query) -> Vec<i64> {
    let mut ids = Vec::new();
    db.find(query, &mut |row| {
        ids.push(row.id);
        ControlFlow::Continue(())
    })
    .unwrap();
    ids
}

#[test]
fn copies_are_kept_and_linked_and_counted_once() {
    let moves = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7";
    let base = || with_players(game_of(&line(moves)), "红方", "黑方", 2001);
    let other_players = with_players(game_of(&line(moves)), "另一红方", "另一黑方", 2010);
    let shorter = with_players(game_of(&line(&moves[..39])), "红方", "黑方", 2001);
    let mut other_round = base();
    other_round.headers.round = Some("4".into());
    let (db, stored) = database_of([
        base(),
        base(),
        shorter,
        other_players,
        other_round,
        game_of(&[]),
        game_of(&[]),
    ]);
    let links: Vec<Option<i64>> = stored.iter().map(|stored| stored.duplicate_of).collect();
    // Ten half-moves are a short line: another round is another game.
    assert_eq!(links, [None, Some(1), None, None, None, None, None]);
    let findings = db.game(2).unwrap().unwrap().findings;
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].code, Code::DuplicateGame);
    let start = Query { position: Some(Position::start()), ..Query::default() };
    assert_eq!(ids(&db, &start), [1, 3, 4, 5, 6, 7]);
    assert_eq!(ids(&db, &Query { duplicates: true, ..start }), [1, 2, 3, 4, 5, 6, 7]);
    let copies = Query { finding: Some(Code::DuplicateGame), ..Query::default() };
    assert_eq!(ids(&db, &copies), [2]);
    assert_eq!(db.openings(&Position::start(), &Query::default()).unwrap().games, 6);
    let stats = db.stats().unwrap();
    assert_eq!((stats.games, stats.duplicates), (7, 1));
}

/// The number of games is the same as before, and all of them wait for the
/// index as before; but they are others.
#[test]
fn copies_of_games_that_took_the_place_of_others_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let dbs = [Database::create(&path).unwrap(), Database::create(&path).unwrap()];
    let games = made_up(7, 2);
    let runs = [0, 1].map(|who: usize| dbs[who].begin_run("{}").unwrap());
    let mut writer = dbs[0].writer(runs[0]).unwrap();
    add_file(&mut writer, "a.pgn", [games[0].clone()]);
    writer.commit().unwrap();
    dbs[1].undo_run(runs[0]).unwrap();
    let mut other = dbs[1].writer(runs[1]).unwrap();
    add_file(&mut other, "b.pgn", [games[1].clone()]);
    other.commit().unwrap();
    drop(other);
    let stored = add_file(&mut writer, "c.pgn", [games[1].clone(), games[0].clone()]);
    let links: Vec<Option<i64>> = stored.iter().map(|stored| stored.duplicate_of).collect();
    assert_eq!(links, [Some(1), None]);
    writer.finish().unwrap();
    assert_eq!(dbs[0].problems().unwrap(), Vec::<String>::new());
}

#[test]
fn filters_match_what_they_say() {
    let mut one = with_players(game_of(&line("h2e2 h9g7")), "胡荣华", "杨官璘", 1960);
    one.headers.result = GameResult::RedWins;
    one.headers.event = Some("全国象棋赛".into());
    one.headers.ecco = Some("C20".into());
    let mut two = with_players(game_of(&line("b2e2 b9c7")), "杨官璘", "胡荣华", 1962);
    two.headers.result = GameResult::Draw;
    two.tree.comment(NodeId::from_index(1), false, "此着 100% 有力");
    two.findings.push(Finding::new(Code::ResultMismatch, Place::WHOLE));
    let (db, _) = database_of([one, two]);
    let all = Query::default();
    let text = |text: &str| Some(text.to_owned());
    for (query, expected) in [
        (all.clone(), vec![1, 2]),
        (Query { player: text("荣华"), ..all.clone() }, vec![1, 2]),
        (Query { red: text("荣华"), ..all.clone() }, vec![1]),
        (Query { black: text("胡荣华"), ..all.clone() }, vec![2]),
        (Query { event: text("全国"), ..all.clone() }, vec![1]),
        (Query { from_year: Some(1961), ..all.clone() }, vec![2]),
        (Query { to_year: Some(1961), ..all.clone() }, vec![1]),
        (Query { result: Some(GameResult::Draw), ..all.clone() }, vec![2]),
        // By the moves, whatever the tag says; the other wing is the same.
        (Query { ecco: text("B0"), ..all.clone() }, vec![1, 2]),
        (Query { ecco: text("b05"), ..all.clone() }, vec![1, 2]),
        (Query { ecco: text("C2"), ..all.clone() }, vec![]),
        (Query { ecco: text("_2"), ..all.clone() }, vec![]),
        (Query { finding: Some(Code::ResultMismatch), ..all.clone() }, vec![2]),
        (Query { text: text("100%"), ..all.clone() }, vec![2]),
        (Query { text: text("官璘"), ..all.clone() }, vec![1, 2]),
        (Query { text: text("没有"), ..all.clone() }, vec![]),
    ] {
        assert_eq!(ids(&db, &query), expected, "{query:?}");
    }
}

#[test]
fn a_mirror_image_is_found_when_asked_for() {
    // R27: the same position by another order, mirrored, and a tempo short.
    let target: Position =
        "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1"
            .parse()
            .unwrap();
    let games = [
        game_of(&line("h2e2 h9g7 h0g2 b9c7")),
        game_of(&line("h0g2 b9c7 h2e2 h9g7")),
        game_of(&line("b2e2 b9c7 b0c2 h9g7")),
        game_of(&line("h2e2 h9g7 e2e4 b9c7 e4e2")),
    ];
    let (db, _) = database_of(games);
    let query = Query { position: Some(target.clone()), ..Query::default() };
    assert_eq!(ids(&db, &query), [1, 2]);
    let mirror = Query { mirror: true, ..query.clone() };
    assert_eq!(ids(&db, &mirror), [1, 2, 3]);
    let root = Query { mirror: true, ..Query::default() };
    let tree = db.openings(&Position::start(), &root).unwrap();
    assert_eq!(tree.games, 4);
    let moves: Vec<(String, u64)> =
        tree.moves.iter().map(|stats| (stats.mv.to_string(), stats.games)).collect();
    assert_eq!(moves, [("h2e2".to_owned(), 3), ("h0g2".to_owned(), 1)]);
    let any_side = Query { any_side: true, ..query };
    assert_eq!(ids(&db, &any_side), [1, 2]);
}

#[test]
fn what_is_not_committed_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let db = Database::create(&path).unwrap();
    let run = db.begin_run("{}").unwrap();
    let mut writer = db.writer(run).unwrap();
    add_file(&mut writer, "kept.pgn", [with_players(game_of(&line("h2e2")), "甲", "乙", 1956)]);
    writer.commit().unwrap();
    add_file(&mut writer, "lost.pgn", [with_players(game_of(&line("b2e2")), "丙", "丁", 1956)]);
    writer.rollback().unwrap();
    add_file(&mut writer, "last.pgn", [with_players(game_of(&line("c3c4")), "丙", "丁", 1956)]);
    writer.commit().unwrap();
    drop(writer);
    db.close().unwrap();
    let db = Database::open(&path).unwrap();
    let mut paths = Vec::new();
    db.find(&Query::default(), &mut |row| {
        paths.push((row.id, row.path, row.red));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(
        paths,
        [
            (1, "kept.pgn".to_owned(), Some("甲".to_owned())),
            (2, "last.pgn".to_owned(), Some("丙".to_owned()))
        ]
    );
    assert_eq!(db.problems().unwrap(), Vec::<String>::new());
}

#[test]
fn files_of_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = folder.path().join("other.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    let error = Database::create(&foreign).unwrap_err();
    assert!(error.to_string().contains("another program"), "{error}");
    let junk = folder.path().join("junk.db");
    std::fs::write(&junk, "not a database at all, but long enough to be looked at".repeat(40))
        .unwrap();
    let error = Database::open(&junk).unwrap_err();
    assert!(error.to_string().contains("another program"), "{error}");
    let error = Database::open(&folder.path().join("none.db")).unwrap_err();
    assert!(error.to_string().contains("there is no database"), "{error}");
}

#[test]
fn the_schema_page_names_every_column_and_its_questions_work() {
    let page = include_str!("../docs/schema.md");
    let mut games: Vec<Game> = vec![rich_game()];
    for (red, black, result) in [
        ("甲", "乙", GameResult::RedWins),
        ("乙", "甲", GameResult::BlackWins),
        ("甲", "乙", GameResult::Draw),
    ] {
        let mut game = with_players(game_of(&line("h2e2 h9g7 h0g2")), red, black, 1956);
        game.headers.result = result;
        game.headers.round = Some(games.len().to_string());
        games.push(game);
    }
    let (db, _) = database_of(games);
    let connection = db.connection();
    let mut columns = connection
        .prepare(
            "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
             WHERE m.type = 'table'",
        )
        .unwrap();
    let columns = columns
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        .unwrap();
    for column in columns {
        let (table, column) = column.unwrap();
        assert!(page.contains(&format!("**`{table}`**")), "{table} is not on the page");
        assert!(page.contains(&format!("`{column}`")), "{table}.{column} is not on the page");
    }
    let questions: Vec<&str> =
        page.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(questions.len(), 10);
    for question in &questions {
        let mut statement = connection.prepare(question).unwrap();
        let rows = statement.query_map([], |_| Ok(())).unwrap();
        assert!(rows.count() < 100, "{question}");
    }
    // 甲 won with either colour and drew twice, 乙 the other way round.
    let mut statement = connection.prepare(questions[0]).unwrap();
    let points: BTreeMap<String, f64> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(2)?)))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    assert_eq!(points, BTreeMap::from([("甲".to_owned(), 3.0), ("乙".to_owned(), 1.0)]));
}

/// Games with a shared beginning, some with a gap, a set-up start or a copy.
fn made_up(seed: u64, games: usize) -> Vec<Game> {
    let mut random = Random::new(seed);
    let mut list: Vec<Game> = Vec::new();
    for _ in 0..games {
        if random.below(10) == 0 && !list.is_empty() {
            list.push(list[random.below(list.len())].clone());
            continue;
        }
        let mut line: Vec<Option<Move>> =
            made::moves(&mut random, 24).into_iter().map(Some).collect();
        if random.below(8) == 0 {
            let at = random.below(line.len());
            line.truncate(at);
            line.push(None);
        }
        let mut game = game_of(&line);
        if random.below(12) == 0 {
            // The same moves from a start with Black's pawn gone.
            game.start.take(Square::at(0, 6).unwrap());
            game.tree = GameTree::default();
        }
        game.headers.result =
            [GameResult::RedWins, GameResult::Draw, GameResult::BlackWins, GameResult::Unknown]
                [random.below(4)];
        if random.below(3) > 0 {
            let year = 1950 + random.below(20) as u16;
            game.headers.date = Some(LaxDate { year, month: None, day: None });
        }
        game.headers.red = Some(format!("棋手{}", random.below(5)));
        for name in ["RedElo", "BlackElo"] {
            if random.below(3) == 0 {
                let rating = 2000 + random.below(600);
                game.headers.other.insert(name.into(), rating.to_string());
            }
        }
        list.push(game);
    }
    list
}

/// One or two filters of those that `made_up` games can meet.
fn some_filter(random: &mut Random) -> Query {
    let mut query = Query { mirror: random.below(3) == 0, ..Query::default() };
    for _ in 0..=random.below(2) {
        match random.below(6) {
            0 => query.red = Some(format!("棋手{}", random.below(5))),
            1 => query.player = Some("手2".into()),
            2 => query.from_year = Some(1950 + random.below(20) as u16),
            3 => query.to_year = Some(1950 + random.below(20) as u16),
            4 => query.result = Some(GameResult::Draw),
            _ => query.any_side = true,
        }
    }
    query
}

#[test]
fn openings_are_counted_by_code() {
    let mut won = game_of(&line("h2e2 h9g7"));
    won.headers.result = GameResult::RedWins;
    let mut drawn = game_of(&line("b2e2 b9c7"));
    drawn.headers.result = GameResult::Draw;
    let (db, _) = database_of([won, drawn, game_of(&line("h2i2"))]);
    let codes = db.opening_codes(&Query::default()).unwrap();
    let seen: Vec<(&str, u64, Option<f64>)> =
        codes.iter().map(|code| (code.code.as_str(), code.games, code.score())).collect();
    assert_eq!(seen, [("A03", 1, None), ("B05", 2, Some(0.75))]);
}

#[test]
fn a_novelty_is_where_a_game_left_the_earlier_ones() {
    let (db, _) = database_of([
        with_players(game_of(&line("h2e2 h9g7 h0g2 i9h9")), "甲", "乙", 1960),
        with_players(game_of(&line("h2e2 h9g7 h0g2 b9c7")), "丙", "丁", 1950),
        // The same board by another order of moves.
        with_players(game_of(&line("h0g2 h9g7 h2e2 i9h9 i0h0")), "戊", "己", 1970),
        with_players(game_of(&line("h2e2 h9g7")), "庚", "辛", 1980),
    ]);
    let novelty = |id| db.novelty(id).unwrap().map(|novelty| (novelty.ply, novelty.mv.to_string()));
    // The second game is the earliest of all.
    assert_eq!(novelty(2), Some((1, "h2e2".to_owned())));
    assert_eq!(novelty(1), Some((4, "i9h9".to_owned())));
    assert_eq!(novelty(3), Some((1, "h0g2".to_owned())));
    assert_eq!(novelty(4), None);
    assert_eq!(novelty(99), None);
}

#[test]
fn what_stood_on_a_variation_of_an_earlier_game_is_not_new() {
    // 1961 was played what a remark on the game of 1960 had shown.
    let mut shown = game_of(&line("h2e2 h9g7 h0g2 i9h9"));
    let second = shown.tree.main_line().nth(1).expect("four half-moves");
    let mut last = shown.tree.parent(second).expect("a parent");
    for word in ["b9c7", "b0c2", "--", "a0a1"] {
        last = match word.parse() {
            Ok(mv) => shown.tree.add(last, Some(mv)),
            Err(_) => shown.tree.add_unknown(last, None),
        };
    }
    let (db, _) = database_of([
        with_players(shown, "甲", "乙", 1960),
        with_players(game_of(&line("h2e2 b9c7 b0c2 i9i8 a0a1")), "丙", "丁", 1961),
        with_players(game_of(&line("b0c2 b9c7 h2e2")), "戊", "己", 1950),
    ]);
    let side_lines = db.side_lines().unwrap();
    let ply = |id| {
        let beside = db.novelty_beside(id, &side_lines).unwrap();
        (db.novelty(id).unwrap().map(|new| new.ply), beside.map(|new| new.ply))
    };
    // Without variations 马2进3 is new in 1961: the board after 马八进七 had been
    // there in 1950 by other moves, but not the one before it.
    assert_eq!(ply(2), (Some(2), Some(4)));
    // A later game makes nothing known.
    assert_eq!(ply(3), (Some(1), Some(1)));
    assert_eq!(ply(1), (Some(1), Some(1)));
}

#[test]
fn many_small_imports_leave_few_segments() {
    let db = Database::in_memory().unwrap();
    let run = db.begin_run("{}").unwrap();
    let mut writer = db.writer(run).unwrap();
    let list = made_up(7, 200);
    for (i, game) in list.into_iter().enumerate() {
        add_file(&mut writer, &format!("{i}.pgn"), [game]);
        writer.finish().unwrap();
    }
    drop(writer);
    let segments: i64 =
        db.connection().query_row("SELECT count(*) FROM segment", [], |row| row.get(0)).unwrap();
    assert!((1..=8).contains(&segments), "{segments}");
    assert_eq!(db.problems().unwrap(), Vec::<String>::new());
    assert_eq!(
        db.index().tree_at(&Position::start()).unwrap(),
        db.scan().tree_at(&Position::start()).unwrap()
    );
}

#[test]
fn r27_finds_what_was_expected() {
    let Some(path) = common::shared("cases/reports/R27-position-search-transposition-mirror.pgn")
    else {
        return;
    };
    let db = imported(&path);
    let position: Position =
        "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w".parse().unwrap();
    let exact = Query { position: Some(position), ..Query::default() };
    let found = |query: &Query| {
        let mut found = Vec::new();
        db.find(query, &mut |row| {
            found.push((row.event.unwrap_or_default(), row.ply.unwrap_or(0)));
            ControlFlow::Continue(())
        })
        .unwrap();
        found
    };
    let hits = |list: &[(&str, u32)]| -> Vec<(String, u32)> {
        list.iter().map(|(event, ply)| ((*event).to_owned(), *ply)).collect()
    };
    let main = [("甲", 4), ("乙", 4), ("丙", 8)];
    for no_index in [false, true] {
        let exact = Query { no_index, ..exact.clone() };
        assert_eq!(found(&exact), hits(&main));
        let mirror = Query { mirror: true, ..exact.clone() };
        assert_eq!(found(&mirror), hits(&[main[0], main[1], main[2], ("丁镜像", 4)]));
        let board = Query { any_side: true, ..exact.clone() };
        assert_eq!(found(&board), hits(&[main[0], main[1], main[2], ("戊差一先", 5)]));
        let variations = Query { variations: true, ..exact.clone() };
        assert_eq!(found(&variations), hits(&[main[0], main[1], main[2], ("庚变着", 4)]));
    }
}

/// A fresh database of one file.
fn imported(path: &std::path::Path) -> Database {
    let db = Database::in_memory().unwrap();
    let entries = std::iter::once(Ok(qipu::import::Entry::file(path)));
    let options = qipu::import::ImportOptions::default();
    let stop = std::sync::atomic::AtomicBool::new(false);
    qipu::import::import(&db, entries, &options, &mut (), &stop).unwrap();
    db
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn the_index_answers_as_the_scan_does(seed: u64, games in 1usize..120, cut in 1usize..20) {
        let list = made_up(seed, games);
        let db = Database::in_memory().unwrap();
        let run = db.begin_run("{}").unwrap();
        let mut writer = db.writer(run).unwrap();
        // Several segments, put together once in a while.
        for (i, part) in list.chunks(games.div_ceil(cut)).enumerate() {
            add_file(&mut writer, &format!("{i}.pgn"), part.iter().cloned());
            if i % 3 == 0 {
                writer.finish().unwrap();
            } else {
                // Its games wait for their segment.
                writer.commit().unwrap();
            }
        }
        drop(writer);
        prop_assert_eq!(db.problems().unwrap(), Vec::<String>::new());
        let mut random = Random::new(seed ^ 1);
        for _ in 0..40 {
            let game = &list[random.below(list.len())];
            let mut position = game.start.clone();
            let stop = random.below(20);
            for mv in game.main_line().take(stop).map_while(|mv| mv) {
                position.make(mv);
            }
            prop_assert_eq!(
                db.index().games_at(&position).unwrap(), db.scan().games_at(&position).unwrap());
            prop_assert_eq!(
                db.index().tree_at(&position).unwrap(), db.scan().tree_at(&position).unwrap());
            let filter = some_filter(&mut random);
            let by_scan = Query { no_index: true, ..filter.clone() };
            let filtered = db.openings(&position, &filter).unwrap();
            prop_assert_eq!(&filtered, &db.openings(&position, &by_scan).unwrap());
            let found = Query { position: Some(position.clone()), ..filter };
            let by_scan = Query { no_index: true, ..found.clone() };
            let list = ids(&db, &found);
            prop_assert_eq!(&list, &ids(&db, &by_scan));
            if !found.any_side {
                prop_assert_eq!(filtered.games as usize, list.len());
            }
        }
    }

    /// Two writers take turns, take back what they did, and are killed: the
    /// index answers as the scan does all the time.
    #[test]
    fn writers_may_come_and_go(
        seed: u64,
        steps in prop::collection::vec((0usize..2, 0usize..6), 1..25),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let dbs = [Database::create(&path).unwrap(), Database::create(&path).unwrap()];
        let run = dbs[0].begin_run("{}").unwrap();
        let new = |who: usize| dbs[who].writer(run).unwrap();
        let mut writers = [new(0), new(1)];
        let mut games = made_up(seed, steps.len()).into_iter();
        let same = || {
            let position = Position::start();
            dbs[0].index().tree_at(&position).unwrap() == dbs[0].scan().tree_at(&position).unwrap()
                && dbs[0].index().games_at(&position).unwrap()
                    == dbs[0].scan().games_at(&position).unwrap()
        };
        for (number, (who, what)) in steps.into_iter().enumerate() {
            let other = 1 - who;
            // Only one can hold the database.
            writers[other].rollback().unwrap();
            let writer = &mut writers[who];
            add_file(writer, &format!("{number}.pgn"), games.next());
            match what {
                0 => writer.rollback().unwrap(),
                1 => writer.finish().unwrap(),
                2 => writers[who] = new(who),
                3 => {}
                _ => writer.commit().unwrap(),
            }
            if !writers[who].has_uncommitted() {
                prop_assert!(same());
                prop_assert_eq!(dbs[0].problems().unwrap(), Vec::<String>::new());
            }
        }
        for writer in &mut writers {
            writer.rollback().unwrap();
        }
        for writer in &mut writers {
            writer.finish().unwrap();
            prop_assert!(same());
            prop_assert_eq!(dbs[0].problems().unwrap(), Vec::<String>::new());
        }
        let waiting: i64 = dbs[0]
            .connection()
            .query_row("SELECT count(*) FROM backlog", [], |row| row.get(0))
            .unwrap();
        prop_assert_eq!(waiting, 0);
        let indexes: i64 = dbs[0]
            .connection()
            .query_row(
                "SELECT count(*) FROM sqlite_schema
                 WHERE name IN ('game_by_red', 'game_by_black', 'game_by_event', 'game_by_year',
                                'game_by_opening')",
                [],
                |row| row.get(0),
            )
            .unwrap();
        prop_assert_eq!(indexes, 5);
    }

    #[test]
    fn any_game_comes_back(seed: u64) {
        let list = made_up(seed, 20);
        let (db, stored) = database_of(list.clone());
        for (number, (mut game, stored)) in list.into_iter().zip(stored).enumerate() {
            game.origin.game = number as u32 + 1;
            if let Some(first) = stored.duplicate_of {
                game.findings.push(
                    Finding::new(Code::DuplicateGame, Place::WHOLE)
                        .reason("same-game").param("game", first));
            }
            assert_same(&game, &db.game(stored.game).unwrap().unwrap());
        }
    }
}
