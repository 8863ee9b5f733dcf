//! `run_benches.sh` with the real bench binaries, at smoke scale. These tests need both stacks built
//! in the bench profile, which takes many minutes, so that they run only when `run_tests.sh`, which
//! does that first, says so.

mod support;

use assert_cmd::Command;
use bench_shared::catalogue::BENCHES;
use std::{
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};
use support::{assert_contract, root, summary, text};
use tempfile::TempDir;

/// Two runs at once would disturb each other, and would wait for each other's build anyway.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// `None`, visibly, unless run_tests.sh has built the bench binaries.
fn built() -> Option<MutexGuard<'static, ()>> {
    if env::var_os("BENCH_E2E").is_none() {
        // Past the capture of the test's output, since a test that silently does nothing deceives.
        let _ = writeln!(std::io::stderr(), "skipped: run_tests.sh runs the end-to-end tests");
        return None;
    }
    Some(ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The script, called from a directory that is not the repository.
fn script(dir: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(root().join("run_benches.sh"));
    command.current_dir(dir.path()).args(args);
    command
}

fn temp() -> TempDir {
    TempDir::new().expect("a temporary directory")
}

/// Directories that runs left in the places for databases.
fn leftovers(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).expect("read").flatten().map(|e| e.path());
    entries.filter(|p| p.to_string_lossy().contains("mdbx-bench-")).collect()
}

#[test]
fn one_group() {
    let Some(_built) = built() else { return };
    let dir = temp();
    let args =
        ["--quick", "--scale", "smoke", "--rounds", "2", "--db-dir", ".", "--out", "out", "B2"];
    let output = script(&dir, &args).output().expect("run");
    assert!(output.status.success(), "{}", text(&output));
    let ids: Vec<&str> = BENCHES.iter().filter(|b| b.group() == "B2").map(|b| b.id).collect();
    let summary = summary(&dir.path().join("out"));
    assert_contract(&summary, &ids, 2);
    assert_eq!(summary["complete"], true);
    assert!(leftovers(dir.path()).is_empty());
    assert!(text(&output).contains("B2/get/32B"));
}

#[test]
fn everything() {
    let Some(_built) = built() else { return };
    let dir = temp();
    let args = ["--quick", "--scale", "smoke", "--rounds", "1", "--out", "out"];
    let output = script(&dir, &args).output().expect("run");
    assert!(output.status.success(), "{}", text(&output));
    let ids: Vec<&str> = BENCHES.iter().map(|b| b.id).collect();
    let summary = summary(&dir.path().join("out"));
    assert_contract(&summary, &ids, 1);

    let genesis = summary["genesis"].as_array().expect("genesis");
    assert_eq!(genesis.len(), 3);
    for arm in genesis {
        assert_eq!(arm["verified"], true);
        assert_eq!(
            arm["state_root"],
            "0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544"
        );
    }
    let benches = summary["benches"].as_array().expect("benches");
    let commit = benches.iter().find(|b| b["id"] == "B7/1").expect("B7/1");
    for arm in commit["arms"].as_object().expect("arms").values() {
        assert_eq!(arm["txnid_per_commit"], 1.0, "a commit that writes nothing was timed");
    }
}

#[test]
fn the_command_line_is_answered_without_a_build_of_the_benches() {
    let Some(_built) = built() else { return };
    let dir = temp();
    for (args, code, part) in [
        (["--help"].as_slice(), 0, "Usage: run_benches.sh"),
        (&["--list"], 0, "B2/get/32B"),
        (&["--nope"], 2, "--nope"),
        (&["NOPE"], 2, "H6"),
        (&["--quick", "--sequential"], 2, "--sequential"),
    ] {
        let output = script(&dir, args).output().expect("run");
        let text = text(&output);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
        assert!(text.contains(part), "{args:?}: {text}");
    }
}

#[test]
fn interrupted() {
    let Some(_built) = built() else { return };
    let dir = temp();
    let out = dir.path().join("out");
    let mut command = std::process::Command::new(root().join("run_benches.sh"));
    command.current_dir(dir.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command
        .args(["--quick", "--scale", "smoke", "--rounds", "1000", "--db-dir", ".", "--out", "out"]);
    let mut child = command.arg("B5").spawn().expect("started");
    let start = Instant::now();
    while fs::metadata(out.join("raw/B5.tar.gz")).map_or(0, |m| m.len()) < 20_000 {
        assert!(start.elapsed() < Duration::from_secs(120), "the run does not get on");
        assert!(child.try_wait().expect("waited").is_none(), "the run ended by itself");
        thread::sleep(Duration::from_millis(100));
    }
    // The script has become the runner by exec: a signal to it reaches the one that must tidy up.
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-s", "INT", &id]).status();
    assert!(kill.expect("kill").success());
    assert_eq!(child.wait().expect("waited").code(), Some(130));
    assert!(leftovers(dir.path()).is_empty());
    let summary = summary(&out);
    assert_eq!(summary["complete"], false);
    assert_eq!(summary["verified"], true);
}
