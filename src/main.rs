//! The command line of qipu: `docs/` describes the library below it.
#![forbid(unsafe_code)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
