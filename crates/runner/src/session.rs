//! Starts bench processes one after another, each with a job, a fresh database directory and an
//! empty directory for Criterion, and packs what they leave.

use crate::{
    archive::Archive, arms::Contender, binaries::Binaries, check, criterion, database::Place,
    interrupt::Interrupt, measurements, plan::Plan, process, source::Binary, workspace::create_dir,
};
use anyhow::{Context as _, Result, bail};
use bench_shared::{
    catalogue::{Bench, Build, Group},
    job::{JOB_SCHEMA, Job, Mode, Report},
};
use std::{fs, path::Path};
use tempfile::TempDir;

/// Everything that running a process needs.
pub struct Session<'a> {
    plan: &'a Plan,
    binaries: &'a Binaries,
    interrupt: &'a Interrupt,
    archive: Archive,
    databases: TempDir,
    files: TempDir,
}

/// One process.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// Who runs.
    pub contender: Contender,
    /// Group.
    pub group: &'static Group,
    /// Benchmarks, all of one binary of the contender.
    pub benches: &'a [&'static Bench],
    /// Arms that each process measures, one after another; see [`Job::slots`].
    pub slots: usize,
}

impl Task<'_> {
    /// Ids of the benchmarks.
    fn ids(&self) -> Vec<String> {
        self.benches.iter().map(|bench| bench.id.to_owned()).collect()
    }

    /// The binary that runs; fails if there is nothing to run.
    fn binary(&self) -> Result<Binary> {
        let first = self.benches.first().context("no benchmarks to run")?;
        Ok(Binary::of(self.contender.side, self.contender.source, first))
    }
}

impl<'a> Session<'a> {
    /// Makes the temporary directories.
    pub fn new(
        plan: &'a Plan,
        binaries: &'a Binaries,
        interrupt: &'a Interrupt,
        place: &Place,
        archive: Archive,
    ) -> Result<Self> {
        let (databases, files) = (place.temp_dir()?, place.for_files().temp_dir()?);
        Ok(Self { plan, binaries, interrupt, archive, databases, files })
    }

    /// Verifies; times nothing.
    ///
    /// # Errors
    /// If the process fails or an arm does not match the model: names arm, benchmark and first
    /// difference.
    pub fn verify(&mut self, task: Task<'_>, genesis: bool) -> Result<Report> {
        let context =
            || format!("verification of {} on the {} side failed", task.group.name, task.contender);
        let ids = task.ids();
        self.process(task, Mode::Verify, 0, genesis, |report, _| {
            let defects = check::verification(report, &ids, genesis);
            if !defects.is_empty() {
                bail!("{}", check::message(&defects));
            }
            Ok(())
        })
        .map(|(report, ())| report)
        .with_context(context)
    }

    /// Measures one round.
    ///
    /// # Errors
    /// If the process fails or leaves out an arm or a benchmark.
    pub fn measure(
        &mut self,
        task: Task<'_>,
        round: u32,
    ) -> Result<(Report, Vec<criterion::Replicate>)> {
        let context = || {
            let what = if let [bench] = task.benches { bench.id } else { task.group.name };
            format!("round {} of {what} on the {} side failed", round + 1, task.contender)
        };
        let ids = task.ids();
        self.process(task, Mode::Measure, round, false, |report, criterion_dir| {
            let replicates = criterion::read(criterion_dir)?;
            match measurements::defect(&replicates, &ids, &report.arms) {
                Some(defect) => bail!("{defect}"),
                None => Ok(replicates),
            }
        })
        .with_context(context)
    }

    fn process<T>(
        &mut self,
        task: Task<'_>,
        mode: Mode,
        round: u32,
        genesis: bool,
        read: impl FnOnce(&Report, &Path) -> Result<T>,
    ) -> Result<(Report, T)> {
        let (db_dir, files) = (self.databases.path().join("db"), self.files.path().join("process"));
        let criterion_dir = files.join("criterion");
        create_dir(&db_dir)?;
        create_dir(&criterion_dir)?;
        let job = Job {
            schema: JOB_SCHEMA,
            mode,
            scale: self.plan.scale,
            round,
            ids: task.ids(),
            genesis,
            db_dir: db_dir.clone(),
            report: files.join("report.json"),
            criterion_dir: criterion_dir.clone(),
            slots: task.slots,
            warm_up_ms: self.plan.schedule.warm_up_ms,
            measurement_ms: self.plan.schedule.measurement_ms,
        };
        let job_file = files.join("job.json");
        let text = serde_json::to_vec_pretty(&job).context("cannot encode a job")?;
        fs::write(&job_file, text)
            .with_context(|| format!("cannot write {}", job_file.display()))?;

        let binary = task.binary()?;
        let executable = self.binaries.get(binary)?;
        let output = files.join("output.txt");
        let status = process::run(executable, &job_file, &output, self.interrupt);

        // The benchmarks of a group that need two binaries on one side run in two processes on both.
        let build = match task.benches.first().map(|bench| bench.build) {
            Some(Build::Plain) => "-plain",
            _ => "",
        };
        let name = match mode {
            Mode::Verify => {
                format!("verify-{}{build}", task.contender.file_name())
            }
            Mode::Measure => {
                let process = format!("r{round:02}-{}", task.contender.file_name());
                match task.benches {
                    [bench] => format!("{}/{process}", bench.id.replace('/', "_")),
                    _ => format!("{process}{build}"),
                }
            }
        };
        // What an interrupted or failed process left is worth keeping as well.
        let archived = self.archive.add(task.group.name, &name, &files);
        let status = status?;
        archived?;

        let ended =
            || format!("its process ended with {status}; its output ends:\n{}", tail(&output));
        // A verification that fails is told by its report, which names what differs, whatever the
        // exit code; of any other process that fails the output tells most.
        let readable = status.success() || (mode == Mode::Verify && job.report.exists());
        if !readable {
            bail!("{}", ended());
        }
        let report = read_report(&job.report).with_context(ended)?;
        let defects = check::any(&report, binary);
        if !defects.is_empty() {
            bail!("{}", check::message(&defects));
        }
        let result = read(&report, &criterion_dir)?;
        if !status.success() {
            bail!("{}", ended());
        }
        for dir in [&db_dir, &files] {
            fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
        }
        Ok((report, result))
    }

    /// Writes the ends of the archives and removes the temporary directories.
    pub fn finish(mut self) -> Result<()> {
        self.archive.finish()?;
        for dir in [self.databases, self.files] {
            let path = dir.path().display().to_string();
            dir.close().with_context(|| format!("cannot remove {path}"))?;
        }
        Ok(())
    }
}

fn read_report(file: &Path) -> Result<Report> {
    let text = fs::read(file).with_context(|| format!("no report at {}", file.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("cannot parse {}", file.display()))
}

/// Last lines of what a process printed.
fn tail(output: &Path) -> String {
    const LINES: usize = 20;
    let text = fs::read(output).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    last.iter().map(|line| format!("  | {line}\n")).collect()
}
