//! The headline in README.md: a row per group of a published run, and its charts.

use super::{chart, fidelity, markdown::Table, place, provenance, readme::between};
use crate::{
    groups::{self, Group},
    pairs::{of_pair, stacks},
    stats::{median, paired::Verdict},
    units, variant,
};
use bench_shared::summary::{Bench, Comparison, Summary};

const BEGIN: &str = "<!-- headline:begin -->";
const END: &str = "<!-- headline:end -->";

/// What a headline says beside the run that it is of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// The published run that compares the published crates with the real reth.
    pub fidelity: Option<&'a Summary>,
    /// Results documents of other published runs than the two that README.md names anyway.
    pub others: &'a [String],
}

/// The text with its headline taken from `summary`; `None` if it has no markers for one.
pub fn splice(text: &str, summary: &Summary, beside: Beside<'_>) -> Option<String> {
    between(text, [BEGIN, END], &headline(summary, beside))
}

fn headline(summary: &Summary, beside: Beside<'_>) -> String {
    let stacks = stacks(&summary.benches);
    if stacks.is_empty() {
        return "No stacks were compared in the published run.".to_owned();
    }
    let [base, other] = chart::names(&stacks);
    let note = fidelity::note(summary, beside.fidelity)
        .map_or_else(String::new, |note| format!("{note}\n\n"));
    format!(
        "{}{}\n\n{note}A ratio is {base}'s time divided by {other}'s: **above 1, {other} takes less time**; \
         2.00 is half of {base}'s\ntime, 0.50 is twice as much. Counts are faster / slower / no \
         measurable difference, said of {other}. Ratios are the\nsmallest and the largest of those \
         with a verdict, slower ones first. A median floor of 10 % means that half of the\n\
         comparisons of the group could give no verdict on an effect below that.{}\n\n{}\n{}",
        origin(summary),
        links(beside.others),
        left_out(summary),
        table(&variant::counted(&summary.benches), &stacks),
        chart::embedded(summary).trim_end()
    )
}

/// Links to results documents, if there are any.
fn links(documents: &[String]) -> String {
    if documents.is_empty() {
        return String::new();
    }
    let links: Vec<_> = documents.iter().map(|file| format!("[{file}]({file})")).collect();
    format!(" Other published runs: {}.", links.join(", "))
}

/// What is not in the table, if anything is not.
fn left_out(summary: &Summary) -> String {
    let count = summary.benches.len() - variant::counted(&summary.benches).len();
    if count == 0 {
        return String::new();
    }
    let file = place::document(summary).unwrap_or_default();
    format!(
        "\nNot counted are {count} variants (another build or setting of reth's side, or unlike tables), \
         which [{file}]({file}) marks {}.",
        variant::MARK
    )
}

/// Where the figures come from.
fn origin(summary: &Summary) -> String {
    let Summary { mode, rounds, started, host, .. } = summary;
    let file = place::document(summary).unwrap_or_default();
    format!(
        "The published {mode} run of {}, {rounds} rounds of each side: {}, {} logical CPUs; suite at \
         commit `{}`;\n{}.\nEverything in it: [{file}]({file}).",
        started.get(..10).unwrap_or(started),
        host.cpu,
        host.cores,
        host.git.get(..12).unwrap_or(&host.git),
        provenance::caption(summary),
    )
}

fn table(benches: &[Bench], stacks: &[(&str, &str)]) -> String {
    let titles = ["group".to_owned(), ">comparisons".to_owned()]
        .into_iter()
        .chain(stacks.iter().flat_map(|(base, other)| {
            [format!(">{other} : {base}"), "ratios with a verdict".to_owned()]
        }))
        .chain([">median floor".to_owned()]);
    let mut table = Table::new(titles);
    for Group { name, title, benches } in groups::of(benches) {
        table.row(row(format!("**{name}** {title}"), benches, stacks));
    }
    table.row(row("all".to_owned(), benches, stacks));
    table.render()
}

fn row(name: String, benches: &[Bench], stacks: &[(&str, &str)]) -> Vec<String> {
    let compared = |pair: &(&str, &str)| -> Vec<&Comparison> { of_pair(benches, *pair).collect() };
    let all: Vec<_> = stacks.iter().flat_map(compared).collect();
    let mut cells = vec![name, all.len().to_string()];
    for compared in stacks.iter().map(compared) {
        let counts = Verdict::ALL.map(|verdict| with(&compared, verdict).len().to_string());
        let ranges = [Verdict::Slower, Verdict::Faster].map(|v| range(&with(&compared, v)));
        let ranges: Vec<_> = ranges.into_iter().flatten().collect();
        cells.extend([counts.join(" / "), ranges.join("; ")]);
    }
    let mut floors: Vec<f64> = all.iter().map(|c| c.noise_floor).collect();
    cells.push(if floors.is_empty() { String::new() } else { units::percent(median(&mut floors)) });
    cells
}

/// Ratios of the comparisons with this verdict.
fn with(comparisons: &[&Comparison], verdict: Verdict) -> Vec<f64> {
    let said = comparisons.iter().filter(|c| c.verdict == verdict.name());
    said.map(|c| c.ratio).collect()
}

/// `1.15–2.30`, or the one that there is. Ratios on both sides of 1 never share a range: it would
/// seem to hold 1.
fn range(ratios: &[f64]) -> Option<String> {
    let low = ratios.iter().copied().min_by(f64::total_cmp)?;
    let high = ratios.iter().copied().max_by(f64::total_cmp)?;
    let [low, high] = [low, high].map(units::ratio);
    Some(if low == high { low } else { format!("{low}–{high}") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    /// The example with one benchmark for each ratio and verdict.
    fn of(ratios: &[(f64, Verdict)]) -> Summary {
        let summary = example::summary();
        let bench = |&(ratio, verdict): &(f64, Verdict)| {
            let mut bench = summary.benches[0].clone();
            bench.comparisons.truncate(1);
            let c = &mut bench.comparisons[0];
            (c.ratio, c.verdict, c.noise_floor) = (ratio, verdict.name().to_owned(), ratio / 100.0);
            bench
        };
        Summary { benches: ratios.iter().map(bench).collect(), ..summary.clone() }
    }

    #[test]
    fn a_row_counts_verdicts_and_keeps_directions_apart() {
        use Verdict::{Faster, None, Slower};
        let summary =
            of(&[(1.15, Faster), (2.3, Faster), (0.91, Slower), (9.0, None), (1.5, Faster)]);
        let text = headline(&summary, Beside::default());
        let row = text.lines().find(|l| l.contains("**B2** point reads")).expect("a row");
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let expected = ["", "**B2** point reads", "5", "3 / 1 / 1", "0.91; 1.15–2.30", "1.5 %", ""];
        assert_eq!(cells, expected);
    }

    #[test]
    fn variants_are_not_counted() {
        let mut summary = of(&[(1.15, Verdict::Faster), (9.0, Verdict::Faster)]);
        assert!(!headline(&summary, Beside::default()).contains("Not counted"));
        summary.benches[1].id = "B2/get/32B/plain".into();
        let plain = bench_shared::catalogue::bench("B2/get/32B/plain");
        assert!(plain.is_some(), "an id of the catalogue");
        let text = headline(&summary, Beside::default());
        let row = text.lines().find(|l| l.contains("| all")).expect("a row");
        assert!(row.contains("1 / 0 / 0") && !row.contains("9.00"), "{row}");
        assert!(text.contains("Not counted are 1 variants"), "{text}");
    }

    #[test]
    fn it_says_where_the_figures_come_from() {
        let text = headline(&example::summary(), Beside::default());
        for part in
            ["quick run of 2025-01-02", "a CPU, 2 logical", "`0123456789ab`", "reth = registry"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.contains("above 1, signet takes less time"), "{text}");
        assert!(text.contains("](results/quick/bindings.svg)") && !text.contains("hotdb.svg"));
    }

    #[test]
    fn only_the_headline_changes() {
        let text = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let new = splice(&text, &example::summary(), Beside::default()).expect("markers");
        assert!(new.starts_with("before\n") && new.ends_with("\nafter\n") && !new.contains("old"));
        assert_eq!(splice(&new, &example::summary(), Beside::default()).as_ref(), Some(&new));
        assert_eq!(splice("no markers", &example::summary(), Beside::default()), None);
    }
}
