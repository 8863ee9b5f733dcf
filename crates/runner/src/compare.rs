//! From the measured rounds to the benchmarks of a summary.

use crate::{
    arms::{Family, Pair, column, is_raw},
    measurements::Measurements,
    source::CHECKOUT,
    stats::{
        bootstrap::Bootstrap,
        ln_ratios, median_of, minimum,
        noise_floor::{a_a, floor},
        paired::{Effect, Verdict, verdicts},
    },
};
use bench_shared::{
    catalogue::Bench as Entry,
    job::Check,
    scale::Scale,
    summary::{Arm, Bench, Comparison, Side, Summary},
};
use std::collections::BTreeMap;

/// Outcome of the verification of each benchmark and arm (under its name in a summary).
pub type Checks = BTreeMap<(String, String), Check>;

/// Compares all of `entries` that were measured. `pairs` gives the comparisons for the arms that a
/// benchmark has.
pub fn benches<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    scale: Scale,
    measurements: &Measurements,
    checks: &Checks,
    pairs: impl Fn(&Entry) -> Vec<Pair>,
    settings: Settings,
) -> Vec<Bench> {
    let mut benches = Vec::new();
    let mut all_pairs = Vec::new();
    for entry in entries {
        let Some(rounds) = measurements.of(entry.id) else { continue };
        benches.push(Bench {
            id: entry.id.to_owned(),
            group: entry.group().to_owned(),
            layer: entry.layer().name().to_owned(),
            elements: entry.elements(scale),
            rounds: measurements.rounds(entry.id).to_vec(),
            arms: rounds
                .iter()
                .map(|(arm, ns)| (arm.clone(), summarise(entry, arm, ns, checks)))
                .collect(),
            comparisons: Vec::new(),
        });
        all_pairs.push(pairs(entry));
    }
    let compared = comparisons(&benches, &all_pairs, settings);
    for (bench, comparisons) in benches.iter_mut().zip(compared) {
        bench.comparisons = comparisons;
    }
    benches
}

/// The comparisons of a run once more, from its rounds: by benchmark, in the order of the summary.
pub fn again(summary: &Summary) -> Vec<Vec<Comparison>> {
    let pair = |c: &Comparison| Pair { base: c.base.clone(), other: c.other.clone() };
    let pairs: Vec<Vec<_>> =
        summary.benches.iter().map(|b| b.comparisons.iter().map(pair).collect()).collect();
    let settings = Settings { seed: summary.seed, one_engine: have_one_engine(summary) };
    comparisons(&summary.benches, &pairs, settings)
}

/// What comparisons depend on beside the rounds.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Of the bootstrap.
    pub seed: u64,
    /// Whether all arms run on one libmdbx, so that two `raw` arms are a control: what they differ by
    /// is noise. Of two, the difference is measured like any other.
    pub one_engine: bool,
}

/// Whether all arms of a run are on one libmdbx: see [`Settings::one_engine`].
pub fn have_one_engine(summary: &Summary) -> bool {
    are_one_engine(summary.sides().map(|(_, side)| side))
}

/// Whether all of these contain the same commit of libmdbx, as far as it can be known.
pub fn are_one_engine<'a>(mut sides: impl Iterator<Item = &'a Side>) -> bool {
    let mut first = None;
    sides.all(|side| {
        let commit = &side.engine.commit;
        !may_be_changed(side) && *first.get_or_insert(commit) == commit
    })
}

/// Whether the libmdbx of a side is from a directory whose files need not be those of its commit: who
/// changes mdbx.c there leaves the commit that it reports as it is.
fn may_be_changed(side: &Side) -> bool {
    let is_sys = |name: &str| name.contains("mdbx") && name.ends_with("-sys");
    // What a registry has is what its checksum says.
    let is_published = side.checksums.keys().any(|name| is_sys(name));
    let is_clean = side.source.as_ref().is_some_and(|source| source.dirty == Some(false));
    side.provenance == CHECKOUT && !is_published && !is_clean
}

/// Comparisons of the arms of `benches`, of each those of its `pairs` that were measured.
fn comparisons(benches: &[Bench], pairs: &[Vec<Pair>], settings: Settings) -> Vec<Vec<Comparison>> {
    let mut bootstrap = Bootstrap::new(settings.seed);
    let mut effects = Vec::new();
    let mut all = Vec::new();
    for (bench, pairs) in benches.iter().zip(pairs) {
        let mut of_bench = Vec::new();
        for Pair { base, other } in pairs {
            let family = Family::of(base, other);
            let (Some(base_arm), Some(other_arm)) = (bench.arms.get(base), bench.arms.get(other))
            else {
                continue;
            };
            let (base_ns, other_ns) = (&base_arm.rounds_ns, &other_arm.rounds_ns);
            let effect = Effect::new(base_ns, other_ns, &mut bootstrap);
            let control = match family {
                Family::Stacks if settings.one_engine => control(&bench.arms),
                _ => 0.0,
            };
            let noise_floor = floor([a_a(base_ns), a_a(other_ns), control]);
            of_bench.push(Comparison {
                base: base.clone(),
                other: other.clone(),
                ratio: effect.ln_ratio.exp(),
                ci: effect.interval.map(f64::exp),
                ratio_of_minima: effect.ratio_of_minima,
                noise_floor,
                p_value: Some(effect.p_value),
                verdict: String::new(),
            });
            effects.push((family, effect, noise_floor));
        }
        all.push(of_bench);
    }
    for (comparison, verdict) in all.iter_mut().flatten().zip(by_family(&effects)) {
        comparison.verdict = verdict.name().to_owned();
    }
    all
}

/// Verdicts of a run, corrected within each family. In one mixed family the many wrappers that
/// truly differ from their floor would lift the threshold for all: the rate of false verdicts would
/// still hold over the whole, but the false ones would gather among the comparisons of the stacks,
/// where fewer differences are real and which are what a reader looks at.
fn by_family(effects: &[(Family, Effect, f64)]) -> Vec<Verdict> {
    let mut out = vec![Verdict::None; effects.len()];
    for family in [Family::Stacks, Family::Wrappers, Family::Control] {
        let (places, own): (Vec<usize>, Vec<_>) = effects
            .iter()
            .enumerate()
            .filter(|(_, (f, ..))| *f == family)
            .map(|(i, (_, effect, floor))| (i, (effect.clone(), *floor)))
            .unzip();
        for (place, verdict) in places.into_iter().zip(verdicts(&own)) {
            out[place] = verdict;
        }
    }
    out
}

fn summarise(entry: &Entry, arm: &str, rounds: &[f64], checks: &Checks) -> Arm {
    let check = checks.get(&(entry.id.to_owned(), arm.to_owned()));
    let per_commit = |c: &Check| match (c.txnid_advance, c.commits) {
        (Some(advance), Some(commits)) if commits > 0 => Some(advance as f64 / commits as f64),
        _ => None,
    };
    Arm {
        median_ns: median_of(rounds),
        min_ns: minimum(rounds),
        rounds_ns: rounds.to_vec(),
        verified: check.is_some_and(|c| c.verified),
        txnid_per_commit: check.and_then(per_commit),
        hit_rate: check.and_then(|c| c.hit_rate),
    }
}

/// |ln ratio| of the two floors, which ought to be 0; 0 where there are none. It counts for
/// comparisons of the stacks: not for the control itself, which it would hide, nor for a wrapper
/// against the floor in its own process, on which an offset between binaries cannot act.
fn control(arms: &BTreeMap<String, Arm>) -> f64 {
    let mut raws = arms.iter().filter(|(arm, _)| is_raw(arm)).map(|(_, data)| &data.rounds_ns);
    match (raws.next(), raws.next()) {
        (Some(one), Some(other)) => median_of(&ln_ratios(one, other)).abs(),
        _ => 0.0,
    }
}

/// Whether a comparison has a verdict other than "no measurable difference".
pub fn is_verdict(comparison: &Comparison) -> bool {
    comparison.verdict != Verdict::None.name()
}

/// The arms of some benchmarks in the order of columns.
pub fn columns<'a>(benches: impl Iterator<Item = &'a Bench>) -> Vec<String> {
    let mut arms: Vec<String> = benches.flat_map(|b| b.arms.keys().cloned()).collect();
    arms.sort_by_key(|arm| (column(arm), arm.clone()));
    arms.dedup();
    arms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arms::{Contender, Side},
        criterion::Replicate,
        document::example,
    };
    use bench_shared::catalogue::bench;

    /// Fifteen rounds of B2/get/32B, in which each arm takes its time plus a small wobble.
    fn measured(times: &[(Side, &str, f64)]) -> Measurements {
        let mut all = Measurements::default();
        for round in 0..15 {
            let wobble = 1.0 + 0.001 * f64::from(round * 7 % 5);
            let of = |contender: Contender| {
                let own = times.iter().filter(|(side, ..)| *side == contender.side);
                let replicates = own.map(|(_, arm, ns)| Replicate {
                    id: "B2/get/32B".into(),
                    arm: (*arm).into(),
                    median_ns: ns * wobble,
                });
                (contender, replicates.collect())
            };
            all.add(Contender::SIDES.map(of));
        }
        all
    }

    fn compared(times: &[(Side, &str, f64)]) -> Bench {
        compared_on(times, true)
    }

    fn compared_on(times: &[(Side, &str, f64)], one_engine: bool) -> Bench {
        let arms = |side: Side| -> Vec<String> {
            times.iter().filter(|(s, ..)| *s == side).map(|(_, a, _)| (*a).into()).collect()
        };
        let pairs = |_: &Entry| crate::arms::pairs(&arms(Side::Reth), &arms(Side::Signet));
        let entry = bench("B2/get/32B").expect("an entry");
        let checks = Checks::new();
        let settings = Settings { seed: 1, one_engine };
        benches([entry].into_iter(), Scale::Default, &measured(times), &checks, pairs, settings)
            .remove(0)
    }

    #[test]
    fn a_tenth_is_a_difference_and_nothing_is_none() {
        let bench = compared(&[
            (Side::Reth, "raw", 100.0),
            (Side::Reth, "reth", 110.0),
            (Side::Signet, "raw", 100.0),
            (Side::Signet, "signet-unsync", 100.0),
        ]);
        let verdicts: Vec<_> = bench
            .comparisons
            .iter()
            .map(|c| (c.base.as_str(), c.other.as_str(), c.verdict.as_str()))
            .collect();
        assert_eq!(
            verdicts,
            [
                ("reth", "signet-unsync", "faster"),
                ("raw@reth", "raw@signet", "no measurable difference"),
                ("raw@reth", "reth", "slower"),
                ("raw@signet", "signet-unsync", "no measurable difference"),
            ]
        );
        assert!((bench.comparisons[0].ratio - 1.1).abs() < 1e-9);
        assert_eq!(bench.elements, 1_000);
    }

    #[test]
    fn a_control_that_is_off_raises_the_floors_between_the_stacks() {
        let bench = compared(&[
            (Side::Reth, "raw", 100.0),
            (Side::Reth, "reth", 110.0),
            (Side::Signet, "raw", 120.0),
            (Side::Signet, "signet-unsync", 100.0),
        ]);
        assert_eq!(bench.comparisons[0].verdict, "no measurable difference");
        assert!((bench.comparisons[0].noise_floor - 0.2).abs() < 1e-9);
        let control = &bench.comparisons[1];
        assert_eq!((control.base.as_str(), control.verdict.as_str()), ("raw@reth", "slower"));
        // Within one process it proves nothing.
        for (wrapper, verdict) in [(2, "slower"), (3, "faster")] {
            assert!(bench.comparisons[wrapper].noise_floor < 0.02);
            assert_eq!(bench.comparisons[wrapper].verdict, verdict);
        }
    }

    #[test]
    fn two_libraries_that_differ_raise_no_floor() {
        let times = [
            (Side::Reth, "raw", 100.0),
            (Side::Reth, "reth", 110.0),
            (Side::Signet, "raw", 120.0),
            (Side::Signet, "signet-unsync", 100.0),
        ];
        let bench = compared_on(&times, false);
        assert_eq!(bench.comparisons[0].verdict, "faster");
        assert!(bench.comparisons[0].noise_floor < 0.02);
        assert_eq!(bench.comparisons[1].verdict, "slower", "measured like any other");
    }

    #[test]
    fn the_summary_alone_says_whether_there_is_a_control() {
        let mut summary = example::summary();
        assert!(have_one_engine(&summary));
        for bench in &mut summary.benches {
            let raw = bench.arms.get_mut("raw@signet").expect("an arm");
            raw.rounds_ns.iter_mut().for_each(|ns| *ns *= 1.2);
        }
        assert!(again(&summary)[0][0].noise_floor > 0.15);
        if let Some(reth) = &mut summary.reth {
            reth.engine.commit = "another".into();
        }
        assert!(!have_one_engine(&summary));
        assert!(again(&summary)[0][0].noise_floor < 0.02);
        let fidelity = example::fidelity();
        assert!(have_one_engine(&fidelity));
        assert_eq!(again(&fidelity)[0][0].base, "reth@registry");
    }

    #[test]
    fn a_directory_with_changes_is_no_equal_libmdbx() {
        let mut summary = example::summary();
        let reth = |summary: &mut Summary, dirty| {
            let reth = summary.reth.as_mut().expect("a side");
            reth.provenance = CHECKOUT.into();
            reth.source = Some(bench_shared::summary::Source { dirty, ..Default::default() });
        };
        for (dirty, one) in [(Some(true), false), (None, false), (Some(false), true)] {
            reth(&mut summary, dirty);
            assert_eq!(have_one_engine(&summary), one, "{dirty:?}");
        }
        // Its binding may still be a published one.
        reth(&mut summary, Some(true));
        let reth = summary.reth.as_mut().expect("a side");
        reth.checksums.insert("signet-mdbx-sys".into(), "ab".into());
        assert!(have_one_engine(&summary));
    }

    #[test]
    fn certain_differences_of_wrappers_do_not_carry_a_doubtful_one_of_the_stacks() {
        let mut bootstrap = Bootstrap::new(1);
        let mut effect = |p_value| {
            let sure = Effect::new(&[110.0; 9], &[100.0; 9], &mut bootstrap);
            Effect { p_value, ..sure }
        };
        let mut effects: Vec<_> = (0..40).map(|_| (Family::Wrappers, effect(1e-6), 0.01)).collect();
        effects.extend([0.03, 0.5, 0.5].map(|p| (Family::Stacks, effect(p), 0.01)));
        let mixed: Vec<_> = effects.iter().map(|(_, e, f)| (e.clone(), *f)).collect();
        assert_eq!(verdicts(&mixed)[40], Verdict::Faster, "one family for all would say so");
        let verdicts = by_family(&effects);
        assert!(verdicts[..40].iter().all(|v| *v == Verdict::Faster));
        assert_eq!(verdicts[40..], [Verdict::None; 3]);
    }
}
