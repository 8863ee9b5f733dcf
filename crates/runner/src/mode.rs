//! The two modes: how many rounds, and how long each is.

use bench_shared::catalogue::Cost;

/// How much time a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Within 12 minutes on two cores.
    Quick,
    /// Within an hour on two cores.
    Sequential,
}

/// Fewest pairs of rounds of a benchmark that is long. The p-value of 8 rounds is 2^-7 at best, which
/// the correction for some hundred comparisons lets pass only if many others are as small; with fewer
/// rounds there would hardly be a verdict.
const LEAST_LONG_PAIRS: u32 = 4;

impl Mode {
    /// Both modes.
    pub const ALL: [Self; 2] = [Self::Quick, Self::Sequential];

    /// Name on the command line, in `summary.json` and of the published directory.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Sequential => "sequential",
        }
    }

    /// Rounds of each side. Noise on a shared machine comes in states that last for seconds, and
    /// page placement is drawn anew by each process: for the same time, many short rounds have a
    /// smaller error than few long ones (METHODOLOGY.md, "Why this schedule"). Even, so that each
    /// side runs first in half of them: an effect of the order of ±d has a median of 0 over an even
    /// number of rounds, but of d over an odd one.
    pub const fn rounds(self) -> u32 {
        match self {
            Self::Quick => 16,
            Self::Sequential => 104,
        }
    }

    /// Warm-up of each arm of each benchmark in one round, milliseconds; one iteration at least.
    /// Enough to fault in and cache the pages that the operation touches, which is all that warms up in
    /// native code.
    pub const fn warm_up_ms(self) -> u64 {
        5
    }

    /// Measurement of each arm of each benchmark in one round, milliseconds; ten samples of one
    /// iteration at least. The two processes of a round are compared, and the shorter they are the
    /// nearer they are in time (METHODOLOGY.md, "Why this schedule"). The modes differ in the number
    /// of rounds alone, so that a writing benchmark is measured at the same age of its database.
    pub const fn measurement_ms(self) -> u64 {
        15
    }
}

/// Of a run of `rounds` rounds, how many a benchmark of this cost takes part in.
pub fn rounds_of(cost: Cost, rounds: u32) -> u32 {
    (0..rounds).filter(|round| takes_part(cost, *round, rounds)).count() as u32
}

/// Whether a benchmark of this cost takes part in this round (from 0). Long ones do in eight rounds, or
/// about a seventh of many, spread evenly from the first, so that one full round covers every benchmark; and in
/// two neighbouring rounds at a time, so that each side runs first in one of them.
pub fn takes_part(cost: Cost, round: u32, rounds: u32) -> bool {
    match cost {
        Cost::Short => true,
        Cost::Long => {
            let pairs = rounds.div_ceil(2);
            let own = rounds.div_ceil(14).max(LEAST_LONG_PAIRS).min(pairs);
            u64::from(round / 2) * u64::from(own) % u64::from(pairs) < u64::from(own)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(rounds: u32) -> Vec<u32> {
        (0..rounds).filter(|r| takes_part(Cost::Long, *r, rounds)).collect()
    }

    #[test]
    fn long_benchmarks_are_spread_evenly_from_the_first_round() {
        assert_eq!(taken(16), [0, 1, 4, 5, 8, 9, 12, 13]);
        assert_eq!(rounds_of(Cost::Long, 104), 16);
        for rounds in 1..=60 {
            let taken = taken(rounds);
            assert_eq!(taken[0], 0);
            let starts: Vec<u32> = taken.iter().copied().filter(|r| r % 2 == 0).collect();
            let gaps: Vec<u32> = starts.windows(2).map(|w| w[1] - w[0]).collect();
            let (least, most) = (gaps.iter().min(), gaps.iter().max());
            assert!(least.zip(most).is_none_or(|(l, m)| m - l <= 2), "{rounds}: {gaps:?}");
        }
    }

    #[test]
    fn each_side_starts_half_of_the_long_rounds() {
        for rounds in 2..=60 {
            let odd = taken(rounds).iter().filter(|r| *r % 2 == 1).count();
            let even = taken(rounds).len() - odd;
            assert!(even - odd <= 1, "{rounds}: {even} and {odd}");
        }
        for mode in Mode::ALL {
            assert!(mode.rounds().is_multiple_of(2));
            assert!(rounds_of(Cost::Long, mode.rounds()).is_multiple_of(2));
        }
    }

    #[test]
    fn the_modes_stay_within_the_limits_of_the_design() {
        let total = |mode: Mode, ms: u64| ms * u64::from(mode.rounds());
        assert!(Mode::Quick.rounds() >= 15 && Mode::Sequential.rounds() >= 40);
        assert!(total(Mode::Quick, Mode::Quick.warm_up_ms()) <= 1_000);
        assert!(total(Mode::Quick, Mode::Quick.measurement_ms()) <= 3_000);
        assert!(total(Mode::Sequential, Mode::Sequential.warm_up_ms()) <= 2_000);
    }
}
