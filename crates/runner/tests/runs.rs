//! Whole runs, on fake bench binaries.

mod support;

use bench_shared::catalogue::{BENCHES, Layer, of_layer};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use support::{Fake, assert_contract, runner, summary, text};

#[test]
fn a_run_of_everything_keeps_the_contract() {
    let fake = Fake::new();
    let output = fake.run(&["--quick", "--rounds", "9"]).output().expect("run");
    assert!(output.status.success(), "{}", text(&output));
    let mut summary = fake.summary();
    // Long benchmarks take part in seven of nine rounds only.
    let benches = summary["benches"].as_array_mut().expect("benches");
    assert_eq!(benches.len(), BENCHES.len());
    let long = ["B6/insert/dupsort", "H4/ingest/100"];
    for bench in benches.iter().filter(|b| long.iter().any(|id| b["id"] == *id)) {
        assert_eq!(bench["arms"]["reth"]["rounds_ns"].as_array().map(Vec::len), Some(7));
    }
    let short = |id: &str| BENCHES.iter().any(|b| b.id == id && is_short(b));
    benches.retain(|b| short(b["id"].as_str().expect("an id")));
    let ids: Vec<&str> = BENCHES.iter().filter(|b| is_short(b)).map(|b| b.id).collect();
    assert_contract(&summary, &ids, 9);
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["genesis"].as_array().map(Vec::len), Some(3));

    let get = summary["benches"].as_array().expect("benches").iter();
    let get = get.clone().find(|b| b["id"] == "B2/get/32B").expect("B2/get/32B");
    assert_eq!(get["comparisons"][0]["verdict"], "faster");
    assert!((get["comparisons"][0]["ratio"].as_f64().expect("a ratio") - 1.2).abs() < 1e-6);

    let printed = text(&output);
    assert!(printed.contains("1.20 faster") && printed.contains("round 9/9"), "{printed}");
    assert!(fake.out().join("environment.json").exists());
    assert_eq!(fake.databases(), 0);
}

fn is_short(bench: &bench_shared::catalogue::Bench) -> bool {
    bench.cost == bench_shared::catalogue::Cost::Short
}

#[test]
fn published_numbers_can_be_traced_to_raw_files() {
    let fake = Fake::new();
    fake.run(&["--quick", "--rounds", "2", "B2"]).assert().success();
    let reth = &fake.summary()["benches"][0]["arms"]["reth"]["rounds_ns"];

    let file = fs::File::open(fake.out().join("raw/B2.tar.gz")).expect("an archive");
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
    let mut names = Vec::new();
    let mut samples = Vec::new();
    for entry in archive.entries().expect("entries") {
        let mut entry = entry.expect("an entry");
        let name = entry.path().expect("a path").display().to_string();
        if name.ends_with("-reth/criterion/B2_get_32B/reth/new/sample.json") {
            let sample: serde_json::Value = serde_json::from_reader(&mut entry).expect("JSON");
            samples.push(sample["times"][0].clone());
        }
        names.push(name);
    }
    assert_eq!(&serde_json::Value::Array(samples), reth);
    for process in ["verify-reth", "verify-signet", "B2_get_32B/r00-reth", "B2_get_4KiB/r01-signet"]
    {
        for file in ["job.json", "report.json", "output.txt"] {
            assert!(names.contains(&format!("{process}/{file}")), "{process}/{file}: {names:?}");
        }
    }
    assert!(names.iter().all(|n| !n.contains("/base/")), "{names:?}");
    // A B B A or B A A B of each benchmark, with nothing between.
    let jobs: Vec<_> = names.iter().filter_map(|n| n.strip_suffix("/job.json")).collect();
    let verified: &[&str] =
        &["verify-reth", "verify-signet", "verify-reth-plain", "verify-signet-plain"];
    assert_eq!(&jobs[..4], verified);
    for block in jobs[4..].chunks(4) {
        let runs: Vec<_> = block.iter().map(|n| n.split_once('/').expect("a process")).collect();
        assert!(runs.iter().all(|(bench, _)| *bench == runs[0].0), "{block:?}");
        let order: Vec<_> = runs.iter().map(|(_, process)| *process).collect();
        let reth_first = ["r00-reth", "r00-signet", "r01-signet", "r01-reth"];
        let signet_first = ["r00-signet", "r00-reth", "r01-reth", "r01-signet"];
        assert!(order == reth_first || order == signet_first, "{order:?}");
    }
}

#[test]
fn a_self_test_runs_one_side_against_itself_and_gives_no_verdict() {
    let fake = Fake::new();
    let output = fake
        .run(&[
            "--quick",
            "--rounds",
            "8",
            "--aa=signet",
            "B2/get/256B",
            "H1/account/hit",
            "H1/account/half-miss",
        ])
        .output();
    let output = output.expect("run");
    let printed = text(&output);
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("signet against itself: 0 verdicts in 7 comparisons"), "{printed}");
    let summary = fake.summary();
    assert_eq!(summary["self_test"], "signet");
    assert!(summary["reth"].is_null() && !summary["signet"].is_null());
    let first = &summary["benches"][0]["comparisons"][0];
    assert_eq!(
        (&first["base"], &first["other"]),
        (&"signet-unsync#1".into(), &"signet-unsync#2".into())
    );
    let report = runner().arg("report").arg(fake.out()).output().expect("run");
    assert!(report.status.success(), "{}", text(&report));
}

#[test]
fn a_run_on_the_real_reth_keeps_the_names_of_its_arms_and_says_where_it_is_from() {
    let fake = Fake::new();
    let output =
        fake.run(&["--quick", "--rounds", "8", "--upstream", "B2/get/256B", "H1"]).output();
    let output = output.expect("run");
    assert!(output.status.success(), "{}", text(&output));
    let summary = fake.summary();
    let reth = &summary["reth"];
    assert_eq!(reth["provenance"], "v1.11.3");
    assert_eq!(reth["source"]["repository"], "https://github.com/paradigmxyz/reth");
    assert_eq!(reth["source"]["tag"], "v1.11.3");
    assert_eq!(reth["source"]["commit"], "0123456789ab");
    assert!(summary["signet"]["source"].is_null() && summary["fidelity"].is_null());
    let bench = &summary["benches"][0];
    let arms: Vec<_> = bench["arms"].as_object().expect("arms").keys().collect();
    assert_eq!(arms, ["raw@reth", "raw@signet", "reth", "signet-sync", "signet-unsync"]);
    assert!(text(&output).contains("reth = reth-libmdbx v1.11.3 (upstream"), "{}", text(&output));
}

#[test]
fn another_libmdbx_on_one_side_is_measured_and_raises_no_floor() {
    let fake = Fake::new();
    let output =
        fake.run(&["--quick", "--rounds", "8", "--upstream", "v2.5.1", "B2/get/256B"]).output();
    let output = output.expect("run");
    assert!(output.status.success(), "{}", text(&output));
    let summary = fake.summary();
    let comparisons = summary["benches"][0]["comparisons"].as_array().expect("comparisons");
    for comparison in comparisons {
        assert!(comparison["noise_floor"].as_f64().is_some_and(|f| f < 0.02), "{comparison}");
    }
    let libraries =
        comparisons.iter().find(|c| c["base"] == "raw@reth" && c["other"] == "raw@signet");
    assert_eq!(libraries.expect("compared")["verdict"], "faster");
    let warnings = summary["warnings"].to_string();
    assert!(warnings.contains("0.13.12") && !warnings.contains("control is off"), "{warnings}");
}

#[test]
fn two_builds_of_reth_are_compared_arm_by_arm() {
    let fake = Fake::new();
    let args = ["--quick", "--rounds", "8", "--fidelity", "B2/get/256B", "H1/account/hit"];
    let output = fake.run(&args).output().expect("run");
    let printed = text(&output);
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("registry's time divided by v1.11.3's"), "{printed}");
    let summary = fake.summary();
    assert!(summary["reth"].is_null() && summary["signet"].is_null());
    let fidelity = &summary["fidelity"];
    assert_eq!((&fidelity["base"], &fidelity["other"]), (&"registry".into(), &"v1.11.3".into()));
    assert_eq!(fidelity["builds"]["v1.11.3"]["source"]["tag"], "v1.11.3");
    let pairs: Vec<_> = summary["benches"][0]["comparisons"]
        .as_array()
        .expect("comparisons")
        .iter()
        .map(|c| format!("{} {}", c["base"], c["other"]).replace('"', ""))
        .collect();
    let expected = [
        "reth@registry reth@v1.11.3",
        "raw@registry raw@v1.11.3",
        "raw@registry reth@registry",
        "raw@v1.11.3 reth@v1.11.3",
    ];
    assert_eq!(pairs, expected);
    assert_eq!(summary["benches"][1]["comparisons"].as_array().map(Vec::len), Some(1));
    assert_eq!(summary["benches"][0]["comparisons"][0]["verdict"], "faster");
    let first = summary["benches"][0]["rounds"][0]["first"].as_str().expect("a build");
    assert!(first == "reth@registry" || first == "reth@v1.11.3", "{first}");
    let archive = packed(&fake.out().join("raw/B2.tar.gz"));
    for process in ["verify-reth-registry", "verify-reth-v1.11.3", "B2_get_256B/r00-reth-v1.11.3"] {
        assert!(archive.contains(&format!("{process}/job.json")), "{process}: {archive:?}");
    }
    for args in [["report"].as_slice(), &["report", "--html"]] {
        let mut command = runner();
        command.args(args);
        if args.len() > 1 {
            command.arg(fake.path().join("page.html"));
        }
        command.arg(fake.out()).assert().success();
    }
}

#[test]
fn a_binary_of_another_provenance_than_planned_fails_the_run() {
    let fake = Fake::new();
    let mut command = fake.run(&["--quick", "--rounds", "1", "--upstream", "B5"]);
    let output = command.env("FAKE_FAULT", "provenance registry").output().expect("run");
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("`registry`") && text.contains("`v1.11.3`"), "{text}");
    assert!(!fake.out().join("summary.json").exists());
}

#[test]
fn a_broken_adapter_fails_the_run_by_name() {
    let fake = Fake::new();
    let mut command = fake.run(&["--quick", "--rounds", "1", "B2", "H1"]);
    let output = command.env("FAKE_FAULT", "unverified signet-sync B2/get/256B").output();
    let output = output.expect("run");
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in ["signet-sync", "B2/get/256B", "key 0xabcd"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!fake.out().join("summary.json").exists(), "nothing is reported from such a run");
    let failure = fs::read_to_string(fake.out().join("failure.txt")).expect("a failure file");
    assert!(failure.contains("key 0xabcd"), "{failure}");
    assert_eq!(fake.databases(), 0);
}

#[test]
fn faults_of_a_bench_binary_are_named() {
    for (fault, part) in [
        (
            "missing signet-unsync B5/seek-range",
            "`signet-unsync` of B5/seek-range was not measured",
        ),
        ("crash", "made to crash"),
        ("setting", "growth step"),
    ] {
        let fake = Fake::new();
        let mut command = fake.run(&["--quick", "--rounds", "1", "B5"]);
        let output = command.env("FAKE_FAULT", fault).output().expect("run");
        let text = text(&output);
        assert_eq!(output.status.code(), Some(1), "{fault}: {text}");
        assert!(text.contains(part) && text.contains("B5"), "{fault}: {text}");
        assert!(!fake.out().join("summary.json").exists(), "{fault}");
        assert_eq!(fake.databases(), 0, "{fault}");
    }
}

/// Starts a run of slow processes, sends it a signal once `until` holds, and waits for its end.
fn interrupted(
    fake: &Fake,
    signal: &str,
    filters: &[&str],
    until: impl Fn() -> bool,
) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-runner"));
    command.args(["run", "--quick", "--rounds", "9"]).args(filters).args(fake.executables());
    command.arg("--out").arg(fake.out()).arg("--db-dir").arg(fake.path().join("db"));
    command.env("FAKE_FAULT", "slow").env("BENCH_ROOT", fake.suite());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
    let start = Instant::now();
    while !until() {
        assert!(start.elapsed() < Duration::from_secs(60), "the run does not get on");
        thread::sleep(Duration::from_millis(50));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().expect("kill").success());
    child.wait().expect("waited").code()
}

/// Whether the archive has grown beyond its verifications: a measurement was packed.
fn size(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |m| m.len())
}

#[test]
fn an_interrupted_run_keeps_what_was_measured() {
    for signal in ["INT", "TERM"] {
        let fake = Fake::new();
        let archive = fake.out().join("raw/B5.tar.gz");
        let started = Instant::now();
        // Two verifications take no time, each measurement a second.
        let measured = || size(&archive) > 0 && started.elapsed() > Duration::from_secs(6);
        assert_eq!(interrupted(&fake, signal, &["B5"], measured), Some(130), "{signal}");
        assert_eq!(fake.databases(), 0, "{signal}");
        let summary = summary(&fake.out());
        assert_eq!(summary["complete"], false, "{signal}");
        let rounds =
            summary["benches"][0]["arms"]["reth"]["rounds_ns"].as_array().map_or(0, Vec::len);
        assert!((1..9).contains(&rounds), "{signal}: {rounds} rounds");
        assert_contract(&summary, &["B5/seek-range"], rounds);
        assert!(!running(fake.path()), "{signal}: a child outlived the run");
    }
}

#[test]
fn a_run_interrupted_before_it_measured_anything_says_so() {
    let fake = Fake::new();
    let archive = fake.out().join("raw/B5.tar.gz");
    assert_eq!(interrupted(&fake, "INT", &["B5"], || size(&archive) > 0), Some(130));
    assert!(!fake.out().join("summary.json").exists());
    let text = fs::read_to_string(fake.out().join("interrupted.txt")).expect("a file");
    assert!(text.contains("no result"), "{text}");
    assert_eq!(fake.databases(), 0);
}

#[test]
fn a_run_interrupted_in_its_first_round_keeps_the_benchmarks_that_were_measured() {
    let fake = Fake::new();
    // Which of the two comes first is drawn.
    let ids = ["B5/seek-range", "H3/header/random"];
    let measured = || {
        ["B5", "H3"].iter().any(|group| {
            let names = packed(&fake.out().join(format!("raw/{group}.tar.gz")));
            ["r00-reth/job.json", "r00-signet/job.json"]
                .iter()
                .all(|process| names.iter().any(|name| name.ends_with(process)))
        })
    };
    assert_eq!(interrupted(&fake, "INT", &ids, measured), Some(130));
    let summary = summary(&fake.out());
    assert_eq!(summary["complete"], false);
    let measured = summary["benches"].as_array().map_or(0, Vec::len);
    assert_eq!(measured, 1, "the other one had no turn yet");
    let id = summary["benches"][0]["id"].as_str().expect("an id");
    assert!(ids.contains(&id));
    assert_contract(&summary, &[id], 1);
    assert!(!fake.out().join("interrupted.txt").exists());
}

/// Names of the files packed so far in an archive that has no end yet.
fn packed(file: &Path) -> Vec<String> {
    let Ok(file) = fs::File::open(file) else { return Vec::new() };
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
    let Ok(entries) = archive.entries() else { return Vec::new() };
    let whole = entries.map_while(Result::ok);
    whole.filter_map(|entry| Some(entry.path().ok()?.display().to_string())).collect()
}

/// Whether any process runs an executable in `dir`.
fn running(dir: &Path) -> bool {
    let processes = fs::read_dir("/proc").expect("proc").flatten();
    processes.into_iter().any(|process| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        line.starts_with(&dir.display().to_string())
    })
}

#[test]
fn publishing_takes_a_clean_tree_and_writes_the_document() {
    let fake = Fake::new();
    let root = fake.suite();
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&root).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
        assert!(command.args(args).stdout(Stdio::null()).status().expect("git").success());
    };
    git(&["init", "--quiet"]);
    let publish = || fake.run(&["--quick", "--publish"]).output().expect("run");
    let refused = publish();
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));

    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "all"]);
    let published = publish();
    assert!(published.status.success(), "{}", text(&published));
    let document = fs::read_to_string(root.join("RESULTS.md")).expect("a document");
    let results = root.join("results/quick");
    for file in ["raw/B2.tar.gz", "bindings.svg", "hotdb.svg"] {
        assert!(results.join(file).exists(), "{file}");
    }
    assert!(document.contains("](results/quick/hotdb.svg)"));
    let report =
        runner().env("BENCH_ROOT", &root).arg("report").arg(&results).output().expect("run");
    assert_eq!(String::from_utf8_lossy(&report.stdout), document);
    let of_bindings = of_layer(Layer::Bindings).count();
    assert!(document.matches("| `B").count() >= of_bindings, "a row for each benchmark");

    let again = publish();
    assert_eq!(again.status.code(), Some(2), "the tree is no longer clean: {}", text(&again));
}
