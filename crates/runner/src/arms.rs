//! Sides, arms, and which pairs of arms are compared.

use crate::source::{Source, Tag};
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

/// One of the two that a run compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Contender {
    /// Whose binary it runs.
    pub side: Side,
    /// Where the binary's stack is built from.
    pub source: Source,
    /// What sets it apart from the other one.
    pub role: Role,
}

/// What sets a contender apart from the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Its side.
    Side,
    /// Its number, 1 or 2: two copies of one binary, between which every difference is noise.
    Copy(u8),
    /// Its source: two builds of one side.
    Build,
}

impl Contender {
    /// The two sides from published crates, the base of a comparison first.
    pub const SIDES: [Self; 2] = Self::sides(Source::Registry, Source::Registry);

    /// The two sides, the base of a comparison first.
    pub const fn sides(reth: Source, signet: Source) -> [Self; 2] {
        [
            Self { side: Side::Reth, source: reth, role: Role::Side },
            Self { side: Side::Signet, source: signet, role: Role::Side },
        ]
    }

    /// A side against itself.
    pub const fn copies(side: Side, source: Source) -> [Self; 2] {
        [Self { side, source, role: Role::Copy(1) }, Self { side, source, role: Role::Copy(2) }]
    }

    /// Two builds of the reth side.
    pub const fn builds([base, other]: [Source; 2]) -> [Self; 2] {
        [
            Self { side: Side::Reth, source: base, role: Role::Build },
            Self { side: Side::Reth, source: other, role: Role::Build },
        ]
    }

    /// Name of one of its arms in a summary: `reth`, `raw@reth`; of a copy `reth#1`, `raw#1`; of a
    /// build `reth@registry`, `raw@registry`.
    pub fn arm(self, arm: &str) -> String {
        match self.role {
            Role::Copy(copy) => format!("{arm}{COPY}{copy}"),
            Role::Build => format!("{arm}{OF}{}", self.source),
            Role::Side if arm == RAW => format!("{RAW}{OF}{}", self.side),
            Role::Side => arm.to_owned(),
        }
    }

    /// Name for files.
    pub fn file_name(self) -> String {
        match self.role {
            Role::Copy(copy) => format!("{}-{copy}", self.side),
            Role::Build => format!("{}-{}", self.side, self.source),
            Role::Side => self.side.name().to_owned(),
        }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.role {
            Role::Copy(copy) => write!(f, "{}{COPY}{copy}", self.side),
            Role::Build => write!(f, "{}{OF}{}", self.side, self.source),
            Role::Side => self.side.fmt(f),
        }
    }
}

/// Stands between an arm and the number of its copy.
const COPY: char = '#';

/// Stands between an arm and whose it is: a side's, or a build's.
const OF: char = '@';

/// The arm of direct calls to the `-sys` crate, which both sides have.
const RAW: &str = "raw";

/// What kind of question a comparison answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// An arm of one contender against one of the other.
    Stacks,
    /// A wrapper against the floor under it, in one process.
    Wrappers,
    /// The two floors. Of one libmdbx they are the control; of two, a comparison of the libraries.
    Control,
}

impl Family {
    /// Of a pair that [`pairs`] makes.
    pub fn of(base: &str, other: &str) -> Self {
        if is_raw(base) && is_raw(other) {
            return Self::Control;
        }
        let same = match (base.split_once(COPY), other.split_once(COPY)) {
            // Only the same arm of the other copy is compared between the two.
            (Some((base, _)), Some((other, _))) => base != other,
            _ => match (build(base), build(other)) {
                (Some(base), Some(other)) => base == other,
                _ => side(base) == side(other),
            },
        };
        if same { Self::Wrappers } else { Self::Stacks }
    }
}

/// Whether an arm, under its name in a summary, is direct calls to libmdbx.
pub fn is_raw(arm: &str) -> bool {
    arm.strip_prefix(RAW).is_some_and(|rest| rest.starts_with([OF, COPY]))
}

/// The build that an arm is of, if its name says so: `registry` of `raw@registry`.
pub fn build(arm: &str) -> Option<&str> {
    let (_, of) = arm.split_once(OF)?;
    Side::ALL.iter().all(|side| side.name() != of).then_some(of)
}

/// Side of an arm under its name in a summary; of `raw` in a self-test the name does not say.
pub fn side(arm: &str) -> Side {
    let own = arm.split_once(OF).map_or(arm, |(_, side)| side);
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

/// Pairs of two builds of a side, or of two copies of one build: each arm of the one with the same arm
/// of the other, `raw` last; of builds also each wrapper with the floor in its own process, as
/// between the sides.
///
/// `arms` are those of the base's report. What only the other one has is not compared.
pub fn pairs_of_one_side([first, second]: [Contender; 2], arms: &[String]) -> Vec<Pair> {
    let mut arms: Vec<_> = arms.iter().collect();
    arms.sort_by_key(|arm| (*arm == RAW, column(arm)));
    let mut out: Vec<_> =
        arms.iter().map(|arm| Pair { base: first.arm(arm), other: second.arm(arm) }).collect();
    if first.role == Role::Build && arms.iter().any(|arm| *arm == RAW) {
        for contender in [first, second] {
            out.extend(
                arms.iter()
                    .filter(|arm| **arm != RAW)
                    .map(|arm| Pair { base: contender.arm(RAW), other: contender.arm(arm) }),
            );
        }
    }
    out
}

/// Position of an arm's column in a table: each floor before its wrappers, then unknown arms.
pub fn column(arm: &str) -> usize {
    const ORDER: [&str; 6] =
        [RAW, "raw@reth", "reth", "raw@signet", "signet-unsync", "signet-sync"];
    if let Some(build) = build(arm) {
        // Those of one build side by side, the builds in the order of their age.
        let known = [Source::Registry.name()].into_iter().chain(Tag::ALL.map(Tag::name));
        let at = known.into_iter().position(|name| name == build).unwrap_or(ORDER.len());
        return 2 * at + usize::from(!is_raw(arm));
    }
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
        let copies = Contender::copies(Side::Signet, Source::Registry);
        let pairs = pairs_of_one_side(copies, &names(&["raw", "signet-sync", "signet-unsync"]));
        assert_eq!(
            text(&pairs),
            ["signet-unsync#1 signet-unsync#2", "signet-sync#1 signet-sync#2", "raw#1 raw#2"]
        );
        let families: Vec<_> = pairs.iter().map(|p| Family::of(&p.base, &p.other)).collect();
        assert_eq!(families, [Family::Stacks, Family::Stacks, Family::Control]);
    }

    #[test]
    fn builds_of_a_side_are_compared_arm_by_arm_and_each_with_its_floor() {
        let builds = Contender::builds([Source::Registry, Source::Tag(Tag::V1)]);
        let pairs = pairs_of_one_side(builds, &names(&["raw", "reth"]));
        assert_eq!(
            text(&pairs),
            [
                "reth@registry reth@v1.11.3",
                "raw@registry raw@v1.11.3",
                "raw@registry reth@registry",
                "raw@v1.11.3 reth@v1.11.3",
            ]
        );
        let families: Vec<_> = pairs.iter().map(|p| Family::of(&p.base, &p.other)).collect();
        assert_eq!(families, [Family::Stacks, Family::Control, Family::Wrappers, Family::Wrappers]);
        let typed = pairs_of_one_side(builds, &names(&["reth"]));
        assert_eq!(text(&typed), ["reth@registry reth@v1.11.3"]);
        assert_eq!(builds.map(Contender::file_name), ["reth-registry", "reth-v1.11.3"]);

        let mut arms = ["reth@v1.11.3", "reth@registry", "raw@v1.11.3", "raw@registry"];
        arms.sort_by_key(|arm| column(arm));
        assert_eq!(arms, ["raw@registry", "reth@registry", "raw@v1.11.3", "reth@v1.11.3"]);
    }

    #[test]
    fn where_a_side_comes_from_does_not_rename_its_arms() {
        let [reth, _] = Contender::sides(Source::Tag(Tag::V2), Source::Registry);
        assert_eq!([reth.arm("raw"), reth.arm("reth")], ["raw@reth", "reth"]);
        assert_eq!((reth.to_string(), reth.file_name()), ("reth".into(), "reth".into()));
        assert_eq!((build("raw@reth"), build("reth@v2.5.1")), (None, Some("v2.5.1")));
    }
}
