//! People and events with all their names, and which may be one: what
//! `qipu players` and `qipu events` share.

use std::io::Write as _;

use clap::Subcommand;
use qipu::db::Named;
use qipu::finding::Lang;
use qipu::report::table;

use super::database::{DatabaseArg, failed};
use super::{Done, Exit, Output};

/// What is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    #[command(subcommand)]
    action: Option<Action>,
    /// Those with a name like this [default: all]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// List those who may be one instead
    #[arg(long)]
    suggest: bool,
    #[command(flatten)]
    database: DatabaseArg,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make all names of the second names of the first
    Merge {
        /// The one whose name stays: name or id
        #[arg(value_name = "ONE")]
        one: String,
        /// The name that becomes an alias: name or id
        #[arg(value_name = "OTHER")]
        other: String,
        #[command(flatten)]
        database: DatabaseArg,
    },
}

/// Answers it.
pub(crate) fn run(named: Named, asked: Asked, out: &mut Output) -> Done {
    match asked.action {
        Some(Action::Merge { one, other, database }) => {
            merge(named, [&one, &other], &database, out)
        }
        None if asked.suggest => suggest(named, &asked.database, out),
        None => list(named, asked.name.as_deref(), &asked.database, out),
    }
}

fn merge(named: Named, names: [&str; 2], database: &DatabaseArg, out: &mut Output) -> Done {
    let db = database.open_to_write()?;
    let [one, other] = names.map(|name| db.id_of(named, name));
    let step =
        one.and_then(|one| db.merge_names(named, one, other?)).map_err(|error| failed(&error))?;
    db.close().map_err(|error| failed(&error))?;
    if out.is_json() {
        out.json(&serde_json::json!({ "step": step }))?;
    } else {
        writeln!(
            out,
            "{}",
            match out.lang() {
                Lang::En => format!("done; `qipu runs revert {step}` takes it back"),
                Lang::Zh => format!("完成；`qipu runs revert {step}` 可撤回"),
            }
        )?;
    }
    Ok(Exit::Fine)
}

fn suggest(named: Named, database: &DatabaseArg, out: &mut Output) -> Done {
    let suggestions = database.open()?.suggestions(named).map_err(|error| failed(&error))?;
    if out.is_json() {
        for one in &suggestions {
            out.json(one)?;
        }
        return Ok(Exit::Fine);
    }
    let lang = out.lang();
    if suggestions.is_empty() {
        out.remark(lang.pick("none seems to have two names", "没有疑似相同的名称"));
        return Ok(Exit::Fine);
    }
    let head = match lang {
        Lang::En => ["id", "one", "id", "other", "why"],
        Lang::Zh => ["编号", "名称", "编号", "另一名称", "理由"],
    };
    let rows = suggestions.iter().map(|pair| {
        let why = match pair.reason {
            "same-name" => lang.pick("the same but for script or title", "仅字形或头衔不同"),
            _ => lang.pick("sounds alike", "读音相同"),
        };
        vec![
            pair.one.0.to_string(),
            pair.one.1.clone(),
            pair.other.0.to_string(),
            pair.other.1.clone(),
            why.to_owned(),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[0, 2]))?;
    Ok(Exit::Fine)
}

fn list(named: Named, name: Option<&str>, database: &DatabaseArg, out: &mut Output) -> Done {
    let known = database.open()?.identities(named, name).map_err(|error| failed(&error))?;
    if out.is_json() {
        for one in &known {
            out.json(one)?;
        }
        return Ok(Exit::Fine);
    }
    let lang = out.lang();
    let head = match lang {
        Lang::En => ["id", "name", "games", "years", "also"],
        Lang::Zh => ["编号", "名称", "局数", "年份", "别名"],
    };
    let rows = known.iter().map(|one| {
        let years = match one.years {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}–{last}"),
            None => String::new(),
        };
        let also: Vec<&str> = one.aliases.iter().map(|alias| alias.1.as_str()).collect();
        vec![
            one.id.to_string(),
            one.name.clone(),
            one.games.to_string(),
            years,
            also.join(lang.pick(", ", "、")),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[0, 2]))?;
    Ok(Exit::Fine)
}
