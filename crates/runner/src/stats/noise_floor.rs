//! The noise floor: what an arm differs from itself by, below which no difference between two arms
//! is called one.

use super::{ln_ratios, median};

/// Least floor, as an effect. Below 1 % the order in which functions land in a binary decides
/// (Mytkowicz et al., "Producing Wrong Data Without Doing Anything Obviously Wrong!", ASPLOS 2009),
/// and no number of rounds of the same two binaries averages that away.
pub const LEAST: f64 = 0.01;

/// Floor above which a benchmark says little: every table marks it.
pub const HIGH: f64 = 0.10;

/// A/A effect of one arm as |ln ratio|: its even rounds against its odd ones, the two of each block
/// paired. They are neighbours in time or three processes apart, while the two of a comparison are
/// always neighbours, so that this errs upwards. An effect of which side runs first cancels here, as it
/// does in the comparison. 0 below two rounds.
pub fn a_a(rounds: &[f64]) -> f64 {
    let pairs = rounds.chunks_exact(2);
    let (even, odd): (Vec<f64>, Vec<f64>) = pairs.map(|pair| (pair[0], pair[1])).unzip();
    let mut ratios = ln_ratios(&even, &odd);
    if ratios.is_empty() { 0.0 } else { median(&mut ratios).abs() }
}

/// Floor of a comparison as a fraction, from the |ln ratio| of everything that ought to be 0.
pub fn floor(effects: impl IntoIterator<Item = f64>) -> f64 {
    effects.into_iter().map(|ln| ln.abs().exp_m1()).fold(LEAST, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_arm_has_the_least_floor() {
        assert_eq!(floor([a_a(&[100.0; 15]), 0.0]), LEAST);
        assert_eq!(a_a(&[100.0]), 0.0);
        assert_eq!(a_a(&[]), 0.0);
    }

    #[test]
    fn an_arm_that_depends_on_the_order_has_a_high_one() {
        // Odd rounds take 10 % longer than even ones.
        let rounds = [100.0, 110.0, 100.0, 110.0, 100.0, 110.0];
        assert!((floor([a_a(&rounds)]) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn drift_from_pair_to_pair_does_not_count() {
        let rounds = [100.0, 100.0, 200.0, 200.0, 300.0, 300.0];
        assert_eq!(a_a(&rounds), 0.0);
    }
}
