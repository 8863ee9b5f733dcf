//! What a run will do: its benchmarks, rounds and order, checked before anything is built.

use crate::{
    arms::{Contender, Side},
    cli::RunArgs,
    exit::Usage,
    mode::Mode,
    schedule::Schedule,
};
use bench_shared::{
    catalogue::{self, BENCHES, Bench, GROUPS, Group, Layer},
    scale::Scale,
};

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
        let benches = select(&args.filters, layer)?;
        let groups = GROUPS
            .iter()
            .map(|group| PlannedGroup {
                group,
                benches: benches.iter().copied().filter(|b| b.group() == group.name).collect(),
            })
            .filter(|g| !g.benches.is_empty())
            .collect();
        let mode = if args.quick { Mode::Quick } else { Mode::Sequential };
        let mut filters = args.filters.clone();
        if filters.is_empty() {
            filters.extend(layer.map(|l| l.name().to_owned()));
        }
        Ok(Self {
            mode,
            scale,
            contenders: args.aa.map_or(Contender::SIDES, |side| Contender::copies(side.into())),
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
        first.copy.map(|_| first.side)
    }

    /// Sides that take part.
    pub fn sides(&self) -> Vec<Side> {
        let mut sides: Vec<_> = self.contenders.map(|c| c.side).into();
        sides.dedup();
        sides
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

fn exclusive(a: bool, a_name: &str, b: bool, b_name: &str) -> Result<(), Usage> {
    if a && b {
        return Err(Usage(format!("{a_name} and {b_name} exclude each other; give one of them")));
    }
    Ok(())
}

fn publishable(args: &RunArgs, scale: Scale) -> Result<(), Usage> {
    let reason = if let Some(filter) = args.filters.first() {
        format!("filter `{filter}` leaves benchmarks out; drop it")
    } else if args.bindings || args.hotdb {
        "--bindings and --hotdb leave a layer out; drop them".to_owned()
    } else if scale != Scale::Default {
        format!("--scale {} is not the size of BENCH_SPEC.md; drop it", scale.name())
    } else if args.aa.is_some() {
        "--aa compares a side with itself; drop one of the two".to_owned()
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
}
