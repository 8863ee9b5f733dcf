//! The command line. `run_benches.sh` hands its own to [`Command::Run`] unchanged.

use bench_shared::scale::Scale;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `bench-runner`.
#[derive(Debug, Parser)]
#[command(
    name = "bench-runner",
    version,
    about = "Runs the benchmark suite and renders its results"
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verify, measure and compare the two storage stacks
    Run(RunArgs),
    /// Check a command line of `run` and say what it would do
    Plan(RunArgs),
    /// List groups and benchmarks
    List {
        /// Groups (`B2`), starts of ids (`H2/slot`) or parts of ids
        #[arg(value_name = "FILTER")]
        filters: Vec<String>,
    },
    /// Print the results document of a finished run
    Report {
        /// Directory of the run, or its summary.json
        run: PathBuf,
        /// Write a self-contained web page with every round to this file instead
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// Overwrite the file of --html even if it is not such a page
        #[arg(long, requires = "html")]
        force: bool,
    },
    /// Print BENCH_SPEC.md, the definition of every benchmark
    Spec,
}

/// Arguments of `run`.
#[derive(Args, Clone, Debug, Default)]
#[command(
    override_usage = "run_benches.sh [--quick|--sequential] [--bindings|--hotdb] [OPTIONS] [FILTER]...",
    after_help = "\
Examples:
  run_benches.sh --quick              every benchmark, in minutes
  run_benches.sh --quick --bindings   the raw bindings only: a far smaller build
  run_benches.sh B2 H2/slot           one group and some benchmarks of another
  run_benches.sh --list               what there is"
)]
pub struct RunArgs {
    /// Fewer and shorter rounds: minutes
    #[arg(long)]
    pub quick: bool,
    /// More and longer rounds: most of an hour (the default)
    #[arg(long)]
    pub sequential: bool,
    /// Only the raw bindings, groups B1 to B7
    #[arg(long)]
    pub bindings: bool,
    /// Only the typed hot database, groups H1 to H6
    #[arg(long)]
    pub hotdb: bool,
    /// Rounds of each side instead of the mode's own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub rounds: Option<u32>,
    /// Size of the data; smoke is for tests, never for figures
    #[arg(long, value_name = "SCALE", default_value = "default")]
    pub scale: ScaleArg,
    /// Existing directory for the databases [default: /dev/shm if it has room, else the temporary
    /// directory]
    #[arg(long, value_name = "DIR")]
    pub db_dir: Option<PathBuf>,
    /// New or empty directory for the results [default: results/runs/TIME-MODE]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Afterwards copy the run to results/quick/ or results/sequential/ and regenerate its document; complete runs from a
    /// clean tree only
    #[arg(long)]
    pub publish: bool,
    /// List what the filters select and stop
    #[arg(long)]
    pub list: bool,
    /// Groups (`B2`), starts of ids (`H2/slot`) or parts of ids; all benchmarks if none is given
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
    /// Cargo's JSON messages of the builds, from which the bench binaries are found
    #[arg(long, value_name = "FILE", hide = true)]
    pub executables: Vec<PathBuf>,
    /// Check the command line, write the layers to build to this file, one a line, and stop
    #[arg(long, value_name = "FILE", hide = true)]
    pub layers: Option<PathBuf>,
}

/// [`Scale`] on the command line.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum ScaleArg {
    /// A hundredth of the data, for tests
    Smoke,
    /// The sizes of BENCH_SPEC.md
    #[default]
    Default,
    /// Ten times the data, except for 4 KiB values
    Large,
}

impl From<ScaleArg> for Scale {
    fn from(arg: ScaleArg) -> Self {
        match arg {
            ScaleArg::Smoke => Self::Smoke,
            ScaleArg::Default => Self::Default,
            ScaleArg::Large => Self::Large,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
