//! From bytes to believed games: the whole chain of formats and replay.
//!
//! The expected values are those of `cases/reports/EXPECTED.tsv` in the shared
//! material, typed in by hand, and of the articles they rest on.

mod common;

use std::ops::ControlFlow;

use qipu::board::Color;
use qipu::finding::{Code, Finding, Severity};
use qipu::game::{Game, GameResult, OutcomeKind, Winner};
use qipu::import::{Entry, ReadOptions, read_file};

/// The games of an input.
fn games(entry: &Entry, options: &ReadOptions) -> Vec<Game> {
    let mut games = Vec::new();
    read_file(entry, options, &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    })
    .expect("the input can be read");
    games
}

/// The games of a PGN text.
fn pgn(text: &str) -> Vec<Game> {
    games(&Entry::bytes("test.pgn", text.as_bytes().to_vec()), &ReadOptions::default())
}

/// The only game of a PGN movetext.
fn movetext(text: &str) -> Game {
    let mut games = pgn(&format!("[Game \"Chinese Chess\"]\n[Event \"甲\"]\n\n{text}\n"));
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// The games of a report case; `None` where the shared material is absent.
fn report(name: &str) -> Option<Vec<Game>> {
    let path = common::shared(&format!("cases/reports/{name}"))?;
    Some(games(&Entry::file(path), &ReadOptions::default()))
}

/// The main line as the JSON output has it.
fn moves(game: &Game) -> String {
    let words: Vec<String> =
        game.main_line().map(|mv| mv.map_or("--".into(), |mv| mv.to_string())).collect();
    words.join(" ")
}

fn found(game: &Game, code: Code) -> Vec<&Finding> {
    game.findings.iter().filter(|finding| finding.code == code).collect()
}

/// The only finding of a code.
fn only(game: &Game, code: Code) -> &Finding {
    match found(game, code).as_slice() {
        [finding] => finding,
        other => panic!("one {code} expected: {other:?}"),
    }
}

fn candidates(finding: &Finding) -> String {
    let mut words: Vec<String> = finding.candidates.iter().map(ToString::to_string).collect();
    words.sort();
    words.join(" ")
}

fn param<'a>(finding: &'a Finding, name: &str) -> Option<&'a str> {
    finding.params.iter().find(|(n, _)| *n == name).map(|(_, value)| value.as_str())
}

fn line_of(finding: &Finding) -> Option<u32> {
    finding.place.source.map(|point| point.line)
}

#[test]
fn r01_two_files_of_tandem_pawns() {
    let Some(games) = report("R01-two-files-of-tandem-pawns.pgn") else { return };
    let expected = [
        "g7g8", "g6f6", "c6c7", "c5b5", "c6c7", "g6h6", "", "g6h6", "g7g8", "c6c7", "c5b5", "",
        "c6c7",
    ];
    assert_eq!(games.len(), expected.len());
    for (at, (game, expected)) in games.iter().zip(expected).enumerate() {
        assert_eq!(moves(game), expected, "game {}", at + 1);
        let ambiguous = found(game, Code::AmbiguousMove);
        assert_eq!(ambiguous.len(), usize::from(expected.is_empty()), "game {}", at + 1);
        for finding in ambiguous {
            assert_eq!(candidates(finding), "c6c7 g7g8");
            assert_eq!((finding.place.ply, finding.severity), (Some(1), Severity::Error));
        }
    }
}

#[test]
fn r02_three_and_four_pawns_on_one_file() {
    let Some(games) = report("R02-three-and-four-pawns-on-one-file.pgn") else { return };
    let expected = [
        "e8f8", "e7f7", "e6d6", "e8f8", "e6d6", "c1d1", "c1d1", "c2b2", "c3b3", "c4b4", "c4b4",
        "c4b4", "",
    ];
    let played: Vec<String> = games.iter().map(moves).collect();
    assert_eq!(played, expected);
    assert_eq!(candidates(only(&games[12], Code::AmbiguousMove)), "c2b2 c3b3");
}

#[test]
fn r04_two_advisors_two_elephants_on_one_file() {
    let Some(games) = report("R04-two-advisors-two-elephants-one-file.pgn") else { return };
    let played: Vec<String> = games.iter().map(moves).collect();
    assert_eq!(played, ["d0e1", "d2e1", "g0e2", "g4e2", "", "d0e1"]);
    for game in &games[..4] {
        // The standard spelling: no word about it.
        assert!(found(game, Code::NotationSlip).is_empty());
    }
    assert_eq!(candidates(only(&games[4], Code::AmbiguousMove)), "d0e1 d2e1");
}

/// Pairs of squares stay pairs of squares where a move is illegal, as in a
/// list of games that were played with other pieces: a piece on the from-square
/// is told, no letter of a piece is seen in the name of a file.
#[test]
fn squares_are_not_read_as_pieces() {
    let text = "a1b2c3d4;g0e2,h7e7,a0a1,g6g5,a1h1,a6a5,h1f2,a5a4\n";
    let entry = Entry::bytes("list.txt", text.as_bytes().to_vec());
    let games = games(&entry, &ReadOptions::default());
    assert_eq!(games.len(), 1);
    let game = &games[0];
    assert_eq!(found(game, Code::IllegalMove)[0].text, "h1f2");
    for code in [Code::UnreadableMove, Code::DialectRead, Code::NotationSlip] {
        assert!(found(game, code).is_empty(), "{:?}", game.findings);
    }
    assert!(moves(game).starts_with("g0e2 h7e7 a0a1 g6g5 a1h1 a6a5"), "{}", moves(game));
}

#[test]
fn r09_the_fen_counts_without_a_setup_tag() {
    let Some(games) = report("R09-handicap-fen-without-setup-tag.pgn") else { return };
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKAB1R w - - 0 1";
    assert_eq!(games[0].start.fen(), fen);
    assert_eq!(moves(&games[0]), "a0b0 h9g7 b2d2 i9h9 b0b6 b9a7");
    assert!(games[0].findings.is_empty());
}

#[test]
fn r10_iccs_with_capitals_and_an_odd_ply() {
    let Some(games) = report("R10-iccs-uppercase-hyphen-odd-ply.pgn") else { return };
    let game = &games[0];
    assert_eq!(moves(game), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6");
    let headers = &game.headers;
    assert_eq!(headers.result, GameResult::Draw);
    assert_eq!((headers.date, &headers.round, &headers.site), (None, &None, &None));
    assert_eq!(headers.red_team.as_deref(), Some("甲队"));
    assert_eq!(headers.black_team.as_deref(), Some("乙队"));
}

#[test]
fn r11_algebraic_with_ranks_from_zero_or_one() {
    let Some(games) = report("R11-coordinate-san-rank-zero-or-one.pgn") else { return };
    let line = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7";
    assert_eq!(moves(&games[0]), line);
    assert_eq!(moves(&games[1]), line);
    assert_eq!(moves(&games[2]), "h2e2 h9g7 h0g2 i9h9 i0h0 h9h8 a0a1 a9a8 a1f1");
    assert_eq!(games[0].tree.comments.len(), 10);
}

#[test]
fn r14_three_branches_at_the_first_move() {
    let Some(games) = report("R14-xqf-three-branches-at-move-one.xqf") else { return };
    let game = &games[0];
    let tree = &game.tree;
    let first: Vec<String> = tree
        .children(qipu::record::NodeId::ROOT)
        .filter_map(|id| tree.node(id).mv)
        .map(|mv| mv.to_string())
        .collect();
    assert_eq!(first, ["h2e2", "b2e2", "c3c4"]);
    assert_eq!((tree.len(), tree.variations()), (6, 2));
    assert_eq!(moves(game), "h2e2 h9g7 h0g2");
    assert_eq!(game.headers.result, GameResult::RedWins);
    assert_eq!(game.headers.title.as_deref(), Some("测试谱"));
    assert_eq!(game.headers.red.as_deref(), Some("红方"));
    assert_eq!(game.headers.black.as_deref(), Some("黑方"));
    assert_eq!(game.origin.version.as_deref(), Some("10"));
    assert_eq!(game.origin.encoding, Some("gb18030"));
    let on = |text: &str| {
        let comment = tree.comments.iter().find(|comment| comment.text.contains(text)).unwrap();
        tree.node(comment.node).mv.unwrap().to_string()
    };
    assert_eq!(on("主变"), "h0g2");
    assert_eq!(on("左中炮"), "b2e2");
}

#[test]
fn r15_an_illegal_move_stays_in_its_game() {
    let Some(games) = report("R15-illegal-move-in-second-of-three-games.pgn") else { return };
    assert_eq!(games.len(), 3);
    let bad = &games[1];
    assert_eq!(moves(bad), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7");
    let finding = only(bad, Code::IllegalMove);
    assert_eq!((finding.place.ply, finding.reason), (Some(7), Some("own-piece-on-target")));
    assert_eq!((finding.text.as_str(), finding.article), ("马三进五", Some("2.3")));
    assert_eq!(param(finding, "at"), Some("e3"));
    assert_eq!(bad.unplayed, ["马三进五", "卒7进1", "车二进六", "炮8平9"]);
    assert_eq!(bad.headers.result, GameResult::BlackWins);
    assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7");
    assert_eq!(moves(&games[2]), "h2e2 h9g7 h0g2 i9h9");
    assert!(games[0].findings.is_empty() && games[2].findings.is_empty());
}

#[test]
fn r16_games_without_moves_or_result() {
    let Some(games) = report("R16-game-boundaries.pgn") else { return };
    let expected = [
        ("甲", "h2e2 h9g7 h0g2 i9h9", GameResult::Unknown),
        ("乙", "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", GameResult::RedWins),
        ("丙", "b2e2 h9g7 b0c2", GameResult::BlackWins),
        ("丁", "c3c4 g6g5", GameResult::Draw),
        ("戊", "", GameResult::Unknown),
        ("己", "", GameResult::RedWins),
        ("庚", "c3c4 g6g5", GameResult::Unknown),
    ];
    assert_eq!(games.len(), expected.len());
    for (game, (event, line, result)) in games.iter().zip(expected) {
        assert_eq!(game.headers.event.as_deref(), Some(event));
        assert_eq!((moves(game).as_str(), game.headers.result), (line, result), "{event}");
    }
    assert_eq!(found(&games[0], Code::ResultMissing).len(), 1);
    assert_eq!(found(&games[6], Code::ResultMissing).len(), 1);
    assert_eq!(games[5].tree.comments[0].text, "弃权");
}

#[test]
fn r17_comments_keep_their_place() {
    let Some(games) = report("R17-comment-traps.pgn") else { return };
    let game = &games[0];
    assert_eq!(moves(game), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5");
    let at = |text: &str| {
        let like = |c: &&qipu::record::Comment| c.text.contains(text) && text.len() > 3;
        let same = |c: &&qipu::record::Comment| c.text == text;
        let comments = &game.tree.comments;
        comments.iter().find(same).or_else(|| comments.iter().find(like)).unwrap().node.index()
    };
    assert_eq!(at("[%csl Ge2]"), 0);
    assert_eq!(at("[Event \"注释里的标签\"]"), 1);
    assert_eq!(at("行末注 { 不算括号 2. 兵三进一"), 2);
    assert_eq!((at("一"), at("二")), (4, 4));
    assert_eq!(at("红方(0:12)"), 6);
}

#[test]
fn r18_to_r21_headers_of_any_encoding() {
    let Some(games) = report("R18-tag-values-and-bom.pgn") else { return };
    let headers = &games[0].headers;
    assert_eq!(headers.event.as_deref(), Some("第一局 (1. 炮二平五 炮8平5)"));
    assert_eq!(headers.site.as_deref(), Some("路径 C:\\谱\\甲"));
    assert_eq!(headers.red.as_deref(), Some("红方 \"外号\" 甲"));
    assert_eq!(headers.black.as_deref(), Some("黑方 \"无转义\" 乙"));
    assert_eq!(headers.other["Remark"], "含]右括号 和 {花括号");
    assert_eq!(line_of(only(&games[0], Code::BadHeader)), Some(4));
    assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9");

    let line = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7";
    let Some(games) = report("R19-utf16le-bom-crlf.pgn") else { return };
    assert_eq!((games.len(), moves(&games[0]).as_str()), (1, line));
    assert_eq!(games[0].headers.event.as_deref(), Some("双字节文件"));
    assert_eq!(games[0].headers.red.as_deref(), Some("红方"));
    assert_eq!(games[0].headers.black.as_deref(), Some("黑方"));
    assert_eq!(games[0].headers.result, GameResult::BlackWins);

    let Some(games) = report("R20-gb18030-first-chinese-byte-late.pgn") else { return };
    assert_eq!(games.len(), 13);
    assert!(games[..12].iter().all(|game| moves(game) == line));
    assert_eq!(moves(&games[12]), "h2e2 h9g7 h0g2 i9h9");
    assert_eq!(games[12].headers.event.as_deref(), Some("晚到的汉字"));
    assert_eq!(games[12].headers.result, GameResult::RedWins);
    assert_eq!(games[12].headers.red.as_deref(), Some("红謀誠"));
    assert_eq!(games[12].headers.black.as_deref(), Some("黑\u{20BB7}"));
    assert_eq!(games[12].tree.comments[0].text, "神聖之局，衆人皆知");

    let Some(games) = report("R21-big5-with-ascii-second-bytes.pgn") else { return };
    assert_eq!(moves(&games[0]), line);
    assert_eq!(games[0].origin.encoding, Some("big5"));
    assert_eq!(games[0].headers.event.as_deref(), Some("馬到成功"));
    assert_eq!(games[0].headers.site.as_deref(), Some("四院"));
    assert_eq!(games[0].headers.red.as_deref(), Some("紅方"));
    assert_eq!(games[0].tree.comments[0].text, "開局要點: 許多譜四平八穩");
    assert_eq!(games[0].headers.result, GameResult::Draw);
}

#[test]
fn r22_perpetual_check_is_seen_and_the_result_kept() {
    let Some(games) = report("R22-perpetual-check-scored-as-draw.pgn") else { return };
    let one = only(&games[0], Code::Repetition);
    assert_eq!((one.place.ply, one.reason), (Some(9), Some("perpetual-check-red")));
    assert_eq!(line_of(one), Some(9));
    let mutual = only(&games[1], Code::Repetition);
    assert_eq!((mutual.place.ply, mutual.reason), (Some(8), Some("perpetual-check-mutual")));
    for game in &games {
        assert_eq!(game.headers.result, GameResult::Draw);
        assert!(game.unplayed.is_empty());
        assert_eq!(game.outcome.kind, OutcomeKind::Repetition);
    }
    // Article 24.1: who alone checks without end loses at once. The arbiter
    // is told; the recorded draw stays.
    assert_eq!(games[0].outcome.winner, Some(Winner::Side(Color::Black)));
    only(&games[0], Code::ResultMismatch);
    assert_eq!(games[1].outcome.winner, Some(Winner::Draw));
    assert!(found(&games[1], Code::ResultMismatch).is_empty());
}

#[test]
fn r23_result_against_board_and_tag() {
    let Some(games) = report("R23-result-against-board-and-tag.pgn") else { return };
    for (game, kind, recorded) in [
        (&games[0], OutcomeKind::Stalemate, GameResult::Draw),
        (&games[1], OutcomeKind::Checkmate, GameResult::BlackWins),
    ] {
        assert_eq!(game.outcome.kind, kind);
        assert_eq!(game.outcome.winner, Some(Winner::Side(Color::Red)));
        assert_eq!(game.headers.result, recorded);
        only(game, Code::ResultMismatch);
    }
    // Tag and token: the tag stays, and the token is kept beside it.
    assert_eq!(games[2].headers.result, GameResult::RedWins);
    assert_eq!(games[2].headers.other["ResultToken"], "0-1");
    assert_eq!(games[2].result_token.as_deref(), Some("0-1"));
    only(&games[2], Code::ResultMismatch);
    assert_eq!(games[3].headers.result, GameResult::BlackWins);
    assert!(found(&games[3], Code::ResultMismatch).is_empty());
    let repetition = only(&games[4], Code::Repetition);
    assert_eq!((repetition.place.ply, repetition.reason), (Some(8), Some("draw")));
    assert_eq!(games[4].headers.result, GameResult::Draw);
    assert_eq!(games[4].headers.other["Termination"], "agreement");
    // By article 24.2 such a loop is a draw, which is what was recorded.
    assert_eq!(games[4].outcome.winner, Some(Winner::Draw));
}

#[test]
fn r24_a_move_that_could_not_be_read_keeps_its_place() {
    let Some(games) = report("R24-unreadable-move-placeholder.pgn") else { return };
    assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 -- c3c4 g6g5 h0h6");
    assert_eq!(only(&games[0], Code::UnreadableMove).place.ply, Some(6));
    assert_eq!(moves(&games[1]), "h2e2 h9g7 h0g2 -- i0h0 b9c7");
    let finding = only(&games[1], Code::UnreadableMove);
    assert_eq!((finding.place.ply, finding.text.as_str()), (Some(4), "？？？？"));
}

#[test]
fn r25_numbers_never_decide_the_side() {
    let Some(games) = report("R25-black-first-and-number-noise.pgn") else { return };
    assert_eq!(games.len(), 5);
    for (at, game) in games.iter().enumerate() {
        assert_eq!(moves(game), "i9h9 i0h0 b9c7 c3c4 g6g5", "game {}", at + 1);
        assert_eq!((game.start.side(), game.start.round()), (Color::Black, 12));
        let noted = !found(game, Code::MoveNumber).is_empty();
        assert_eq!(noted, at == 1 || at == 2, "game {}", at + 1);
        assert!(found(game, Code::MissingMove).is_empty());
    }
}

#[test]
fn r26_sibling_and_nested_variations() {
    let Some(games) = report("R26-sibling-and-nested-variations.pgn") else { return };
    let tree = &games[0].tree;
    let mut lines = Vec::new();
    for id in tree.ids() {
        if tree.children(id).next().is_none() {
            let mut line = vec![id];
            while let Some(parent) = tree.parent(line[line.len() - 1]) {
                line.push(parent);
            }
            line.reverse();
            let words: Vec<String> =
                line.iter().filter_map(|id| tree.node(*id).mv).map(|mv| mv.to_string()).collect();
            lines.push(words.join(" "));
        }
    }
    lines.sort();
    assert_eq!(
        lines,
        ["b2e2 b9c7 h0g2", "b2e2 h9g7", "c3c4 g6g5", "h2e2 h9g7 b0c2", "h2e2 h9g7 h0g2",]
    );
    let move_of = |id| tree.node(id).mv.map(|mv| mv.to_string());
    let on = |text: &str| tree.comments.iter().find(|c| c.text == text).unwrap();
    assert_eq!(move_of(on("注甲").node).as_deref(), Some("c3c4"));
    assert_eq!(move_of(on("注乙").node).as_deref(), Some("b0c2"));
    assert!(on("注乙").before);
    assert_eq!(move_of(tree.glyphs[0].0).as_deref(), Some("g6g5"));
    assert_eq!(tree.len(), 10);
}

#[test]
fn r30_every_broken_rule_has_its_reason() {
    let Some(games) = report("R30-one-rule-broken-per-game.pgn") else { return };
    let expected = [
        ("generals-facing", "2.2", "车五平九"),
        // A cannon over one piece on to an empty point: the piece is in its way.
        ("path-blocked", "2.2", "炮二进六"),
        ("across-river", "2.2", "相七进五"),
        ("horse-leg", "2.2", "马二进四"),
        ("elephant-eye", "2.2", "相三进五"),
        ("leaves-king-in-check", "3.1", "车九进一"),
    ];
    for (game, (reason, article, text)) in games.iter().zip(expected) {
        let finding = only(game, Code::IllegalMove);
        assert_eq!(
            (finding.reason, finding.article, finding.text.as_str()),
            (Some(reason), Some(article), text)
        );
        assert_eq!(finding.place.ply, Some(1));
        assert_eq!(moves(game), "");
    }
    assert_eq!(param(only(&games[3], Code::IllegalMove), "at"), Some("g0"));
    assert_eq!(param(only(&games[4], Code::IllegalMove), "at"), Some("f1"));
    let wrong = only(&games[6], Code::IllegalMove);
    assert_eq!((wrong.reason, wrong.place.ply), (Some("wrong-side"), Some(2)));
    assert_eq!(moves(&games[6]), "h2e2");
    assert_eq!(games[6].unplayed, ["马二进三", "马8进7"]);
}

/// R05, in a PGN: the same two sheets.
const R05: [&str; 2] = [
    "1. 炮二平五 马8进7\n2. 马二进三 马2进3\n3. 车一平二\n4. 兵七进一 车8进1\n5. 马八进七 卒3进1",
    "1. 炮二平五 马8进7\n2. 马二进三 马2进3\n3. 车一平二\n4. 兵七进一 卒3进1\n5. 马八进七 炮8平9",
];

#[test]
fn r05_a_missing_reply_keeps_its_place() {
    let game = movetext(R05[0]);
    // 卒3进1 is c6c5: the pawn of Black's file 3.
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 b9c7 i0h0 -- c3c4 h9h8 b0c2 c6c5");
    let finding = only(&game, Code::MissingMove);
    assert_eq!((finding.place.ply, finding.severity), (Some(6), Severity::Error));
    // Behind the last move of its round, in line 3 of the movetext.
    assert_eq!(line_of(finding), Some(6));
    assert_eq!(candidates(finding), "i9h9");
    assert_eq!((param(finding, "fits"), param(finding, "side")), (Some("1"), Some("black")));
    assert!(game.unplayed.is_empty() && found(&game, Code::InferredMove).is_empty());

    let game = movetext(R05[1]);
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 b9c7 i0h0 -- c3c4 c6c5 b0c2 h7i7");
    let finding = only(&game, Code::MissingMove);
    assert_eq!((param(finding, "fits"), param(finding, "legal")), (Some("32"), Some("39")));
    assert_eq!(candidates(finding), "");
}

#[test]
fn a_missing_reply_is_filled_in_only_on_request() {
    let mut options = ReadOptions::default();
    options.replay.infer = true;
    let text = format!("[Event \"甲\"]\n\n{}\n", R05[0]);
    let game = &games(&Entry::bytes("test.pgn", text.into_bytes()), &options)[0];
    assert_eq!(moves(game), "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9 c3c4 h9h8 b0c2 c6c5");
    let inferred = only(game, Code::InferredMove);
    assert_eq!((candidates(inferred).as_str(), inferred.place.ply), ("i9h9", Some(6)));
    only(game, Code::MissingMove);
}

#[test]
fn a_sheet_with_one_sides_moves_keeps_them_on_their_side() {
    let game = movetext("1. 炮二平五 2. 马二进三 3. 车一平二 4. 兵七进一 5. 马八进七 6. 车二进六");
    assert_eq!(moves(&game), "h2e2 -- h0g2 -- i0h0 -- c3c4 -- b0c2 -- h0h6");
    assert_eq!(found(&game, Code::MissingMove).len(), 5);
    let foul = only(&game, Code::MissingMovesFoul);
    assert_eq!((param(foul, "count"), param(foul, "side")), (Some("5"), Some("black")));
    assert_eq!(foul.article, Some("7.1"));
}

#[test]
fn three_missing_in_a_row_are_no_foul() {
    let game = movetext("1. 炮二平五 2. 马二进三 3. 车一平二 4. 兵七进一 卒7进1");
    assert_eq!(moves(&game), "h2e2 -- h0g2 -- i0h0 -- c3c4 g6g5");
    assert!(found(&game, Code::MissingMovesFoul).is_empty());
}

#[test]
fn a_missing_move_of_red_is_seen_by_the_dots() {
    let game = movetext("1. 炮二平五 马8进7 2. ... 车9平8 3. 马二进三 卒7进1");
    assert_eq!(moves(&game), "h2e2 h9g7 -- i9h9 h0g2 g6g5");
    let finding = only(&game, Code::MissingMove);
    assert_eq!((finding.place.ply, param(finding, "side")), (Some(3), Some("red")));
}

#[test]
fn numbers_by_half_move_are_no_gap() {
    let game = movetext("1. 炮二平五\n2. 马8进7\n3. 马二进三\n4. 车9平8\n5. 车一平二\n6. 马2进3");
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7");
    assert!(found(&game, Code::MissingMove).is_empty());
    assert!(found(&game, Code::MoveNumber).is_empty());
}

#[test]
fn numerals_of_one_kind_for_both_sides_are_no_gap() {
    for text in [
        "1. 炮2平5 马8进7 2. 马2进3 车9平8 3. 车1平2 马2进3 4. 兵7进1 卒7进1",
        "1. 炮二平五 马八进七 2. 马二进三 车九平八 3. 车一平二 马二进三 4. 兵七进一 卒七进一",
    ] {
        let game = movetext(text);
        assert_eq!(moves(&game), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5");
        assert!(game.findings.iter().all(|finding| finding.code == Code::ResultMissing));
    }
}

#[test]
fn moves_after_mate_are_kept_and_said() {
    let games = pgn("[Event \"甲\"]\n[FEN \"3k5/7R1/9/9/8R/9/9/9/9/4K4 w - - 0 1\"]\n\n\
                     1. 车一进四 将6退1 2. 车一退一 1-0\n");
    assert_eq!(moves(&games[0]), "i5i9");
    let finding = only(&games[0], Code::MovesAfterEnd);
    assert_eq!((finding.place.ply, finding.article), (Some(2), Some("4.1.1")));
    assert_eq!(param(finding, "count"), Some("2"));
    assert_eq!(games[0].unplayed, ["将6退1", "车一退一"]);
    assert!(found(&games[0], Code::IllegalMove).is_empty());
}

#[test]
fn a_fen_whose_side_contradicts_the_moves_is_mended_and_said() {
    let games = pgn("[Event \"甲\"]\n\
                     [FEN \"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 2\"]\n\n\
                     2. ... 车9平8 3. 车一平二 马2进3 *\n");
    assert_eq!(moves(&games[0]), "i9h9 i0h0 b9c7");
    assert_eq!(games[0].start.side(), Color::Black);
    let finding = only(&games[0], Code::BadFen);
    assert_eq!(finding.reason, Some("side-contradicts-moves"));
    assert_eq!(finding.severity, Severity::Warning);
}

#[test]
fn a_fen_that_cannot_be_read_is_not_replaced_in_silence() {
    let bad = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let text = |line: &str| format!("[Event \"甲\"]\n[FEN \"{bad}\"]\n\n{line} *\n");
    // These can be played from the ordinary start position …
    let game = &pgn(&text("1. 炮二平五 马8进7"))[0];
    assert_eq!(moves(game), "h2e2 h9g7");
    assert_eq!(param(only(game, Code::BadFen), "assumed"), Some("startpos"));
    // … and these cannot.
    let game = &pgn(&text("1. 车五进二 将4退1"))[0];
    assert_eq!(moves(game), "");
    assert_eq!(game.unplayed, ["车五进二", "将4退1"]);
    assert_eq!(only(game, Code::BadFen).reason, Some("ranks"));
}

#[test]
fn where_squares_are_written_an_illegal_move_does_not_end_the_line() {
    let game = movetext("1. h2e2 h9g7 2. h0f1 i9h9 3. i0h0 b9c7");
    // The horse's leg at g0 is blocked; the squares are known all the same.
    assert_eq!(moves(&game), "h2e2 h9g7 -- i9h9 i0h0 b9c7");
    let finding = only(&game, Code::IllegalMove);
    assert_eq!((finding.place.ply, finding.reason), (Some(3), Some("horse-leg")));
    let horse = game.final_position().piece_at("f1".parse().unwrap());
    assert_eq!(horse.map(qipu::board::Piece::letter), Some('N'));
    assert!(game.unplayed.is_empty());
}

#[test]
fn squares_of_the_side_that_is_not_to_move_show_a_gap() {
    let game = movetext("1. h2e2 h9g7 2. h0g2 3. i0h0 b9c7");
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 -- i0h0 b9c7");
    assert_eq!(only(&game, Code::MissingMove).place.ply, Some(4));
    assert!(found(&game, Code::IllegalMove).is_empty());
}

#[test]
fn later_moves_decide_an_ambiguous_one() {
    // Two cannons on file 5; only the front one can come back from file 4.
    let game = movetext(
        "1. 炮二平五 马8进7 2. 炮八进二 马2进3 3. 炮八平五 士6进5 4. 炮五平四 车9平8 5. 炮四退三 *",
    );
    assert_eq!(moves(&game).split(' ').nth(6), Some("e4f4"));
    let finding = only(&game, Code::AmbiguousMove);
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(candidates(finding), "e2f2 e4f4");
}

#[test]
fn variations_of_a_move_that_cannot_be_played_are_no_main_line() {
    let game = movetext("1. 炮二平五 马8进6 (1. ... 马8进7 2. 马二进三) 2. 车一平二 *");
    assert_eq!(moves(&game), "h2e2");
    assert_eq!(game.unplayed, ["马8进6", "车一平二"]);
    assert_eq!((game.tree.len(), game.tree.variations()), (3, 1));
}

#[test]
fn r03_front_or_rear_left_out() {
    let Some(games) = report("R03-front-rear-prefix-dropped.txt") else { return };
    let prefix = "h2e2 h9g7 b2b4 b9c7 b4e4 f9e8";
    assert_eq!(moves(&games[0]), prefix);
    let ambiguous = only(&games[0], Code::AmbiguousMove);
    assert_eq!(candidates(ambiguous), "e2f2 e4f4");
    assert_eq!((ambiguous.place.ply, line_of(ambiguous)), (Some(7), Some(6)));
    assert_eq!(ambiguous.severity, Severity::Error);
    assert_eq!(moves(&games[1]), format!("{prefix} e2e1"));
    let slip = only(&games[1], Code::NotationSlip);
    assert_eq!((slip.severity, param(slip, "canonical")), (Severity::Note, Some("后炮退一")));
}

#[test]
fn r05_as_a_sheet() {
    let Some(games) = report("R05-one-reply-left-out.txt") else { return };
    assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 b9c7 i0h0 -- c3c4 h9h8 b0c2 c6c5");
    assert_eq!(moves(&games[1]), "h2e2 h9g7 h0g2 b9c7 i0h0 -- c3c4 c6c5 b0c2 h7i7");
    for (game, line, proposal) in [(&games[0], 5, "i9h9"), (&games[1], 13, "")] {
        let finding = only(game, Code::MissingMove);
        assert_eq!((finding.place.ply, line_of(finding)), (Some(6), Some(line)));
        assert_eq!(candidates(finding), proposal);
    }
}

#[test]
fn r06_r07_wxf_text_and_files() {
    let Some(games) = report("R06-wxf-lowercase-black-and-dot.txt") else { return };
    assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8");
    assert!(games[0].findings.iter().all(|finding| finding.severity == Severity::Note));

    let Some(games) = report("R07-wxf-file-with-fen-black-first.wxf") else { return };
    let game = &games[0];
    let fen = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 0 1";
    assert_eq!(game.start.fen(), fen);
    assert_eq!(moves(game), "i9h9 i0h0 b9c7 c3c4");
    assert_eq!(game.headers.red.as_deref(), Some("红方"));
    assert_eq!(game.headers.black.as_deref(), Some("黑方"));
    assert_eq!(game.headers.date.map(|date| date.to_string()).as_deref(), Some("2014"));
    assert_eq!(game.headers.other["DATE"], "2-8-2014");
    assert_eq!(only(game, Code::BadHeader).reason, Some("date-order-unknown"));
}

#[test]
fn r08_positions_one_per_line() {
    let Some(games) = report("R08-fen-one-per-line.txt") else { return };
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    assert_eq!(games.len(), 12);
    for line in [1, 2, 3, 4, 5] {
        assert_eq!(games[line - 1].start.fen(), start, "line {line}");
    }
    assert_eq!(moves(&games[3]), "h2e2 h9g7");
    let expected = [
        (5, Code::BadFen, "side-assumed"),
        (6, Code::BadFen, "ranks"),
        (7, Code::BadFen, "files"),
        (8, Code::IllegalPosition, "king-missing"),
        (9, Code::IllegalPosition, "generals-facing"),
        (10, Code::IllegalPosition, "misplaced-piece"),
        (11, Code::IllegalPosition, "misplaced-piece"),
    ];
    for (at, game) in games.iter().enumerate() {
        let line = at + 1;
        let wanted = expected.iter().find(|(of, _, _)| *of == line);
        let mut got: Vec<_> =
            game.findings.iter().map(|f| (f.code, f.reason.unwrap_or(""))).collect();
        if line == 4 {
            // Moves without a result.
            assert_eq!(got.pop(), Some((Code::ResultMissing, "")));
        }
        let wanted: Vec<_> = wanted.map(|(_, code, reason)| (*code, *reason)).into_iter().collect();
        assert_eq!(got, wanted, "line {line}");
    }
    assert_eq!(param(&games[6].findings[0], "field"), Some("8"));
    assert_eq!(param(&games[7].findings[0], "side"), Some("red"));
    assert_eq!(param(&games[9].findings[0], "piece"), Some("B"));
    let last = &games[11].start;
    assert_eq!((last.side(), last.quiet_plies(), last.round()), (Color::Black, 12, 9));
}

#[test]
fn r12_the_habit_of_bars_is_found_for_each_sheet() {
    let name = "R12-abbreviated-overline-underline-two-habits.txt";
    let Some(games_found) = report(name) else { return };
    let line = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 c6c5 h6h4 g6g5";
    for game in &games_found {
        assert_eq!(moves(game), line);
        only(game, Code::DialectRead);
    }
    // Forced to the wrong habit, 马87 with a line below goes back: illegal.
    let mut options = ReadOptions::default();
    options.replay.marks = Some(qipu::notation::MarkHabit::OverIsForward);
    let path = common::shared(&format!("cases/reports/{name}")).expect("read before");
    let forced = games(&Entry::file(path), &options);
    let finding = only(&forced[0], Code::IllegalMove);
    assert_eq!(finding.place.ply, Some(2));
    assert_eq!(moves(&forced[1]), line);
}

#[test]
fn r13_r29_loose_sheets() {
    let Some(games) = report("R13-comment-lines-holding-move-text.txt") else { return };
    let game = &games[0];
    assert_eq!(moves(game), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5");
    let after: Vec<usize> = game.tree.comments.iter().map(|c| c.node.index()).collect();
    assert_eq!(after, [2, 5, 7, 8]);
    let clock = game.tree.clocks.iter().find(|clock| clock.node.index() == 8);
    assert!(clock.is_some_and(|clock| clock.text.contains("0:07")));
    assert!(found(game, Code::MoveNumber).is_empty());

    let Some(games) = report("R29-fullwidth-digits-and-variant-characters.txt") else { return };
    let line = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7";
    assert_eq!((moves(&games[0]).as_str(), games[0].headers.result), (line, GameResult::RedWins));
}

/// The games of a PGN movetext, read with answers and, on request, repairs.
fn told(text: &str, answers: &[&str], infer: bool) -> Game {
    let mut options = ReadOptions::default();
    options.replay.answers = answers.iter().map(|answer| answer.parse().unwrap()).collect();
    options.replay.infer = infer;
    let text = format!("[Game \"Chinese Chess\"]\n[Event \"甲\"]\n\n{text}\n");
    games(&Entry::bytes("test.pgn", text.into_bytes()), &options).remove(0)
}

const SHORT: &str = "1. 炮25 马87 2. 马23 车98 3. 车12 炮84 *";

#[test]
fn the_short_record_of_the_rule_book_comes_back() {
    // Article 7.5 prints the same three rounds in full: 炮二平五 馬8進7,
    // 馬二進三 車9平8, 車一平二 炮8進4.
    let game = movetext(SHORT);
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3");
    let open = only(&game, Code::AmbiguousMove);
    assert_eq!((open.place.ply, open.severity), (Some(5), Severity::Warning));
    assert_eq!(candidates(open), "i0h0 i0i2");
    let odds = open.odds();
    let sum: f32 = odds.iter().sum();
    assert!(odds.len() == 2 && (sum - 1.0).abs() < 0.01, "{odds:?}");
}

#[test]
fn an_answer_is_certain_evidence_in_any_notation() {
    for said in ["5=车一进二", "5=R1+2", "5=i0i2", "5=I0-I2", "1:5=X1.2"] {
        let game = told(SHORT, &[said], false);
        assert_eq!(moves(&game), "h2e2 h9g7 h0g2 i9h9 i0i2 h7h3", "{said}");
        assert!(found(&game, Code::AmbiguousMove).is_empty(), "{said}");
        let noted = only(&game, Code::InferredMove);
        assert_eq!((noted.reason, noted.severity), (Some("answered"), Severity::Note));
    }
    // For another game it says nothing.
    assert_eq!(moves(&told(SHORT, &["2:5=i0i2"], false)), moves(&movetext(SHORT)));
}

#[test]
fn an_answer_fills_a_gap_replaces_a_word_or_passes_over_one() {
    // R05: the missing reply; the words after it stay on their sides.
    let game = told(R05[1], &["6=车9平8"], false);
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9 c3c4 c6c5 b0c2 h7i7");
    assert!(found(&game, Code::MissingMove).is_empty());
    let game = told("1. 炮二平五 马8进7 2. 马二进一 车9平8 *", &["3=马二进三"], false);
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 i9h9");
    let game = told("1. 炮二平五 马8进7 2. 炮二平五 马二进三 车9平8 *", &["3=-"], false);
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 i9h9");
    // What cannot be played is said and changes nothing.
    let game = told("1. 炮二平五 马8进7 *", &["2=马8进8"], false);
    assert_eq!(moves(&game), "h2e2 h9g7");
    assert_eq!(only(&game, Code::IllegalMove).text, "马8进8");
}

/// 马二进三 written as 马二进一; it shows six plies later.
const MISREAD: &str = "1. 炮二平五 马8进7 2. 马二进一 车9平8 3. 车一平二 马2进3 \
                       4. 兵三进一 卒3进1 5. 马三进四 象3进5 6. 马四进五 马7进5 *";

#[test]
fn a_mistake_is_found_before_the_move_that_fails() {
    let game = movetext(MISREAD);
    assert_eq!(moves(&game), "h2e2 h9g7 h0i2 i9h9 i0h0 b9c7 g3g4 c6c5");
    let failed = only(&game, Code::IllegalMove);
    assert_eq!((failed.place.ply, failed.text.as_str()), (Some(9), "马三进四"));
    assert_eq!(failed.candidates.first().map(ToString::to_string).as_deref(), Some("h0g2"));
    let doubtful = found(&game, Code::DoubtfulMove);
    let first = doubtful[0];
    assert_eq!((first.place.ply, first.text.as_str()), (Some(3), "马二进一"));
    assert_eq!(first.reason, Some("misread"));
    assert_eq!(candidates(first), "h0g2");
    // Nothing was changed, and the person is asked there first.
    assert!(found(&game, Code::InferredMove).is_empty());
    let open = qipu::replay::doubts(&game);
    assert_eq!(open[0].ply, 3);
    let mended = told(MISREAD, &["3=马二进三"], false);
    assert_eq!(moves(&mended), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5 g2f4 c9e7 f4e6 g7e6");
    assert!(qipu::replay::doubts(&mended).is_empty());
}

#[test]
fn a_swapped_pair_is_found_and_put_right_on_request() {
    // 车一平二 and 马二进三 of Red have changed places.
    let text = "1. 炮二平五 马8进7 2. 车一平二 车9平8 3. 马二进三 马2进3 4. 兵七进一 卒7进1 \
                5. 车二进六 炮8平9 *";
    let game = movetext(text);
    assert_eq!(moves(&game), "h2e2 h9g7");
    let swapped: Vec<_> = found(&game, Code::DoubtfulMove);
    assert!(swapped.iter().any(|f| f.reason == Some("swapped") && f.place.ply == Some(3)));
    let line = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7";
    let mended = told(text, &["3=马二进三", "5=车一平二"], false);
    assert_eq!(moves(&mended), line);
}

#[test]
fn damaged_characters_are_read_by_the_whole_sheet() {
    let text = "1. 炮二平五 马8进7 2. 马□进三 车9平8 3. 车一□二 马2进3 4. 兵七进一 卒□进1 \
                5. 车二进六 炮8平9 *";
    let game = movetext(text);
    // 马□进三 is 马二进三 alone; 车一□二 is 平 because of 车二进六.
    assert_eq!(moves(&game), "h2e2 h9g7 -- i9h9 -- b9c7 c3c4 -- h0h6 h7i7");
    let damaged = found(&game, Code::UnreadableMove);
    assert_eq!(damaged.len(), 3);
    assert!(damaged.iter().all(|finding| finding.reason == Some("damaged")));
    assert_eq!((candidates(damaged[0]).as_str(), damaged[0].place.ply), ("h0g2", Some(3)));
    assert_eq!(candidates(damaged[1]), "i0h0");
    // Any of Black's pawns may have gone.
    assert!(damaged[2].candidates.len() > 1);
    assert!(damaged[2].candidates.iter().any(|mv| mv.to_string() == "g6g5"));
    let mended = told(text, &[], true);
    assert_eq!(moves(&mended), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 -- h0h6 h7i7");
}

#[test]
fn rounds_left_out_are_found_by_what_follows() {
    // Round 3, 车一平二 车9进1, is not there; the numbers say so.
    let text = "1. 炮二平五 马8进7 2. 马二进三 马2进3 4. 车二进六 车9平4 5. 兵七进一 卒7进1 *";
    let game = movetext(text);
    let missing = found(&game, Code::MissingMove);
    let plies: Vec<Option<u32>> = missing.iter().map(|f| f.place.ply).collect();
    assert_eq!(plies, [Some(5), Some(6)]);
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 b9c7 -- -- h0h6 i8d8 c3c4 g6g5");
    // With both moves given the whole rest can be played.
    let mended = told(text, &["5=车一平二", "6=车9进1"], false);
    assert_eq!(moves(&mended), "h2e2 h9g7 h0g2 b9c7 i0h0 i9i8 h0h6 i8d8 c3c4 g6g5");
    assert!(found(&mended, Code::MissingMovesFoul).is_empty());
}

#[test]
fn a_side_short_of_time_need_not_write() {
    let sheet = |clock: &str| {
        format!(
            "1. 炮二平五 (9:58) 马8进7 (9:50) 2. 马二进三 (9:30) 车9平8 ({clock}) \
             3. 车一平二 4. 兵七进一 5. 马八进七 6. 车二进六 7. 车二平三 炮8平9 *"
        )
    };
    let foul = movetext(&sheet("8:00"));
    assert_eq!(only(&foul, Code::MissingMovesFoul).article, Some("7.1"));
    let short = movetext(&sheet("2:59"));
    let note = only(&short, Code::MissingMovesFoul);
    assert_eq!((note.article, note.severity), (Some("7.2"), Severity::Note));
    assert_eq!(note.reason, Some("short-of-time"));
}

/// A word of which nothing can be read is what the rest of the sheet makes of
/// it, as one of which some characters can.
#[test]
fn a_word_lost_altogether_is_read_by_the_whole_sheet() {
    let game = movetext(
        "1. 炮二平五 马8进7 2. □□□□ □9平8 3. 车一平二 卒7进1 4. 兵三进一 士4进5 5. 马三进四",
    );
    // 车一平二 needs the horse gone, 马三进四 needs it on g2.
    let lost = found(&game, Code::UnreadableMove);
    assert_eq!((lost[0].reason, candidates(lost[0]).as_str()), (Some("placeholder"), "h0g2"));
    assert!(moves(&game).ends_with("i0h0 g6g5 g3g4 d9e8 g2f4"), "{}", moves(&game));
    assert!(found(&game, Code::IllegalMove).is_empty());
}

/// The decoder believes no reading that the replay would refuse: 帅六平五 is
/// no move from the file that Black calls six.
#[test]
fn files_are_counted_from_the_right_side_in_a_damaged_sheet() {
    let text = "[Game \"Chinese Chess\"]\n[FEN \"5k3/9/9/8P/9/9/p4p3/9/9/4K4 w - - 0 1\"]\n\n\
                1. 兵一平二 卒1平2 2. 兵二平一 卒2平1 3. 帅五平□ 卒1平2 4. 帅六平五 *\n";
    let game = pgn(text).remove(0);
    assert_eq!(candidates(only(&game, Code::UnreadableMove)), "e0d0");
    assert!(moves(&game).ends_with("-- a3b3 d0e0"), "{}", moves(&game));
}

/// A text of damaged words leaves thousands of ways open; all searches of a
/// game share one amount of work, and where it ends the game says so.
#[test]
fn a_search_that_was_cut_short_is_never_silent() {
    let words = "车□平□ □2□□ □□进□ □□□5 车？？？ □□退□ ";
    let text = format!("[Game \"Chinese Chess\"]\n\n{}*\n", words.repeat(12));
    let read = |lookahead| {
        let mut options = ReadOptions::default();
        options.replay.lookahead = lookahead;
        games(&Entry::bytes("test.pgn", text.clone().into_bytes()), &options).remove(0)
    };
    let cut = read(1000);
    let finding = only(&cut, Code::LimitExceeded);
    assert_eq!((finding.reason, finding.severity), (Some("search"), Severity::Warning));
    assert!(found(&read(2_000_000), Code::LimitExceeded).is_empty());
    // Less work, not less of the game: every word has its place.
    assert_eq!(cut.tree.len() + cut.unplayed.len(), 72);
}
