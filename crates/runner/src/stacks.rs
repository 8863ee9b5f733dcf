//! What the two sides are, gathered from the reports of all their processes, and whether they may
//! be compared.

use crate::{
    arms::{self, Contender, Side},
    check,
    compare::Checks,
    environment,
};
use anyhow::{Context as _, Result, bail};
use bench_shared::{
    catalogue::{self, Layer},
    config::Effective,
    job::{Engine, GenesisCheck, Report},
    summary,
};
use std::collections::BTreeMap;

/// Everything gathered.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    sides: BTreeMap<Side, summary::Side>,
    arms: BTreeMap<(Contender, Layer), Vec<String>>,
    /// Effective settings by `layer/arm`.
    pub config: BTreeMap<String, Effective>,
    /// Outcome of each verification.
    pub checks: Checks,
    /// Outcome of the mainnet genesis check of each typed arm.
    pub genesis: Vec<GenesisCheck>,
    /// CPU that the processes pinned themselves to.
    pub pinned_cpu: Option<usize>,
}

/// Where a build comes from if from published crates alone.
const REGISTRY: &str = "registry";

impl Stacks {
    /// Adds the report of a process.
    ///
    /// # Errors
    /// If it contradicts an earlier report of the side.
    pub fn add(&mut self, contender: Contender, layer: Layer, report: &Report) -> Result<()> {
        let side = contender.side;
        self.add_side(side, report).with_context(|| format!("the {side} side, {layer}"))?;
        let arms = self.arms.entry((contender, layer)).or_insert_with(|| report.arms.clone());
        if *arms != report.arms {
            bail!(
                "the {side} side, {layer}: arms {arms:?} in one process, {:?} in another",
                report.arms
            );
        }
        for (arm, effective) in &report.configs {
            let arm = contender.arm(arm);
            let key = format!("{layer}/{arm}");
            let first = self.config.entry(key.clone()).or_insert_with(|| effective.clone());
            if let Some(difference) = first.differences(effective).first() {
                bail!("environment of {key} changed between processes: {difference}");
            }
        }
        for check in &report.checks {
            let key = (check.id.clone(), contender.arm(&check.arm));
            self.checks.insert(key, check.clone());
        }
        self.genesis.extend(report.genesis.iter().cloned());
        self.pinned_cpu = report.pinned_cpu;
        Ok(())
    }

    fn add_side(&mut self, side: Side, report: &Report) -> Result<()> {
        let flags = environment::without_directories(&report.engine.flags);
        let engine = Engine { flags, ..report.engine.clone() };
        let known = self.sides.entry(side).or_insert_with(|| summary::Side {
            provenance: report.provenance.clone(),
            packages: BTreeMap::new(),
            checksums: BTreeMap::new(),
            libmdbx: report.engine.version.clone(),
            engine: engine.clone(),
        });
        if known.provenance != report.provenance {
            bail!("provenance `{}` and `{}`", known.provenance, report.provenance);
        }
        if known.engine != engine {
            bail!("binaries with two libmdbx builds: {:?} and {:?}", known.engine, engine);
        }
        // Each layer's binary names its own crates.
        for (package, version) in &report.packages {
            let known = known.packages.entry(package.clone()).or_insert_with(|| version.clone());
            if known != version {
                bail!("{package} {known} and {version}");
            }
        }
        Ok(())
    }

    /// Arms of a contender's binary, in its own order.
    pub fn arms(&self, contender: Contender, layer: Layer) -> &[String] {
        self.arms.get(&(contender, layer)).map_or(&[], Vec::as_slice)
    }

    /// A side, if it took part.
    pub fn side(&self, side: Side) -> Option<&summary::Side> {
        self.sides.get(&side)
    }

    /// Fails if the sides cannot be compared; else what to warn of.
    pub fn comparable(&self) -> Result<Vec<String>> {
        let mut defects = Vec::new();
        let mut warnings = Vec::new();
        if let (Some(reth), Some(signet)) = (self.side(Side::Reth), self.side(Side::Signet)) {
            Self::compare_builds(reth, signet, &mut defects, &mut warnings);
        }
        warnings.extend(self.unlike_page_counts());
        for layer in [Layer::Bindings, Layer::HotDb] {
            defects.extend(self.differing(layer));
        }
        if !defects.is_empty() {
            bail!("the two sides are not configured alike:{}", check::message(&defects));
        }
        Ok(warnings)
    }

    fn compare_builds(
        reth: &summary::Side,
        signet: &summary::Side,
        defects: &mut Vec<String>,
        warnings: &mut Vec<String>,
    ) {
        if let Some(text) = engines(&reth.engine, &signet.engine) {
            // Upstream tags bundle other versions, which is part of what they are.
            if reth.provenance == REGISTRY && signet.provenance == REGISTRY {
                defects.push(text);
            } else {
                warnings.push(format!("{text}: differences of write benchmarks may be libmdbx's"));
            }
        }
        if reth.engine.debug != signet.engine.debug {
            defects.push(
                "one side's libmdbx is built with debug assertions, the other's is not".into(),
            );
        } else if reth.engine.debug {
            warnings.push(
                "libmdbx is built with its debug assertions on both sides: figures say nothing of a \
                 release build; build with the bench profile"
                    .into(),
            );
        }
        if reth.engine.commit == signet.engine.commit {
            defects.extend(builds(&reth.engine, &signet.engine));
            // Not refused: the flags also hold what changes nothing, such as warnings.
            if reth.engine.flags != signet.engine.flags {
                warnings.push(format!(
                    "libmdbx is compiled with `{}` for reth, with `{}` for signet: if it may \
                     change the code, build both with the same CFLAGS",
                    reth.engine.flags, signet.engine.flags
                ));
            }
        }
    }

    /// Benchmarks after which files differ in size that should not. Through the bindings every arm
    /// puts the same bytes; rows of the typed layers differ between the sides by design, so that
    /// only arms of one side are compared there.
    fn unlike_page_counts(&self) -> Option<String> {
        let mut pages = BTreeMap::<_, Vec<(&str, u64)>>::new();
        for ((id, arm), check) in &self.checks {
            let (Some(bench), Some(count)) = (catalogue::bench(id), check.used_pages) else {
                continue;
            };
            let side = (bench.layer() == Layer::HotDb).then(|| arms::side(arm));
            pages.entry((id.as_str(), side)).or_default().push((arm, count));
        }
        let unlike: Vec<String> = pages
            .iter()
            .filter(|(_, arms)| arms.iter().any(|(_, count)| *count != arms[0].1))
            .map(|((id, _), arms)| {
                let counts: Vec<_> = arms.iter().map(|(arm, n)| format!("{arm} {n}")).collect();
                format!("{id} ({})", counts.join(", "))
            })
            .collect();
        (!unlike.is_empty()).then(|| {
            format!(
                "the same writes left databases of unlike numbers of pages: {}; what the arms did is \
                 not quite the same, so compare the checks in raw/ before believing a difference there",
                unlike.join("; ")
            )
        })
    }

    fn differing(&self, layer: Layer) -> Vec<String> {
        let prefix = format!("{layer}/");
        let mut of_layer = self.config.iter().filter(|(key, _)| key.starts_with(&prefix));
        let Some((first, settings)) = of_layer.next() else { return Vec::new() };
        of_layer
            .flat_map(|(key, other)| {
                settings
                    .differences(other)
                    .into_iter()
                    .map(move |d| format!("{key} and {first}: {d}"))
            })
            .collect()
    }
}

fn engines(reth: &Engine, signet: &Engine) -> Option<String> {
    let name = |e: &Engine| format!("libmdbx {} ({})", e.version, e.commit);
    let same = reth.version == signet.version && reth.commit == signet.commit;
    (!same).then(|| format!("reth runs on {}, signet on {}", name(reth), name(signet)))
}

/// In what two builds of one source differ.
fn builds(reth: &Engine, signet: &Engine) -> Vec<String> {
    [("options", &reth.options, &signet.options), ("compiler", &reth.compiler, &signet.compiler)]
        .into_iter()
        .filter(|(_, reth, signet)| reth != signet)
        .map(|(what, reth, signet)| {
            format!(
                "libmdbx is not compiled alike: {what} `{reth}` for reth, `{signet}` for signet"
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    const RETH: Contender = Contender::SIDES[0];
    const SIGNET: Contender = Contender::SIDES[1];

    fn stacks(change: impl Fn(&mut Report)) -> Result<Vec<String>> {
        let ids = ["B2/get/32B".to_owned()];
        let mut stacks = Stacks::default();
        stacks.add(RETH, Layer::Bindings, &example::report("reth", &["raw", "reth"], &ids))?;
        let mut signet = example::report("signet", &["raw", "signet-unsync"], &ids);
        change(&mut signet);
        stacks.add(SIGNET, Layer::Bindings, &signet)?;
        stacks.comparable()
    }

    fn refused(change: impl Fn(&mut Report)) -> String {
        format!("{:#}", stacks(change).expect_err("refused"))
    }

    #[test]
    fn equal_sides_are_comparable() {
        assert_eq!(stacks(|_| ()).expect("comparable"), Vec::<String>::new());
    }

    #[test]
    fn another_libmdbx_is_refused_unless_it_is_upstreams() {
        let other = |r: &mut Report| r.engine.commit = "other".into();
        assert!(refused(other).contains("libmdbx 0.13.7 (other)"));
        let warnings = stacks(|r| {
            other(r);
            r.provenance = "v2".into();
        });
        assert_eq!(warnings.expect("a warning").len(), 1);
    }

    #[test]
    fn unlike_settings_and_builds_are_refused() {
        let text = refused(|r| r.configs.get_mut("raw").expect("raw").geo_lower = 1);
        assert!(text.contains("bindings/raw@signet") && text.contains("lower size"), "{text}");
        assert!(refused(|r| r.engine.debug = true).contains("debug"));
        assert!(refused(|r| r.engine.options = "other".into()).contains("options"));
        assert!(refused(|r| r.engine.compiler = "clang".into()).contains("`clang` for signet"));
    }

    #[test]
    fn unlike_compiler_flags_are_warned_of() {
        let warnings = stacks(|r| r.engine.flags = "-O0".into()).expect("a warning");
        assert!(warnings[0].contains("`-O0` for signet"), "{warnings:?}");
        let same = stacks(|r| r.engine.flags = "-O3".into()).expect("comparable");
        assert_eq!(same, Vec::<String>::new());
    }

    #[test]
    fn unlike_page_counts_are_warned_of() {
        let ids = ["B2/get/32B".to_owned()];
        let mut report = example::report("reth", &["raw", "reth"], &ids);
        report.checks[0].used_pages = Some(10);
        report.checks[1].used_pages = Some(11);
        let mut stacks = Stacks::default();
        stacks.add(RETH, Layer::Bindings, &report).expect("added");
        let warning = stacks.unlike_page_counts().expect("a warning");
        assert!(warning.contains("B2/get/32B (raw@reth 10, reth 11)"), "{warning}");
    }

    #[test]
    fn page_counts_of_the_typed_layer_are_compared_within_a_side() {
        let ids = ["H4/ingest/1".to_owned()];
        let with = |signet: [u64; 2]| {
            let mut stacks = Stacks::default();
            for (contender, arms, pages) in [
                (RETH, ["reth"].as_slice(), [10, 10]),
                (SIGNET, &["signet-unsync", "signet-sync"], signet),
            ] {
                let mut report = example::report(contender.side.name(), arms, &ids);
                for (check, count) in report.checks.iter_mut().zip(pages) {
                    check.used_pages = Some(count);
                }
                stacks.add(contender, Layer::HotDb, &report).expect("added");
            }
            stacks.unlike_page_counts()
        };
        assert_eq!(with([12, 12]), None);
        let warning = with([12, 13]).expect("a warning");
        let arms = "H4/ingest/1 (signet-sync 13, signet-unsync 12)";
        assert!(warning.contains(arms), "{warning}");
    }

    #[test]
    fn reports_of_one_side_must_agree() {
        let ids = ["B2/get/32B".to_owned()];
        let mut stacks = Stacks::default();
        let mut report = example::report("reth", &["raw", "reth"], &ids);
        stacks.add(RETH, Layer::Bindings, &report).expect("first");
        report.packages.insert("libmdbx-remote".into(), "9.9.9".into());
        let error = stacks.add(RETH, Layer::Bindings, &report).expect_err("another version");
        assert!(format!("{error:#}").contains("9.9.9"));
    }
}
