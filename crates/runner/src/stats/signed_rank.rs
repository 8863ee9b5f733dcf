//! Wilcoxon's signed-rank test ("Individual Comparisons by Ranking Methods", Biometrics Bulletin
//! 1, 1945), which gives each comparison the p-value that the control of false discoveries needs.
//!
//! It fits the design: if the two arms are equal, which of the two processes of a round got which
//! arm is arbitrary, so that each round's ln ratio is as likely to be `d` as `-d`, and that symmetry
//! is all the test assumes. The sign test assumes less but has two thirds of the power; a t-test
//! assumes a normal distribution, of which a shared machine's noise is nothing like. The
//! distribution is computed exactly, ties included.

/// Above this many differences the normal approximation replaces the exact distribution, from which
/// it then no longer differs in the third digit.
const EXACT: usize = 100;

/// Two-sided p-value of the hypothesis that `differences` are symmetric about 0. Zeros carry no
/// sign and are left out, as Wilcoxon does; 1 if nothing is left.
pub fn p_value(differences: &[f64]) -> f64 {
    let mut sorted: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    if sorted.is_empty() {
        return 1.0;
    }
    sorted.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let ranks = doubled_ranks(&sorted);
    let total: usize = ranks.iter().sum();
    let positive: usize =
        ranks.iter().zip(&sorted).filter(|(_, d)| **d > 0.0).map(|(r, _)| r).sum();
    let smaller = positive.min(total - positive);
    let tail = if ranks.len() <= EXACT {
        exact_tail(&ranks, smaller)
    } else {
        normal_tail(&ranks, smaller)
    };
    (2.0 * tail).min(1.0)
}

/// Twice the rank of each value by magnitude; equal ones share the mean of their ranks, which
/// doubling keeps whole.
fn doubled_ranks(sorted: &[f64]) -> Vec<usize> {
    let mut ranks = vec![0; sorted.len()];
    let mut start = 0;
    while start < sorted.len() {
        let tied = sorted[start..].iter().take_while(|d| d.abs() == sorted[start].abs()).count();
        // Ranks start + 1 to start + tied; twice their mean is the sum of the two ends.
        ranks[start..start + tied].fill(2 * start + tied + 1);
        start += tied;
    }
    ranks
}

/// P(sum of the positive ranks <= `bound`) over all 2^n assignments of signs.
fn exact_tail(ranks: &[usize], bound: usize) -> f64 {
    // chance[s] is the probability that the ranks so far with a positive sign sum to s.
    let mut chance = vec![0.0; bound + 1];
    chance[0] = 1.0;
    for &rank in ranks {
        for sum in (0..=bound).rev() {
            let with = if sum >= rank { chance[sum - rank] } else { 0.0 };
            chance[sum] = 0.5 * (chance[sum] + with);
        }
    }
    chance.iter().sum()
}

/// The same by the normal distribution, with a correction for continuity.
fn normal_tail(ranks: &[usize], bound: usize) -> f64 {
    let total: f64 = ranks.iter().map(|&r| r as f64).sum();
    let variance: f64 = ranks.iter().map(|&r| (r * r) as f64).sum::<f64>() / 4.0;
    // The sum moves in steps of 2, since ranks are doubled.
    let z = (bound as f64 + 1.0 - total / 2.0) / variance.sqrt();
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// Complementary error function, relative error below 1.2e-7 (Press et al., "Numerical Recipes in
/// C", 2nd edition, section 6.2).
fn erfc(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 10] = [
        0.170_872_77,
        -0.822_152_23,
        1.488_515_87,
        -1.135_203_98,
        0.278_868_07,
        -0.186_288_06,
        0.096_784_18,
        0.374_091_96,
        1.000_023_68,
        -1.265_512_23,
    ];
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    let polynomial = COEFFICIENTS.iter().fold(0.0, |sum, c| sum * t + c);
    let tail = t * (-x * x + polynomial).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn all_of_one_sign_is_two_in_two_to_the_n() {
        close(p_value(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), 2.0 / 64.0, 1e-12);
        close(p_value(&[-0.1, -0.2, -0.3, -0.4, -0.5]), 2.0 / 32.0, 1e-12);
    }

    #[test]
    fn the_textbook_table_of_critical_values() {
        // For n = 10 the two-sided 5 % critical value is 8: P = 0.0488, and 0.0840 at 10.
        let with_negative = |ranks: &[usize]| -> Vec<f64> {
            (1..=10).map(|r| if ranks.contains(&r) { -(r as f64) } else { r as f64 }).collect()
        };
        close(p_value(&with_negative(&[8])), 50.0 / 1024.0, 1e-12);
        close(p_value(&with_negative(&[10])), 86.0 / 1024.0, 1e-12);
        close(p_value(&with_negative(&[3])), 10.0 / 1024.0, 1e-12);
    }

    #[test]
    fn ties_share_their_mean_rank_and_zeros_are_left_out() {
        assert_eq!(doubled_ranks(&[1.0, -2.0, 2.0, 3.0]), [2, 5, 5, 8]);
        // Two equal magnitudes of unlike sign: every assignment is at least as extreme.
        close(p_value(&[1.0, -1.0, 0.0]), 1.0, 1e-12);
        close(p_value(&[0.0; 8]), 1.0, 1e-12);
    }

    #[test]
    fn the_normal_approximation_meets_the_exact_distribution() {
        let ranks: Vec<usize> = (1..=EXACT).map(|r| 2 * r).collect();
        let total: usize = ranks.iter().sum();
        for share in [0.35, 0.4, 0.45] {
            let bound = (total as f64 * share) as usize / 2 * 2;
            close(normal_tail(&ranks, bound), exact_tail(&ranks, bound), 1e-3);
        }
        close(erfc(1.0), 0.157_299_207, 1e-6);
        close(erfc(-1.0), 1.842_700_793, 1e-6);
    }
}
