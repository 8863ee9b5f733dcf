//! Sides, arms, and which pairs of arms are compared.

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

/// One of the two that a run compares: a side, or one of two copies of a side in a self-test, where
/// every difference is noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Contender {
    /// Whose binary it runs.
    pub side: Side,
    /// 1 or 2 in a self-test.
    pub copy: Option<u8>,
}

impl Contender {
    /// The two sides, the base of a comparison first.
    pub const SIDES: [Self; 2] =
        [Self { side: Side::Reth, copy: None }, Self { side: Side::Signet, copy: None }];

    /// A side against itself.
    pub const fn copies(side: Side) -> [Self; 2] {
        [Self { side, copy: Some(1) }, Self { side, copy: Some(2) }]
    }

    /// Name of one of its arms in a summary: `reth`, `raw@reth`, in a self-test `reth#1`, `raw#1`.
    pub fn arm(self, arm: &str) -> String {
        match self.copy {
            Some(copy) => format!("{arm}{COPY}{copy}"),
            None if arm == RAW => format!("{RAW}@{}", self.side),
            None => arm.to_owned(),
        }
    }

    /// Name for files.
    pub fn file_name(self) -> String {
        match self.copy {
            Some(copy) => format!("{}-{copy}", self.side),
            None => self.side.name().to_owned(),
        }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.copy {
            Some(copy) => write!(f, "{}{COPY}{copy}", self.side),
            None => self.side.fmt(f),
        }
    }
}

/// Stands between an arm and the number of its copy.
const COPY: char = '#';

/// The arm of direct calls to the `-sys` crate, which both sides have.
const RAW: &str = "raw";

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
        if is_raw(base) && is_raw(other) {
            // Both sides bundle the same libmdbx, so that these two must read 1.00.
            Self::Control
        } else {
            match (base.split_once(COPY), other.split_once(COPY)) {
                (Some((base, _)), Some((other, _))) if base == other => Self::Stacks,
                (Some(_), Some(_)) => Self::Wrappers,
                _ if side(base) == side(other) => Self::Wrappers,
                _ => Self::Stacks,
            }
        }
    }
}

/// Whether an arm, under its name in a summary, is direct calls to libmdbx.
pub fn is_raw(arm: &str) -> bool {
    arm.strip_prefix(RAW).is_some_and(|rest| rest.starts_with(['@', COPY]))
}

/// Side of an arm under its name in a summary; of `raw` in a self-test the name does not say.
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
    let raws = Contender::SIDES.map(|side| side.arm(RAW));
    if has_raw(reth) && has_raw(signet) {
        out.push(pair(&raws[0], &raws[1]));
    }
    for (raw, own, arms) in [(&raws[0], reth, wrappers(reth)), (&raws[1], signet, others)] {
        if has_raw(own) {
            out.extend(arms.iter().map(|arm| pair(raw, arm)));
        }
    }
    out
}

/// Pairs of a self-test: each arm of the one copy with the same arm of the other, `raw` last, as the
/// control is otherwise.
pub fn pairs_of_copies(side: Side, arms: &[String]) -> Vec<Pair> {
    let [first, second] = Contender::copies(side);
    let mut arms: Vec<_> = arms.iter().collect();
    arms.sort_by_key(|arm| (*arm == RAW, column(arm)));
    arms.into_iter().map(|arm| Pair { base: first.arm(arm), other: second.arm(arm) }).collect()
}

/// Position of an arm's column in a table: each floor before its wrappers, then unknown arms.
pub fn column(arm: &str) -> usize {
    const ORDER: [&str; 6] =
        [RAW, "raw@reth", "reth", "raw@signet", "signet-unsync", "signet-sync"];
    let arm = arm.split(COPY).next().unwrap_or(arm);
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
        let [_, signet] = Contender::SIDES;
        assert_eq!(signet.arm("raw"), "raw@signet");
        assert_eq!(signet.arm("signet-sync"), "signet-sync");
        assert_eq!(["raw@reth", "reth"].map(side), [Side::Reth; 2]);
        assert_eq!(["raw@signet", "signet-sync"].map(side), [Side::Signet; 2]);
    }

    #[test]
    fn copies_of_a_side_are_compared_arm_by_arm() {
        let pairs = pairs_of_copies(Side::Signet, &names(&["raw", "signet-sync", "signet-unsync"]));
        assert_eq!(
            text(&pairs),
            ["signet-unsync#1 signet-unsync#2", "signet-sync#1 signet-sync#2", "raw#1 raw#2"]
        );
        let families: Vec<_> = pairs.iter().map(|p| Family::of(&p.base, &p.other)).collect();
        assert_eq!(families, [Family::Stacks, Family::Stacks, Family::Control]);
    }
}
