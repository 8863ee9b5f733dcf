//! The generated documents of the repository are those of its catalogue and its results.

mod support;

use bench_runner::{
    document::{fidelity, place},
    publish::Published,
};
use std::{collections::BTreeSet, fs, path::Path};
use support::{root, runner};

fn printed(args: &[&str]) -> String {
    let output = runner().current_dir(root()).args(args).output().expect("run");
    assert!(output.status.success(), "{}", support::text(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn assert_same(document: &str, generated: &str, command: &str) {
    let text = fs::read_to_string(root().join(document)).unwrap_or_default();
    let difference = text.lines().zip(generated.lines()).position(|(a, b)| a != b);
    assert!(
        text == generated,
        "{document} differs from what generates it, from line {}; run `{command}`",
        difference.unwrap_or_else(|| text.lines().count().min(generated.lines().count())) + 1
    );
}

#[test]
fn the_specification_is_that_of_the_catalogue() {
    let command = "cargo run -p bench-runner -- spec > BENCH_SPEC.md";
    assert_same("BENCH_SPEC.md", &printed(&["spec"]), command);
}

fn published() -> Published {
    Published::read(&root()).expect("the published runs")
}

#[test]
fn published_results_are_those_of_their_data() {
    let published = published();
    let documents = published.documents();
    for (name, summary) in &published.runs {
        let Some(document) = place::document(summary) else { continue };
        let run = format!("results/{name}");
        let command = format!("cargo run -p bench-runner -- report {run} > {document}");
        assert_same(&document, &printed(&["report", &run]), &command);
        assert!(documents.contains_key(&document), "{document}");
    }
    for entry in fs::read_dir(root()).expect("read").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_of_runs = name.starts_with("RESULTS") && name.ends_with(".md");
        assert!(!is_of_runs || documents.contains_key(&name), "{name} has no run");
    }
}

#[test]
fn published_charts_are_those_of_their_data() {
    for name in published().runs.keys() {
        let run = format!("results/{name}");
        let drawn = tempfile::tempdir().expect("a temporary directory");
        let dir = drawn.path().to_str().expect("UTF-8");
        assert_eq!(printed(&["report", &run, "--charts", dir]), "");
        let command = format!("cargo run -p bench-runner -- report {run} --charts {run}");
        let names = |dir: &Path| -> BTreeSet<String> {
            let entries = fs::read_dir(dir).expect("read").flatten();
            let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
            names.filter(|name| name.ends_with(".svg")).collect()
        };
        let charts = names(drawn.path());
        assert!(!charts.is_empty(), "{run} compares no stacks");
        assert_eq!(names(&root().join(&run)), charts, "run `{command}` and remove what is stale");
        for name in charts {
            let chart = fs::read_to_string(drawn.path().join(&name)).expect("read");
            assert_same(&format!("{run}/{name}"), &chart, &command);
        }
    }
}

#[test]
fn the_methodology_has_the_published_comparisons_of_builds_with_their_causes() {
    let text = fs::read_to_string(root().join("METHODOLOGY.md")).expect("METHODOLOGY.md");
    assert!(text.contains("<!-- fidelity:begin -->"), "METHODOLOGY.md has no place for the table");
    let published = published();
    for (name, summary) in published.runs.iter().filter(|(_, summary)| summary.fidelity.is_some()) {
        assert!(text.contains(&format!("<!-- {name}:begin -->")), "METHODOLOGY.md has no {name}");
        let missing = fidelity::without_cause(summary, &published.causes);
        assert!(
            missing.is_empty(),
            "results/{} lacks causes of {name}: {missing:?}",
            fidelity::CAUSES
        );
    }
    let command = "cargo run -p bench-runner -- methodology";
    assert_same("METHODOLOGY.md", &published.methodology(&text), command);
}

#[test]
fn the_readme_is_that_of_the_published_runs() {
    let text = fs::read_to_string(root().join("README.md")).expect("README.md");
    for marker in ["headline", "sample"].map(|name| format!("<!-- {name}:begin -->")) {
        assert!(text.contains(&marker), "README.md has no {marker}");
    }
    let command = "cargo run -p bench-runner -- readme";
    assert_same("README.md", &published().readme(&text), command);
}

/// Self-tests of schedules in the order of the table of METHODOLOGY.md.
const SCHEDULES: [&str; 6] = ["group", "random", "long", "medium", "short", "shortest"];

#[test]
fn the_table_of_schedules_in_the_methodology_is_that_of_its_data() {
    let runs = SCHEDULES.map(|name| format!("results/noise/{name}.json"));
    let args: Vec<&str> = std::iter::once("noise").chain(runs.iter().map(String::as_str)).collect();
    let table = printed(&args);
    let text = fs::read_to_string(root().join("METHODOLOGY.md")).expect("METHODOLOGY.md");
    let between = text.split_once("<!-- noise:begin -->").and_then(|(_, rest)| {
        let (between, _) = rest.split_once("<!-- noise:end -->")?;
        Some(between.trim())
    });
    assert_eq!(
        between.expect("markers"),
        table.trim(),
        "put the output of `cargo run -p bench-runner -- {}` between the markers of METHODOLOGY.md",
        args.join(" ")
    );
}

#[test]
fn every_test_that_the_methodology_names_exists() {
    let text = fs::read_to_string(root().join("METHODOLOGY.md")).expect("METHODOLOGY.md");
    // Names of tests are sentences; nothing else in backticks has as many underscores.
    let is_test = |name: &&str| {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        name.chars().all(plain) && name.matches('_').count() >= 3 && !name.starts_with("mdbx_")
    };
    let names: Vec<_> = text.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(names.len() > 40, "{names:?}");
    let mut sources = String::new();
    read_sources(&root().join("crates"), &mut sources);
    let missing: Vec<_> =
        names.iter().filter(|name| !sources.contains(&format!("fn {name}("))).collect();
    assert!(missing.is_empty(), "METHODOLOGY.md names tests that do not exist: {missing:?}");
}

fn read_sources(dir: &std::path::Path, out: &mut String) {
    for entry in fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push_str(&fs::read_to_string(&path).expect("UTF-8"));
        }
    }
}
