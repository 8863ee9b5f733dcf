//! One module per subcommand.

pub mod list;
pub mod plan;
pub mod report;
pub mod run;
pub mod spec;

use crate::cli::{Cli, Command};
use anyhow::Result;
use std::io::Write as _;

/// Runs a command line.
pub fn run(cli: Cli) -> Result<()> {
    match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::List { filters } => list::run(&crate::plan::select(&filters, None)?),
        Command::Report { run, html: Some(file), force } => report::page(&run, &file, force),
        Command::Report { run, html: None, .. } => report::run(&run),
        Command::Spec => spec::run(),
    }
}

/// Prints to stdout; unlike `print!` it does not panic when a pipe has been closed.
pub fn print(text: &str) -> Result<()> {
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
