//! Real XQF files with keys, written anew with keys of our own.

mod common;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use qipu::formats::{self, Head, Limits, Piece, WriteOptions};
use qipu::game::Game;
use qipu::record::Record;
use qipu::replay::{ReplayOptions, replay};

/// All records of a file, by whatever format its content shows.
fn read(path: &Path) -> (Option<&'static str>, Vec<Record>) {
    let bytes = std::fs::read(path).expect("readable");
    let extension = path.extension().map_or(String::new(), |e| e.to_string_lossy().to_lowercase());
    let head = Head {
        bytes: &bytes[..bytes.len().min(65536)],
        complete: bytes.len() <= 65536,
        extension: &extension,
    };
    let Some(format) = formats::sniff(&head) else { return (None, Vec::new()) };
    let mut records = Vec::new();
    let piece = Piece { bytes, line: 1, ..Piece::default() };
    format.read(&piece, &Limits::default(), &mut |record| {
        records.push(record);
        ControlFlow::Continue(())
    });
    (Some(format.info().id.name()), records)
}

/// Files with keys, written anew with keys of our own: what is read of them is
/// the same game as before, with every variation, comment and field.
#[test]
fn keyed_xqf_keeps_its_game() {
    let Some(corpus) = common::shared("corpus") else { return };
    let format = formats::by_name("xqf").expect("a format");
    let options = |version: &str| WriteOptions {
        style: Some(format!("keyed-{version}")),
        ..WriteOptions::default()
    };
    let game = |record: Record| replay(record, &ReplayOptions::default());
    let mut paths: Vec<PathBuf> = std::fs::read_dir(corpus.join("xqf"))
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let (mut files, mut faults) = (BTreeMap::<String, u32>::new(), Vec::new());
    for path in paths {
        let (_, mut records) = read(&path);
        let Some(record) = records.pop() else { continue };
        let version = record.origin.version.clone().unwrap_or_default();
        // The largest trees say nothing that the others do not.
        if version == "10" || record.tree.len() > 4000 {
            continue;
        }
        let before = game(record);
        let mut bytes = Vec::new();
        let Ok(lost) = format.write(&before, &options(&version), &mut bytes) else {
            faults.push(format!("{}: refused", path.display()));
            continue;
        };
        // Remarks on moves that could not be played go to the last one that
        // could, which is told.
        let joined = lost.iter().any(|finding| finding.reason == Some("comments-joined"));
        *files.entry(version.clone()).or_default() += 1;
        let mut again = Vec::new();
        let piece = Piece { bytes: bytes.clone(), line: 1, ..Piece::default() };
        format.read(&piece, &Limits::default(), &mut |record| {
            again.push(record);
            ControlFlow::Continue(())
        });
        let Some(after) = again.pop().map(game) else {
            faults.push(format!("{}: not read", path.display()));
            continue;
        };
        let moves = |game: &Game| -> Vec<_> {
            game.tree.ids().map(|id| (game.tree.parent(id), game.tree.node(id).mv)).collect()
        };
        let comments = |game: &Game| -> Vec<_> {
            let trim = |text: &str| text.replace('\r', "").trim().to_owned();
            game.tree.comments.iter().map(|c| (c.node, trim(&c.text))).collect()
        };
        let mut second = Vec::new();
        let wrote = format.write(&after, &options(&version), &mut second);
        let known = before.tree.ids().all(|id| {
            let node = before.tree.node(id);
            node.mv.or(node.assumed).is_some()
        });
        for (what, same) in [
            ("version", after.origin.version.as_deref() == Some(version.as_str())),
            ("moves", !known || moves(&before) == moves(&after)),
            ("comments", !known || joined || comments(&before) == comments(&after)),
            ("headers", before.headers == after.headers),
            ("start", before.start == after.start),
            ("second writing", wrote.is_ok() && second == bytes),
        ] {
            if !same {
                faults.push(format!("{}: {what}", path.display()));
            }
        }
    }
    println!("{files:?}");
    assert!(files.len() >= 5, "files of several versions were met: {files:?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
