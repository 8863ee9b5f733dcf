//! The outcome of a self-test: a side compared with itself, so that every verdict is a false one.

use crate::{compare::is_verdict, stats::median, units::percent};
use anyhow::{Result, bail};
use bench_shared::summary::{Comparison, Summary};

/// What the noise alone did in a run of a side against itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors {
    /// Comparisons, all of them of equals.
    pub comparisons: usize,
    /// Verdicts, all of them false: benchmark, arm and ratio.
    pub verdicts: Vec<(String, String, f64)>,
    /// Median of |ratio - 1|, as a fraction.
    pub median: f64,
    /// Nine tenths of the comparisons are less than this off.
    pub ninth_decile: f64,
    /// Largest |ratio - 1|.
    pub largest: f64,
    /// Median half-width of the intervals.
    pub interval: f64,
    /// Median noise floor.
    pub floor: f64,
}

/// Errors of a self-test; `None` of any other run.
pub fn errors(summary: &Summary) -> Option<Errors> {
    summary.self_test.as_ref()?;
    let all = || {
        summary.benches.iter().flat_map(|b| b.comparisons.iter().map(move |c| (b.id.as_str(), c)))
    };
    let of = |value: fn(&Comparison) -> f64| -> Vec<f64> { all().map(|(_, c)| value(c)).collect() };
    let mut off = of(|c| c.ratio.ln().abs().exp_m1());
    off.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let rank = (share * off.len() as f64).ceil() as usize;
        off.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
    };
    Some(Errors {
        comparisons: off.len(),
        verdicts: all()
            .filter(|(_, c)| is_verdict(c))
            .map(|(id, c)| (id.to_owned(), c.base.clone(), c.ratio))
            .collect(),
        median: median(&mut off.clone()),
        ninth_decile: at(0.9),
        largest: at(1.0),
        interval: median(&mut of(|c| ((c.ci[1] / c.ci[0]).ln() / 2.0).exp_m1())),
        floor: median(&mut of(|c| c.noise_floor)),
    })
}

/// Fails if equal arms got a verdict.
///
/// # Errors
/// Says how many.
pub fn require_none(errors: &Errors) -> Result<()> {
    if errors.verdicts.is_empty() {
        return Ok(());
    }
    bail!(
        "the self-test gave {} verdicts on equal arms; the machine is too noisy for this schedule, or \
         the suite is at fault",
        errors.verdicts.len()
    )
}

/// The last lines of a self-test.
pub fn render(summary: &Summary, errors: &Errors) -> String {
    let side = summary.self_test.as_deref().unwrap_or_default();
    let mut out = format!(
        "Self-test, {side} against itself: {} verdicts in {} comparisons, none expected. Ratios are off \
         by {} (median), {} (largest); half-width of the intervals {}, noise floor {} (medians).\n",
        errors.verdicts.len(),
        errors.comparisons,
        percent(errors.median),
        percent(errors.largest),
        percent(errors.interval),
        percent(errors.floor),
    );
    for (id, arm, ratio) in &errors.verdicts {
        out.push_str(&format!("  false verdict: {id}, {arm}, ratio {ratio:.3}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn verdicts_of_a_self_test_are_counted_and_named() {
        let mut summary = example::summary();
        assert_eq!(errors(&summary), None);
        summary.self_test = Some("reth".into());
        let errors = errors(&summary).expect("a self-test");
        assert_eq!(errors.comparisons, 4);
        // The example's arms are not equal: two verdicts, by a tenth.
        assert_eq!(errors.verdicts.len(), 2);
        assert!((errors.largest - 0.1).abs() < 1e-6, "{errors:?}");
        let failure = require_none(&errors).expect_err("verdicts").to_string();
        assert!(failure.contains("2 verdicts on equal arms"), "{failure}");
        require_none(&Errors { verdicts: Vec::new(), ..errors.clone() }).expect("none");
        let text = render(&summary, &errors);
        assert!(text.contains("2 verdicts in 4 comparisons"), "{text}");
        assert!(text.contains("false verdict: B2/get/32B, reth, ratio 1.100"), "{text}");
    }
}
