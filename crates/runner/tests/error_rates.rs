//! What the statistics do on simulated machines, where the true difference is known: how often a
//! verdict is wrong, and how often a difference is found. METHODOLOGY.md quotes the table.

mod support;

use bench_runner::{
    document::markdown::Table,
    mode::{Mode, rounds_of},
    stats::{
        bootstrap::Bootstrap,
        noise_floor::{a_a, floor},
        paired::{Effect, Verdict, verdicts},
    },
};
use bench_shared::catalogue::Cost;
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore as _, SeedableRng as _},
};
use std::fs;

/// True differences, per cent.
const EFFECTS: [u32; 4] = [0, 2, 5, 10];

/// Runs simulated for each row, and comparisons in each: as many as there are between the stacks in a
/// real run, which are corrected for one another.
const RUNS: usize = 3;
const COMPARISONS: usize = 122;

/// One in so many comparisons has the true difference; the others have none. A correction for many
/// comparisons lets the more pass the more there are, so that neither "all" nor "none" tells enough.
const REAL: usize = 4;

/// A machine. The two are the quiet and the noisy end of what the self-tests of METHODOLOGY.md saw.
struct Machine {
    name: &'static str,
    /// Standard deviation of ln(time) from process to process: page placement.
    placement: f64,
    /// Probability per process that something disturbs it, by up to a factor of e.
    disturbed: f64,
    /// Probability per process that the machine changes between its fast and its slow state.
    switch: f64,
}

/// How much slower the slow state is.
const SLOW: f64 = 1.8;

/// Drift over the whole run: the last process takes this much longer than the first.
const DRIFT: f64 = 0.2;

const MACHINES: [Machine; 2] = [
    Machine { name: "quiet", placement: 0.02, disturbed: 0.02, switch: 0.02 },
    Machine { name: "noisy", placement: 0.06, disturbed: 0.05, switch: 0.10 },
];

/// Rounds of two arms in blocks of A B B A or B A A B; `effect` is the true ln(base / other).
fn simulated(rng: &mut ChaCha8Rng, machine: &Machine, rounds: usize, effect: f64) -> [Vec<f64>; 2] {
    let mut slow = false;
    let processes = (2 * rounds) as f64;
    let mut times = [Vec::new(), Vec::new()];
    let mut begins = 0;
    for round in 0..rounds {
        if round.is_multiple_of(2) {
            // Between two blocks of a benchmark all others run, and the machine may be anywhere.
            slow = uniform(rng) < 0.5;
            begins = usize::from(uniform(rng) < 0.5);
        }
        let first = (begins + round) % 2;
        for (i, arm) in [first, 1 - first].into_iter().enumerate() {
            slow ^= uniform(rng) < machine.switch;
            let state = if slow { SLOW.ln() } else { 0.0 };
            let drift = DRIFT * (2 * round + i) as f64 / processes;
            let disturbed = if uniform(rng) < machine.disturbed { uniform(rng) } else { 0.0 };
            let own = if arm == 0 { effect } else { 0.0 };
            let ln = own + state + drift + disturbed + machine.placement * normal(rng);
            times[arm].push(100.0 * ln.exp());
        }
    }
    times
}

fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    f64::from(rng.next_u32()) / 2f64.powi(32)
}

/// Sum of twelve uniforms: normal enough.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| uniform(rng)).sum::<f64>() - 6.0
}

/// What the verdicts of a row were.
#[derive(Default)]
struct Rates {
    /// Comparisons with a true difference, and those of them with the right verdict.
    real: usize,
    found: usize,
    /// Comparisons without one, and those of them with a verdict.
    none: usize,
    false_alarms: usize,
    /// Verdicts of the wrong sign.
    reversed: usize,
}

fn rates(machine: &Machine, rounds: usize, percent: u32) -> Rates {
    let effect = (f64::from(percent) / 100.0).ln_1p();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut bootstrap = Bootstrap::new(1);
    let mut rates = Rates::default();
    for _ in 0..RUNS {
        let is_real = |i: usize| percent > 0 && i.is_multiple_of(REAL);
        let effects: Vec<_> = (0..COMPARISONS)
            .map(|i| {
                let own = if is_real(i) { effect } else { 0.0 };
                let [base, other] = simulated(&mut rng, machine, rounds, own);
                let floor = floor([a_a(&base), a_a(&other)]);
                (Effect::new(&base, &other, &mut bootstrap), floor)
            })
            .collect();
        for (i, verdict) in verdicts(&effects).into_iter().enumerate() {
            if is_real(i) {
                rates.real += 1;
                rates.found += usize::from(verdict == Verdict::Faster);
                rates.reversed += usize::from(verdict == Verdict::Slower);
            } else {
                rates.none += 1;
                rates.false_alarms += usize::from(verdict != Verdict::None);
            }
        }
    }
    rates
}

#[test]
fn error_rates_and_power_are_those_that_the_methodology_states() {
    let long = |mode: Mode| rounds_of(Cost::Long, mode.rounds());
    let [quick, sequential] = Mode::ALL;
    let mut table = Table::new([
        "machine",
        "rounds",
        ">true difference",
        ">found",
        ">false verdicts on equals",
    ]);
    for machine in &MACHINES {
        for (rounds, of) in [
            (long(quick), "long benchmarks of a quick run"),
            (quick.rounds(), "quick run, and long benchmarks of a sequential one"),
            (sequential.rounds(), "sequential run"),
        ] {
            for percent in EFFECTS {
                let rates = rates(machine, rounds as usize, percent);
                let share = |count: usize, of: usize| count as f64 / of as f64;
                let false_share = share(rates.false_alarms, rates.none);
                let case = format!("{}, {rounds} rounds, {percent} %", machine.name);
                assert!(false_share <= 0.05, "{case}: {false_share} of the equals have a verdict");
                assert_eq!(rates.reversed, 0, "{case}: verdicts of the wrong sign");
                let percentage = |share: f64| format!("{:.1} %", 100.0 * share);
                let found = (rates.real > 0).then(|| share(rates.found, rates.real));
                if percent == 10 && rounds == sequential.rounds() {
                    assert!(found.is_some_and(|f| f > 0.9), "{case}: found in {found:?}");
                }
                table.row([
                    machine.name.to_owned(),
                    format!("{rounds}: {of}"),
                    format!("{percent} %"),
                    found.map_or_else(String::new, percentage),
                    percentage(false_share),
                ]);
            }
        }
    }
    assert_eq!(long(sequential), quick.rounds(), "or the table needs another row");
    let table = table.render();
    let text = fs::read_to_string(support::root().join("METHODOLOGY.md")).expect("METHODOLOGY.md");
    assert!(text.contains(&table), "METHODOLOGY.md does not have this table:\n{table}");
}
