//! Damaged and misread characters: how likely a person, a pen or a scanner
//! turned a move into the text that stands there.

use smallvec::SmallVec;

use crate::board::{Move, Position};
use crate::notation::{Notation, Signs, Style, fold, render, signs};

/// Log costs (nats) of what can happen to a character. A lost one says
/// nothing, so that all readings lose the same.
const ALIKE: f32 = -2.0;
const WRONG: f32 = -5.0;
const DROPPED: f32 = -4.0;
const TOO_MANY: f32 = -5.0;

/// More than these where characters that cannot be read are marked: whoever
/// marks them has looked at the others.
const MARKED: f32 = -4.0;

/// Wrong characters in one move that are believed.
const MOST_WRONG: u32 = 2;

/// Shortest and longest text that can be a damaged move, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=6;

/// A character of a damaged text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// One that notations have, folded.
    Known(char),
    /// One that looks like it, as scanners and tired eyes have it.
    Like(char),
    /// A mark for a character that cannot be read.
    Lost,
    /// One that stands in no move.
    Strange,
}

/// What is left of a written move.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    signs: SmallVec<[Sign; 8]>,
    /// Added for each character that is not what it says.
    marked: f32,
}

impl Pattern {
    /// The pattern of a text; `None` where it is too long or too short to be
    /// a move, or nothing of it can be read.
    pub(super) fn of(text: &str) -> Option<Pattern> {
        let mut signs = SmallVec::new();
        for character in text.chars() {
            if character.is_whitespace() || is_bar(character) {
                continue;
            }
            if signs.len() > *LENGTHS.end() {
                return None;
            }
            signs.push(sign(character));
        }
        let known = signs.iter().any(|s| matches!(s, Sign::Known(_) | Sign::Like(_)));
        let marked = if signs.contains(&Sign::Lost) { MARKED } else { 0.0 };
        (known && LENGTHS.contains(&signs.len())).then_some(Pattern { signs, marked })
    }

    /// Whether the text shows by itself that it is a move with damage: more
    /// of it can be read than not, or what cannot be read is marked.
    pub(super) fn is_move(&self) -> bool {
        let of = |wanted: fn(&Sign) -> bool| self.signs.iter().filter(|s| wanted(s)).count();
        let strange = of(|s| *s == Sign::Strange);
        let known = of(|s| matches!(s, Sign::Known(_) | Sign::Like(_)));
        let shapely = (3..=5).contains(&self.signs.len());
        shapely && strange <= 1 && known >= 2 || strange == 0 && self.signs.len() >= 3
    }

    /// Log probability (nats, up to what all moves share) that a move of
    /// `position` was written so; `None` when the text has nothing to do
    /// with it.
    pub(super) fn cost(&self, mv: Move, position: &Position, notation: Notation) -> Option<f32> {
        match notation {
            Notation::Chinese => {
                let long = signs(mv, position)?;
                let short = self.cost_of_form(&without_direction(long.clone()));
                self.cost_of_form(&long).map_or(short, |cost| Some(cost.max(short.unwrap_or(cost))))
            }
            Notation::Abbreviated => self.cost_of_form(&without_direction(signs(mv, position)?)),
            _ => {
                let form = render(notation, mv, position, Style::default())?;
                let signs = form.chars().filter(|c| !is_bar(*c)).map(|c| fold(c).unwrap_or(c));
                self.cost_of_form(&signs.collect())
            }
        }
    }

    fn cost_of_form(&self, form: &Signs) -> Option<f32> {
        let (ours, theirs, marked) = (self.signs.len(), form.len(), self.marked);
        if ours == theirs {
            return aligned(self.signs.iter().zip(form), MOST_WRONG, marked);
        }
        let best = |costs: &mut dyn Iterator<Item = f32>| costs.reduce(f32::max);
        if ours + 1 == theirs {
            return best(&mut (0..theirs).filter_map(|skip| {
                let rest = form.iter().enumerate().filter(|(i, _)| *i != skip).map(|(_, c)| c);
                aligned(self.signs.iter().zip(rest), MOST_WRONG - 1, marked)
                    .map(|cost| cost + DROPPED + marked)
            }));
        }
        if ours == theirs + 1 {
            return best(&mut (0..ours).filter_map(|skip| {
                let rest =
                    self.signs.iter().enumerate().filter(|(i, _)| *i != skip).map(|(_, s)| s);
                aligned(rest.zip(form), MOST_WRONG - 1, marked).map(|cost| cost + TOO_MANY + marked)
            }));
        }
        None
    }
}

/// What the short record (简写) leaves of a move.
fn without_direction(mut signs: Signs) -> Signs {
    signs.remove(signs.len() - 2);
    signs
}

/// `each` is added for each character that is not what it says.
fn aligned<'a>(
    pairs: impl Iterator<Item = (&'a Sign, &'a char)>,
    most_wrong: u32,
    each: f32,
) -> Option<f32> {
    let (mut cost, mut wrong, mut said) = (0.0, 0, 0);
    for (sign, character) in pairs {
        match sign {
            Sign::Lost => {}
            Sign::Known(known) if known == character => said += 1,
            Sign::Like(like) if like == character => {
                said += 1;
                cost += ALIKE;
            }
            Sign::Known(known) => {
                wrong += 1;
                cost += each + if alike(*known, *character) { ALIKE } else { WRONG };
            }
            Sign::Like(_) | Sign::Strange => {
                wrong += 1;
                cost += each + WRONG;
            }
        }
        if wrong > most_wrong {
            return None;
        }
    }
    (said > 0).then_some(cost)
}

/// Signs whose characters are taken for one another: 一 二 三, 1 and 7, 马 and
/// 车, 进 and 退, 3 and 8, 5 and 6, 士 and 五.
#[allow(clippy::unnested_or_patterns, reason = "each line a sign and what it is taken for")]
fn alike(a: char, b: char) -> bool {
    let pair = |a, b| {
        matches!(
            (a, b),
            ('1', '2' | '7' | 'I')
                | ('2', '3' | 'Z')
                | ('3', '5' | '8')
                | ('4', '9')
                | ('5', '6' | 'S')
                | ('6', '0' | '8' | 'b')
                | ('7', '9')
                | ('8', '9' | 'B')
                | ('+', '-')
                | ('N', 'R')
                | ('K', 'B')
                | ('C', 'R')
                | ('A', '5')
                | ('f', 'r')
        )
    };
    pair(a, b) || pair(b, a)
}

fn sign(character: char) -> Sign {
    const LOOK: [(char, &str); 17] = [
        ('=', "乎干千"),
        ('+', "近过迸边迚"),
        ('-', "追迟逐返"),
        ('A', "土仁仔"),
        ('N', "鸟乌与妈"),
        ('R', "东年军牛"),
        ('C', "跑抱泡饱"),
        ('P', "乒乓岳丘卆率"),
        ('B', "祖租柏想像橡"),
        ('K', "师特"),
        ('1', "丨|"),
        ('5', "王正"),
        ('6', "大穴"),
        ('7', "匕十"),
        ('8', "入"),
        ('9', "丸几"),
        ('4', "西匹"),
    ];
    if is_lost(character) {
        return Sign::Lost;
    }
    if let Some(known) = fold(character) {
        return Sign::Known(known);
    }
    LOOK.iter()
        .find(|(_, looks)| looks.contains(character))
        .map_or(Sign::Strange, |(like, _)| Sign::Like(*like))
}

/// Marks for a character that cannot be read.
pub(super) fn is_lost(character: char) -> bool {
    matches!(
        character,
        '?' | '？' | '□' | '\u{fffd}' | '■' | '▢' | '█' | '囗' | '_' | '＿' | '*' | '＊' | '×'
    )
}

/// A bar over or under the character before.
fn is_bar(character: char) -> bool {
    matches!(character, '\u{0332}' | '\u{0331}' | '\u{0305}' | '\u{0304}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(text: &str, mv: &str) -> Option<f32> {
        let pattern = Pattern::of(text)?;
        pattern.cost(mv.parse().unwrap(), &Position::start(), Notation::Chinese)
    }

    #[test]
    fn what_can_still_be_read_tells_moves_apart() {
        // 炮□平五 is 炮二平五 or 炮八平五, and no horse move.
        assert_eq!(cost("炮□平五", "h2e2"), Some(0.0));
        assert_eq!(cost("炮□平五", "b2e2"), Some(0.0));
        assert_eq!(cost("炮□平五", "h2f2"), Some(WRONG + MARKED));
        assert_eq!(cost("炮□平五", "h0g2"), None);
        // 炮三平五 for 炮二平五: 二 and 三 are alike, 八 and 三 too, 五 and 四 not.
        assert!(cost("炮三平五", "h2e2") > cost("炮三平五", "h2f2"));
        // A scanner's 乎 for 平.
        assert_eq!(cost("炮二乎五", "h2e2"), Some(ALIKE));
        // A character dropped, one too many.
        assert_eq!(cost("炮二五", "h2e2"), Some(0.0), "the short record");
        assert_eq!(cost("炮平五", "h2e2"), Some(DROPPED));
        assert_eq!(cost("炮二平平五", "h2e2"), Some(TOO_MANY));
    }

    #[test]
    fn words_are_no_damaged_moves() {
        for text in ["好棋", "红方先走得子大优", "？？？？", "--", ""] {
            assert!(!Pattern::of(text).is_some_and(|p| p.is_move()), "{text}");
        }
        for text in ["炮□平五", "马2进?", "\u{fffd}二平五", "炮二乎五", "马？？三"]
        {
            assert!(Pattern::of(text).is_some_and(|p| p.is_move()), "{text}");
        }
    }
}
