//! Every format that is written: what it carries comes back, what it does not
//! carry is told, and a character that the encoding lacks is never lost in
//! silence.

use std::ops::ControlFlow;

use qipu::finding::{Code, Finding};
use qipu::formats::{self, Format, WriteError, WriteOptions};
use qipu::game::Game;
use qipu::import::{Entry, ReadOptions, read_file};
use qipu::record::NodeId;

/// Three first moves, alternatives within alternatives, remarks before and
/// behind moves, and every field.
const GAME: &str = "\
[Game \"Chinese Chess\"]
[Event \"甲杯\"]
[Site \"乙城\"]
[Date \"1956.12.15\"]
[Round \"3\"]
[Red \"李甲\"]
[Black \"王乙\"]
[RedTeam \"丙队\"]
[BlackTeam \"丁队\"]
[Result \"1-0\"]
[Title \"戊题\"]
[Annotator \"己评\"]
[ECCO \"C00\"]
[Extra \"庚\"]

{起手}
1. 炮二平五 {正着} ({先注}1. 炮八平五 {变注} 马2进3 (1. ... 马8进7 {又一变}) 2. 马八进七)
(1. 兵七进一 卒7进1 2. 马八进七) 马8进7 2. 马二进三 (2. 兵三进一 {另着}) 车9平8 {终局} 1-0
";

const WRITTEN: [&str; 8] = ["pgn", "jsonl", "xqf", "cbr", "dhtmlxq", "xqr", "text", "wxf"];

fn games(name: &str, bytes: &[u8]) -> Vec<Game> {
    let mut games = Vec::new();
    let entry = Entry::bytes(name, bytes.to_vec());
    read_file(&entry, &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    })
    .expect("bytes can be read");
    games
}

fn game(text: &str) -> Game {
    let mut games = games("game.pgn", text.as_bytes());
    assert_eq!(games.len(), 1);
    games.remove(0)
}

fn format(name: &str) -> &'static dyn Format {
    formats::by_name(name).expect("a format")
}

fn write(
    name: &str,
    game: &Game,
    options: &WriteOptions,
) -> Result<(Vec<u8>, Vec<Finding>), WriteError> {
    let mut bytes = Vec::new();
    let findings = format(name).write(game, options, &mut bytes)?;
    Ok((bytes, findings))
}

/// The only game that is read back.
fn read(name: &str, bytes: &[u8]) -> Game {
    let mut again = games(&format!("again.{name}"), bytes);
    assert_eq!(again.len(), 1, "{name}");
    let game = again.remove(0);
    assert_eq!(game.origin.format.name(), name);
    game
}

/// The lines of the tree, first those that begin with the first move.
fn lines(game: &Game) -> Vec<String> {
    let tree = &game.tree;
    let mut lines = Vec::new();
    let mut stack = vec![(NodeId::ROOT, String::new())];
    while let Some((node, line)) = stack.pop() {
        let mut children: Vec<_> = tree.children(node).collect();
        if children.is_empty() {
            lines.push(line.clone());
        }
        children.reverse();
        for child in children {
            let mv = tree.node(child).mv.expect("all moves are legal");
            stack.push((child, format!("{line} {mv}")));
        }
    }
    lines
}

fn comments(game: &Game) -> Vec<(NodeId, bool, &str)> {
    game.tree.comments.iter().map(|c| (c.node, c.before, c.text.as_str())).collect()
}

fn told(findings: &[Finding], reason: &str) -> bool {
    findings.iter().any(|f| f.code == Code::NotWritten && f.reason == Some(reason))
}

#[test]
fn the_list_is_complete() {
    for info in formats::all().iter().map(|format| format.info()) {
        assert_eq!(info.writes, WRITTEN.contains(&info.id.name()), "{}", info.id.name());
        let mut bytes = Vec::new();
        let wrote = format(info.id.name()).write(&game(GAME), &WriteOptions::default(), &mut bytes);
        assert_eq!(wrote.is_ok(), info.writes, "{}", info.id.name());
    }
}

#[test]
fn a_whole_game_comes_back() {
    let game = game(GAME);
    assert_eq!(lines(&game).len(), 5);
    assert_eq!(game.tree.comments.len(), 7);
    for name in WRITTEN {
        let (bytes, lost) = write(name, &game, &WriteOptions::default()).expect("written");
        let again = read(name, &bytes);
        let main: Vec<_> = again.main_line().collect();
        assert_eq!(main, game.main_line().collect::<Vec<_>>(), "{name}");
        // Variations and remarks: all of them, or a word about it.
        match name {
            "text" | "wxf" => assert!(told(&lost, "variations"), "{name}"),
            _ => assert_eq!(lines(&again), lines(&game), "{name}"),
        }
        match name {
            "pgn" | "jsonl" => assert_eq!(comments(&again), comments(&game), "{name}"),
            "wxf" => assert!(told(&lost, "comments")),
            "text" => {
                let words: Vec<&str> = again.tree.comments.iter().map(|c| &*c.text).collect();
                assert_eq!(words, ["起手", "正着", "终局"]);
            }
            _ => {
                // What stood before a variation stands in front of its remark.
                assert!(told(&lost, "comment-place") && told(&lost, "comments-joined"), "{name}");
                let mut words: Vec<&str> = again.tree.comments.iter().map(|c| &*c.text).collect();
                words.sort_unstable();
                let mut all = ["先注\n变注", "又一变", "另着", "正着", "终局", "起手"];
                all.sort_unstable();
                assert_eq!(words, all, "{name}");
            }
        }
        // Fields: the same, or named as lost.
        let fields: Vec<&str> = lost
            .iter()
            .filter(|f| f.reason == Some("headers"))
            .flat_map(|f| f.params.iter().flat_map(|(_, value)| value.split(", ")))
            .collect();
        let (a, b) = (&game.headers, &again.headers);
        for (field, before, after) in [
            ("event", &a.event, &b.event),
            ("site", &a.site, &b.site),
            ("round", &a.round, &b.round),
            ("red", &a.red, &b.red),
            ("black", &a.black, &b.black),
            ("red_team", &a.red_team, &b.red_team),
            ("black_team", &a.black_team, &b.black_team),
            ("ecco", &a.ecco, &b.ecco),
            ("annotator", &a.annotator, &b.annotator),
        ] {
            let same = before == after;
            assert!(
                same || fields.contains(&field) && after.is_none(),
                "{name}: {field}, {fields:?}"
            );
        }
        assert_eq!((a.date, a.result), (b.date, b.result), "{name}");
        // WXF calls the title GAME.
        let title = b.title.as_ref().or_else(|| b.other.get("GAME"));
        assert!(title == a.title.as_ref() || fields.contains(&"title"), "{name}");
        let extra =
            b.other.iter().any(|(key, value)| key.eq_ignore_ascii_case("extra") && value == "庚");
        assert!(extra || told(&lost, "headers"), "{name}: Extra");
    }
}

/// 😀 and 𠮷 are in no code page of 2 bytes, 車 in all, é in none of Big5.
#[test]
fn characters_that_an_encoding_lacks_are_told() {
    let text = GAME.replace("甲杯", "甲😀杯").replace("李甲", "李𠮷").replace("正着", "正☃着");
    let game = game(&text);
    for name in WRITTEN {
        for encoding in ["gbk", "gb18030", "big5", "utf-8", "utf-16le", "utf-16be"] {
            let options =
                WriteOptions { encoding: Some(encoding.to_owned()), ..WriteOptions::default() };
            let (bytes, lost) = match write(name, &game, &options) {
                Ok(written) => written,
                Err(WriteError::Option(why)) => {
                    assert!(why.contains("written in"), "{name} in {encoding}: {why}");
                    continue;
                }
                Err(other) => panic!("{name} in {encoding}: {other}"),
            };
            let again = read(name, &bytes);
            let line: Vec<_> = again.main_line().collect();
            assert_eq!(line, game.main_line().collect::<Vec<_>>(), "{name} in {encoding}");
            for (character, before, after) in [
                ("😀", &game.headers.event, &again.headers.event),
                ("𠮷", &game.headers.red, &again.headers.red),
            ] {
                let lacks =
                    lost.iter().any(|f| f.code == Code::EncodingUnmappable && f.text == character);
                assert!(before == after || lacks, "{name} in {encoding}: {after:?}");
                // Its number stands for the character and is read back.
                if ["pgn", "text"].contains(&name) {
                    assert_eq!(before, after, "{name} in {encoding}");
                }
                let after = after.as_deref().unwrap_or_default();
                assert!(!after.contains('?'), "{name} in {encoding}: {after}");
            }
        }
    }
}

/// A style that a format does not have is refused, not passed over.
#[test]
fn unknown_styles_are_refused() {
    let game = game(GAME);
    for name in ["xqf", "cbr", "dhtmlxq", "xqr", "pgn", "text", "wxf"] {
        let options = WriteOptions { style: Some("no-such".to_owned()), ..Default::default() };
        assert!(matches!(write(name, &game, &options), Err(WriteError::Option(_))), "{name}");
    }
}
