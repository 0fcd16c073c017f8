//! Text search: the trigrams find what reading everything finds, and stay in
//! step with what is imported, put together and removed.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use qipu::board::Position;
use qipu::db::{Database, PackedGame, Query, RunCounts, RunState, SourceEnd};
use qipu::game::{Game, GameTree, Headers, Outcome};
use qipu::record::{FormatId, NodeId, Origin};

/// A game with texts in every place that is searched.
fn game(number: usize) -> Game {
    let names = ["胡荣华", "楊官璘", "Ngô Lan Hương", "Lai Ly Huynh", "胡一鹏", "O\"Neill 100%_"];
    let mut tree = GameTree::default();
    let first = tree.add(NodeId::ROOT, Some("h2e2".parse().unwrap()));
    let comments = ["弃车攻杀，妙不可言", "此着 100% 有力", "a quiet move", "胡荣华评：急进中兵"];
    for at in 0..number % 3 {
        tree.comment(first, false, comments[(number + at) % comments.len()]);
    }
    let pick = |list: &[&str], every: usize| {
        number.is_multiple_of(every).then(|| list[number / every % list.len()].to_owned())
    };
    let mut other = std::collections::BTreeMap::new();
    other.insert("Game".to_owned(), "Chinese Chess".to_owned());
    if number.is_multiple_of(4) {
        other.insert("Opening".to_owned(), "顺炮直车对横车".to_owned());
    }
    Game {
        origin: Origin { format: FormatId("pgn"), game: 1, ..Origin::default() },
        headers: Headers {
            red: pick(&names, 1),
            black: names.get(number * 7 % 11).map(|name| (*name).to_owned()),
            event: pick(&["全国象棋个人赛", "World Championship", "五羊杯"], 2),
            site: pick(&["广州", "Hà Nội"], 3),
            red_team: pick(&["上海队"], 5),
            black_team: pick(&["广东队", "Paris"], 4),
            title: pick(&["七星聚会", "蚯蚓降龙"], 6),
            annotator: pick(&["屠景明", "QIPU"], 7),
            other,
            ..Headers::default()
        },
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

/// Every text of a game that is searched.
fn texts(game: &Game) -> Vec<String> {
    let headers = &game.headers;
    let fields = [
        &headers.red,
        &headers.black,
        &headers.event,
        &headers.site,
        &headers.red_team,
        &headers.black_team,
        &headers.title,
        &headers.annotator,
    ];
    let mut texts: Vec<String> = fields.into_iter().flatten().cloned().collect();
    texts.push(serde_json::to_string(&headers.other).unwrap());
    texts.extend(game.tree.comments.iter().map(|comment| comment.text.clone()));
    texts
}

fn add(db: &Database, path: &str, games: impl Iterator<Item = Game>) -> i64 {
    let run = db.begin_run("{}").unwrap();
    let mut writer = db.writer(run).unwrap();
    writer.begin_source(path).unwrap();
    for game in games {
        writer.add_game(&PackedGame::new(game)).unwrap();
    }
    let end = SourceEnd { sha256: path, bytes: 1, format: Some("pgn"), findings: &[] };
    writer.end_source(&end).unwrap();
    writer.commit().unwrap();
    drop(writer);
    db.end_run(run, RunState::Finished, &RunCounts::default()).unwrap();
    run
}

fn found(db: &Database, text: &str) -> Vec<i64> {
    let mut ids = Vec::new();
    let query = Query { text: Some(text.to_owned()), ..Query::default() };
    db.find(&query, &mut |row| {
        ids.push(row.id);
        ControlFlow::Continue(())
    })
    .unwrap();
    ids
}

/// All games with their ids, and every text of one to five characters of them.
fn check_all(db: &Database, games: &[(i64, Game)]) {
    let mut words =
        BTreeSet::from(["没有这样的字".to_owned(), "zzz".to_owned(), "CHINESE".to_owned()]);
    for (_, game) in games.iter().take(14) {
        for text in texts(game) {
            let characters: Vec<char> = text.chars().collect();
            for length in 1..=5 {
                // Steps keep the test short.
                for part in characters.windows(length).step_by(2) {
                    words.insert(part.iter().collect());
                }
            }
        }
    }
    assert!(words.len() > 200, "{}", words.len());
    let lower: Vec<(i64, Vec<String>)> = games
        .iter()
        .map(|(id, game)| (*id, texts(game).iter().map(|t| t.to_ascii_lowercase()).collect()))
        .collect();
    for word in words {
        let small = word.to_ascii_lowercase();
        let expected: Vec<i64> = lower
            .iter()
            .filter(|(_, texts)| texts.iter().any(|text| text.contains(&small)))
            .map(|(id, _)| *id)
            .collect();
        assert_eq!(found(db, &word), expected, "`{word}`");
    }
    assert_eq!(db.problems().unwrap(), Vec::<String>::new());
}

#[test]
fn what_is_found_is_what_a_reader_finds() {
    let db = Database::in_memory().unwrap();
    add(&db, "a", (0..60).map(game));
    let games: Vec<(i64, Game)> = (0..60).map(|i| (i as i64 + 1, game(i))).collect();
    check_all(&db, &games);
}

#[test]
fn the_search_follows_what_is_removed_and_added() {
    let db = Database::in_memory().unwrap();
    add(&db, "a", (0..20).map(game));
    let second = add(&db, "b", (20..40).map(game));
    db.undo_run(second).unwrap();
    let games: Vec<(i64, Game)> = (0..20).map(|i| (i as i64 + 1, game(i))).collect();
    check_all(&db, &games);
    // What is changed by SQL is followed, too.
    db.connection().execute("UPDATE game SET title = '大九连环' WHERE id IN (1, 2)", []).unwrap();
    assert_eq!(found(&db, "九连环"), [1, 2]);
    assert_eq!(found(&db, "七星聚会"), [13]);
    // What does not follow is told.
    db.connection().execute("DELETE FROM search WHERE rowid = 8", []).unwrap();
    assert_eq!(db.problems().unwrap(), ["the text search lacks 1 texts"]);
}

#[test]
fn moves_can_be_asked_in_sql() {
    let db = Database::in_memory().unwrap();
    let mut gapped = game(0);
    let mut last = gapped.tree.main_line().last().unwrap();
    for mv in [Some("h9g7"), None, Some("i9h9")] {
        last = gapped.tree.add(last, mv.map(|mv| mv.parse().unwrap()));
    }
    add(&db, "a", [gapped].into_iter());
    let mut select =
        db.connection().prepare("SELECT ply, move FROM move_view ORDER BY ply").unwrap();
    let rows: Vec<(u32, String)> = select
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let words: Vec<(u32, &str)> = rows.iter().map(|(ply, mv)| (*ply, mv.as_str())).collect();
    assert_eq!(words, [(1, "h2e2"), (2, "h9g7"), (3, "--"), (4, "i9h9")]);
    let fen = |ply: i64| -> Option<String> {
        db.connection()
            .query_row("SELECT qipu_fen(start_fen, coding, moves, ?) FROM game", [ply], |row| {
                row.get(0)
            })
            .unwrap()
    };
    let after = "r1bakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR";
    assert_eq!(fen(0), Some(Position::start().fen()));
    // After 炮二平五, by hand.
    let first = fen(1).unwrap();
    assert!(first.starts_with(&after.replace("r1b", "rnb")) && first.contains(" b "), "{first}");
    assert!(fen(2).is_some());
    assert_eq!([fen(3), fen(4), fen(5), fen(-1)], [None, None, None, None]);
}

#[test]
fn a_text_is_found_in_either_script() {
    let db = Database::in_memory().unwrap();
    add(&db, "a", (0..42).map(game));
    for (simple, traditional) in [
        ("胡荣华", "胡榮華"),
        ("荣华", "榮華"),
        ("荣", "榮"),
        ("杨官璘", "楊官璘"),
        ("弃车", "棄車"),
    ] {
        assert!(!found(&db, simple).is_empty(), "{simple}");
        assert_eq!(found(&db, simple), found(&db, traditional), "{simple}");
    }
    assert_ne!(found(&db, "胡荣华"), found(&db, "胡一鹏"));
}
