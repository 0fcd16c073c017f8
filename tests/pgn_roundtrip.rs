//! What the PGN writer writes, the reader reads as the same game: tree,
//! comments, glyphs, header fields; and the grammar knows every file of it.

use std::ops::ControlFlow;

use abnf_oracle::{CheckedGrammar, GenOptions, Generator, Grammar, Recognizer};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use qipu::board::Position;
use qipu::finding::Code;
use qipu::formats::{Format, Limits, Pgn, WriteOptions};
use qipu::game::{Game, GameResult, LaxDate};
use qipu::notation::Notation;
use qipu::record::{NodeId, Record};
use qipu::replay::{ReplayOptions, replay};

fn read(bytes: &[u8]) -> Vec<Game> {
    let limits = Limits::default();
    let mut games = Vec::new();
    let mut input = bytes;
    Pgn.cut(&mut input, &limits, &mut |piece| {
        Pgn.read(&piece, &limits, &mut |record| {
            games.push(replay(record, &ReplayOptions::default()));
            ControlFlow::Continue(())
        });
        ControlFlow::Continue(())
    })
    .expect("bytes in memory can be read");
    games
}

fn write(game: &Game, options: &WriteOptions) -> (Vec<u8>, Vec<Code>) {
    let mut bytes = Vec::new();
    let findings = Pgn.write(game, options, &mut bytes).expect("memory takes the text");
    (bytes, findings.iter().map(|finding| finding.code).collect())
}

/// The tree line by line: depth, move, comments before and after, glyphs.
/// It does not depend on the order in which the nodes were added.
type Shape = Vec<(usize, String, Vec<(bool, String)>, Vec<String>)>;

fn shape(game: &Game) -> Shape {
    let tree = &game.tree;
    let mut lines = Vec::new();
    let mut stack = vec![(NodeId::ROOT, 0)];
    while let Some((node, depth)) = stack.pop() {
        let mv = tree.node(node).mv.map_or(String::new(), |mv| mv.to_string());
        let comments = tree.comments.iter().filter(|c| c.node == node);
        let comments = comments.map(|c| (c.before, c.text.clone())).collect();
        let glyphs = tree.glyphs.iter().filter(|g| g.0 == node).map(|g| g.1.clone()).collect();
        lines.push((depth, mv, comments, glyphs));
        let mut children: Vec<_> = tree.children(node).map(|child| (child, depth + 1)).collect();
        children.reverse();
        stack.extend(children);
    }
    lines
}

/// Text as people put it into comments, with what could be taken for movetext.
fn comment() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "好棋",
        "红方占优",
        "(",
        ")",
        ";",
        "1-0",
        "*",
        "{",
        "[Event",
        "\"",
        "]",
        "%",
        "\n",
        " ",
        "炮二平五",
        "3. ",
        "$1",
        "--",
        "一",
        "９",
        "\\",
        "h2e2",
    ]);
    vec(piece, 1..8)
        .prop_map(|parts| parts.concat())
        .prop_filter("says something", |text| !text.trim().is_empty() && text.trim() == text)
}

fn value() -> impl Strategy<Value = String> {
    let piece = select(vec!["甲", "杯", "\"", "\\", "]", "{", " ", "a", "1.", "["]);
    vec(piece, 1..8)
        .prop_map(|parts| parts.concat().trim().to_owned())
        .prop_filter("says something", |text| !text.is_empty())
}

prop_compose! {
    fn game()(
        steps in vec((any::<u16>(), 0u8..6), 0..40),
        comments in vec((any::<Index>(), comment()), 0..5),
        glyphs in vec((any::<Index>(), select(vec!["!", "?", "!!", "!?", "$1", "$12"])), 0..4),
        fields in vec(option::of(value()), 7),
        result in 0..4usize,
        year in option::of(1900u16..2030),
        custom in any::<bool>(),
    ) -> Game {
        let mut game = replay(Record::default(), &ReplayOptions::default());
        if custom {
            let fen = "3ak4/4a4/9/9/2n6/9/9/4B4/4A4/2R1KA3 b - - 0 12";
            game.start = Position::parse_fen(fen).expect("a position").start;
        }
        let mut positions = vec![game.start.clone()];
        let mut nodes = vec![NodeId::ROOT];
        let mut at = 0;
        for (choice, back) in steps {
            if back == 0 {
                at = choice as usize % nodes.len();
            }
            let moves = positions[at].legal_moves();
            if moves.is_empty() {
                continue;
            }
            let mv = moves[choice as usize % moves.len()];
            if game.tree.children(nodes[at]).any(|child| game.tree.node(child).mv == Some(mv)) {
                continue;
            }
            let mut position = positions[at].clone();
            position.make(mv);
            nodes.push(game.tree.add(nodes[at], Some(mv)));
            positions.push(position);
            at = nodes.len() - 1;
        }
        for (index, text) in comments {
            let node = nodes[index.index(nodes.len())];
            // Before its move a comment can stand only in a variation.
            let parent = game.tree.parent(node);
            let first = parent.and_then(|parent| game.tree.continuation(parent));
            let before = node != NodeId::ROOT && first != Some(node) && text.len() % 2 == 0;
            game.tree.comment(node, before, text);
        }
        for (index, glyph) in glyphs {
            let node = nodes[index.index(nodes.len())];
            if node != NodeId::ROOT {
                game.tree.glyphs.push((node, glyph.to_owned()));
            }
        }
        // Comments before a move are written before those after it.
        game.tree.comments.sort_by_key(|c| (c.node, !c.before));
        game.tree.glyphs.sort();
        game.tree.glyphs.dedup_by_key(|glyph| glyph.0);
        let headers = &mut game.headers;
        let mut fields = fields.into_iter();
        let mut next = || fields.next().flatten();
        headers.event = next();
        headers.site = next();
        headers.red = next();
        headers.black = next();
        headers.red_team = next();
        headers.annotator = next();
        if let Some(value) = next() {
            headers.other.insert("Remark".to_owned(), value);
        }
        headers.date = year.map(|year| LaxDate { year, month: None, day: None });
        headers.result = [
            GameResult::RedWins,
            GameResult::BlackWins,
            GameResult::Draw,
            GameResult::Unknown,
        ][result];
        game
    }
}

/// The grammar of PGN with that of a notation.
fn grammar(notation: Notation) -> CheckedGrammar {
    let read = |name: &str| {
        let path = format!("{}/grammars/{name}.abnf", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the grammar is there")
    };
    let text = format!("{}\n{}", read("pgn"), read(notation.name()));
    let grammar = Grammar::parse(&text).unwrap_or_else(|error| panic!("{}", error.render(&text)));
    grammar.check().unwrap_or_else(|errors| panic!("{}", errors.render(&text)))
}

fn derives(grammar: &CheckedGrammar, text: &str) -> bool {
    Recognizer::new(grammar, text).accepts("pgn").expect("decided")
}

/// Files that the grammar generates are read without a word.
#[test]
fn what_the_grammar_generates_is_read() {
    // Other grammars have blanks inside moves, which movetext cannot have.
    for notation in [Notation::Chinese, Notation::Uci] {
        let grammar = grammar(notation);
        let coverage = GenOptions { coverage: true, ..GenOptions::default() };
        let mut covering = Generator::new(&grammar, 3).with_options(coverage);
        let mut files = Vec::new();
        while covering.uncovered("pgn").expect("can generate") > 0 {
            files.push(covering.generate("pgn").expect("generates"));
        }
        let mut random = Generator::new(&grammar, 4);
        files.extend((0..200).map(|_| random.generate("pgn").expect("generates")));
        let mut moves = 0;
        for text in files {
            assert!(derives(&grammar, &text), "{text}");
            let limits = Limits::default();
            let mut games = 0;
            Pgn.cut(&mut text.as_bytes(), &limits, &mut |piece| {
                Pgn.read(&piece, &limits, &mut |record| {
                    games += 1;
                    moves += record.tree.len();
                    assert!(record.findings.is_empty(), "{text}\n{:?}", record.findings);
                    assert!(record.result.is_some(), "{text}");
                    ControlFlow::Continue(())
                });
                ControlFlow::Continue(())
            })
            .expect("bytes in memory can be read");
            assert_eq!(games, text.matches("[Game \"Chinese Chess\"]").count(), "{text}");
        }
        assert!(moves > 0, "the files have moves");
    }
}

fn same_headers(again: &Game, game: &Game) -> Result<(), TestCaseError> {
    let mut headers = again.headers.clone();
    headers.other.remove("Game");
    headers.other.remove("Format");
    prop_assert_eq!(&headers, &game.headers);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn a_game_comes_back(
        game in game(),
        notation in select(vec![Notation::Chinese, Notation::Wxf, Notation::Iccs, Notation::Uci]),
    ) {
        let options = WriteOptions { notation: Some(notation), ..WriteOptions::default() };
        let (bytes, codes) = write(&game, &options);
        let games = read(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        prop_assert_eq!(games.len(), 1, "{}", text);
        prop_assert_eq!(&games[0].start, &game.start);
        if codes.is_empty() {
            prop_assert_eq!(shape(&games[0]), shape(&game), "{}", text);
        } else {
            // Brackets and lines of comments that would be taken for tags.
            let moves = |game| shape(game).into_iter().map(|l| (l.0, l.1)).collect::<Vec<_>>();
            prop_assert_eq!(moves(&games[0]), moves(&game), "{}", text);
        }
        same_headers(&games[0], &game)?;
        // A second time nothing changes any more.
        let (again, _) = write(&games[0], &options);
        prop_assert_eq!(String::from_utf8_lossy(&again), text);
    }

    #[test]
    fn games_follow_each_other(games in vec(game(), 1..4)) {
        let bytes: Vec<u8> =
            games.iter().flat_map(|game| write(game, &WriteOptions::default()).0).collect();
        let again = read(&bytes);
        prop_assert_eq!(again.len(), games.len(), "{}", String::from_utf8_lossy(&bytes));
        for (again, game) in again.iter().zip(&games) {
            prop_assert!(again.main_line().eq(game.main_line()));
            same_headers(again, game)?;
        }
    }

    #[test]
    fn the_grammar_derives_what_is_written(game in game()) {
        let grammar = grammar(Notation::Chinese);
        let (bytes, _) = write(&game, &WriteOptions::default());
        let text = String::from_utf8(bytes).expect("UTF-8 was asked for");
        prop_assert!(derives(&grammar, &text), "{}", text);
    }
}

fn from_text(text: &str) -> Game {
    read(text.as_bytes()).remove(0)
}

/// R25: a game that Black opens begins with the number of the position and
/// Black's mark.
#[test]
fn black_first_is_written_with_dots() {
    let game = from_text(
        "[FEN \"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 0 12\"]\n\n车9平8 车一平二 *",
    );
    let (bytes, _) = write(&game, &WriteOptions::default());
    let text = String::from_utf8(bytes).expect("UTF-8");
    assert!(text.contains("\n12. ... 车9平8\n13. 车一平二\n*\n"), "{text}");
}

#[test]
fn encodings_and_what_they_lack() {
    let game = from_text("[Event \"赛𠮷\"]\n[Red \"馬\"]\n\n1. 炮二平五 {好着} 马8进7 *");
    for (encoding, lacks) in [("gb18030", vec![]), ("big5", vec![Code::EncodingUnmappable; 2])] {
        let options = WriteOptions { encoding: Some(encoding.into()), ..WriteOptions::default() };
        let (bytes, codes) = write(&game, &options);
        // Big5 has neither 𠮷 nor 赛 and 着 only as 著; moves are traditional.
        assert!(codes.iter().all(|code| lacks.contains(code)), "{encoding}: {codes:?}");
        assert_eq!(codes.is_empty(), lacks.is_empty());
        assert!(!bytes.contains(&b'?'), "{encoding}");
        let again = read(&bytes);
        assert_eq!(again[0].origin.encoding, Some(encoding));
        assert!(again[0].main_line().eq(game.main_line()), "{encoding}");
        assert_eq!(again[0].headers.red.as_deref(), Some("馬"));
    }
    let options = WriteOptions { encoding: Some("latin-1".into()), ..WriteOptions::default() };
    assert!(Pgn.write(&game, &options, &mut Vec::new()).is_err());
}

/// A byte order mark stands before the first game alone.
#[test]
fn games_one_behind_the_other_in_utf_16_are_told_apart() {
    let first = from_text("[Event \"甲\"]\n\n1. 炮二平五 马8进7 *");
    let second = from_text("[Event \"乙\"]\n\n1. 兵七进一 *");
    for encoding in ["utf-16le", "utf-16be"] {
        let mut options =
            WriteOptions { encoding: Some(encoding.into()), ..WriteOptions::default() };
        let (mut bytes, _) = write(&first, &options);
        options.continued = true;
        bytes.extend(write(&second, &options).0);
        let events: Vec<_> = read(&bytes).into_iter().map(|game| game.headers.event).collect();
        assert_eq!(events, [Some("甲".to_owned()), Some("乙".to_owned())], "{encoding}");
    }
}

/// A move that could not be played is not lost, nor are its variations.
#[test]
fn what_could_not_be_played_is_written_as_a_remark() {
    let game =
        from_text("[Event \"a\"]\n\n1. 炮二平五 马8进7 2. 马三进五 (2. 马二进三 车9平8) 车9平8 *");
    assert!(!game.unplayed.is_empty());
    let (bytes, codes) = write(&game, &WriteOptions::default());
    let text = String::from_utf8(bytes).expect("UTF-8");
    assert!(text.contains("马三进五 车9平8"), "{text}");
    assert!(codes.contains(&Code::NotWritten));
    let again = read(text.as_bytes());
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].tree.variations(), 1, "{text}");
}
