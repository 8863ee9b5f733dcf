//! One module per subcommand.

pub mod compare;
pub mod list;
pub mod noise;
pub mod plan;
pub mod report;
pub mod run;
pub mod show;
pub mod spec;
pub mod splice;

use crate::{
    cli::{Cli, Command},
    publish::Published,
};
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
        Command::Readme => splice::run("README.md", Published::readme),
        Command::Methodology => splice::run("METHODOLOGY.md", Published::methodology),
        Command::Spec => spec::run(),
    }
}

/// Prints to stdout; unlike `print!` it does not panic when a pipe has been closed.
pub fn print(text: &str) -> Result<()> {
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
