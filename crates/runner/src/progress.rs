//! Progress of a run: a bar on a terminal, plain lines elsewhere. Both go to stderr.

use crate::{
    arms::Contender,
    plan::Plan,
    schedule::{Schedule, Step},
    units,
};
use bench_shared::catalogue::{Bench, Cost};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{IsTerminal as _, Write as _},
    time::{Duration, Instant},
};

/// How often the bar is redrawn while a process runs. Seldom, since each time wakes a CPU.
const TICK: Duration = Duration::from_secs(1);

/// How often a step is told at most where there is no bar.
const TELL: Duration = Duration::from_secs(10);

/// Steps of the bar.
const STEPS: u64 = 1_000;

/// Progress of a run.
pub struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    /// Expected cost of the run and of what is done, in the same arbitrary unit.
    total: f64,
    done: f64,
    step: String,
    /// When the last plain line was written.
    told: Option<Instant>,
}

/// Share of the run after which its pace is known well enough to tell the remaining time.
const KNOWN: f64 = 0.02;

impl Progress {
    /// At the start of a run of this expected cost.
    pub fn start(total: f64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr());
            let template = "{bar:32} {percent:>3} %  {elapsed} elapsed, {msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("━╸─"));
            }
            bar.enable_steady_tick(TICK);
            bar
        });
        Self { bar, started: Instant::now(), total, done: 0.0, step: String::new(), told: None }
    }

    /// What runs now, for instance `round 3/16, B2, signet`.
    pub fn step(&mut self, text: String) {
        self.step = text;
        self.show();
        if self.bar.is_none() && self.due(Instant::now()) {
            self.tell(&self.step.clone());
        }
    }

    /// Whether the last plain line is long enough ago for another.
    fn due(&self, now: Instant) -> bool {
        self.told.is_none_or(|told| now.duration_since(told) >= TELL)
    }

    /// A plain line with the time.
    fn tell(&mut self, text: &str) {
        let elapsed = units::clock(self.started.elapsed().as_secs());
        self.line(&format!("{text}: {elapsed} elapsed, {}", self.remaining()));
        self.told = Some(Instant::now());
    }

    /// A process of this expected cost has ended.
    pub fn advance(&mut self, cost: f64) {
        self.done += cost;
        self.show();
    }

    fn show(&self) {
        if let Some(bar) = &self.bar {
            bar.set_position((STEPS as f64 * self.share()) as u64);
            bar.set_message(format!("{}  {}", self.remaining(), self.step));
        }
    }

    fn share(&self) -> f64 {
        if self.total > 0.0 { (self.done / self.total).min(1.0) } else { 1.0 }
    }

    fn remaining(&self) -> String {
        let share = self.share();
        if share < KNOWN {
            return "remaining time not known yet".to_owned();
        }
        let left = self.started.elapsed().as_secs_f64() * (1.0 - share) / share;
        format!("about {} left", units::clock(left.round() as u64))
    }

    /// A line that stays: above the bar, or by itself.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                // Not `eprintln!`, which panics when stderr is gone.
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        }
    }

    /// A milestone: a plain line with the time where there is no bar.
    pub fn milestone(&mut self, text: &str) {
        if self.bar.is_none() {
            self.tell(text);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Expected cost of one process, roughly in seconds: start-up and filling the databases, then warm-up,
/// samples and Criterion's analysis of each arm, and ten samples of each long operation.
pub fn cost(schedule: &Schedule, step: &Step) -> f64 {
    const START: f64 = 0.08;
    const ANALYSIS: f64 = 0.02;
    const LONG: f64 = 1.5;
    const ARMS: f64 = 2.5;
    let short = (schedule.warm_up_ms + schedule.measurement_ms) as f64 / 1e3 + ANALYSIS;
    let of = |bench: &&Bench| match bench.cost {
        Cost::Long => LONG,
        Cost::Short => short,
    };
    START + ARMS * step.benches.iter().map(of).sum::<f64>()
}

/// Expected cost of a verification process: about as much as starting to measure.
pub const VERIFY_COST: f64 = 2.0;

/// Expected cost of a run.
pub fn total(plan: &Plan, steps: &[Step]) -> f64 {
    let measuring: f64 = steps.iter().map(|step| cost(&plan.schedule, step)).sum();
    2.0 * (measuring + VERIFY_COST * plan.parts().len() as f64)
}

/// Name of a step.
pub fn step_name(plan: &Plan, step: &Step, contender: Contender) -> String {
    let what = match step.benches.as_slice() {
        [bench] => bench.id,
        _ => step.group.name,
    };
    format!("round {}/{}, {what}, {contender}", step.round + 1, plan.rounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::RunArgs, schedule};

    #[test]
    fn the_expected_costs_of_the_processes_add_up_to_the_total() {
        let args = RunArgs { quick: true, ..RunArgs::default() };
        let plan = Plan::new(&args).expect("valid");
        let steps = schedule::steps(&plan, 1);
        let mut progress = Progress::start(total(&plan, &steps));
        for step in &steps {
            for _ in step.order {
                progress.advance(cost(&plan.schedule, step));
            }
        }
        assert!(progress.share() < 1.0);
        for _ in 0..2 * plan.parts().len() {
            progress.advance(VERIFY_COST);
        }
        assert!((progress.share() - 1.0).abs() < 1e-9);
        assert!(progress.remaining().contains("left"));
    }

    #[test]
    fn steps_are_told_every_ten_seconds() {
        let mut progress = Progress::start(1.0);
        let now = Instant::now();
        assert!(progress.due(now), "the first step is told at once");
        progress.told = Some(now);
        assert!(!progress.due(now + TELL / 2) && progress.due(now + TELL));
    }
}
