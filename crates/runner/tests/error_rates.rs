//! What the statistics do on simulated machines, where the true difference is known: how often a
//! verdict is wrong, and how often a difference is found. METHODOLOGY.md quotes the table.

mod support;

use bench_runner::{
    document::markdown::Table,
    mode::Mode,
    stats::{
        bootstrap::Bootstrap,
        noise_floor::{a_a, floor},
        paired::{Effect, Verdict, verdicts},
    },
};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore as _, SeedableRng as _},
};
use std::fs;

/// True differences, per cent.
const EFFECTS: [u32; 4] = [0, 2, 5, 10];

/// Runs simulated for each row, and comparisons in each: as many as between the stacks of one arm of
/// signet in a real run.
const RUNS: usize = 5;
const COMPARISONS: usize = 60;

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

/// Rounds of two arms in blocks of A B B A; `effect` is the true ln(base / other).
fn simulated(rng: &mut ChaCha8Rng, machine: &Machine, rounds: usize, effect: f64) -> [Vec<f64>; 2] {
    let mut slow = false;
    let processes = (2 * rounds) as f64;
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..rounds {
        let order = if round.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        for (i, arm) in order.into_iter().enumerate() {
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

/// Shares of `faster` and of `slower` among the verdicts.
fn rates(machine: &Machine, rounds: usize, percent: u32) -> (f64, f64) {
    let effect = (f64::from(percent) / 100.0).ln_1p();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut bootstrap = Bootstrap::new(1);
    let mut found = Vec::new();
    for _ in 0..RUNS {
        let effects: Vec<_> = (0..COMPARISONS)
            .map(|_| {
                let [base, other] = simulated(&mut rng, machine, rounds, effect);
                let floor = floor([a_a(&base), a_a(&other)]);
                (Effect::new(&base, &other, &mut bootstrap), floor)
            })
            .collect();
        found.extend(verdicts(&effects));
    }
    let share = |v| found.iter().filter(|f| **f == v).count() as f64 / found.len() as f64;
    (share(Verdict::Faster), share(Verdict::Slower))
}

#[test]
fn error_rates_and_power_are_those_that_the_methodology_states() {
    let mut table = Table::new(["machine", "mode", ">true difference", ">found", ">wrong"]);
    for machine in &MACHINES {
        for mode in Mode::ALL {
            for percent in EFFECTS {
                let (faster, slower) = rates(machine, mode.rounds() as usize, percent);
                let (found, wrong) = match percent {
                    0 => (None, faster + slower),
                    _ => (Some(faster), slower),
                };
                let case = format!("{}, {}, {percent} %", machine.name, mode.name());
                assert!(wrong <= 0.05, "{case}: {wrong} of the verdicts are wrong");
                if percent == 10 {
                    assert!(found.is_some_and(|f| f > 0.6), "{case}: found in {found:?}");
                }
                let percentage = |share: f64| format!("{:.1} %", 100.0 * share);
                table.row([
                    machine.name.to_owned(),
                    format!("{}, {} rounds", mode.name(), mode.rounds()),
                    format!("{percent} %"),
                    found.map_or_else(String::new, percentage),
                    percentage(wrong),
                ]);
            }
        }
    }
    let table = table.render();
    let text = fs::read_to_string(support::root().join("METHODOLOGY.md")).expect("METHODOLOGY.md");
    assert!(text.contains(&table), "METHODOLOGY.md does not have this table:\n{table}");
}
