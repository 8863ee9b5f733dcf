//! What the two sides are, gathered from the reports of all their processes, and whether they may
//! be compared.

use crate::{
    arms::{self, Contender, Side},
    check,
    compare::Checks,
    environment,
    source::{CHECKOUT, REGISTRY, Source},
};
use anyhow::{Context as _, Result, bail};
use bench_shared::{
    catalogue::{self, Layer},
    config::Effective,
    job::{Engine, GenesisCheck, GitSource, Report},
    summary,
};
use std::collections::BTreeMap;

/// Everything gathered.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    sides: BTreeMap<(Side, Source), summary::Side>,
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

impl Stacks {
    /// Adds the report of a process.
    ///
    /// # Errors
    /// If it contradicts an earlier report of the side.
    pub fn add(&mut self, contender: Contender, layer: Layer, report: &Report) -> Result<()> {
        let side = contender.side;
        self.add_side((side, contender.source), report)
            .with_context(|| format!("the {side} side, {layer}"))?;
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
        self.genesis.extend(
            report
                .genesis
                .iter()
                .map(|check| GenesisCheck { arm: contender.arm(&check.arm), ..check.clone() }),
        );
        self.pinned_cpu = report.pinned_cpu;
        Ok(())
    }

    fn add_side(&mut self, side: (Side, Source), report: &Report) -> Result<()> {
        let flags = environment::without_directories(&report.engine.flags);
        let engine = Engine { flags, ..report.engine.clone() };
        // A directory may have other crates than the binding, by which the binary goes.
        let provenance = match side.1 {
            Source::Checkout => CHECKOUT,
            _ => &report.provenance,
        };
        let known = self.sides.entry(side).or_insert_with(|| summary::Side {
            provenance: provenance.to_owned(),
            source: source(report),
            packages: BTreeMap::new(),
            checksums: BTreeMap::new(),
            libmdbx: report.engine.version.clone(),
            engine: engine.clone(),
        });
        if known.provenance != provenance {
            bail!("provenance `{}` and `{provenance}`", known.provenance);
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

    /// What a contender is, if it took part.
    pub fn of(&self, contender: Contender) -> Option<&summary::Side> {
        self.sides.get(&(contender.side, contender.source))
    }

    /// Fails if the sides cannot be compared; else what to warn of.
    pub fn comparable(&self) -> Result<Vec<String>> {
        let mut defects = Vec::new();
        let mut warnings = Vec::new();
        // By their sides, or two builds of one by their sources.
        let name = |(side, source): &(Side, Source)| match self.sides.keys().all(|s| s.0 == *side) {
            true => source.name(),
            false => side.name(),
        };
        let sides: Vec<Named<'_>> =
            self.sides.iter().map(|(key, side)| Named { name: name(key), side }).collect();
        if let [one, other] = sides.as_slice() {
            compare_builds(one, other, &mut defects, &mut warnings);
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

/// One of two that are compared, under the name by which messages call it.
struct Named<'a> {
    name: &'a str,
    side: &'a summary::Side,
}

fn compare_builds(
    one: &Named<'_>,
    other: &Named<'_>,
    defects: &mut Vec<String>,
    warnings: &mut Vec<String>,
) {
    let [a, b] = [one, other].map(|named| &named.side.engine);
    if let Some(text) = engines(one, other) {
        // Upstream tags bundle other versions, which is part of what they are.
        if [one, other].iter().all(|named| named.side.provenance == REGISTRY) {
            defects.push(text);
        } else {
            warnings.push(format!(
                "{text}: what they differ by, most of all in writing, may be the release and the build \
                 options of libmdbx; the `raw` arms compare the two libraries and are no control"
            ));
        }
    }
    if a.debug != b.debug {
        defects
            .push("one side's libmdbx is built with debug assertions, the other's is not".into());
    } else if a.debug {
        warnings.push(
            "libmdbx is built with its debug assertions on both sides: figures say nothing of a \
             release build; build with the bench profile"
                .into(),
        );
    }
    // Another release brings options of its own, and whoever builds from a directory may change them.
    let are_published = [one, other].iter().all(|named| named.side.provenance != CHECKOUT);
    if a.commit == b.commit && are_published {
        defects.extend(builds(one, other));
    } else {
        warnings.extend(builds(one, other));
    }
    // Not refused: the flags also hold what changes nothing, such as warnings.
    if a.flags != b.flags {
        warnings.push(format!(
            "libmdbx is compiled with `{}` for {}, with `{}` for {}: if it may change the code, \
             build both with the same CFLAGS",
            a.flags, one.name, b.flags, other.name
        ));
    }
}

fn engines(one: &Named<'_>, other: &Named<'_>) -> Option<String> {
    let [a, b] = [one, other].map(|named| &named.side.engine);
    let on = |named: &Named<'_>| {
        let Engine { version, commit, .. } = &named.side.engine;
        format!("{} runs on libmdbx {version} ({commit})", named.name)
    };
    let same = a.version == b.version && a.commit == b.commit;
    (!same).then(|| format!("{}, {}", on(one), on(other)))
}

/// In what two builds of libmdbx differ.
fn builds(one: &Named<'_>, other: &Named<'_>) -> Vec<String> {
    let [a, b] = [one, other].map(|named| &named.side.engine);
    [("options", &a.options, &b.options), ("compiler", &a.compiler, &b.compiler)]
        .into_iter()
        .filter(|(_, a, b)| a != b)
        .map(|(what, a, b)| {
            format!(
                "libmdbx is not compiled alike: {what} `{a}` for {}, `{b}` for {}",
                one.name, other.name
            )
        })
        .collect()
}

/// Where the source of an upstream build is, from what its lock file says of its packages.
fn source(report: &Report) -> Option<summary::Source> {
    let git = report.sources.values().find_map(|source| GitSource::parse(source))?;
    Some(summary::Source {
        repository: Some(git.repository.to_owned()),
        tag: git.tag.map(str::to_owned),
        commit: Some(git.commit.to_owned()),
        ..summary::Source::default()
    })
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
        // Its options are not those of signet's either, and may be what differs.
        let warnings = stacks(|r| {
            other(r);
            r.provenance = "v2".into();
            r.engine.options = "MDBX_USE_FALLOCATE=0".into();
            r.engine.compiler = "clang".into();
            r.engine.flags = "-O0".into();
        });
        let warnings = warnings.expect("warnings");
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        assert!(warnings[0].contains("the release and the build options"), "{warnings:?}");
        assert!(warnings[1].contains("`MDBX_USE_FALLOCATE=0` for signet"), "{warnings:?}");
    }

    #[test]
    fn unlike_options_of_a_checkout_are_warned_of() {
        let ids = ["B2/get/32B".to_owned()];
        let mut stacks = Stacks::default();
        stacks
            .add(RETH, Layer::Bindings, &example::report("reth", &["raw", "reth"], &ids))
            .expect("added");
        let [_, signet] = Contender::sides(Source::Registry, Source::Checkout);
        let mut report = example::report("signet", &["raw", "signet-unsync"], &ids);
        report.engine.options = "other".into();
        stacks.add(signet, Layer::Bindings, &report).expect("added");
        let warnings = stacks.comparable().expect("a warning only");
        assert!(warnings[0].contains("options") && warnings.len() == 1, "{warnings:?}");
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

    #[test]
    fn the_lock_file_says_where_an_upstream_build_is_from() {
        let mut report = example::report("reth", &["raw", "reth"], &["B2/get/32B".to_owned()]);
        assert_eq!(source(&report), None);
        let registry = "registry+https://github.com/rust-lang/crates.io-index".to_owned();
        let git = "git+https://github.com/paradigmxyz/reth?tag=v1.11.3#d6324d63e27e".to_owned();
        report.sources = [("a".into(), registry), ("reth-libmdbx".into(), git)].into();
        let source = source(&report).expect("a repository");
        assert_eq!(source.repository.as_deref(), Some("https://github.com/paradigmxyz/reth"));
        assert_eq!(source.tag.as_deref(), Some("v1.11.3"));
        assert_eq!(source.commit.as_deref(), Some("d6324d63e27e"));
    }

    #[test]
    fn two_builds_of_one_side_are_named_by_their_sources() {
        let ids = ["B2/get/32B".to_owned()];
        let builds = Contender::builds([Source::Registry, Source::Tag(crate::source::Tag::V2)]);
        let mut stacks = Stacks::default();
        for contender in builds {
            let mut report = example::report("reth", &["raw", "reth"], &ids);
            if contender == builds[1] {
                report.provenance = "v2.5.1".into();
                report.engine.version = "0.13.12".into();
                report.engine.commit = "other".into();
            }
            stacks.add(contender, Layer::Bindings, &report).expect("added");
        }
        let warnings = stacks.comparable().expect("comparable");
        assert!(warnings[0].contains("v2.5.1 runs on libmdbx 0.13.12 (other)"), "{warnings:?}");
        assert!(stacks.config.contains_key("bindings/raw@v2.5.1"));
    }
}
