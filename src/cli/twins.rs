//! `qipu twins`: records that may be of one game.

use std::io::Write as _;

use clap::ValueEnum;
use qipu::db::{Twin, TwinKind};
use qipu::finding::Lang;
use qipu::report::table;

use super::database::{DatabaseArg, db_words, failed};
use super::{Done, Exit, Output};

/// Arguments of `twins`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  qipu twins
  qipu twins --kind contained
  qipu twins --kind exact --merge

Copies that import found have been linked already and are not listed. With
--merge the better record of each pair stays and takes the headers it lacks;
the other is kept as its copy. Each pair is a step that `qipu runs revert`
takes back. Games with the same moves but other people are never put together.")]
pub(crate) struct Args {
    /// Only these kinds: exact, contained, near, same-moves; several with
    /// commas
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<Kind>,
    /// Put them together; without --kind the exact ones only
    #[arg(long)]
    merge: bool,
    #[command(flatten)]
    database: DatabaseArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Exact,
    Contained,
    Near,
    SameMoves,
}

impl Kind {
    fn of(kind: TwinKind) -> Kind {
        match kind {
            TwinKind::Exact => Kind::Exact,
            TwinKind::Contained => Kind::Contained,
            TwinKind::Near => Kind::Near,
            TwinKind::SameMoves => Kind::SameMoves,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, out: &mut Output) -> Done {
    let db = if args.merge { args.database.open_to_write()? } else { args.database.open()? };
    let mut twins = db.twins().map_err(|error| failed(&error))?;
    let kinds = if args.merge && args.kind.is_empty() { vec![Kind::Exact] } else { args.kind };
    twins.retain(|twin| kinds.is_empty() || kinds.contains(&Kind::of(twin.kind)));
    if out.is_json() {
        for twin in &twins {
            out.json(twin)?;
        }
    } else {
        list(&twins, out)?;
    }
    let lang = out.lang();
    if !args.merge {
        if twins.is_empty() {
            out.remark(lang.pick("no twins", "没有疑似同一局的记录"));
        }
        return Ok(Exit::Fine);
    }
    let merged = db.merge_games(&twins).map_err(|error| failed(&error))?;
    db.close().map_err(|error| failed(&error))?;
    let (pairs, left) = (merged.steps.len(), merged.left);
    out.remark(match lang {
        Lang::En => format!("{pairs} pairs were put together, {left} were left"),
        Lang::Zh => format!("已合并 {pairs} 对，{left} 对未动"),
    });
    if let (Some(first), Some(last)) = (merged.steps.first(), merged.steps.last()) {
        let steps = if first == last { first.to_string() } else { format!("{first}..{last}") };
        let command = format!("qipu runs revert {steps}{}", db_words(&args.database.db));
        out.remark(match lang {
            Lang::En => format!("`{command}` takes it back"),
            Lang::Zh => format!("`{command}` 可撤回"),
        });
    }
    Ok(Exit::Fine)
}

fn list(twins: &[Twin], out: &mut Output) -> std::io::Result<()> {
    if twins.is_empty() {
        return Ok(());
    }
    let lang = out.lang();
    let head = match lang {
        Lang::En => ["kind", "keep", "other", "plies", "plies", "differ", "other headers"],
        Lang::Zh => ["类型", "保留", "另一局", "步数", "步数", "不同", "不同的标签"],
    };
    let rows = twins.iter().map(|twin| {
        let kind = match twin.kind {
            TwinKind::Exact => lang.pick("exact", "相同"),
            TwinKind::Contained => lang.pick("contained", "包含"),
            TwinKind::Near => lang.pick("near", "近似"),
            TwinKind::SameMoves => lang.pick("same moves", "着法相同"),
        };
        vec![
            kind.to_owned(),
            twin.keep.to_string(),
            twin.other.to_string(),
            twin.plies.0.to_string(),
            twin.plies.1.to_string(),
            twin.differ.to_string(),
            twin.headers.join(", "),
        ]
    });
    writeln!(out, "{}", table(&head, rows, &[1, 2, 3, 4, 5]))
}
