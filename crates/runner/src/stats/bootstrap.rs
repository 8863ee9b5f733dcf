//! Percentile bootstrap of the median (Efron and Tibshirani, "An Introduction to the Bootstrap",
//! 1993, chapter 13): rounds are drawn with replacement, and the interval is where the medians of
//! 95 % of the draws lie. It assumes no distribution, and the noise here has none that has a name.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore as _, SeedableRng as _},
};
use std::collections::BTreeMap;

/// Draws. With 10,000 the ends of a 95 % interval are the 250th values from either end, whose own
/// error is far below the interval's width.
pub const RESAMPLES: usize = 10_000;

/// Seed of the draws of every run, recorded in its summary: a run that is compared again must give the
/// same intervals, and any number does.
pub const SEED: u64 = 24_301;

/// Share of the draws outside the interval.
const ALPHA: f64 = 0.05;

/// Draws of rounds, shared by all comparisons with the same number of rounds.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    seed: u64,
    draws: BTreeMap<usize, Vec<u16>>,
}

impl Bootstrap {
    /// With draws from a generator of this seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed, draws: BTreeMap::new() }
    }

    /// 95 % interval of the median of `values`, lower end first.
    pub fn interval(&mut self, values: &[f64]) -> [f64; 2] {
        let n = values.len();
        if n == 0 {
            return [f64::NAN; 2];
        }
        let seed = self.seed;
        let draws = self.draws.entry(n).or_insert_with(|| draw(n, seed));
        // Counting how often each value was drawn, in ascending order, gives the draw's median
        // without sorting it.
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        let mut medians: Vec<f64> = draws
            .chunks_exact(n)
            .map(|counts| {
                let lower = nth(counts, &order, (n - 1) / 2);
                let upper = nth(counts, &order, n / 2);
                values[lower].midpoint(values[upper])
            })
            .collect();
        medians.sort_by(f64::total_cmp);
        let tail = (ALPHA / 2.0 * RESAMPLES as f64) as usize;
        [medians[tail], medians[RESAMPLES - 1 - tail]]
    }
}

/// For each resample, how often each of `n` rounds was drawn.
fn draw(n: usize, seed: u64) -> Vec<u16> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut counts = vec![0u16; n * RESAMPLES];
    for resample in counts.chunks_exact_mut(n) {
        for _ in 0..n {
            // Multiply and shift maps 32 bits to 0..n; its bias, n / 2^32, is far below 1e-5.
            let index = (u64::from(rng.next_u32()) * n as u64) >> 32;
            resample[index as usize] += 1;
        }
    }
    counts
}

/// Index of the `rank`-th smallest value (from 0) of a draw.
fn nth(counts: &[u16], order: &[usize], rank: usize) -> usize {
    let mut seen = 0;
    for &index in order {
        seen += usize::from(counts[index]);
        if seen > rank {
            return index;
        }
    }
    order[order.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_has_an_interval_of_no_width() {
        assert_eq!(Bootstrap::new(1).interval(&[0.5; 9]), [0.5, 0.5]);
    }

    #[test]
    fn the_ends_are_order_statistics_that_the_binomial_predicts() {
        // The bootstrap distribution of the median of 1..=11 is known exactly: the median of a draw
        // is at most k if at least 6 of 11 are, a binomial tail. P(median <= 2) = 0.0072 and
        // P(median <= 3) = 0.0512, so that the lower 2.5 % point is 3, and the upper one is 9.
        let values: Vec<f64> = (1..=11).map(f64::from).collect();
        assert_eq!(Bootstrap::new(24_301).interval(&values), [3.0, 9.0]);
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let values = [0.01, -0.02, 0.03, 0.0, 0.05, -0.01];
        let interval = Bootstrap::new(7).interval(&values);
        assert_eq!(interval, Bootstrap::new(7).interval(&values));
        assert!(interval[0] >= -0.02 && interval[1] <= 0.05 && interval[0] < interval[1]);
    }
}
