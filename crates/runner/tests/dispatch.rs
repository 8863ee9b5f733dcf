//! The adapters' traits cost nothing: a generic workload takes as many instructions as the same
//! loop written by hand, counted by callgrind inside the bench binaries themselves.

mod support;

use bench_runner::{
    arms::Side,
    source::{Binary, Source},
};
use bench_shared::catalogue::{Build, Layer};
use std::{
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};
use support::root;

/// Share by which the two counts may differ.
const TOLERANCE: f64 = 0.01;

fn skip(why: &str) {
    // Past the capture of the test's output, since a test that silently does nothing deceives.
    let _ = writeln!(std::io::stderr(), "skipped the_traits_cost_nothing: {why}");
}

/// The `bindings` bench binary that run_tests.sh has built, from cargo's messages.
fn binary(side: Side) -> PathBuf {
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let (layer, build) = (Layer::Bindings, Build::Node);
    let key = Binary { side, source: Source::Registry, layer, build }.key();
    let messages = target.join(format!("bench-messages/{key}.json"));
    let text = fs::read_to_string(&messages).expect("cargo's messages");
    text.lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
        .expect("an executable in cargo's messages")
}

/// Instructions inside `function`, callees included, and what the binary printed.
fn count(binary: &Path, kind: &str, function: &str) -> (u64, String) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("callgrind.out");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect=*{function}*"))
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(binary)
        .env("BENCH_DISPATCH", kind)
        .output()
        .expect("valgrind");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let text = fs::read_to_string(&out).expect("callgrind's output");
    let total = text.lines().find_map(|line| line.strip_prefix("summary: ")).expect("a summary");
    let total = total.split(' ').next().and_then(|n| n.parse().ok()).expect("a count");
    (total, String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_traits_cost_nothing() {
    if env::var_os("BENCH_E2E").is_none() {
        return skip("run_tests.sh builds the bench binaries");
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        return skip("valgrind is not installed");
    }
    for side in Side::ALL {
        let binary = binary(side);
        let (generic, sum) = count(&binary, "generic", "measured_generic");
        let (by_hand, sum_by_hand) = count(&binary, "by-hand", "measured_by_hand");
        assert_eq!(sum, sum_by_hand, "{side}: the two loops read different things");
        // 1,000 look-ups and 1,000 steps: fewer would mean that nothing was counted.
        assert!(by_hand > 100_000, "{side}: only {by_hand} instructions were counted");
        let ratio = generic as f64 / by_hand as f64;
        println!("{side}: {generic} generic, {by_hand} by hand, ratio {ratio:.4}");
        assert!((ratio - 1.0).abs() <= TOLERANCE, "{side}: {generic} against {by_hand}");
    }
}
