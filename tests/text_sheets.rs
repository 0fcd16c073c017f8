//! Score sheets and WXF text: what a sheet says is what a record holds.
//! Expected values come from cases/reports/EXPECTED.tsv and from the
//! references.

mod common;

use std::ops::ControlFlow;
use std::path::Path;

use qipu::board::Color;
use qipu::finding::Code;
use qipu::formats::{self, Format, Head, Limits, Text, WriteOptions, Wxf};
use qipu::notation::Notation;
use qipu::record::{NodeId, Record, Start, Written};
use qipu::replay::{ReplayOptions, replay};

fn read_as(format: &dyn Format, bytes: &[u8]) -> Vec<Record> {
    let limits = Limits::default();
    let mut records = Vec::new();
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

fn read(text: &str) -> Vec<Record> {
    read_as(&Text, text.as_bytes())
}

fn sniffed(bytes: &[u8], extension: &str) -> Option<&'static str> {
    let head = Head { bytes, complete: true, extension };
    formats::sniff(&head).map(|format| format.info().id.name())
}

fn case(name: &str) -> Option<Vec<Record>> {
    let path = common::shared(&format!("cases/reports/{name}"))?;
    let bytes = std::fs::read(&path).expect("a case can be read");
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let format = formats::by_name(sniffed(&bytes, extension)?)?;
    Some(read_as(format, &bytes))
}

fn main_line(record: &Record) -> String {
    let words = record.tree.main_line().map(|node| match record.tree.node(node).written {
        Written::Text(span) => record.slice(span).to_owned(),
        _ => "--".to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn played(record: &Record) -> String {
    let game = replay(record.clone(), &ReplayOptions::default());
    let moves = game.main_line().map(|mv| mv.map_or("--".to_owned(), |mv| mv.to_string()));
    moves.collect::<Vec<_>>().join(" ")
}

fn numbers(record: &Record) -> Vec<u32> {
    record.tree.main_line().map(|node| record.tree.node(node).number).collect()
}

fn comments(record: &Record) -> Vec<(usize, &str)> {
    record.tree.comments.iter().map(|c| (c.node.index(), c.text.as_str())).collect()
}

#[test]
fn r03_two_sheets_in_a_file() {
    let Some(records) = case("R03-front-rear-prefix-dropped.txt") else { return };
    assert_eq!(records.len(), 2);
    for (record, last) in records.iter().zip(["炮五平四", "炮五退一"]) {
        assert_eq!(record.tree.len(), 7);
        assert!(main_line(record).ends_with(last));
        assert_eq!((record.header("Red"), record.header("Black")), (Some("红方"), Some("黑方")));
    }
    // The last move of the first sheet stands on line 6 of the file.
    let node = NodeId::from_index(7);
    let Written::Text(span) = records[0].tree.node(node).written else { panic!("a written move") };
    assert_eq!(records[0].point(span).line, 6);
}

#[test]
fn r05_a_half_round_shows_in_the_numbers() {
    let Some(records) = case("R05-one-reply-left-out.txt") else { return };
    assert_eq!(records.len(), 2);
    for record in &records {
        assert_eq!(numbers(record), [1, 0, 2, 0, 3, 4, 0, 5, 0]);
    }
}

#[test]
fn r06_wxf_moves_under_labels() {
    let Some(records) = case("R06-wxf-lowercase-black-and-dot.txt") else { return };
    let record = &records[0];
    assert_eq!(record.notation, Some(Notation::Wxf));
    assert_eq!(
        (record.header("Red"), record.header("Black")),
        (Some("redside"), Some("blackside"))
    );
    let moves = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8";
    assert_eq!(played(record), moves);
}

#[test]
fn r07_wxf_file() {
    let Some(records) = case("R07-wxf-file-with-fen-black-first.wxf") else { return };
    let record = &records[0];
    assert_eq!(record.origin.format.name(), "wxf");
    assert_eq!(record.header("RED"), Some("红方;;;"));
    assert_eq!(record.header("DATE"), Some("2-8-2014"));
    assert_eq!(record.tree.node(NodeId::from_index(1)).side, Some(Color::Black));
    assert_eq!(played(record), "i9h9 i0h0 b9c7 c3c4");
    let game = replay(record.clone(), &ReplayOptions::default());
    assert_eq!(
        game.start.fen_board(),
        "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R"
    );
    assert_eq!(game.headers.red.as_deref(), Some("红方"));
}

#[test]
fn r08_a_fen_a_line() {
    let Some(records) = case("R08-fen-one-per-line.txt") else { return };
    assert_eq!(records.len(), 12);
    assert!(records.iter().all(|record| matches!(record.start, Start::Fen { .. })));
    let plies: Vec<usize> = records.iter().map(|record| record.tree.len()).collect();
    assert_eq!(plies, [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(played(&records[3]), "h2e2 h9g7");
    let lines: Vec<_> = records.iter().filter_map(|record| record.origin.line).collect();
    assert_eq!(lines, (1..=12).collect::<Vec<u32>>());
}

#[test]
fn r12_marks_belong_to_the_move() {
    let Some(records) = case("R12-abbreviated-overline-underline-two-habits.txt") else { return };
    assert_eq!(records.len(), 2);
    for record in &records {
        assert_eq!(record.notation, Some(Notation::Abbreviated));
        assert_eq!(record.tree.len(), 10);
    }
    assert!(main_line(&records[0]).contains("车26\u{332}"));
    assert!(main_line(&records[1]).contains("车26\u{305}"));
}

#[test]
fn r13_remark_lines_and_clocks() {
    let Some(records) = case("R13-comment-lines-holding-move-text.txt") else { return };
    let record = &records[0];
    assert_eq!(records.len(), 1);
    assert_eq!(played(record), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5");
    let places: Vec<usize> = record.tree.comments.iter().map(|c| c.node.index()).collect();
    assert_eq!(places, [2, 5, 7, 8]);
    let eighth = NodeId::from_index(8);
    let clock = record.tree.clocks.iter().find(|clock| clock.node == eighth);
    assert_eq!(clock.map(|clock| clock.text.as_str()), Some("0:07"));
}

#[test]
fn r29_wide_digits_and_old_characters() {
    let Some(records) = case("R29-fullwidth-digits-and-variant-characters.txt") else { return };
    let record = &records[0];
    assert_eq!(record.header("Result"), Some("先胜"));
    assert_eq!(played(record), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7");
    let game = replay(record.clone(), &ReplayOptions::default());
    assert_eq!(game.headers.result.code(), "1-0");
}

#[test]
fn the_heading_is_read() {
    let text = "\
第三届甲乙杯象棋赛
赛事地点：某地
2004年5月6日

李甲　先胜　王乙
棋谱　红方　黑方
1. 炮二平五　马8进7
2. 马二进三　车9平8
（红胜）
编者按：好棋。
";
    let records = read(text);
    assert_eq!(records.len(), 1);
    let record = &records[0];
    assert_eq!(record.header("Event"), Some("第三届甲乙杯象棋赛"));
    assert_eq!((record.header("Red"), record.header("Black")), (Some("李甲"), Some("王乙")));
    assert_eq!(record.header("Date"), Some("2004年5月6日"));
    assert_eq!(record.header("Result"), Some("先胜"));
    assert_eq!(record.result.as_ref().map(|r| r.0.as_str()), Some("红胜"));
    assert_eq!(record.trailer.map(|span| record.slice(span)), Some("编者按：好棋。"));
    for header in &record.headers {
        assert_eq!(record.slice(header.span), header.value, "{}", header.name);
    }
}

#[test]
fn layouts() {
    let moves = "炮二平五 马8进7 马二进三 车9平8 车一平二 马2进3 兵七进一 卒7进1";
    for (what, text) in [
        (
            "one round a line",
            "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n3. 车一平二 马2进3\n4. 兵七进一 卒7进1\n",
        ),
        (
            "several a line",
            "  1. 炮二平五  马8进7    2. 马二进三  车9平8\n  3. 车一平二  马2进3    4. 兵七进一  卒7进1\n",
        ),
        (
            "columns",
            "1. 炮二平五 马8进7   3. 车一平二 马2进3\n2. 马二进三 车9平8   4. 兵七进一 卒7进1\n",
        ),
        (
            "one move a line",
            "炮二平五\n马8进7\n马二进三\n车9平8\n车一平二\n马2进3\n兵七进一\n卒7进1\n",
        ),
        (
            "moves numbered",
            "1 炮二平五\n2 马8进7\n3 马二进三\n4 车9平8\n5 车一平二\n6 马2进3\n7 兵七进一\n8 卒7进1\n",
        ),
        (
            "a table",
            "回合\t红方\t黑方\n1\t炮二平五\t马8进7\n2\t马二进三\t车9平8\n3\t车一平二\t马2进3\n4\t兵七进一\t卒7进1\n",
        ),
        (
            "other signs",
            "1、炮二平五，马8进7；2、马二进三，车9平8；3、车一平二，马2进3。4、兵七进一，卒7进1。",
        ),
        ("glued", "炮二平五马8进7马二进三车9平8车一平二马2进3兵七进一卒7进1"),
        (
            "rounds in words",
            "第一回合 炮二平五 马8进7\n第二回合 马二进三 车9平8\n第三回合 车一平二 马2进3\n第四回合 兵七进一 卒7进1\n",
        ),
    ] {
        assert_eq!(sniffed(text.as_bytes(), "txt"), Some("text"), "{what}");
        let records = read(text);
        assert_eq!(records.len(), 1, "{what}");
        assert_eq!(main_line(&records[0]), moves, "{what}");
        assert_eq!(played(&records[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5", "{what}");
    }
}

#[test]
fn asides_do_not_move() {
    let text = "\
1.炮二平五！！  马8进7  如改走炮8平5，则马二进三  马8进7

车一平二，车9进1，红先。

2。马二进三  车9平8
3。车一平二  （红优）
";
    let records = read(text);
    assert_eq!(records.len(), 1);
    assert_eq!(main_line(&records[0]), "炮二平五 马8进7 马二进三 车9平8 车一平二");
    let comments = comments(&records[0]);
    assert!(comments[0].0 == 2 && comments[0].1.starts_with("如改走"), "{comments:?}");
    assert!(comments[0].1.ends_with("红先。"), "{comments:?}");
    assert_eq!(comments[1], (5, "红优"));
    assert_eq!(records[0].tree.glyphs, [(NodeId::from_index(1), "！！".to_owned())]);
}

#[test]
fn charts_of_variations() {
    let text = "\
[Title \"图\"]

　开始　　　　　　　　　
　　↓　　　　　　　　　
炮二平五…兵七进一　
　　↓　　　　↓　　
马８进７　卒７进１…马８进７　
　　↓　　　　　　　
马二进三　　　　　　

(1,1): {另一着}
(0,0): {起手}
";
    assert_eq!(sniffed(text.as_bytes(), ""), Some("text"));
    let records = read(text);
    assert_eq!(records.len(), 1);
    let record = &records[0];
    assert_eq!(main_line(record), "炮二平五 马８进７ 马二进三");
    let words = |node: NodeId| match record.tree.node(node).written {
        Written::Text(span) => record.slice(span),
        _ => "",
    };
    let first: Vec<&str> = record.tree.children(NodeId::ROOT).map(words).collect();
    assert_eq!(first, ["炮二平五", "兵七进一"]);
    let other = record.tree.children(NodeId::ROOT).nth(1).expect("the second first move");
    let replies: Vec<&str> = record.tree.children(other).map(words).collect();
    assert_eq!(replies, ["卒７进１", "马８进７"]);
    assert_eq!(comments(record), [(2, "另一着"), (0, "起手")]);
    assert!(
        record.findings.iter().any(|f| f.code == Code::DialectRead && f.reason == Some("chart"))
    );
}

#[test]
fn a_page_with_a_game_a_row() {
    let text = "\
<html><body><table>
<tr><td>赛事</td><td>日期</td><td>红方</td><td>黑方</td><td>结果</td><td>第一手</td><td>第二手</td></tr>
<tr><td>甲杯</td><td>1992-5-17</td><td>李甲</td><td>王乙</td><td>和棋</td><td>炮二平五</td><td>马８进７</td></tr>
<tr><td>乙杯</td><td>1993-5-2</td><td>赵丙</td><td>钱丁</td><td>红胜</td><td>兵七进一</td><td>卒７进１</td></tr>
</table></body></html>
";
    let records = read(text);
    assert_eq!(records.len(), 2);
    assert_eq!(main_line(&records[1]), "兵七进一 卒７进１");
    for (name, value) in [("赛事", "乙杯"), ("红方", "赵丙"), ("黑方", "钱丁"), ("结果", "红胜")]
    {
        assert_eq!(records[1].header(name), Some(value));
    }
    assert_eq!(records[1].origin.line, Some(4));
}

/// A row that names no event begins with its date, whose last figures look
/// like a move in digits (-6-1, 11-1).
#[test]
fn a_row_that_begins_with_its_date() {
    for date in ["1985-6-1", "1986-11-1", "1985-6-12", "1997.5.1", "1990年2月11日"] {
        let text = format!(
            "\
<html><body><table>
<tr><td>赛事</td><td>时间</td><td>地点</td><td>红方</td><td>黑方</td><td>结果</td><td>着法</td></tr>
<tr><td>甲杯</td><td>1992-5-1</td><td>甲城</td><td>李甲</td><td>王乙</td><td>和棋</td><td>炮二平五</td><td>马８进７</td></tr>
<tr><td></td><td>{date}</td><td>乙城</td><td>赵丙</td><td>钱丁</td><td>黑胜</td><td>兵七进一</td><td>卒７进１</td></tr>
</table></body></html>
"
        );
        let records = read(&text);
        assert_eq!(records.len(), 2, "{date}");
        assert_eq!(main_line(&records[1]), "兵七进一 卒７进１", "{date}");
        for (name, value) in
            [("Date", date), ("地点", "乙城"), ("红方", "赵丙"), ("黑方", "钱丁"), ("结果", "黑胜")]
        {
            assert_eq!(records[1].header(name), Some(value), "{date}");
        }
        assert!(records[1].findings.is_empty(), "{date}: {:?}", records[1].findings);
        assert_eq!(records[0].header("Date"), Some("1992-5-1"));
    }
}

#[test]
fn a_position_and_moves() {
    let fen = "5k3/9/9/9/9/9/9/9/4K4/R8 w";
    for text in [
        format!("{fen}\na0a9\nf9f8\n红胜\n"),
        format!("{fen}, a0a9 f9f8, 1-0\n"),
        format!("a0a9f9f8\n{}--01\n", fen.replace(' ', "")),
    ] {
        let records = read(&text);
        assert_eq!(records.len(), 1, "{text}");
        assert_eq!(played(&records[0]), "a0a9 f9f8", "{text}");
    }
}

#[test]
fn junk_is_not_claimed() {
    for text in [
        "",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n",
        "今天下午三点在会议室开会，请各位准时参加。\n",
        "id,name,price\n1,a2,3.50\n2,b7,4.10\n",
        "{\"a\": [1, 2, 3], \"b\": \"c4\"}\n",
    ] {
        assert_eq!(sniffed(text.as_bytes(), "txt"), None, "{text}");
    }
    let bytes: Vec<u8> =
        (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    assert_eq!(sniffed(&bytes, "txt"), None);
}

#[test]
fn wxf_damage_is_said() {
    let found = |text: &str| -> Vec<(Code, &'static str)> {
        let records = read_as(&Wxf, text.as_bytes());
        let findings = records.iter().flat_map(|record| &record.findings);
        findings.map(|f| (f.code, f.reason.unwrap_or(""))).collect()
    };
    assert_eq!(found("FORMAT WXF\nRED\ta\n\nSTART{\n1. C2.5 H8+7\n}END\n"), []);
    assert_eq!(found("FORMAT WXF\nSTART{\n1. C2.5"), [(Code::Truncated, "moves-not-closed")]);
    assert_eq!(found("FORMAT WXF\nRED\ta\n"), [(Code::Truncated, "no-moves")]);
    assert_eq!(found("FORMAT WXF\nhello\nSTART{\n}END\n"), [(Code::BadHeader, "no-key")]);
}

#[test]
fn several_wxf_games_and_remarks() {
    let text = "FORMAT\tWXF\nRED\ta;;;\n/* time control */\nSTART{\n1. C2.5! H8+7\n}END\n\nFORMAT\tWXF\nRED\tb;;;\nSTART{\n}END\n";
    let records = read_as(&Wxf, text.as_bytes());
    assert_eq!(records.len(), 2);
    assert_eq!(comments(&records[0]), [(0, "time control")]);
    assert_eq!(records[0].tree.glyphs.len(), 1);
    assert_eq!(records[1].header("RED"), Some("b;;;"));
    assert_eq!(records[1].origin.line, Some(8));
}

/// What a writer writes, its reader reads: moves and header fields.
#[test]
fn what_is_written_is_read() {
    let pgn = "\
[Event \"甲杯\"]
[Date \"1956.12.15\"]
[Site \"某地\"]
[Red \"李甲\"]
[Black \"王乙\"]
[Result \"1-0\"]

1. 炮二平五 {中炮} 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 1-0
";
    let record = read_as(&formats::Pgn, pgn.as_bytes()).remove(0);
    let game = replay(record, &ReplayOptions::default());
    let formats: [(&dyn Format, &[Notation]); 2] = [
        (&Text, &[Notation::Chinese, Notation::Wxf, Notation::Iccs, Notation::Uci]),
        (&Wxf, &[Notation::Wxf, Notation::Iccs]),
    ];
    for (format, notations) in formats {
        for notation in notations {
            let options = WriteOptions { notation: Some(*notation), ..WriteOptions::default() };
            let mut bytes = Vec::new();
            format.write(&game, &options, &mut bytes).expect("memory takes the text");
            let name = format.info().id.name();
            assert_eq!(sniffed(&bytes, ""), Some(name), "{notation}");
            let records = read_as(format, &bytes);
            assert_eq!(records.len(), 1, "{name} {notation}");
            let again = replay(records[0].clone(), &ReplayOptions::default());
            assert!(again.main_line().eq(game.main_line()), "{name} {notation}");
            assert_eq!(again.headers.red, game.headers.red);
            assert_eq!(again.headers.black, game.headers.black);
            assert_eq!(again.headers.event, game.headers.event, "{name} {notation}");
            assert_eq!(again.headers.date, game.headers.date);
            assert_eq!(again.headers.result, game.headers.result);
            if name == "text" {
                assert_eq!(again.tree.comments, game.tree.comments);
            }
        }
    }
}

/// Every text of the real corpus yields games, and nearly every move of them
/// is legal; the counts are of files that were looked at.
#[test]
fn real_sheets() {
    let Some(folder) = common::shared("corpus/txt") else { return };
    let mut games = 0;
    let (mut plies, mut unplayed) = (0, 0);
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("the corpus has the folder")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    paths.sort();
    for path in &paths {
        let bytes = std::fs::read(path).expect("a corpus file can be read");
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
        let name = sniffed(&bytes, &extension).unwrap_or_default();
        assert!(matches!(name, "text" | "fen"), "{}", path.display());
        let records = read_as(formats::by_name(name).expect("a known format"), &bytes);
        let expected = GAMES.iter().find(|(file, _)| is(path, file)).map_or(1, |(_, n)| *n);
        assert_eq!(records.len(), expected, "{}", path.display());
        games += records.len();
        for record in records {
            let game = replay(record, &ReplayOptions::default());
            plies += game.main_line().count();
            unplayed += game.unplayed.len();
        }
    }
    println!("{} files, {games} games, {plies} plies, {unplayed} moves not played", paths.len());
    // One list has no start position; a few moves are wrong in the source.
    assert!(unplayed * 100 < plies);
}

fn is(path: &Path, prefix: &str) -> bool {
    path.file_name().and_then(|n| n.to_str()).is_some_and(|name| name.starts_with(prefix))
}

/// Files with more than one game, counted by their headings. The `_out` files
/// print each game as moves and once more as a chart.
const GAMES: &[(&str, usize)] = &[
    ("hbcc-01.pgn_out", 2),
    ("hbcc-4.xqf_out", 2),
    ("hbqt-0beb01b1", 27),
    ("hbqt-ec970a6b", 37),
    ("hbqt-f2b69375", 41),
    ("hbqt-qm001", 147),
    ("w88-6887df5e", 27),
    ("w88-cb37eed2", 37),
    ("w88-fa88527d", 41),
];

/// A game that every layout below shows.
const ROUNDS: [(&str, &str); 8] = [
    ("炮二平五", "马8进7"),
    ("马二进三", "车9平8"),
    ("车一平二", "马2进3"),
    ("兵七进一", "卒7进1"),
    ("车二进六", "炮8平9"),
    ("车二平三", "炮9退1"),
    ("马八进七", "士4进5"),
    ("炮八平九", "炮9平7"),
];

const PLAYED: &str = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8 b0c2 d9e8 \
                      b2a2 i8g8";

/// Columns of characters, from the right to the left or the other way.
fn vertical(columns: &[String], leftwards: bool) -> String {
    let mut columns: Vec<Vec<char>> = columns.iter().map(|c| c.chars().collect()).collect();
    if leftwards {
        columns.reverse();
    }
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let row = |i: usize| {
        let cells: Vec<String> =
            columns.iter().map(|c| c.get(i).copied().unwrap_or('　').to_string()).collect();
        cells.join("　") + "\n"
    };
    (0..height).map(row).collect()
}

#[test]
fn vertical_text_of_old_books() {
    const WIDE: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];
    let wide = |text: &str| -> String {
        text.chars().map(|c| c.to_digit(10).map_or(c, |d| WIDE[d as usize])).collect()
    };
    let moves: Vec<String> = ROUNDS.iter().flat_map(|(r, b)| [wide(r), wide(b)]).collect();
    let rounds: Vec<String> = ROUNDS.iter().map(|(r, b)| wide(&format!("{r}{b}"))).collect();
    let mut titled = vec!["顺手炮局".to_owned()];
    titled.extend(moves.iter().cloned());
    titled.push("红胜".to_owned());
    for (what, text) in [
        ("a move a column", vertical(&moves, true)),
        ("a round a column", vertical(&rounds, true)),
        ("from the left", vertical(&moves, false)),
        ("two tiers", vertical(&moves[..8], true) + "\n" + &vertical(&moves[8..], true)),
        ("with title and result", vertical(&titled, true)),
        ("below a heading", "李甲　先胜　王乙\n\n".to_owned() + &vertical(&moves, true)),
    ] {
        assert_eq!(sniffed(text.as_bytes(), "txt"), Some("text"), "{what}");
        let records = read(&text);
        assert_eq!(records.len(), 1, "{what}");
        assert_eq!(played(&records[0]), PLAYED, "{what}");
        let found = records[0].findings.iter().any(|f| f.reason == Some("vertical"));
        assert!(found, "{what}: {:?}", records[0].findings);
    }
    let below = read(&("李甲　先胜　王乙\n\n".to_owned() + &vertical(&moves, true)));
    assert_eq!(below[0].header("Black"), Some("王乙"));
    // 炮 of the first move stands in the third line, at the right end.
    let Written::Text(span) = below[0].tree.node(NodeId::from_index(1)).written else {
        panic!("a text has moves in words")
    };
    let point = below[0].point(span);
    assert_eq!((point.line, point.column), (3, 31));
    let title = read(&vertical(&titled, true));
    assert_eq!(title[0].header("Event"), Some("顺手炮局"));
    assert_eq!(title[0].result.as_ref().map(|r| r.0.as_str()), Some("红胜"));
}

/// More rounds of that game, for numbers of two digits.
const MORE: [(&str, &str); 4] = [
    ("车三平四", "马7进8"),
    ("车九平八", "车1平2"),
    ("车八进六", "炮2平1"),
    ("车八平七", "车2进2"),
];

const PLAYED_MORE: &str = "g6f6 g7h5 a0b0 a9b9 b0b6 b7a7 b6c6 b9b7";

/// 1 to 12 in words.
const IN_WORDS: [&str; 12] =
    ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];

fn twelve_rounds() -> Vec<(usize, String, String)> {
    let rounds = ROUNDS.iter().chain(&MORE).enumerate();
    rounds.map(|(i, (red, black))| (i + 1, (*red).to_owned(), (*black).to_owned())).collect()
}

fn full_width(text: &str) -> String {
    text.chars()
        .map(|c| c.to_digit(10).and_then(|d| char::from_u32(0xFF10 + d)).unwrap_or(c))
        .collect()
}

/// Columns whose first cell may hold a number in narrow digits. `padded` makes
/// every cell as wide as a character.
fn numbered_columns(columns: &[(String, String)], padded: bool) -> String {
    let height = columns.iter().map(|(_, moves)| moves.chars().count()).max().unwrap_or(0);
    let row = |cell: &dyn Fn(&(String, String)) -> String| -> String {
        columns.iter().rev().map(cell).collect::<Vec<_>>().join("　") + "\n"
    };
    let pad = |text: &str| match (padded, text.len()) {
        (true, 1) => format!("{text} "),
        (true, 0) => "　".to_owned(),
        _ => text.to_owned(),
    };
    let mut text = row(&|column| pad(&column.0));
    for i in 0..height {
        text += &row(&|column| {
            column.1.chars().nth(i).map_or("　".to_owned(), |c| pad(&c.to_string()))
        });
    }
    text
}

#[test]
fn vertical_text_with_numbers() {
    let rounds = twelve_rounds();
    let glue = |number: &dyn Fn(usize) -> String| -> Vec<String> {
        rounds.iter().map(|(n, r, b)| number(*n) + &full_width(&format!("{r}{b}"))).collect()
    };
    let cut = |columns: Vec<String>| -> Vec<String> {
        let all: Vec<char> = columns.concat().chars().collect();
        all.chunks(11).map(|column| column.iter().collect()).collect()
    };
    let in_words = |n: usize| IN_WORDS[n - 1].to_owned();
    let circled = |n: usize| char::from_u32(0x245F + n as u32).into_iter().collect::<String>();
    let wide = |n: usize| full_width(&n.to_string());
    let narrow: Vec<(String, String)> =
        rounds.iter().map(|(n, r, b)| (n.to_string(), full_width(&format!("{r}{b}")))).collect();
    let all_narrow: Vec<(String, String)> =
        rounds.iter().map(|(n, r, b)| (n.to_string(), format!("{r}{b}"))).collect();
    let halves: Vec<(String, String)> = rounds
        .iter()
        .flat_map(|(n, r, b)| [(n.to_string(), r.clone()), (String::new(), full_width(b))])
        .collect();
    for (what, text) in [
        ("wide digits", vertical(&glue(&wide), true)),
        ("words", vertical(&glue(&in_words), true)),
        ("words and commas", vertical(&glue(&|n| in_words(n) + "︑"), true)),
        ("words in brackets", vertical(&glue(&|n| format!("︵{}︶", in_words(n))), true)),
        ("rounds in words", vertical(&glue(&|n| format!("第{}回合", in_words(n))), true)),
        ("circles", vertical(&glue(&circled), true)),
        ("run on, wide digits", vertical(&cut(glue(&wide)), true)),
        ("run on, words", vertical(&cut(glue(&in_words)), true)),
        ("run on from the left", vertical(&cut(glue(&in_words)), false)),
        ("narrow digits side by side", numbered_columns(&narrow, true)),
        ("a move a column", numbered_columns(&halves, true)),
        ("narrow digits everywhere", numbered_columns(&all_narrow, true)),
        ("narrow digits, nothing made up for", numbered_columns(&all_narrow, false)),
    ] {
        let records = read(&text);
        assert_eq!(records.len(), 1, "{what}\n{text}");
        assert_eq!(played(&records[0]), format!("{PLAYED} {PLAYED_MORE}"), "{what}\n{text}");
        let expected: Vec<u32> = (1..=12).flat_map(|n| [n, 0]).collect();
        assert_eq!(numbers(&records[0]), expected, "{what}");
        let game = replay(records[0].clone(), &ReplayOptions::default());
        let others = game
            .findings
            .iter()
            .filter(|f| f.code != Code::ResultMissing && f.reason != Some("vertical"));
        assert_eq!(others.count(), 0, "{what}: {:?}", game.findings);
    }
    // 车 of round 12 stands in the second line of the leftmost column.
    let records = read(&numbered_columns(&narrow, true));
    let node = NodeId::from_index(23);
    let Written::Text(span) = records[0].tree.node(node).written else {
        panic!("a text has moves in words")
    };
    let point = records[0].point(span);
    assert_eq!((point.line, point.column), (2, 1));
    // A round that was left out shows in the numbers.
    let mut gap = glue(&in_words);
    gap.remove(5);
    let records = read(&vertical(&gap, true));
    assert_eq!(numbers(&records[0])[8..12], [5, 0, 7, 0]);
}

#[test]
fn numbers_glued_to_moves() {
    let rounds = twelve_rounds();
    let lines = |line: &dyn Fn(usize, &str, &str) -> String| -> String {
        rounds.iter().map(|(n, r, b)| line(*n, r, b) + "\n").collect()
    };
    let in_words = |n: usize| IN_WORDS[n - 1];
    for (what, text) in [
        ("digits", lines(&|n, r, b| format!("{n}{r}{b}"))),
        ("wide digits", lines(&|n, r, b| full_width(&format!("{n}{r}　{b}")))),
        ("words", lines(&|n, r, b| format!("{}{r} {b}", in_words(n)))),
        ("words and commas", lines(&|n, r, b| format!("{}、{r} {b}", in_words(n)))),
    ] {
        let records = read(&format!("李甲 先胜 王乙\n{text}"));
        assert_eq!(records.len(), 1, "{what}");
        assert_eq!(played(&records[0]), format!("{PLAYED} {PLAYED_MORE}"), "{what}");
        let expected: Vec<u32> = (1..=12).flat_map(|n| [n, 0]).collect();
        assert_eq!(numbers(&records[0]), expected, "{what}");
        let game = replay(records[0].clone(), &ReplayOptions::default());
        assert_eq!(game.findings, [], "{what}");
    }
    // The second of four pawns, in a list without numbers.
    let fen = "3k5/9/9/2P6/2P6/2P6/2P6/9/9/4K4 w";
    for text in ["二兵平六", "二兵七平六"] {
        assert_eq!(played(&read(&format!("{fen}\n{text}\n"))[0]), "c5d5", "{text}");
    }
}

#[test]
fn prose_in_lines_is_not_vertical() {
    // Read downwards these lines hold a move or two by chance.
    let text = "炮车马\n二一二\n平平进\n五二三\n";
    assert!(read(text)[0].findings.iter().all(|f| f.reason != Some("vertical")));
    let text = "这一局红方平炮进马，黑方退车平卒，平平进进退退。\n又一局平平。\n";
    assert_eq!(sniffed(text.as_bytes(), "txt"), None);
}

#[test]
fn the_moves_of_each_side_by_themselves() {
    let side = |i: usize, between: &str| {
        let moves = ROUNDS.iter().map(|(r, b)| if i == 0 { *r } else { *b });
        moves.collect::<Vec<_>>().join(between)
    };
    for (what, text) in [
        ("lines", format!("红方：{}\n黑方：{}\n", side(0, " "), side(1, " "))),
        ("columns", format!("红\n{}\n黑\n{}\n", side(0, "\n"), side(1, "\n"))),
        ("with a result", format!("红方 {}\n黑方 {}\n黑胜\n", side(0, "，"), side(1, "，"))),
    ] {
        let records = read(&text);
        assert_eq!(records.len(), 1, "{what}");
        assert_eq!(played(&records[0]), PLAYED, "{what}");
        let result = records[0].result.as_ref().map(|r| r.0.as_str());
        assert_eq!(result, (what == "with a result").then_some("黑胜"), "{what}");
        assert!(records[0].findings.iter().any(|f| f.reason == Some("sides")), "{what}");
    }
    // A reply that was left out does not make the rest Red's.
    let text = "红方：炮二平五 马二进三 车一平二\n黑方：马8进7 车9平8\n";
    assert_eq!(played(&read(text)[0]), "h2e2 h9g7 h0g2 i9h9 i0h0");
}

#[test]
fn columns_of_clocks() {
    let table = |rows: &dyn Fn(usize, &str, &str) -> String| -> String {
        ROUNDS.iter().enumerate().map(|(i, (r, b))| rows(i + 1, r, b)).collect()
    };
    for (text, first) in [
        (table(&|n, r, b| format!("{n} {r} 00:0{n} {b} 00:1{n}\n")), "00:01"),
        (table(&|n, r, b| format!("{n}. {r}\t{n}'\t{b}\t2'\n")), "1'"),
        (table(&|n, r, b| format!("{n}. {r} 0:00:0{n} {b} 0:01:0{n}\n")), "0:00:01"),
    ] {
        let records = read(&format!("回合 红方 用时 黑方 用时\n{text}"));
        assert_eq!(records.len(), 1, "{text}");
        assert_eq!(played(&records[0]), PLAYED, "{text}");
        let clocks = &records[0].tree.clocks;
        assert_eq!(clocks.len(), 16, "{text}");
        assert_eq!((clocks[0].node.index(), clocks[0].text.as_str()), (1, first));
        assert_eq!(clocks[15].node.index(), 16);
        let game = replay(records[0].clone(), &ReplayOptions::default());
        assert!(game.findings.iter().all(|f| f.code == Code::ResultMissing), "{:?}", game.findings);
    }
}

#[test]
fn players_and_results() {
    for (line, red, black, result) in [
        ("李甲 红先胜 王乙", "李甲", "王乙", "1-0"),
        ("李甲 先和 王乙", "李甲", "王乙", "1/2-1/2"),
        ("李甲（先负）王乙", "李甲", "王乙", "0-1"),
        ("李甲先胜王乙", "李甲", "王乙", "1-0"),
        ("红方 李甲  先胜  黑方 王乙", "李甲", "王乙", "1-0"),
        ("上海李甲 (红先负) 北京王乙", "上海李甲", "北京王乙", "0-1"),
        ("李甲（红）对 王乙（黑）", "李甲", "王乙", "*"),
        ("李甲（红）先和王乙（黑）", "李甲", "王乙", "1/2-1/2"),
    ] {
        let records = read(&format!("{line}\n1. 炮二平五 马8进7\n2. 马二进三 车9平8\n"));
        let game = replay(records[0].clone(), &ReplayOptions::default());
        let headers = (game.headers.red.as_deref(), game.headers.black.as_deref());
        assert_eq!(headers, (Some(red), Some(black)), "{line}");
        assert_eq!(game.headers.result.code(), result, "{line}");
    }
}

#[test]
fn dates_in_words() {
    for (line, date) in [
        ("民国二十五年三月一日弈于上海", "1936-03-01"),
        ("中華民國四十五年十二月十五日", "1956-12-15"),
        ("一九五六年十二月十五日 北京", "1956-12-15"),
        ("日期：民国25年3月1日", "1936-03-01"),
        ("二〇〇八年五月三日", "2008-05-03"),
        ("民國廿五年三月", "1936-03"),
        ("1956年12月15日于北京", "1956-12-15"),
    ] {
        let records = read(&format!("{line}\n李甲 先胜 王乙\n1. 炮二平五 马8进7\n"));
        let game = replay(records[0].clone(), &ReplayOptions::default());
        assert_eq!(game.headers.date.map(|d| d.to_string()).as_deref(), Some(date), "{line}");
    }
}

#[test]
fn pages_with_heads_of_their_own() {
    let rounds = |range: std::ops::Range<usize>| -> String {
        let lines = range.map(|i| format!("{}. {} {}\n", i + 1, ROUNDS[i].0, ROUNDS[i].1));
        lines.collect::<Vec<_>>().concat()
    };
    for between in ["\u{C}甲杯　第2页\n红方：李甲　黑方：王乙\n", "\n- 13 -\n\n", "\n第 2 页\n"]
    {
        let head = "甲杯　第1页\n红方：李甲　黑方：王乙\n";
        let text = format!("{head}{}{between}{}（和棋）\n", rounds(0..4), rounds(4..8));
        let records = read(&text);
        assert_eq!(records.len(), 1, "{between}");
        assert_eq!(played(&records[0]), PLAYED, "{between}");
        assert_eq!(records[0].result.as_ref().map(|r| r.0.as_str()), Some("和棋"));
    }
}

/// The head of a sheet on each of its pages, in the middle of a game.
#[test]
fn page_breaks_within_a_game() {
    let rounds = twelve_rounds();
    let numbered = |range: std::ops::Range<usize>| -> String {
        let lines = rounds[range].iter().map(|(n, r, b)| format!("{n}.\t{r}\t{b}\n"));
        lines.collect::<Vec<_>>().concat()
    };
    let bare = |range: std::ops::Range<usize>| -> String {
        let lines = rounds[range].iter().map(|(_, r, b)| format!("{r} {b}\n"));
        lines.collect::<Vec<_>>().concat()
    };
    let clocks = |range: std::ops::Range<usize>| -> String {
        let lines =
            rounds[range].iter().map(|(n, r, b)| format!("{n} {r} 0:{n:02} {b} 1:{n:02}\n"));
        lines.collect::<Vec<_>>().concat()
    };
    let heads = "回合\t红方\t黑方\n";
    let names = "李甲 先胜 王乙\n";
    let (red, black) = (&rounds[5].1, &rounds[5].2);
    for (what, text) in [
        (
            "title, page, names and heads of columns",
            format!(
                "甲杯　第1页\n{names}{heads}{}甲杯　第2页\n{names}{heads}{}甲杯　第3页\n{names}{heads}{}",
                numbered(0..5),
                numbered(5..9),
                numbered(9..12)
            ),
        ),
        (
            "labels and a result",
            format!(
                "甲杯\n红方：李甲\n黑方：王乙\n结果：红胜\n\n{heads}{}\u{C}甲杯\n第二页\n红方：李甲\n\
                 黑方：王乙\n结果：红胜\n\n{heads}{}",
                numbered(0..6),
                numbered(6..12)
            ),
        ),
        ("no numbers", format!("甲杯\n{names}{}\n甲杯　第2页\n{names}{}", bare(0..6), bare(6..12))),
        (
            "no numbers, a number of the page alone",
            format!("{names}{}\n- 2 -\n\n{names}{}", bare(0..6), bare(6..12)),
        ),
        (
            "a round over the page",
            format!(
                "甲杯　第1页\n{names}{}6.\t{red}\n\n甲杯　第2页\n{names}6.\t……\t{black}\n{}",
                numbered(0..5),
                numbered(6..12)
            ),
        ),
        (
            "a round over the page, its number once",
            format!(
                "甲杯　第1页\n{names}{}6.\t{red}\n\n甲杯　第2页\n{names}{black}\n{}",
                numbered(0..5),
                numbered(6..12)
            ),
        ),
        (
            "clocks",
            format!(
                "{names}序号 红方 用时 黑方 用时\n{}第三页\n{names}序号 红方 用时 黑方 用时\n{}",
                clocks(0..6),
                clocks(6..12)
            ),
        ),
        (
            "the last round once more",
            format!("甲杯 第1页\n{names}{}第2页\n{}", numbered(0..6), numbered(5..12)),
        ),
        (
            "turn over",
            format!(
                "甲杯\n{names}{}（转下页）\n第4页\n（接上页）\n甲杯\n{}",
                numbered(0..6),
                numbered(6..12)
            ),
        ),
    ] {
        let records = read(&text);
        assert_eq!(records.len(), 1, "{what}\n{text}");
        assert_eq!(played(&records[0]), format!("{PLAYED} {PLAYED_MORE}"), "{what}\n{text}");
        let game = replay(records[0].clone(), &ReplayOptions::default());
        let names = (game.headers.red.as_deref(), game.headers.black.as_deref());
        assert_eq!(names, (Some("李甲"), Some("王乙")), "{what}");
        assert_eq!(game.headers.result.code(), "1-0", "{what}");
        assert_eq!(game.findings, [], "{what}");
        if what == "clocks" {
            assert_eq!(game.tree.clocks.len(), 24);
        }
    }
    // The same head above a new game, and another head.
    for text in [
        format!("甲杯　第1页\n{names}{}甲杯　第2页\n{names}{}", numbered(0..6), numbered(0..4)),
        format!("甲杯\n{names}{}甲杯\n赵丙 先负 王乙\n{}", bare(0..6), bare(0..4)),
        format!("{names}{}第2页\n第二局\n{names}{}", bare(0..6), bare(0..4)),
        format!("{names}{}红胜\n第2页\n{names}{}", bare(0..6), bare(0..4)),
    ] {
        let plies: Vec<usize> = read(&text).iter().map(|record| record.tree.len()).collect();
        assert_eq!(plies, [12, 8], "{text}");
    }
}

#[test]
fn short_and_full_in_one_sheet() {
    let text =
        "李甲 先胜 王乙\n1. 炮二平五 马87\n2. 马23 车9平8\n3. 车一平二 马23\n4. 车26 卒7进1\n";
    assert_eq!(played(&read(text)[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 g6g5");
}
