//! Logs of engines that speak UCCI or UCI: the `position` lines of a game,
//! joined. Each line repeats the moves before it; UCCI begins anew after a
//! capture, so a line whose position stands in the game so far goes on with it.

use std::ops::ControlFlow;

use super::{head_text, lines};
use crate::board::{Move, Position};
use crate::finding::{Code, Finding, Place};
use crate::formats::common;
use crate::formats::text_input::{TextInput, header, span_of};
use crate::formats::{Confidence, Format, FormatInfo, Head, Limits, Piece};
use crate::record::{FormatId, NodeId, Record, Span, Start, Written};

const ID: FormatId = FormatId("ucci");

/// The format.
#[derive(Debug)]
pub struct Ucci;

impl Format for Ucci {
    fn info(&self) -> FormatInfo {
        FormatInfo {
            id: ID,
            title: "engine log (UCCI, UCI)",
            title_zh: "引擎日志",
            extensions: &["log"],
            reads: true,
            writes: false,
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let text = head_text(head);
        let found = text.lines().any(|line| position_line(line).is_some());
        if found { Confidence::Certain } else { Confidence::No }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let input = TextInput::decode(piece);
        let text = input.text();
        let mut games: Vec<Log<'_>> = Vec::new();
        let mut more = None;
        for range in lines(text) {
            let line = text.get(range.clone()).unwrap_or("");
            if let Some((fen, moves)) = position_line(line) {
                let words: Vec<&str> = moves.split_whitespace().collect();
                let joined = games.last_mut().is_some_and(|game| game.go_on(fen, &words));
                if !joined && games.len() >= limits.games as usize {
                    more = Some(range.start);
                    break;
                }
                if !joined {
                    games.push(Log::begin(range.start, fen, &words, limits.moves));
                }
            }
            if let Some(game) = games.last_mut() {
                game.end = range.end;
                if let Some(mv) = line.trim().strip_prefix("bestmove ") {
                    game.best = mv.split_whitespace().next();
                }
            }
        }
        let mut cursor = input.cursor();
        let mut before = piece.findings.clone();
        for (number, game) in games.iter().enumerate() {
            let range = game.begin..game.end;
            let mut record = input.record(ID, range, number as u32 + 1, &mut cursor, limits);
            let whole = std::mem::take(&mut record.text);
            game.fill(&mut record, text, &whole);
            record.text = whole;
            record.findings.splice(0..0, std::mem::take(&mut before));
            if game.over {
                let offset = record.origin.offset;
                common::over_limit(&mut record, offset, "moves", limits.moves);
            }
            if let Some(at) = more.filter(|_| number + 1 == games.len()) {
                let offset = input.cursor().point(at).offset;
                common::over_limit(&mut record, offset, "games", limits.games as usize);
            }
            if emit(record).is_break() {
                return;
            }
        }
        if games.is_empty() {
            let mut record = input.record(ID, 0..text.len(), 1, &mut cursor, limits);
            record.findings.push(Finding::new(Code::NoGame, Place::WHOLE));
            let _ = emit(record);
        }
    }
}

/// FEN (or `startpos`) and moves of a `position` line, wherever in the line it
/// begins: logs put times and arrows before it.
fn position_line(line: &str) -> Option<(&str, &str)> {
    let at = line.find("position ")?;
    let rest = line.get(at + 9..)?.trim_start();
    let rest = rest.strip_prefix("fen ").unwrap_or(rest);
    let (fen, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
    let fen = fen.trim();
    let board = fen.split_whitespace().next()?;
    (board == "startpos" || super::is_board(board)).then_some((fen, moves))
}

/// A game while its lines are read.
struct Log<'t> {
    begin: usize,
    end: usize,
    fen: &'t str,
    moves: Vec<&'t str>,
    /// The position before each move and the last one, as far as the moves
    /// are legal.
    positions: Vec<Position>,
    best: Option<&'t str>,
    /// How many moves are taken, and whether there were more.
    room: usize,
    over: bool,
}

/// How far back a log is searched for the position that a line begins with: a
/// program sends the position after the last capture.
const BACK: usize = 1024;

impl<'t> Log<'t> {
    fn begin(begin: usize, fen: &'t str, moves: &[&'t str], room: usize) -> Log<'t> {
        let positions = start(fen).into_iter().collect();
        let (moves_of, best) = (Vec::new(), None);
        let mut log =
            Log { begin, end: begin, fen, moves: moves_of, positions, best, room, over: false };
        for word in moves {
            log.push(word);
        }
        log
    }

    fn push(&mut self, word: &'t str) {
        if self.moves.len() >= self.room {
            self.over = true;
            return;
        }
        let next = self.positions.last().filter(|_| self.positions.len() > self.moves.len());
        let next = next.and_then(|position| {
            let mut position = position.clone();
            position.play(word.parse::<Move>().ok()?).ok()?;
            Some(position)
        });
        self.moves.push(word);
        self.positions.extend(next);
    }

    /// Whether a line goes on with this game, and if so adds its new moves.
    fn go_on(&mut self, fen: &str, words: &[&'t str]) -> bool {
        let at = if fen == self.fen {
            Some(0)
        } else {
            let Some(begin) = start(fen) else { return false };
            let from = self.positions.len().saturating_sub(BACK);
            let late = self.positions.get(from..).unwrap_or(&[]);
            late.iter().rposition(|position| *position == begin).map(|at| from + at)
        };
        let Some(known) = at.and_then(|at| self.moves.get(at..)) else { return false };
        let same = known.iter().zip(words).take_while(|(a, b)| a == b).count();
        if same < known.len() {
            // An earlier position once more, as after taking a move back.
            return same == words.len() && at == Some(0) && same > 0;
        }
        for word in words.get(same..).unwrap_or(&[]) {
            self.push(word);
        }
        self.best = None;
        true
    }

    /// Words from before `whole` cannot have a place in it; they are repeated
    /// in later lines, so this does not come about for moves that count.
    fn fill(&self, record: &mut Record, text: &str, whole: &str) {
        let place = |part: &str| {
            let span = span_of(text, part);
            Span::new(
                (span.start as usize).saturating_sub(self.begin),
                (span.end() as usize).saturating_sub(self.begin),
            )
        };
        if self.fen != "startpos" {
            record.start = Start::Fen { text: self.fen.to_owned(), span: place(self.fen) };
        }
        let mut last = NodeId::ROOT;
        for word in &self.moves {
            last = record.tree.add(last, Written::Text(place(word)));
        }
        if let Some(best) = self.best {
            let span = place(best);
            if whole.get(span.range()) == Some(best) {
                record.headers.push(header("BestMove", best, span));
            }
        }
    }
}

fn start(fen: &str) -> Option<Position> {
    Position::parse_fen(fen).ok().map(|fen| fen.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the UCCI protocol: 炮二平五 炮8平5 炮五进四 士4进5.
    #[test]
    fn lines_join_to_one_game_across_a_capture() {
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        let after = "rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
        let text = format!(
            "ucci\nposition fen {start}\ngo depth 3\nbestmove h2e2\n\
             position fen {start} moves h2e2\nposition fen {start} moves h2e2 h7e7\n\
             position fen {start} moves h2e2 h7e7 e2e6\nposition fen {after}\n\
             position fen {after} moves d9e8\nbestmove e6e3\n"
        );
        let head = Head { bytes: text.as_bytes(), complete: true, extension: "" };
        assert_eq!(Ucci.sniff(&head), Confidence::Certain);
        let piece = Piece { bytes: text.clone().into(), line: 1, ..Piece::default() };
        let mut records = Vec::new();
        Ucci.read(&piece, &Limits::default(), &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        assert_eq!(records.len(), 1);
        let record = &records[0];
        let moves: Vec<&str> = record
            .tree
            .main_line()
            .map(|node| match record.tree.node(node).written {
                Written::Text(span) => record.slice(span),
                _ => "",
            })
            .collect();
        assert_eq!(moves, ["h2e2", "h7e7", "e2e6", "d9e8"]);
        assert_eq!(record.header("bestmove"), Some("e6e3"));
    }

    #[test]
    fn another_start_is_another_game() {
        let text = "position startpos moves h2e2\nposition startpos moves b2e2 b9c7\n";
        let piece = Piece { bytes: text.into(), line: 1, ..Piece::default() };
        let mut games = 0;
        Ucci.read(&piece, &Limits::default(), &mut |_| {
            games += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(games, 2);
    }
}
