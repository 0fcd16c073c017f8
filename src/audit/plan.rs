//! Plans for the clock (计时方案, article 6): how many moves in how much time.
//! They are data; the files are in `src/audit/plans/`, and a person can write
//! one of his own.

use serde::{Deserialize, Serialize};

use crate::board::Color;
use crate::finding::Lang;

/// The plans that come with the program.
const BUILT_IN: [&str; 2] =
    [include_str!("plans/chinese-1999.json"), include_str!("plans/others.json")];

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Title {
    /// English.
    pub en: String,
    /// Simplified Chinese.
    pub zh: String,
}

/// A control (时限).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Moves that have to be made in it; `None` for all that remain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// Its time in seconds.
    pub seconds: u32,
}

/// The plan of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SidePlan {
    /// The controls in their order. Time left over goes into the next one, as
    /// on a clock with hands.
    pub controls: Vec<Control>,
    /// The control that follows again and again after them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<Control>,
    /// Seconds added for each move, once it has been made.
    #[serde(default)]
    pub increment: u32,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The name on the command line.
    pub name: String,
    /// The article or text it comes from.
    #[serde(default)]
    pub article: String,
    /// What it says.
    pub title: Title,
    /// Red's plan.
    pub red: SidePlan,
    /// Black's plan, where it is not the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<SidePlan>,
}

/// The text is not a plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It is not JSON of this shape.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It leaves no time, or more than a clock can show.
    #[error("{0}")]
    Wrong(&'static str),
}

/// Longest total of a plan, in seconds: a week.
const LONGEST: u32 = 7 * 24 * 3600;

/// One file holds one plan or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum File {
    Several(Vec<Plan>),
    One(Box<Plan>),
}

impl Plan {
    /// The plans that come with the program.
    #[must_use]
    pub fn built_in() -> Vec<Plan> {
        BUILT_IN.iter().flat_map(|text| Plan::parse_all(text).unwrap_or_default()).collect()
    }

    /// A plan that comes with the program. `6.5` takes its minutes behind a
    /// hyphen: `6.5-20`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Plan> {
        let known = Plan::built_in().into_iter().find(|p| p.name.eq_ignore_ascii_case(name));
        known.or_else(|| {
            let minutes: u32 = name.strip_prefix("6.5-")?.parse().ok()?;
            let seconds = minutes.checked_mul(60).filter(|s| (1..=LONGEST).contains(s))?;
            Some(Plan {
                name: name.to_owned(),
                article: "6.5".to_owned(),
                title: Title {
                    en: format!("{minutes} minutes for the whole game"),
                    zh: format!("每方 {minutes} 分钟包干"),
                },
                red: SidePlan {
                    controls: vec![Control { moves: None, seconds }],
                    then: None,
                    increment: 0,
                },
                black: None,
            })
        })
    }

    /// Reads the plans of a file.
    ///
    /// # Errors
    /// When the text is not JSON of this shape, or a plan leaves no time.
    pub fn parse_all(text: &str) -> Result<Vec<Plan>, PlanError> {
        let plans = match serde_json::from_str(text)? {
            File::Several(plans) => plans,
            File::One(plan) => vec![*plan],
        };
        for plan in &plans {
            for side in Color::ALL {
                plan.of(side).check()?;
            }
        }
        Ok(plans)
    }

    /// The plan of a side.
    #[must_use]
    pub fn of(&self, side: Color) -> &SidePlan {
        match (side, &self.black) {
            (Color::Black, Some(black)) => black,
            _ => &self.red,
        }
    }

    /// What it says.
    #[must_use]
    pub fn title(&self, lang: Lang) -> &str {
        lang.pick(&self.title.en, &self.title.zh)
    }
}

impl SidePlan {
    fn check(&self) -> Result<(), PlanError> {
        let controls = self.controls.iter().chain(&self.then);
        let mut total = 0u32;
        for control in controls.clone() {
            if control.seconds == 0 || control.moves == Some(0) {
                return Err(PlanError::Wrong("a control has some time and some moves"));
            }
            total = total.saturating_add(control.seconds);
        }
        let open = |control: &Control| control.moves.is_none();
        let last = self.controls.len().saturating_sub(1);
        if total == 0 {
            return Err(PlanError::Wrong("a plan has a control"));
        }
        if total > LONGEST || self.increment > LONGEST {
            return Err(PlanError::Wrong("a plan takes a week at most"));
        }
        if self.controls.iter().take(last).any(open) || self.then.as_ref().is_some_and(open) {
            return Err(PlanError::Wrong("only the last control can be without moves"));
        }
        Ok(())
    }

    /// The controls as they come, without end where one repeats: number from
    /// 1, moves and seconds of each.
    pub fn all(&self) -> impl Iterator<Item = (u32, Control)> + '_ {
        let rest = std::iter::repeat_n(self.then, usize::MAX).map_while(|then| then);
        (1..).zip(self.controls.iter().copied().chain(rest))
    }

    /// Seconds that the increments of so many moves give.
    #[must_use]
    pub const fn increments(&self, moves: u32) -> u32 {
        self.increment.saturating_mul(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plans_are_those_of_article_6() {
        let names: Vec<String> = Plan::built_in().into_iter().map(|plan| plan.name).collect();
        for name in ["6.1", "6.2", "6.3", "6.4", "6.5-60", "asian-60", "asian-90", "2007-odds"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
        let controls = |name: &str, side| -> Vec<(Option<u32>, u32)> {
            let plan = Plan::by_name(name).unwrap();
            let found = plan.of(side).all().take(3);
            found.map(|(_, control)| (control.moves, control.seconds / 60)).collect()
        };
        let red = Color::Red;
        assert_eq!(controls("6.1", red), [(Some(40), 90), (Some(10), 15), (Some(10), 15)]);
        assert_eq!(controls("6.2", red), [(Some(30), 60), (Some(10), 10), (Some(10), 10)]);
        assert_eq!(controls("6.3", red), [(Some(40), 10), (Some(30), 5), (Some(30), 5)]);
        assert_eq!(controls("6.4", red), [(Some(30), 5); 3]);
        assert_eq!(controls("6.5-20", red), [(None, 20)]);
        assert_eq!(controls("2007-odds", red), [(None, 80)]);
        assert_eq!(controls("2007-odds", Color::Black), [(None, 40)]);
    }

    #[test]
    fn a_person_can_write_one() {
        let text = r#"{"name": "club", "title": {"en": "20 + 5", "zh": "20 分加 5 秒"},
            "red": {"controls": [{"seconds": 1200}], "increment": 5}}"#;
        let plans = Plan::parse_all(text).unwrap();
        assert_eq!(plans[0].of(Color::Black).increments(10), 50);
        for bad in [
            "{}",
            r#"{"name": "x", "title": {"en": "", "zh": ""}, "red": {"controls": []}}"#,
            r#"{"name": "x", "title": {"en": "", "zh": ""}, "red": {"controls": [{"seconds": 0}]}}"#,
            r#"{"name": "x", "title": {"en": "", "zh": ""},
                "red": {"controls": [{"seconds": 9}, {"seconds": 9}]}}"#,
        ] {
            assert!(Plan::parse_all(bad).is_err(), "{bad}");
        }
    }
}
