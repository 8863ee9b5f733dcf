//! The runner: plans rounds, runs the bench binaries, compares the arms and renders the results.
//!
//! The bench binaries do the timing (with Criterion) and know nothing of each other; the runner
//! starts them in turn, one fresh process per side, group and round, and works from the raw samples
//! that they leave. `bench_shared::job` and `bench_shared::summary` are the formats at both ends.

pub mod archive;
pub mod arms;
pub mod binaries;
pub mod check;
pub mod checkout;
pub mod cli;
pub mod cmd;
pub mod compare;
pub mod criterion;
pub mod database;
pub mod document;
pub mod environment;
pub mod exit;
pub mod groups;
pub mod host;
pub mod interrupt;
pub mod lookup;
pub mod measurements;
pub mod mode;
pub mod pairs;
pub mod plan;
pub mod process;
pub mod progress;
pub mod publish;
pub mod run_dir;
pub mod schedule;
pub mod self_test;
pub mod session;
pub mod source;
pub mod sparkline;
pub mod stacks;
pub mod stats;
pub mod store;
pub mod table;
pub mod two_runs;
pub mod units;
pub mod upstream;
pub mod variant;
pub mod warnings;
pub mod workspace;

use clap::Parser as _;
use std::process::ExitCode;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    // clap answers unknown flags, `--help` and `--version` itself, with exit codes 2 and 0.
    exit::code(cmd::run(cli::Cli::parse()))
}
