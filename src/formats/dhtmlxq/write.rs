//! Writes a UBB text.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;

use crate::board::{Color, Move, Position, Square};
use crate::finding::Finding;
use crate::formats::movetext::not_written;
use crate::formats::outgoing::{self, Encoder, Known, Outgoing};
use crate::formats::{WriteError, WriteOptions};
use crate::game::{Game, GameResult};
use crate::record::NodeId;
use crate::text::Encoding;

pub(super) fn write(
    game: &Game,
    options: &WriteOptions,
    output: &mut dyn Write,
) -> Result<Vec<Finding>, WriteError> {
    let encoding = outgoing::encoding(options, Encoding::Utf8)?;
    if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
        return Err(WriteError::Option(format!("dhtmlxq is not written in `{encoding}`")));
    }
    let traditional = match options.style.as_deref() {
        None | Some("simplified") => false,
        Some("traditional") => true,
        Some(style) => {
            return Err(WriteError::Option(format!("dhtmlxq has no style `{style}`")));
        }
    };
    let traditional = traditional || encoding == Encoding::Big5;
    let mut out = Outgoing::new(game);
    let mut text = String::from("[DhtmlXQ]\n");
    headers(&mut out, traditional, &mut text);
    start(game, &mut text);
    let lines = Lines::of(game, &mut text);
    let remarks = out.remarks();
    let mut placed: Vec<_> =
        remarks.iter().filter_map(|(node, words)| Some((*lines.place.get(node)?, words))).collect();
    placed.sort_unstable();
    out.lose("comments-after-gaps", remarks.len() - placed.len());
    for ((branch, ply), words) in placed {
        // A blank comment says nothing, and is not read.
        if words.trim().is_empty() {
            continue;
        }
        let name =
            if branch == 0 { format!("comment{ply}") } else { format!("comment{branch}_{ply}") };
        tag(&mut text, &name, words);
    }
    out.lose("gaps", lines.gaps);
    text.push_str("[/DhtmlXQ]\n");
    let mut encoder = Encoder::new(encoding);
    output.write_all(&encoder.encode(&text, "\n"))?;
    encoder.findings(&mut out.findings);
    let carried = out.game.start.quiet_plies() == 0 || needs_fen(game);
    Ok(out.finish(carried))
}

/// `[DhtmlXQ_name]value[/DhtmlXQ_name]`.
fn tag(text: &mut String, name: &str, value: &str) {
    let _ = write!(text, "[DhtmlXQ_{name}]");
    escape(value, text);
    let _ = writeln!(text, "[/DhtmlXQ_{name}]");
}

/// What the site itself escapes, and what would be read as an escape or a tag.
fn escape(value: &str, out: &mut String) {
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let special = match c {
            '?' | '&' | '=' | '\'' | '"' | '[' | '|' | '\\' => true,
            '_' | '%' => chars.peek() == Some(&'u'),
            _ => false,
        };
        match c {
            '\n' => out.push_str("||"),
            '\r' => {}
            c if special => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}

/// Information tags in the order of the site, then everything else.
fn headers(out: &mut Outgoing<'_>, traditional: bool, text: &mut String) {
    let result = match (out.game.headers.result, traditional) {
        (GameResult::RedWins, false) => "红胜",
        (GameResult::RedWins, true) => "紅勝",
        (GameResult::BlackWins, false) => "黑胜",
        (GameResult::BlackWins, true) => "黑勝",
        (GameResult::Draw, _) => "和棋",
        (GameResult::Unknown, _) => "未知",
    };
    let fields = [
        (Known::Title, "title"),
        (Known::Event, "event"),
        (Known::Date, "date"),
        (Known::Site, "place"),
        (Known::Round, "round"),
        (Known::Red, "red"),
        (Known::RedTeam, "redteam"),
        (Known::Black, "black"),
        (Known::BlackTeam, "blackteam"),
        (Known::Ecco, "open"),
        (Known::Annotator, "annotator"),
    ];
    for (known, name) in fields {
        if let Some(value) = out.known(known) {
            tag(text, name, value.trim());
        }
    }
    let stated = out.own("result").unwrap_or_else(|| result.to_owned());
    tag(text, "result", &stated);
    let mut odd = Vec::new();
    // In the order in which they are read again, in small letters.
    let mut rest = out.rest();
    rest.sort_by_key(|(name, _)| short(name).to_ascii_lowercase());
    for (name, value) in rest {
        let short = short(name);
        let plain = short.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let taken = short.to_ascii_lowercase();
        let taken = taken.starts_with("comment") || taken.starts_with("move");
        if short.is_empty() || !plain || taken {
            odd.push(name);
        } else {
            tag(text, &short.to_ascii_lowercase(), value);
        }
    }
    if !odd.is_empty() {
        out.findings.push(not_written("headers", odd.len()).param("fields", odd.join(", ")));
    }
}

/// Whether the board alone does not say all: more pieces than there are
/// places, the side where no move shows it, the counters.
fn needs_fen(game: &Game) -> bool {
    let first = game.tree.main_line().next().map(|node| game.tree.node(node));
    let mover = first
        .and_then(|node| node.mv.or(node.assumed))
        .and_then(|mv| game.start.piece_at(mv.from))
        .map_or(Color::Red, |piece| piece.color);
    outgoing::men(&game.start).is_err()
        || mover != game.start.side()
        || game.start.quiet_plies() > 0
        || game.start.round() > 1
}

fn start(game: &Game, text: &mut String) {
    let fen = needs_fen(game);
    if fen {
        tag(text, "fen", &game.start.fen());
    }
    let Ok(men) = outgoing::men(&game.start) else { return };
    if game.start != Position::start() || fen {
        let square = |at: Option<Square>| match at {
            Some(at) => format!("{}{}", at.file(), 9 - at.rank()),
            None => "99".to_owned(),
        };
        let digits: String = men.into_iter().map(square).collect();
        tag(text, "binit", &digits);
    }
}

/// The line and the ply of every move.
struct Lines {
    place: HashMap<NodeId, (u32, usize)>,
    gaps: usize,
}

impl Lines {
    /// Writes the main line and a branch for each alternative. The branches of
    /// a position stand in their order, so they are read back in it.
    fn of(game: &Game, text: &mut String) -> Lines {
        let tree = &game.tree;
        let mut lines = Lines { place: HashMap::from([(NodeId::ROOT, (0, 0))]), gaps: 0 };
        // Branches that are still to be written: number, parent, first ply,
        // first move.
        let mut waiting = std::collections::VecDeque::new();
        let mut next = 1u32;
        let mut current = Some((0u32, 0u32, 1usize, NodeId::ROOT));
        while let Some((number, parent, first_ply, first)) = current {
            let mut digits = String::new();
            let mut ply = first_ply;
            let mut node = first;
            if number > 0 {
                push(&mut digits, squares(game, node));
                lines.place.insert(node, (number, ply));
                ply += 1;
            }
            loop {
                let mut follow = None;
                for child in tree.children(node) {
                    if squares(game, child).is_none() {
                        lines.gaps += 1;
                    } else if follow.is_none() {
                        follow = Some(child);
                    } else {
                        waiting.push_back((next, number, ply, child));
                        next += 1;
                    }
                }
                let Some(child) = follow else { break };
                push(&mut digits, squares(game, child));
                lines.place.insert(child, (number, ply));
                node = child;
                ply += 1;
            }
            if number == 0 {
                tag(text, "movelist", &digits);
            } else {
                tag(text, &format!("move_{parent}_{first_ply}_{number}"), &digits);
            }
            current = waiting.pop_front();
        }
        lines
    }
}

fn squares(game: &Game, node: NodeId) -> Option<Move> {
    let node = game.tree.node(node);
    node.mv.or(node.assumed)
}

fn push(digits: &mut String, mv: Option<Move>) {
    if let Some(mv) = mv {
        for at in [mv.from, mv.to] {
            let _ = write!(digits, "{}{}", at.file(), 9 - at.rank());
        }
    }
}
/// A name without the prefix of the format.
fn short(name: &str) -> &str {
    name.get(8..).filter(|_| name.starts_with("DhtmlXQ_")).unwrap_or(name)
}
