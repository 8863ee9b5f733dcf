//! Warnings about the machine or the run, each with its remedy.

use crate::{
    arms::Family,
    compare::{self, is_verdict},
    environment::{Environment, Snapshot},
    host,
    plan::Plan,
    stats::{noise_floor, paired::LEAST_ROUNDS},
    units,
};
use bench_shared::{
    scale::Scale,
    summary::{self, Comparison},
};

/// Stolen share of the CPUs' time above which another machine's work is in the figures.
const STEAL: f64 = 0.01;

/// Share of the CPUs' time used by other programs that is more than an idle system's own.
const OTHER_LOAD: f64 = 0.10;

/// About the machine and the command line.
pub fn of_run(
    plan: &Plan,
    environment: &Environment,
    after: &Snapshot,
    host: &summary::Host,
) -> Vec<String> {
    let mut out = Vec::new();
    if plan.scale != Scale::Default {
        out.push(format!(
            "the data are of {} scale: the figures say nothing of the sizes in BENCH_SPEC.md; leave \
             out --scale",
            plan.scale.name()
        ));
    }
    let own = plan.mode.rounds();
    if plan.rounds < own {
        out.push(format!(
            "{} rounds are fewer than the {own} of {} mode: intervals and floors are wider or \
             missing; leave out --rounds",
            plan.rounds,
            plan.mode.name()
        ));
    }
    if !plan.rounds.is_multiple_of(2) {
        out.push(format!(
            "{} is an odd number of rounds, so that one side runs first once more than the other: give \
             --rounds an even number",
            plan.rounds
        ));
    }
    if host.db_fs != "tmpfs" {
        out.push(format!(
            "the databases are on {}, not in memory: writes include the disk's time for msync; name \
             a tmpfs with room with --db-dir, for instance /dev/shm",
            host.db_fs
        ));
    }
    if let Some((_, steal)) = after.shares_since(&environment.before)
        && steal > STEAL
    {
        out.push(format!(
            "{} of the CPU time was stolen by the hypervisor for other machines: run at a quieter \
             hour or on a dedicated host",
            units::percent(steal)
        ));
    }
    // One process runs at a time; what else is busy is not the run's.
    if let Some((busy, _)) = after.shares_since(&environment.before)
        && busy > 1.0 / host.cores as f64 + OTHER_LOAD
    {
        out.push(format!(
            "the CPUs were busy for {} of the run, more than the one process that it runs at a time: \
             stop other programs and run again",
            units::percent(busy)
        ));
    }
    if let Some(load) = environment.other_load
        && load > OTHER_LOAD
    {
        out.push(format!(
            "other programs used {} of the CPU time just before the run: stop them and run again",
            units::percent(load)
        ));
    }
    if let Some(governor) = host::governor()
        && governor != "performance"
    {
        out.push(format!(
            "the CPU frequency governor is `{governor}`: clock speed changes with load; set it with \
             `sudo cpupower frequency-set -g performance`"
        ));
    }
    match &environment.git {
        None => out.push(
            "the suite is in no git repository, so that its version is unknown: run from a clone"
                .to_owned(),
        ),
        Some(git) => out.extend(git.changed.as_ref().map(|changed| {
            format!("the suite's tree differs from its commit ({changed}): commit or undo first")
        })),
    }
    out
}

/// About the figures.
pub fn of_figures(summary: &summary::Summary) -> Vec<String> {
    let benches = summary.benches.as_slice();
    let has_control = compare::have_one_engine(summary);
    let mut out = Vec::new();
    let few = |b: &summary::Bench| b.arms.values().any(|a| a.rounds_ns.len() < LEAST_ROUNDS);
    list(&mut out, benches, few, |ids| {
        format!(
            "fewer than {LEAST_ROUNDS} rounds, too few for a verdict: {ids}; run --sequential, or \
             more --rounds"
        )
    });
    let off = |b: &summary::Bench| {
        let control = |c: &&Comparison| Family::of(&c.base, &c.other) == Family::Control;
        let off = |c: &Comparison| is_verdict(c) || c.ratio.ln().abs() > noise_floor::HIGH.ln_1p();
        has_control && b.comparisons.iter().find(control).is_some_and(off)
    };
    list(&mut out, benches, off, |ids| {
        format!(
            "the control is off, the two `raw` arms differ (verdict, or more than {}) although they run \
             the same C code: {ids}; differences of this size there are the build's or the machine's, \
             so run again before believing one",
            units::percent(noise_floor::HIGH)
        )
    });
    let noisy =
        |b: &summary::Bench| b.comparisons.iter().any(|c| c.noise_floor > noise_floor::HIGH);
    list(&mut out, benches, noisy, |ids| {
        format!(
            "noise floor above {}: {ids}; run again on a quieter machine, or with more --rounds",
            units::percent(noise_floor::HIGH)
        )
    });
    out
}

fn list(
    out: &mut Vec<String>,
    benches: &[summary::Bench],
    concerns: impl Fn(&summary::Bench) -> bool,
    text: impl FnOnce(&str) -> String,
) {
    let ids: Vec<&str> = benches.iter().filter(|b| concerns(b)).map(|b| b.id.as_str()).collect();
    if ids.len() == benches.len() && ids.len() > 1 {
        out.push(text("every benchmark"));
    } else if !ids.is_empty() {
        out.push(text(&ids.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::RunArgs, document::example};

    #[test]
    fn a_short_run_on_a_disk_is_warned_of_with_remedies() {
        let args = RunArgs { rounds: Some(2), ..RunArgs::default() };
        let plan = Plan::new(&args).expect("valid");
        let snapshot = Snapshot { load: None, memory_available: None, ticks: None };
        let environment = Environment { before: snapshot, other_load: Some(0.5), git: None };
        let mut host = example::summary().host;
        host.db_fs = "ext4".into();
        let text = of_run(&plan, &environment, &snapshot, &host).join("\n");
        for remedy in ["--rounds", "--db-dir", "stop them", "clone"] {
            assert!(text.contains(remedy), "{remedy} is not in {text}");
        }
    }

    #[test]
    fn figures_that_say_little_are_named() {
        let mut summary = example::summary();
        assert_eq!(of_figures(&summary), Vec::<String>::new());
        summary.benches[0].comparisons[0].noise_floor = 0.2;
        for arm in summary.benches[0].arms.values_mut() {
            arm.rounds_ns.truncate(5);
        }
        let warnings = of_figures(&summary);
        assert_eq!(warnings.len(), 2);
        assert!(warnings.iter().all(|w| w.contains(&summary.benches[0].id)), "{warnings:?}");
    }
}
