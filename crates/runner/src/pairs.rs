//! The comparisons of a summary, by pair of arms.

use crate::arms::Family;
use bench_shared::summary::{Bench, Comparison};

/// Two arms, the base first.
pub type Names<'a> = (&'a str, &'a str);

/// Pairs of these benchmarks in the order in which they first occur.
pub fn all(benches: &[Bench]) -> Vec<Names<'_>> {
    let mut pairs = Vec::new();
    for c in benches.iter().flat_map(|b| &b.comparisons) {
        let pair = (c.base.as_str(), c.other.as_str());
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}

/// Those of them that answer what a run is for: arms of the two stacks, or, in a self-test, of the two
/// copies of one.
pub fn stacks(benches: &[Bench]) -> Vec<Names<'_>> {
    all(benches).into_iter().filter(|pair| between_stacks(*pair)).collect()
}

/// Whether a pair is of the two stacks, rather than a floor and what stands on it, or the control.
pub fn between_stacks((base, other): Names<'_>) -> bool {
    Family::of(base, other) == Family::Stacks
}

/// The comparisons of a pair of arms, in the order of the benchmarks that have one.
pub fn of_pair<'b>(benches: &'b [Bench], pair: Names<'_>) -> impl Iterator<Item = &'b Comparison> {
    benches.iter().filter_map(move |bench| find(bench, pair))
}

/// The comparison of a pair of arms.
pub fn find<'a>(bench: &'a Bench, (base, other): Names<'_>) -> Option<&'a Comparison> {
    bench.comparisons.iter().find(|c| c.base == base && c.other == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn stacks_are_told_from_floors_and_control() {
        let benches = example::summary().benches;
        assert_eq!(all(&benches).len(), 4);
        assert_eq!(stacks(&benches), [("reth", "signet-unsync")]);
        assert_eq!(of_pair(&benches, ("raw@reth", "reth")).count(), 1);
        let ratio = find(&benches[0], ("reth", "signet-unsync")).expect("compared").ratio;
        assert!((ratio - 1.1).abs() < 1e-9);
        assert!(find(&benches[0], ("reth", "nobody")).is_none());
    }
}
