//! Real files and reported faults, at the level of text: the encoding that is
//! found, and what is not sound.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use qipu::text::{DamageKind, Decoded, Detection, Encoding, decode, detect};

/// Counts moves as a reader would, but plainly: piece or rank word, number or
/// piece, direction, number.
fn moves(text: &str) -> i64 {
    let chars: Vec<char> = text.chars().collect();
    let number = |c: char| "一二三四五六七八九１２３４５６７８９123456789".contains(c);
    let piece = |c: char| "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒".contains(c);
    let rank = |c: char| "前后後中一二三四五".contains(c);
    let found = chars.windows(4).filter(|w| {
        (piece(w[0]) && number(w[1]) || rank(w[0]) && piece(w[1]))
            && "进進退平".contains(w[2])
            && number(w[3])
    });
    found.count() as i64
}

fn scorer(text: &str) -> i64 {
    10 * moves(text)
}

fn read(path: &Path) -> (Vec<u8>, Detection, Decoded) {
    let bytes = std::fs::read(path).expect("the file is readable");
    let found = detect(&bytes, &scorer);
    let decoded = decode(&bytes, found.encoding);
    (bytes, found, decoded)
}

#[test]
#[ignore = "lab"]
fn lab() {
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    let root = std::env::var("LAB").expect("LAB");
    let mut all = Vec::new();
    let list = std::fs::read_to_string(&root).expect("list");
    for line in list.lines() {
        let mut f = line.split('\t');
        let (path, hint) = (f.next().unwrap(), f.next().unwrap_or(""));
        let (bytes, found, decoded) = read(Path::new(path));
        let key = format!("{hint} -> {} bom={}", found.encoding, found.bom);
        *tally.entry(key).or_default() += 1;
        let blind = detect(&bytes, &|_| 0);
        if blind.encoding != found.encoding {
            *tally
                .entry(format!("blind differs {} {}", found.encoding, blind.encoding))
                .or_default() += 1;
            all.push(format!("BLIND {path} {hint} found {found:?} blind {blind:?}"));
        }
        if found.confidence < 0.5 {
            all.push(format!("LOW {path} {hint} {found:?}"));
        }
        for d in &decoded.damage {
            *tally.entry(format!("damage {} {:?}", found.encoding, d.kind)).or_default() += 1;
            all.push(format!(
                "DAMAGE {path} {hint} {:?} {:?} len {} {:X?} {:?}",
                d.kind,
                d.source,
                d.len,
                &d.bytes[..],
                decoded.text[d.text.clone()].chars().take(60).collect::<String>()
            ));
        }
        let expected = match hint {
            "GBK" => Encoding::Gb18030,
            "Big5" => Encoding::Big5,
            "UTF-16LE" => Encoding::Utf16Le,
            "GBK+Big5 in one line" => Encoding::Gb18030,
            _ => Encoding::Utf8,
        };
        if expected != found.encoding {
            all.push(format!(
                "DIFF {path} {hint} {found:?} {:?}",
                decoded.text.chars().filter(|c| !c.is_ascii()).take(40).collect::<String>()
            ));
        }
    }
    for line in all {
        println!("{line}");
    }
    println!("{tally:#?}");
    let _ = DamageKind::Lost;
}
