//! `summary.json`: the result of a run. Written and read by the runner; scripts may rely on it.

use crate::{
    config::Effective,
    job::{Engine, GenesisCheck},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of [`Summary`]; rises when a key that scripts may rely on changes.
pub const SUMMARY_SCHEMA: u32 = 1;

/// One run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// [`SUMMARY_SCHEMA`].
    pub schema: u32,
    /// `quick` or `sequential`.
    pub mode: String,
    /// Size of the data.
    pub scale: String,
    /// Filters of the command line; empty for a run of everything.
    pub filters: Vec<String>,
    /// Whether every planned round was measured.
    pub complete: bool,
    /// Whether every arm of every benchmark was verified.
    pub verified: bool,
    /// Start, RFC 3339, UTC.
    pub started: String,
    /// Wall time of the run without the build, seconds.
    pub wall_s: f64,
    /// Rounds of each side; a benchmark whose operations are long may have fewer.
    pub rounds: u32,
    /// How the rounds were run; absent from summaries of the first version of the suite.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub schedule: Option<Schedule>,
    /// Seed of the bootstrap.
    pub seed: u64,
    /// Side that was compared with itself (`--aa`), if one was: its arms are `ARM#1` and `ARM#2`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub self_test: Option<String>,
    /// The machine.
    pub host: Host,
    /// What else the machine was and did over the run.
    #[serde(default)]
    pub conditions: Conditions,
    /// Two builds of the reth side that were compared with each other (`--fidelity`), if two were: the
    /// arms are `ARM@BUILD`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fidelity: Option<Fidelity>,
    /// The reth side; absent from a self-test of signet and from a run of two builds of reth.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reth: Option<Side>,
    /// The signet side; absent from a self-test of reth and from a run of two builds of reth.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signet: Option<Side>,
    /// Effective settings as read back from each open environment, by `layer/arm`.
    pub config: BTreeMap<String, Effective>,
    /// Mainnet genesis check of each typed arm; empty when the run has no H group.
    pub genesis: Vec<GenesisCheck>,
    /// Warnings about the machine or the run, each with its remedy.
    pub warnings: Vec<String>,
    /// One entry per benchmark, in the order of the catalogue.
    pub benches: Vec<Bench>,
}

impl Summary {
    /// The sides, or builds of one, that took part, the base of comparisons first.
    pub fn sides(&self) -> impl Iterator<Item = (&str, &Side)> {
        let named = [("reth", &self.reth), ("signet", &self.signet)];
        let sides = named.into_iter().filter_map(|(name, side)| Some((name, side.as_ref()?)));
        sides.chain(self.fidelity.iter().flat_map(Fidelity::builds))
    }
}

/// Two builds of the reth side.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fidelity {
    /// Build compared against: `registry`, or a tag of reth.
    pub base: String,
    /// Build compared.
    pub other: String,
    /// Both, by name.
    pub builds: BTreeMap<String, Side>,
}

impl Fidelity {
    /// Both builds with their names, the base first.
    pub fn builds(&self) -> impl Iterator<Item = (&str, &Side)> {
        let names = [self.base.as_str(), self.other.as_str()];
        names.into_iter().filter_map(|name| Some((name, self.builds.get(name)?)))
    }
}

/// How the rounds of a run followed one another, and how long each was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// What one process measured: `bench` or `group`.
    pub interleave: String,
    /// `blocks` of A B B A, or `random`.
    pub order: String,
    /// Seed of the order of the processes; absent from runs that drew it from the bootstrap's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// Warm-up of each arm of each benchmark in a round, milliseconds.
    pub warm_up_ms: u64,
    /// Measurement of each arm of each benchmark in a round, milliseconds; ten samples at least.
    pub measurement_ms: u64,
}

/// State of the machine over a run; what could not be read is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Installed memory, bytes.
    pub memory: Option<u64>,
    /// Frequency governor; most virtual machines have none.
    pub governor: Option<String>,
    /// Load averages over 1, 5 and 15 minutes before the run; after a build the build's.
    pub load_before: Option<[f64; 3]>,
    /// Load averages after the run; about one process is the run's own.
    pub load_after: Option<[f64; 3]>,
    /// Share of all CPUs' time that other programs used just before the run.
    pub other_load: Option<f64>,
    /// Share of all CPUs' time over the run that was not idle.
    pub busy: Option<f64>,
    /// Share of all CPUs' time over the run that the hypervisor gave to other machines.
    pub steal: Option<f64>,
    /// Flags of compilers that were set for the build, by variable, without directories.
    #[serde(default)]
    pub flags: BTreeMap<String, String>,
}

/// The machine and the tools of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Host {
    /// Model name of the CPU.
    pub cpu: String,
    /// Logical CPUs that the runner may use.
    pub cores: usize,
    /// Kernel release.
    pub kernel: String,
    /// `rustc --version` of the build.
    pub rustc: String,
    /// File system that held the databases.
    pub db_fs: String,
    /// Commit of the suite, with `-dirty` when the tree differed from it.
    pub git: String,
    /// CPU that the bench processes were pinned to.
    pub pinned_cpu: Option<usize>,
}

/// One side.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Side {
    /// `registry`, the tag of an upstream build, or `checkout`.
    pub provenance: String,
    /// What a provenance other than `registry` stands for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<Source>,
    /// Exact versions of the measured crates.
    pub packages: BTreeMap<String, String>,
    /// SHA-256 of those that a registry holds, from the lock file of the build.
    #[serde(default)]
    pub checksums: BTreeMap<String, String>,
    /// Version of libmdbx.
    pub libmdbx: String,
    /// The rest of what libmdbx says about itself.
    pub engine: Engine,
}

/// Where the source of a side that is not built from published crates alone is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Address of a git repository.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repository: Option<String>,
    /// Tag in it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tag: Option<String>,
    /// Directory on the machine of the run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub path: Option<String>,
    /// Commit of either.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub commit: Option<String>,
    /// Whether files of the directory differ from the commit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dirty: Option<bool>,
}

/// One benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bench {
    /// Id, for instance `B2/get/32B`.
    pub id: String,
    /// Group, for instance `B2`.
    pub group: String,
    /// `bindings` or `hotdb`.
    pub layer: String,
    /// What one iteration processes: look-ups, entries, puts, blocks.
    pub elements: u64,
    /// The rounds that it took part in, in the order of each arm's [`Arm::rounds_ns`]; empty in
    /// summaries of the first version of the suite.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rounds: Vec<Round>,
    /// By arm.
    pub arms: BTreeMap<String, Arm>,
    /// Pairs of arms.
    pub comparisons: Vec<Comparison>,
}

/// One round of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Number of the round in the run, from 0, as in the names of the raw files.
    pub round: u32,
    /// Who ran first: a side, or a copy of one in a self-test.
    pub first: String,
}

/// One arm of a benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Arm {
    /// Median over the rounds, nanoseconds per iteration.
    pub median_ns: f64,
    /// Smallest round, nanoseconds per iteration.
    pub min_ns: f64,
    /// Each round's median, nanoseconds per iteration, in the order of the rounds.
    pub rounds_ns: Vec<f64>,
    /// Whether the arm passed verification.
    pub verified: bool,
    /// By how much `last_txnid` advanced for each commit of the verification, where it commits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub txnid_per_commit: Option<f64>,
    /// Share of look-ups that found an entry, where the workload looks up.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hit_rate: Option<f64>,
}

/// A pair of arms of one benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// Arm compared against.
    pub base: String,
    /// Arm compared.
    pub other: String,
    /// Base time divided by other time: 2.0 reads "other is twice as fast".
    pub ratio: f64,
    /// 95 % interval of the ratio, lower end first.
    pub ci: [f64; 2],
    /// Ratio of the two arms' smallest rounds: a second opinion that drift hardly moves.
    pub ratio_of_minima: f64,
    /// Effect below which no verdict is given, as a fraction (0.02 is 2 %).
    pub noise_floor: f64,
    /// p-value of the signed-rank test on the rounds, before correction for many comparisons.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub p_value: Option<f64>,
    /// `faster`, `slower` or `no measurable difference`, said of `other`.
    pub verdict: String,
}
