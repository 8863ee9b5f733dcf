//! The statistics: everything between the rounds of two arms and a verdict.
//!
//! The unit of replication is the process, and the pair of processes of one round is the unit of
//! comparison: Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time" (ISMM 2013), show why
//! neither samples nor iterations within a process can stand in for it.

pub mod bootstrap;
pub mod false_discovery;
pub mod noise_floor;
pub mod paired;
pub mod signed_rank;

/// Median of `values`, which it reorders; `NaN` if there is none.
pub fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.select_nth_unstable_by(values.len() / 2, f64::total_cmp);
    match below.iter().copied().max_by(f64::total_cmp) {
        Some(lower) if !odd => lower.midpoint(upper),
        _ => upper,
    }
}

/// Median of a copy of `values`.
pub fn median_of(values: &[f64]) -> f64 {
    median(&mut values.to_vec())
}

/// Smallest of `values`; infinite if there is none.
pub fn minimum(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Largest of `values`; minus infinity if there is none.
pub fn maximum(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Natural logarithm of base / other in each round: positive where `other` is faster. Ratios are
/// compared as logarithms, so that "twice" and "half" are equally far from "equal".
pub fn ln_ratios(base: &[f64], other: &[f64]) -> Vec<f64> {
    base.iter().zip(other).map(|(base, other)| (base / other).ln()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_by_hand() {
        assert_eq!(median_of(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median_of(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median_of(&[7.0]), 7.0);
        assert_eq!(median_of(&[1.0, 1.0, 9.0, 9.0]), 5.0);
        assert!(median_of(&[]).is_nan());
    }

    #[test]
    fn ratios_are_symmetric_and_positive_where_other_is_faster() {
        let ratios = ln_ratios(&[200.0, 100.0], &[100.0, 200.0]);
        assert!((ratios[0] - std::f64::consts::LN_2).abs() < 1e-12);
        assert!((ratios[0] + ratios[1]).abs() < 1e-12);
    }
}
