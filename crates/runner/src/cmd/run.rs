//! `run`: verify, measure, compare, write.

use super::{list, plan, print};
use crate::{
    archive::Archive,
    arms::{self, Side},
    binaries::Binaries,
    cli::RunArgs,
    compare,
    criterion::Replicate,
    database::Place,
    environment::{self, Environment, Snapshot},
    exit::{self, Interrupted},
    interrupt::Interrupt,
    measurements::Measurements,
    plan::{Plan, PlannedGroup},
    progress::{self, Progress},
    publish, run_dir,
    session::{Session, Task},
    stacks::Stacks,
    store, table, units, warnings, workspace,
};
use anyhow::{Context as _, Result};
use bench_shared::{
    catalogue::Layer,
    summary::{self, Conditions, SUMMARY_SCHEMA, Summary},
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// Seed of the bootstrap, recorded in each summary. Any number would do as long as it is always the
/// same: a run that is compared again must give the same intervals.
const SEED: u64 = 24_301;

/// Runs `run`.
pub fn run(args: &RunArgs) -> Result<()> {
    if args.list {
        let plan = Plan::new(args)?;
        return list::run(&plan.benches().collect::<Vec<_>>());
    }
    if let Some(file) = &args.layers {
        return plan::write_layers(args, file);
    }
    let plan = plan::check(args)?;
    let root = workspace::root();
    let started = OffsetDateTime::now_utc().truncate_to_second();
    let dir = run_dir::choose(args.out.as_deref(), &root, plan.mode, started)?;
    let binaries = Binaries::from_messages(&args.executables)?;
    binaries.require(&plan)?;
    let place = Place::choose(args.db_dir.as_deref(), plan.scale)?;
    let interrupt = Interrupt::install()?;
    let environment = Environment::observe(&root);
    workspace::create_dir(&dir)?;

    let run = Run { plan, root, dir, place, environment, started };
    match run.carry_out(&binaries, &interrupt) {
        Ok(()) => {}
        Err(error) => {
            let recorded = if !exit::is_interrupted(&error) {
                run_dir::record_failure(&run.dir, &error)
            } else if run.dir.join(store::FILE).exists() {
                Ok(())
            } else {
                run_dir::record_interruption(&run.dir)
            };
            return Err(exit::and(error, recorded));
        }
    }
    if args.publish {
        let document = publish::publish(&run.dir, &run.root, run.plan.mode)?;
        print(&format!("published: {}\n", document.display()))?;
    }
    Ok(())
}

struct Run {
    plan: Plan,
    root: PathBuf,
    dir: PathBuf,
    place: Place,
    environment: Environment,
    started: OffsetDateTime,
}

impl Run {
    fn carry_out(&self, binaries: &Binaries, interrupt: &Interrupt) -> Result<()> {
        let clock = Instant::now();
        let archive = Archive::create(self.dir.join("raw"))?;
        let mut session = Session::new(&self.plan, binaries, interrupt, &self.place, archive)?;
        let mut progress = Progress::start(progress::total(&self.plan));
        let mut stacks = Stacks::default();
        let mut measurements = Measurements::default();

        let ended = self.verify(&mut session, &mut progress, &mut stacks).and_then(|warnings| {
            let ended = self.measure(&mut session, &mut progress, &mut stacks, &mut measurements);
            Ok((warnings, ended?))
        });
        progress.finish();
        let finished = session.finish();
        let (mut stack_warnings, complete) = match ended {
            Ok(ended) => ended,
            Err(error) => return Err(exit::and(error, finished)),
        };
        finished?;

        let after = Snapshot::take();
        let mut summary = self.summary(&stacks, &measurements, complete, clock)?;
        summary.conditions = self.environment.conditions(&after);
        summary.warnings = warnings::of_run(&self.plan, &self.environment, &after, &summary.host);
        summary.warnings.append(&mut stack_warnings);
        summary.warnings.extend(warnings::of_figures(&summary.benches));
        self.write(&summary, &after)?;
        self.tell(&summary)?;
        if complete { Ok(()) } else { Err(Interrupted.into()) }
    }

    /// Every arm of every benchmark once, before anything is timed.
    fn verify(
        &self,
        session: &mut Session<'_>,
        progress: &mut Progress,
        stacks: &mut Stacks,
    ) -> Result<Vec<String>> {
        for group in &self.plan.groups {
            let ids: Vec<String> = group.benches.iter().map(|b| b.id.to_owned()).collect();
            let layer = group.group.layer;
            for side in Side::ALL {
                progress.step(format!("verifying {}, {side}", group.group.name));
                // Once per side is enough, and it takes a while.
                let genesis = layer == Layer::HotDb && stacks.arms(side, layer).is_empty();
                let task = Task { side, group: group.group, ids: &ids };
                let report = session.verify(task, genesis)?;
                stacks.add(side, layer, &report)?;
                progress.advance(progress::VERIFY_COST);
            }
        }
        let warnings = stacks.comparable()?;
        progress.milestone("every arm verified");
        Ok(warnings)
    }

    /// All rounds; whether all were measured. An interruption counts as an end if both sides of some
    /// group have been measured.
    fn measure(
        &self,
        session: &mut Session<'_>,
        progress: &mut Progress,
        stacks: &mut Stacks,
        measurements: &mut Measurements,
    ) -> Result<bool> {
        let pairs = self.plan.pairs();
        for (i, (round, group)) in pairs.iter().enumerate() {
            match self.measure_pair(session, progress, stacks, *round, group) {
                Ok(pair) => measurements.add_pair(pair),
                Err(error) if exit::is_interrupted(&error) && !measurements.is_empty() => {
                    return Ok(false);
                }
                Err(error) => return Err(error),
            }
            if pairs.get(i + 1).is_none_or(|(next, _)| next != round) {
                progress.milestone(&format!("round {}/{}", round + 1, self.plan.rounds));
            }
        }
        Ok(true)
    }

    /// Both sides of one round and group, one after the other.
    fn measure_pair(
        &self,
        session: &mut Session<'_>,
        progress: &mut Progress,
        stacks: &mut Stacks,
        round: u32,
        group: &PlannedGroup,
    ) -> Result<[(Side, Vec<Replicate>); 2]> {
        let ids = self.plan.ids(group, round);
        let mut one = |side| -> Result<(Side, Vec<Replicate>)> {
            progress.step(progress::step_name(round, &self.plan, group, side));
            let task = Task { side, group: group.group, ids: &ids };
            let (report, replicates) = session.measure(task, round)?;
            stacks.add(side, group.group.layer, &report)?;
            progress.advance(progress::cost(self.plan.mode, &ids));
            Ok((side, replicates))
        };
        let [first, second] = Plan::order(round);
        Ok([one(first)?, one(second)?])
    }

    fn summary(
        &self,
        stacks: &Stacks,
        measurements: &Measurements,
        complete: bool,
        clock: Instant,
    ) -> Result<Summary> {
        let pairs = |bench: &bench_shared::catalogue::Bench| {
            let arms = |side| stacks.arms(side, bench.layer());
            arms::pairs(arms(Side::Reth), arms(Side::Signet))
        };
        let benches = compare::benches(
            self.plan.benches(),
            self.plan.scale,
            measurements,
            &stacks.checks,
            pairs,
            SEED,
        );
        // Fewer than planned after an interruption.
        let arms = benches.iter().flat_map(|b| b.arms.values());
        let rounds = arms.map(|a| a.rounds_ns.len()).max().unwrap_or(0);
        Ok(Summary {
            schema: SUMMARY_SCHEMA,
            mode: self.plan.mode.name().to_owned(),
            scale: self.plan.scale.name().to_owned(),
            filters: self.plan.filters.clone(),
            complete,
            verified: benches.iter().all(|b| b.arms.values().all(|a| a.verified)),
            started: self.started.format(&Rfc3339).context("cannot format the time")?,
            wall_s: clock.elapsed().as_secs_f64(),
            rounds: rounds as u32,
            seed: SEED,
            host: self.environment.host(&self.root, &self.place.fs, stacks.pinned_cpu),
            self_test: None,
            conditions: Conditions::default(),
            reth: Some(self.locked(stacks.side(Side::Reth)?)?),
            signet: Some(self.locked(stacks.side(Side::Signet)?)?),
            config: stacks.config.clone(),
            genesis: stacks.genesis.clone(),
            warnings: Vec::new(),
            benches,
        })
    }

    /// A side with the checksums of its packages.
    fn locked(&self, side: &summary::Side) -> Result<summary::Side> {
        let file = self.root.join("Cargo.lock");
        let lock =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let checksums = environment::checksums(&lock, &side.packages);
        Ok(summary::Side { checksums, ..side.clone() })
    }

    fn write(&self, summary: &Summary, after: &Snapshot) -> Result<()> {
        let environment = self.environment.to_json(after, summary);
        let text = serde_json::to_string_pretty(&environment).context("cannot encode JSON")?;
        workspace::write(&self.dir.join("environment.json"), format!("{text}\n").as_bytes())?;
        store::write(&self.dir, summary)
    }

    fn tell(&self, summary: &Summary) -> Result<()> {
        let mut out = table::render(summary);
        for warning in &summary.warnings {
            out.push_str(&format!("\nwarning: {warning}"));
        }
        let time = units::clock(summary.wall_s.round() as u64);
        let results = display(&self.dir.join(store::FILE));
        out.push_str(&format!("\n\n{} rounds in {time}. Results: {results}\n", summary.rounds));
        print(&out)
    }
}

fn display(path: &Path) -> String {
    path.canonicalize().unwrap_or_else(|_| path.to_owned()).display().to_string()
}
