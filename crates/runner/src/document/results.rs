//! RESULTS.md and RESULTS_SEQUENTIAL.md: everything a run says, from its summary alone, so that the
//! document can be made again from the published file and compared.

use super::{chart, markdown::Table};
use crate::{
    arms::Family,
    compare::columns,
    stats::paired::Verdict,
    units::{self, percent},
};
use bench_shared::{
    catalogue,
    summary::{Bench, Comparison, Side, Summary},
};

/// Document of a mode.
pub fn file_name(mode: &str) -> &'static str {
    if mode == "sequential" { "RESULTS_SEQUENTIAL.md" } else { "RESULTS.md" }
}

/// The document.
pub fn render(summary: &Summary) -> String {
    let Summary { mode, .. } = summary;
    let mut out = format!(
        "<!-- Generated from results/{mode}/summary.json by
     `cargo run -p bench-runner -- report results/{mode} > {}`: do not edit. -->

# Results: {mode} run

",
        file_name(mode)
    );
    for section in [
        standing(summary),
        reading(),
        by_verdict(&summary.benches),
        charts(summary),
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

pub(super) fn reading() -> String {
    "## How to read it

- **Times** are per iteration: the median over the rounds, each round the median of one process.
- **Ratio** is the base's time divided by the other's: 2.00 reads \"the other arm is twice as
  fast\". It is the median over the rounds, which pair neighbours in time. In brackets the 95 %
  bootstrap interval.
- **Floor** is the noise floor: the most that an arm differed from itself (odd against even rounds)
  or, between the stacks, that the two `raw` arms, which run the same C code, differed from each
  other; at least 1 %.
- **Verdict** is `faster` or `slower`, said of the other arm, only if at least six rounds were
  paired, the interval excludes 1, the ratio is beyond the floor, and the comparison holds among all
  of its kind (Benjamini–Hochberg, 5 %; stack against stack, wrapper against floor, and control are
  three kinds). Fewer than six rounds get no verdict.
- **Minima** is the ratio of the two arms' fastest rounds, a second opinion.
- `raw@reth` and `raw@signet` call libmdbx directly through each side's `-sys` crate: the floor
  under each wrapper, and a control that must read 1.00.

METHODOLOGY.md says how the figures are made, BENCH_SPEC.md what each benchmark does. The samples of
every process are in `raw/`, one archive per group, beside the `summary.json` that holds each round.

"
    .to_owned()
}

/// Comparisons of every benchmark in the order in which pairs first occur.
pub(super) fn pairs(benches: &[Bench]) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    for c in benches.iter().flat_map(|b| &b.comparisons) {
        let pair = (c.base.as_str(), c.other.as_str());
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}

/// Whether a pair is the two stacks, rather than a floor and what stands on it.
pub(super) fn between_stacks((base, other): (&str, &str)) -> bool {
    Family::of(base, other) == Family::Stacks
}

/// The comparison of a pair of arms.
pub(super) fn find<'a>(bench: &'a Bench, (base, other): (&str, &str)) -> Option<&'a Comparison> {
    bench.comparisons.iter().find(|c| c.base == base && c.other == other)
}

fn by_verdict(benches: &[Bench]) -> String {
    let mut counts = Table::new(["comparison", ">faster", ">slower", ">no measurable difference"]);
    let mut lists = String::new();
    for pair in pairs(benches) {
        let with = |verdict: Verdict| -> Vec<String> {
            let said = |b: &&Bench| find(b, pair).is_some_and(|c| c.verdict == verdict.name());
            benches.iter().filter(said).map(|b| format!("`{}`", b.id)).collect()
        };
        let found = Verdict::ALL.map(with);
        let name = format!("`{}` against `{}`", pair.1, pair.0);
        let numbers = found.each_ref().map(|ids| ids.len().to_string());
        counts.row([name.clone()].into_iter().chain(numbers));
        if between_stacks(pair) {
            for (verdict, ids) in Verdict::ALL.iter().zip(&found).filter(|(_, ids)| !ids.is_empty())
            {
                let (verdict, ids) = (verdict.name(), ids.join(", "));
                lists.push_str(&format!("- {name}, **{verdict}**: {ids}\n"));
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
    summary
        .benches
        .chunk_by(|a, b| a.group == b.group)
        .map(|benches| {
            let name = &benches[0].group;
            let title = catalogue::group(name).map_or("", |g| g.title);
            format!("## {name}: {title}\n\n{}{}", stacks_table(benches), floors_table(benches))
        })
        .collect()
}

/// Times of every arm, and the comparisons of the two stacks.
fn stacks_table(benches: &[Bench]) -> String {
    let arms = columns(benches.iter());
    let pairs: Vec<_> = pairs(benches).into_iter().filter(|p| between_stacks(*p)).collect();
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
            Some(c) => [ratio(c), percent(c.noise_floor), emphasised(&c.verdict)],
            None => Default::default(),
        });
        table.row(
            [format!("`{}`", bench.id)]
                .into_iter()
                .chain(arms.iter().map(time))
                .chain([rounds.to_string()])
                .chain(compared),
        );
    }
    format!("{}\n", table.render())
}

/// The other comparisons, and the second opinion on all of them.
fn floors_table(benches: &[Bench]) -> String {
    let titles = ["benchmark", "comparison", "ratio", ">minima", ">floor", "verdict"];
    let mut table = Table::new(titles);
    for bench in benches {
        for c in &bench.comparisons {
            table.row([
                format!("`{}`", bench.id),
                format!("{} : {}", c.other, c.base),
                ratio(c),
                units::ratio(c.ratio_of_minima),
                percent(c.noise_floor),
                emphasised(&c.verdict),
            ]);
        }
    }
    format!(
        "<details><summary>All comparisons, with control, floors and minima</summary>\n\n{}\n</details>\n\n",
        table.render()
    )
}

fn ratio(c: &Comparison) -> String {
    let [low, high] = c.ci.map(units::ratio);
    format!("{} [{low}, {high}]", units::ratio(c.ratio))
}

fn emphasised(verdict: &str) -> String {
    if verdict == Verdict::None.name() { verdict.to_owned() } else { format!("**{verdict}**") }
}

fn environment(summary: &Summary) -> String {
    let mut table = Table::new(["", ""]);
    for (name, value) in environment_rows(summary) {
        table.row([name.to_owned(), value]);
    }
    format!("## Environment\n\n{}\n", table.render())
}

/// Names and values of the environment, in Markdown.
pub(super) fn environment_rows(summary: &Summary) -> Vec<(&'static str, String)> {
    let (host, conditions) = (&summary.host, &summary.conditions);
    let pinned = host.pinned_cpu.map_or_else(|| "none".to_owned(), |cpu| format!("CPU {cpu}"));
    let unknown = || "unknown".to_owned();
    let load = |load: Option<[f64; 3]>| {
        load.map_or_else(unknown, |l| l.map(|value| format!("{value:.2}")).join(" "))
    };
    let share = |share: Option<f64>| share.map_or_else(unknown, percent);
    let flags: Vec<_> =
        conditions.flags.iter().map(|(name, value)| format!("{name}={value}")).collect();
    vec![
        ("CPU", host.cpu.clone()),
        ("logical CPUs", host.cores.to_string()),
        ("memory", conditions.memory.map_or_else(unknown, units::bytes)),
        ("kernel", host.kernel.clone()),
        (
            "frequency governor",
            conditions.governor.clone().unwrap_or_else(|| "none (the kernel sets none)".to_owned()),
        ),
        ("file system of the databases", host.db_fs.clone()),
        ("bench processes pinned to", pinned),
        ("load average before (1, 5, 15 min)", load(conditions.load_before)),
        ("load average after", load(conditions.load_after)),
        ("CPU time of other programs just before", share(conditions.other_load)),
        ("CPU time stolen by the hypervisor", share(conditions.steal)),
        ("rustc", host.rustc.clone()),
        ("compiler flags set", if flags.is_empty() { "none".to_owned() } else { flags.join(" ") }),
        ("suite", format!("`{}`", host.git)),
        ("seed of the order and the bootstrap", summary.seed.to_string()),
    ]
}

fn stacks(summary: &Summary) -> String {
    let mut rows = stack_rows(summary).into_iter();
    let mut table = Table::new(rows.next().unwrap_or_default());
    rows.for_each(|row| table.row(row));
    format!("## Stacks\n\n{STACKS}\n\n{}\n", table.render())
}

/// What stands above the table of the stacks.
pub(super) const STACKS: &str = "Provenance `registry` is built from published crates alone; for the reth side \
     those are a published fork of its binding and a typed layer over reth's own codecs \
     (METHODOLOGY.md). Checksums are those of Cargo.lock; the crates of the suite itself have \
     none.";

/// The sides' names, then a name and each side's value, in Markdown.
pub(super) fn stack_rows(summary: &Summary) -> Vec<Vec<String>> {
    let packages = |side: &Side| -> String {
        let package = |(name, version): (&String, &String)| match side.checksums.get(name) {
            Some(sum) => format!("{name} {version} (`{}…`)", sum.get(..8).unwrap_or(sum)),
            None => format!("{name} {version}"),
        };
        side.packages.iter().map(package).collect::<Vec<_>>().join(", ")
    };
    let sides: Vec<_> = summary.sides().collect();
    let titles = std::iter::once("").chain(sides.iter().map(|(name, _)| *name));
    let mut rows = vec![titles.map(str::to_owned).collect()];
    let mut row = |name: &str, of: &dyn Fn(&Side) -> String| {
        let values = sides.iter().map(|(_, side)| of(side));
        rows.push(std::iter::once(name.to_owned()).chain(values).collect());
    };
    row("provenance", &|s| s.provenance.clone());
    row("packages (start of the checksum)", &packages);
    row("libmdbx", &|s| format!("{} ({})", s.libmdbx, s.engine.commit));
    row("compiled by", &|s| s.engine.compiler.clone());
    row("with flags", &|s| format!("`{}`", s.engine.flags));
    row("debug assertions", &|s| if s.engine.debug { "on" } else { "off" }.to_owned());
    row("options", &|s| s.engine.options.clone());
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn a_row_has_arms_ratio_interval_floor_and_verdict() {
        let text = render(&example::summary());
        let row = text.lines().find(|l| l.starts_with("| `B2/get/32B`")).expect("a row");
        for part in ["110 µs", "100 µs", "16", "1.10 [1.10, 1.10]", "1.0 %", "**faster**"] {
            assert!(row.contains(part), "{part} is not in {row}");
        }
    }

    #[test]
    fn banner_sections_and_warnings_are_there() {
        let text = render(&example::summary());
        assert!(text.starts_with("<!-- Generated") && text.contains("do not edit"));
        for section in ["Verdicts", "Warnings", "B2: point reads", "Environment", "Stacks"] {
            assert!(text.contains(&format!("## {section}\n")), "{section}");
        }
        assert!(text.contains("a warning; with its remedy"));
        assert!(text.contains("some-mdbx 1.2.3"));
    }

    #[test]
    fn an_interrupted_run_says_so() {
        let summary = Summary { complete: false, ..example::summary() };
        assert!(render(&summary).contains("Interrupted"));
    }
}
