//! `qipu export`: what goes out comes back, and the tables say what the games
//! say.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with a database of all samples.
struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(TempDir::new().expect("a folder"));
        let captures =
            "[Result \"1-0\"]\n\n1. 炮二平五 炮8平5 2. 炮五进四 士4进5 3. 炮八平五 炮2进7 1-0\n";
        std::fs::write(desk.0.path().join("captures.pgn"), captures).expect("written");
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
        desk.run(&["import", "captures.pgn", samples.to_str().expect("UTF-8"), "--db", "qipu.db"]);
        desk
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qipu"));
        command.current_dir(self.0.path()).args(words).args(["--lang", "en"]).stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> String {
        let output = self.command(words).output().expect("qipu runs");
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn json(&self, words: &[&str]) -> Vec<Value> {
        let mut words = words.to_vec();
        words.push("--json");
        // `check` ends with 1 where a game has errors.
        let output = self.command(&words).output().expect("qipu runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// The games of the database as `show` describes them, copies left out.
    fn games(&self) -> Vec<(i64, Value)> {
        let found = self.json(&["find"]);
        assert!(found.len() > 40, "{}", found.len());
        let ids = found.iter().map(|row| row["id"].as_i64().expect("an id"));
        ids.map(|id| (id, self.json(&["show", &id.to_string()]).remove(0))).collect()
    }
}

/// Rows of a CSV (RFC 4180) by the names in the first; absent values are left
/// out.
fn csv(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut rows: Vec<Vec<Option<String>>> = Vec::new();
    let mut row = Vec::new();
    let mut chars = text.chars().peekable();
    while chars.peek().is_some() {
        let mut cell = None;
        if chars.next_if_eq(&'"').is_some() {
            let mut quoted = String::new();
            while let Some(c) = chars.next() {
                if c != '"' || chars.next_if_eq(&'"').is_some() {
                    quoted.push(c);
                } else {
                    break;
                }
            }
            cell = Some(quoted);
        }
        while let Some(c) = chars.next_if(|c| *c != ',' && *c != '\n') {
            cell.get_or_insert_default().push(c);
        }
        row.push(cell);
        if chars.next() == Some('\n') {
            rows.push(std::mem::take(&mut row));
        }
    }
    assert!(row.is_empty(), "the last line ends");
    let names: Vec<String> = rows.remove(0).into_iter().map(Option::unwrap).collect();
    rows.into_iter()
        .map(|row| {
            assert_eq!(row.len(), names.len(), "{row:?}");
            names.iter().cloned().zip(row).filter_map(|(n, cell)| Some((n, cell?))).collect()
        })
        .collect()
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|word| word.as_str().expect("a text")).collect()
}

#[test]
fn games_written_as_json_lines_are_read_as_the_same_games() {
    let desk = Desk::new();
    let told = desk.command(&["export", "--to", "jsonl", "-o", "all.jsonl"]).output().unwrap();
    let games = desk.games();
    let written = format!("{} games written to all.jsonl\n", games.len());
    assert_eq!(String::from_utf8_lossy(&told.stderr), written);
    let read = desk.json(&["check", "all.jsonl"]);
    assert_eq!(read.len(), games.len());
    for ((id, game), back) in games.iter().zip(&read) {
        for part in ["initial_fen", "moves", "variations", "comments", "final_fen", "unplayed"] {
            assert_eq!(game[part], back[part], "game {id}: {part}");
        }
        assert_eq!(game["headers"]["red"], back["headers"]["red"], "game {id}");
        assert_eq!(game["headers"]["result"], back["headers"]["result"], "game {id}");
    }
}

#[test]
fn pgn_holds_the_games_that_match() {
    let desk = Desk::new();
    let pgn = desk.run(&["export", "--result", "1-0", "--notation", "iccs"]);
    std::fs::write(desk.0.path().join("red.pgn"), pgn).unwrap();
    let read = desk.json(&["check", "red.pgn"]);
    let won: Vec<_> = desk
        .games()
        .into_iter()
        .filter(|(_, game)| game["headers"]["result"] == "1-0")
        // A start that is no position cannot be read back.
        .collect();
    assert!(won.len() > 5);
    assert_eq!(read.len(), won.len());
    for ((id, game), back) in won.iter().zip(&read) {
        let played = |game: &Value| {
            let all: Vec<String> = words(&game["moves"]).into_iter().map(str::to_owned).collect();
            let known = all.iter().position(|word| word == "--").unwrap_or(all.len());
            all[..known].to_vec()
        };
        assert!(played(back).starts_with(&played(game)), "game {id}");
    }
}

#[test]
fn the_tables_say_what_the_games_say() {
    let desk = Desk::new();
    let games = desk.games();
    let rows = csv(&desk.run(&["export", "--to", "csv"]));
    assert_eq!(rows.len(), games.len());
    let moves = csv(&desk.run(&["export", "--to", "csv", "--table", "moves"]));
    let positions = csv(&desk.run(&["export", "--to", "csv", "--table", "positions"]));
    let of_game = |rows: &[BTreeMap<String, String>], id: i64| -> Vec<BTreeMap<String, String>> {
        rows.iter().filter(|row| row["game_id"] == id.to_string()).cloned().collect()
    };
    let start_key = include_str!("data/position-keys.tsv")
        .lines()
        .find(|line| {
            line.starts_with("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR\tw")
        })
        .and_then(|line| line.split('\t').nth(2))
        .map(|hex| u64::from_str_radix(hex, 16).expect("hexadecimal") as i64)
        .expect("the start position is in the list");
    let (mut captures, mut mates) = (0, 0);
    for ((id, game), row) in games.iter().zip(&rows) {
        assert_eq!(row["id"], id.to_string());
        for name in ["event", "site", "date", "red", "black", "title", "annotator", "result"] {
            let header = game["headers"][name].as_str();
            assert_eq!(row.get(name).map(String::as_str), header, "game {id}: {name}");
        }
        let other = row.get("other").map(|json| serde_json::from_str(json).expect("JSON"));
        let headers = &game["headers"]["other"];
        assert_eq!(other.as_ref().unwrap_or(&serde_json::json!({})), headers, "game {id}");
        let line = words(&game["moves"]);
        assert_eq!(row["moves"], line.join(" "));
        assert_eq!(row["initial_fen"], game["initial_fen"]);
        assert_eq!(row["plies"], line.len().to_string());
        let of_moves = of_game(&moves, *id);
        assert_eq!(of_moves.len(), line.len());
        for (row, (mv, chinese)) in of_moves.iter().zip(line.iter().zip(words(&game["chinese"]))) {
            assert_eq!(row["move"], *mv);
            assert_eq!(row.get("chinese").map_or("--", String::as_str), chinese);
        }
        let of_positions = of_game(&positions, *id);
        let known = line.iter().position(|mv| *mv == "--").unwrap_or(line.len());
        assert_eq!(of_positions.len(), known + 1);
        let board = |fen: &Value| -> String {
            fen.as_str().unwrap().split(' ').take(2).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of_positions[0]["fen"], board(&game["initial_fen"]));
        if known == line.len() {
            assert_eq!(of_positions[known]["fen"], board(&game["final_fen"]));
        }
        // A piece less on the board is a capture, and mate is check.
        let men = |row: &BTreeMap<String, String>| {
            let board = row["fen"].split(' ').next().unwrap_or("");
            board.chars().filter(char::is_ascii_alphabetic).count()
        };
        for (pair, row) in of_positions.windows(2).zip(&of_moves) {
            let captured = men(&pair[1]) < men(&pair[0]);
            assert_eq!(row.contains_key("captured"), captured, "game {id}: {row:?}");
            captures += u32::from(captured);
        }
        if game["outcome"]["kind"] == "checkmate" {
            // The start may be mate already.
            if let Some(last) = of_moves.last() {
                assert_eq!(last["check"], "true", "game {id}");
                mates += 1;
            }
        }
        for position in &of_positions {
            let is_start = position["key"] == start_key.to_string();
            assert_eq!(
                is_start,
                position["fen"]
                    .starts_with("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
            );
        }
    }
    assert!(mates > 0 && captures > 1, "{mates}, {captures}");
}

#[test]
fn the_table_of_games_is_read_back() {
    let desk = Desk::new();
    desk.run(&["export", "--to", "csv", "-o", "games.csv"]);
    let games = desk.games();
    let read = desk.json(&["check", "games.csv"]);
    assert_eq!(read.len(), games.len());
    let mut whole = 0;
    for ((id, game), back) in games.iter().zip(&read) {
        assert_eq!(game["initial_fen"], back["initial_fen"], "game {id}");
        let line = words(&game["moves"]);
        if !line.contains(&"--") {
            assert_eq!(game["moves"], back["moves"], "game {id}");
            assert_eq!(game["headers"]["red"], back["headers"]["red"], "game {id}");
            whole += 1;
        }
    }
    assert!(whole > 30);
}

#[test]
fn nothing_is_written_for_a_wrong_command_line() {
    let desk = Desk::new();
    for (words, said) in [
        (vec!["export", "--to", "parchment"], "no format is called `parchment`"),
        (vec!["export", "--to", "mxq"], "`mxq` can be read but not written"),
        (vec!["export", "--to", "pgn", "--table", "moves"], "`--table` does not go with"),
        (vec!["export", "--to", "csv", "--style", "ascii"], "`--style` does not go with"),
        (vec!["export", "--to", "csv", "--table", "games", "--table", "moves"], "one table"),
        (vec!["export", "--to", "parquet"], "-o"),
    ] {
        let output = desk.command(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(output.stdout.is_empty());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(said), "{told}");
    }
    // No game: the names of the columns alone, and a remark.
    let output = desk.command(&["export", "--to", "csv", "--player", "nobody"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "no game matches\n");
}

#[test]
fn sql_reads_and_never_writes() {
    let desk = Desk::new();
    let games = desk.games();
    let rows = desk.json(&["sql", "SELECT game_id, ply, move FROM move_view ORDER BY 1, 2"]);
    let (id, game) = games.iter().find(|(_, game)| game["plies"] == 4).expect("four plies");
    let line: Vec<&str> = rows
        .iter()
        .filter(|row| row["game_id"] == *id)
        .map(|row| row["move"].as_str().expect("a text"))
        .collect();
    assert_eq!(line, words(&game["moves"]));
    for statement in
        ["DELETE FROM game", "SELECT nothing FROM nowhere", "PRAGMA user_version = 9", ""]
    {
        let output = desk.command(&["sql", statement]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{statement}: {output:?}");
    }
    assert_eq!(desk.games().len(), games.len());
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let desk = Desk::new();
    let output = desk.command(&["export", "--to", "parquet", "-o", "out"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--features parquet"));
    assert!(!desk.0.path().join("out").exists());
}

#[cfg(feature = "parquet")]
mod parquet_files {
    use std::fs::File;
    use std::path::PathBuf;

    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    /// The rows of a table from all its files, with the year of the folder.
    fn rows(folder: &Path, table: &str) -> Vec<(String, BTreeMap<String, String>)> {
        let mut rows = Vec::new();
        let mut folders: Vec<PathBuf> = std::fs::read_dir(folder.join(table))
            .expect("a folder")
            .map(|entry| entry.expect("readable").path())
            .collect();
        folders.sort();
        for place in folders {
            let name = place.file_name().unwrap().to_string_lossy().into_owned();
            let year = name.strip_prefix("year=").expect("the year").to_owned();
            let file = File::open(place.join(format!("{table}.parquet"))).expect("a file");
            let reader = SerializedFileReader::new(file).expect("Parquet");
            for row in reader.get_row_iter(None).expect("rows") {
                let row = row.expect("a row");
                let cells = row.get_column_iter().filter_map(|(name, field)| {
                    let value = match field {
                        Field::Null => return None,
                        Field::Str(text) => text.clone(),
                        Field::Long(number) => number.to_string(),
                        Field::Bool(flag) => flag.to_string(),
                        other => panic!("{name}: {other:?}"),
                    };
                    Some((name.clone(), value))
                });
                rows.push((year.clone(), cells.collect()));
            }
        }
        rows
    }

    #[test]
    fn parquet_holds_the_same_rows_by_year() {
        let desk = Desk::new();
        desk.run(&["export", "--to", "parquet", "-o", "out"]);
        let folder = desk.0.path().join("out");
        let mut years: BTreeMap<String, String> = BTreeMap::new();
        for table in ["games", "moves", "positions"] {
            let mut wanted = csv(&desk.run(&["export", "--to", "csv", "--table", table]));
            let found = rows(&folder, table);
            if table == "games" {
                for (year, row) in &found {
                    let date = row.get("date").map_or("__HIVE_DEFAULT_PARTITION__", |d| &d[..4]);
                    assert_eq!(year, date);
                    years.insert(row["id"].clone(), year.clone());
                }
                assert!(years.values().any(|year| year.len() == 4));
            } else {
                for (year, row) in &found {
                    assert_eq!(*year, years[&row["game_id"]]);
                }
            }
            let mut found: Vec<_> = found.into_iter().map(|(_, row)| row).collect();
            assert!(found.len() > 40);
            found.sort();
            wanted.sort();
            assert_eq!(found, wanted);
        }
        // What is there stays as it is.
        let again = desk.command(&["export", "--to", "parquet", "-o", "out"]).output().unwrap();
        assert_eq!(again.status.code(), Some(2));
        assert!(!desk.0.path().join("out.part").exists());
    }

    #[test]
    fn one_table_is_enough_for_those_who_ask_for_one() {
        let desk = Desk::new();
        desk.run(&["export", "--to", "parquet", "--table", "moves", "-o", "out"]);
        let names: Vec<_> = std::fs::read_dir(desk.0.path().join("out"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(names, ["moves"]);
    }
}
