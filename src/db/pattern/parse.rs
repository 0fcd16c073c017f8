//! Reads the query language of `grammars/pattern.abnf`.

use nom::branch::alt;
use nom::combinator::{all_consuming, opt};
use nom::error::{ErrorKind, ParseError};
use nom::multi::{many0_count, many1};
use nom::{IResult, Parser};

use super::PatternError;
use super::syntax::{Clause, Contents, Count, Element, Material, Range, is_guard};
use crate::board::{Bitboard, Color, Piece, PieceKind, Square};

/// Longer questions are refused.
const MAX_LEN: usize = 4096;

/// What stood where something else was expected.
#[derive(Debug)]
struct Unexpected<'a> {
    rest: &'a str,
    expected: &'static str,
}

type Read<'a, T> = IResult<&'a str, T, Unexpected<'a>>;

impl<'a> ParseError<&'a str> for Unexpected<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Unexpected<'a> {
        Unexpected { rest, expected: "the end" }
    }

    fn append(_: &'a str, _: ErrorKind, other: Unexpected<'a>) -> Unexpected<'a> {
        other
    }

    /// Of two alternatives, the one that came further knows better.
    fn or(self, other: Unexpected<'a>) -> Unexpected<'a> {
        if other.rest.len() < self.rest.len() { other } else { self }
    }
}

fn fail<'a, T>(rest: &'a str, expected: &'static str) -> Read<'a, T> {
    Err(nom::Err::Error(Unexpected { rest, expected }))
}

/// A parser of one character that `pick` has a meaning for.
fn one<'a, T>(
    expected: &'static str,
    pick: impl Fn(char) -> Option<T>,
) -> impl Parser<&'a str, Output = T, Error = Unexpected<'a>> {
    move |input: &'a str| {
        let mut characters = input.chars();
        match characters.next().and_then(&pick) {
            Some(value) => Ok((characters.as_str(), value)),
            None => fail(input, expected),
        }
    }
}

fn sign<'a>(
    expected: &'static str,
    sign: char,
) -> impl Parser<&'a str, Output = (), Error = Unexpected<'a>> {
    one(expected, move |c| (c == sign).then_some(()))
}

/// Runs a parser over a whole text.
fn whole<'a, T>(
    text: &'a str,
    parser: impl Parser<&'a str, Output = T, Error = Unexpected<'a>>,
) -> Result<T, PatternError> {
    if text.len() > MAX_LEN {
        return Err(PatternError::new(text, MAX_LEN, "a shorter text"));
    }
    match all_consuming(parser).parse(text) {
        Ok((_, value)) => Ok(value),
        Err(nom::Err::Error(error) | nom::Err::Failure(error)) => {
            Err(PatternError::new(text, text.len() - error.rest.len(), error.expected))
        }
        Err(nom::Err::Incomplete(_)) => Err(PatternError::new(text, text.len(), "more")),
    }
}

/// Reads a pattern: clauses with semicolons between.
pub(crate) fn pattern(text: &str) -> Result<Vec<Clause>, PatternError> {
    whole(text, clauses)
}

fn clauses(input: &str) -> Read<'_, Vec<Clause>> {
    let mut all = Vec::new();
    let mut rest = clause(input, &mut all)?;
    while let Ok((after, ())) = separator(rest) {
        rest = clause(after, &mut all)?;
    }
    if rest.is_empty() { Ok((rest, all)) } else { fail(rest, "`;` or the end") }
}

fn separator(input: &str) -> Read<'_, ()> {
    let (rest, _) = blanks(input)?;
    let (rest, ()) = sign("`;`", ';').parse(rest)?;
    let (rest, _) = blanks(rest)?;
    Ok((rest, ()))
}

fn blanks(input: &str) -> Read<'_, usize> {
    many0_count(sign("a blank", ' ')).parse(input)
}

/// Reads a clause and gives what follows. A board has slashes between its
/// ranks, nothing else has any.
fn clause<'a>(input: &'a str, all: &mut Vec<Clause>) -> Result<&'a str, nom::Err<Unexpected<'a>>> {
    let end = input.find(';').unwrap_or(input.len());
    if input.get(..end).is_some_and(|this| this.contains('/')) {
        let (rest, cells) = board(input)?;
        let (rest, side) = opt(side).parse(rest)?;
        all.push(Clause::Board(cells));
        all.extend(side.flatten().map(Clause::Turn));
        return Ok(rest);
    }
    let (rest, clause) = alt((turn, count)).parse(input)?;
    all.push(clause);
    Ok(rest)
}

fn turn(input: &str) -> Read<'_, Clause> {
    let Some(rest) = input.strip_prefix("turn ") else {
        return fail(input, "a board, pieces such as `N@c-g`, or `turn red`");
    };
    let rest = rest.trim_start_matches(' ');
    for color in Color::ALL {
        if let Some(rest) = rest.strip_prefix(color.name()) {
            return Ok((rest, Clause::Turn(color)));
        }
    }
    fail(rest, "`red` or `black`")
}

/// The turn behind a board.
fn side(input: &str) -> Read<'_, Option<Color>> {
    let (rest, ()) = sign("a blank", ' ').parse(input)?;
    let (rest, _) = blanks(rest)?;
    one("`w`, `b` or `-`", |c| match c {
        'w' | 'r' => Some(Some(Color::Red)),
        'b' => Some(Some(Color::Black)),
        '-' => Some(None),
        _ => None,
    })
    .parse(rest)
}

fn board(input: &str) -> Read<'_, Box<[Contents; 90]>> {
    let mut cells = Box::new([Contents::ALL; 90]);
    let mut rest = input;
    for (from_top, row) in cells.rchunks_exact_mut(9).enumerate() {
        if from_top > 0 {
            (rest, ()) = sign("`/` and the next rank: a board has ten", '/').parse(rest)?;
        }
        rest = rank(rest, row)?;
    }
    Ok((rest, cells))
}

/// Reads a rank of nine points, or none at all, which leaves it open.
fn rank<'a>(input: &'a str, row: &mut [Contents]) -> Result<&'a str, nom::Err<Unexpected<'a>>> {
    let mut rest = input;
    let mut file = 0;
    while let Some(next) = rest.chars().next().filter(|c| !matches!(c, '/' | ' ' | ';')) {
        let (after, (contents, width)) = cell(rest)?;
        let Some(points) = row.get_mut(file..file + width) else {
            return Err(nom::Err::Error(Unexpected {
                rest,
                expected: if file == 9 {
                    "`/`: a rank has nine points"
                } else {
                    "a rank of nine points"
                },
            }));
        };
        points.fill(contents);
        file += width;
        rest = after;
        debug_assert!(next.is_ascii());
    }
    if file == 0 || file == 9 {
        Ok(rest)
    } else {
        Err(nom::Err::Error(Unexpected { rest, expected: "more points: a rank has nine, or none" }))
    }
}

/// What may be on a point, and on how many points in a row.
fn cell(input: &str) -> Read<'_, (Contents, usize)> {
    let single = |contents| (contents, 1);
    alt((
        one("a piece, `?`, `.`, `*`, a digit or `[`", |c| match c {
            '?' => Some((Contents::ALL, 1)),
            '.' => Some((Contents::NOTHING, 1)),
            '*' => Some((Contents::PIECES, 1)),
            '1'..='9' => Some((Contents::NOTHING, c as usize - '0' as usize)),
            _ => None,
        }),
        one("a piece, `?`, `.`, `*`, a digit or `[`", piece).map(single),
        set.map(single),
    ))
    .parse(input)
}

fn piece(letter: char) -> Option<Contents> {
    "KABNRCPEHkabnrcpeh"
        .contains(letter)
        .then(|| Piece::from_letter(letter).map(Contents::piece))
        .flatten()
}

/// `[RC]`, `[^n.]`
fn set(input: &str) -> Read<'_, Contents> {
    let (rest, ()) = sign("`[`", '[').parse(input)?;
    let (rest, not) = opt(sign("`^`", '^')).parse(rest)?;
    let member =
        one("a piece or `.`", |c| if c == '.' { Some(Contents::NOTHING) } else { piece(c) });
    let (rest, members) = many1(member).parse(rest)?;
    let (rest, ()) = sign("a piece, `.` or `]`", ']').parse(rest)?;
    let union = members.into_iter().fold(Contents(0), Contents::or);
    Ok((rest, if not.is_some() { Contents(Contents::ALL.0 & !union.0) } else { union }))
}

/// `N@c-g`, `[RC]@5-9>=2`, `p=0`
fn count(input: &str) -> Read<'_, Clause> {
    let expected = "a board, pieces such as `N@c-g`, or `turn red`";
    let (rest, pieces) =
        alt((one(expected, |c| if c == '*' { Some(Contents::PIECES) } else { piece(c) }), set))
            .parse(input)?;
    let pieces = Contents(pieces.0 & Contents::PIECES.0);
    let (rest, region) = match rest.strip_prefix('@') {
        Some(rest) => region(rest)?,
        None => (rest, Bitboard::FULL),
    };
    let (rest, number) = match rest.chars().next() {
        Some('=' | '<' | '>') => comparison(rest)?,
        _ => (rest, Range { low: 1, high: Range::MANY }),
    };
    Ok((rest, Clause::Count(Count { pieces, region, number })))
}

/// `c-g`, `5-9`, `d-f0-2`
fn region(input: &str) -> Read<'_, Bitboard> {
    let file = |c: char| ('a'..='i').contains(&c).then(|| c as i8 - 'a' as i8);
    let rank = |c: char| c.to_digit(10).map(|digit| digit as i8);
    let (rest, files) = opt(|input| span(input, "a file `a` to `i`", file)).parse(input)?;
    let expected =
        if files.is_some() { "a rank 0 to 9" } else { "a file `a` to `i` or a rank 0 to 9" };
    let (rest, ranks) = opt(|input| span(input, expected, rank)).parse(rest)?;
    if files.is_none() && ranks.is_none() {
        return fail(rest, expected);
    }
    // A dash must be followed by its end.
    if rest.starts_with('-') {
        return fail(rest.get(1..).unwrap_or(rest), "the other end");
    }
    let (files, ranks) = (files.unwrap_or((0, 8)), ranks.unwrap_or((0, 9)));
    let region = (ranks.0..=ranks.1)
        .flat_map(|rank| (files.0..=files.1).filter_map(move |file| Square::at(file, rank)))
        .collect();
    Ok((rest, region))
}

/// `c` or `c-g`, the lower end first in what it gives.
fn span<'a>(
    input: &'a str,
    expected: &'static str,
    pick: impl Fn(char) -> Option<i8> + Copy,
) -> Read<'a, (i8, i8)> {
    let (rest, from) = one(expected, pick).parse(input)?;
    let (rest, to) = opt((sign("`-`", '-'), one(expected, pick))).parse(rest)?;
    let to = to.map_or(from, |((), to)| to);
    Ok((rest, (from.min(to), from.max(to))))
}

fn comparison(input: &str) -> Read<'_, Range> {
    let signs = ["<=", ">=", "=", "<", ">"];
    let Some(sign) = signs.into_iter().find(|sign| input.starts_with(sign)) else {
        return fail(input, "`=`, `<`, `>`, `<=` or `>=`");
    };
    let (rest, number) = number(input.get(sign.len()..).unwrap_or(""))?;
    let range = match sign {
        "<=" => Range { low: 0, high: number },
        ">=" => Range { low: number, high: Range::MANY },
        "<" => Range { low: 0, high: number - 1 },
        ">" => Range { low: number + 1, high: Range::MANY },
        _ => Range::exactly(number),
    };
    Ok((rest, range))
}

/// 0 to 99, without leading zeros.
fn number(input: &str) -> Read<'_, i16> {
    let (rest, first) = digit("a number").parse(input)?;
    if first == 0 {
        return Ok((rest, 0));
    }
    let (rest, second) = opt(digit("a number")).parse(rest)?;
    Ok((rest, second.map_or(first, |second| first * 10 + second)))
}

fn digit<'a>(expected: &'static str) -> impl Parser<&'a str, Output = i16, Error = Unexpected<'a>> {
    one(expected, |c| c.to_digit(10).map(|digit| digit as i16))
}

/// Reads a material question: `RNP:RC`, `R~NC`.
pub(crate) fn material(text: &str) -> Result<Material, PatternError> {
    whole(text, balance_or_count)
}

/// What one side of a material question names, and whether the rest is open.
struct Men {
    kinds: [Option<Range>; 7],
    open: bool,
}

fn balance_or_count(input: &str) -> Read<'_, Material> {
    let (rest, red) = men(input, "a piece, `:` or `~`")?;
    let (rest, is_balance) = one("a piece, `:` or `~`", |c| match c {
        ':' => Some(false),
        '~' => Some(true),
        _ => None,
    })
    .parse(rest)?;
    let (rest, black) = men(rest, "a piece or the end")?;
    if !rest.is_empty() {
        return fail(rest, "a piece or the end");
    }
    Ok((rest, material_of(&red, &black, is_balance)))
}

fn men<'a>(input: &'a str, expected: &'static str) -> Read<'a, Men> {
    let mut men = Men { kinds: [None; 7], open: false };
    let mut rest = input;
    while let Ok((after, kind)) = one(expected, kind).parse(rest) {
        let (after, range) = amount(after)?;
        let slot = &mut men.kinds[kind.index()];
        *slot = Some(slot.map_or(range, |before| before.plus(range)));
        rest = after;
    }
    if let Some(after) = rest.strip_prefix('*') {
        men.open = true;
        rest = after;
    }
    Ok((rest, men))
}

fn kind(letter: char) -> Option<PieceKind> {
    let letter = letter.to_ascii_uppercase();
    "ABNRCPEH".contains(letter).then(|| PieceKind::from_letter(letter)).flatten()
}

/// `2`, `2+`, `1-3` behind a piece; one when nothing is there.
fn amount(input: &str) -> Read<'_, Range> {
    let (rest, low) = opt(digit("a number")).parse(input)?;
    let Some(low) = low else { return Ok((input, Range::exactly(1))) };
    if let Some(rest) = rest.strip_prefix('+') {
        return Ok((rest, Range { low, high: Range::MANY }));
    }
    let Some(after) = rest.strip_prefix('-') else { return Ok((rest, Range::exactly(low))) };
    let (rest, high) = digit("the most that there may be").parse(after)?;
    Ok((rest, Range { low: low.min(high), high: low.max(high) }))
}

/// Chariots, horses, cannons and pawns that are not named are not there;
/// guards that neither side names do not matter.
fn material_of(red: &Men, black: &Men, is_balance: bool) -> Material {
    let named =
        |kind: PieceKind| red.kinds[kind.index()].is_some() || black.kinds[kind.index()].is_some();
    let range = |men: &Men, kind: PieceKind, open: bool| match men.kinds[kind.index()] {
        Some(range) => range,
        None if open || kind == PieceKind::King || is_guard(kind) && !named(kind) => Range::ANY,
        None => Range::exactly(0),
    };
    if is_balance {
        let open = red.open || black.open;
        Material::Balance(PieceKind::ALL.map(|kind| {
            if !named(kind) {
                return range(red, kind, open);
            }
            range(red, kind, false).plus(range(black, kind, false).negated())
        }))
    } else {
        Material::Count(
            [red, black].map(|men| PieceKind::ALL.map(|kind| range(men, kind, men.open))),
        )
    }
}

/// Reads a sequence of moves: words, `?` and `…` with blanks between.
pub(crate) fn sequence(text: &str) -> Result<Vec<Element<'_>>, PatternError> {
    let mut elements = Vec::new();
    let read = |input| {
        let mut rest = element(input, text, &mut elements)?;
        while let Ok((after, ())) = sign("a blank", ' ').parse(rest) {
            let (after, _) = blanks(after)?;
            rest = element(after, text, &mut elements)?;
        }
        if rest.is_empty() { Ok((rest, ())) } else { fail(rest, "a blank or the end") }
    };
    whole(text, read)?;
    Ok(elements)
}

fn element<'a>(
    input: &'a str,
    text: &'a str,
    elements: &mut Vec<Element<'a>>,
) -> Result<&'a str, nom::Err<Unexpected<'a>>> {
    for gap in ["...", "……", "…"] {
        if let Some(rest) = input.strip_prefix(gap) {
            elements.push(Element::Gap);
            return Ok(rest);
        }
    }
    if let Some(rest) = input.strip_prefix('?') {
        elements.push(Element::Any);
        return Ok(rest);
    }
    let (_, ()) =
        one("a move, `?` or `…`", |c| (c != '.' && in_word(c)).then_some(())).parse(input)?;
    let end = input.find(|c| !in_word(c)).unwrap_or(input.len());
    let (word, rest) = input.split_at_checked(end).unwrap_or((input, ""));
    elements.push(Element::Move(word, text.len() - input.len()));
    Ok(rest)
}

/// What moves are written with: ASCII, Chinese characters, full-width digits.
fn in_word(c: char) -> bool {
    matches!(c, '!'..='>' | '@'..='~' | '\u{4e00}'..='\u{9fff}' | '０'..='９')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (usize, &'static str) {
        let error = pattern(text).expect_err(text);
        (error.column(), error.expected(crate::finding::Lang::En))
    }

    #[test]
    fn faults_are_told_with_their_column() {
        assert_eq!(fault("9/9/9").0, 6);
        assert!(fault("9/9/9").1.contains("ten"));
        assert_eq!(fault("9/9/9/9/9/9/9/9/9/8").0, 20);
        assert_eq!(fault("9/9/9/9/9/9/9/9/9/9x").0, 20);
        assert_eq!(fault("N@c-"), (5, "the other end"));
        assert_eq!(fault("N@c-g; N@j").0, 10);
        assert_eq!(fault("").0, 1);
        assert_eq!(fault("[RX]").0, 3);
        assert_eq!(material("RXN:R").map_err(|error| error.column()), Err(2));
        assert_eq!(material("RN").map_err(|error| error.column()), Err(3));
        assert_eq!(sequence("炮二平五 .").map_err(|error| error.column()), Err(6));
    }

    #[test]
    fn an_empty_rank_is_open_and_digits_are_empty_points() {
        let clauses = pattern("/////4[RC]??*./////").err().map(|error| error.column());
        assert_eq!(clauses, Some(19), "eleven ranks");
        let clauses = pattern("////4[RC]??*./////").unwrap();
        let [Clause::Board(cells)] = clauses.as_slice() else { panic!("{clauses:?}") };
        let rank = &cells[5 * 9..6 * 9];
        assert_eq!(rank[..4], [Contents::NOTHING; 4]);
        assert_eq!(rank[4].0, 1 << 4 | 1 << 5);
        assert_eq!(rank[5..], [Contents::ALL, Contents::ALL, Contents::PIECES, Contents::NOTHING]);
        assert!(cells[..45].iter().all(|cell| *cell == Contents::ALL));
    }

    #[test]
    fn material_leaves_guards_alone_unless_it_names_them() {
        let Ok(Material::Count([red, black])) = material("RNP2+:Ra") else { panic!() };
        let index = PieceKind::index;
        assert_eq!(red[index(PieceKind::Pawn)], Range { low: 2, high: Range::MANY });
        assert_eq!(red[index(PieceKind::Cannon)], Range::exactly(0));
        assert_eq!(red[index(PieceKind::Advisor)], Range::exactly(0));
        assert_eq!(red[index(PieceKind::Elephant)], Range::ANY);
        assert_eq!(black[index(PieceKind::Advisor)], Range::exactly(1));
        let Ok(Material::Balance(more)) = material("R~NC") else { panic!() };
        assert_eq!(more[index(PieceKind::Chariot)], Range::exactly(1));
        assert_eq!(more[index(PieceKind::Horse)], Range::exactly(-1));
        assert_eq!(more[index(PieceKind::Pawn)], Range::exactly(0));
        assert_eq!(more[index(PieceKind::Advisor)], Range::ANY);
    }
}
