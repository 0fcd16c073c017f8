//! Moves on the command line, in any notation.

use qipu::board::Position;
use qipu::finding::Severity;
use qipu::game::Game;
use qipu::record::{NodeId, Record, Span, Start, Written};
use qipu::replay::{ReplayOptions, replay};

use super::{CliError, Output};

/// Plays moves from a position and gives the one they lead to. Move numbers
/// are passed over.
pub(crate) fn play(start: &Position, text: &str, out: &Output) -> Result<Position, CliError> {
    game(start, text, &ReplayOptions::default(), out).map(|game| game.final_position())
}

/// As [`play`], with all the moves.
pub(crate) fn game(
    start: &Position,
    text: &str,
    options: &ReplayOptions,
    out: &Output,
) -> Result<Game, CliError> {
    let lang = out.lang();
    let mut record = Record {
        text: text.to_owned(),
        start: Start::Board { position: Box::new(start.clone()), side_known: true },
        ..Record::default()
    };
    let mut last = NodeId::ROOT;
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | ';')) {
        let number = word.trim_end_matches(['.', '．', '。', '、']);
        if number.is_empty() || number.len() < word.len() && number.parse::<u32>().is_ok() {
            continue;
        }
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        last = record.tree.add(last, Written::Text(Span::new(at, at + word.len())));
    }
    let game = replay(record, options);
    let fault = game.findings.iter().find(|finding| finding.severity == Severity::Error);
    if fault.is_none() && game.unplayed.is_empty() {
        return Ok(game);
    }
    let what = lang.pick("these moves cannot be played", "着法无法走出");
    let (message, hint) = fault.map_or_else(
        || (game.unplayed.join(" "), String::new()),
        |finding| (finding.message(lang), finding.hint(lang)),
    );
    Err(CliError::usage(format!("{what}: {message}"), hint))
}
