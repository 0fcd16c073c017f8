//! The samples yield what `samples/manifest.tsv` says, and none is left out.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use qipu::finding::Severity;
use qipu::import::{Entry, ReadOptions, read_file};

#[test]
fn every_sample_yields_what_the_manifest_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv")).expect("the manifest");
    let mut listed = BTreeSet::new();
    for row in manifest.lines().filter(|row| !row.starts_with('#')) {
        let field: Vec<&str> = row.split('\t').collect();
        let [path, games, plies, codes] = field[..] else { panic!("four columns: {row}") };
        listed.insert(path.to_owned());
        let mut found = Vec::new();
        let mut lengths = Vec::new();
        let entry = Entry::file(folder.join(path));
        let report = read_file(&entry, &ReadOptions::default(), &mut |game| {
            lengths.push(game.main_line().count());
            found.extend(game.findings);
            ControlFlow::Continue(())
        });
        let report = report.expect("a sample can be read");
        let found: Vec<_> = found.into_iter().chain(report.findings).collect();
        let mut worth: Vec<&str> = found
            .iter()
            .filter(|finding| finding.severity > Severity::Note)
            .map(|finding| finding.code.name())
            .collect();
        worth.sort_unstable();
        worth.dedup();
        let expected: Vec<&str> = codes.split(' ').filter(|code| *code != "-").collect();
        assert_eq!(worth, expected, "{path}");
        assert_eq!(lengths.len().to_string(), games, "games of {path}");
        assert_eq!(lengths.first().unwrap_or(&0).to_string(), plies, "plies of {path}");
        assert!(path.contains("/good/") || !found.is_empty(), "{path} has something to report");
    }
    let mut there = BTreeSet::new();
    collect(&folder, &folder, &mut there);
    there.remove("manifest.tsv");
    assert_eq!(listed, there);
}

fn collect(top: &Path, folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            collect(top, &path, found);
        } else if let Ok(relative) = path.strip_prefix(top) {
            found.insert(relative.to_string_lossy().into_owned());
        }
    }
}
