//! Records of game servers that store moves alone, always from the normal
//! start: CHE (QQ象棋), CHN (联众) and CCM (中国游戏中心). They have no
//! signature, so all of a file must fit before it is taken for one of them.
//! The facts come from other readers; no file was at hand.

use std::ops::ControlFlow;

use super::bytes::Bytes;
use super::text_input::{TextInput, span_of};
use super::{Confidence, Format, FormatInfo, Head, Limits, Piece, common};
use crate::board::{Color, Move, Piece as Man, PieceKind, Position, Square};
use crate::finding::{Code, Finding, Place, Severity};
use crate::record::{FormatId, NodeId, Record, Written};

/// CHE: numbers in decimal, ten to a move.
#[derive(Debug)]
pub struct Che;

/// CHN: records of 32 bytes after 188.
#[derive(Debug)]
pub struct Chn;

/// CCM: records of seven bytes.
#[derive(Debug)]
pub struct Ccm;

impl Format for Che {
    fn info(&self) -> FormatInfo {
        info("che", "QQ Chinese Chess record", "QQ象棋", &["che"])
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let numbers: Vec<i64> = che_numbers(head.bytes).take(32).collect();
        let plain =
            head.bytes.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
        let fits = |at: usize| {
            let get = |n: usize| numbers.get(at + n).copied();
            get(1) == Some(32)
                && matches!(get(2), Some(0 | 1))
                && (3..7).all(|n| matches!(get(n), Some(0..=9)))
        };
        if plain && numbers.len() >= 12 && numbers.first() == Some(&1) && fits(2) {
            Confidence::Certain
        } else {
            Confidence::No
        }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let _ = emit(che(piece, limits));
    }
}

impl Format for Chn {
    fn info(&self) -> FormatInfo {
        info("chn", "Ourgame record", "联众棋谱", &["chn"])
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let bytes = Bytes::new(head.bytes, 0);
        let moves = raw_chn(bytes);
        let whole = head.complete && bytes.len().saturating_sub(CHN_HEAD).is_multiple_of(CHN_MOVE);
        if whole && !moves.is_empty() && plausible(&moves) {
            Confidence::Likely
        } else {
            Confidence::No
        }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let bytes = Bytes::of(piece);
        let mut record = common::record(FormatId("chn"), piece);
        let rest = bytes.len().saturating_sub(CHN_HEAD) % CHN_MOVE;
        turned_moves(&mut record, &raw_chn(bytes), limits);
        cut_off(&mut record, bytes, rest);
        let _ = emit(record);
    }
}

impl Format for Ccm {
    fn info(&self) -> FormatInfo {
        info("ccm", "China Game Centre record", "中游棋谱", &["ccm"])
    }

    fn sniff(&self, head: &Head<'_>) -> Confidence {
        let bytes = Bytes::new(head.bytes, 0);
        let moves = raw_ccm(bytes);
        let whole = head.complete && bytes.len().is_multiple_of(CCM_MOVE) && bytes.u8(0) == Some(1);
        if whole && !moves.is_empty() && plausible(&moves) {
            Confidence::Likely
        } else {
            Confidence::No
        }
    }

    fn read(
        &self,
        piece: &Piece,
        limits: &Limits,
        emit: &mut dyn FnMut(Record) -> ControlFlow<()>,
    ) {
        let bytes = Bytes::of(piece);
        let mut record = common::record(FormatId("ccm"), piece);
        turned_moves(&mut record, &raw_ccm(bytes), limits);
        cut_off(&mut record, bytes, bytes.len() % CCM_MOVE);
        let _ = emit(record);
    }
}

fn info(
    id: &'static str,
    title: &'static str,
    title_zh: &'static str,
    extensions: &'static [&'static str],
) -> FormatInfo {
    FormatInfo { id: FormatId(id), title, title_zh, extensions, reads: true, writes: false }
}

/// Bytes before the moves of a CHN file; what they hold is not known.
const CHN_HEAD: usize = 188;
const CHN_MOVE: usize = 32;
const CCM_MOVE: usize = 7;

/// A move as stored: file from, rank from, file to, rank to, with the rank
/// from the top while Red is at the bottom.
#[derive(Clone, Copy, Debug)]
struct Raw {
    numbers: [u16; 4],
    offset: u64,
}

fn raw_chn(bytes: Bytes<'_>) -> Vec<Raw> {
    let number = |at: usize| bytes.array::<2>(at).map(u16::from_le_bytes);
    (CHN_HEAD..bytes.len())
        .step_by(CHN_MOVE)
        .filter(|at| at + CHN_MOVE <= bytes.len())
        .filter_map(|at| {
            let numbers = [number(at + 4)?, number(at + 6)?, number(at + 8)?, number(at + 10)?];
            Some(Raw { numbers, offset: bytes.offset(at) })
        })
        .collect()
}

fn raw_ccm(bytes: Bytes<'_>) -> Vec<Raw> {
    (0..bytes.len())
        .step_by(CCM_MOVE)
        .filter_map(|at| {
            let [_, _, _, from_file, to_file, from_rank, to_rank] = bytes.array(at)?;
            let numbers = [from_file, from_rank, to_file, to_rank].map(u16::from);
            Some(Raw { numbers, offset: bytes.offset(at) })
        })
        .collect()
}

/// The move on the board. Where the first one begins in the upper half, the
/// whole game was stored upside down.
fn on_board(raw: Raw, turned: bool) -> Option<Move> {
    let [from_file, from_rank, to_file, to_rank] = raw.numbers;
    let square = |file: u16, rank: u16| {
        let (file, rank) = (i8::try_from(file).ok()?, i8::try_from(rank).ok()?);
        let (file, rank) = if turned { (8 - file, 9 - rank) } else { (file, rank) };
        Square::at(file, 9 - rank)
    };
    Some(Move::new(square(from_file, from_rank)?, square(to_file, to_rank)?))
}

fn is_turned(moves: &[Raw]) -> bool {
    moves.first().is_some_and(|raw| raw.numbers[1] < 5)
}

/// Whether all squares are on the board and the first plies are legal. The
/// servers allow the king to be taken, so the end does not count.
fn plausible(moves: &[Raw]) -> bool {
    let turned = is_turned(moves);
    let mut position = Position::start();
    moves.iter().all(|raw| on_board(*raw, turned).is_some())
        && moves
            .iter()
            .take(6)
            .all(|raw| on_board(*raw, turned).is_some_and(|mv| position.play(mv).is_ok()))
}

fn turned_moves(record: &mut Record, moves: &[Raw], limits: &Limits) {
    let turned = is_turned(moves);
    let mut last = NodeId::ROOT;
    for raw in moves {
        if record.tree.len() >= limits.moves {
            common::over_limit(record, raw.offset, "moves", limits.moves);
            return;
        }
        let [from_file, from_rank, to_file, to_rank] = raw.numbers;
        let written = match on_board(*raw, turned) {
            Some(mv) => Written::Squares { mv, offset: raw.offset },
            None => Written::OffBoard {
                raw: (
                    common::packed(from_file as u8, from_rank as u8),
                    common::packed(to_file as u8, to_rank as u8),
                ),
                offset: raw.offset,
            },
        };
        last = record.tree.add(last, written);
    }
    if turned {
        record.findings.push(
            Finding::new(Code::DialectRead, Place::offset(record.origin.offset))
                .reason("board-turned"),
        );
    }
    if moves.is_empty() {
        record.findings.push(Finding::new(Code::NoGame, Place::WHOLE));
    }
}

fn cut_off(record: &mut Record, bytes: Bytes<'_>, rest: usize) {
    if rest > 0 {
        common::damage(record, Code::Truncated, bytes.offset(bytes.len()), "moves");
    }
}

fn che_numbers(bytes: &[u8]) -> impl Iterator<Item = i64> + '_ {
    bytes
        .split(|byte| !byte.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .filter_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok())
}

/// The piece with an id of CHE, and the file of its start where ranks tell the
/// two wings apart: the back rows count from the king outwards.
fn che_cannon(id: i64) -> Option<(Man, i8)> {
    let red = Man::new(Color::Red, PieceKind::Cannon);
    let black = Man::new(Color::Black, PieceKind::Cannon);
    match id {
        25 => Some((red, 1)),
        26 => Some((red, 7)),
        10 => Some((black, 1)),
        9 => Some((black, 7)),
        _ => None,
    }
}

/// Reads CHE. Two readers of this format count files from different sides,
/// and a mirrored game is as legal as its original. The piece numbers decide
/// where a cannon shows them: that of file h is 26, and 9 for Black.
fn che(piece: &Piece, limits: &Limits) -> Record {
    let input = TextInput::decode(piece);
    let text = input.text();
    let mut record = input.record(FormatId("che"), 0..text.len(), 1, &mut input.cursor(), limits);
    record.findings.splice(0..0, piece.findings.iter().cloned());
    let words: Vec<&str> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty()).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<i64>().ok());
    let stated = number(1).unwrap_or(0);
    let begins: Vec<usize> = (2..words.len()).step_by(10).collect();
    let from_right = begins.iter().find_map(|at| {
        let (_, file) = che_cannon(number(*at)?)?;
        let column = number(at + 4)?;
        (column == 1 || column == 7).then_some(i64::from(file) != column)
    });
    let mut last = NodeId::ROOT;
    let mut cursor = input.cursor();
    let mut complete = 0;
    for at in begins {
        if words.len() < at + 10 {
            let end = Bytes::of(piece).offset(piece.bytes.len());
            common::damage(&mut record, Code::Truncated, end, "moves");
            break;
        }
        complete += 1;
        if record.tree.len() >= limits.moves {
            let offset = record.origin.offset;
            common::over_limit(&mut record, offset, "moves", limits.moves);
            break;
        }
        let value = |n: usize| number(at + n).and_then(|v| i8::try_from(v).ok()).unwrap_or(-1);
        let file = |n: usize| if from_right == Some(true) { 8 - value(n) } else { value(n) };
        let first = words.get(at).map_or(0, |word| span_of(text, word).start as usize);
        let offset = cursor.point(first).offset;
        let written = match (Square::at(file(4), value(3)), Square::at(file(6), value(5))) {
            (Some(from), Some(to)) => Written::Squares { mv: Move::new(from, to), offset },
            _ => Written::OffBoard {
                raw: (
                    common::packed(value(4) as u8, value(3) as u8),
                    common::packed(value(6) as u8, value(5) as u8),
                ),
                offset,
            },
        };
        last = record.tree.add(last, written);
    }
    let start = Place::offset(piece.offset);
    if stated != complete {
        record.findings.push(
            Finding::new(Code::Corrupt, start)
                .severity(Severity::Warning)
                .reason("move-count")
                .param("stated", stated)
                .param("read", complete),
        );
    }
    let reason = match from_right {
        Some(true) => "files-from-right",
        Some(false) => "files-from-left",
        None => "files-perhaps-mirrored",
    };
    let finding = Finding::new(Code::DialectRead, start).reason(reason);
    let doubt = from_right.is_none() && complete > 0;
    record.findings.push(if doubt { finding.severity(Severity::Warning) } else { finding });
    common::settle_start(&mut record);
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: &dyn Format, bytes: &[u8]) -> Record {
        let head = Head { bytes, complete: true, extension: "" };
        assert!(format.sniff(&head) >= Confidence::Likely);
        let piece = Piece { bytes: bytes.to_vec(), line: 1, ..Piece::default() };
        let mut records = Vec::new();
        format.read(&piece, &Limits::default(), &mut |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        records.remove(0)
    }

    fn moves(record: &Record) -> Vec<String> {
        let written = record.tree.main_line().map(|node| record.tree.node(node).written);
        written
            .map(|written| match written {
                Written::Squares { mv, .. } => mv.to_string(),
                other => format!("{other:?}"),
            })
            .collect()
    }

    /// 炮二平五 as the format's description spells it: piece 26 in column 1, so
    /// columns count from the right.
    #[test]
    fn che_tells_the_side_by_the_number_of_the_cannon() {
        let record = read(&Che, b"1 1 26 32 1 2 1 2 4 0 1 0 ");
        assert_eq!(moves(&record), ["h2e2"]);
        assert_eq!(record.findings[0].reason, Some("files-from-right"));
        let record = read(&Che, b"1 1 26 32 1 2 7 2 4 0 1 0 ");
        assert_eq!(moves(&record), ["h2e2"]);
        assert_eq!(record.findings[0].reason, Some("files-from-left"));
        let record = read(&Che, b"1 2 29 32 1 3 4 4 4 0 1 0 ");
        let reasons: Vec<_> = record.findings.iter().map(|finding| finding.reason).collect();
        assert_eq!(reasons, [Some("move-count"), Some("files-perhaps-mirrored")]);
    }

    fn ccm(plies: &[[u8; 4]]) -> Vec<u8> {
        let record = |[x1, y1, x2, y2]: &[u8; 4]| [1, 0, 0, *x1, *x2, *y1, *y2];
        plies.iter().flat_map(record).collect()
    }

    #[test]
    fn ccm_is_turned_by_its_first_move() {
        assert_eq!(moves(&read(&Ccm, &ccm(&[[7, 7, 4, 7], [7, 0, 6, 2]]))), ["h2e2", "h9g7"]);
        let record = read(&Ccm, &ccm(&[[1, 2, 4, 2], [1, 9, 2, 7]]));
        assert_eq!(moves(&record), ["h2e2", "h9g7"]);
        assert_eq!(record.findings[0].reason, Some("board-turned"));
    }

    #[test]
    fn chn_has_its_moves_after_the_head() {
        let mut bytes = vec![0; CHN_HEAD];
        for numbers in [[7u16, 7, 4, 7], [7, 0, 6, 2]] {
            let mut record = [0u8; CHN_MOVE];
            for (slot, number) in numbers.into_iter().enumerate() {
                record[4 + 2 * slot..6 + 2 * slot].copy_from_slice(&number.to_le_bytes());
            }
            bytes.extend_from_slice(&record);
        }
        assert_eq!(moves(&read(&Chn, &bytes)), ["h2e2", "h9g7"]);
    }

    #[test]
    fn zeros_and_other_bytes_are_none_of_these() {
        for bytes in [vec![0; 188 + 64], vec![1; 70], b"1 2 3".to_vec(), vec![]] {
            let head = Head { bytes: &bytes, complete: true, extension: "" };
            assert_eq!(Chn.sniff(&head), Confidence::No);
            assert_eq!(Ccm.sniff(&head), Confidence::No);
            assert_eq!(Che.sniff(&head), Confidence::No);
        }
    }
}
