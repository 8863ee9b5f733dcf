//! RESULTS.md and RESULTS_SEQUENTIAL.md: everything a run says, from its summary alone, so that the
//! document can be made again from the published file and compared.

use super::{chart, fidelity, markdown::Table, place, provenance};
use crate::{
    arms::Family,
    compare::{columns, have_one_engine, is_verdict},
    groups::{self, Group},
    pairs::{self, find},
    source::{CHECKOUT, Tag},
    stats::paired::Verdict,
    units, variant,
};
use bench_shared::summary::{Bench, Comparison, Summary};

/// Where the summary of a document is.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// In its directory of `results/`, with its charts beside it; and the published run that compares
    /// the published crates with the real reth, if there is one.
    Published(Option<&'a Summary>),
    /// Anywhere else, under the name given; its charts, if there are any, may be anywhere.
    Elsewhere(&'a str),
}

/// The document.
pub fn render(summary: &Summary, origin: Origin<'_>) -> String {
    let made = match origin {
        Origin::Published(_) => {
            let run = format!("results/{}", place::directory(summary));
            let to = place::document(summary).map_or_else(String::new, |file| format!(" > {file}"));
            format!(
                "Generated from {run}/summary.json by
     `cargo run -p bench-runner -- report {run}{to}`: do not edit."
            )
        }
        Origin::Elsewhere(run) => format!("Generated from the run {run}, which is not published."),
    };
    let (note, charts) = match origin {
        Origin::Published(fidelity) => {
            let note = fidelity::note(summary, fidelity).map(|note| format!("{note}\n\n"));
            (note.unwrap_or_default(), charts(summary))
        }
        Origin::Elsewhere(_) => Default::default(),
    };
    let mut out = format!("<!-- {made} -->\n\n# Results: {}\n\n", title(summary));
    for section in [
        format!("{}.\n\n", provenance::caption(summary)),
        note,
        standing(summary),
        reading(summary),
        by_verdict(summary),
        charts,
        warnings(summary),
        groups(summary),
        environment(summary),
        stacks(summary),
    ] {
        out.push_str(&section);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Mode of a run, and on what it was, where that is not published crates.
pub(super) fn title(summary: &Summary) -> String {
    let provenance = summary.reth.as_ref().map(|side| side.provenance.as_str());
    let on = match (&summary.fidelity, provenance) {
        (Some(pair), _) => format!(", reth's side from {} and from {}", pair.base, pair.other),
        (None, Some(tag)) if Tag::named(tag).is_some() => format!(" on reth {tag}"),
        (None, Some(CHECKOUT)) => " on a checkout of reth".to_owned(),
        _ => String::new(),
    };
    format!("{} run{on}", summary.mode)
}

/// What the run was, and whether it may be relied on.
pub(super) fn standing(summary: &Summary) -> String {
    let of = if summary.filters.is_empty() {
        "every benchmark".to_owned()
    } else {
        format!("the benchmarks selected by `{}`", summary.filters.join(" "))
    };
    let state = match (summary.complete, summary.verified) {
        (_, false) => "**Not verified: no figure here means anything.**",
        (false, true) => {
            "**Interrupted: fewer rounds than planned.** Every arm was verified first."
        }
        (true, true) => "Every arm of every benchmark was verified against the model first.",
    };
    let genesis = match summary.genesis.as_slice() {
        [] => String::new(),
        [first, ..] if summary.genesis.iter().all(|g| g.verified) => format!(
            " Each typed arm loaded the mainnet genesis and read back {} accounts with the state root \
             `{}`.",
            first.accounts, first.state_root
        ),
        _ => " **The mainnet genesis did not read back.**".to_owned(),
    };
    format!(
        "A run of {of}, {} rounds of each side at {} scale, started {}, {} of wall time. {state}{genesis}\n\n",
        summary.rounds,
        summary.scale,
        summary.started,
        units::clock(summary.wall_s.round() as u64),
    )
}

pub(super) fn reading(summary: &Summary) -> String {
    let raws = raw_arms(&summary.benches).map(|arm| format!("`{arm}`")).join(" and ");
    let (floor, raw) = if have_one_engine(summary) {
        (
            "\n  or, between the stacks, that the two `raw` arms, which run the same C code, differed from each\n  \
             other; at least 1 %"
                .to_owned(),
            "under each wrapper, and a control that must read 1.00.".to_owned(),
        )
    } else {
        (
            ";\n  at least 1 %".to_owned(),
            format!(
                "under each wrapper. They are {}:\n  what they differ by is libmdbx's release and build \
                 options, and no control.",
                provenance::libraries(summary)
            ),
        )
    };
    format!("## How to read it

- **Times** are per iteration: the median over the rounds, each round the median of one process.
- **Ratio** is the base's time divided by the other's: 2.00 reads \"the other arm is twice as
  fast\". It is the median over the rounds, which pair neighbours in time. In brackets the 95 %
  bootstrap interval.
- **Floor** is the noise floor: the most that an arm differed from itself (odd against even rounds){floor}. ⚠ marks one above 10 %: the benchmark says little on this machine.
- **Verdict** is `faster` or `slower`, said of the other arm, only if at least six rounds were
  paired, the interval excludes 1, the ratio is beyond the floor, and the comparison holds among all
  of its kind (Benjamini–Hochberg, 5 %; stack against stack, wrapper against floor, and control are
  three kinds). Fewer than six rounds get no verdict.
- **Minima** is the ratio of the two arms' fastest rounds, a second opinion.
- {raws} call libmdbx directly through each side's `-sys` crate: the floor
  {raw}

METHODOLOGY.md says how the figures are made, BENCH_SPEC.md what each benchmark does. The samples of
every process are in `raw/`, one archive per group, beside the `summary.json` that holds each round.

")
}

/// The two arms of direct calls, under the names that they have in the run.
fn raw_arms(benches: &[Bench]) -> [&str; 2] {
    let all = pairs::all(benches).into_iter();
    let control = |(base, other): &pairs::Names<'_>| Family::of(base, other) == Family::Control;
    all.filter(control)
        .map(|(base, other)| [base, other])
        .next()
        .unwrap_or(["raw@reth", "raw@signet"])
}

fn by_verdict(summary: &Summary) -> String {
    let benches = summary.benches.as_slice();
    let mut counts = Table::new(["comparison", ">faster", ">slower", ">no measurable difference"]);
    let mut lists = String::new();
    for pair in pairs::all(benches) {
        let with = |verdict: Verdict| -> Vec<String> {
            let said = |b: &&Bench| find(b, pair).is_some_and(|c| c.verdict == verdict.name());
            let counted = benches.iter().filter(|b| !variant::is_variant(&b.id));
            counted.filter(said).map(|b| format!("`{}`", b.id)).collect()
        };
        let found = Verdict::ALL.map(with);
        let libraries = Family::of(pair.0, pair.1) == Family::Control && !have_one_engine(summary);
        let what =
            if libraries { format!(" ({})", provenance::engines(summary)) } else { String::new() };
        let name = format!("`{}` against `{}`{what}", pair.1, pair.0);
        let numbers = found.each_ref().map(|ids| ids.len().to_string());
        counts.row([name.clone()].into_iter().chain(numbers));
        if pairs::between_stacks(pair) {
            for (verdict, ids) in Verdict::ALL.iter().zip(&found).filter(|(_, ids)| !ids.is_empty())
            {
                let (verdict, ids) = (verdict.name(), ids.join(", "));
                lists.push_str(&format!("- {name}, **{verdict}**: {ids}\n"));
            }
            let variants = benches.iter().filter(|b| variant::is_variant(&b.id));
            let said =
                variants.filter_map(|b| Some(format!("`{}` {}", b.id, find(b, pair)?.verdict)));
            let said = said.collect::<Vec<_>>().join(", ");
            if !said.is_empty() {
                let mark = variant::MARK;
                lists.push_str(&format!("- {name}, variants ({mark}), not counted: {said}\n"));
            }
        }
    }
    format!("## Verdicts\n\n{}\n{lists}\n", counts.render())
}

fn charts(summary: &Summary) -> String {
    match chart::embedded(summary) {
        images if images.is_empty() => images,
        images => format!(
            "## Charts\n\nEvery ratio of the stacks with its interval; the grey band is the floor, and \
             what has no verdict is hollow.\n\n{images}\n"
        ),
    }
}

fn warnings(summary: &Summary) -> String {
    if summary.warnings.is_empty() {
        return String::new();
    }
    let list: String = summary.warnings.iter().map(|w| format!("- {w}\n")).collect();
    format!("## Warnings\n\n{list}\n")
}

fn groups(summary: &Summary) -> String {
    groups::of(&summary.benches)
        .map(|Group { name, title, benches }| {
            format!(
                "## {name}: {title}\n\n{}\n\n{}{}",
                provenance::caption(summary),
                stacks_table(benches),
                floors_table(benches, have_one_engine(summary))
            )
        })
        .collect()
}

/// Times of every arm, and the comparisons of the two stacks.
fn stacks_table(benches: &[Bench]) -> String {
    let arms = columns(benches.iter());
    let pairs = pairs::stacks(benches);
    let titles = ["benchmark".to_owned()]
        .into_iter()
        .chain(arms.iter().map(|arm| format!(">{arm}")))
        .chain([">rounds".to_owned()])
        .chain(pairs.iter().flat_map(|(base, other)| {
            [format!("{other} : {base}"), ">floor".to_owned(), "verdict".to_owned()]
        }));
    let mut table = Table::new(titles);
    for bench in benches {
        let time = |arm: &String| {
            bench.arms.get(arm).map_or_else(String::new, |a| units::duration(a.median_ns))
        };
        let rounds = bench.arms.values().map(|a| a.rounds_ns.len()).min().unwrap_or(0);
        let compared = pairs.iter().flat_map(|pair| match find(bench, *pair) {
            Some(c) => [
                units::ratio_within(c.ratio, c.ci),
                units::noise_floor(c.noise_floor),
                emphasised(c),
            ],
            None => Default::default(),
        });
        table.row(
            [variant::marked_code(&bench.id)]
                .into_iter()
                .chain(arms.iter().map(time))
                .chain([rounds.to_string()])
                .chain(compared),
        );
    }
    let footnote = variant::footnote(benches.iter().map(|bench| &*bench.id));
    let footnote = footnote.map(|text| format!("{text}.\n\n")).unwrap_or_default();
    format!("{}\n{footnote}", table.render())
}

/// The other comparisons, and the second opinion on all of them.
fn floors_table(benches: &[Bench], has_control: bool) -> String {
    let titles = ["benchmark", "comparison", "ratio", ">minima", ">floor", "verdict"];
    let mut table = Table::new(titles);
    for bench in benches {
        for c in &bench.comparisons {
            table.row([
                variant::marked_code(&bench.id),
                format!("{} : {}", c.other, c.base),
                units::ratio_within(c.ratio, c.ci),
                units::ratio(c.ratio_of_minima),
                units::noise_floor(c.noise_floor),
                emphasised(c),
            ]);
        }
    }
    format!(
        "<details><summary>All comparisons, with {}, floors and minima</summary>\n\n{}\n</details>\n\n",
        if has_control { "control" } else { "the two libmdbx" },
        table.render()
    )
}

fn emphasised(c: &Comparison) -> String {
    if is_verdict(c) { format!("**{}**", c.verdict) } else { c.verdict.clone() }
}

fn environment(summary: &Summary) -> String {
    let mut table = Table::new(["", ""]);
    for (name, value) in provenance::environment(summary) {
        table.row([name.to_owned(), value]);
    }
    format!("## Environment\n\n{}\n", table.render())
}

fn stacks(summary: &Summary) -> String {
    let mut rows = provenance::stacks(summary).into_iter();
    let mut table = Table::new(rows.next().unwrap_or_default());
    rows.for_each(|row| table.row(row));
    format!("## Stacks\n\n{}\n\n{}\n", provenance::STACKS, table.render())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn a_row_has_arms_ratio_interval_floor_and_verdict() {
        let text = render(&example::summary(), Origin::Published(None));
        let row = text.lines().find(|l| l.starts_with("| `B2/get/32B`")).expect("a row");
        for part in ["110 µs", "100 µs", "16", "1.10 [1.10, 1.10]", "1.0 %", "**faster**"] {
            assert!(row.contains(part), "{part} is not in {row}");
        }
    }

    #[test]
    fn banner_sections_and_warnings_are_there() {
        let text = render(&example::summary(), Origin::Published(None));
        assert!(text.starts_with("<!-- Generated") && text.contains("do not edit"));
        for section in ["Verdicts", "Warnings", "B2: point reads", "Environment", "Stacks"] {
            assert!(text.contains(&format!("## {section}\n")), "{section}");
        }
        assert!(text.contains("a warning; with its remedy"));
        assert!(text.contains("some-mdbx 1.2.3"));
    }

    #[test]
    fn a_variant_is_marked_explained_and_not_counted() {
        let mut summary = example::summary();
        let counts = |text: &str| {
            let start = "| `signet-unsync` against `reth`";
            let row = text.lines().find(|l| l.starts_with(start)).expect("a row");
            row.split('|').skip(2).take(3).map(|c| c.trim().to_owned()).collect::<Vec<_>>()
        };
        let text = render(&summary, Origin::Published(None));
        assert_eq!(counts(&text), ["1", "0", "0"]);
        assert!(!text.contains('†'), "{text}");
        summary.benches[0].id = "B2/get/32B/plain".into();
        let text = render(&summary, Origin::Published(None));
        assert_eq!(counts(&text), ["0", "0", "0"]);
        for part in [
            "variants (†), not counted: `B2/get/32B/plain` faster\n",
            "† a variant: another build or setting",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let rows = text.lines().filter(|l| l.starts_with("| `B2/get/32B/plain` † "));
        assert_eq!(rows.count(), 1 + summary.benches[0].comparisons.len(), "{text}");
    }

    #[test]
    fn an_interrupted_run_says_so() {
        let summary = Summary { complete: false, ..example::summary() };
        let text = render(&summary, Origin::Elsewhere("some/run"));
        assert!(text.contains("Interrupted"));
    }

    #[test]
    fn a_run_that_is_not_published_does_not_show_the_charts_of_one_that_is() {
        let summary = example::summary();
        let text = render(&summary, Origin::Elsewhere("some/run"));
        assert!(text.contains("the run some/run") && !text.contains(".svg"), "{text}");
        assert!(!text.contains("results/quick/summary.json"), "{text}");
        assert!(render(&summary, Origin::Published(None)).contains("results/quick/bindings.svg"));
    }

    #[test]
    fn every_table_says_what_reth_is() {
        let mut summary = example::summary();
        let fidelity = example::fidelity();
        let text = render(&summary, Origin::Published(Some(&fidelity)));
        let group = text.split("## B2").nth(1).expect("a group");
        assert!(group.lines().nth(2).is_some_and(|l| l.starts_with("reth = registry")), "{group}");
        assert!(text.contains("stand in for reth v1.11.3") && text.contains("`B2/get/32B` (1.10)"));
        if let Some(reth) = &mut summary.reth {
            reth.provenance = "v2.5.1".into();
            reth.source = Some(example::upstream());
            reth.packages = [("reth-libmdbx".to_owned(), "2.5.1".to_owned())].into();
        }
        let text = render(&summary, Origin::Published(Some(&fidelity)));
        assert!(text.contains("# Results: quick run on reth v2.5.1\n"), "{text}");
        assert!(text.contains("report results/quick-v2.5.1 > RESULTS_V2.5.1.md"), "{text}");
        assert!(text.contains("reth = reth-libmdbx v2.5.1 (upstream, commit d6324d63e27e)"));
        assert!(!text.contains("stand in for"), "{text}");
    }

    #[test]
    fn two_libraries_are_not_called_a_control() {
        let mut summary = example::summary();
        assert!(render(&summary, Origin::Published(None)).contains("control that must read 1.00"));
        if let Some(reth) = &mut summary.reth {
            reth.engine.commit = "other".into();
            reth.libmdbx = "0.13.12".into();
        }
        let text = render(&summary, Origin::Published(None));
        assert!(text.contains("`raw@signet` against `raw@reth` (libmdbx 0.13.12 against 0.13.7)"));
        assert!(text.contains("libmdbx's release and build options, and no control"), "{text}");
        for part in ["must read 1.00", "the same C code", "with control"] {
            assert!(!text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn two_builds_of_reth_have_a_document_of_their_names() {
        let text = render(&example::fidelity(), Origin::Elsewhere("some/run"));
        assert!(text.contains("`raw@registry` and `raw@v1.11.3` call libmdbx"), "{text}");
        assert!(text.contains("`reth@v1.11.3` against `reth@registry`"), "{text}");
    }
}
