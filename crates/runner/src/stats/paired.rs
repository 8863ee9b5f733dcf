//! Two arms, round by round: effect, interval, floor and verdict.

use super::{bootstrap::Bootstrap, false_discovery, ln_ratios, median_of, minimum, signed_rank};

/// Fewest paired rounds for a verdict: with five, even five differences of one sign are as likely as
/// 1 in 16 when there is none, more than the 5 % that a verdict may be wrong.
pub const LEAST_ROUNDS: usize = 6;

/// Said of `other` in comparison with `base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Takes less time.
    Faster,
    /// Takes more time.
    Slower,
    /// The data do not tell.
    None,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 3] = [Self::Faster, Self::Slower, Self::None];

    /// As in `summary.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::None => "no measurable difference",
        }
    }

    /// The verdict of this [`Self::name`].
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }
}

/// What the rounds say about two arms before the noise floor and the other comparisons are heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Median over the rounds of ln(base / other).
    pub ln_ratio: f64,
    /// 95 % interval of [`Self::ln_ratio`].
    pub interval: [f64; 2],
    /// Base's smallest round divided by other's.
    pub ratio_of_minima: f64,
    /// Of the hypothesis that the arms are equal.
    pub p_value: f64,
    /// Paired rounds.
    pub rounds: usize,
}

impl Effect {
    /// Compares two arms' rounds, which are paired by position; times of any one unit.
    pub fn new(base: &[f64], other: &[f64], bootstrap: &mut Bootstrap) -> Self {
        let rounds = base.len().min(other.len());
        let (base, other) = (&base[..rounds], &other[..rounds]);
        let ratios = ln_ratios(base, other);
        Self {
            ln_ratio: median_of(&ratios),
            interval: bootstrap.interval(&ratios),
            ratio_of_minima: minimum(base) / minimum(other),
            p_value: signed_rank::p_value(&ratios),
            rounds,
        }
    }

    /// The verdict, given the noise floor (a fraction) and whether the comparison is among the
    /// discoveries of its family.
    pub fn verdict(&self, floor: f64, discovery: bool) -> Verdict {
        let [low, high] = self.interval;
        let excludes_equality = low > 0.0 || high < 0.0;
        let beyond_floor = self.ln_ratio.abs() > floor.ln_1p();
        if self.rounds < LEAST_ROUNDS || !excludes_equality || !beyond_floor || !discovery {
            Verdict::None
        } else if self.ln_ratio > 0.0 {
            Verdict::Faster
        } else {
            Verdict::Slower
        }
    }
}

/// Verdicts of one family of comparisons: each effect with its floor. Comparisons of too few rounds are no tests, and
/// so do not count among those whose false discoveries are limited.
pub fn verdicts(effects: &[(Effect, f64)]) -> Vec<Verdict> {
    let tested = |effect: &Effect| effect.rounds >= LEAST_ROUNDS;
    let p_values: Vec<f64> =
        effects.iter().filter(|(e, _)| tested(e)).map(|(e, _)| e.p_value).collect();
    let mut discoveries = false_discovery::discoveries(&p_values).into_iter();
    effects
        .iter()
        .map(|(effect, floor)| {
            let discovery = tested(effect) && discoveries.next().unwrap_or(false);
            effect.verdict(*floor, discovery)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(base: &[f64], other: &[f64]) -> Effect {
        Effect::new(base, other, &mut Bootstrap::new(1))
    }

    #[test]
    fn twice_as_fast() {
        let base = [200.0, 202.0, 198.0, 400.0, 204.0, 206.0, 200.0];
        let other = [100.0, 101.0, 99.0, 200.0, 102.0, 103.0, 100.0];
        let effect = effect(&base, &other);
        assert!((effect.ln_ratio.exp() - 2.0).abs() < 1e-12);
        assert!((effect.ratio_of_minima - 2.0).abs() < 1e-12);
        assert!((effect.p_value - 2.0 / 128.0).abs() < 1e-12);
        assert_eq!(verdicts(&[(effect.clone(), 0.01)]), [Verdict::Faster]);
        assert_eq!(effect.verdict(0.01, false), Verdict::None, "not among the discoveries");
        assert_eq!(effect.verdict(1.01, true), Verdict::None, "within the floor");
    }

    #[test]
    fn slower_is_said_of_other() {
        let other: Vec<f64> = (0..8).map(|i| 110.0 + f64::from(i)).collect();
        assert_eq!(verdicts(&[(effect(&[100.0; 8], &other), 0.01)]), [Verdict::Slower]);
    }

    #[test]
    fn five_rounds_are_never_enough() {
        let few = (effect(&[200.0; 5], &[100.0; 5]), 0.01);
        let many = (effect(&[200.0; 9], &[100.0; 9]), 0.01);
        assert_eq!(verdicts(&[few, many]), [Verdict::None, Verdict::Faster]);
    }

    #[test]
    fn an_interval_that_includes_equality_gives_none() {
        let base = [100.0, 120.0, 100.0, 120.0, 100.0, 120.0, 100.0, 120.0];
        let other = [120.0, 100.0, 120.0, 100.0, 120.0, 100.0, 120.0, 100.0];
        assert_eq!(effect(&base, &other).verdict(0.01, true), Verdict::None);
    }
}
