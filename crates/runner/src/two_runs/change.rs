//! What changed between two runs, comparison by comparison.
//!
//! Ratios are compared, not times: both arms of a ratio ran on the same machine in the same minutes,
//! so that what the machine did cancels out of it.

use crate::{
    arms::Family,
    pairs::{Names, find},
    stats::paired::{LEAST_ROUNDS, Verdict},
};
use bench_shared::summary::{Bench, Comparison, Summary};

/// One comparison in both runs.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The benchmark in the first run.
    pub bench_a: &'a Bench,
    /// The benchmark in the second run.
    pub bench_b: &'a Bench,
    /// The comparison in the first run.
    pub a: &'a Comparison,
    /// The comparison in the second run.
    pub b: &'a Comparison,
}

/// What became of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Between `faster` and `slower`.
    Flipped,
    /// There was none in the first run.
    Gained,
    /// There is none in the second run.
    Lost,
    /// The same in both.
    Same,
}

impl Change<'_> {
    /// Ratio of the second run divided by that of the first: above 1 the other arm gained on its base.
    pub fn factor(&self) -> f64 {
        self.b.ratio / self.a.ratio
    }

    /// Whether the ratio changed by more than both runs' noise explains, and enough rounds say so.
    ///
    /// The change must exceed the *sum* of the floors, since one ratio may be off upwards and the
    /// other downwards. A floor is an estimate and no bound: a ratio may be off by more, and no
    /// correction is made for the number of comparisons. That the rule is strict enough all the same
    /// is seen on self-tests, where fewer than one in 200 comparisons changes (`tests/reuse.rs`); a
    /// change of one benchmark alone is worth a second run. The rule also makes every flip
    /// of two verdicts a change, since each of them is beyond its own floor on its own side of 1.
    ///
    /// The 95 % intervals must not overlap either, which is stricter than a test of the difference
    /// at 5 % (Schenker and Gentleman, "On Judging the Significance of Differences by Examining the
    /// Overlap Between Confidence Intervals", 2001); some strictness is due among hundreds of
    /// comparisons.
    pub fn is_beyond_noise(&self) -> bool {
        let floors = self.a.noise_floor.ln_1p() + self.b.noise_floor.ln_1p();
        let apart = self.a.ci[1] < self.b.ci[0] || self.b.ci[1] < self.a.ci[0];
        !self.has_few_rounds() && apart && self.factor().ln().abs() > floors
    }

    /// Whether a run paired too few rounds for a verdict: their interval may be a single point.
    pub fn has_few_rounds(&self) -> bool {
        rounds(self.bench_a, self.a).min(rounds(self.bench_b, self.b)) < LEAST_ROUNDS
    }

    /// What became of the verdict.
    pub fn standing(&self) -> Standing {
        let none = Verdict::None.name();
        match (self.a.verdict.as_str(), self.b.verdict.as_str()) {
            (a, b) if a == b => Standing::Same,
            (a, _) if a == none => Standing::Gained,
            (_, b) if b == none => Standing::Lost,
            _ => Standing::Flipped,
        }
    }

    /// Whether it is worth a reader's attention: changed, or flipped.
    pub fn is_notable(&self) -> bool {
        self.is_beyond_noise() || self.standing() == Standing::Flipped
    }
}

/// Paired rounds of a comparison; 0 if an arm is missing.
fn rounds(bench: &Bench, comparison: &Comparison) -> usize {
    let of = |arm: &String| bench.arms.get(arm).map_or(0, |data| data.rounds_ns.len());
    of(&comparison.base).min(of(&comparison.other))
}

/// Everything that two runs have in common, and what they have not.
#[derive(Clone, Debug, Default)]
pub struct Changes<'a> {
    /// Comparisons in both, flips first, else in the order of the first run.
    pub compared: Vec<Change<'a>>,
    /// Benchmarks, or single comparisons of one, only in the first run.
    pub only_a: Vec<String>,
    /// Benchmarks, or single comparisons of one, only in the second run.
    pub only_b: Vec<String>,
}

impl<'a> Changes<'a> {
    /// Compares two runs.
    pub fn between(a: &'a Summary, b: &'a Summary) -> Self {
        let mut compared = Vec::new();
        for bench_a in &a.benches {
            let Some(bench_b) = bench(b, &bench_a.id) else { continue };
            for a in asked(bench_a) {
                if let Some(b) = find(bench_b, names(a)) {
                    compared.push(Change { bench_a, bench_b, a, b });
                }
            }
        }
        // Stable: the order of the run stays within each part.
        compared.sort_by_key(|change| change.standing() != Standing::Flipped);
        Self { compared, only_a: only_in(a, b), only_b: only_in(b, a) }
    }

    /// How many verdicts had this fate.
    pub fn count(&self, standing: Standing) -> usize {
        self.compared.iter().filter(|change| change.standing() == standing).count()
    }
}

fn bench<'a>(summary: &'a Summary, id: &str) -> Option<&'a Bench> {
    summary.benches.iter().find(|bench| bench.id == id)
}

fn names(c: &Comparison) -> Names<'_> {
    (&c.base, &c.other)
}

/// The comparisons in question: stack against stack, and the control; in a self-test, copy against
/// copy.
fn asked(bench: &Bench) -> impl Iterator<Item = &Comparison> {
    bench.comparisons.iter().filter(|c| Family::of(&c.base, &c.other) != Family::Wrappers)
}

/// Ids that only `a` has, and pairs that only `a` has of an id that both have.
fn only_in(a: &Summary, b: &Summary) -> Vec<String> {
    let mut only = Vec::new();
    for bench_a in &a.benches {
        let Some(bench_b) = bench(b, &bench_a.id) else {
            only.push(bench_a.id.clone());
            continue;
        };
        let pairs = asked(bench_a).filter(|c| find(bench_b, names(c)).is_none());
        only.extend(pairs.map(|c| format!("{} ({} : {})", bench_a.id, c.other, c.base)));
    }
    only
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    /// The example with this ratio and interval of the stacks; its floors are 1 %.
    fn run(ratio: f64, ci: [f64; 2], verdict: Verdict) -> Summary {
        let mut summary = example::summary();
        let stacks = &mut summary.benches[0].comparisons[0];
        (stacks.ratio, stacks.ci, stacks.verdict) = (ratio, ci, verdict.name().to_owned());
        summary
    }

    fn narrow(ratio: f64) -> Summary {
        run(ratio, [ratio * 0.999, ratio * 1.001], Verdict::Faster)
    }

    /// Of the stacks.
    fn is_changed(a: &Summary, b: &Summary) -> bool {
        let (forth, back) = (Changes::between(a, b), Changes::between(b, a));
        let changed = forth.compared[0].is_beyond_noise();
        assert_eq!(changed, back.compared[0].is_beyond_noise(), "the order of runs is no matter");
        changed
    }

    #[test]
    fn a_run_equals_itself() {
        let summary = example::summary();
        let changes = Changes::between(&summary, &summary);
        // The stacks and the control; not the two wrappers.
        assert_eq!(changes.compared.len(), 2);
        assert!(!changes.compared.iter().any(Change::is_notable));
        assert_eq!(changes.count(Standing::Same), 2);
        assert!(changes.only_a.is_empty() && changes.only_b.is_empty());
    }

    #[test]
    fn a_change_is_beyond_the_sum_of_the_floors() {
        assert!(!is_changed(&narrow(1.5), &narrow(1.5 * 1.015)), "beyond each, but not the sum");
        assert!(is_changed(&narrow(1.5), &narrow(1.5 * 1.025)));
        let mut noisy = narrow(1.5 * 1.025);
        noisy.benches[0].comparisons[0].noise_floor = 0.03;
        assert!(!is_changed(&narrow(1.5), &noisy));
    }

    #[test]
    fn intervals_that_overlap_are_no_change() {
        let wide = |ratio| run(ratio, [1.2, 1.8], Verdict::Faster);
        assert!(!is_changed(&wide(1.3), &wide(1.7)));
        assert!(is_changed(&run(1.3, [1.2, 1.4], Verdict::Faster), &narrow(1.7)));
    }

    #[test]
    fn few_rounds_are_no_change() {
        let mut few = narrow(3.0);
        for arm in few.benches[0].arms.values_mut() {
            arm.rounds_ns.truncate(LEAST_ROUNDS - 1);
        }
        assert!(is_changed(&narrow(1.5), &narrow(3.0)));
        assert!(!is_changed(&narrow(1.5), &few));
    }

    #[test]
    fn verdicts_are_gained_lost_and_flipped() {
        use Verdict::{Faster, None, Slower};
        let of = |verdict| run(1.1, [1.1, 1.1], verdict);
        for (a, b, standing) in [
            (Faster, Faster, Standing::Same),
            (None, Slower, Standing::Gained),
            (Faster, None, Standing::Lost),
            (Slower, Faster, Standing::Flipped),
        ] {
            let (a, b) = (of(a), of(b));
            let changes = Changes::between(&a, &b);
            assert_eq!(changes.compared[0].standing(), standing);
        }
    }

    #[test]
    fn the_smallest_flip_is_a_change_and_comes_first() {
        // Each just beyond its floor of 1 % and with an interval that just excludes 1.
        let mut a = run(1.0101, [1.0001, 1.02], Verdict::Faster);
        let mut b = run(1.0 / 1.0101, [0.98, 0.9999], Verdict::Slower);
        assert!(is_changed(&a, &b));
        for summary in [&mut a, &mut b] {
            summary.benches[0].comparisons.swap(0, 1);
        }
        let changes = Changes::between(&a, &b);
        assert_eq!(changes.compared[0].a.other, "signet-unsync");
        assert_eq!(changes.count(Standing::Flipped), 1);
    }

    #[test]
    fn what_only_one_run_has_is_named() {
        let (mut a, mut b) = (example::summary(), example::summary());
        let mut extra = a.benches[0].clone();
        extra.id = "B2/get/4KiB".into();
        a.benches.push(extra);
        b.benches[0].comparisons.remove(1);
        let changes = Changes::between(&a, &b);
        assert_eq!(changes.only_a, ["B2/get/32B (raw@signet : raw@reth)", "B2/get/4KiB"]);
        assert!(changes.only_b.is_empty());
    }

    #[test]
    fn the_copies_of_a_self_test_are_compared() {
        let mut summary = example::summary();
        summary.self_test = Some("reth".into());
        let stacks = &mut summary.benches[0].comparisons[0];
        (stacks.base, stacks.other) = ("reth#1".into(), "reth#2".into());
        // The copies and the control, not the wrappers on their floors.
        assert_eq!(Changes::between(&summary, &summary).compared.len(), 2);
        // Nothing of it is in an ordinary run, although they share a benchmark and the control.
        let ordinary = example::summary();
        assert_eq!(Changes::between(&summary, &ordinary).compared.len(), 1);
    }
}
