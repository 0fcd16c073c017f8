//! Every file of the shared corpus: read, or named with the reason; and held
//! against what a peer, the Python package `cchess`, reads of the same files.
//!
//!     cargo test --test corpus -- --ignored --nocapture
//!     CORPUS_PACKS=../shared/corpus/packs cargo test --test corpus -- --ignored --nocapture
//!
//! `CORPUS_PACKS` names a folder of packs, packed or unpacked; without it the
//! loose files are read. `CORPUS_FORMAT` reads files of one format only, and
//! `CORPUS_LIST=1` prints a line for each file that differs. The tables go
//! into `docs/formats.md`, where every kind of difference has its reason.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::Path;

use qipu::finding::{Code, Severity};
use qipu::formats::{self, WriteOptions};
use qipu::game::Game;
use qipu::import::{Entry, FileReport, ReadOptions, read_file, walk};

/// What came of the files of one format.
#[derive(Default)]
struct Row {
    files: u64,
    games: u64,
    /// Games without an error.
    sound: u64,
    plies: u64,
    variations: u64,
    comments: u64,
    findings: BTreeMap<&'static str, u64>,
}

/// What is kept of a game for the comparison.
struct Line {
    start: String,
    moves: Vec<String>,
    /// The first ply that could not be played.
    fault: Option<u32>,
}

impl Line {
    fn of(game: &Game) -> Line {
        let faults = game.findings.iter().filter(|f| {
            matches!(
                f.code,
                Code::IllegalMove
                    | Code::AmbiguousMove
                    | Code::UnreadableMove
                    | Code::MovesAfterEnd
            )
        });
        Line {
            start: board_and_side(&game.start.fen()),
            moves: game.main_line().map(|m| m.map_or("--".into(), |m| m.to_string())).collect(),
            fault: faults.filter_map(|f| f.place.ply).min(),
        }
    }
}

fn board_and_side(fen: &str) -> String {
    fen.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

/// What the peer read of a file.
struct PeerReading {
    games: usize,
    start: String,
    lines: Vec<Vec<String>>,
}

/// The peer's readings by `FOLDER/FILE`; `None` for files it could not read.
fn peer_table(text: &str) -> BTreeMap<String, Option<PeerReading>> {
    let mut table = BTreeMap::new();
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [path, status, games, _, start, _, moves, ..] = cells[..] else { continue };
        // Some readings are of the file after it was made UTF-8.
        let read = (status == "ok" || status.ends_with(": ok")).then(|| PeerReading {
            games: games.parse().unwrap_or(0),
            start: board_and_side(start),
            lines: moves
                .split('|')
                .map(|line| line.split_whitespace().map(str::to_owned).collect())
                .collect(),
        });
        table.insert(key(path), read);
    }
    table
}

/// `FOLDER/FILE` of a path, and of a member of a pack.
fn key(path: &str) -> String {
    let inner = path.rsplit('!').next().unwrap_or(path);
    let mut parts: Vec<&str> = inner.rsplit('/').take(2).collect();
    parts.reverse();
    parts.join("/")
}

/// How our reading stands to the peer's.
fn compare(ours: &[Line], peer: &PeerReading) -> &'static str {
    if ours.len() != peer.games {
        return "another number of games";
    }
    if ours.len() == 1 && ours[0].start != peer.start {
        return "another start position";
    }
    let Some((line, theirs)) = ours.iter().zip(&peer.lines).find(|(a, b)| a.moves != **b) else {
        return "same";
    };
    // A half-move that cannot be played keeps its place.
    let gap = "--";
    let alike = line.moves.iter().zip(theirs).all(|(a, b)| a == b || a == gap);
    let played = line.moves.iter().filter(|mv| *mv != gap);
    if alike && line.moves.len() > theirs.len() {
        "the peer stops before the end"
    } else if alike && line.fault.is_some() {
        "the peer plays illegal moves"
    } else if alike {
        "we stop before the end"
    } else if played.eq(theirs) {
        "the peer lets a side move twice"
    } else {
        "another line"
    }
}

#[derive(Default)]
struct Score {
    rows: BTreeMap<&'static str, Row>,
    peer: BTreeMap<(&'static str, &'static str), u64>,
    /// Files without a game: the reason, by path.
    unread: Vec<(String, String)>,
    /// Files that differ from the peer: kind and path.
    differ: Vec<(&'static str, String)>,
    seen: BTreeSet<String>,
}

impl Score {
    fn file(&mut self, path: &str, report: &FileReport, games: &[Game]) -> &'static str {
        let format = report.format.map_or("none", |id| id.name());
        let row = self.rows.entry(format).or_default();
        row.files += 1;
        row.games += games.len() as u64;
        for finding in report.findings.iter().chain(games.iter().flat_map(|g| &g.findings)) {
            *row.findings.entry(finding.code.name()).or_default() += 1;
        }
        for game in games {
            row.plies += game.main_line().count() as u64;
            row.variations += game.tree.variations() as u64;
            row.comments += game.tree.comments.len() as u64;
            let sound = game.findings.iter().all(|f| f.severity < Severity::Error);
            row.sound += u64::from(sound);
        }
        if games.is_empty() {
            let why: Vec<String> = report
                .findings
                .iter()
                .map(|f| f.reason.map_or(f.code.name().into(), |r| format!("{}/{r}", f.code)))
                .collect();
            self.unread.push((path.to_owned(), why.join(", ")));
            assert!(!report.findings.is_empty(), "{path}: neither game nor finding");
        }
        format
    }

    fn tables(&self) -> String {
        let mut out = String::from(
            "| format | files | games | without error | plies | variations | comments | findings |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
        );
        for (format, row) in &self.rows {
            let mut found: Vec<_> = row.findings.iter().collect();
            found.sort_by_key(|(code, count)| (std::cmp::Reverse(**count), **code));
            let found: Vec<_> = found.iter().map(|(code, n)| format!("{code} {n}")).collect();
            let Row { files, games, sound, plies, variations, comments, .. } = row;
            let _ = writeln!(
                out,
                "| {format} | {files} | {games} | {sound} | {plies} | {variations} | {comments} | {} |",
                found.join(", ")
            );
        }
        out.push_str("\n| format | against the peer | files |\n| --- | --- | ---: |\n");
        for ((format, kind), count) in &self.peer {
            let _ = writeln!(out, "| {format} | {kind} | {count} |");
        }
        out.push_str("\nWithout a game:\n");
        for (path, why) in &self.unread {
            let _ = writeln!(out, "- {path}: {why}");
        }
        out
    }
}

/// Reads everything below the folders and compares.
fn score(top: &Path, folders: &[OsString], peer: &BTreeMap<String, Option<PeerReading>>) -> Score {
    let only = std::env::var("CORPUS_FORMAT").ok();
    let list = std::env::var_os("CORPUS_LIST").is_some();
    let mut score = Score::default();
    for entry in walk(folders) {
        let entry = entry.expect("the corpus can be read");
        if entry.path().contains(".members.tsv") {
            continue;
        }
        let mut games = Vec::new();
        let report = read_file(&entry, &ReadOptions::default(), &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        let report = report.expect("the corpus can be read");
        if only.as_deref().is_some_and(|only| report.format.is_none_or(|id| id.name() != only)) {
            continue;
        }
        let prefix = format!("{}/", top.display());
        let path = entry.path().strip_prefix(&prefix).unwrap_or(entry.path());
        let format = score.file(path, &report, &games);
        score.seen.insert(path.to_owned());
        let kind = match peer.get(&key(path)) {
            None => continue,
            Some(None) => "the peer cannot read it",
            Some(Some(peer)) => {
                let lines: Vec<Line> = games.iter().map(Line::of).collect();
                let kind = compare(&lines, peer);
                if kind != "same" {
                    score.differ.push((kind, path.to_owned()));
                }
                if list && kind != "same" {
                    let at = lines.iter().zip(&peer.lines).position(|(a, b)| a.moves != *b);
                    let (our, their) =
                        at.map_or((0, 0), |at| (lines[at].moves.len(), peer.lines[at].len()));
                    println!(
                        "{kind}\t{path}\t{} / {} games\t{our} / {their} plies",
                        lines.len(),
                        peer.games
                    );
                }
                kind
            }
        };
        *score.peer.entry((format, kind)).or_default() += 1;
    }
    score
}

#[test]
#[ignore = "reads the whole corpus"]
fn every_file_is_read_or_named_and_agrees_with_the_peer() {
    let Some(corpus) = common::shared("corpus") else { return };
    let (top, folders, table) = if let Some(packs) = std::env::var_os("CORPUS_PACKS") {
        let file = std::fs::File::open(corpus.join("peer-readings-packs.tsv.zst"));
        let mut decoder = zstd::Decoder::new(file.expect("the peer's readings")).expect("zstd");
        decoder.window_log_max(27).expect("a window");
        let mut table = String::new();
        decoder.read_to_string(&mut table).expect("UTF-8");
        (packs.clone().into(), vec![packs], table)
    } else {
        let table = std::fs::read_to_string(corpus.join("peer-readings.tsv")).expect("readable");
        let mut folders = Vec::new();
        for entry in std::fs::read_dir(&corpus).expect("a folder") {
            let path = entry.expect("readable").path();
            if path.is_dir() && !path.ends_with("packs") {
                folders.push(path.into_os_string());
            }
        }
        folders.sort();
        (corpus.clone(), folders, table)
    };
    let score = score(&top, &folders, &peer_table(&table));
    println!("{}", score.tables());
    if std::env::var_os("CORPUS_PACKS").is_none() && std::env::var_os("CORPUS_FORMAT").is_none() {
        let manifest = std::fs::read_to_string(corpus.join("MANIFEST.tsv")).expect("readable");
        for row in manifest.lines().skip(1) {
            let path = row.split('\t').next().unwrap_or_default();
            assert!(path.starts_with("packs/") || score.seen.contains(path), "{path} was not met");
        }
    }
}

/// What is written of a real game is read as the same game and written again
/// as the same bytes; also for the formats that carry the whole tree.
#[test]
#[ignore = "reads and writes the whole corpus"]
fn the_second_writing_is_the_first() {
    let Some(corpus) = common::shared("corpus") else { return };
    let folders: Vec<OsString> = ["xqf", "cbr", "cbl", "dhtmlxq", "cbf", "mxq", "xqr"]
        .iter()
        .map(|folder| corpus.join(folder).into_os_string())
        .collect();
    let read = |entry: &Entry| {
        let mut games = Vec::new();
        let report = read_file(entry, &ReadOptions::default(), &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        report.expect("readable");
        games
    };
    let mut written = BTreeMap::<&str, u64>::new();
    let mut faults = Vec::new();
    for entry in walk(&folders) {
        let entry = entry.expect("readable");
        for game in read(&entry) {
            for (name, style) in [
                ("xqf", None),
                ("xqf", Some("keyed-11")),
                ("xqf", Some("keyed")),
                ("cbr", None),
                ("dhtmlxq", None),
                ("xqr", None),
            ] {
                let format = formats::by_name(name).expect("a format");
                let style = style.map(str::to_owned);
                let options = WriteOptions { style, ..WriteOptions::default() };
                let write = |game: &Game| {
                    let mut bytes = Vec::new();
                    let lost = format.write(game, &options, &mut bytes);
                    lost.map(|_| bytes)
                };
                // Refused, as with a third chariot.
                let Ok(first) = write(&game) else { continue };
                let again = read(&Entry::bytes(format!("a.{name}"), first.clone()));
                let same = again.len() == 1
                    && again[0].tree.len() == game.tree.len()
                    && write(&again[0]).is_ok_and(|second| second == first);
                *written.entry(name).or_default() += 1;
                // A half-move that is not known ends its line.
                let known = game.tree.ids().all(|id| {
                    let node = game.tree.node(id);
                    node.mv.or(node.assumed).is_some()
                });
                if !same && known {
                    faults.push(format!("{} game {}: {name}", entry.path(), game.origin.game));
                }
            }
        }
    }
    println!("{written:?}");
    assert!(faults.is_empty(), "{} of {written:?}:\n{}", faults.len(), faults.join("\n"));
}
