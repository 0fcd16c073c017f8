//! `qipu check --ask`: puts what is in doubt to a person, reads again with
//! the answer, until nothing is in doubt.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal as _, Write};
use std::ops::ControlFlow;

use qipu::board::Move;
use qipu::finding::{Lang, Severity};
use qipu::game::Game;
use qipu::import::{ReadOptions, read_file};
use qipu::replay::{Answer, Doubt, Meant, doubts, meant};
use qipu::report::moves::chinese;
use qipu::report::{BoardText, Paint, Tone, heading};

use super::check::one_file;
use super::inputs::{InputFile, files};
use super::{CliError, Done, Exit, Output};

/// Candidates that are offered for one ply.
const OFFERED: usize = 9;

/// Runs the command.
pub(crate) fn run(paths: &[OsString], options: ReadOptions, out: &mut Output) -> Done {
    let lang = out.lang();
    one_file(paths, lang)?;
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(CliError::usage(
            lang.pick(
                "--ask needs a terminal: it reads your answers from it",
                "--ask 须在终端上使用：要从终端读取回答",
            ),
            lang.pick(
                "In a script, give the answers as --fix PLY=MOVE.",
                "在脚本中请用 --fix 步数=着法 给出回答。",
            ),
        ));
    }
    let mut worst = Exit::Fine;
    for file in files(paths) {
        let file = file?;
        let mut person = Person {
            file: &file,
            options: options.clone(),
            lang,
            paint: out.stderr_paint(),
            from: &mut io::stdin().lock(),
            to: &mut io::stderr(),
        };
        let games = person.ask_all()?;
        for game in &games {
            if game.findings.iter().any(|f| f.severity == Severity::Error) {
                worst = Exit::Faults;
            }
        }
        // The answers, to be given again in a script or to `convert`.
        let words: Vec<String> =
            person.options.replay.answers.iter().map(|answer| format!(" --fix {answer}")).collect();
        if !words.is_empty() {
            writeln!(out, "{}", words.concat().trim_start())?;
        }
    }
    Ok(worst)
}

/// A person, and the file about which they are asked.
struct Person<'a> {
    file: &'a InputFile,
    options: ReadOptions,
    lang: Lang,
    paint: Paint,
    from: &'a mut dyn BufRead,
    to: &'a mut dyn Write,
}

/// What a person said.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Answer(String),
    Skip,
    Quit,
}

impl Person<'_> {
    /// Goes through the games of the file; returns them as they are read with
    /// all answers.
    fn ask_all(&mut self) -> Result<Vec<Game>, CliError> {
        let count = self.read()?.len();
        'games: for index in 0..count {
            let mut skipped = BTreeSet::new();
            loop {
                let games = self.read()?;
                let Some(game) = games.get(index) else { break };
                let open = doubts(game);
                let left: Vec<&Doubt> =
                    open.iter().filter(|doubt| !skipped.contains(&doubt.ply)).collect();
                self.say_left(game, &left, skipped.len()).map_err(terminal)?;
                let Some(doubt) = left.first() else { break };
                match self.ask(game, doubt).map_err(terminal)? {
                    Said::Answer(said) => self.options.replay.answers.push(Answer {
                        game: Some(game.origin.game),
                        ply: doubt.ply,
                        said,
                    }),
                    Said::Skip => {
                        skipped.insert(doubt.ply);
                    }
                    Said::Quit => break 'games,
                }
            }
        }
        self.read()
    }

    fn read(&self) -> Result<Vec<Game>, CliError> {
        let mut games = Vec::new();
        read_file(&self.file.entry, &self.options, &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        })
        .map_err(|error| CliError::input(&error.path, error.source))?;
        Ok(games)
    }

    fn say_left(&mut self, game: &Game, left: &[&Doubt], skipped: usize) -> io::Result<()> {
        let who = heading(game, self.lang);
        let number = game.origin.game;
        let rest = game.unplayed.len();
        let n = left.len();
        match self.lang {
            Lang::En => {
                write!(self.to, "game {number} {who}: ")?;
                match n {
                    0 => write!(self.to, "no doubt left")?,
                    1 => write!(self.to, "1 doubt left")?,
                    _ => write!(self.to, "{n} doubts left")?,
                }
                if skipped > 0 {
                    write!(self.to, ", {skipped} skipped")?;
                }
                if rest > 0 {
                    write!(self.to, "; {rest} words not played yet")?;
                }
                writeln!(self.to)
            }
            Lang::Zh => {
                write!(self.to, "第 {number} 局 {who}：还有 {n} 处疑点")?;
                if skipped > 0 {
                    write!(self.to, "，跳过 {skipped} 处")?;
                }
                if rest > 0 {
                    write!(self.to, "；尚有 {rest} 着未走")?;
                }
                writeln!(self.to)
            }
        }
    }

    /// Puts one doubt, until the answer can be understood.
    fn ask(&mut self, game: &Game, doubt: &Doubt) -> io::Result<Said> {
        let lang = self.lang;
        let board = BoardText::new(&doubt.position).last_move(doubt.last).paint(self.paint);
        writeln!(self.to, "\n{board}")?;
        if let Some(finding) = game.findings.get(doubt.finding) {
            let ply = doubt.ply;
            let round = doubt.position.round();
            let line = finding.place.source.map_or(0, |point| point.line);
            let place = match lang {
                Lang::En => format!("round {round}, ply {ply}, line {line}"),
                Lang::Zh => format!("第 {round} 回合，第 {ply} 步，第 {line} 行"),
            };
            writeln!(self.to, "{}", self.paint.tone(Tone::Heading, place))?;
            writeln!(self.to, "{}", finding.message(lang))?;
        }
        let offered: Vec<(Move, Option<f32>)> =
            doubt.candidates.iter().copied().take(OFFERED).collect();
        for (number, (mv, odds)) in (1..).zip(&offered) {
            let words = chinese(*mv, &doubt.position);
            let odds = odds.map_or_else(String::new, |odds| {
                format!("  {:5.1} %", f64::from(odds.min(1.0)) * 100.0)
            });
            writeln!(self.to, "  {number}  {words} ({mv}){odds}")?;
        }
        loop {
            write!(
                self.to,
                "{}",
                lang.pick(
                    "number, move in any notation, `-` no move, s skip, q quit > ",
                    "编号、任意记谱法的着法、`-` 不是着法、s 跳过、q 结束 > ",
                )
            )?;
            self.to.flush()?;
            let mut line = String::new();
            if self.from.read_line(&mut line)? == 0 {
                return Ok(Said::Quit);
            }
            match understood(line.trim(), &offered, doubt) {
                Ok(said) => return Ok(said),
                Err(Meant::Several(several)) => {
                    let words: Vec<String> =
                        several.iter().map(|mv| chinese(*mv, &doubt.position)).collect();
                    let what = lang.pick("that can be", "可能是");
                    writeln!(self.to, "{what} {}", words.join(lang.pick(" or ", " 或 ")))?;
                }
                Err(_) => writeln!(
                    self.to,
                    "{}",
                    lang.pick("that is no legal move here; try again", "此处不是合法着法，请再试",)
                )?,
            }
        }
    }
}

/// Understands an answer; `Err` is what the text means instead of one move.
fn understood(text: &str, offered: &[(Move, Option<f32>)], doubt: &Doubt) -> Result<Said, Meant> {
    match text {
        "s" | "S" => return Ok(Said::Skip),
        "q" | "Q" => return Ok(Said::Quit),
        "-" | "－" => return Ok(Said::Answer("-".to_owned())),
        _ => {}
    }
    if let Ok(number) = text.parse::<usize>()
        && let Some((mv, _)) = number.checked_sub(1).and_then(|index| offered.get(index))
    {
        return Ok(Said::Answer(mv.to_string()));
    }
    match meant(text, &doubt.position, None) {
        // Kept as squares: they say the same in every dialect.
        Meant::Move(mv) => Ok(Said::Answer(mv.to_string())),
        other => Err(other),
    }
}

fn terminal(source: io::Error) -> CliError {
    CliError::input("-", source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qipu::import::Entry;

    /// 車12 leaves two readings open, and nothing later decides.
    const SHEET: &str = "[Event \"甲\"]\n\n1. 炮25 马87 2. 马23 车98 3. 车12 *\n";

    fn dialogue(answers: &str) -> (String, Vec<Answer>, Vec<Game>) {
        let mut options = ReadOptions::default();
        options.replay.prior = std::sync::Arc::new(qipu::replay::prior::Prior::uniform());
        let file = InputFile::of_bytes("sheet.pgn", SHEET.as_bytes().to_vec());
        let (mut from, mut to) = (answers.as_bytes(), Vec::new());
        let mut person = Person {
            file: &file,
            options,
            lang: Lang::En,
            paint: Paint::PLAIN,
            from: &mut from,
            to: &mut to,
        };
        let games = person.ask_all().expect("asked");
        let answers = person.options.replay.answers.clone();
        assert_eq!(file.entry.path(), Entry::bytes("sheet.pgn", Vec::new()).path());
        (String::from_utf8(to).expect("UTF-8"), answers, games)
    }

    fn last_move(games: &[Game]) -> String {
        games[0].main_line().last().flatten().map(|mv| mv.to_string()).unwrap_or_default()
    }

    #[test]
    fn an_answer_settles_the_doubt() {
        let (told, answers, games) = dialogue("车一进二\n");
        assert!(told.contains("1 doubt left"), "{told}");
        assert!(told.contains("车一平二 (i0h0)") && told.contains("车一进二 (i0i2)"), "{told}");
        assert!(told.trim_end().ends_with("no doubt left"), "{told}");
        assert_eq!(answers, ["1:5=i0i2".parse().unwrap()]);
        assert_eq!(last_move(&games), "i0i2");
    }

    #[test]
    fn what_is_no_answer_is_asked_again() {
        let (told, answers, games) = dialogue("马一进九\n好\nR1.2\n");
        assert_eq!(told.matches("try again").count(), 2, "{told}");
        assert_eq!(answers.len(), 1);
        assert_eq!(last_move(&games), "i0h0");
    }

    #[test]
    fn skipping_and_leaving_change_nothing() {
        for words in ["s\n", "q\n", ""] {
            let (_, answers, _) = dialogue(words);
            assert!(answers.is_empty(), "{words:?}");
        }
    }
}
