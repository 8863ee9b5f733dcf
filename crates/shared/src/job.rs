//! What the runner asks of a bench binary, and what the binary reports back: two JSON files.

use crate::{config::Effective, scale::Scale};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// Version of [`Job`] and [`Report`]; both ends are built together and refuse any other.
pub const JOB_SCHEMA: u32 = 3;

/// Start of the id under which Criterion measures an arm that only fills a slot: see [`Job::slots`].
pub const FILLER: &str = "filler/";

/// Environment variable that names the job file. Without it a bench binary runs every benchmark of
/// its layer under Criterion's own command line, as `cargo bench` users expect.
pub const JOB_ENV: &str = "BENCH_JOB";

/// What one process is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Run every arm of every benchmark once and compare with the model; time nothing.
    Verify,
    /// Time every arm of every benchmark with Criterion: one replicate.
    Measure,
}

/// One process's work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// [`JOB_SCHEMA`].
    pub schema: u32,
    /// Verify or measure.
    pub mode: Mode,
    /// Size of the data.
    pub scale: Scale,
    /// Number of this round, from 0. The order of the arms within the process rotates with it.
    pub round: u32,
    /// Ids of the benchmarks to run, all of the binary's layer.
    pub ids: Vec<String>,
    /// Arms that each process of the run measures per benchmark, one after another. A side with fewer
    /// arms measures some of them a second time, as fillers whose figures nobody uses: otherwise the
    /// arms of the side with fewer would come first in their process more often than the other's, and
    /// which comes first makes a difference.
    pub slots: usize,
    /// Also load the mainnet genesis allocation and check its state root (typed layer, verify only).
    pub genesis: bool,
    /// Existing directory in which the process makes its databases; the runner removes it.
    pub db_dir: PathBuf,
    /// File to write the [`Report`] to.
    pub report: PathBuf,
    /// Directory for Criterion's own output (`<benchmark>/<arm>/new/sample.json`).
    pub criterion_dir: PathBuf,
    /// Warm-up of each arm of each benchmark, milliseconds.
    pub warm_up_ms: u64,
    /// Measurement of each arm of each benchmark, milliseconds (ten samples at least, so that long
    /// operations take longer).
    pub measurement_ms: u64,
}

/// What one process saw.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`JOB_SCHEMA`].
    pub schema: u32,
    /// The side: `reth` or `signet`.
    pub side: String,
    /// Where the side's binding comes from, and so its stack: `registry`, the tag of its repository,
    /// or `checkout` for a directory.
    pub provenance: String,
    /// Build of the side's binding, by [`Build::name`](crate::catalogue::Build::name).
    pub build: String,
    /// Exact versions of the side's measured crates, by name, from the lock file it was built with.
    pub packages: BTreeMap<String, String>,
    /// Where each of them comes from, in the words of the lock file; absent for those in a directory.
    #[serde(default)]
    pub sources: BTreeMap<String, String>,
    /// The libmdbx inside the binary.
    pub engine: Engine,
    /// Arms of the binary's layer in their canonical order.
    pub arms: Vec<String>,
    /// CPU that the process pinned itself to, where the platform allows it.
    pub pinned_cpu: Option<usize>,
    /// Effective settings of each environment that was opened, by arm.
    pub configs: BTreeMap<String, Effective>,
    /// One entry per benchmark and arm (verify only).
    pub checks: Vec<Check>,
    /// One entry per arm (verify with `genesis` only).
    pub genesis: Vec<GenesisCheck>,
}

/// A git repository as the source of a crate, in the words of a lock file:
/// `git+https://github.com/paradigmxyz/reth?tag=v1.11.3#COMMIT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GitSource<'a> {
    /// Address of the repository.
    pub repository: &'a str,
    /// Tag that was asked for, if one was.
    pub tag: Option<&'a str>,
    /// Commit that is locked.
    pub commit: &'a str,
}

impl<'a> GitSource<'a> {
    /// `None` for the source of a crate that is from no repository.
    pub fn parse(source: &'a str) -> Option<Self> {
        let (address, commit) = source.strip_prefix("git+")?.split_once('#')?;
        let (repository, query) = address.split_once('?').unwrap_or((address, ""));
        let tag = query.split('&').find_map(|pair| pair.strip_prefix("tag="));
        Some(Self { repository, tag, commit })
    }
}

/// The libmdbx that a binary contains, as `mdbx_version` and `mdbx_build` report it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engine {
    /// For instance `0.13.7`.
    pub version: String,
    /// Commit of the C source.
    pub commit: String,
    /// Compile options that libmdbx records about itself.
    pub options: String,
    /// Compiler that built it.
    pub compiler: String,
    /// Flags that the build passed to the compiler, as libmdbx records them.
    pub flags: String,
    /// Whether its debug assertions are compiled in; a release build has none.
    pub debug: bool,
}

/// Outcome of one verification.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Check {
    /// Id of the benchmark.
    pub id: String,
    /// Arm.
    pub arm: String,
    /// Whether what the arm read, or left in the database, equals the model's.
    pub verified: bool,
    /// Records compared.
    pub records: u64,
    /// Digest of what the arm read or left, hexadecimal.
    pub digest: String,
    /// Digest of the model, computed from the generated data alone.
    pub expected: String,
    /// The first key on which the two differ and both values, if they differ.
    pub first_difference: Option<String>,
    /// Share of the look-ups that found an entry, where the workload looks up.
    pub hit_rate: Option<f64>,
    /// Commits made, where the workload commits.
    pub commits: Option<u64>,
    /// By how much `last_txnid` advanced over those commits; at least
    /// [`Self::commits`], and more only where one commit retires more than a GC record holds.
    pub txnid_advance: Option<u64>,
    /// Pages of the data file in use afterwards, where the workload writes. The sides are compared:
    /// equal work on equal settings must leave equally many.
    #[serde(default)]
    pub used_pages: Option<u64>,
    /// `msync` and `fsync` calls that libmdbx counted since the environment was opened, where the
    /// workload writes and the handle is at hand.
    #[serde(default)]
    pub syncs: Option<u64>,
}

/// Outcome of the mainnet genesis check on one arm.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GenesisCheck {
    /// Arm.
    pub arm: String,
    /// Accounts read back by a full scan.
    pub accounts: u64,
    /// State root folded from the scan, `0x`-prefixed.
    pub state_root: String,
    /// Whether it is mainnet's.
    pub verified: bool,
}
