//! The rounds measured so far.

use crate::{arms::Contender, criterion::Replicate, schedule::Step};
use bench_shared::summary::Round;
use std::collections::{BTreeMap, BTreeSet};

/// Each round's median by benchmark and arm (under its name in a summary), in the order of the
/// rounds. Only whole pairs of processes get in, so that the arms of a benchmark have equally many.
#[derive(Clone, Debug, Default)]
pub struct Measurements {
    times: BTreeMap<String, BTreeMap<String, Vec<f64>>>,
    rounds: BTreeMap<String, Vec<Round>>,
}

impl Measurements {
    /// Adds the two processes of a step.
    pub fn add_pair(&mut self, step: &Step, pair: [(Contender, Vec<Replicate>); 2]) {
        let round = Round { round: step.round, first: step.order[0].to_string() };
        for id in step.ids() {
            self.rounds.entry(id).or_default().push(round.clone());
        }
        self.add(pair);
    }

    /// Adds the two processes of one round.
    pub fn add(&mut self, pair: [(Contender, Vec<Replicate>); 2]) {
        for (contender, replicates) in pair {
            for Replicate { id, arm, median_ns } in replicates {
                let arm = contender.arm(&arm);
                self.times.entry(id).or_default().entry(arm).or_default().push(median_ns);
            }
        }
    }

    /// Rounds of a benchmark by arm, if it has any.
    pub fn of(&self, id: &str) -> Option<&BTreeMap<String, Vec<f64>>> {
        self.times.get(id)
    }

    /// Numbers and orders of a benchmark's rounds.
    pub fn rounds(&self, id: &str) -> &[Round] {
        self.rounds.get(id).map_or(&[], Vec::as_slice)
    }

    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }
}

/// What is wrong with a process's measurements, if anything: each of `ids` must have been measured
/// on each of `arms` exactly once, and nothing else.
pub fn defect(replicates: &[Replicate], ids: &[String], arms: &[String]) -> Option<String> {
    let mut seen = BTreeSet::new();
    for Replicate { id, arm, .. } in replicates {
        if !ids.contains(id) || !arms.contains(arm) {
            return Some(format!("arm `{arm}` of {id} was measured but not asked for"));
        }
        if !seen.insert((id, arm)) {
            return Some(format!("arm `{arm}` of {id} was measured twice"));
        }
    }
    let missing = ids.iter().flat_map(|id| arms.iter().map(move |arm| (id, arm)));
    missing
        .filter(|key| !seen.contains(key))
        .map(|(id, arm)| format!("arm `{arm}` of {id} was not measured"))
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replicate(id: &str, arm: &str) -> Replicate {
        Replicate { id: id.to_owned(), arm: arm.to_owned(), median_ns: 1.0 }
    }

    #[test]
    fn raw_is_kept_apart_by_side() {
        let [reth, signet] = Contender::SIDES;
        let mut all = Measurements::default();
        all.add([
            (signet, vec![replicate("B1/x", "raw"), replicate("B1/x", "signet-sync")]),
            (reth, vec![replicate("B1/x", "raw")]),
        ]);
        let arms: Vec<_> = all.of("B1/x").expect("measured").keys().cloned().collect();
        assert_eq!(arms, ["raw@reth", "raw@signet", "signet-sync"]);
    }

    #[test]
    fn missing_doubled_and_foreign_measurements_are_named() {
        let (ids, arms) = (["B1/x".to_owned()], ["raw".to_owned(), "reth".to_owned()]);
        let check = |replicates: &[Replicate]| defect(replicates, &ids, &arms);
        let (raw, reth) = (replicate("B1/x", "raw"), replicate("B1/x", "reth"));
        assert_eq!(check(&[raw.clone(), reth.clone()]), None);
        let missing = check(std::slice::from_ref(&raw)).expect("missing");
        assert!(missing.contains("`reth` of B1/x was not measured"), "{missing}");
        assert!(check(&[raw.clone(), raw.clone(), reth.clone()]).expect("twice").contains("twice"));
        let foreign = check(&[raw, reth, replicate("B9/y", "raw")]);
        assert!(foreign.expect("foreign").contains("B9/y"));
    }
}
