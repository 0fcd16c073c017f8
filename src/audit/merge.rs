//! Two sheets of one game: what they agree on, where they differ, and the game
//! that both together give, each move with its witness.

use super::align::{Path, REFUTED, Says, Step, begin, search};
use super::findings::Run;
use super::line::{Line, Ply, named};
use super::point::{Point, Weight};
use super::rows::{Fate, Merged, Row, RowEntry, Witness};
use super::sheet::Sheet;
use super::tokens::{Token, Tokens};
use crate::board::{Color, Move};
use crate::game::GameResult;

/// Words of a sheet that are laid beside the other's.
const MOST_WORDS: usize = 800;
/// Differences that are tried both ways.
const MOST_TRIED: usize = 40;
/// From this cost on, and this much more a word, the sheets differ so much that
/// trying other moves shows nothing.
const HOPELESS: (f32, f32) = (40.0, 0.5);
/// From so many half-moves on that neither sheet has, no gap is filled.
const BLIND: usize = 16;
/// Gaps of both sheets in which every move is tried.
const MOST_FILLED: usize = 3;

/// What the comparison gives.
pub(super) struct Comparison {
    pub(super) merged: Merged,
    pub(super) line: Line,
    pub(super) points: Vec<Point>,
    /// Moves left unrecorded, by sheet.
    pub(super) runs: Vec<Vec<Run>>,
}

/// Lays two sheets together.
pub(super) fn compare(first: &Sheet, second: &Sheet) -> Comparison {
    let sheets = [Tokens::of(first, MOST_WORDS), Tokens::of(second, MOST_WORDS)];
    let start = &first.game.start;
    let path = search(&sheets, &begin(start), None);
    let path = path.unwrap_or_else(|| Path { steps: Vec::new(), cost: 0.0, read: [0; 2] });
    let words = sheets[0].len().min(sheets[1].len()) as f32;
    let knows = |says: Says| matches!(says, Says::Same | Says::Swapped);
    let unknown = path.steps.iter().filter(|step| !step.cells.iter().any(|c| knows(c.says)));
    let blind = unknown.count() >= BLIND;
    let hopeless = blind || path.cost >= HOPELESS.0 + HOPELESS.1 * words;
    let mut table = Table {
        sheets: &sheets,
        path: &path,
        rows: Vec::new(),
        plies: Vec::new(),
        points: Vec::new(),
        tried: if hopeless { MOST_TRIED } else { 0 },
        filled: if hopeless { MOST_FILLED } else { 0 },
    };
    for (at, step) in path.steps.iter().enumerate() {
        table.take(at, step);
    }
    table.ends();
    let Table { rows, plies, mut points, .. } = table;
    let merged = Merged { rows };
    points.extend(results(first, second));
    points.extend(other_game(&merged, &sheets, first, second));
    let line = Line { start: start.clone(), plies };
    let runs = (0..2).map(|sheet| runs(&merged, &line, sheet)).collect();
    Comparison { merged, line, points, runs }
}

struct Table<'a> {
    sheets: &'a [Tokens<'a>; 2],
    path: &'a Path,
    rows: Vec<Row>,
    plies: Vec<Ply>,
    points: Vec<Point>,
    tried: usize,
    filled: usize,
}

fn difference(reason: &'static str, article: &'static str, weight: Weight) -> Point {
    Point::new("difference", article, weight).case(reason)
}

impl Table<'_> {
    /// One step of the game.
    fn take(&mut self, at: usize, step: &Step) {
        let ply = at as u32 + 1;
        let position = &step.before.position;
        for (s, cell) in step.cells.iter().enumerate() {
            if let Some(extra) = cell.extra {
                self.points.push(
                    difference("extra", "7.3", Weight::Look)
                        .ply(ply)
                        .sheet(s + 1)
                        .param("text", self.sheets[s].text(extra as usize)),
                );
            }
        }
        let says = step.cells.map(|cell| cell.says);
        let has = says.map(|says| matches!(says, Says::Same | Says::Swapped));
        let (witness, mut fate) = match has {
            [true, true] if says.contains(&Says::Swapped) => (Witness::Both, Fate::Swapped),
            [true, true] => (Witness::Both, Fate::Agreed),
            [false, false] => (Witness::Neither, Fate::Missing),
            [one, _] => {
                let (with, without) = if one { (0, 1) } else { (1, 0) };
                let fate = match says[without] {
                    Says::Ended => Fate::Alone,
                    Says::Differs => Fate::Read,
                    _ => Fate::Filled,
                };
                (Witness::only(with), fate)
            }
        };
        match fate {
            Fate::Filled => self.filled_in(ply, step, usize::from(!has[0])),
            Fate::Read => fate = self.differs(at, step, usize::from(!has[0])),
            Fate::Swapped => self.swapped(at, step),
            Fate::Missing => self.missing(at, step),
            _ => {}
        }
        let known = has.contains(&true);
        self.plies.push(Ply {
            before: position.clone(),
            mv: Some(step.mv).filter(|_| known),
            assumed: Some(step.mv).filter(|_| !known),
        });
        let entry = |s: usize| {
            let text = step.cells[s].token.map_or("", |token| self.sheets[s].text(token as usize));
            RowEntry { says: step.cells[s].says, text: text.to_owned() }
        };
        let entries = [entry(0), entry(1)];
        self.rows.push(Row { entries, witness, fate });
    }

    fn filled_in(&mut self, ply: u32, step: &Step, with: usize) {
        let mut point = difference("filled", "7.3", Weight::Look)
            .ply(ply)
            .sheet(2 - with)
            .param("move", named(step.mv, &step.before.position));
        point.params.push(("sheet", (with + 1).to_string()));
        point.proposal = Some(step.mv);
        point.candidates = vec![step.mv];
        self.points.push(point.side(step.before.position.side()));
    }

    /// The readings of the word that a sheet has at a step.
    fn readings(&self, step: &Step, sheet: usize) -> Vec<Move> {
        let position = &step.before.position;
        let Some(token) = step.cells[sheet].token else { return Vec::new() };
        let legal = position.legal_moves();
        let found =
            self.sheets[sheet].readings(token as usize, position, position.in_check(), &legal);
        found.into_iter().map(|(mv, _)| mv).collect()
    }

    /// How a sheet's word is told: the moves it can mean, or the word.
    fn told(&self, step: &Step, sheet: usize) -> String {
        let moves = self.readings(step, sheet);
        let text = step.cells[sheet].token.map_or("", |t| self.sheets[sheet].text(t as usize));
        let position = &step.before.position;
        if moves.is_empty() {
            return format!("“{text}”");
        }
        let names: Vec<String> = moves.iter().map(|mv| named(*mv, position)).collect();
        names.join(" / ")
    }

    /// The sheets have different words; `with` is the one that has the move
    /// of the path.
    fn differs(&mut self, at: usize, step: &Step, with: usize) -> Fate {
        let (other, ply) = (1 - with, at as u32 + 1);
        let position = &step.before.position;
        let name = named(step.mv, position);
        let token = step.cells[other].token.and_then(|t| self.sheets[other].token(t as usize));
        if matches!(token, Some(Token::Damaged | Token::Unknown) | None) {
            let text = step.cells[other].token.map_or("", |t| self.sheets[other].text(t as usize));
            let mut point = difference("read", "7.3", Weight::Look)
                .ply(ply)
                .sheet(other + 1)
                .side(position.side())
                .param("text", text)
                .param("move", name);
            point.proposal = Some(step.mv);
            point.candidates = vec![step.mv];
            self.points.push(point);
            return Fate::Read;
        }
        let others = self.readings(step, other);
        let told = |point: Point, table: &Table<'_>| {
            point
                .ply(ply)
                .side(position.side())
                .param("first", table.told(step, 0))
                .param("second", table.told(step, 1))
        };
        let mut fate = Fate::Decided;
        let mut point = if others.is_empty() {
            difference("decided-illegal", "7.3", Weight::Look)
        } else if let Some((fails, text)) = self.refuted(step, &others) {
            let reason = difference("decided", "7.3", Weight::Look);
            reason.param("fails", fails).param("text", text)
        } else {
            fate = Fate::Open;
            difference("open", "7.3", Weight::Decide)
        };
        point = told(point, self).param("move", name);
        point.candidates = vec![step.mv];
        point.candidates.extend(others.iter().filter(|mv| **mv != step.mv));
        point.position = Some(position.clone());
        if fate == Fate::Decided {
            point.proposal = Some(step.mv);
        }
        self.points.push(point);
        fate
    }

    /// Tries other moves at a step. Where all of them leave more of both
    /// sheets unexplained: the ply and the word at which the best of them
    /// first fails.
    fn refuted(&mut self, step: &Step, others: &[Move]) -> Option<(u32, String)> {
        let mut best: Option<Path> = None;
        for mv in others.iter().filter(|mv| **mv != step.mv) {
            self.tried += 1;
            if self.tried > MOST_TRIED {
                return None;
            }
            let Some(path) = search(self.sheets, &step.before, Some(*mv)) else { continue };
            if path.cost < self.path.cost + REFUTED {
                return None;
            }
            if best.as_ref().is_none_or(|known| path.cost < known.cost) {
                best = Some(path);
            }
        }
        let path = best?;
        let base = self.plies.len() as u32;
        for (after, tried) in path.steps.iter().enumerate().skip(1) {
            for (s, cell) in tried.cells.iter().enumerate() {
                let token = cell.extra.or(cell.token.filter(|_| cell.says == Says::Differs));
                if let Some(token) = token {
                    let text = self.sheets[s].text(token as usize).to_owned();
                    return Some((base + after as u32 + 1, text));
                }
            }
        }
        // Nothing fails on the way: the words behind it are left over.
        let end = base + path.steps.len() as u32;
        let left = (0..2).find(|s| path.read[*s] < self.sheets[*s].len());
        let text = left.map_or("", |s| self.sheets[s].text(path.read[s]));
        Some((end + 1, text.to_owned()))
    }

    /// A sheet has moves in another order: told once, at the first of them.
    fn swapped(&mut self, at: usize, step: &Step) {
        for s in 0..2 {
            let begins = step.cells[s].says == Says::Swapped && !step.before.is_swapping(s);
            if !begins {
                continue;
            }
            let first = step.before.next_word(s);
            let count = self.path.steps[at..]
                .iter()
                .take_while(|step| step.cells[s].says == Says::Swapped)
                .count()
                .min(4);
            let words: Vec<&str> =
                (first..first + count).map(|word| self.sheets[s].text(word)).collect();
            let position = &step.before.position;
            let legal = position.legal_moves();
            let others: Vec<Move> = self.sheets[s]
                .readings(first, position, position.in_check(), &legal)
                .into_iter()
                .map(|(mv, _)| mv)
                .collect();
            let open = !others.is_empty() && self.refuted(step, &others).is_none();
            let (reason, weight) =
                if open { ("swapped-open", Weight::Decide) } else { ("swapped", Weight::Look) };
            let mut point = difference(reason, "7.3", weight)
                .ply(at as u32 + 1)
                .sheet(s + 1)
                .param("text", words.join(" "));
            point.candidates = vec![step.mv];
            if !open {
                point.proposal = Some(step.mv);
            }
            self.points.push(point);
        }
    }

    /// Neither sheet has a move that can be played here.
    fn missing(&mut self, at: usize, step: &Step) {
        let position = &step.before.position;
        let mut point = difference("both-missing", "7.3", Weight::Decide)
            .ply(at as u32 + 1)
            .side(position.side());
        let written = step.cells.iter().any(|cell| cell.says == Says::Differs);
        if written {
            point = point
                .case("neither-legal")
                .param("first", self.told(step, 0))
                .param("second", self.told(step, 1));
        }
        point.position = Some(position.clone());
        self.filled += 1;
        if self.filled <= MOST_FILLED {
            let others: Vec<Move> = position.legal_moves().to_vec();
            let fits = |mv: &Move, table: &Table<'_>| {
                *mv == step.mv
                    || search(table.sheets, &step.before, Some(*mv))
                        .is_some_and(|path| path.cost < table.path.cost + REFUTED)
            };
            let found: Vec<Move> = others.into_iter().filter(|mv| fits(mv, self)).collect();
            if found.len() == 1 {
                point.proposal = found.first().copied();
            }
            if found.len() <= 8 {
                point.candidates = found;
            }
        }
        self.points.push(point);
    }

    /// Words left over at the end, and a sheet that ends before the other.
    fn ends(&mut self) {
        for s in 0..2 {
            let read = self.path.read[s];
            let left: Vec<&str> =
                (read..self.sheets[s].len()).take(20).map(|at| self.sheets[s].text(at)).collect();
            if !left.is_empty() {
                self.points.push(
                    Point::new("unplayed", "7.3", Weight::Decide)
                        .sheet(s + 1)
                        .ply(self.rows.len() as u32 + 1)
                        .param("count", self.sheets[s].len() - read)
                        .param("text", left.join(" ")),
                );
            }
            let ended = self.rows.iter().position(|row| row.entries[s].says == Says::Ended);
            if let Some(ended) = ended {
                let at = ended as u32;
                let mut point =
                    difference("short", "7.1", Weight::Look).sheet(s + 1).param("at", at);
                point.ply = Some(at + 1);
                self.points.push(point);
            }
        }
    }
}

fn results(first: &Sheet, second: &Sheet) -> Option<Point> {
    let (one, other) = (first.game.headers.result, second.game.headers.result);
    let differ = one != other && one != GameResult::Unknown && other != GameResult::Unknown;
    differ.then(|| {
        difference("result", "10.1", Weight::Decide).param("first", one).param("second", other)
    })
}

/// Two sheets that hardly agree are not of one game.
fn other_game(
    merged: &Merged,
    sheets: &[Tokens<'_>; 2],
    first: &Sheet,
    second: &Sheet,
) -> Option<Point> {
    let (agree, count) = (merged.agreed(), sheets[0].len().min(sheets[1].len()));
    let start = first.game.start != second.game.start;
    (start || count >= 4 && agree * 2 < count).then(|| {
        difference("other-game", "7.3", Weight::Decide).param("agree", agree).param("count", count)
    })
}

/// The moves that a sheet leaves out, side by side in a row.
fn runs(merged: &Merged, line: &Line, sheet: usize) -> Vec<Run> {
    let left_out = |row: &Row| {
        let entry = &row.entries[sheet];
        let blank = |c: char| c.is_whitespace() || matches!(c, '.' | '…' | '．' | '。' | '·');
        match entry.says {
            Says::Omits | Says::Ended => true,
            Says::Blank => entry.text.chars().all(blank),
            _ => false,
        }
    };
    let mut found = Vec::new();
    for side in Color::ALL {
        let mut open: Option<Run> = None;
        let rows = (1..).zip(line.plies.iter().zip(&merged.rows));
        for (ply, (_, row)) in rows.filter(|(_, (half, _))| half.side() == side) {
            if left_out(row) {
                let run = open.get_or_insert(Run { side, plies: (ply, ply), count: 0 });
                run.plies.1 = ply;
                run.count += 1;
            } else {
                found.extend(open.take());
            }
        }
        found.extend(open);
    }
    found.sort_by_key(|run| run.plies);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::read_sheets;
    use crate::import::{Entry as File, ReadOptions};

    fn sheet(text: &str) -> Sheet {
        let whole = format!("[Game \"Chinese Chess\"]\n[Red \"甲\"]\n\n{text}\n");
        let file = File::bytes("sheet.pgn", whole.into_bytes());
        read_sheets(&file, &ReadOptions::default(), None).unwrap().sheets.remove(0)
    }

    fn told(one: &str, other: &str) -> (Vec<String>, Vec<(Option<u32>, &'static str)>) {
        let found = compare(&sheet(one), &sheet(other));
        let moves = found.line.plies.iter().map(|half| match half.mv {
            Some(mv) => mv.to_string(),
            None => "--".to_owned(),
        });
        let points = found.points.iter().filter(|point| point.code == "difference");
        let reasons = points.map(|point| (point.ply, point.reason.unwrap_or("")));
        (moves.collect(), reasons.collect())
    }

    const LINE: &str = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7";
    const FULL: &str = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 *";

    fn line() -> Vec<String> {
        LINE.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn two_like_sheets_agree() {
        assert_eq!(told(FULL, FULL), (line(), vec![]));
    }

    #[test]
    fn one_sheet_fills_the_gap_of_the_other() {
        let gap = "1. 炮二平五 马8进7 2. 马二进三 3. 车一平二 马2进3 *";
        assert_eq!(told(gap, FULL), (line(), vec![(Some(4), "filled")]));
        assert_eq!(told(FULL, gap), (line(), vec![(Some(4), "filled")]));
    }

    #[test]
    fn a_word_that_cannot_be_read_is_read_from_the_other() {
        let bad = "1. 炮二平五 马8进7 2. 马二进三 -- 3. 车一平二 马2进3 *";
        assert_eq!(told(bad, FULL), (line(), vec![(Some(4), "filled")]));
    }

    #[test]
    fn the_board_decides_where_it_can() {
        // After 车9进1 no chariot is on file 8 …
        let with = |third: &str| {
            format!(
                "1. 炮二平五 马8进7 2. 马二进三 {third} 3. 车一平二 炮8进4 4. 兵七进一 车8进5 *"
            )
        };
        let (one, other) = (&with("车9平8"), &with("车9进1"));
        let (moves, reasons) = told(one, other);
        assert_eq!(moves[3], "i9h9");
        assert_eq!(reasons, [(Some(4), "decided")]);
        // … and a move that is not legal is no rival.
        let illegal = "1. 炮二平五 马8进7 2. 马二进三 车9平7 3. 车一平二 马2进3 *";
        assert_eq!(told(FULL, illegal).1, [(Some(4), "decided-illegal")]);
    }

    #[test]
    fn what_the_board_cannot_decide_stays_open() {
        let other = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进1 *";
        assert_eq!(told(FULL, other).1, [(Some(6), "open")]);
    }

    #[test]
    fn swapped_rounds_are_seen() {
        let one = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 *";
        let other = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 兵七进一 卒7进1 4. 车一平二 马2进3 *";
        let (_, reasons) = told(one, other);
        assert_eq!(reasons, [(Some(5), "swapped-open")]);
    }

    #[test]
    fn a_sheet_that_ends_early_is_short() {
        let short = "1. 炮二平五 马8进7 2. 马二进三 *";
        assert_eq!(told(short, FULL), (line(), vec![(Some(4), "short")]));
    }

    #[test]
    fn short_and_full_records_go_together() {
        let short = "1. 炮25 马87 2. 马23 车98 3. 车12 马23 *";
        assert_eq!(told(short, FULL), (line(), vec![]));
    }

    #[test]
    fn other_games_are_told_apart() {
        let other = "1. 兵七进一 卒7进1 2. 马八进七 马8进7 3. 相三进五 象3进5 *";
        let (_, reasons) = told(FULL, other);
        assert!(reasons.iter().any(|(_, reason)| *reason == "other-game"), "{reasons:?}");
    }

    #[test]
    fn sheets_without_a_move_are_borne() {
        assert_eq!(told("*", "*").0, Vec::<String>::new());
        assert_eq!(told("*", FULL).0, line());
    }
}
