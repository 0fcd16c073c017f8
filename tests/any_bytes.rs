//! Any bytes, and every format: games or findings, never a panic. The fuzz
//! targets try the same laws for longer.

#[path = "common/format_laws.rs"]
mod format_laws;

use proptest::collection::vec;
use proptest::prelude::*;

fn names() -> Vec<&'static str> {
    qipu::formats::all().iter().map(|format| format.info().id.name()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes(bytes in vec(any::<u8>(), 0..400)) {
        for name in names() {
            format_laws::hold(name, &bytes);
        }
    }

    #[test]
    fn scraps_of_real_words(
        words in vec(prop::sample::select(vec![
            "[Game \"Chinese Chess\"]\n", "[FEN \"4k4/9/9/9/9/9/9/9/9/3K5 w\"]\n", "[Red \"甲\"]\n",
            "1. ", "12. ... ", "炮二平五 ", "马8进7 ", "前兵进一 ", "炮25 ", "C2.5 ", "h2e2 ", "H2-E2\n",
            "P2-5 ", "--", "？？？？ ", "{", "} ", "(", ") ", "; ", "% ", "\n", "\n\n", "*", "1-0\n",
            "1/2-1/2 ", "红先胜\n", "START{", "}END", "FORMAT WXF\n", "[DhtmlXQ]", "[DhtmlXQ_movelist]",
            "77477062", "[/DhtmlXQ_movelist]", "position startpos moves ", "<n m=\"h2e2\">", "</n>",
            "$1 ", "!? ", "一", "９", "\u{3000}", "\t", "\u{feff}", "\u{fffd}", "\0",
        ]), 0..60)
    ) {
        let text = words.concat();
        for name in names() {
            format_laws::hold(name, text.as_bytes());
        }
    }
}
