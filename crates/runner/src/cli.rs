//! The command line. `run_benches.sh` hands its own to [`Command::Run`] unchanged.

use crate::{
    arms::Side,
    schedule::{Interleave, Order},
    source::{Fidelity, Tag},
};
use bench_shared::scale::Scale;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::{path::PathBuf, str::FromStr};

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
        /// Draw the run's charts into this existing directory instead, one SVG per layer
        #[arg(long, value_name = "DIR")]
        charts: Option<PathBuf>,
        /// Write a self-contained web page with every round to this file instead
        #[arg(long, value_name = "FILE", conflicts_with = "charts")]
        html: Option<PathBuf>,
        /// Overwrite the file of --html even if it is not such a page
        #[arg(long, requires = "html")]
        force: bool,
    },
    /// Print what self-tests (`run --aa`) say about the noise under their schedules, as a table
    Noise {
        /// Directories of the runs, or their summary.json
        #[arg(value_name = "RUN", required = true)]
        runs: Vec<PathBuf>,
    },
    /// Say which ratios and verdicts changed between two runs
    ///
    /// Compares each stack-against-stack pair and the control by ratio, since times of different
    /// machines or moments are not comparable. A ratio has changed if the change exceeds the sum of
    /// both runs' noise floors, the two 95 % intervals do not overlap, and each run paired at least
    /// six rounds. Flips between faster and slower come first; the last line counts.
    ///
    /// Exits with 0 whatever is found, 1 if a file cannot be read, 2 if the runs have nothing in
    /// common.
    Compare {
        /// Directory of the earlier run, or its summary.json
        run_a: PathBuf,
        /// Directory of the later run, or its summary.json
        run_b: PathBuf,
        /// List every comparison, not only those that changed
        #[arg(long)]
        all: bool,
    },
    /// Show the rounds of one benchmark of a finished run
    ///
    /// A sparkline and the spread of each arm, each comparison with its verdict, then every round.
    /// Exits with 1 if the file cannot be read, 2 if it has no such benchmark.
    Show {
        /// Directory of the run, or its summary.json
        run: PathBuf,
        /// Id of the benchmark (`B2/get/32B`), or a start of it that no other id has
        id: String,
    },
    /// Put the headline and the sample of the published runs into README.md
    Readme,
    /// Put the tables of the published fidelity runs into METHODOLOGY.md
    Methodology,
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
  run_benches.sh --aa B2              reth against itself: what the noise alone does
  run_benches.sh --upstream B2        with reth's own source at its tag v1.11.3 as the reth side
  run_benches.sh --upstream v2.5.1    the same at another tag
  run_benches.sh --fidelity           published crates against reth's own source: are they alike?
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
    /// Compare a side with itself under the same schedule: every verdict is then a false one
    #[arg(
        long,
        value_name = "SIDE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "reth"
    )]
    pub aa: Option<SideArg>,
    /// The reth side from reth's own source at this tag, instead of published crates [default: v1.11.3]
    #[arg(long, value_name = "TAG", num_args = 0..=1, require_equals = true, help_heading = SOURCES)]
    pub upstream: Option<Option<Tag>>,
    /// The reth side from this local checkout of reth
    #[arg(long, value_name = "DIR", help_heading = SOURCES)]
    pub reth_dir: Option<PathBuf>,
    /// The signet side from this local checkout of some of its crates; the others stay published
    #[arg(long, value_name = "DIR", help_heading = SOURCES)]
    pub signet_dir: Option<PathBuf>,
    /// Compare two builds of the reth side with each other: how far is one from the other? Two of
    /// registry, v1.11.3, v2.5.1 [default: registry,v1.11.3]
    #[arg(long, value_name = "BASE,OTHER", num_args = 0..=1, require_equals = true, help_heading = SOURCES)]
    pub fidelity: Option<Option<Fidelity>>,
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
    /// Afterwards copy the run to results/quick/, results/sequential/ or results/fidelity/ and regenerate the documents
    /// made from it; complete runs from a clean tree only
    #[arg(long)]
    pub publish: bool,
    /// List what the filters select and stop
    #[arg(long)]
    pub list: bool,
    /// Groups (`B2`), starts of ids (`H2/slot`) or parts of ids; all benchmarks if none is given
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
    /// Seed of the order of the processes [default: the time of the start]
    #[arg(long, value_name = "N", help_heading = SCHEDULE)]
    pub seed: Option<u64>,
    /// What one process measures
    #[arg(long, value_name = "UNIT", default_value = "bench", help_heading = SCHEDULE)]
    pub interleave: Interleave,
    /// Which contender begins
    #[arg(long, value_name = "ORDER", default_value = "blocks", help_heading = SCHEDULE)]
    pub order: Order,
    /// Warm-up of each arm of each benchmark in a round, milliseconds
    #[arg(long, value_name = "MS", help_heading = SCHEDULE,
          value_parser = clap::value_parser!(u64).range(1..=60_000))]
    pub warm_up: Option<u64>,
    /// Measurement of each arm of each benchmark in a round, milliseconds
    #[arg(long, value_name = "MS", help_heading = SCHEDULE,
          value_parser = clap::value_parser!(u64).range(1..=60_000))]
    pub measurement: Option<u64>,
    /// Cargo's JSON messages of the build of a bench binary, in which it is found
    #[arg(long, value_name = "KEY=FILE", hide = true)]
    pub executables: Vec<Executable>,
    /// Check the command line, prepare what has to be built, write it to this file, a binary a line,
    /// and stop
    #[arg(long, value_name = "FILE", hide = true)]
    pub needs: Option<PathBuf>,
}

/// A bench binary's key and the file of cargo's messages about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// [`crate::source::Binary::key`].
    pub key: String,
    /// Cargo's JSON messages.
    pub messages: PathBuf,
}

impl FromStr for Executable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, file) = text.split_once('=').ok_or("not KEY=FILE")?;
        Ok(Self { key: key.to_owned(), messages: file.into() })
    }
}

/// Heading of the flags that choose where the stacks come from.
const SOURCES: &str = "Where the stacks come from";

/// Heading of the flags that change the schedule.
const SCHEDULE: &str = "Schedule, for studies of the noise with --aa";

impl RunArgs {
    /// The first flag that makes the schedule another than the mode's own.
    pub fn schedule_flag(&self) -> Option<&'static str> {
        [
            (self.rounds.is_some(), "--rounds"),
            (self.interleave != Interleave::default(), "--interleave"),
            (self.order != Order::default(), "--order"),
            (self.warm_up.is_some(), "--warm-up"),
            (self.measurement.is_some(), "--measurement"),
        ]
        .into_iter()
        .find_map(|(given, flag)| given.then_some(flag))
    }
}

/// [`Side`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SideArg {
    /// reth's stack
    Reth,
    /// signet's stack
    Signet,
}

impl From<SideArg> for Side {
    fn from(arg: SideArg) -> Self {
        match arg {
            SideArg::Reth => Self::Reth,
            SideArg::Signet => Self::Signet,
        }
    }
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
