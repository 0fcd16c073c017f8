//! Undoing runs, people, twins: every step is exact, and comes back exactly.

#[path = "../benches/common/made.rs"]
mod made;

mod common;

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use made::Random;
use qipu::board::{Move, Position};
use qipu::db::{Database, Named, PositionIndex as _, Query, TwinKind};
use qipu::import::{Entry, ImportOptions, import, recheck};

fn bring(db: &Database, files: &[(&str, String)]) -> i64 {
    let entries: Vec<Entry> =
        files.iter().map(|(name, text)| Entry::bytes(*name, text.as_bytes())).collect();
    let options = ImportOptions::default();
    let stop = AtomicBool::new(false);
    import(db, entries.into_iter().map(Ok), &options, &mut (), &stop).unwrap().run
}

fn dump(db: &Database) -> String {
    let mut text = Vec::new();
    db.dump(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn assert_sound(db: &Database) {
    assert_eq!(db.problems().unwrap(), Vec::<String>::new());
    assert_eq!(recheck(db).unwrap().problems, Vec::<String>::new());
}

/// What people see of the games, whatever their ids.
fn games(db: &Database) -> Vec<String> {
    let mut games = Vec::new();
    db.find(&Query::default(), &mut |row| {
        let game = db.game(row.id).unwrap().unwrap();
        let moves: Vec<String> = game.main_line().flatten().map(|mv| mv.to_string()).collect();
        games.push(format!("{:?} {}", game.headers, moves.join(" ")));
        ControlFlow::Continue(())
    })
    .unwrap();
    games.sort();
    games
}

fn pgn(tags: &[(&str, &str)], moves: &str) -> String {
    let mut text = String::from("[Game \"Chinese Chess\"]\n[Format \"ICCS\"]\n");
    for (name, value) in tags {
        writeln!(text, "[{name} \"{value}\"]").unwrap();
    }
    let result = tags.iter().find(|tag| tag.0 == "Result").map_or("*", |tag| tag.1);
    writeln!(text, "\n{moves} {result}\n").unwrap();
    text
}

/// A file of made-up games of the players `棋手0` to `棋手4`.
fn made_up(seed: u64, games: usize) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    for _ in 0..games {
        let line: Vec<Move> = made::moves(&mut random, 30);
        let words: Vec<String> = line.iter().map(ToString::to_string).collect();
        let red = format!("棋手{}", random.below(5));
        let black = format!("棋手{}", random.below(5));
        let tags = [("Red", red.as_str()), ("Black", black.as_str()), ("Date", "1990.01.01")];
        text.push_str(&pgn(&tags, &words.join(" ")));
    }
    text
}

#[test]
fn undoing_the_last_run_gives_the_database_before_it() {
    let db = Database::in_memory().unwrap();
    bring(&db, &[("a.pgn", made_up(1, 40))]);
    let before = dump(&db);
    // The second run brings new games, copies of old ones and new names.
    let mut second = made_up(1, 10) + &made_up(2, 30);
    second += &pgn(&[("Red", "新人"), ("Black", "棋手1"), ("Event", "新赛")], "h2e2 h9g7");
    let run = bring(&db, &[("b.pgn", second.clone()), ("c.txt", "no game at all".to_owned())]);
    let after = dump(&db);
    assert_ne!(after, before);
    assert_sound(&db);
    let undone = db.undo_run(run).unwrap();
    assert_eq!((undone.files, undone.games, undone.promoted), (2, 41, 0));
    assert_eq!(dump(&db), before);
    assert_sound(&db);
    assert!(db.undo_run(run).is_err(), "undone already");
    assert!(db.undo_run(99).is_err(), "not there");
    // The same files come in again as they did.
    bring(&db, &[("b.pgn", second), ("c.txt", "no game at all".to_owned())]);
    assert_eq!(dump(&db), after);
    assert!(db.runs().unwrap()[1].undone.is_some());
}

#[test]
fn undoing_the_first_run_lets_its_copies_stand_for_themselves() {
    let both = Database::in_memory().unwrap();
    let first = bring(&both, &[("a.pgn", made_up(1, 40))]);
    // Again the first games, twice over, and others.
    let rest = made_up(1, 10) + "\n" + &made_up(1, 5) + &made_up(3, 20);
    bring(&both, &[("b.pgn", rest.clone())]);
    let undone = both.undo_run(first).unwrap();
    assert_eq!((undone.games, undone.promoted), (40, 10));
    assert_sound(&both);
    let alone = Database::in_memory().unwrap();
    bring(&alone, &[("b.pgn", rest)]);
    assert_eq!(games(&both), games(&alone));
    assert_eq!(both.stats().unwrap().duplicates, alone.stats().unwrap().duplicates);
    let start = Position::start();
    assert_eq!(both.index().tree_at(&start).unwrap(), both.scan().tree_at(&start).unwrap());
    assert_eq!(
        both.index().tree_at(&start).unwrap().games,
        alone.index().tree_at(&start).unwrap().games
    );
}

#[test]
fn people_are_put_together_and_parted_again() {
    let db = Database::in_memory().unwrap();
    let game = |red: &str, year: &str| {
        pgn(&[("Red", red), ("Black", "乙"), ("Date", year)], "h2e2 h9g7 h0g2 i9h9")
    };
    let text = game("胡荣华", "1960.01.01")
        + &game("胡榮華", "1961.01.01")
        + &game("特级大师 胡荣华", "1962.01.01")
        + &game("Ronghua Hu", "1963.01.01")
        + &game("胡容华", "1964.01.01");
    bring(&db, &[("a.pgn", text)]);
    let before = dump(&db);
    let count = |player: &str| {
        let query = Query { player: Some(player.to_owned()), ..Query::default() };
        db.matching(&query).unwrap().len()
    };
    // Script, blanks and titles do not matter; Latin letters ask for sounds,
    // and another character is another name.
    assert_eq!((count("胡荣华"), count("胡榮華")), (3, 3));
    assert_eq!((count("huronghua"), count("胡容华")), (4, 1));
    // Where the words are apart, the surname may stand first or last: that is
    // how the fifth game has it.
    assert_eq!((count("Hu Ronghua"), count("Ronghua Hu")), (5, 5));
    let suggestions: Vec<(String, String, &str)> = db
        .suggestions(Named::Player)
        .unwrap()
        .into_iter()
        .map(|one| (one.one.1, one.other.1, one.reason))
        .collect();
    let has = |a: &str, b: &str, why: &str| {
        suggestions
            .iter()
            .any(|one| one.2 == why && ((one.0 == a && one.1 == b) || (one.0 == b && one.1 == a)))
    };
    assert!(has("胡荣华", "胡榮華", "same-name"), "{suggestions:?}");
    assert!(has("胡荣华", "特级大师 胡荣华", "same-name"), "{suggestions:?}");
    assert!(has("胡荣华", "Ronghua Hu", "sound"), "{suggestions:?}");
    assert!(!has("胡荣华", "胡容华", "sound"), "two Chinese names that sound alike");
    let person = db.id_of(Named::Player, "胡荣华").unwrap();
    let first = db
        .merge_names(Named::Player, person, db.id_of(Named::Player, "Ronghua Hu").unwrap())
        .unwrap();
    let second =
        db.merge_names(Named::Player, db.id_of(Named::Player, "胡榮華").unwrap(), person).unwrap();
    // All names of the person, and another one that sounds the same.
    assert_eq!(count("Ronghua"), 5);
    let people = db.identities(Named::Player, Some("ronghua")).unwrap();
    let own = people.iter().find(|person| person.name == "胡榮華").unwrap();
    assert_eq!((own.games, own.years), (3, Some((1960, 1963))));
    assert_eq!(own.aliases.len(), 2);
    assert!(db.merge_names(Named::Player, person, own.id).is_err(), "one person already");
    assert!(db.revert(first).is_err(), "the second step built upon it");
    assert_sound(&db);
    db.revert(second).unwrap();
    db.revert(first).unwrap();
    assert!(db.revert(first).is_err(), "taken back already");
    assert_eq!(dump(&db), before);
    assert!(db.id_of(Named::Player, "没有").is_err());
}

#[test]
fn events_are_put_together_and_parted_again() {
    let db = Database::in_memory().unwrap();
    let game = |event: &str, red: &str| {
        pgn(&[("Event", event), ("Red", red), ("Black", "乙")], "h2e2 h9g7 h0g2 i9h9")
    };
    let first = game("第1屆五羊杯", "甲") + &game("第1届 五羊杯", "丙");
    bring(&db, &[("a.pgn", first)]);
    let later = bring(&db, &[("b.pgn", game("1st Wuyang Cup", "丁"))]);
    let before = dump(&db);
    let count = |event: &str| {
        let query = Query { event: Some(event.to_owned()), ..Query::default() };
        db.matching(&query).unwrap().len()
    };
    assert_eq!((count("五羊杯"), count("wuyang")), (2, 1));
    let suggestions = db.suggestions(Named::Event).unwrap();
    assert_eq!(suggestions.len(), 1, "{suggestions:?}");
    assert_eq!(suggestions[0].reason, "same-name");
    let id = |name: &str| db.id_of(Named::Event, name).unwrap();
    let (one, other) = (id("第1屆五羊杯"), id("1st Wuyang Cup"));
    let step = db.merge_names(Named::Event, one, other).unwrap();
    // Any name finds the games of both; the third is another event still.
    assert_eq!((count("Wuyang"), count("第1屆五羊杯"), count("五羊杯")), (2, 3, 3));
    let events = db.identities(Named::Event, Some("wuyang")).unwrap();
    assert_eq!((events[0].name.as_str(), events[0].games), ("第1屆五羊杯", 2));
    assert_eq!(events[0].aliases, [(other, "1st Wuyang Cup".to_owned())]);
    // A player with the same number is not meant.
    assert!(db.identities(Named::Player, None).unwrap().iter().all(|one| one.aliases.is_empty()));
    assert_sound(&db);
    db.revert(step).unwrap();
    assert_eq!(dump(&db), before);
    // An alias goes with its last game.
    db.merge_names(Named::Event, one, other).unwrap();
    db.undo_run(later).unwrap();
    assert!(db.id_of(Named::Event, "1st Wuyang Cup").is_err());
    assert_sound(&db);
    // A range is taken back as a whole or not at all: its last step could be,
    // the undone run cannot.
    let last = db.merge_names(Named::Event, one, id("第1届 五羊杯")).unwrap();
    let before = dump(&db);
    let error = db.revert_all(1..=last).unwrap_err();
    assert!(error.to_string().contains(&format!("step {}", last - 1)), "{error}");
    assert_eq!(dump(&db), before);
    assert_eq!(db.revert_all(last..=last).unwrap(), 1);
}

#[test]
fn r28_tells_duplicates_from_different_games() {
    let Some(path) = common::shared("cases/reports/R28-duplicates-and-near-duplicates.pgn") else {
        return;
    };
    let db = Database::in_memory().unwrap();
    bring(&db, &[("r28.pgn", std::fs::read_to_string(path).unwrap())]);
    let before = dump(&db);
    let twins = db.twins().unwrap();
    let seen: Vec<(TwinKind, i64, i64)> =
        twins.iter().map(|twin| (twin.kind, twin.keep, twin.other)).collect();
    // EXPECTED.tsv, R28; the longer line is kept.
    assert_eq!(
        seen,
        [
            (TwinKind::Exact, 1, 2),
            (TwinKind::Contained, 1, 3),
            (TwinKind::Contained, 2, 3),
            (TwinKind::SameMoves, 1, 7),
        ]
    );
    let merged = db.merge_games(&twins).unwrap();
    // 2 and 3 became copies of 1; 3 cannot be a copy of 2 as well, and 7 is
    // another game.
    assert_eq!((merged.steps.len(), merged.left), (2, 2));
    assert_eq!(db.matching(&Query::default()).unwrap(), [1, 4, 5, 6, 7]);
    assert_sound(&db);
    for step in merged.steps.iter().rev() {
        db.revert(*step).unwrap();
    }
    assert_eq!(dump(&db), before);
    assert_sound(&db);
    // Put together again, and all steps taken back at once; the ones that were
    // taken back before are passed over.
    let again = db.merge_games(&twins).unwrap();
    assert_ne!(dump(&db), before);
    assert_eq!(db.revert_all(1..=*again.steps.last().unwrap()).unwrap(), 2);
    assert_eq!(dump(&db), before);
    assert_sound(&db);
    assert!(db.revert_all(1..=99).is_err(), "nothing is left");
}

#[test]
fn the_better_record_takes_what_it_lacks() {
    let db = Database::in_memory().unwrap();
    let moves = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8 g6g7 h9h2 b2b6 c9e7 \
                 b0c2 a9b9 a0b0 b9b6";
    let full = [("Red", "甲"), ("Black", "乙"), ("Date", "1960.05"), ("Result", "1-0")];
    let poor = [("Red", "甲"), ("Black", "乙"), ("Date", "1960.05.06"), ("Event", "赛")];
    // One half-move more, and the last ones of another hand.
    let text = pgn(&full, &format!("{moves} b0b6"))
        + &pgn(&poor, moves)
        + &pgn(
            &[("Red", "甲"), ("Black", "丙"), ("Result", "0-1")],
            &moves.replace("b9b6", "b9a9"),
        );
    bring(&db, &[("a.pgn", text)]);
    let twins = db.twins().unwrap();
    let seen: Vec<(TwinKind, i64, i64)> =
        twins.iter().map(|twin| (twin.kind, twin.keep, twin.other)).collect();
    assert_eq!(seen, [(TwinKind::Contained, 1, 2)]);
    let before = dump(&db);
    let merged = db.merge_games(&twins).unwrap();
    let kept = db.game(1).unwrap().unwrap();
    assert_eq!(kept.headers.date.unwrap().to_string(), "1960-05-06");
    assert_eq!(kept.headers.event.as_deref(), Some("赛"));
    assert_eq!(kept.headers.result.code(), "1-0");
    assert_eq!(kept.result_token.as_deref(), Some("1-0"));
    assert_sound(&db);
    let tree = db.index().tree_at(&Position::start()).unwrap();
    assert_eq!((tree.games, tree.moves[0].last_year), (2, Some(1960)));
    db.revert(merged.steps[0]).unwrap();
    assert_eq!(dump(&db), before);
}

#[test]
fn near_twins_differ_in_a_few_half_moves() {
    let db = Database::in_memory().unwrap();
    let mut random = Random::new(5);
    let line: Vec<String> =
        made::moves(&mut random, 60).iter().map(ToString::to_string).take(40).collect();
    let people = [("Red", "甲"), ("Black", "乙")];
    let shorter = line[..38].join(" ");
    // The last half-move replaced by another legal one.
    let mut position = Position::start();
    for word in &line[..38] {
        position.make(word.parse().unwrap());
    }
    let last: Move = line[38].parse().unwrap();
    let other = position.legal_moves().into_iter().find(|mv| *mv != last).unwrap();
    bring(
        &db,
        &[("a.pgn", pgn(&people, &line.join(" ")) + &pgn(&people, &format!("{shorter} {other}")))],
    );
    let twins = db.twins().unwrap();
    assert_eq!(twins.len(), 1);
    assert_eq!((twins[0].kind, twins[0].keep, twins[0].differ), (TwinKind::Near, 1, 2));
}

#[test]
fn undoing_a_run_parts_the_twins_it_made() {
    let db = Database::in_memory().unwrap();
    let moves = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7";
    let game = |red: &str| {
        pgn(&[("Red", red), ("Black", "乙"), ("Date", "1960.05.06"), ("Event", "赛")], moves)
    };
    bring(&db, &[("a.pgn", game("紅方") + &made_up(9, 20))]);
    let before = dump(&db);
    let run = bring(&db, &[("b.pgn", game("红方"))]);
    let twins = db.twins().unwrap();
    assert_eq!(twins.iter().filter(|twin| twin.kind == TwinKind::Exact).count(), 1);
    db.merge_games(&twins).unwrap();
    db.undo_run(run).unwrap();
    assert_eq!(dump(&db), before);
    assert_sound(&db);
}

#[test]
fn verify_tells_what_is_wrong() {
    let db = Database::in_memory().unwrap();
    bring(&db, &[("a.pgn", made_up(1, 60))]);
    assert_sound(&db);
    let break_it = |sql: &str, expected: &str| {
        db.connection().execute_batch("PRAGMA foreign_keys = OFF; SAVEPOINT whole").unwrap();
        db.connection().execute_batch(sql).unwrap();
        let mut problems = db.problems().unwrap();
        problems.extend(recheck(&db).unwrap().problems);
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{sql}: {problems:?}");
        db.connection().execute_batch("ROLLBACK TO whole; RELEASE whole").unwrap();
    };
    break_it("UPDATE game SET opening = 'E48' WHERE id = 3", "game 3: the opening code");
    break_it("UPDATE game SET content_hash = 1 WHERE id = 3", "game 3: the content hash");
    break_it("UPDATE game SET result = '0-1' WHERE id = 3", "the tree of");
    break_it("UPDATE posting SET blob = substr(blob, 1, length(blob) - 3)", "damaged");
    break_it("UPDATE game SET moves = x'ff' WHERE id = 3", "game 3: the content hash");
    break_it("UPDATE game SET moves = x'fa' WHERE id = 3", "damaged");
    break_it("UPDATE position_tree SET moves = x''", "the tree of");
    break_it(
        "DELETE FROM position_tree; DELETE FROM posting; DELETE FROM segment",
        "the index misses 60 games",
    );
    break_it("UPDATE player SET folded = 'x'", "the key is wrong");
    // The games of `a.pgn` have no ratings, those of `b.pgn` these.
    let rated = [("RedElo", "2422"), ("BlackRating", "2049"), ("Event", "赛")];
    bring(&db, &[("b.pgn", pgn(&rated, "h2e2 h9g7 h0g2 (1... i9i8) 1... i9h9 {好}"))]);
    assert_sound(&db);
    break_it("UPDATE event SET folded = 'x'", "the key is wrong");
    break_it("UPDATE event SET canonical_id = id", "event 赛: the alias");
    break_it("UPDATE game SET red_rating = 2423 WHERE id = 61", "game 61: the rating of red");
    break_it("UPDATE game SET black_rating = NULL WHERE id = 61", "game 61: the rating of black");
    break_it("UPDATE game SET black_rating = 1 WHERE id = 3", "game 3: the rating of black");
    break_it("UPDATE game SET other = '{' WHERE id = 3", "game 3: the other headers");
    for sql in [
        "UPDATE game SET round = '9' WHERE id = 61",
        "UPDATE game SET event_id = NULL WHERE id = 61",
        "UPDATE event SET name = '會' WHERE id = (SELECT event_id FROM game WHERE id = 61)",
        "UPDATE game SET other = '{\"RedElo\":\"2422\",\"BlackRating\":\"2050\"}' WHERE id = 61",
    ] {
        break_it(sql, "b.pgn: game 1 has other headers");
    }
    break_it("UPDATE comment SET text = '坏'", "b.pgn: game 1 has other variations or remarks");
    break_it("DELETE FROM variation", "b.pgn: game 1 has other variations or remarks");
    break_it("UPDATE game SET trailer = '广告' WHERE id = 61", "other words behind the moves");
    break_it("UPDATE source SET sha256 = 'x' WHERE id = 1", "another hash");
    break_it("UPDATE game SET duplicate_of = 2 WHERE id IN (2, 3)", "the copy of a copy");
    assert_sound(&db);
}
