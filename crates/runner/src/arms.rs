//! Sides, arms, and which pairs of arms are compared.

use bench_shared::job::Report;
use std::fmt;

/// One stack, in bench binaries of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// `reth-bench`.
    Reth,
    /// `signet-bench`.
    Signet,
}

impl Side {
    /// Both sides, the base of a comparison first.
    pub const ALL: [Self; 2] = [Self::Reth, Self::Signet];

    /// Name in a report and in file names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reth => "reth",
            Self::Signet => "signet",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The arm of direct calls to the `-sys` crate, which both sides have.
const RAW: &str = "raw";

/// Name of an arm in a summary: a side's own, but for `raw`, which exists on both.
pub fn qualified(side: Side, arm: &str) -> String {
    if arm == RAW { format!("{RAW}@{side}") } else { arm.to_owned() }
}

/// The control: both sides bundle the same libmdbx, so that these two must read 1.00.
pub const CONTROL: [&str; 2] = ["raw@reth", "raw@signet"];

/// What kind of question a comparison answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// An arm of one side against one of the other.
    Stacks,
    /// A wrapper against the floor under it, in one process.
    Wrappers,
    /// The two floors.
    Control,
}

impl Family {
    /// Of a pair that [`pairs`] makes.
    pub fn of(base: &str, other: &str) -> Self {
        if [base, other] == CONTROL {
            Self::Control
        } else if side(base) == side(other) {
            Self::Wrappers
        } else {
            Self::Stacks
        }
    }
}

/// Side of an arm under its name in a summary.
pub fn side(arm: &str) -> Side {
    let own = arm.split_once('@').map_or(arm, |(_, side)| side);
    if own.starts_with(Side::Signet.name()) { Side::Signet } else { Side::Reth }
}

/// A pair of arms to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Arm compared against.
    pub base: String,
    /// Arm compared.
    pub other: String,
}

/// Pairs to compare: the arms of one side with those of the other, the control, and each wrapper
/// with the floor under it.
///
/// `reth` and `signet` are the arms of each side's report, in its order.
pub fn pairs(reth: &[String], signet: &[String]) -> Vec<Pair> {
    let wrappers =
        |arms: &[String]| -> Vec<String> { arms.iter().filter(|a| *a != RAW).cloned().collect() };
    let has_raw = |arms: &[String]| arms.iter().any(|a| a == RAW);
    let pair = |base: &str, other: &str| Pair { base: base.to_owned(), other: other.to_owned() };
    // The stack's own default comes first, whatever the order of the report.
    let mut others = wrappers(signet);
    others.sort_by_key(|arm| column(arm));

    let mut out = Vec::new();
    for base in wrappers(reth) {
        out.extend(others.iter().map(|other| pair(&base, other)));
    }
    if has_raw(reth) && has_raw(signet) {
        out.push(pair(CONTROL[0], CONTROL[1]));
    }
    for (side, arms) in [(Side::Reth, wrappers(reth)), (Side::Signet, others)] {
        if has_raw(if side == Side::Reth { reth } else { signet }) {
            out.extend(arms.iter().map(|arm| pair(&qualified(side, RAW), arm)));
        }
    }
    out
}

/// Arms of both sides' reports under the names of a summary.
pub fn all(reports: [&Report; 2]) -> Vec<String> {
    Side::ALL
        .into_iter()
        .zip(reports)
        .flat_map(|(side, report)| report.arms.iter().map(move |arm| qualified(side, arm)))
        .collect()
}

/// Position of an arm's column in a table: each floor before its wrappers, then unknown arms.
pub fn column(arm: &str) -> usize {
    const ORDER: [&str; 5] = ["raw@reth", "reth", "raw@signet", "signet-unsync", "signet-sync"];
    ORDER.iter().position(|known| *known == arm).unwrap_or(ORDER.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arms: &[&str]) -> Vec<String> {
        arms.iter().map(|&a| a.to_owned()).collect()
    }

    fn text(pairs: &[Pair]) -> Vec<String> {
        pairs.iter().map(|p| format!("{} {}", p.base, p.other)).collect()
    }

    #[test]
    fn the_bindings_compare_wrappers_floors_and_the_control() {
        let pairs =
            pairs(&names(&["raw", "reth"]), &names(&["raw", "signet-sync", "signet-unsync"]));
        assert_eq!(
            text(&pairs),
            [
                "reth signet-unsync",
                "reth signet-sync",
                "raw@reth raw@signet",
                "raw@reth reth",
                "raw@signet signet-unsync",
                "raw@signet signet-sync",
            ]
        );
    }

    #[test]
    fn the_typed_layer_has_no_floor() {
        let pairs = pairs(&names(&["reth"]), &names(&["signet-unsync", "signet-sync"]));
        assert_eq!(text(&pairs), ["reth signet-unsync", "reth signet-sync"]);
    }

    #[test]
    fn every_pair_belongs_to_one_family() {
        let pairs = pairs(&names(&["raw", "reth"]), &names(&["raw", "signet-unsync"]));
        let families: Vec<_> = pairs.iter().map(|p| Family::of(&p.base, &p.other)).collect();
        assert_eq!(families, [Family::Stacks, Family::Control, Family::Wrappers, Family::Wrappers]);
    }

    #[test]
    fn only_raw_needs_its_side() {
        assert_eq!(qualified(Side::Signet, "raw"), "raw@signet");
        assert_eq!(qualified(Side::Signet, "signet-sync"), "signet-sync");
        assert_eq!(["raw@reth", "reth"].map(side), [Side::Reth; 2]);
        assert_eq!(["raw@signet", "signet-sync"].map(side), [Side::Signet; 2]);
    }
}
