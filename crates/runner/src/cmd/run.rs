//! `run`: verify, measure, compare, write.

use super::{list, plan, print};
use crate::{
    archive::Archive,
    arms::{self, Contender, Side},
    binaries::Binaries,
    checkout::{self, Given},
    cli::RunArgs,
    compare,
    criterion::Replicate,
    database::Place,
    environment::{self, Environment, Snapshot},
    exit::{self, Interrupted},
    interrupt::Interrupt,
    measurements::Measurements,
    plan::Plan,
    progress::{self, Progress},
    publish, run_dir,
    schedule::{self, Step},
    self_test::{self, Errors},
    session::{Session, Task},
    source::Source,
    stacks::Stacks,
    stats::bootstrap,
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

/// Runs `run`.
pub fn run(args: &RunArgs) -> Result<()> {
    if args.list {
        let plan = Plan::new(args)?;
        return list::run(&plan.benches().collect::<Vec<_>>());
    }
    if let Some(file) = &args.needs {
        return plan::write_needs(args, file);
    }
    let (plan, given) = plan::check(args)?;
    let root = workspace::root();
    let started = OffsetDateTime::now_utc().truncate_to_second();
    let dir = run_dir::choose(args.out.as_deref(), &root, plan.mode, started)?;
    let binaries = Binaries::read(&args.executables)?;
    binaries.require(&plan)?;
    let mut directories = Vec::new();
    for given in given {
        let workspace = Source::Checkout.workspace(given.side, &root);
        given.checkout.require_one_of_each(&workspace)?;
        let built_from = given.checkout.recorded(&given.dir, &workspace);
        directories.push(Directory { given, built_from });
    }
    let place = Place::choose(args.db_dir.as_deref(), plan.scale)?;
    let interrupt = Interrupt::install()?;
    let environment = Environment::observe(&root);
    workspace::create_dir(&dir)?;

    let order_seed = args.seed.unwrap_or(started.unix_timestamp().unsigned_abs());
    let run = Run { plan, root, directories, dir, place, environment, started, order_seed };
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
        let document = publish::publish(&run.dir, &run.root)?;
        print(&format!("published: {}\n", document.display()))?;
    }
    Ok(())
}

/// A directory that a side is built from.
struct Directory {
    given: Given,
    /// What it was then.
    built_from: summary::Source,
}

struct Run {
    plan: Plan,
    root: PathBuf,
    directories: Vec<Directory>,
    dir: PathBuf,
    place: Place,
    environment: Environment,
    started: OffsetDateTime,
    /// Another for each run, so that two runs do not share the effects of one order.
    order_seed: u64,
}

impl Run {
    fn carry_out(&self, binaries: &Binaries, interrupt: &Interrupt) -> Result<()> {
        let clock = Instant::now();
        let archive = Archive::create(self.dir.join("raw"))?;
        let mut session = Session::new(&self.plan, binaries, interrupt, &self.place, archive)?;
        let steps = schedule::steps(&self.plan, self.order_seed);
        let mut progress = Progress::start(progress::total(&self.plan, &steps));
        let mut stacks = Stacks::default();
        let mut measurements = Measurements::default();

        let ended = self.verify(&mut session, &mut progress, &mut stacks).and_then(|warnings| {
            let ended =
                self.measure(&steps, &mut session, &mut progress, &mut stacks, &mut measurements);
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
        summary.warnings.extend(self.directories.iter().filter_map(|of| {
            let Given { side, dir, checkout } = &of.given;
            checkout::changed(*side, &of.built_from, &checkout.source(dir))
        }));
        let of_figures = warnings::of_figures(&summary);
        summary.warnings.extend(of_figures);
        self.write(&summary, &after)?;
        let errors = self_test::errors(&summary);
        self.tell(&summary, errors.as_ref())?;
        match errors {
            _ if !complete => Err(Interrupted.into()),
            Some(errors) => self_test::require_none(&errors),
            None => Ok(()),
        }
    }

    /// Every arm of every benchmark once, before anything is timed.
    fn verify(
        &self,
        session: &mut Session<'_>,
        progress: &mut Progress,
        stacks: &mut Stacks,
    ) -> Result<Vec<String>> {
        for (group, benches) in self.plan.parts() {
            let layer = group.layer;
            for contender in self.plan.contenders {
                progress.step(format!("verifying {}, {contender}", group.name));
                // Once is enough, and it takes a while.
                let genesis = layer == Layer::HotDb && stacks.arms(contender, layer).is_empty();
                let task = Task { contender, group, benches: &benches, slots: 0 };
                let report = session.verify(task, genesis)?;
                stacks.add(contender, layer, &report)?;
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
        steps: &[Step],
        session: &mut Session<'_>,
        progress: &mut Progress,
        stacks: &mut Stacks,
        measurements: &mut Measurements,
    ) -> Result<bool> {
        for (i, step) in steps.iter().enumerate() {
            match self.measure_pair(session, progress, stacks, step) {
                Ok(pair) => measurements.add_pair(step, pair),
                Err(error) if exit::is_interrupted(&error) && !measurements.is_empty() => {
                    return Ok(false);
                }
                Err(error) => return Err(error),
            }
            if steps.get(i + 1).is_none_or(|next| next.block() != step.block()) {
                progress.milestone(&format!("round {}/{}", step.round + 1, self.plan.rounds));
            }
        }
        Ok(true)
    }

    /// Both processes of a step, one after the other.
    fn measure_pair(
        &self,
        session: &mut Session<'_>,
        progress: &mut Progress,
        stacks: &mut Stacks,
        step: &Step,
    ) -> Result<[(Contender, Vec<Replicate>); 2]> {
        let layer = step.group.layer;
        let slots = self.plan.contenders.map(|c| stacks.arms(c, layer).len());
        let slots = slots.into_iter().max().unwrap_or(0);
        let mut one = |contender| -> Result<(Contender, Vec<Replicate>)> {
            progress.step(progress::step_name(&self.plan, step, contender));
            let task = Task { contender, group: step.group, benches: &step.benches, slots };
            let (report, replicates) = session.measure(task, step.round)?;
            stacks.add(contender, layer, &report)?;
            progress.advance(progress::cost(&self.plan.schedule, step));
            Ok((contender, replicates))
        };
        let [first, second] = step.order;
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
            let [one, other] = self.plan.contenders.map(|c| stacks.arms(c, bench.layer()));
            match self.plan.sides().as_slice() {
                [_] => arms::pairs_of_one_side(self.plan.contenders, one),
                _ => arms::pairs(one, other),
            }
        };
        let described = |contender: Contender| {
            stacks.of(contender).map(|side| self.described(contender, side)).transpose()
        };
        let [one, other] = self.plan.contenders;
        let (reth, signet, fidelity) = match (self.plan.fidelity(), self.plan.self_test()) {
            (Some(names), _) => {
                let [base, other_name] = names.map(|source| source.name().to_owned());
                let builds = [(&base, described(one)?), (&other_name, described(other)?)];
                let builds = builds
                    .into_iter()
                    .filter_map(|(name, side)| Some((name.clone(), side?)))
                    .collect();
                (None, None, Some(summary::Fidelity { base, other: other_name, builds }))
            }
            (None, Some(Side::Signet)) => (None, described(one)?, None),
            (None, Some(Side::Reth)) => (described(one)?, None, None),
            (None, None) => (described(one)?, described(other)?, None),
        };
        let sides = [&reth, &signet].into_iter().flatten();
        let builds = fidelity.iter().flat_map(summary::Fidelity::builds).map(|(_, side)| side);
        let one_engine = compare::are_one_engine(sides.chain(builds));
        let benches = compare::benches(
            self.plan.benches(),
            self.plan.scale,
            measurements,
            &stacks.checks,
            pairs,
            compare::Settings { seed: bootstrap::SEED, one_engine },
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
            schedule: Some(self.plan.schedule.describe(self.order_seed)),
            seed: bootstrap::SEED,
            host: self.environment.host(&self.root, &self.place.fs, stacks.pinned_cpu),
            self_test: self.plan.self_test().map(|side| side.name().to_owned()),
            conditions: Conditions::default(),
            fidelity,
            reth,
            signet,
            config: stacks.config.clone(),
            genesis: stacks.genesis.clone(),
            warnings: Vec::new(),
            benches,
        })
    }

    /// What a contender is, with the checksums of its packages, and the state of its directory.
    fn described(&self, contender: Contender, side: &summary::Side) -> Result<summary::Side> {
        let file = contender.source.workspace(contender.side, &self.root).join("Cargo.lock");
        let lock =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let checksums = environment::checksums(&lock, &side.packages);
        let source = match self.directories.iter().find(|of| of.given.side == contender.side) {
            Some(of) => Some(of.built_from.clone()),
            None => side.source.clone(),
        };
        Ok(summary::Side { checksums, source, ..side.clone() })
    }

    fn write(&self, summary: &Summary, after: &Snapshot) -> Result<()> {
        let environment = self.environment.to_json(after, summary);
        let text = serde_json::to_string_pretty(&environment).context("cannot encode JSON")?;
        workspace::write(&self.dir.join("environment.json"), format!("{text}\n").as_bytes())?;
        store::write(&self.dir, summary)
    }

    fn tell(&self, summary: &Summary, errors: Option<&Errors>) -> Result<()> {
        let mut out = table::render(summary);
        for warning in &summary.warnings {
            out.push_str(&format!("\nwarning: {warning}"));
        }
        if let Some(errors) = errors {
            out.push_str(&format!("\n\n{}", self_test::render(summary, errors)));
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
