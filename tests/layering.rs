//! A room may import only the rooms above it (`docs/decisions/0001-rooms.md`).

use std::path::Path;

/// From the first to the last; `main.rs` may use everything.
const ROOMS: [&str; 14] = [
    "board", "rules", "finding", "text", "notation", "record", "game", "formats", "replay", "db",
    "import", "audit", "report", "cli",
];

fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_room_looks_down() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    let mut faults = Vec::new();
    let mut looked = 0;
    for file in files {
        let relative = file.strip_prefix(&source).expect("below src");
        let first = relative.iter().next().expect("a name").to_string_lossy().into_owned();
        let own = first.trim_end_matches(".rs").to_owned();
        let Some(own_level) = ROOMS.iter().position(|room| *room == own) else { continue };
        let text = std::fs::read_to_string(&file).expect("UTF-8");
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for part in line.split("crate::").skip(1) {
                let name: String =
                    part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                looked += 1;
                match ROOMS.iter().position(|room| *room == name) {
                    Some(level) if level > own_level => {
                        faults.push(format!(
                            "{}:{}: {own} imports {name}",
                            relative.display(),
                            number + 1
                        ));
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(looked > 5, "the test reads the imports");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
