//! One module per subcommand.

pub mod compare;
pub mod list;
pub mod methodology;
pub mod noise;
pub mod plan;
pub mod readme;
pub mod report;
pub mod run;
pub mod show;
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
        Command::Noise { runs } => noise::run(&runs),
        Command::Compare { run_a, run_b, all } => compare::run(&run_a, &run_b, all),
        Command::Show { run, id } => show::run(&run, &id),
        Command::Report { run, html: Some(file), force, .. } => report::page(&run, &file, force),
        Command::Report { run, charts, .. } => report::run(&run, charts.as_deref()),
        Command::Readme => readme::run(),
        Command::Methodology => methodology::run(),
        Command::Spec => spec::run(),
    }
}

/// Prints to stdout; unlike `print!` it does not panic when a pipe has been closed.
pub fn print(text: &str) -> Result<()> {
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
