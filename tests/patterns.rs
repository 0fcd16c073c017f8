//! Patterns: the parser and its grammar read the same, and the search finds
//! what a plain reading of the question finds.

#[path = "../benches/common/made.rs"]
mod made;

use std::ops::ControlFlow;

use abnf_oracle::{CheckedGrammar, GenOptions, Generator, Grammar, Recognizer};
use made::Random;
use proptest::prelude::*;
use qipu::board::{Color, Move, Piece, PieceKind, Position, Square};
use qipu::db::{Database, PackedGame, Pattern, PatternText, Query, SourceEnd};
use qipu::game::{Game, GameResult, GameTree, Headers, Outcome};
use qipu::notation::{self, Notation, Style};
use qipu::record::{FormatId, NodeId, Origin};

fn grammar() -> CheckedGrammar {
    let text = include_str!("../grammars/pattern.abnf");
    let grammar = Grammar::parse(text).unwrap_or_else(|error| panic!("{}", error.render(text)));
    grammar.check().unwrap_or_else(|errors| panic!("{}", errors.render(text)))
}

fn derives(grammar: &CheckedGrammar, rule: &str, text: &str) -> bool {
    Recognizer::new(grammar, text).accepts(rule).expect("decided")
}

fn samples(grammar: &CheckedGrammar, rule: &str) -> Vec<String> {
    let coverage = GenOptions { coverage: true, ..GenOptions::default() };
    let mut generator = Generator::new(grammar, 1).with_options(coverage);
    let mut samples = Vec::new();
    while generator.uncovered(rule).expect("can generate") > 0 {
        samples.push(generator.generate(rule).expect("generates"));
    }
    let mut generator = Generator::new(grammar, 2);
    samples.extend((0..300).map(|_| generator.generate(rule).expect("generates")));
    samples
}

fn is_read(rule: &str, text: &str) -> bool {
    let question = match rule {
        "pattern" => PatternText { pattern: Some(text), ..PatternText::default() },
        "material" => PatternText { material: Some(text), ..PatternText::default() },
        _ => panic!("{rule}"),
    };
    Pattern::parse(&question).is_ok()
}

#[test]
fn what_the_grammar_generates_is_read() {
    let grammar = grammar();
    for rule in ["pattern", "material"] {
        for text in samples(&grammar, rule) {
            assert!(is_read(rule, &text), "{rule}: {text}");
        }
    }
}

#[test]
fn words_of_a_sequence_are_split_as_the_grammar_says() {
    // Which words are moves is a matter of the notations, so the words here
    // are replaced by a move.
    let grammar = grammar();
    for text in samples(&grammar, "sequence") {
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        let moves = words.iter().map(|word| match *word {
            "?" | "..." | "…" | "……" => *word,
            _ => "炮二平五",
        });
        let steps = words.iter().filter(|w| !matches!(**w, "..." | "…" | "……")).count();
        let text = moves.collect::<Vec<_>>().join(" ");
        assert!(derives(&grammar, "sequence", &text));
        let question = PatternText { sequence: Some(&text), ..PatternText::default() };
        assert_eq!(Pattern::parse(&question).is_ok(), (1..=32).contains(&steps), "{text}");
    }
    for bad in ["", ".", "炮二平五  ", "炮二平五,马8进7", "?炮二平五", "炮 二", "x"]
    {
        let question = PatternText { sequence: Some(bad), ..PatternText::default() };
        assert!(Pattern::parse(&question).is_err(), "{bad}");
    }
}

#[test]
fn changed_questions_are_judged_alike() {
    let grammar = grammar();
    let pools = ["pattern", "material"].map(|rule| (rule, samples(&grammar, rule)));
    let edits = prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 0..4);
    let config = ProptestConfig { cases: 1_000, failure_persistence: None, ..Default::default() };
    proptest!(config, |(which in any::<usize>(), edits in edits)| {
        for (rule, pool) in &pools {
            let characters: Vec<char> = pool.iter().flat_map(|text| text.chars()).collect();
            let mut text: Vec<char> = pool[which % pool.len()].chars().collect();
            for (kind, at, with) in &edits {
                let with = characters[with % characters.len()];
                let at = at % (text.len() + 1);
                match kind % 3 {
                    0 => text.insert(at, with),
                    1 if at < text.len() => text[at] = with,
                    _ if at < text.len() => { text.remove(at); }
                    _ => {}
                }
            }
            let text: String = text.into_iter().collect();
            prop_assert_eq!(is_read(rule, &text), derives(&grammar, rule, &text), "{}: {}", rule, text);
        }
    });
}

// The search against a plain reading of the question.

fn game_of(line: &[Move]) -> Game {
    let mut tree = GameTree::with_capacity(line.len());
    let mut last = NodeId::ROOT;
    for mv in line {
        last = tree.add(last, Some(*mv));
    }
    Game {
        origin: Origin { format: FormatId("pgn"), game: 1, ..Origin::default() },
        headers: Headers { result: GameResult::Unknown, ..Headers::default() },
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

fn database_of(games: &[Vec<Move>], db: &Database) {
    let run = db.begin_run("{}").unwrap();
    let mut writer = db.writer(run).unwrap();
    writer.begin_source("a.pgn").unwrap();
    for line in games {
        writer.add_game(&PackedGame::new(game_of(line))).unwrap();
    }
    let end = SourceEnd { sha256: "a.pgn", bytes: 1, format: Some("pgn"), findings: &[] };
    writer.end_source(&end).unwrap();
    writer.commit().unwrap();
}

/// Games and the ply of each that hold a question.
fn found(db: &Database, text: &PatternText<'_>) -> Vec<(i64, u32)> {
    let query = Query {
        pattern: Pattern::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}")),
        // Lines may be alike; each is asked.
        duplicates: true,
        ..Query::default()
    };
    let mut found = Vec::new();
    db.find(&query, &mut |row| {
        found.push((row.id, row.ply.expect("a place")));
        ControlFlow::Continue(())
    })
    .unwrap();
    let ids: Vec<i64> = found.iter().map(|(id, _)| *id).collect();
    assert_eq!(db.matching(&query).unwrap(), ids);
    found
}

/// A question on one position, as the oracle reads it: by going through the
/// board point by point.
#[derive(Clone, Debug)]
enum Asked {
    /// For each point the letters that may stand there, `.` for nothing.
    Board(Vec<String>),
    /// Letters, files, ranks, least, most.
    Count(String, (u8, u8), (u8, u8), usize, usize),
}

fn letter(position: &Position, file: u8, rank: u8) -> char {
    let square = Square::at(file as i8, rank as i8).expect("on the board");
    position.piece_at(square).map_or('.', Piece::letter)
}

impl Asked {
    fn holds(&self, position: &Position) -> bool {
        match self {
            Asked::Board(cells) => cells
                .iter()
                .enumerate()
                .all(|(i, cell)| cell.contains(letter(position, (i % 9) as u8, 9 - (i / 9) as u8))),
            Asked::Count(letters, files, ranks, least, most) => {
                let mut number = 0;
                for file in files.0..=files.1 {
                    for rank in ranks.0..=ranks.1 {
                        number += usize::from(letters.contains(letter(position, file, rank)));
                    }
                }
                (*least..=*most).contains(&number)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Asked::Board(cells) => {
                let rank = |cells: &[String]| -> String {
                    cells
                        .iter()
                        .map(|cell| match cell.as_str() {
                            cell if cell.len() == 15 => "?".to_owned(),
                            cell if cell.len() == 14 && !cell.contains('.') => "*".to_owned(),
                            cell if cell.len() == 1 => cell.to_owned(),
                            cell => format!("[{cell}]"),
                        })
                        .collect()
                };
                cells.chunks(9).map(rank).collect::<Vec<_>>().join("/")
            }
            Asked::Count(letters, files, ranks, least, most) => {
                let file = |file: u8| char::from(b'a' + file);
                let region = format!("{}-{}{}-{}", file(files.0), file(files.1), ranks.0, ranks.1);
                let pieces = format!("[{letters}]@{region}");
                format!("{pieces}>={least}; {pieces}<={most}")
            }
        }
    }
}

const LETTERS: &str = "KABNRCPkabnrcp.";

/// A question that some position of the games is likely to answer.
fn asked(random: &mut Random, games: &[Vec<Move>]) -> Asked {
    if random.below(2) == 0 {
        let letters: String =
            (0..=random.below(3)).map(|_| LETTERS.as_bytes()[random.below(14)] as char).collect();
        let mut ends = |n: usize| {
            let (a, b) = (random.below(n) as u8, random.below(n) as u8);
            (a.min(b), a.max(b))
        };
        let (files, ranks) = (ends(9), ends(10));
        let least = random.below(3);
        return Asked::Count(letters, files, ranks, least, least + random.below(3));
    }
    let line = &games[random.below(games.len())];
    let mut position = Position::start();
    for mv in &line[..random.below(line.len() + 1)] {
        position.make(*mv);
    }
    let open = random.below(4) * 30;
    let cells = (0..90).map(|i| {
        if random.below(90) < open {
            return LETTERS.to_owned();
        }
        let here = letter(&position, (i % 9) as u8, 9 - (i / 9) as u8);
        match random.below(4) {
            0 => here.to_string(),
            1 if here != '.' => LETTERS[..14].to_owned(),
            2 if here != 'R' => format!("{here}R"),
            _ => LETTERS.to_owned(),
        }
    });
    Asked::Board(cells.collect())
}

/// Counts, each of which some position of a game answers; many of them at once.
fn counted(random: &mut Random, games: &[Vec<Move>]) -> Vec<Asked> {
    let line = &games[random.below(games.len())];
    let mut position = Position::start();
    for mv in &line[..random.below(line.len() + 1)] {
        position.make(*mv);
    }
    let mut one = || {
        let letters: String =
            (0..=random.below(5)).map(|_| LETTERS.as_bytes()[random.below(14)] as char).collect();
        let mut ends = |n: usize| {
            let (a, b) = (random.below(n) as u8, random.below(n) as u8);
            (a.min(b), a.max(b))
        };
        let (files, ranks) = (ends(9), ends(10));
        let is_there = |file, rank| letters.contains(letter(&position, file, rank));
        let number = (files.0..=files.1)
            .flat_map(|file| (ranks.0..=ranks.1).map(move |rank| (file, rank)))
            .filter(|(file, rank)| is_there(*file, *rank))
            .count();
        let (less, more) = (random.below(3), random.below(3));
        Asked::Count(letters, files, ranks, number.saturating_sub(less), number + more)
    };
    (0..32).map(|_| one()).collect()
}

fn games(seed: u64, number: usize, plies: usize) -> Vec<Vec<Move>> {
    let mut random = Random::new(seed);
    (0..number).map(|_| made::moves(&mut random, plies)).collect()
}

fn seen(position: &Position, mirror: bool, swap: bool) -> Position {
    let position = if swap { position.color_swapped() } else { position.clone() };
    if mirror { position.mirrored() } else { position }
}

fn views(mirror: bool, swap: bool) -> Vec<(bool, bool)> {
    let all = [(false, false), (true, false), (false, true), (true, true)];
    all.into_iter().filter(|(m, s)| (mirror || !m) && (swap || !s)).collect()
}

/// The first position of the first row of `lasting` that holds, or nothing.
fn first_row(line: &[Move], lasting: u32, holds: &dyn Fn(&Position) -> bool) -> Option<u32> {
    let mut position = Position::start();
    let mut row = 0;
    for ply in 0..=line.len() {
        row = if holds(&position) { row + 1 } else { 0 };
        if row == lasting {
            return Some(ply as u32 + 1 - lasting);
        }
        if let Some(mv) = line.get(ply) {
            position.make(*mv);
        }
    }
    None
}

#[test]
fn boards_and_counts_are_found_as_they_read() {
    let config = ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() };
    let hits = std::cell::Cell::new(0);
    proptest!(config, |(seed in any::<u64>(), mirror: bool, swap: bool, lasting in 1u32..4)| {
        let games = games(seed, 12, 60);
        let db = Database::in_memory().unwrap();
        database_of(&games, &db);
        let mut random = Random::new(seed ^ 1);
        for _ in 0..6 {
            let parts: Vec<Asked> = if random.below(3) == 0 {
                let many = counted(&mut random, &games);
                many.into_iter().take(1 + random.below(32)).collect()
            } else {
                (0..=random.below(2)).map(|_| asked(&mut random, &games)).collect()
            };
            let text = parts.iter().map(Asked::text).collect::<Vec<_>>().join("; ");
            let question = PatternText {
                pattern: Some(&text), mirror, swap, lasting: Some(lasting), ..Default::default()
            };
            let mut expected = Vec::new();
            for (i, line) in games.iter().enumerate() {
                let rows = views(mirror, swap).into_iter().filter_map(|(m, s)| {
                    first_row(line, lasting, &|position| {
                        let position = seen(position, m, s);
                        parts.iter().all(|part| part.holds(&position))
                    })
                });
                // The row that is whole first counts.
                expected.extend(rows.min().map(|ply| (i as i64 + 1, ply)));
            }
            hits.set(hits.get() + expected.len());
            prop_assert_eq!(found(&db, &question), expected, "{}", text);
        }
    });
    assert!(hits.get() > 100, "{}", hits.get());
}

#[test]
fn what_a_pattern_may_cost_is_bounded() {
    let asked = |clauses: Vec<String>| {
        let text = clauses.join(";");
        Pattern::parse(&PatternText { pattern: Some(&text), ..Default::default() }).is_ok()
    };
    // A region of one point is a point of the board: the pieces of an empty
    // file are not counted.
    let points = || Square::all().map(|square| format!("*@{square}=0"));
    assert!(asked(points().collect()));
    let regions = |number: usize| {
        let spans = (b'b'..=b'i').flat_map(|file| (0..=9).map(move |rank| (file, rank)));
        spans.take(number).map(|(file, rank)| format!("[rnc]@a-{}0-{rank}<=1", char::from(file)))
    };
    assert!(asked(regions(32).collect()));
    assert!(!asked(regions(33).collect()));
    // Asked twice is asked once, and what is always so is not asked.
    assert!(asked(regions(32).chain(regions(32)).chain(["p>=0".to_owned()]).collect()));
}

#[test]
fn material_is_found_as_it_counts() {
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, Horse, Pawn};

    let games = games(7, 60, 160);
    let db = Database::in_memory().unwrap();
    database_of(&games, &db);
    let number = |position: &Position, color, kind| position.pieces(color, kind).len() as i64;
    let mut hits = 0;
    let mut random = Random::new(3);
    for _ in 0..200 {
        // What some position has, in part.
        let line = &games[random.below(games.len())];
        let mut position = Position::start();
        for mv in &line[..line.len() - random.below(line.len().min(60))] {
            position.make(*mv);
        }
        let named = if random.below(3) == 0 {
            vec![Chariot, Horse, Cannon, Pawn, Advisor, Elephant]
        } else {
            vec![Chariot, Horse, Cannon, Pawn]
        };
        let (swap, balance) = (random.below(2) == 0, random.below(2) == 0);
        let side = |color: Color| -> String {
            let men = named.iter().map(|kind| {
                let own = number(&position, color, *kind);
                let more = own - number(&position, color.other(), *kind);
                let named = *kind == Advisor || *kind == Elephant;
                match if balance { more.max(0) } else { own } {
                    0 if !named => String::new(),
                    1 => kind.letter().to_string(),
                    many => format!("{}{many}", kind.letter()),
                }
            });
            men.collect()
        };
        let sign = if balance { "~" } else { ":" };
        let text = format!("{}{sign}{}", side(Color::Red), side(Color::Black));
        let holds = |other: &Position| {
            named.iter().all(|kind| {
                let of = |position: &Position, color| number(position, color, *kind);
                let more = |p: &Position| of(p, Color::Red) - of(p, Color::Black);
                if balance {
                    more(&position) == more(other)
                } else {
                    Color::ALL.iter().all(|color| of(&position, *color) == of(other, *color))
                }
            })
        };
        let mut expected = Vec::new();
        for (i, line) in games.iter().enumerate() {
            let rows = views(false, swap)
                .into_iter()
                .filter_map(|(m, s)| first_row(line, 2, &|position| holds(&seen(position, m, s))));
            expected.extend(rows.min().map(|ply| (i as i64 + 1, ply)));
        }
        hits += expected.len();
        let question =
            PatternText { material: Some(&text), swap, lasting: Some(2), ..PatternText::default() };
        assert_eq!(found(&db, &question), expected, "{text}");
    }
    assert!(hits > 200, "{hits}");
}

/// Whether a game holds steps that begin at `ply`; `None` in a step is any
/// half-move, a gap before a step lets any number pass. Tries everything.
fn follows(line: &[String], ply: usize, steps: &[(bool, Option<String>)], last: usize) -> bool {
    let Some(((gap, step), rest)) = steps.split_first() else { return true };
    let ends = if *gap { line.len() } else { (ply + 1).min(line.len()) };
    (ply..ends.min(last)).any(|at| {
        step.as_ref().is_none_or(|step| line[at] == *step) && follows(line, at + 1, rest, last)
    })
}

#[test]
fn sequences_are_found_as_they_were_played() {
    let games = games(11, 40, 40);
    let db = Database::in_memory().unwrap();
    database_of(&games, &db);
    let written: Vec<Vec<String>> = games
        .iter()
        .map(|line| {
            let mut position = Position::start();
            line.iter()
                .map(|mv| {
                    // A file fits any piece on it, so like pieces are put aside.
                    let mut alone = position.clone();
                    let piece = alone.take(mv.from).expect("a piece");
                    if piece.kind != PieceKind::King {
                        for other in position.pieces(piece.color, piece.kind) {
                            alone.take(other);
                        }
                    }
                    alone.put(mv.from, piece);
                    position.make(*mv);
                    // Chinese numerals for Red, Arabic digits for Black.
                    notation::render(Notation::Chinese, *mv, &alone, Style::default())
                        .expect("Chinese can say it")
                })
                .collect()
        })
        .collect();
    let mut hits = 0;
    let mut random = Random::new(5);
    for _ in 0..300 {
        let line = &written[random.below(written.len())];
        let mut steps: Vec<(bool, Option<String>)> = Vec::new();
        let mut at = random.below(line.len().min(12));
        for _ in 0..=random.below(3) {
            let gap = random.below(2) == 0;
            let skipped = if gap { random.below(4) } else { 0 };
            let Some(word) = line.get(at + skipped) else { break };
            let word = (random.below(5) > 0).then(|| word.clone());
            steps.push((gap && !steps.is_empty(), word));
            at += skipped + 1;
        }
        if steps.is_empty() {
            continue;
        }
        let within = (random.below(2) == 0).then(|| 2 + random.below(8) as u32);
        let text: Vec<String> = steps
            .iter()
            .flat_map(|(gap, word)| {
                let gap = gap.then(|| "…".to_owned());
                gap.into_iter().chain([word.clone().unwrap_or_else(|| "?".to_owned())])
            })
            .collect();
        let text = text.join(" ");
        let expected: Vec<i64> = (0..written.len())
            .filter(|i| {
                let line = &written[*i];
                (0..line.len()).any(|ply| {
                    let last = within.map_or(line.len(), |within| ply + within as usize);
                    // The first step begins here.
                    let (_, first) = &steps[0];
                    first.as_ref().is_none_or(|step| line[ply] == *step)
                        && last > ply
                        && follows(line, ply + 1, &steps[1..], last)
                })
            })
            .map(|i| i as i64 + 1)
            .collect();
        hits += expected.len();
        let question = PatternText { sequence: Some(&text), within, ..PatternText::default() };
        let ids: Vec<i64> = found(&db, &question).into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, expected, "{text} within {within:?}");
    }
    assert!(hits > 300, "{hits}");
}

fn line(text: &str) -> Vec<Move> {
    text.split(' ').map(|word| word.parse().expect("a move")).collect()
}

#[test]
fn examples_of_the_page() {
    let games = [
        line("h2e2 h9g7 h0g2 i9h9 b0c2"),
        line("b2e2 b9c7 b0c2 a9b9 h0g2"),
        // 炮8平5: Black does as Red does.
        line("c3c4 h7e7 b0c2 h9g7"),
        line("h2e2 h7e7 e2e6 d9e8"),
        // Two cannons on one file, the front one goes.
        line("h2e2 h9g7 h0i2 b9c7 b2b4 a9b9 b4e4 c6c5 e4e5"),
    ];
    let db = Database::in_memory().unwrap();
    database_of(&games, &db);
    let ask = |text: PatternText<'_>| found(&db, &text);
    let sequence = |text| PatternText { sequence: Some(text), ..PatternText::default() };
    assert_eq!(ask(sequence("炮二平五 … 马八进七")), [(1, 0)]);
    assert_eq!(
        ask(PatternText { mirror: true, ..sequence("炮二平五 … 马八进七") }),
        [(1, 0), (2, 0)]
    );
    assert_eq!(ask(sequence("炮8平5")), [(3, 1), (4, 1)]);
    assert_eq!(
        ask(PatternText { swap: true, mirror: true, ..sequence("炮二平五 ? 马二进三") }),
        [(1, 0), (2, 0), (3, 1)]
    );
    assert_eq!(ask(sequence("C2.5 h9g7")), [(1, 0), (5, 0)]);
    assert_eq!(ask(PatternText { within: Some(4), ..sequence("炮二平五 … 马八进七") }), []);
    assert_eq!(ask(PatternText { within: Some(5), ..sequence("炮二平五 … 马八进七") }), [(1, 0)]);
    let pattern = |text| PatternText { pattern: Some(text), ..PatternText::default() };
    assert_eq!(ask(pattern("C@e6")), [(4, 3)]);
    assert_eq!(ask(pattern("C@e=2; turn black")), [(5, 7)]);
    assert_eq!(ask(sequence("前炮进一")), [(5, 8)]);
    assert_eq!(ask(sequence("后炮退一")), []);
}

#[test]
fn the_page_shows_questions_that_are_read() {
    let page = include_str!("../docs/patterns.md");
    let block = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next());
    let mut read = 0;
    for line in block.expect("examples").lines() {
        let text = line.split("   ").next().unwrap_or("");
        assert!(is_read("pattern", text), "{text}");
        read += 1;
    }
    assert!(read > 3);
}
