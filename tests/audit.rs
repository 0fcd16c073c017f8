//! The arbiter's report: what is decided, with which article, on sheets of
//! real and made-up games.

mod common;

use std::fs;
use std::path::Path;

use qipu::audit::{
    Audit, AuditOptions, Fate, Plan, Point, Sheet, Standing, articles, audit, audit_both, gist,
    named_in, read_sheets,
};
use qipu::board::{Color, Position};
use qipu::finding::Lang;
use qipu::game::GameResult;
use qipu::import::{Entry, ReadOptions};
use qipu::notation::{Notation, Style, render};

/// The reports on the games of a file.
fn reports(entry: &Entry, options: &AuditOptions) -> Vec<Audit> {
    let file = read_sheets(entry, &ReadOptions::default(), None).expect("readable");
    file.sheets.into_iter().map(|sheet| audit(sheet, options)).collect()
}

fn report(text: &str, options: &AuditOptions) -> Audit {
    let mut all = reports(&Entry::bytes("sheet.pgn", text.as_bytes().to_vec()), options);
    assert_eq!(all.len(), 1, "one game");
    all.remove(0)
}

/// The reports on one of the shared cases; nothing where they are absent.
fn case(name: &str) -> Vec<Audit> {
    let Some(folder) = common::shared("cases/reports") else { return Vec::new() };
    let found = fs::read_dir(folder).expect("a folder").filter_map(Result::ok);
    let mut files = found.filter(|file| file.file_name().to_string_lossy().starts_with(name));
    let path = files.next().expect("the case").path();
    reports(&Entry::file(path), &AuditOptions::default())
}

fn points<'a>(report: &'a Audit, code: &'a str) -> impl Iterator<Item = &'a Point> {
    report.points.iter().filter(move |point| point.code == code)
}

/// Article, side and ply of the first point with a code.
fn first(report: &Audit, code: &str) -> Option<(&'static str, Option<Color>, Option<u32>)> {
    points(report, code).next().map(|point| (point.article, point.side, point.ply))
}

const RED: Option<Color> = Some(Color::Red);
const BLACK: Option<Color> = Some(Color::Black);

/// Every article that a report can name has its row in `docs/rules.md`.
#[test]
fn every_article_is_in_the_docs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
    let page = fs::read_to_string(path).expect("the page");
    let cells: Vec<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .filter_map(|line| line.split(" |").next())
        .flat_map(|cell| cell.split(", ").map(str::to_owned).collect::<Vec<_>>())
        .collect();
    for article in articles() {
        assert!(cells.iter().any(|cell| cell == article), "docs/rules.md has no row for {article}");
        for lang in Lang::ALL {
            assert!(gist(article, lang).is_some_and(|gist| !gist.is_empty()), "{article}");
        }
    }
    // The texts name no article that the table does not have.
    let texts = include_str!("../src/finding/catalogue/points.txt");
    let looks = |word: &&str| {
        let digits = word.chars().all(|c| c.is_ascii_digit() || c == '.');
        digits && word.contains('.') && word.chars().next().is_some_and(|c| c != '.')
    };
    for line in texts.lines().filter(|line| line.starts_with("en") || line.starts_with("zh")) {
        let words = line.split(|c: char| !(c.is_ascii_digit() || c == '.'));
        for word in words.map(|word| word.trim_matches('.')).filter(looks) {
            assert_eq!(named_in(word).next(), Some(word), "{line}");
        }
    }
}

/// R15: an illegal move is 4.1.6 at its ply, and the verdict waits for it.
#[test]
fn an_illegal_move_is_to_be_decided() {
    let all = case("R15");
    let Some(second) = all.get(1) else { return };
    assert_eq!(first(second, "illegal-move"), Some(("4.1.6", RED, Some(7))));
    assert_eq!(second.verdict.standing, Standing::Open);
    assert!(points(second, "illegal-move").all(|point| point.position.is_some()));
    assert_eq!(all[0].verdict.standing, Standing::Recorded);
    assert_eq!(all[0].verdict.result, GameResult::RedWins);
}

/// R30: the article for each broken rule.
#[test]
fn each_broken_rule_has_its_article() {
    let all = case("R30");
    let found: Vec<_> = all.iter().filter_map(|report| first(report, "illegal-move")).collect();
    if all.is_empty() {
        return;
    }
    let illegal = ("4.1.6", RED, Some(1));
    let facing = ("4.1.2", RED, Some(1));
    let missing = ("7.3", BLACK, Some(2));
    assert_eq!(found, [facing, illegal, illegal, illegal, illegal, illegal, missing]);
    assert!(all.iter().all(|report| report.verdict.standing == Standing::Open));
}

/// R05: a gap keeps its place, and is proposed where one move fits.
#[test]
fn a_gap_is_completed_where_one_move_fits() {
    let all = case("R05");
    if all.is_empty() {
        return;
    }
    for (report, proposal) in all.iter().zip([Some("i9h9".parse().unwrap()), None]) {
        let gap = points(report, "missing-move").next().expect("the gap");
        assert_eq!((gap.article, gap.side, gap.ply), ("7.1", BLACK, Some(6)));
        assert_eq!(gap.proposal, proposal);
        let unrecorded = points(report, "unrecorded").next().expect("counted");
        assert_eq!(unrecorded.side, BLACK);
    }
}

/// R22 and R23: result against board, loop and remark.
#[test]
fn the_board_decides_against_the_record() {
    let found: Vec<_> = case("R23")
        .iter()
        .map(|report| {
            let verdict = &report.verdict;
            (verdict.standing.name(), verdict.result.code(), verdict.article, verdict.agrees())
        })
        .collect();
    if found.is_empty() {
        return;
    }
    assert_eq!(
        found,
        [
            ("decided", "1-0", Some("4.1.3"), false),
            ("decided", "1-0", Some("4.1.1"), false),
            ("open", "1-0", None, true),
            ("recorded", "0-1", None, true),
            ("decided", "1/2-1/2", Some("26.2"), true),
        ]
    );
    let checks = case("R22");
    assert_eq!(checks[0].verdict.result, GameResult::BlackWins);
    assert_eq!(first(&checks[0], "repetition").map(|point| point.0), Some("24.1"));
    assert_eq!(checks[1].verdict.result, GameResult::Draw);
}

fn plan(name: &str) -> AuditOptions {
    let mut options = AuditOptions::default();
    options.clock.plan = Plan::by_name(name);
    assert!(options.clock.plan.is_some());
    options
}

/// A line of two chariots that go to and fro, with a clock comment for each
/// ply.
fn shuffle(plies: usize, tail: &str, clock: impl Fn(usize) -> Option<String>) -> String {
    // Up, over to the other edge, and back again: no loop for a while.
    let across = |side: usize, step: usize| {
        let (home, rank) = if side == 0 { (0, 1) } else { (9, 8) };
        let files = b"abcdefghi";
        let at = |n: usize| {
            let n = n % 16;
            char::from(files[if n < 9 { n } else { 16 - n }])
        };
        match step {
            0 => format!("a{home}a{rank}"),
            step => format!("{}{rank}{}{rank}", at(step - 1), at(step)),
        }
    };
    let mut text = String::from("[Game \"Chinese Chess\"]\n[Format \"ICCS\"]\n\n");
    for ply in 0..plies {
        if ply % 2 == 0 {
            text.push_str(&format!("{}. ", ply / 2 + 1));
        }
        text.push_str(&across(ply % 2, ply / 2));
        text.push(' ');
        if let Some(clock) = clock(ply + 1) {
            text.push_str(&format!("{{{clock}}} "));
        }
    }
    text + tail
}

/// Article 6.3 asks 40 moves in 10 minutes.
#[test]
fn a_control_is_overstepped_by_ply() {
    // Red uses 16 seconds a move: 600 are gone with move 38.
    let emt = |ply: usize| Some(format!("[%emt 0:00:{:02}]", if ply % 2 == 1 { 16 } else { 5 }));
    let report = report(&shuffle(80, "*", emt), &plan("6.3"));
    assert_eq!(first(&report, "clock-overstepped"), Some(("4.1.4", RED, Some(75))));
    let verdict = &report.verdict;
    assert_eq!((verdict.result, verdict.article), (GameResult::BlackWins, Some("4.1.4")));
    let black = &report.clock.sides[1];
    assert_eq!((black.used(), black.overstepped()), (Some(200), None));
}

/// Times left, with the plan of 2007: 40 minutes and 30 seconds a move.
#[test]
fn times_left_give_times_used() {
    let clk = |ply: usize| {
        let made = u32::try_from(ply.div_ceil(2)).unwrap();
        let base = if ply % 2 == 1 { 4800 } else { 2400 };
        // 30 seconds come and 60 go with each move.
        let left = base + 30 * made - 60 * made - 30;
        Some(format!("[%clk {}]", qipu::audit::shown(left)))
    };
    let report = report(&shuffle(20, "*", clk), &plan("2007-odds"));
    for side in &report.clock.sides {
        assert!(side.disorder.is_empty(), "{:?}", side.disorder);
        assert_eq!(side.used(), Some(630), "{:?}", side.readings);
        assert_eq!(side.overstepped(), None);
    }
}

/// Three announced fouls lose at the ply of the third.
#[test]
fn the_third_foul_loses() {
    let mut options = AuditOptions::default();
    for foul in ["red:9.1.3@4", "red:9.1.1@8", "black:9.1.2@9", "red:7.1@12"] {
        options.fouls.push(foul.parse().unwrap());
    }
    let report = report(&shuffle(20, "1/2-1/2", |_| None), &options);
    let verdict = &report.verdict;
    assert_eq!((verdict.result, verdict.article), (GameResult::BlackWins, Some("4.1.8")));
    assert_eq!((verdict.ply, verdict.agrees()), (Some(12), false));
}

/// A wrong claim of the natural limit costs a foul and five minutes.
#[test]
fn a_wrong_claim_costs() {
    let mut options = plan("6.5-10");
    options.claims.push("red:natural-limit@20".parse().unwrap());
    options.clock.used = [Some(200), Some(100)];
    let text = shuffle(20, "*", |_| None);
    let told = report(&text, &options);
    assert_eq!(first(&told, "claim"), Some(("23.3", RED, Some(20))));
    assert_eq!(told.fouls[0].foul.article, "9.1.4");
    assert_eq!(told.verdict.standing, Standing::None, "the game goes on");
    options.clock.used = [Some(301), Some(100)];
    let lost = report(&text, &options);
    assert_eq!(lost.verdict.result, GameResult::BlackWins, "five minutes more are too many");
}

/// The first sheet in some bytes, if there is one.
fn any_sheet(bytes: &[u8]) -> Option<Sheet> {
    let file =
        read_sheets(&Entry::bytes("a.txt", bytes.to_vec()), &ReadOptions::default(), Some(1));
    file.expect("readable").sheets.pop()
}

/// Whatever is left of a sheet, there is a report; and a row for each
/// half-move of the game that two sheets give.
#[test]
fn a_torn_sheet_is_borne() {
    let red = include_bytes!("data/audit/red-sheet.txt");
    let black = include_bytes!("data/audit/black-sheet.txt");
    let options = plan("6.1");
    for torn in (0..red.len()).step_by(11) {
        let Some(sheet) = any_sheet(&red[..torn]) else { continue };
        let whole = any_sheet(black).expect("a sheet");
        let both = audit_both(sheet.clone(), whole, &options);
        let merged = both.merged.as_ref().expect("two sheets");
        assert_eq!(merged.rows.len(), both.line.plies.len(), "{torn}");
        let _ = audit(sheet, &options);
    }
}

/// Sheets of different games, in every pair: nothing falls over, and hardly a
/// pair agrees.
#[test]
fn sheets_of_different_games() {
    let Some(folder) = common::shared("cases/reports") else { return };
    let mut sheets = Vec::new();
    for file in fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        if file.file_name().to_string_lossy().starts_with('R') {
            sheets.extend(any_sheet(&fs::read(file.path()).expect("readable")));
        }
    }
    for pair in sheets.windows(2) {
        let both = audit_both(pair[0].clone(), pair[1].clone(), &AuditOptions::default());
        let merged = both.merged.as_ref().expect("two sheets");
        assert_eq!(merged.rows.len(), both.line.plies.len());
        let mut position = both.line.start.clone();
        for half in &both.line.plies {
            if let Some(mv) = half.mv.or(half.assumed) {
                position.play(mv).expect("only legal moves are in the game");
            }
        }
    }
}

/// Real games laid beside themselves in the short record: the first sheet's
/// moves are the game, and nothing is left open.
#[test]
fn real_games_agree_with_their_short_record() {
    let Some(folder) = common::shared("corpus/pgn-chinese") else { return };
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").filter_map(Result::ok).map(|f| f.path()).collect();
    paths.sort();
    let mut compared = 0;
    for path in paths.iter().step_by(paths.len().div_ceil(12)) {
        let Some(sheet) = any_sheet(&fs::read(path).expect("readable")) else { continue };
        let moves: Vec<_> = sheet.game.main_line().flatten().collect();
        let whole = moves.len() == sheet.game.main_line().count() && sheet.game.unplayed.is_empty();
        if !whole || moves.len() < 20 || sheet.game.start != Position::start() {
            continue;
        }
        let mut position = Position::start();
        let mut short = String::new();
        for (ply, mv) in moves.iter().enumerate() {
            if ply % 2 == 0 {
                short.push_str(&format!("\n{}. ", ply / 2 + 1));
            }
            let style = Style::default();
            let text = render(Notation::Abbreviated, *mv, &position, style).expect("a short move");
            short.push_str(&text);
            short.push(' ');
            position.make(*mv);
        }
        let other = any_sheet(short.as_bytes()).expect("a sheet");
        let both = audit_both(sheet, other, &AuditOptions::default());
        let line: Vec<_> = both.line.plies.iter().filter_map(|half| half.mv).collect();
        assert_eq!(line, moves, "{}", path.display());
        let rows = &both.merged.as_ref().expect("two sheets").rows;
        assert!(rows.iter().all(|row| row.fate != Fate::Open), "{}", path.display());
        compared += 1;
    }
    assert!(compared >= 5, "only {compared} games were whole");
}
