//! `compare`: what changed between two runs.

use super::print;
use crate::{
    compare::columns,
    exit::Usage,
    stats::paired::Verdict,
    store, table,
    two_runs::{
        change::{Change, Changes, Standing},
        circumstances::{self, Difference, Topic},
    },
    units,
};
use anyhow::Result;
use bench_shared::summary::Summary;
use std::path::Path;

/// Prints what changed from `run_a` to `run_b`, each a directory or a summary; with `all` what did
/// not, too.
///
/// # Errors
/// If a file cannot be read, or the two have no comparison in common.
pub fn run(run_a: &Path, run_b: &Path, all: bool) -> Result<()> {
    let (a, b) = (store::read(run_a)?, store::read(run_b)?);
    let changes = Changes::between(&a, &b);
    let files = [run_a, run_b].map(|run| store::file(run).display().to_string());
    if changes.compared.is_empty() {
        let [a, b] = files;
        return Err(Usage(format!(
            "{a} and {b} have nothing in common: no benchmark with the same pair of arms is in both"
        ))
        .into());
    }
    print(&render([&a, &b], &files, &changes, all))
}

fn render(runs: [&Summary; 2], files: &[String; 2], changes: &Changes<'_>, all: bool) -> String {
    let differences = circumstances::between(runs[0], runs[1]);
    let listed: Vec<&Change<'_>> =
        changes.compared.iter().filter(|change| all || change.is_notable()).collect();
    let mut out = String::new();
    for ((name, run), file) in ["A", "B"].into_iter().zip(runs).zip(files) {
        out.push_str(&format!("{name}  {file}, started {}\n", run.started));
        out.push_str(&caveats(name, run));
    }
    out.push('\n');
    out.push_str(&circumstances::render(&differences));
    if listed.is_empty() {
        out.push_str("\nNo ratio changed beyond the noise of both runs.\n");
    } else {
        out.push_str(&format!("\n{}\n{LEGEND}", ratios(&listed)));
        out.push_str(&times(&listed, &differences));
    }
    let unlisted = |c: &&Change<'_>| !c.is_notable() && c.standing() != Standing::Same;
    match changes.compared.iter().filter(unlisted).count() {
        within if within > 0 && !all => out.push_str(&format!(
            "\nVerdicts gained or lost by a ratio that stayed within the noise: {within}; --all lists \
             them.\n"
        )),
        _ => {}
    }
    for (name, ids) in [("A", &changes.only_a), ("B", &changes.only_b)] {
        if !ids.is_empty() {
            out.push_str(&format!("\nonly in {name}:\n  {}\n", ids.join("\n  ")));
        }
    }
    out.push_str(&format!("\n{}\n", counts(changes)));
    out
}

fn caveats(name: &str, run: &Summary) -> String {
    let mut out = String::new();
    if !run.verified {
        out.push_str(&format!("   {name} was not verified: no figure of it means anything\n"));
    }
    if !run.complete {
        out.push_str(&format!("   {name} was interrupted: it has fewer rounds than planned\n"));
    }
    out
}

const LEGEND: &str = "\
Ratio: the base's time divided by the other's, with its 95 % interval. Change: ratio B divided by
ratio A. A ratio changed (!) if the change exceeds the sum of both floors, the intervals are apart,
and each run paired at least six rounds; (?) marks those with fewer. `=` is no measurable difference.
";

fn ratios(changes: &[&Change<'_>]) -> String {
    let headers =
        ["", "benchmark", "other : base", "ratio A", "ratio B", "change", "floors A, B", "verdict"];
    let mut table = table::plain(headers.map(str::to_owned));
    for change in changes {
        let (a, b) = (change.a, change.b);
        let mark = match (change.is_beyond_noise(), change.has_few_rounds()) {
            (true, _) => "!",
            (false, true) => "?",
            (false, false) => "",
        };
        table.add_row([
            mark.to_owned(),
            change.bench_a.id.clone(),
            format!("{} : {}", a.other, a.base),
            units::ratio_within(a.ratio, a.ci),
            units::ratio_within(b.ratio, b.ci),
            format!("×{}", precise(change.factor())),
            format!("{}, {}", units::noise_floor(a.noise_floor), units::noise_floor(b.noise_floor)),
            verdict(change),
        ]);
    }
    table.to_string()
}

/// A ratio near 1 with the digits that a floor of 1 % calls for.
fn precise(ratio: f64) -> String {
    if (0.1..9.995).contains(&ratio) { format!("{ratio:.3}") } else { units::ratio(ratio) }
}

fn verdict(change: &Change<'_>) -> String {
    let short =
        |verdict: &str| if verdict == Verdict::None.name() { "=" } else { verdict }.to_owned();
    let (a, b) = (short(&change.a.verdict), short(&change.b.verdict));
    let fate = match change.standing() {
        Standing::Flipped => " FLIPPED",
        Standing::Gained => " gained",
        Standing::Lost => " lost",
        Standing::Same => "",
    };
    format!("{a} → {b}{fate}")
}

/// Each arm's time in B divided by that in A, for the benchmarks of these changes.
fn times(changes: &[&Change<'_>], differences: &[Difference]) -> String {
    // The same benchmark once, however many of its pairs changed; flips have upset the order.
    let mut rows: Vec<&Change<'_>> = Vec::new();
    for change in changes {
        if rows.iter().all(|row| row.bench_a.id != change.bench_a.id) {
            rows.push(change);
        }
    }
    let arms: Vec<String> = columns(rows.iter().map(|row| row.bench_a))
        .into_iter()
        .filter(|arm| rows.iter().any(|row| row.bench_b.arms.contains_key(arm)))
        .collect();
    let headers = ["benchmark".to_owned()].into_iter().chain(arms.iter().cloned());
    let mut table = table::plain(headers);
    for row in rows {
        let quotient = |arm: &String| match (row.bench_a.arms.get(arm), row.bench_b.arms.get(arm)) {
            (Some(a), Some(b)) => format!("×{}", precise(b.median_ns / a.median_ns)),
            _ => String::new(),
        };
        let id = [row.bench_a.id.clone()].into_iter();
        table.add_row(id.chain(arms.iter().map(quotient)));
    }
    let table = table::right(table, 1);
    format!("\nFor information, times: {}.\n{table}\n", comparability(differences))
}

/// What the times of two runs are worth beside each other.
fn comparability(differences: &[Difference]) -> &'static str {
    let differs = |topic| differences.iter().any(|d| d.topic == topic);
    if differs(Topic::Scale) {
        "median per iteration, B divided by A. NOT COMPARABLE, since the scales differ"
    } else if differs(Topic::Host) {
        "median per iteration, B divided by A. NOT COMPARABLE, since the hosts differ"
    } else {
        "median per iteration, B divided by A. The files describe the same host; if it is not the \
         same\nmachine in the same state, these are NOT COMPARABLE"
    }
}

fn counts(changes: &Changes<'_>) -> String {
    let changed = changes.compared.iter().filter(|change| change.is_beyond_noise()).count();
    let few = match changes.compared.iter().filter(|change| change.has_few_rounds()).count() {
        0 => String::new(),
        few => format!(" ({few} of too few rounds)"),
    };
    format!(
        "{} compared{few}, {changed} changed; verdicts: {} gained, {} lost, {} flipped",
        changes.compared.len(),
        changes.count(Standing::Gained),
        changes.count(Standing::Lost),
        changes.count(Standing::Flipped),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    fn rendered(a: &Summary, b: &Summary, all: bool) -> String {
        let files = ["first/summary.json", "second/summary.json"].map(str::to_owned);
        render([a, b], &files, &Changes::between(a, b), all)
    }

    fn last(text: &str) -> &str {
        text.lines().last().unwrap_or_default()
    }

    /// The example in which signet is a tenth slower.
    fn flipped() -> Summary {
        let mut summary = example::summary();
        let stacks = &mut summary.benches[0].comparisons[0];
        (stacks.ratio, stacks.ci) = (0.9, [0.89, 0.91]);
        stacks.verdict = Verdict::Slower.name().into();
        summary
    }

    #[test]
    fn a_flip_is_listed_and_counted() {
        let text = rendered(&example::summary(), &flipped(), false);
        let row = text.lines().find(|l| l.contains("signet-unsync : reth")).expect("a row");
        for part in [
            "!",
            "B2/get/32B",
            "1.10 [1.10, 1.10]",
            "0.90 [0.89, 0.91]",
            "×0.818",
            "1.0 %, 1.0 %",
            "faster → slower FLIPPED",
        ] {
            assert!(row.contains(part), "{part} is not in {row}");
        }
        assert!(!text.contains("raw@signet : raw@reth"), "the control did not change\n{text}");
        let counts = "2 compared, 1 changed; verdicts: 0 gained, 0 lost, 1 flipped";
        assert_eq!(last(&text), counts);
    }

    #[test]
    fn without_a_change_there_are_rows_for_all_only() {
        let summary = example::summary();
        let text = rendered(&summary, &summary, false);
        assert!(text.contains("No ratio changed") && !text.contains("B2/get/32B"), "{text}");
        let text = rendered(&summary, &summary, true);
        assert!(text.contains("faster → faster") && text.contains("= → ="), "{text}");
        let counts = "2 compared, 0 changed; verdicts: 0 gained, 0 lost, 0 flipped";
        assert_eq!(last(&text), counts);
    }

    #[test]
    fn a_verdict_lost_within_the_noise_is_counted_and_not_listed() {
        let (a, mut b) = (example::summary(), example::summary());
        b.benches[0].comparisons[0].verdict = Verdict::None.name().into();
        let text = rendered(&a, &b, false);
        assert!(text.contains("stayed within the noise: 1;"), "{text}");
        assert!(!text.contains("faster → ="), "{text}");
        assert!(last(&text).ends_with("0 gained, 1 lost, 0 flipped"), "{text}");
        let text = rendered(&a, &b, true);
        assert!(text.contains("faster → = lost") && !text.contains("stayed within"), "{text}");
    }

    #[test]
    fn times_are_said_to_be_comparable_on_one_host_alone() {
        let (a, mut b) = (example::summary(), flipped());
        b.benches[0].arms.get_mut("reth").expect("an arm").median_ns *= 2.0;
        let text = rendered(&a, &b, false);
        assert!(text.contains("×2.000") && text.contains("describe the same host"), "{text}");
        b.host.cpu = "another".into();
        assert!(rendered(&a, &b, false).contains("NOT COMPARABLE, since the hosts differ"));
        b.scale = "large".into();
        assert!(rendered(&a, &b, false).contains("NOT COMPARABLE, since the scales differ"));
    }

    #[test]
    fn few_rounds_and_doubtful_runs_are_pointed_out() {
        let mut few = flipped();
        (few.verified, few.complete) = (false, false);
        for arm in few.benches[0].arms.values_mut() {
            arm.rounds_ns.truncate(2);
        }
        let text = rendered(&example::summary(), &few, false);
        assert!(
            text.contains("B was not verified") && text.contains("B was interrupted"),
            "{text}"
        );
        assert!(!text.contains("A was"), "{text}");
        let counts =
            "2 compared (2 of too few rounds), 0 changed; verdicts: 0 gained, 0 lost, 1 flipped";
        assert_eq!(last(&text), counts);
        assert!(text.contains("FLIPPED"), "a flip is listed whatever the rounds\n{text}");
    }
}
