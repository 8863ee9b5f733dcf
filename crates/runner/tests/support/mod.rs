//! Helpers of the end-to-end tests.
#![allow(dead_code, reason = "each test target uses some")]

use assert_cmd::Command;
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// Root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A runner with fake bench binaries and a results and a database directory of its own.
pub(crate) struct Fake {
    dir: TempDir,
}

impl Fake {
    pub(crate) fn new() -> Self {
        let dir = TempDir::new().expect("a temporary directory");
        for key in keys() {
            let path = dir.path().join(&key);
            symlink(env!("CARGO_BIN_EXE_fake-bench"), &path).expect("a link");
            let message = serde_json::json!({
                "reason": "compiler-artifact",
                "target": { "kind": ["bench"], "name": "bindings" },
                "executable": path,
            });
            let messages = dir.path().join(format!("{key}.json"));
            fs::write(messages, format!("{message}\n")).expect("written");
        }
        fs::create_dir(dir.path().join("db")).expect("created");
        // The checksums of packages are taken from the lock files.
        let suite = dir.path().join("suite");
        for workspace in ["", "upstream/v1.11.3", "upstream/v2.5.1"] {
            fs::create_dir_all(suite.join(workspace)).expect("created");
            fs::write(suite.join(workspace).join("Cargo.lock"), "version = 4\n").expect("written");
        }
        Self { dir }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// What tells the runner of the fake binaries.
    pub(crate) fn executables(&self) -> Vec<String> {
        let file = |key: &String| self.path().join(format!("{key}.json"));
        let argument =
            |key: String| ["--executables".to_owned(), format!("{key}={}", file(&key).display())];
        keys().into_iter().flat_map(argument).collect()
    }

    /// Root of a suite that holds lock files and nothing else.
    pub(crate) fn suite(&self) -> PathBuf {
        self.path().join("suite")
    }

    /// Results of [`Self::run`].
    pub(crate) fn out(&self) -> PathBuf {
        self.path().join("out")
    }

    /// `bench-runner run` with the fake binaries.
    pub(crate) fn run(&self, args: &[&str]) -> Command {
        let mut command = runner();
        command.arg("run").args(self.executables()).env("BENCH_ROOT", self.suite());
        command.arg("--db-dir").arg(self.path().join("db")).arg("--out").arg(self.out());
        command.args(args);
        command
    }

    /// Entries left in the database directory.
    pub(crate) fn databases(&self) -> usize {
        fs::read_dir(self.path().join("db")).expect("read").count()
    }

    pub(crate) fn summary(&self) -> Value {
        summary(&self.out())
    }
}

/// Keys of all binaries that there may be.
fn keys() -> Vec<String> {
    let sources = ["registry", "v1.11.3", "v2.5.1", "checkout"];
    let sides = sources.map(|source| format!("reth-{source}")).into_iter();
    let sides = sides.chain(["registry", "checkout"].map(|source| format!("signet-{source}")));
    let benches = ["bindings-node", "bindings-plain", "hotdb-node"];
    sides.flat_map(|side| benches.map(|bench| format!("{side}-{bench}"))).collect()
}

/// `bench-runner`.
pub(crate) fn runner() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bench-runner"))
}

/// Summary of the run in `dir`.
pub(crate) fn summary(dir: &Path) -> Value {
    let text = fs::read_to_string(dir.join("summary.json")).expect("a summary");
    serde_json::from_str(&text).expect("JSON")
}

/// Both streams of a finished command.
pub(crate) fn text(output: &std::process::Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
    format!("{out}{err}")
}

/// Fails unless `summary` keeps the contract of summary.json for `ids`, each on the arms of its layer.
pub(crate) fn assert_contract(summary: &Value, ids: &[&str], rounds: usize) {
    for key in ["mode", "started", "wall_s", "host", "reth", "signet", "config"] {
        assert!(!summary[key].is_null(), "no `{key}`");
    }
    assert_eq!(summary["schema"], 1);
    for key in ["cpu", "cores", "kernel", "rustc", "db_fs", "git"] {
        assert!(!summary["host"][key].is_null(), "no `host.{key}`");
    }
    for side in ["reth", "signet"] {
        let side = &summary[side];
        assert!(side["packages"].as_object().is_some_and(|p| !p.is_empty()));
        assert_eq!(side["libmdbx"], "0.13.7");
    }
    assert_eq!(summary["reth"]["provenance"], "registry");
    assert_eq!(summary["verified"], true);

    let benches = summary["benches"].as_array().expect("benches");
    let found: Vec<&str> = benches.iter().filter_map(|b| b["id"].as_str()).collect();
    assert_eq!(found, ids);
    for bench in benches {
        let id = bench["id"].as_str().expect("an id");
        let arms: &[&str] = match bench["layer"].as_str() {
            Some("bindings") => &["raw@reth", "raw@signet", "reth", "signet-sync", "signet-unsync"],
            _ => &["reth", "signet-sync", "signet-unsync"],
        };
        assert!(bench["elements"].as_u64().is_some_and(|n| n > 0), "{id}");
        let found: Vec<&str> =
            bench["arms"].as_object().expect("arms").keys().map(String::as_str).collect();
        assert_eq!(found, arms, "{id}");
        for arm in arms {
            let arm = &bench["arms"][arm];
            assert_eq!(arm["verified"], true, "{id}");
            assert!(arm["median_ns"].as_f64().is_some_and(|ns| ns > 0.0), "{id}");
            assert_eq!(arm["rounds_ns"].as_array().map(Vec::len), Some(rounds), "{id}");
        }
        let comparisons = bench["comparisons"].as_array().expect("comparisons");
        assert_eq!(comparisons.len(), if arms.len() == 5 { 6 } else { 2 }, "{id}");
        for comparison in comparisons {
            let number = |key: &Value| key.as_f64().is_some_and(f64::is_finite);
            assert!(number(&comparison["ratio"]) && number(&comparison["noise_floor"]), "{id}");
            assert!(number(&comparison["ci"][0]) && number(&comparison["ci"][1]), "{id}");
            let verdict = comparison["verdict"].as_str().expect("a verdict");
            assert!(["faster", "slower", "no measurable difference"].contains(&verdict), "{id}");
        }
    }
}
