//! The order of a run's processes.
//!
//! Only neighbours in time can be compared on a machine that changes its speed from one second to the
//! next, so that a benchmark's processes follow one another at once, in blocks of two rounds: A B B A
//! or B A A B. Within a block steady drift cancels and each contender runs first once. For the noise
//! floor each contender's two processes of a block are compared: those in the middle are neighbours,
//! those at the ends are three places apart, farther than the two of a pair. Between two blocks of a
//! benchmark all others run, so that its rounds are spread over the run.
//!
//! The order of the benchmarks is drawn anew for each block. So is which contender begins, from a deck
//! of equally many starts of each: what recurs on the machine does not meet the same benchmark, or the
//! same side, again and again. The seed is another for each run, so that two runs do not share the
//! effects of one order.

use crate::{
    arms::Contender,
    mode,
    plan::{Plan, PlannedGroup},
};
use bench_shared::{
    catalogue::{Bench, Group},
    summary,
};
use clap::ValueEnum;
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore as _, SeedableRng as _},
};
use std::collections::BTreeMap;

/// Rounds of a block.
const BLOCK: u32 = 2;

/// What one process measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Interleave {
    /// One benchmark: its two processes of a round are the nearest neighbours in time.
    #[default]
    Bench,
    /// All of a group: fewer processes, but other benchmarks' time between the two of a pair.
    Group,
}

/// Which contender begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// In each block one and then the other; which is first is drawn.
    #[default]
    Blocks,
    /// Drawn for each round by itself.
    Random,
}

/// How the rounds of a run follow one another, and how long each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// What one process measures.
    pub interleave: Interleave,
    /// Which contender begins.
    pub order: Order,
    /// Warm-up of each arm of each benchmark in a round, milliseconds.
    pub warm_up_ms: u64,
    /// Measurement of each arm of each benchmark in a round, milliseconds.
    pub measurement_ms: u64,
}

impl Schedule {
    /// As in `summary.json`.
    pub fn describe(&self, seed: u64) -> summary::Schedule {
        summary::Schedule {
            interleave: name(self.interleave),
            order: name(self.order),
            seed: Some(seed),
            warm_up_ms: self.warm_up_ms,
            measurement_ms: self.measurement_ms,
        }
    }
}

/// Name of a value on the command line.
fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Both processes of one round of some benchmarks.
#[derive(Clone, Debug)]
pub struct Step {
    /// Round, from 0.
    pub round: u32,
    /// Group of the benchmarks.
    pub group: &'static Group,
    /// Benchmarks that one process measures.
    pub benches: Vec<&'static Bench>,
    /// Contenders in the order in which they run.
    pub order: [Contender; 2],
}

impl Step {
    /// Block of the round, from 0.
    pub fn block(&self) -> u32 {
        self.round / BLOCK
    }

    /// Ids of [`Self::benches`].
    pub fn ids(&self) -> Vec<String> {
        self.benches.iter().map(|b| b.id.to_owned()).collect()
    }
}

/// Every step of the measurement.
pub fn steps(plan: &Plan, seed: u64) -> Vec<Step> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut steps = Vec::new();
    let mut starts: BTreeMap<&str, Vec<u32>> = units(plan)
        .iter()
        .map(|(_, benches)| (benches[0].id, deck(blocks(plan, benches), &mut rng)))
        .collect();
    for block in 0..plan.rounds.div_ceil(BLOCK) {
        let mut units = units(plan);
        shuffle(&mut units, &mut rng);
        for (group, benches) in units {
            let rounds = taking_part(plan, block, &benches);
            if rounds.is_empty() {
                continue;
            }
            let start = starts.get_mut(benches[0].id).and_then(Vec::pop).unwrap_or_default();
            for (round, benches) in rounds {
                let turn = match plan.schedule.order {
                    Order::Blocks => start + round,
                    Order::Random => rng.next_u32(),
                };
                let [one, other] = plan.contenders;
                let order = if turn.is_multiple_of(2) { [one, other] } else { [other, one] };
                steps.push(Step { round, group, benches, order });
            }
        }
    }
    steps
}

/// Rounds of a block, each with those of `benches` that take part in it, if any does.
fn taking_part(
    plan: &Plan,
    block: u32,
    benches: &[&'static Bench],
) -> Vec<(u32, Vec<&'static Bench>)> {
    let rounds = block * BLOCK..((block + 1) * BLOCK).min(plan.rounds);
    let of = |round| {
        let takes_part = |b: &&&Bench| mode::takes_part(b.cost, round, plan.rounds);
        (round, benches.iter().filter(takes_part).copied().collect::<Vec<_>>())
    };
    rounds.map(of).filter(|(_, benches)| !benches.is_empty()).collect()
}

/// What a process measures: a benchmark, or a group of them.
fn units(plan: &Plan) -> Vec<(&'static Group, Vec<&'static Bench>)> {
    match plan.schedule.interleave {
        Interleave::Bench => {
            let alone = |g: &PlannedGroup| -> Vec<_> {
                g.benches.iter().map(|b| (g.group, vec![*b])).collect()
            };
            plan.groups.iter().flat_map(alone).collect()
        }
        Interleave::Group => plan.parts(),
    }
}

/// Blocks in which any of these benchmarks takes part.
fn blocks(plan: &Plan, benches: &[&'static Bench]) -> u32 {
    let blocks = 0..plan.rounds.div_ceil(BLOCK);
    blocks.filter(|block| !taking_part(plan, *block, benches).is_empty()).count() as u32
}

/// So many starts, 0 and 1 equally often (of an odd number, one more of either), in random order.
fn deck(count: u32, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let extra = rng.next_u32() % 2;
    let mut starts: Vec<u32> = (0..count).map(|i| (i + extra) % 2).collect();
    shuffle(&mut starts, rng);
    starts
}

/// Fisher and Yates' shuffle.
fn shuffle<T>(items: &mut [T], rng: &mut ChaCha8Rng) {
    for i in (1..items.len()).rev() {
        // Multiply and shift maps 32 bits to 0..=i.
        let j = (u64::from(rng.next_u32()) * (i as u64 + 1)) >> 32;
        items.swap(i, j as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arms::Side, cli::RunArgs};
    use bench_shared::catalogue::{BENCHES, Cost};
    use std::collections::BTreeSet;

    fn plan(rounds: u32, interleave: Interleave, order: Order) -> Plan {
        let args = RunArgs { quick: true, rounds: Some(rounds), ..RunArgs::default() };
        let mut plan = Plan::new(&args).expect("valid");
        (plan.schedule.interleave, plan.schedule.order) = (interleave, order);
        plan
    }

    fn blocks(rounds: u32) -> Vec<Step> {
        steps(&plan(rounds, Interleave::Bench, Order::Blocks), 7)
    }

    #[test]
    fn the_first_block_covers_every_benchmark() {
        let steps = blocks(16);
        let first: Vec<_> = steps.iter().filter(|s| s.round == 0).flat_map(Step::ids).collect();
        assert_eq!(first.len(), BENCHES.len());
        assert!(BENCHES.iter().all(|b| first.contains(&b.id.to_owned())));
    }

    #[test]
    fn a_block_is_a_b_b_a_without_anything_between() {
        let steps = blocks(16);
        let mut begins = BTreeMap::<&str, Vec<Side>>::new();
        for pair in steps.chunks(2) {
            let [one, other] = pair else { panic!("a block has two rounds") };
            assert_eq!(one.ids(), other.ids());
            assert_eq!((one.round + 1, one.round % 2), (other.round, 0));
            assert_eq!(one.order, [other.order[1], other.order[0]]);
            begins.entry(one.benches[0].id).or_default().push(one.order[0].side);
        }
        for (id, begins) in &begins {
            let reth = begins.iter().filter(|side| **side == Side::Reth).count();
            assert_eq!(reth * 2, begins.len(), "each side begins half of the blocks of {id}");
        }
        let first: BTreeSet<_> = begins.values().map(|sides| sides[0]).collect();
        assert_eq!(first.len(), 2, "which side begins is drawn");
    }

    #[test]
    fn each_side_starts_half_of_the_rounds_of_each_benchmark() {
        for bench in BENCHES {
            let of = blocks(16);
            let of: Vec<_> = of.iter().filter(|s| s.benches[0].id == bench.id).collect();
            assert_eq!(of.len(), if bench.cost == Cost::Long { 8 } else { 16 });
            let reth = of.iter().filter(|s| s.order[0].side == Side::Reth).count();
            assert_eq!(reth * 2, of.len(), "{}", bench.id);
        }
    }

    #[test]
    fn the_seed_decides_the_order_and_blocks_differ() {
        let plan = plan(4, Interleave::Bench, Order::Blocks);
        let drawn = |seed| -> Vec<_> {
            steps(&plan, seed).iter().map(|s| (s.round, s.ids(), s.order)).collect()
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        let order = |round| -> Vec<_> {
            blocks(4).iter().filter(|s| s.round == round).flat_map(Step::ids).collect()
        };
        assert_ne!(order(0), order(2));
        assert_eq!(order(0), order(1));
    }

    #[test]
    fn a_group_can_share_a_process_and_a_last_block_can_be_short() {
        let plan = plan(3, Interleave::Group, Order::Random);
        let steps = steps(&plan, 7);
        assert_eq!(steps.iter().filter(|s| s.round == 0).count(), plan.parts().len());
        assert_eq!(steps.iter().map(|s| s.round).max(), Some(2));
    }
}
