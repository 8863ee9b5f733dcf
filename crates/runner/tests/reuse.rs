//! Finished runs read again: `report`, `compare`, `show`.

mod support;

use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
    sync::OnceLock,
};
use support::{Fake, root, runner, summary, text};
use tempfile::TempDir;

/// A short run of two groups, made once for all tests.
fn run() -> Value {
    static RUN: OnceLock<Value> = OnceLock::new();
    let made = || {
        let fake = Fake::new();
        fake.run(&["--quick", "--rounds", "6", "B2", "H1"]).assert().success();
        fake.summary()
    };
    RUN.get_or_init(made).clone()
}

/// Directories of runs.
struct Runs(TempDir);

impl Runs {
    fn new() -> Self {
        Self(TempDir::new().expect("a temporary directory"))
    }

    /// A run of this text.
    fn text(&self, name: &str, text: &str) -> PathBuf {
        let dir = self.0.path().join(name);
        fs::create_dir(&dir).expect("created");
        fs::write(dir.join("summary.json"), text).expect("written");
        dir
    }

    fn value(&self, name: &str, value: &Value) -> PathBuf {
        self.text(name, &value.to_string())
    }
}

fn output(command: &str, args: &[&Path], more: &[&str]) -> Output {
    runner().arg(command).args(args).args(more).output().expect("run")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(output));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn last(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

/// Swaps the two arms of the first comparison's ratio: what was faster is slower.
fn flip(run: &mut Value) {
    let comparison = &mut run["benches"][0]["comparisons"][0];
    let inverse = |value: &Value| 1.0 / value.as_f64().expect("a number");
    let [low, high] = [inverse(&comparison["ci"][1]), inverse(&comparison["ci"][0])];
    comparison["ratio"] = json!(inverse(&comparison["ratio"]));
    comparison["ci"] = json!([low, high]);
    assert_eq!(comparison["verdict"], "faster");
    comparison["verdict"] = json!("slower");
}

#[test]
fn bad_files_are_named_with_their_field_by_every_command() {
    let good = run();
    let whole = good.to_string();
    let edited = |pointer: &str, value: Value| {
        let mut run = good.clone();
        *run.pointer_mut(pointer).expect(pointer) = value;
        run.to_string()
    };
    let without = |pointer: &str, key: &str| {
        let mut run = good.clone();
        let object = run.pointer_mut(pointer).and_then(Value::as_object_mut).expect(pointer);
        assert!(object.remove(key).is_some(), "{key}");
        run.to_string()
    };
    let arm = "/benches/1/arms/reth/rounds_ns/2";
    let cases = [
        ("cut off", whole[..whole.len() / 3].to_owned(), "cut off"),
        ("empty", String::new(), "cut off"),
        ("no JSON", "schema: 1".to_owned(), "not JSON"),
        ("NaN", whole.replacen("\"wall_s\":", "\"wall_s\":NaN,\"x\":", 1), "not JSON"),
        ("a list", "[1, 2]".to_owned(), "field `schema`"),
        ("of another program", r#"{"name": "x", "version": 1}"#.to_owned(), "field `schema`"),
        ("of another program with a schema", r#"{"schema": 1}"#.to_owned(), "`mode`"),
        ("newer", edited("/schema", json!(2)), "version 2"),
        ("no host", without("", "host"), "`host`"),
        ("no side's version", without("/reth", "libmdbx"), "`reth`"),
        ("missing arm", without("/benches/1/arms", "reth"), "benches[1].comparisons[0].base"),
        ("null round", edited(arm, Value::Null), "benches[1].arms.reth.rounds_ns[2]"),
        ("round of zero", edited(arm, json!(0)), "benches[1].arms.reth.rounds_ns[2]"),
        ("negative round", edited(arm, json!(-3.0)), "benches[1].arms.reth.rounds_ns[2]"),
        (
            "interval upside down",
            edited("/benches/1/comparisons/0/ci", json!([3, 2])),
            "benches[1].comparisons[0].ci",
        ),
        (
            "unknown verdict",
            edited("/benches/1/comparisons/0/verdict", json!("fastest")),
            "benches[1].comparisons[0].verdict",
        ),
    ];
    let runs = Runs::new();
    let fine = runs.value("fine", &good);
    let id = &["B2/get/32B"];
    assert!(output("show", &[&fine], id).status.success());
    for (name, text_of_file, named) in cases {
        let bad = runs.text(name, &text_of_file);
        let file = bad.join("summary.json").display().to_string();
        for (command, args, more) in [
            ("report", vec![bad.as_path()], [].as_slice()),
            ("compare", vec![&bad, &fine], &[]),
            ("compare", vec![&fine, &bad], &[]),
            ("show", vec![&bad], id),
        ] {
            let output = output(command, &args, more);
            let text = text(&output);
            assert_eq!(output.status.code(), Some(1), "{command} of {name}: {text}");
            assert!(text.contains(named), "{command} of {name}: no {named} in {text}");
            assert!(text.contains(&file), "{command} of {name}: no {file} in {text}");
            assert!(output.stdout.is_empty(), "{command} of {name} printed something");
        }
    }
}

#[test]
fn a_run_compared_with_itself_has_no_change() {
    let runs = Runs::new();
    let run = runs.value("run", &run());
    let file = run.join("summary.json");
    let text = stdout(&output("compare", &[&run, &file], &[]));
    assert!(text.contains("same in both: mode, scale, host, toolchain"), "{text}");
    assert!(!text.contains("differs"), "{text}");
    assert!(last(&text).contains(" compared, 0 changed; verdicts: 0 gained, 0 lost, 0 flipped"));
    let all = stdout(&output("compare", &[&run, &file], &["--all"]));
    assert!(all.contains("B2/get/32B") && all.contains("raw@signet : raw@reth"), "{all}");
    assert_eq!(last(&all), last(&text));
}

#[test]
fn flips_and_lost_benchmarks_are_reported() {
    let (a, mut b) = (run(), run());
    flip(&mut b);
    b["host"]["cpu"] = json!("another CPU");
    b["signet"]["packages"]["signet-libmdbx"] = json!("99.0.0");
    let gone = b["benches"].as_array_mut().expect("benches").pop().expect("a benchmark");
    let runs = Runs::new();
    let (a, b) = (runs.value("a", &a), runs.value("b", &b));
    let text = stdout(&output("compare", &[&a, &b], &[]));
    for part in [
        "host: CPU: ",
        " → another CPU",
        " → 99.0.0",
        "faster → slower FLIPPED",
        "NOT COMPARABLE, since the hosts differ",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let only = format!("only in A:\n  {}\n", gone["id"].as_str().expect("an id"));
    assert!(text.contains(&only), "{text}");
    let counts = " compared, 1 changed; verdicts: 0 gained, 0 lost, 1 flipped";
    assert!(last(&text).ends_with(counts), "{text}");
}

#[test]
fn runs_with_nothing_in_common_are_both_named() {
    let (mut a, mut b) = (run(), run());
    let of = |run: &mut Value, group: &str| {
        run["benches"].as_array_mut().expect("benches").retain(|b| b["group"] == group);
    };
    of(&mut a, "B2");
    of(&mut b, "H1");
    let runs = Runs::new();
    let (a, b) = (runs.value("a", &a), runs.value("b", &b));
    let output = output("compare", &[&a, &b], &[]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for run in [a, b] {
        assert!(text.contains(&run.join("summary.json").display().to_string()), "{text}");
    }
    assert!(text.contains("nothing in common"), "{text}");
}

#[test]
fn the_rounds_of_a_benchmark_are_shown() {
    let runs = Runs::new();
    let run = runs.value("run", &run());
    let text = stdout(&output("show", &[&run], &["B2/get/256B"]));
    let arms = ["raw@reth", "reth", "raw@signet", "signet-unsync", "signet-sync"];
    let header = text.lines().find(|l| l.trim_start().starts_with("round ")).expect("a header");
    let titles: Vec<_> = header.split_whitespace().collect();
    assert_eq!((titles[1], &titles[2..]), ("first", arms.as_slice()));
    // A row for each round and none after, named as the raw files are, and who ran first.
    let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let rows: Vec<_> = rows.filter(|r| r.len() > 2 && r[0].starts_with("r0")).collect();
    let numbers: Vec<_> = rows.iter().map(|r| r[0]).collect();
    assert_eq!(numbers, ["r00", "r01", "r02", "r03", "r04", "r05"], "{text}");
    assert!(rows.iter().all(|r| ["reth", "signet"].contains(&r[1])), "{text}");
    assert_ne!(rows[0][1], rows[1][1], "a block is A B B A");
    assert!(text.contains("1.20 [") && text.contains("one scale for all arms"), "{text}");
    // A start that fits one id alone.
    assert_eq!(stdout(&output("show", &[&run], &["B2/get/25"])), text);
}

#[test]
fn an_unknown_id_is_named_beside_near_ones() {
    let runs = Runs::new();
    let run = runs.value("run", &run());
    for (id, near) in [
        ("B2/get", "B2/get/32B"),
        ("get/32B", "B2/get/32B"),
        ("B2/nothing", "B2/get/32B"),
        ("Z9/nothing", "H1"),
    ] {
        let output = output("show", &[&run], &[id]);
        let text = text(&output);
        assert_eq!(output.status.code(), Some(2), "{id}: {text}");
        assert!(text.contains(&format!("`{id}`")) && text.contains(near), "{id}: {text}");
    }
}

#[test]
fn self_tests_are_compared_and_shown() {
    // The arms of one side against themselves, as `--aa reth` names them.
    let mut run = run();
    run["self_test"] = json!("reth");
    run.as_object_mut().expect("an object").remove("signet");
    for bench in run["benches"].as_array_mut().expect("benches") {
        let arm = bench["arms"]["reth"].clone();
        bench["arms"] = json!({ "reth#2": arm, "reth#1": arm });
        let mut comparison = bench["comparisons"][0].clone();
        comparison["base"] = json!("reth#1");
        comparison["other"] = json!("reth#2");
        bench["comparisons"] = json!([comparison]);
    }
    let count = run["benches"].as_array().expect("benches").len();
    let runs = Runs::new();
    let mut later = run.clone();
    flip(&mut later);
    let (a, b) = (runs.value("a", &run), runs.value("b", &later));
    let text = stdout(&output("compare", &[&a, &b], &[]));
    assert!(text.contains("reth#2 : reth#1"), "{text}");
    assert!(last(&text).starts_with(&format!("{count} compared")), "{text}");
    assert!(last(&text).ends_with("1 flipped"), "{text}");
    let shown = stdout(&output("show", &[&a], &["B2/get/32B"]));
    assert!(shown.contains("a self-test: reth against itself"), "{shown}");
    let header = shown.lines().find(|l| l.trim_start().starts_with("round ")).expect("a header");
    let titles: Vec<_> = header.split_whitespace().collect();
    assert_eq!(titles, ["round", "first", "reth#1", "reth#2"]);
}

#[test]
fn bad_command_lines_exit_with_2() {
    for args in [
        ["compare"].as_slice(),
        &["compare", "a"],
        &["compare", "a", "b", "c"],
        &["compare", "a", "b", "--some"],
        &["show"],
        &["show", "a"],
    ] {
        let output = runner().args(args).output().expect("run");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output));
    }
}

#[test]
fn hardly_anything_changes_from_one_self_test_to_another() {
    // Every ratio ought to be 1 in each of them, under whatever schedule.
    let dir = root().join("results/noise");
    let runs: Vec<_> = std::fs::read_dir(dir)
        .expect("results/noise")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    let (mut compared, mut changed) = (0, 0);
    for (i, a) in runs.iter().enumerate() {
        for b in &runs[i + 1..] {
            let text = stdout(&output("compare", &[a, b], &[]));
            let counts: Vec<usize> =
                last(&text).split(' ').filter_map(|word| word.parse().ok()).collect();
            compared += counts[0];
            changed += counts[1];
            assert!(last(&text).ends_with(" 0 flipped"), "{text}");
        }
    }
    assert!(compared > 500, "{compared}");
    assert!(changed * 200 <= compared, "{changed} of {compared} changed");
}

#[test]
fn the_published_run_is_readable() {
    let run = root().join("results/quick");
    if !run.exists() {
        return;
    }
    let id = summary(&run)["benches"][0]["id"].as_str().expect("an id").to_owned();
    assert!(stdout(&output("show", &[&run], &[&id])).starts_with(&id));
    let text = stdout(&output("compare", &[&run, &run], &["--all"]));
    assert!(last(&text).contains(" 0 changed"), "{text}");
}
