//! What a run will do: its benchmarks, rounds and order, checked before anything is built.

use crate::{
    arms::{Contender, Role, Side},
    cli::{RunArgs, SideArg},
    exit::Usage,
    mode::Mode,
    schedule::Schedule,
    source::{Binary, Source, Tag},
};
use bench_shared::{
    catalogue::{self, BENCHES, Bench, GROUPS, Group, Layer},
    scale::Scale,
};
use std::path::PathBuf;

/// A group and those of its benchmarks that were selected.
#[derive(Clone, Debug)]
pub struct PlannedGroup {
    /// The group.
    pub group: &'static Group,
    /// Its selected benchmarks, in catalogue order.
    pub benches: Vec<&'static Bench>,
}

/// A checked command line.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Mode.
    pub mode: Mode,
    /// Size of the data.
    pub scale: Scale,
    /// The two that are compared.
    pub contenders: [Contender; 2],
    /// Directories that sides are built from, where they are not published crates.
    pub checkouts: Vec<(Side, PathBuf)>,
    /// Rounds of each contender.
    pub rounds: u32,
    /// How the rounds are run.
    pub schedule: Schedule,
    /// Filters as given, with `bindings` or `hotdb` for the flag of that name; empty for everything.
    pub filters: Vec<String>,
    /// Selected groups in the order of a round.
    pub groups: Vec<PlannedGroup>,
}

impl Plan {
    /// Checks `args`.
    ///
    /// # Errors
    /// [`Usage`] if a filter matches nothing or flags exclude each other.
    pub fn new(args: &RunArgs) -> Result<Self, Usage> {
        exclusive(args.quick, "--quick", args.sequential, "--sequential")?;
        exclusive(args.bindings, "--bindings", args.hotdb, "--hotdb")?;
        let layer = match (args.bindings, args.hotdb) {
            (true, _) => Some(Layer::Bindings),
            (_, true) => Some(Layer::HotDb),
            _ => None,
        };
        let scale = args.scale.into();
        if args.publish {
            publishable(args, scale)?;
        }
        let (contenders, given) = contenders(args)?;
        let benches = select(&given, layer).map_err(|error| hint(error, args))?;
        let groups = GROUPS
            .iter()
            .map(|group| PlannedGroup {
                group,
                benches: benches.iter().copied().filter(|b| b.group() == group.name).collect(),
            })
            .filter(|g| !g.benches.is_empty())
            .collect();
        let mode = if args.quick { Mode::Quick } else { Mode::Sequential };
        let mut filters = given;
        if filters.is_empty() {
            filters.extend(layer.map(|l| l.name().to_owned()));
        }
        Ok(Self {
            mode,
            scale,
            contenders,
            checkouts: checkouts(args),
            rounds: args.rounds.unwrap_or(mode.rounds()),
            schedule: Schedule {
                interleave: args.interleave,
                order: args.order,
                warm_up_ms: args.warm_up.unwrap_or(mode.warm_up_ms()),
                measurement_ms: args.measurement.unwrap_or(mode.measurement_ms()),
            },
            filters,
            groups,
        })
    }

    /// Side that is compared with itself, if one is.
    pub fn self_test(&self) -> Option<Side> {
        let [first, _] = self.contenders;
        matches!(first.role, Role::Copy(_)).then_some(first.side)
    }

    /// The two builds of the reth side that are compared, if two are.
    pub fn fidelity(&self) -> Option<[Source; 2]> {
        let [first, second] = self.contenders;
        (first.role == Role::Build).then_some([first.source, second.source])
    }

    /// Sides that take part.
    pub fn sides(&self) -> Vec<Side> {
        let mut sides: Vec<_> = self.contenders.map(|c| c.side).into();
        sides.dedup();
        sides
    }

    /// Bench binaries that the run needs, by layer, in the order of the contenders.
    pub fn binaries(&self) -> Vec<Binary> {
        let mut out = Vec::new();
        for layer in self.layers() {
            for contender in self.contenders {
                let of_layer = self.benches().filter(|bench| bench.layer() == layer);
                let mut own: Vec<_> = of_layer
                    .map(|bench| Binary::of(contender.side, contender.source, bench))
                    .collect();
                own.sort();
                out.extend(own);
            }
        }
        let mut known = std::collections::BTreeSet::new();
        out.retain(|binary| known.insert(*binary));
        out
    }

    /// Each group's benchmarks in parts that may share a process, of which each contender runs one.
    pub fn parts(&self) -> Vec<(&'static Group, Vec<&'static Bench>)> {
        let split = |PlannedGroup { group, benches }: &PlannedGroup| -> Vec<_> {
            self.by_binary(benches).into_iter().map(|benches| (*group, benches)).collect()
        };
        self.groups.iter().flat_map(split).collect()
    }

    /// Benchmarks that may share a process, which has one binary on each side.
    fn by_binary(&self, benches: &[&'static Bench]) -> Vec<Vec<&'static Bench>> {
        let binaries = |bench: &Bench| self.contenders.map(|c| Binary::of(c.side, c.source, bench));
        let mut out: Vec<Vec<&'static Bench>> = Vec::new();
        for bench in benches {
            match out.iter_mut().find(|part| binaries(part[0]) == binaries(bench)) {
                Some(part) => part.push(bench),
                None => out.push(vec![bench]),
            }
        }
        out
    }

    /// Layers that have a selected benchmark.
    pub fn layers(&self) -> Vec<Layer> {
        let mut layers: Vec<_> = self.groups.iter().map(|g| g.group.layer).collect();
        layers.dedup();
        layers
    }

    /// All selected benchmarks.
    pub fn benches(&self) -> impl Iterator<Item = &'static Bench> {
        self.groups.iter().flat_map(|g| g.benches.iter().copied())
    }
}

/// The two that are compared, and the filters without a tag that stands among them.
fn contenders(args: &RunArgs) -> Result<([Contender; 2], Vec<String>), Usage> {
    let (tag, filters) = upstream(args)?;
    let reth_dir = args.reth_dir.is_some();
    exclusive(tag.is_some(), "--upstream", reth_dir, "--reth-dir")?;
    if let Some(pair) = args.fidelity {
        for (given, flag) in [
            (args.aa.is_some(), "--aa"),
            (tag.is_some(), "--upstream"),
            (reth_dir, "--reth-dir"),
            (args.signet_dir.is_some(), "--signet-dir"),
        ] {
            exclusive(true, "--fidelity", given, flag)?;
        }
        return Ok((Contender::builds(pair.unwrap_or_default().0), filters));
    }
    let reth = match tag {
        Some(tag) => Source::Tag(tag),
        None if reth_dir => Source::Checkout,
        None => Source::Registry,
    };
    let signet = if args.signet_dir.is_some() { Source::Checkout } else { Source::Registry };
    let contenders = match args.aa {
        None => Contender::sides(reth, signet),
        Some(SideArg::Reth) => {
            unused(args.signet_dir.is_some(), "--signet-dir", Side::Signet)?;
            Contender::copies(Side::Reth, reth)
        }
        Some(SideArg::Signet) => {
            unused(tag.is_some(), "--upstream", Side::Reth)?;
            unused(reth_dir, "--reth-dir", Side::Reth)?;
            Contender::copies(Side::Signet, signet)
        }
    };
    Ok((contenders, filters))
}

/// The tag of `--upstream`, which may also stand behind it as a word of its own, and the filters
/// without it.
fn upstream(args: &RunArgs) -> Result<(Option<Tag>, Vec<String>), Usage> {
    let is_tag = |word: &&String| Tag::named(word).is_some();
    let (words, filters): (Vec<_>, Vec<_>) = args.filters.iter().partition(is_tag);
    let filters = filters.into_iter().cloned().collect();
    match (args.upstream, words.as_slice()) {
        (None, []) => Ok((None, filters)),
        (None, [word, ..]) => Err(Usage(format!(
            "`{word}` is a tag of reth and no filter; give it as --upstream={word}, or leave it out"
        ))),
        (Some(tag), []) => Ok((Some(tag.unwrap_or_default()), filters)),
        (Some(None), [word]) => Ok((Tag::named(word), filters)),
        (Some(_), [word, ..]) => Err(Usage(format!(
            "--upstream takes one tag, and `{word}` is not the only one given; leave one out"
        ))),
    }
}

fn unused(given: bool, flag: &str, side: Side) -> Result<(), Usage> {
    if given {
        return Err(Usage(format!(
            "{flag} says where the {side} side comes from, which --aa leaves out; drop one of the two"
        )));
    }
    Ok(())
}

/// Says what a word may have been meant for that is no filter.
fn hint(error: Usage, args: &RunArgs) -> Usage {
    let hint = match (args.upstream, args.fidelity) {
        (Some(None), _) => format!("; --upstream knows the tags {}", Tag::known()),
        (_, Some(None)) => "; builds are given as --fidelity=BASE,OTHER".to_owned(),
        _ => return error,
    };
    match error.0.split_once('\n') {
        Some((first, rest)) => Usage(format!("{first}{hint}\n{rest}")),
        None => Usage(format!("{}{hint}", error.0)),
    }
}

fn checkouts(args: &RunArgs) -> Vec<(Side, PathBuf)> {
    let given = [(Side::Reth, &args.reth_dir), (Side::Signet, &args.signet_dir)];
    given.into_iter().filter_map(|(side, dir)| Some((side, dir.clone()?))).collect()
}

fn exclusive(a: bool, a_name: &str, b: bool, b_name: &str) -> Result<(), Usage> {
    if a && b {
        return Err(Usage(format!("{a_name} and {b_name} exclude each other; give one of them")));
    }
    Ok(())
}

fn publishable(args: &RunArgs, scale: Scale) -> Result<(), Usage> {
    let filter = args.filters.iter().find(|word| Tag::named(word).is_none());
    let reason = if let Some(filter) = filter {
        format!("filter `{filter}` leaves benchmarks out; drop it")
    } else if args.bindings || args.hotdb {
        "--bindings and --hotdb leave a layer out; drop them".to_owned()
    } else if scale != Scale::Default {
        format!("--scale {} is not the size of BENCH_SPEC.md; drop it", scale.name())
    } else if args.aa.is_some() {
        "--aa compares a side with itself; drop one of the two".to_owned()
    } else if let Some((side, _)) = checkouts(args).first() {
        format!("--{side}-dir names a directory that nobody else has; drop it")
    } else if let Some(flag) = args.schedule_flag() {
        format!("{flag} makes figures that compare with no others; drop it")
    } else {
        return Ok(());
    };
    Err(Usage(format!("--publish takes complete runs only: {reason}")))
}

/// Selects by `filters` within `layer`. Each filter must select something of it by itself, so that a
/// mistyped one among several is noticed.
pub fn select(filters: &[String], layer: Option<Layer>) -> Result<Vec<&'static Bench>, Usage> {
    let within = |bench: &Bench| layer.is_none_or(|l| bench.layer() == l);
    for filter in filters {
        let hits = catalogue::select(std::slice::from_ref(filter)).map_err(no_match)?;
        if let Some(layer) = layer
            && !hits.iter().any(|b| within(b))
        {
            return Err(Usage(format!(
                "filter `{filter}` selects {}, which --{layer} leaves out; drop one of the two",
                hits[0].id
            )));
        }
    }
    let selected = catalogue::select(filters).map_err(no_match)?;
    Ok(selected.into_iter().filter(|b| within(b)).collect())
}

fn no_match(error: catalogue::NoMatch) -> Usage {
    let groups: String = GROUPS.iter().map(|g| format!("\n  {}  {}", g.name, g.title)).collect();
    Usage(format!("{error}\n\nGroups ({} benchmarks; --list names them):{groups}", BENCHES.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bench_shared::catalogue::Build;

    fn args(filters: &[&str]) -> RunArgs {
        RunArgs { filters: filters.iter().map(|&f| f.to_owned()).collect(), ..RunArgs::default() }
    }

    fn refusal(args: &RunArgs) -> String {
        Plan::new(args).expect_err("refused").0
    }

    #[test]
    fn no_argument_means_everything_in_sequential_mode() {
        let plan = Plan::new(&args(&[])).expect("valid");
        assert_eq!(plan.mode, Mode::Sequential);
        assert_eq!(plan.rounds, 104);
        assert_eq!(plan.benches().count(), BENCHES.len());
        assert_eq!(plan.layers(), [Layer::Bindings, Layer::HotDb]);
        assert!(plan.filters.is_empty());
    }

    #[test]
    fn filters_of_one_layer_need_only_that_layer() {
        let plan = Plan::new(&args(&["B7", "B2/get"])).expect("valid");
        assert_eq!(plan.layers(), [Layer::Bindings]);
        let names: Vec<_> = plan.groups.iter().map(|g| g.group.name).collect();
        assert_eq!(names, ["B2", "B7"]);
    }

    #[test]
    fn a_filter_that_matches_nothing_lists_the_groups() {
        let text = refusal(&args(&["B2", "NOPE"]));
        assert!(text.contains("`NOPE`"), "{text}");
        for group in GROUPS {
            assert!(text.contains(group.name), "{text}");
        }
    }

    #[test]
    fn impossible_combinations_are_refused_by_name() {
        let both = RunArgs { quick: true, sequential: true, ..args(&[]) };
        assert!(refusal(&both).contains("--quick and --sequential"));
        let both = RunArgs { bindings: true, hotdb: true, ..args(&[]) };
        assert!(refusal(&both).contains("--bindings and --hotdb"));
        let other_layer = RunArgs { bindings: true, ..args(&["B2", "H1"]) };
        assert!(refusal(&other_layer).contains("`H1`"));
        for bad in [
            RunArgs { publish: true, ..args(&["B2"]) },
            RunArgs { publish: true, bindings: true, ..args(&[]) },
            RunArgs { publish: true, rounds: Some(3), ..args(&[]) },
            RunArgs { publish: true, measurement: Some(3), ..args(&[]) },
            RunArgs { publish: true, aa: Some(crate::cli::SideArg::Reth), ..args(&[]) },
            RunArgs { publish: true, scale: crate::cli::ScaleArg::Smoke, ..args(&[]) },
        ] {
            assert!(refusal(&bad).contains("--publish"));
        }
    }

    #[test]
    fn a_self_test_needs_one_side_only() {
        let plan = Plan::new(&RunArgs { aa: Some(crate::cli::SideArg::Signet), ..args(&["B2"]) });
        let plan = plan.expect("valid");
        assert_eq!(plan.self_test(), Some(Side::Signet));
        assert_eq!(plan.sides(), [Side::Signet]);
        assert_eq!(Plan::new(&args(&[])).expect("valid").sides(), Side::ALL);
    }

    fn sources(args: &RunArgs) -> ([Source; 2], Vec<String>) {
        let plan = Plan::new(args).expect("valid");
        (plan.contenders.map(|c| c.source), plan.filters)
    }

    #[test]
    fn upstream_takes_a_tag_behind_it_and_leaves_filters_alone() {
        let given = |tag, filters: &[&str]| RunArgs { upstream: Some(tag), ..args(filters) };
        let [v1, v2] = Tag::ALL.map(Source::Tag);
        let registry = Source::Registry;
        assert_eq!(sources(&given(None, &["B2"])), ([v1, registry], vec!["B2".into()]));
        assert_eq!(sources(&given(None, &[])), ([v1, registry], vec![]));
        let both = given(None, &["v2.5.1", "B2"]);
        assert_eq!(sources(&both), ([v2, registry], vec!["B2".into()]));
        assert_eq!(sources(&given(Some(Tag::V2), &["B2"])).0, [v2, registry]);
        assert!(refusal(&given(Some(Tag::V2), &["v1.11.3"])).contains("`v1.11.3`"));
        assert!(refusal(&given(None, &["v1.11.3", "v2.5.1"])).contains("one tag"));
        assert!(refusal(&args(&["v2.5.1"])).contains("--upstream=v2.5.1"));
        let unknown = refusal(&given(None, &["v9"]));
        assert!(unknown.contains("`v9`") && unknown.contains("tags v1.11.3, v2.5.1"), "{unknown}");
    }

    #[test]
    fn a_side_has_one_source() {
        let upstream = RunArgs { upstream: Some(None), ..args(&["B2"]) };
        let checkout = RunArgs { reth_dir: Some("reth".into()), ..args(&["B2"]) };
        let both = RunArgs { reth_dir: Some("reth".into()), ..upstream.clone() };
        assert!(refusal(&both).contains("--upstream and --reth-dir"));
        let two = RunArgs { signet_dir: Some("signet".into()), ..checkout.clone() };
        assert_eq!(sources(&two).0, [Source::Checkout; 2]);
        let itself = RunArgs { aa: Some(SideArg::Reth), ..upstream.clone() };
        assert_eq!(sources(&itself).0, [Source::Tag(Tag::V1); 2]);
        let unused = RunArgs { aa: Some(SideArg::Signet), ..upstream };
        assert!(refusal(&unused).contains("--upstream"));
        let published = RunArgs { publish: true, filters: Vec::new(), ..checkout };
        assert!(refusal(&published).contains("--reth-dir"));
    }

    #[test]
    fn fidelity_compares_two_builds_and_nothing_else() {
        let fidelity = RunArgs { fidelity: Some(None), ..args(&["B2"]) };
        let plan = Plan::new(&fidelity).expect("valid");
        assert_eq!(plan.fidelity(), Some([Source::Registry, Source::Tag(Tag::V1)]));
        assert_eq!((plan.sides(), plan.self_test()), (vec![Side::Reth], None));
        let keys: Vec<_> = plan.binaries().into_iter().map(Binary::key).collect();
        assert!(keys.contains(&"reth-registry-bindings-node".to_owned()), "{keys:?}");
        assert!(keys.contains(&"reth-v1.11.3-bindings-node".to_owned()), "{keys:?}");
        assert!(!keys.iter().any(|key| key.contains("signet")), "{keys:?}");
        for (flag, args) in [
            ("--aa", RunArgs { aa: Some(SideArg::Reth), ..fidelity.clone() }),
            ("--upstream", RunArgs { upstream: Some(None), ..fidelity.clone() }),
            ("--reth-dir", RunArgs { reth_dir: Some("x".into()), ..fidelity.clone() }),
            ("--signet-dir", RunArgs { signet_dir: Some("x".into()), ..fidelity.clone() }),
        ] {
            assert!(refusal(&args).contains(&format!("--fidelity and {flag}")));
        }
        Plan::new(&RunArgs { publish: true, filters: Vec::new(), ..fidelity }).expect("published");
    }

    #[test]
    fn a_run_of_published_crates_needs_nothing_else() {
        let plan = Plan::new(&RunArgs { quick: true, ..args(&[]) }).expect("valid");
        let keys: Vec<_> = plan.binaries().into_iter().map(Binary::key).collect();
        assert!(keys.iter().all(|key| key.contains("-registry-")), "{keys:?}");
        for key in ["signet-registry-bindings-node", "reth-registry-hotdb-node"] {
            assert_eq!(keys.iter().filter(|k| *k == key).count(), 1, "{keys:?}");
        }
    }

    #[test]
    fn benchmarks_of_two_builds_do_not_share_a_process() {
        let plan = Plan::new(&args(&["B2"])).expect("valid");
        let plain: &'static Bench =
            Box::leak(Box::new(Bench { build: Build::Plain, ..BENCHES[0] }));
        let parts = plan.by_binary(&[&BENCHES[0], plain, &BENCHES[1]]);
        assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        let signet = Plan::new(&RunArgs { aa: Some(SideArg::Signet), ..args(&["B2"]) });
        assert_eq!(signet.expect("valid").by_binary(&[&BENCHES[0], plain]).len(), 1);
    }
}
