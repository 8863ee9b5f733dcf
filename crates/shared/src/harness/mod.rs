//! The body of every bench binary: reads the job, pins the process, verifies or measures, reports.

mod bindings;
pub mod dispatch;
#[cfg(feature = "hotdb")]
mod hotdb;
mod lock;
mod measure;
mod outside;

pub use bindings::{TABLE, bindings, verify_bindings};
#[cfg(feature = "hotdb")]
pub use hotdb::{hotdb, verify_genesis, verify_hotdb};
use lock::Locked;
pub use measure::Bencher;
pub use outside::probe;

use crate::{
    affinity::Affinity,
    binding::{AnyError, EnvState},
    catalogue::{self, Bench, Build, Layer},
    config::{Effective, EnvConfig},
    job::{Check, Engine, JOB_ENV, JOB_SCHEMA, Job, Mode, Report},
    scale::Scale,
    sink::Recorder,
};
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};
use tempfile::TempDir;

/// What the harness has to know of a side besides its adapters.
pub trait Side {
    /// `reth` or `signet`.
    const NAME: &'static str;
    /// The measured crates, as named in the lock file, the binding first.
    const PACKAGES: &'static [&'static str];
    /// Text of the lock file that the binary was built with.
    const LOCK: &'static str;
    /// Builds of the binding whose benchmarks this binary measures. The first is its own; a stack
    /// whose binding has one build measures the benchmarks of both with it.
    const BUILDS: &'static [Build];
    /// Build of the binding in this binary.
    const BUILD: Build = Self::BUILDS[0];

    /// Whether this binary measures the benchmark.
    fn runs(bench: &Bench) -> bool {
        Self::BUILDS.contains(&bench.build)
    }

    /// The libmdbx in this binary.
    fn engine() -> Engine;

    /// State of an environment that another process has open.
    ///
    /// # Errors
    /// libmdbx's.
    fn state_from_outside(dir: &Path) -> Result<EnvState, AnyError>;
}

/// An arm was asked for that the side does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no arm `{arm}` on this side")]
pub struct NoSuchArm {
    arm: String,
}

impl NoSuchArm {
    /// The error for this name.
    pub fn new(arm: &str) -> Self {
        Self { arm: arm.to_owned() }
    }
}

/// A process's state while it works through its job.
#[derive(Debug)]
pub struct Process {
    job: Job,
    affinity: Affinity,
    report: Report,
    /// Whether the process was started without a job, as `cargo bench` starts it.
    standalone: bool,
    /// Holds the database directory of a standalone process; removed on drop.
    _dir: Option<TempDir>,
}

impl Process {
    fn start<S: Side>(layer: Layer, arms: &[&str]) -> Result<Self, AnyError> {
        let (job, standalone, dir) = match env::var_os(JOB_ENV) {
            Some(path) => (read_job(Path::new(&path))?, false, None),
            None => {
                let dir = TempDir::with_prefix_in("mdbx-bench-", default_db_root())?;
                (standalone_job(layer, S::runs, dir.path()), true, Some(dir))
            }
        };
        for id in &job.ids {
            match catalogue::bench(id) {
                Some(bench) if bench.layer() == layer => check_build::<S>(bench)?,
                Some(_) => return Err(format!("{id} is not a benchmark of layer {layer}").into()),
                None => return Err(format!("{id} is not in the catalogue").into()),
            }
        }
        end_with_parent();
        let pinning = |error| {
            format!("cannot pin the process to one CPU: {error}; allow sched_setaffinity(2)")
        };
        let affinity = Affinity::current().map_err(pinning)?;
        affinity.pin().map_err(pinning)?;
        let locked = Locked::of(S::LOCK, S::PACKAGES);
        let report = Report {
            schema: JOB_SCHEMA,
            side: S::NAME.to_owned(),
            provenance: locked.provenance(S::PACKAGES),
            build: S::BUILD.name().to_owned(),
            packages: locked.packages,
            sources: locked.sources,
            engine: S::engine(),
            arms: arms.iter().map(|&arm| arm.to_owned()).collect(),
            pinned_cpu: Some(affinity.pinned_cpu()),
            configs: BTreeMap::new(),
            checks: Vec::new(),
            genesis: Vec::new(),
        };
        Ok(Self { job, affinity, report, standalone, _dir: dir })
    }

    /// Benchmarks of the job in the order of the catalogue.
    fn benches(&self) -> Vec<&'static Bench> {
        self.job.ids.iter().filter_map(|id| catalogue::bench(id)).collect()
    }

    /// A fresh directory for one environment.
    fn fresh_dir(&self) -> Result<TempDir, AnyError> {
        Ok(TempDir::with_prefix_in("env-", &self.job.db_dir)?)
    }

    /// Compares an environment's settings with what was asked for and keeps them for the report.
    fn keep_config(
        &mut self,
        arm: &str,
        config: &EnvConfig,
        effective: Effective,
    ) -> Result<(), AnyError> {
        if let Some(mismatch) = effective.mismatches(config).first() {
            return Err(
                format!("the environment of arm {arm} is not as configured: {mismatch}").into()
            );
        }
        self.report.configs.insert(arm.to_owned(), effective);
        Ok(())
    }

    /// Compares what an arm read or left with the model.
    fn keep_check(&mut self, bench: &Bench, arm: &str, seen: Observed, expected: &Recorder) {
        let mut difference = seen.records.first_difference(expected);
        if let (Some(commits), Some(advance), None) =
            (seen.commits, seen.txnid_advance, &difference)
        {
            difference = no_op(bench, self.job.scale, commits, advance);
        }
        self.report.checks.push(Check {
            id: bench.id.to_owned(),
            arm: arm.to_owned(),
            verified: difference.is_none() && !expected.is_empty(),
            records: seen.records.len() as u64,
            digest: format!("{:032x}", seen.records.digest()),
            expected: format!("{:032x}", expected.digest()),
            first_difference: difference,
            hit_rate: match seen.look_ups {
                true => Some(seen.records.hits() as f64 / seen.records.len() as f64),
                false => seen.hit_rate,
            },
            commits: seen.commits,
            txnid_advance: seen.txnid_advance,
            used_pages: seen.used_pages,
            syncs: seen.syncs,
        });
    }

    #[cfg(feature = "hotdb")]
    fn keep_genesis(&mut self, check: crate::job::GenesisCheck) {
        self.report.genesis.push(check);
    }

    /// Whether nothing that was verified so far differs from the model.
    fn is_sound(&self) -> bool {
        self.report.checks.iter().all(|check| check.verified)
            && self.report.genesis.iter().all(|check| check.verified)
    }

    /// The first failed check as an error.
    fn into_result(self) -> Result<(), AnyError> {
        match self.report.checks.iter().find(|check| !check.verified) {
            None => match self.report.genesis.iter().find(|check| !check.verified) {
                None => Ok(()),
                Some(check) => Err(format!("{check:?}").into()),
            },
            Some(check) => Err(format!("{check:?}").into()),
        }
    }

    /// Writes the report, or prints it if nobody asked for a file.
    fn finish(self) -> Result<ExitCode, AnyError> {
        if !self.standalone {
            let text = serde_json::to_string(&self.report)?;
            fs::write(&self.job.report, text).map_err(|error| {
                format!("cannot write the report {}: {error}", self.job.report.display())
            })?;
        }
        let failed = self.report.checks.iter().filter(|check| !check.verified).count()
            + self.report.genesis.iter().filter(|check| !check.verified).count();
        for check in self.report.checks.iter().filter(|check| !check.verified) {
            eprintln!(
                "verification failed: arm {} of {}: {}",
                check.arm,
                check.id,
                check.first_difference.as_deref().unwrap_or("nothing to compare"),
            );
        }
        for check in self.report.genesis.iter().filter(|check| !check.verified) {
            eprintln!(
                "verification failed: arm {}: {} genesis accounts fold to state root {}",
                check.arm, check.accounts, check.state_root,
            );
        }
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// One arm's turn in a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    arm: &'static str,
    /// Whether it is measured only to fill the slot.
    is_filler: bool,
}

/// The arms in this round's order, with fillers up to the number of slots. The order rotates from block
/// to block, by the same steps on both sides, so that every arm comes equally often in each slot.
fn slots(job: &Job, arms: &[&'static str]) -> Vec<Slot> {
    let count = job.slots.max(arms.len());
    let mut slots: Vec<_> = (0..count)
        .map(|i| Slot { arm: arms[i % arms.len()], is_filler: i >= arms.len() })
        .collect();
    // Both rounds of a block alike, since they are compared with each other for the noise floor.
    slots.rotate_left(job.round as usize / 2 % count);
    slots
}

/// Says how `commits` commits that advanced the transaction id by `advance` cannot all have been
/// real ones; `None` if they can.
fn no_op(bench: &Bench, scale: Scale, commits: u64, advance: u64) -> Option<String> {
    let most = commits * bench.max_txnid_per_commit(scale);
    (!(commits..=most).contains(&advance)).then(|| {
        format!(
            "{commits} commits advanced the transaction id by {advance}, not {commits} to {most}"
        )
    })
}

/// What one arm did in a verification.
#[derive(Debug, Default)]
struct Observed {
    records: Recorder,
    /// Whether the records are look-ups, of which a share hits.
    look_ups: bool,
    /// Hit rate of reads that are only part of the records.
    hit_rate: Option<f64>,
    commits: Option<u64>,
    txnid_advance: Option<u64>,
    used_pages: Option<u64>,
    syncs: Option<u64>,
}

/// A bench process whose runner was killed would go on for nobody and keep its databases in memory.
fn end_with_parent() {
    // SAFETY: sets a flag of this process; a failure leaves it as it was, which does no harm.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
}

/// Runs `body` and turns an error into a message and exit code 1.
pub(crate) fn exit(body: impl FnOnce() -> Result<ExitCode, AnyError>) -> ExitCode {
    body().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

fn read_job(path: &Path) -> Result<Job, AnyError> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read the job {}: {error}", path.display()))?;
    let job: Job = serde_json::from_str(&text)
        .map_err(|error| format!("the job {} is malformed: {error}", path.display()))?;
    if job.schema != JOB_SCHEMA {
        let found = job.schema;
        return Err(format!(
            "the job {} has schema {found}, this binary wants {JOB_SCHEMA}: rebuild both",
            path.display()
        )
        .into());
    }
    Ok(job)
}

/// A benchmark of another build would get a figure that its id does not describe.
fn check_build<S: Side>(bench: &Bench) -> Result<(), AnyError> {
    if S::runs(bench) {
        return Ok(());
    }
    Err(format!(
        "{} is measured with the {} build of {}'s binding, and this binary holds the {} build",
        bench.id,
        bench.build.name(),
        S::NAME,
        S::BUILD.name(),
    )
    .into())
}

fn standalone_job(layer: Layer, runs: fn(&Bench) -> bool, dir: &Path) -> Job {
    Job {
        schema: JOB_SCHEMA,
        mode: Mode::Measure,
        scale: Scale::Default,
        round: 0,
        ids: catalogue::of_layer(layer).filter(|b| runs(b)).map(|b| b.id.to_owned()).collect(),
        genesis: false,
        db_dir: dir.to_path_buf(),
        report: PathBuf::new(),
        criterion_dir: PathBuf::new(),
        warm_up_ms: 0,
        measurement_ms: 0,
        slots: 0,
    }
}

/// tmpfs where there is one: on a disk, SafeNoSync with WRITEMAP still calls msync.
fn default_db_root() -> PathBuf {
    let shm = PathBuf::from("/dev/shm");
    if shm.is_dir() { shm } else { env::temp_dir() }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain;

    impl Side for Plain {
        const NAME: &'static str = "reth";
        const PACKAGES: &'static [&'static str] = &[];
        const LOCK: &'static str = "";
        const BUILDS: &'static [Build] = &[Build::Plain];

        fn engine() -> Engine {
            unreachable!()
        }

        fn state_from_outside(_: &Path) -> Result<EnvState, AnyError> {
            unreachable!()
        }
    }

    #[test]
    fn a_benchmark_of_another_build_is_refused() {
        let bench = |id| catalogue::bench(id).expect(id);
        assert!(check_build::<Plain>(bench("B2/get/32B/plain")).is_ok());
        let refused = check_build::<Plain>(bench("B2/get/32B")).expect_err("refused");
        assert_eq!(
            refused.to_string(),
            "B2/get/32B is measured with the node build of reth's binding, and this binary holds \
             the plain build"
        );
        let job = standalone_job(Layer::Bindings, Plain::runs, Path::new(""));
        assert!(job.ids.iter().all(|id| id.ends_with("/plain")) && !job.ids.is_empty());
    }

    #[test]
    fn arms_of_both_sides_come_equally_often_in_each_slot() {
        let order = |arms: &[&'static str], round| {
            let job = standalone_job(Layer::Bindings, |_| true, Path::new(""));
            let job = Job { slots: 3, round, ..job };
            slots(&job, arms)
        };
        let (reth, signet) = (["raw", "reth"], ["raw", "sync", "unsync"]);
        for (arms, arm) in [(reth.as_slice(), "reth"), (&reth, "raw"), (&signet, "unsync")] {
            let mut counts = [0; 3];
            for round in 0..6 {
                let slots = order(arms, round);
                let at = slots.iter().position(|s| s.arm == arm && !s.is_filler);
                counts[at.expect("in each round")] += 1;
            }
            assert_eq!(counts, [2; 3], "{arm}");
        }
        assert_eq!(order(&reth, 0), order(&reth, 1), "both rounds of a block");
        assert_eq!(order(&reth, 0).iter().filter(|s| s.is_filler).count(), 1);
        assert!(order(&signet, 0).iter().all(|s| !s.is_filler));
    }
}
