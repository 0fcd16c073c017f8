//! The grammars in `grammars/` and the parsers describe the same texts: what a
//! grammar generates is read, what is read the grammar derives, and strings
//! with a few characters changed are judged alike by both. What only the
//! lenient grammar derives leaves a trace in what was read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use abnf_oracle::{CheckedGrammar, GenOptions, Generator, Grammar, Recognizer};
use proptest::prelude::*;
use qipu::board::{Position, START_FEN};
use qipu::notation::{
    Context, Hints, Notation, Resolution, Slips, Syntax, lex_chinese, parse, render, resolve,
};

/// Strings generated from each grammar besides those that cover its branches.
const GENERATED: usize = 300;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars")
}

fn source(name: &str) -> Option<String> {
    std::fs::read_to_string(folder().join(name)).ok()
}

fn checked(text: &str) -> CheckedGrammar {
    let grammar = Grammar::parse(text).unwrap_or_else(|error| panic!("{}", error.render(text)));
    grammar.check().unwrap_or_else(|errors| panic!("{}", errors.render(text)))
}

/// A notation's grammar, and the same with its lenient productions.
struct Pair {
    strict: CheckedGrammar,
    lenient: CheckedGrammar,
    start: &'static str,
}

impl Pair {
    fn of(name: &str, start: &'static str) -> Pair {
        let strict = source(&format!("{name}.abnf")).unwrap_or_else(|| panic!("{name}.abnf"));
        let more = source(&format!("{name}.lenient.abnf")).unwrap_or_default();
        Pair { lenient: checked(&format!("{strict}\n{more}")), strict: checked(&strict), start }
    }

    fn is_strict(&self, text: &str) -> bool {
        Recognizer::new(&self.strict, text).accepts(self.start).expect("decided")
    }

    fn is_lenient(&self, text: &str) -> bool {
        Recognizer::new(&self.lenient, text).accepts(self.start).expect("decided")
    }

    /// Strings that cover every branch, and some more.
    fn samples(grammar: &CheckedGrammar, start: &str) -> Vec<String> {
        let mut samples = Vec::new();
        let coverage = GenOptions { coverage: true, ..GenOptions::default() };
        let mut generator = Generator::new(grammar, 1).with_options(coverage);
        while generator.uncovered(start).expect("can generate") > 0 {
            samples.push(generator.generate(start).expect("generates"));
        }
        let mut generator = Generator::new(grammar, 2);
        samples.extend((0..GENERATED).map(|_| generator.generate(start).expect("generates")));
        for text in &samples {
            assert!(Recognizer::new(grammar, text).accepts(start).expect("decided"), "{text}");
        }
        samples
    }
}

/// What a reader of words splits at and the parsers leave aside.
fn is_trimmed(text: &str) -> bool {
    text.trim() == text && !text.is_empty()
}

#[test]
fn what_the_grammars_generate_is_read() {
    for notation in Notation::ALL {
        let pair = Pair::of(notation.name(), "move");
        for text in Pair::samples(&pair.lenient, "move") {
            if let Err(error) = parse(notation, &text) {
                panic!("{notation}: {text}: {error}");
            }
            if notation == Notation::Chinese {
                let (_, used) = lex_chinese(&text).expect("a move");
                assert_eq!(used, text.len(), "{text}");
            }
        }
    }
}

/// Whether a spelling was noted that the strict grammar does not have.
fn is_odd(syntax: Syntax) -> bool {
    let hints = match syntax {
        Syntax::Relative(relative) => relative.hints,
        Syntax::Squares(squares) => squares.hints,
        _ => Hints::NONE,
    };
    [Hints::LETTER, Hints::MISREAD, Hints::OLD, Hints::PIECE_FIRST, Hints::ARABIC_ORDINAL]
        .into_iter()
        .any(|hint| hints.has(hint))
}

#[test]
fn only_the_lenient_grammars_derive_odd_spellings() {
    for notation in Notation::ALL {
        let pair = Pair::of(notation.name(), "move");
        let mut odd = 0;
        for text in Pair::samples(&pair.lenient, "move") {
            let syntax = parse(notation, &text).expect("read");
            if pair.is_strict(&text) {
                assert!(!is_odd(syntax), "{notation}: {text}: {syntax:?}");
            } else if !is_odd(syntax) {
                // 前炮二平五: only a board shows that the file is too much.
                let Syntax::Relative(relative) = syntax else { panic!("{notation}: {text}") };
                let of_file = matches!(relative.place, qipu::notation::Place::OrdinalFile(..));
                assert!(of_file && notation == Notation::Chinese, "{notation}: {text}");
            } else {
                odd += 1;
            }
        }
        let has_lenient = source(&format!("{notation}.lenient.abnf")).is_some();
        assert_eq!(odd > 0, has_lenient, "{notation}");
    }
}

/// A sample for each production of the lenient grammars: the slip it is bound
/// to, a text and the board on which it is read.
const SAMPLES: &[(&str, Notation, &str, &str)] = &[
    ("piece-before-ordinal", Notation::Chinese, "车前进一", "3k5/9/9/9/R8/9/R8/9/9/4K4 w"),
    ("file-superfluous", Notation::Chinese, "前车九平八", "3k5/9/9/9/R8/9/R8/9/9/4K4 w"),
    ("arabic-ordinal", Notation::Chinese, "2卒平6", "4k4/9/9/9/9/9/4p4/4p4/4p4/3K5 b"),
    (
        "misread-character",
        Notation::Chinese,
        "卯7进1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b",
    ),
    ("misread-character", Notation::Abbreviated, "马人7", START_FEN),
    ("digit-typed-as-letter", Notation::Chinese, "车九进l", START_FEN),
    ("digit-typed-as-letter", Notation::Wxf, "R9+l", START_FEN),
    ("digit-typed-as-letter", Notation::Numeric, "59+l", START_FEN),
    ("digit-typed-as-letter", Notation::Iccs, "HO-G2", START_FEN),
    ("digit-typed-as-letter", Notation::Uci, "hOg2", START_FEN),
    ("digit-typed-as-letter", Notation::Abbreviated, "兵7l", START_FEN),
    ("digit-typed-as-letter", Notation::Vietnamese, "X9.l", START_FEN),
    ("digit-typed-as-letter", Notation::Pinyin, "c9jl", START_FEN),
    ("old-spelling", Notation::Chinese, "炮二上二", START_FEN),
    ("old-spelling", Notation::Chinese, "炮贰平伍", START_FEN),
    ("old-spelling", Notation::Abbreviated, "炮贰伍", START_FEN),
];

#[test]
fn every_lenient_production_is_bound_to_a_slip_and_has_a_sample() {
    let mut bound = BTreeSet::new();
    for notation in Notation::ALL {
        let Some(text) = source(&format!("{notation}.lenient.abnf")) else { continue };
        let mut here = BTreeSet::new();
        for line in text.lines().filter(|line| !line.starts_with([';', ' '])) {
            let Some((name, definition)) = line.split_once('=') else { continue };
            if definition.starts_with('/') {
                continue;
            }
            let slip = Slips::ALL.iter().find(|(_, slip)| name.trim().starts_with(slip));
            let (_, slip) = slip.unwrap_or_else(|| panic!("{notation}: {name} names no slip"));
            here.insert(*slip);
        }
        for slip in here {
            bound.insert((slip, notation));
        }
    }
    let mut sampled = BTreeSet::new();
    for (slip, notation, text, fen) in SAMPLES {
        let position: Position = fen.parse().expect("a FEN");
        let pair = Pair::of(notation.name(), "move");
        assert!(!pair.is_strict(text) && pair.is_lenient(text), "{text}");
        let syntax = parse(*notation, text).expect("read");
        let Resolution::Legal { slips, .. } = resolve(syntax, &position, Context::of(&position))
        else {
            panic!("{notation}: {text} in {fen}")
        };
        assert!(slips.names().any(|name| name == *slip), "{notation}: {text}: {slips:?}");
        sampled.insert((*slip, *notation));
    }
    assert_eq!(bound, sampled);
}

#[test]
fn what_we_write_the_strict_grammars_derive() {
    let styles = [
        "",
        "traditional,fullwidth",
        "taiwan,han",
        "front-file,equals",
        "front-pawn-file,xqbase",
        "yang",
        "ranks-from-one,ascii-both",
    ];
    let boards = [
        START_FEN,
        "3k5/9/6P2/2P3P2/2P6/9/9/9/9/4K4 w",
        "3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w",
        "3k5/9/9/9/9/2p6/2p6/2p6/2p6/5K3 b",
        "3k5/9/9/9/R1N4C1/9/R1N4C1/9/9/4K4 w",
    ];
    for notation in Notation::ALL {
        let pair = Pair::of(notation.name(), "move");
        for fen in boards {
            let position: Position = fen.parse().expect("a FEN");
            for mv in position.legal_moves() {
                for style in styles {
                    let style = style.parse().expect("a style");
                    let text = render(notation, mv, &position, style).expect("written");
                    assert!(pair.is_strict(&text), "{notation}: {text}");
                }
            }
        }
    }
}

#[test]
fn fens_are_read_as_the_grammar_says() {
    let pair = Pair::of("fen", "fen");
    for text in Pair::samples(&pair.strict, "fen") {
        let parsed = Position::parse_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let rotated = parsed.notes.iter().all(|note| *note == qipu::board::FenNote::Rotated);
        assert!(rotated, "{text}: {:?}", parsed.notes);
        assert!(pair.is_strict(&parsed.start.fen()), "{text}");
    }
    for text in Pair::samples(&pair.lenient, "fen") {
        if !lists_moves(&text) {
            assert!(Position::parse_fen(&text).is_ok(), "{text}");
        }
    }
}

/// The moves after a FEN are a matter of legality, not of grammar.
fn lists_moves(text: &str) -> bool {
    text.split_whitespace().any(|field| field.eq_ignore_ascii_case("moves"))
}

/// The characters that the table of the README names, by code point.
fn named_characters() -> BTreeMap<char, String> {
    let readme = source("README.md").expect("grammars/README.md");
    readme
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `%x")?.split('|');
            let code = cells.next()?.trim().trim_end_matches('`');
            let character = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
            Some((character, cells.next()?.trim().to_owned()))
        })
        .collect()
}

#[test]
fn the_readme_names_every_character_of_the_grammars() {
    let named = named_characters();
    for (character, shown) in &named {
        assert_eq!(shown.chars().collect::<Vec<_>>(), [*character], "U+{:04X}", *character as u32);
    }
    let mut used = BTreeSet::new();
    for entry in std::fs::read_dir(folder()).expect("grammars") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|extension| extension != "abnf") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        assert!(text.is_ascii(), "{}", path.display());
        for word in text.split("%x").skip(1) {
            let code: String = word.chars().take_while(char::is_ascii_hexdigit).collect();
            let code = u32::from_str_radix(&code, 16).expect("hexadecimal");
            // Full-width forms need no name: they are ASCII moved up.
            if (0x2e80..0xff00).contains(&code) && code != 0x3000 {
                used.insert(char::from_u32(code).expect("a character"));
            }
        }
    }
    assert!(used.len() > 50);
    assert_eq!(used, named.keys().copied().collect());
}

/// A generated string of a grammar with up to three characters changed.
fn mutated(pool: &[String], which: usize, edits: &[(u8, usize, usize)]) -> String {
    let characters: Vec<char> = pool.iter().flat_map(|text| text.chars()).collect();
    let mut text: Vec<char> = pool[which % pool.len()].chars().collect();
    for (kind, at, with) in edits {
        let with = characters[with % characters.len()];
        let at = at % (text.len() + 1);
        match kind % 4 {
            0 => text.insert(at, with),
            1 if at < text.len() => text[at] = with,
            2 if at < text.len() => {
                text.remove(at);
            }
            3 if at + 1 < text.len() => text.swap(at, at + 1),
            _ => {}
        }
    }
    text.into_iter().collect()
}

/// Every character that any grammar or parser here could know: Latin, signs,
/// dashes, the unified ideographs, full-width forms.
fn characters() -> impl Iterator<Item = char> {
    [0x20..0x370u32, 0x2000..0x2600, 0x3000..0x3100, 0x4e00..0xa000, 0xff00..0xfff0]
        .into_iter()
        .flatten()
        .filter_map(char::from_u32)
}

#[test]
fn no_character_is_read_that_the_grammar_does_not_have() {
    for notation in Notation::ALL {
        let pair = Pair::of(notation.name(), "move");
        let pool = Pair::samples(&pair.lenient, "move");
        let mut read = BTreeSet::new();
        for template in pool.iter().step_by(pool.len() / 5) {
            let template: Vec<char> = template.chars().collect();
            for at in 0..template.len() {
                let mut text = template.clone();
                for character in characters() {
                    text[at] = character;
                    let text: String = text.iter().collect();
                    if is_trimmed(&text) && parse(notation, &text).is_ok() {
                        assert!(pair.is_lenient(&text), "{notation}: {text}");
                        read.insert(character);
                    }
                }
            }
        }
        assert!(read.len() >= 20, "{notation}: {read:?}");
    }
}

#[test]
fn changed_strings_are_judged_alike() {
    let pairs: Vec<(Notation, Pair, Vec<String>)> = Notation::ALL
        .into_iter()
        .map(|notation| {
            let pair = Pair::of(notation.name(), "move");
            let pool = Pair::samples(&pair.lenient, "move");
            (notation, pair, pool)
        })
        .collect();
    let fen = Pair::of("fen", "fen");
    let fens = Pair::samples(&fen.lenient, "fen");
    let edits = prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 0..4);
    let config =
        ProptestConfig { cases: 4_000, source_file: Some(file!()), ..ProptestConfig::default() };
    proptest!(config, |(which in any::<usize>(), edits in edits)| {
        for (notation, pair, pool) in &pairs {
            let text = mutated(pool, which, &edits);
            if is_trimmed(&text) {
                let read = parse(*notation, &text);
                prop_assert_eq!(read.is_ok(), pair.is_lenient(&text), "{}: {}: {:?}", notation, text, read);
                if *notation == Notation::Chinese {
                    let lexed = lex_chinese(&text).is_some_and(|(_, used)| used == text.len());
                    prop_assert_eq!(lexed, read.is_ok(), "{}", text);
                }
            }
        }
        let text = mutated(&fens, which, &edits);
        if !lists_moves(&text) {
            prop_assert_eq!(Position::parse_fen(&text).is_ok(), fen.is_lenient(&text), "{}", text);
        }
    });
}
