//! `show`: the rounds of one benchmark.

use super::print;
use crate::{
    compare::columns,
    lookup,
    sparkline::{ENDS, Scale},
    stats::{maximum, minimum},
    store, table, units,
};
use anyhow::Result;
use bench_shared::{
    catalogue,
    summary::{Bench, Comparison, Summary},
};
use comfy_table::Table;
use std::path::Path;

/// Prints the benchmark `id` of a run: its directory, or its summary.
///
/// # Errors
/// If the file cannot be read, or no single benchmark of it is meant by `id`.
pub fn run(run: &Path, id: &str) -> Result<()> {
    let summary = store::read(run)?;
    let bench = lookup::bench(&summary, id)?;
    print(&render(&summary, bench))
}

fn render(summary: &Summary, bench: &Bench) -> String {
    let arms = columns(std::iter::once(bench));
    let mut out = heading(summary, bench);
    out.push_str(&format!("\n{}\n", arms_table(bench, &arms)));
    let values = bench.arms.values().flat_map(|arm| arm.rounds_ns.iter().copied());
    if let Some(scale) = Scale::over(values) {
        out.push_str(&format!(
            "{} {} to {} {}, one scale for all arms; each block is a factor of {:.3} above the last\n",
            ENDS[0],
            units::duration(scale.low),
            units::duration(scale.high),
            ENDS[1],
            scale.step(),
        ));
    }
    if !bench.comparisons.is_empty() {
        out.push_str(&format!("\n{}\n", comparisons(&bench.comparisons)));
        out.push_str(
            "Ratio: the base's time divided by the other's, with its 95 % interval; the verdict is \
             said of the other.\n",
        );
    }
    out.push_str(&format!("\n{}\n", rounds(bench, &arms)));
    out
}

/// What the benchmark is, as far as this version's catalogue knows it.
fn heading(summary: &Summary, bench: &Bench) -> String {
    let mut out = bench.id.clone();
    if let Some(group) = catalogue::group(&bench.group) {
        out.push_str(&format!("  {}", group.title));
    }
    out.push('\n');
    match catalogue::bench(&bench.id) {
        Some(entry) => {
            out.push_str(&format!("one iteration: {}\n", entry.what));
            out.push_str(&format!("elements: {} (each a {})\n", bench.elements, entry.unit()));
        }
        None => out.push_str(&format!("elements: {}\n", bench.elements)),
    }
    if let Some(group) = catalogue::group(&bench.group) {
        out.push_str(&format!("timed: {}\n", group.timed));
        out.push_str(&format!("a difference means: {}\n", group.meaning));
    }
    let (mode, scale, started) = (&summary.mode, &summary.scale, &summary.started);
    out.push_str(&format!("run: {mode}, {scale} scale, started {started}\n"));
    if let Some(arm) = &summary.self_test {
        out.push_str(&format!("a self-test: {arm} against itself\n"));
    }
    let unverified: Vec<&str> =
        bench.arms.iter().filter(|(_, arm)| !arm.verified).map(|(name, _)| name.as_str()).collect();
    if !unverified.is_empty() {
        let names = unverified.join(", ");
        out.push_str(&format!("NOT VERIFIED: no figure of {names} means anything\n"));
    }
    out
}

fn arms_table(bench: &Bench, arms: &[String]) -> Table {
    let headers = ["arm", "by round", "median", "min", "max", "max : min", "rounds"];
    let mut table = table::plain(headers.map(str::to_owned));
    let all = bench.arms.values().flat_map(|arm| arm.rounds_ns.iter().copied());
    let scale = Scale::over(all);
    for (name, arm) in arms.iter().filter_map(|name| Some((name, bench.arms.get(name)?))) {
        let (least, most) = (minimum(&arm.rounds_ns), maximum(&arm.rounds_ns));
        table.add_row([
            name.clone(),
            scale.map_or_else(String::new, |scale| scale.draw(&arm.rounds_ns)),
            units::duration(arm.median_ns),
            units::duration(least),
            units::duration(most),
            units::ratio(most / least),
            arm.rounds_ns.len().to_string(),
        ]);
    }
    table::right(table, 2)
}

fn comparisons(comparisons: &[Comparison]) -> Table {
    // Files of older versions have none.
    let has_p = comparisons.iter().any(|c| c.p_value.is_some());
    let p_header = has_p.then_some("p, uncorrected");
    let headers = ["other : base", "ratio", "floor", "minima"].into_iter().chain(p_header);
    let mut table = table::plain(headers.chain(["verdict"]).map(str::to_owned));
    for c in comparisons {
        let p = has_p.then(|| c.p_value.map_or_else(String::new, p_value));
        let cells = [
            format!("{} : {}", c.other, c.base),
            units::ratio_within(c.ratio, c.ci),
            units::noise_floor(c.noise_floor),
            units::ratio(c.ratio_of_minima),
        ];
        table.add_row(cells.into_iter().chain(p).chain([c.verdict.clone()]));
    }
    table
}

fn p_value(p: f64) -> String {
    if p < 0.001 { format!("{p:.1e}") } else { format!("{p:.3}") }
}

/// A row per round, named as its raw files are where the summary says which it was; an arm of fewer
/// rounds ends in empty cells.
fn rounds(bench: &Bench, arms: &[String]) -> Table {
    let known = !bench.rounds.is_empty();
    let first = known.then(|| "first".to_owned());
    let headers = ["round".to_owned()].into_iter().chain(first).chain(arms.iter().cloned());
    let mut table = table::plain(headers);
    let most = bench.arms.values().map(|arm| arm.rounds_ns.len()).max().unwrap_or(0);
    for round in 0..most {
        let time = |arm: &String| {
            let ns = bench.arms.get(arm).and_then(|arm| arm.rounds_ns.get(round));
            ns.map_or_else(String::new, |ns| units::duration(*ns))
        };
        let (name, first) = match bench.rounds.get(round) {
            Some(of) => (format!("r{:02}", of.round), Some(of.first.clone())),
            None => ((round + 1).to_string(), known.then(String::new)),
        };
        table.add_row([name].into_iter().chain(first).chain(arms.iter().map(time)));
    }
    table::right(table, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    fn rendered(summary: &Summary) -> String {
        render(summary, &summary.benches[0])
    }

    /// Cells of the first line that starts with `first`, which is its first cell.
    fn cells(text: &str, first: &str) -> Vec<String> {
        let row = text.lines().find(|l| l.trim_start().starts_with(&format!("{first} ")));
        row.expect(first)
            .split("  ")
            .map(|c| c.trim().to_owned())
            .filter(|c| !c.is_empty())
            .collect()
    }

    #[test]
    fn each_arm_has_a_sparkline_and_its_spread() {
        let mut summary = example::summary();
        let bench = &mut summary.benches[0];
        bench.arms.get_mut("reth").expect("an arm").rounds_ns = vec![1e5, 2e5, 4e5];
        bench.arms.get_mut("reth").expect("an arm").median_ns = 2e5;
        for arm in ["raw@reth", "raw@signet", "signet-unsync"] {
            bench.arms.get_mut(arm).expect("an arm").rounds_ns = vec![1e5];
        }
        let text = rendered(&summary);
        assert_eq!(
            cells(&text, "reth"),
            ["reth", "▁▅█", "200 µs", "100 µs", "400 µs", "4.00", "3"],
            "{text}"
        );
        assert!(text.contains("▁ 100 µs to 400 µs █, one scale"), "{text}");
        assert!(text.contains("a factor of 1.189"), "the eighth root of 4\n{text}");
        // The other arms have one round only.
        assert_eq!(cells(&text, "3"), ["3", "400 µs"]);
    }

    #[test]
    fn comparisons_have_p_values_where_the_file_has() {
        let mut summary = example::summary();
        let row = cells(&rendered(&summary), "signet-unsync : reth");
        assert_eq!(
            row,
            ["signet-unsync : reth", "1.10 [1.10, 1.10]", "1.0 %", "1.10", "3.1e-5", "faster"]
        );
        for comparison in &mut summary.benches[0].comparisons {
            comparison.p_value = None;
        }
        let text = rendered(&summary);
        assert!(!text.contains("uncorrected"), "{text}");
        assert_eq!(cells(&text, "signet-unsync : reth").len(), 5);
    }

    #[test]
    fn rounds_are_in_the_order_of_columns() {
        let text = rendered(&example::summary());
        let header = text.lines().find(|l| l.trim_start().starts_with("round ")).expect("a header");
        let names: Vec<_> = header.split_whitespace().collect();
        assert_eq!(names, ["round", "raw@reth", "reth", "raw@signet", "signet-unsync"]);
        assert_eq!(cells(&text, "16")[1..], ["100 µs", "110 µs", "100 µs", "100 µs"]);
    }

    #[test]
    fn the_purpose_is_that_of_the_catalogue() {
        let mut summary = example::summary();
        let entry = catalogue::bench("B2/get/32B").expect("an entry");
        let text = rendered(&summary);
        assert!(text.contains(&format!("one iteration: {}\n", entry.what)), "{text}");
        assert!(text.contains("NOT VERIFIED: no figure of raw@reth, "), "{text}");
        summary.benches[0].id = "Z9/unknown".into();
        summary.benches[0].group = "Z9".into();
        let text = rendered(&summary);
        assert!(text.starts_with("Z9/unknown\nelements: 1000\n"), "{text}");
        assert!(!text.contains("one iteration"), "{text}");
    }
}
