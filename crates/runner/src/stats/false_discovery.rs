//! Benjamini and Hochberg, "Controlling the False Discovery Rate" (Journal of the Royal Statistical
//! Society B 57, 1995): a run compares the stacks more than a hundred times, and six of these would be
//! "real" at 5 % each if there were no difference at all.

/// Expected share of false verdicts among the verdicts of a family.
pub const RATE: f64 = 0.05;

/// Which of the hypotheses with these p-values are rejected at [`RATE`].
pub fn discoveries(p_values: &[f64]) -> Vec<bool> {
    let mut sorted = p_values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let threshold = sorted
        .iter()
        .enumerate()
        .rev()
        .find(|(i, p)| **p <= RATE * (i + 1) as f64 / count)
        .map(|(_, p)| *p);
    p_values.iter().map(|p| threshold.is_some_and(|t| *p <= t)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_paper() {
        // Section 3.2 of the paper, fifteen hypotheses: the first four are rejected, where
        // Bonferroni would reject three.
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        let rejected = discoveries(&p);
        assert_eq!(rejected.iter().filter(|r| **r).count(), 4);
        assert!(rejected[..4].iter().all(|r| *r));
    }

    #[test]
    fn a_later_p_value_can_carry_the_earlier_ones() {
        // 0.03 exceeds 0.05 / 2 but 0.04 does not exceed 0.05.
        assert_eq!(discoveries(&[0.04, 0.03]), [true, true]);
        assert_eq!(discoveries(&[0.06, 0.03]), [false, false]);
        assert!(discoveries(&[]).is_empty());
    }
}
