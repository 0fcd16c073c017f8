//! PGN: what a file says is what a record holds. Expected values come from
//! cases/reports/EXPECTED.tsv, reference/pgn.md and, for the real files, from
//! a peer's readings.

mod common;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use qipu::finding::Code;
use qipu::formats::{self, Format, Head, Limits, Pgn};
use qipu::notation::Notation;
use qipu::record::{NodeId, Record, Start, Written};
use qipu::replay::{ReplayOptions, replay};

/// The records of some bytes, cut and read as `qipu` does it.
fn read_with(bytes: &[u8], limits: &Limits) -> Vec<Record> {
    let mut records = Vec::new();
    let mut input = bytes;
    Pgn.cut(&mut input, limits, &mut |piece| {
        Pgn.read(&piece, limits, &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        ControlFlow::Continue(())
    })
    .expect("bytes in memory can be read");
    records
}

fn read(bytes: impl AsRef<[u8]>) -> Vec<Record> {
    read_with(bytes.as_ref(), &Limits::default())
}

fn one(text: &str) -> Record {
    let mut records = read(text);
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

/// A move word for word; `--` for a placeholder.
fn word(record: &Record, node: NodeId) -> String {
    match record.tree.node(node).written {
        Written::Text(span) => record.slice(span).to_owned(),
        Written::Squares { mv, .. } => mv.to_string(),
        _ => "--".to_owned(),
    }
}

fn main_line(record: &Record) -> String {
    record.tree.main_line().map(|node| word(record, node)).collect::<Vec<_>>().join(" ")
}

/// Every line from the start to a leaf.
fn lines(record: &Record) -> Vec<String> {
    let tree = &record.tree;
    tree.ids()
        .filter(|id| tree.first_child(*id).is_none())
        .map(|leaf| {
            let path = std::iter::successors(Some(leaf), |id| tree.parent(*id));
            let mut words: Vec<String> =
                path.filter(|id| *id != NodeId::ROOT).map(|id| word(record, id)).collect();
            words.reverse();
            words.join(" ")
        })
        .collect()
}

/// The comments as (index of the move, before, text).
fn comments(record: &Record) -> Vec<(usize, bool, &str)> {
    let comments = record.tree.comments.iter();
    comments.map(|c| (c.node.index(), c.before, c.text.as_str())).collect()
}

fn found(record: &Record) -> Vec<(Code, &str)> {
    record.findings.iter().map(|f| (f.code, f.reason.unwrap_or(""))).collect()
}

fn case(name: &str) -> Option<Vec<Record>> {
    let path = common::shared(&format!("cases/reports/{name}"))?;
    Some(read(std::fs::read(path).expect("a case can be read")))
}

fn event(record: &Record) -> &str {
    record.header("Event").unwrap_or("")
}

/// The main line as it is replayed, in ICCS.
fn played(record: &Record) -> String {
    let game = replay(record.clone(), &ReplayOptions::default());
    let moves = game.main_line().map(|mv| mv.map_or("--".to_owned(), |mv| mv.to_string()));
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
fn r10_capitals_hyphens_and_an_odd_ply() {
    let Some(records) = case("R10-iccs-uppercase-hyphen-odd-ply.pgn") else { return };
    let record = &records[0];
    assert_eq!(records.len(), 1);
    assert_eq!(main_line(record), "H2-E2 H9-G7 H0-G2 I9-H9 I0-H0 B9-C7 C3-C4 G6-G5 H0-H6");
    assert_eq!(record.result.as_ref().map(|r| r.0.as_str()), Some("1/2-1/2"));
    assert_eq!(record.notation, Some(Notation::Iccs));
    assert_eq!(record.header("RedTeam"), Some("甲队"));
    assert_eq!(record.header("blackteam"), Some("乙队"));
    assert!(matches!(record.start, Start::Fen { .. }));
    assert_eq!(played(record), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6");
}

#[test]
fn r15_a_bad_game_does_not_touch_its_neighbours() {
    let Some(records) = case("R15-illegal-move-in-second-of-three-games.pgn") else { return };
    let counts: Vec<usize> = records.iter().map(|r| r.tree.len()).collect();
    assert_eq!(counts, [10, 10, 4]);
    let results: Vec<_> = records.iter().map(|r| r.result.as_ref().map(|r| r.0.as_str())).collect();
    assert_eq!(results, [Some("1-0"), Some("0-1"), Some("1/2-1/2")]);
    assert_eq!(records.iter().map(|r| r.origin.game).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(played(&records[1]), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7");
    assert_eq!(played(&records[2]), "h2e2 h9g7 h0g2 i9h9");
}

#[test]
fn r16_where_games_begin_and_end() {
    let Some(records) = case("R16-game-boundaries.pgn") else { return };
    let events: Vec<&str> = records.iter().map(event).collect();
    assert_eq!(events, ["甲", "乙", "丙", "丁", "戊", "己", "庚"]);
    let plies: Vec<usize> = records.iter().map(|r| r.tree.len()).collect();
    assert_eq!(plies, [4, 6, 3, 2, 0, 0, 2]);
    let results: Vec<_> = records.iter().map(|r| r.result.as_ref().map(|r| r.0.as_str())).collect();
    let expected = [None, Some("1-0"), Some("0-1"), Some("1/2-1/2"), None, Some("1-0"), None];
    assert_eq!(results, expected);
    assert_eq!(records[3].header("Red"), Some("红方"));
    assert_eq!(comments(&records[5]), [(0, false, "弃权")]);
    // The tag of game 3 stands on the line of the moves of game 2.
    assert_eq!(records[2].origin.line, Some(12));
}

#[test]
fn r17_comments_hide_everything() {
    let Some(records) = case("R17-comment-traps.pgn") else { return };
    assert_eq!(records.len(), 1);
    let record = &records[0];
    assert_eq!(played(record), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5");
    assert_eq!(record.result.as_ref().map(|r| r.0.as_str()), Some("*"));
    let comments = comments(record);
    assert_eq!(comments[0].0, 0);
    assert!(comments[0].2.starts_with("开局前的话\n") && comments[0].2.contains("[%csl Ge2]"));
    assert_eq!(comments[1].0, 1);
    for part in ["( 没有关上", ";", "1-0", "\n[Event \"注释里的标签\"]"] {
        assert!(comments[1].2.contains(part), "{part}");
    }
    assert_eq!(comments[2], (2, false, "行末注 { 不算括号 2. 兵三进一"));
    assert_eq!(comments[3..5], [(4, false, "一"), (4, false, "二")]);
    assert_eq!(comments[5].0, 6);
    assert_eq!(comments.len(), 6);
}

#[test]
fn r18_tag_values() {
    let Some(records) = case("R18-tag-values-and-bom.pgn") else { return };
    let record = &records[0];
    assert_eq!(event(record), "第一局 (1. 炮二平五 炮8平5)");
    assert_eq!(record.header("Site"), Some(r"路径 C:\谱\甲"));
    assert_eq!(record.header("Red"), Some("红方 \"外号\" 甲"));
    assert_eq!(record.header("Black"), Some("黑方 \"无转义\" 乙"));
    assert_eq!(record.header("Remark"), Some("含]右括号 和 {花括号"));
    assert_eq!(found(record), [(Code::BadHeader, "unescaped-quote")]);
    let place = record.findings[0].place.source.expect("a place in the file");
    assert_eq!((place.line, place.column), (4, 1));
    assert_eq!(played(record), "h2e2 h9g7 h0g2 i9h9");
}

#[test]
fn r19_to_r21_encodings() {
    let Some(records) = case("R19-utf16le-bom-crlf.pgn") else { return };
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].origin.encoding, Some("utf-16le"));
    assert_eq!(event(&records[0]), "双字节文件");
    assert!(!records[0].text.contains('\0'));
    assert_eq!(played(&records[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7");

    let Some(records) = case("R20-gb18030-first-chinese-byte-late.pgn") else { return };
    assert_eq!(records.len(), 13);
    let last = &records[12];
    assert_eq!(last.origin.encoding, Some("gb18030"));
    assert_eq!((event(last), last.header("Red")), ("晚到的汉字", Some("红謀誠")));
    assert_eq!(last.header("Black"), Some("黑𠮷"));
    assert_eq!(comments(last), [(3, false, "神聖之局，衆人皆知")]);
    assert_eq!(played(last), "h2e2 h9g7 h0g2 i9h9");

    let Some(records) = case("R21-big5-with-ascii-second-bytes.pgn") else { return };
    assert_eq!(records[0].origin.encoding, Some("big5"));
    assert_eq!(event(&records[0]), "馬到成功");
    assert_eq!(records[0].header("Site"), Some("四院"));
    assert_eq!(comments(&records[0]), [(3, false, "開局要點: 許多譜四平八穩")]);
    assert_eq!(played(&records[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7");
}

#[test]
fn r24_placeholders_keep_their_place() {
    let Some(records) = case("R24-unreadable-move-placeholder.pgn") else { return };
    assert_eq!(records.len(), 2);
    for (record, ply, text) in [(&records[0], 6, "--"), (&records[1], 4, "？？？？")] {
        let node = NodeId::from_index(ply);
        let Written::Placeholder(span) = record.tree.node(node).written else {
            panic!("ply {ply} is a placeholder");
        };
        assert_eq!(record.slice(span), text);
    }
    assert_eq!(played(&records[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 -- c3c4 g6g5 h0h6");
    assert_eq!(played(&records[1]), "h2e2 h9g7 h0g2 -- i0h0 b9c7");
}

#[test]
fn r25_numbers_are_kept_and_not_believed() {
    let Some(records) = case("R25-black-first-and-number-noise.pgn") else { return };
    assert_eq!(records.len(), 5);
    for record in &records {
        assert_eq!(played(record), "i9h9 i0h0 b9c7 c3c4 g6g5", "{}", event(record));
    }
    let numbers = |i: usize| -> Vec<u32> {
        records[i].tree.main_line().map(|node| records[i].tree.node(node).number).collect()
    };
    assert_eq!(numbers(0), [12, 13, 0, 14, 0]);
    assert_eq!(numbers(1), [1, 1, 0, 2, 0]);
    assert_eq!(numbers(3), [0; 5]);
    assert_eq!(numbers(4), [12, 13, 0, 14, 14]);
}

#[test]
fn r26_variations() {
    let Some(records) = case("R26-sibling-and-nested-variations.pgn") else { return };
    let record = &records[0];
    assert_eq!(record.tree.len(), 10);
    let first: Vec<String> = record.tree.children(NodeId::ROOT).map(|n| word(record, n)).collect();
    assert_eq!(first, ["炮二平五", "炮八平五", "兵七进一"]);
    let mut all = lines(record);
    all.sort();
    let mut expected = [
        "炮二平五 马8进7 马二进三",
        "炮二平五 马8进7 马八进七",
        "炮八平五 马8进7",
        "炮八平五 马2进3 马二进三",
        "兵七进一 卒7进1",
    ];
    expected.sort_unstable();
    assert_eq!(all, expected);
    let of = |text: &str| {
        let comment = record.tree.comments.iter().find(|c| c.text == text);
        comment.map(|c| (word(record, c.node), c.before))
    };
    assert_eq!(of("注甲"), Some(("兵七进一".to_owned(), false)));
    assert_eq!(of("注乙"), Some(("马八进七".to_owned(), true)));
    let glyphs: Vec<_> = record.tree.glyphs.iter().map(|g| (word(record, g.0), &*g.1)).collect();
    assert_eq!(glyphs, [("卒7进1".to_owned(), "$1")]);
}

#[test]
fn results_in_words_end_a_game() {
    for (token, rest) in [("红胜", ""), ("黑方胜", ""), ("和棋", ""), ("（红胜）", ""), ("*", "")]
    {
        let record = one(&format!("[Event \"a\"]\n1. 炮二平五 马8进7 {token}\n{rest}"));
        let result = record.result.map(|r| r.0).unwrap_or_default();
        assert_eq!(result, token.trim_matches(['（', '）']));
        assert_eq!(record.tree.len(), 2);
    }
}

#[test]
fn an_advert_is_a_trailer() {
    let advert = "============\n欢迎访问《某某网》\nhttp://example.org/";
    let record = one(&format!("[Game \"Chinese Chess\"]\n1. 炮二平五 马８进７ *\n{advert}\n"));
    assert_eq!(record.trailer.map(|span| record.slice(span).to_owned()).as_deref(), Some(advert));
    assert!(record.findings.is_empty());
    // Without a result, the rule ends the game.
    let record = one(&format!("[Game \"Chinese Chess\"]\n1. 炮二平五 马８进７\n  {advert}\n"));
    assert_eq!(record.trailer.map(|span| record.slice(span).to_owned()).as_deref(), Some(advert));
}

#[test]
fn games_without_tags() {
    let records = read("1. h2e2 h9g7 1-0\n\n1. c3c4 {x} *\n1. b2e2 0-1\n");
    let all: Vec<String> = records.iter().map(main_line).collect();
    assert_eq!(all, ["h2e2 h9g7", "c3c4", "b2e2"]);
    assert_eq!(records.iter().map(|r| r.origin.line).collect::<Vec<_>>(), [1, 3, 4].map(Some));
}

#[test]
fn moves_after_the_result_are_said() {
    let record = one("[Event \"a\"]\n1. h2e2 h9g7 1-0 2. h0g2 i9h9\n");
    assert_eq!(main_line(&record), "h2e2 h9g7 h0g2 i9h9");
    assert_eq!(found(&record), [(Code::MovesAfterEnd, "after-result")]);
}

#[test]
fn a_gap_after_the_number_is_reds_empty_place() {
    let text = "[Game \"Chinese Chess\"]\n  1. 炮二平五\n{注}\n  1.          炮８平５\n  2. 马二进三 马８进７\n *";
    let record = one(text);
    let sides: Vec<_> = record.tree.main_line().map(|n| record.tree.node(n).side).collect();
    assert_eq!(sides, [None, Some(qipu::board::Color::Black), None, None]);
    assert_eq!(comments(&record), [(1, false, "注")]);
}

#[test]
fn dots_where_a_move_should_stand() {
    for text in ["1. h2e2 ... 2. h0g2 *", "1. h2e2 …… 2. h0g2 *", "1. h2e2 1... 2. h0g2 *"] {
        assert_eq!(main_line(&one(text)), "h2e2 -- h0g2", "{text}");
    }
    assert_eq!(main_line(&one("1. ... h9g7 2. h0g2 *")), "h9g7 h0g2");
    assert_eq!(main_line(&one("1. h2e2 {x} ... h9g7 *")), "h2e2 h9g7");
}

#[test]
fn glued_moves_and_numbers() {
    assert_eq!(
        main_line(&one("1.炮二平五马8进7 2.马二进三 51.兵五平六")),
        "炮二平五 马8进7 马二进三 兵五平六"
    );
    assert_eq!(main_line(&one("[Event \"a\"]\nh2e2h9g7h0g2 i9h9")), "h2e2 h9g7 h0g2 i9h9");
    assert_eq!(main_line(&one("１．炮二平五　马８进７")), "炮二平五 马８进７");
}

#[test]
fn a_variation_after_a_whole_round() {
    // Its number has no dots, so it replaces Red's move.
    let record = one("1. h2e2 h9g7 2. h0g2 i9h9 (2. b0c2 i9h9) 3. i0h0 *");
    assert_eq!(main_line(&record), "h2e2 h9g7 h0g2 i9h9 i0h0");
    assert!(lines(&record).contains(&"h2e2 h9g7 b0c2 i9h9".to_owned()));
    let record = one("1. h2e2 h9g7 2. h0g2 i9h9 (2... b9c7) 3. i0h0 *");
    assert!(lines(&record).contains(&"h2e2 h9g7 h0g2 b9c7".to_owned()));
}

#[test]
fn brackets_that_are_not_closed() {
    let text =
        "[Event \"a\"]\n1. h2e2 {no end\n\n[Event \"b\"]\n[Red \"r\"]\n\n1. c3c4 {good} g6g5 *\n";
    let records = read(text);
    assert_eq!(records.len(), 2);
    assert_eq!(found(&records[0]), [(Code::Truncated, "comment-not-closed")]);
    assert_eq!(comments(&records[0]), [(1, false, "no end")]);
    assert_eq!(main_line(&records[1]), "c3c4 g6g5");
    let record = one("1. h2e2 (1. c3c4 g6g5\n");
    assert_eq!(found(&record), [(Code::Truncated, "variation-not-closed")]);
    let record = one("1. h2e2 ) h9g7 } *\n");
    assert_eq!(main_line(&record), "h2e2 h9g7");
    let codes: Vec<Code> = record.findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, [Code::Corrupt, Code::Corrupt]);
}

#[test]
fn words_among_the_moves_are_kept_and_said() {
    let record = one("[Event \"a\"]\n1. 炮二平五 马8进7 黑方此着有误 2. 马二进三 *");
    assert_eq!(main_line(&record), "炮二平五 马8进7 马二进三");
    assert_eq!(comments(&record), [(2, false, "黑方此着有误")]);
    assert_eq!(found(&record), [(Code::UnreadableMove, "not-a-move")]);
    // Where the number waits for a move, the words stand for one.
    let record = one("[Event \"a\"]\n1. 炮二平五 马8进7 2. 马○进三 车9平8 *");
    assert_eq!(main_line(&record), "炮二平五 马8进7 马○进三 车9平8");
}

#[test]
fn the_tree_by_parent_numbers() {
    let record = one("[Event \"a\"]\n0-h2e2{甲} 0-c3c4 1-h9g7 1-b9c7 2-g6g5 3-h0g2 \n");
    assert_eq!(record.tree.len(), 6);
    let mut all = lines(&record);
    all.sort();
    assert_eq!(all, ["c3c4 g6g5", "h2e2 b9c7", "h2e2 h9g7 h0g2"]);
    assert_eq!(comments(&record), [(1, false, "甲")]);
    assert_eq!(found(&record), [(Code::DialectRead, "parent-numbers")]);
    // Ranks before files: 27 is h2.
    let record = one("[Event \"a\"]\n0-2724 1-9776 \n");
    assert_eq!(main_line(&record), "h2e2 h9g7");
}

#[test]
fn limits_are_kept_and_said() {
    let limits = |change: fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        limits
    };
    let text = "[Event \"a\"]\n1. h2e2 {abcdef} (1. c3c4 (1. b2e2)) h9g7 2. h0g2 *\n\n[Event \"b\"]\n1. c3c4 *\n";
    let has = |records: &[Record], reason: &str| {
        let mut findings = records.iter().flat_map(|r| &r.findings);
        findings.any(|f| f.code == Code::LimitExceeded && f.reason == Some(reason))
    };
    let records = read_with(text.as_bytes(), &limits(|l| l.moves = 3));
    assert!(has(&records, "moves") && records[0].tree.len() == 3);
    let records = read_with(text.as_bytes(), &limits(|l| l.depth = 1));
    assert!(has(&records, "depth") && records[0].tree.len() == 4);
    assert!(comments(&records[0]).contains(&(2, false, "(1. b2e2)")));
    let records = read_with(text.as_bytes(), &limits(|l| l.comment_bytes = 3));
    assert!(has(&records, "comment-bytes"));
    let records = read_with(text.as_bytes(), &limits(|l| l.games = 1));
    assert!(has(&records, "games") && records.len() == 1);
}

#[test]
fn a_game_too_long_is_cut() {
    let mut text = String::from("[Event \"a\"]\n");
    while text.len() < 3 << 20 {
        text.push_str("1. h2e2 h9g7 2. e2h2 g7h9\n");
    }
    let limits = Limits { game_bytes: 1 << 20, ..Limits::default() };
    let records = read_with(text.as_bytes(), &limits);
    assert!(records.len() >= 2);
    let said = |r: &Record| found(r).contains(&(Code::LimitExceeded, "game-bytes"));
    assert!(records.iter().any(said));
    let plies: usize = records.iter().map(|r| r.tree.len()).sum();
    assert_eq!(plies, text.matches("h2e2").count() * 4, "nothing is lost at the cut");
}

/// A file is read the same wherever the stream is cut.
#[test]
fn pieces_do_not_change_what_is_read() {
    let mut text = String::new();
    let mut games = 0;
    while text.len() < (2 << 20) + 5000 {
        games += 1;
        text.push_str(&format!(
            "[Game \"Chinese Chess\"]\n[Event \"第{games}局\"]\n[Red \"甲\"]\n\n1. 炮二平五 {{注 {games}\n[Event \"非\"]}} 马8进7 2. 马二进三 *\n\n"
        ));
    }
    let mut pieces = 0;
    Pgn.cut(&mut text.as_bytes(), &Limits::default(), &mut |_| {
        pieces += 1;
        ControlFlow::Continue(())
    })
    .expect("bytes in memory can be read");
    assert!(pieces >= 2);
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    for bytes in [text.into_bytes(), wide] {
        let records = read(&bytes);
        assert_eq!(records.len(), games);
        for (i, record) in records.iter().enumerate() {
            assert_eq!(event(record), format!("第{}局", i + 1));
            assert_eq!(record.tree.len(), 3);
            assert_eq!(record.origin.line, Some(i as u32 * 7 + 1));
            assert!(record.findings.is_empty());
        }
    }
}

#[test]
fn sniffing_goes_by_content() {
    let sniff = |text: &str, extension: &str| {
        let head = Head { bytes: text.as_bytes(), complete: true, extension };
        formats::sniff(&head).map(|f| f.info().id.name())
    };
    assert_eq!(sniff("[Event \"a\"]\n[Red \"b\"]\n\n1. 炮二平五 *", ""), Some("pgn"));
    assert_eq!(sniff("[Game \"Chinese Chess\"]\n", "txt"), Some("pgn"));
    assert_eq!(sniff("1. 炮二平五 马8进7\n2. 马二进三 车9平8\n", "txt"), Some("text"));
    assert_eq!(sniff("1. h2e2 h9g7 (1. c3c4) *", "pgn"), Some("pgn"));
    let chess = "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 *";
    assert_eq!(sniff(chess, "pgn"), None);
    assert_eq!(sniff("Dear reader, this is a letter about nothing.", "pgn"), None);
    assert_eq!(sniff("今天天气很好，我们去公园下棋。", "txt"), None);
}

/// Loose files of the real corpus against a peer's reading.
///
/// Where the peer read fewer moves it stopped at a comment, a placeholder or
/// an illegal move; where it read none it did not know the encoding. What we
/// owe is never to read less, and to read the same moves as far as it went.
#[test]
fn real_files_agree_with_a_peer() {
    let Some(corpus) = common::shared("corpus") else { return };
    let peer = peer_readings(&corpus);
    let mut differ = Vec::new();
    let (mut files, mut games, mut same) = (0, 0, 0);
    for folder in ["pgn-chinese", "pgn-iccs", "pgn-wxf"] {
        for path in sorted(&corpus.join(folder)) {
            let bytes = std::fs::read(&path).expect("a corpus file can be read");
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
            let key = format!("{folder}/{name}");
            let records = read_any(&bytes, &path);
            assert!(!records.is_empty(), "{key}: no game");
            files += 1;
            games += records.len();
            let Some(theirs) = peer.get(&key).filter(|p| !p.is_empty()) else { continue };
            let ours = played(&records[0]);
            if ours.starts_with(theirs.as_str()) {
                same += 1;
            } else {
                differ.push(format!("{key}\n  peer {theirs}\n  ours {ours}"));
            }
        }
    }
    println!("{files} files, {games} games, {same} agree with the peer");
    let unexplained: Vec<&String> =
        differ.iter().filter(|line| !KNOWN.iter().any(|known| line.starts_with(known.0))).collect();
    assert!(unexplained.is_empty(), "{unexplained:#?}");
}

/// Files on which the peer is wrong, and why.
const KNOWN: [(&str, &str); 3] = [
    (
        "pgn-chinese/xqwiz-BHW-UFX1-a250d89f",
        "后兵进一 with pawns on g3 and g5: it moved the one on c4",
    ),
    (
        "pgn-chinese/xqwiz-EGG-CYC1-00a6905d",
        "前兵进一 with pawns on c3 and c5: it passed the move over",
    ),
    (
        "pgn-chinese/xqwiz-bg1-bg40-1d57cd83",
        "后兵进一 with pawns on i4 and i6: it passed the move over",
    ),
];

fn read_any(bytes: &[u8], path: &Path) -> Vec<Record> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let head = Head {
        bytes: bytes.get(..65536).unwrap_or(bytes),
        complete: bytes.len() <= 65536,
        extension: &extension,
    };
    let Some(format) = formats::sniff(&head) else { return Vec::new() };
    let mut records = Vec::new();
    let limits = Limits::default();
    let mut input = bytes;
    format
        .cut(&mut input, &limits, &mut |piece| {
            format.read(&piece, &limits, &mut |record| {
                records.push(record);
                ControlFlow::Continue(())
            });
            ControlFlow::Continue(())
        })
        .expect("bytes in memory can be read");
    records
}

fn sorted(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the corpus has the folder");
    let mut paths: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    paths
}

/// Main lines by file, from the peer's table.
fn peer_readings(corpus: &Path) -> BTreeMap<String, String> {
    let table =
        std::fs::read_to_string(corpus.join("peer-readings.tsv")).expect("the peer's table");
    let mut readings = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        if let (Some(path), Some(moves)) = (cells.first(), cells.get(6)) {
            readings.insert((*path).to_owned(), (*moves).to_owned());
        }
    }
    readings
}
