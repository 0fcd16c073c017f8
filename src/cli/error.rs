//! What stops a command, and the exit status it gives.

use std::io;
use std::path::PathBuf;

use qipu::finding::Lang;
use qipu::report::Tone;

use super::Output;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The command line is wrong: a message in the user's language, and
    /// advice. Exit status 2.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do; may be empty.
        hint: String,
    },
    /// An input could not be read. Exit status 3.
    Input {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An output could not be written. Exit status 3, but a broken pipe ends
    /// quietly.
    Output {
        /// The file; `None` for standard output.
        path: Option<PathBuf>,
        /// Why.
        source: io::Error,
    },
    /// The database could not be read or written. Exit status 3.
    Database(String),
    /// The command has told every fault already. Exit status 3.
    Told,
}

impl CliError {
    /// A wrong command line.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> CliError {
        CliError::Usage { message: message.into(), hint: hint.into() }
    }

    /// An input that cannot be read.
    pub(crate) fn input(path: impl Into<PathBuf>, source: io::Error) -> CliError {
        CliError::Input { path: path.into(), source }
    }

    /// Whether the reader of standard output has gone, which is no fault.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, CliError::Output { path: None, source }
            if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// 2 for a wrong command line, else 3.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            CliError::Usage { .. } => 2,
            _ => 3,
        }
    }

    fn message(&self, lang: Lang) -> String {
        match self {
            CliError::Usage { message, .. } => message.clone(),
            CliError::Input { path, source } => {
                format!("{} {}: {source}", lang.pick("cannot read", "无法读取"), path.display())
            }
            CliError::Output { path: Some(path), source } => {
                format!("{} {}: {source}", lang.pick("cannot write", "无法写入"), path.display())
            }
            CliError::Output { path: None, source } => {
                let to = lang.pick("cannot write to standard output", "无法写入标准输出");
                format!("{to}: {source}")
            }
            CliError::Database(message) => {
                format!("{}: {message}", lang.pick("database", "数据库"))
            }
            CliError::Told => String::new(),
        }
    }

    /// Prints the error on standard error.
    pub(crate) fn print(&self, out: &Output) {
        let lang = out.lang();
        let message = self.message(lang);
        if message.is_empty() {
            return;
        }
        let paint = out.stderr_paint();
        let error = lang.pick("error", "错误");
        eprintln!("{}: {message}", paint.tone(Tone::Error, error));
        if let CliError::Usage { hint, .. } = self
            && !hint.is_empty()
        {
            eprintln!("{}: {hint}", paint.tone(Tone::Help, lang.pick("help", "提示")));
        }
    }
}

/// Writing to standard output failed.
impl From<io::Error> for CliError {
    fn from(source: io::Error) -> CliError {
        CliError::Output { path: None, source }
    }
}
