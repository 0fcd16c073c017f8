//! `qipu players`: people, their names, and who may be whom.

use std::io::Write as _;

use clap::Subcommand;
use qipu::finding::Lang;
use qipu::report::table;

use super::database::{DatabaseArg, failed};
use super::{Done, Exit, Output};

/// Arguments of `players`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  qipu players
  qipu players huronghua
  qipu players --suggest
  qipu players merge 胡荣华 'Hu Ronghua'

A name is found in either script, without blanks and titles, and in pinyin. A
merge changes no game; `qipu runs revert STEP` takes it back."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// People with a name like this [default: all]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// List people who may be one instead
    #[arg(long)]
    suggest: bool,
    #[command(flatten)]
    database: DatabaseArg,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make the names of one person names of another
    Merge {
        /// The person whose name stays: name or id
        #[arg(value_name = "PERSON")]
        person: String,
        /// The name that becomes an alias: name or id
        #[arg(value_name = "OTHER")]
        other: String,
        #[command(flatten)]
        database: DatabaseArg,
    },
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    match args.action {
        Some(Action::Merge { person, other, database }) => merge(&person, &other, &database, out),
        None if args.suggest => suggest(&args.database, out),
        None => list(args.name.as_deref(), &args.database, out),
    }
}

fn merge(person: &str, other: &str, database: &DatabaseArg, out: &mut Output) -> Done {
    let db = database.open_to_write()?;
    let step = db
        .player_named(person)
        .and_then(|person| Ok((person, db.player_named(other)?)))
        .and_then(|(person, other)| db.merge_players(person, other))
        .map_err(|error| failed(&error))?;
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

fn suggest(database: &DatabaseArg, out: &mut Output) -> Done {
    let suggestions = database.open()?.suggestions().map_err(|error| failed(&error))?;
    if out.is_json() {
        for one in &suggestions {
            out.json(one)?;
        }
        return Ok(Exit::Fine);
    }
    let lang = out.lang();
    if suggestions.is_empty() {
        out.remark(lang.pick("nobody seems to have two names", "没有疑似同一人的姓名"));
        return Ok(Exit::Fine);
    }
    let head = match lang {
        Lang::En => ["id", "person", "id", "other", "why"],
        Lang::Zh => ["编号", "姓名", "编号", "另一姓名", "理由"],
    };
    let rows = suggestions.iter().map(|one| {
        let why = match one.reason {
            "same-name" => lang.pick("the same but for script or title", "仅字形或头衔不同"),
            _ => lang.pick("sounds alike", "读音相同"),
        };
        vec![
            one.person.0.to_string(),
            one.person.1.clone(),
            one.other.0.to_string(),
            one.other.1.clone(),
            why.to_owned(),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[0, 2]))?;
    Ok(Exit::Fine)
}

fn list(name: Option<&str>, database: &DatabaseArg, out: &mut Output) -> Done {
    let people = database.open()?.people(name).map_err(|error| failed(&error))?;
    if out.is_json() {
        for person in &people {
            out.json(person)?;
        }
        return Ok(Exit::Fine);
    }
    let lang = out.lang();
    let head = match lang {
        Lang::En => ["id", "name", "games", "years", "also"],
        Lang::Zh => ["编号", "姓名", "局数", "年份", "别名"],
    };
    let rows = people.iter().map(|person| {
        let years = match person.years {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}–{last}"),
            None => String::new(),
        };
        let also: Vec<&str> = person.aliases.iter().map(|alias| alias.1.as_str()).collect();
        vec![
            person.id.to_string(),
            person.name.clone(),
            person.games.to_string(),
            years,
            also.join(lang.pick(", ", "、")),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[0, 2]))?;
    Ok(Exit::Fine)
}
