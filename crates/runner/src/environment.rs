//! The machine and the build of a run: `environment.json`, and the host of a summary.

use crate::{
    host::{self, Ticks},
    workspace::{self, Git},
};
use bench_shared::summary;
use serde_json::{Value, json};
use std::{collections::BTreeMap, env, path::Path, thread, time::Duration};

/// How long the other programs on the machine are watched before the run.
const WATCH: Duration = Duration::from_millis(500);

/// State of the machine at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    /// Load averages over 1, 5 and 15 minutes; after a build the build's.
    pub load: Option<[f64; 3]>,
    /// Obtainable memory, bytes.
    pub memory_available: Option<u64>,
    /// Ticks of all CPUs.
    pub ticks: Option<Ticks>,
}

impl Snapshot {
    /// Now.
    pub fn take() -> Self {
        Self { load: host::load(), memory_available: host::memory().available, ticks: Ticks::now() }
    }

    /// Busy and stolen shares of the CPUs' time since `earlier`.
    pub fn shares_since(&self, earlier: &Self) -> Option<(f64, f64)> {
        Some(self.ticks?.shares_since(earlier.ticks?))
    }
}

/// The machine over a run.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Before the run.
    pub before: Snapshot,
    /// Share of the CPUs' time that other programs used while the runner waited before the run.
    pub other_load: Option<f64>,
    /// State of the suite's repository.
    pub git: Option<Git>,
}

impl Environment {
    /// Watches the machine for half a second, while the runner itself sleeps.
    pub fn observe(root: &Path) -> Self {
        let git = Git::of(root);
        let earlier = Snapshot::take();
        thread::sleep(WATCH);
        let before = Snapshot::take();
        let other_load = before.shares_since(&earlier).map(|(busy, _)| busy);
        Self { before, other_load, git }
    }

    /// The host of a summary.
    pub fn host(&self, root: &Path, db_fs: &str, pinned_cpu: Option<usize>) -> summary::Host {
        let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        let unknown = || "unknown".to_owned();
        summary::Host {
            cpu: host::cpu(),
            cores: host::cores(),
            kernel: host::kernel(),
            rustc: workspace::output(&rustc, &["--version"], root).unwrap_or_else(unknown),
            db_fs: db_fs.to_owned(),
            git: self.git.as_ref().map_or_else(unknown, Git::describe),
            pinned_cpu,
        }
    }

    /// The machine over the run that ends with `after`.
    pub fn conditions(&self, after: &Snapshot) -> summary::Conditions {
        let shares = after.shares_since(&self.before);
        summary::Conditions {
            memory: host::memory().total,
            governor: host::governor(),
            load_before: self.before.load,
            load_after: after.load,
            other_load: self.other_load,
            busy: shares.map(|(busy, _)| busy),
            steal: shares.map(|(_, steal)| steal),
            flags: flags(),
        }
    }

    /// Everything, for `environment.json`.
    pub fn to_json(&self, after: &Snapshot, summary: &summary::Summary) -> Value {
        let sides: BTreeMap<_, _> = summary.sides().collect();
        json!({
            "host": summary.host,
            "conditions": summary.conditions,
            "memory_available_before": self.before.memory_available,
            "memory_available_after": after.memory_available,
            "changed_file": self.git.as_ref().and_then(|git| git.changed.clone()),
            "sides": sides,
            "warnings": summary.warnings,
        })
    }
}

/// Variables that change how the measured code is compiled.
fn flags() -> BTreeMap<String, String> {
    ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CC", "CFLAGS"]
        .into_iter()
        .filter_map(|name| env::var(name).ok().map(|v| (name.to_owned(), without_directories(&v))))
        .collect()
}

/// Compiler and flags without the directories of this machine: `-L/home/me/lib` becomes `-L…/lib`.
pub fn without_directories(value: &str) -> String {
    let separates = |c: char| c.is_whitespace() || "=:,;\"'\u{1f}".contains(c);
    value
        .split_inclusive(separates)
        .map(|piece| {
            let word = piece.trim_end_matches(separates);
            let end = &piece[word.len()..];
            match word.split_once('/') {
                // An absolute path, by itself or right after a flag such as `-I` or `@`.
                Some((flag, path)) if flag.is_empty() || flag.starts_with(['-', '@']) => {
                    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                    format!("{flag}…/{name}{end}")
                }
                _ => piece.to_owned(),
            }
        })
        .collect()
}

/// Checksum of each package that has one in the lock file.
pub fn checksums(lock: &str, packages: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let checksum = |name: &str, version: &str| {
        let wanted = [format!("name = \"{name}\""), format!("version = \"{version}\"")];
        let block = lock
            .split("[[package]]")
            .find(|block| wanted.iter().all(|line| block.lines().any(|l| l == line)))?;
        let line = block.lines().find_map(|l| l.strip_prefix("checksum = \""))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    let found = packages.iter().map(|(name, version)| (name.clone(), checksum(name, version)));
    found.filter_map(|(name, sum)| Some((name, sum?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_name_no_directories_of_the_machine() {
        for (value, recorded) in [
            ("gcc", "gcc"),
            ("/opt/llvm/bin/clang", "…/clang"),
            ("ccache /usr/bin/cc", "ccache …/cc"),
            ("-O2 -I/opt/x/include -Wl,-rpath,/opt/x/lib/", "-O2 -I…/include -Wl,-rpath,…/lib"),
            (
                "-Clinker=/usr/bin/ld\u{1f}-L\u{1f}native=/a/b",
                "-Clinker=…/ld\u{1f}-L\u{1f}native=…/b",
            ),
            ("--remap-path-prefix=/home/me=src/x", "--remap-path-prefix=…/me=src/x"),
        ] {
            assert_eq!(without_directories(value), recorded);
        }
    }

    #[test]
    fn checksums_come_from_the_lock_file() {
        let lock = "\
[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"aa\"\n
[[package]]\nname = \"a\"\nversion = \"2.0.0\"\nchecksum = \"bb\"\n";
        let packages = [("a", "2.0.0"), ("b", "1.0.0")];
        let packages = packages.map(|(n, v)| (n.to_owned(), v.to_owned())).into();
        assert_eq!(checksums(lock, &packages), BTreeMap::from([("a".into(), "bb".into())]));
    }
}
