//! The generated documents of the repository are those of its catalogue and its results.

mod support;

use std::fs;
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

#[test]
fn published_results_are_those_of_their_data() {
    for (mode, document) in [("quick", "RESULTS.md"), ("sequential", "RESULTS_SEQUENTIAL.md")] {
        let run = format!("results/{mode}");
        if !root().join(&run).exists() {
            assert!(!root().join(document).exists(), "{document} has no {run}");
            continue;
        }
        let command = format!("cargo run -p bench-runner -- report {run} > {document}");
        assert_same(document, &printed(&["report", &run]), &command);
    }
}

#[test]
fn the_sample_in_the_readme_is_that_of_the_published_run() {
    let run = root().join("results/quick");
    if !run.exists() {
        return;
    }
    let text = fs::read_to_string(root().join("README.md")).expect("README.md");
    let summary = bench_runner::store::read(&run).expect("the published run");
    let spliced = bench_runner::document::readme::splice(&text, &summary).expect("markers");
    assert!(text == spliced, "the sample in README.md is not of results/quick; publish again");
}
