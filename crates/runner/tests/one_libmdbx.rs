//! No `-sys` crate of libmdbx has a `links` key, so that two of them in one binary link to one
//! library without a word: each side's dependency tree may hold one.

mod support;

use std::process::Command;
use support::root;

fn packages(side: &str, features: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--edges", "normal"])
        .args(["--format", "{p} {f}", "--package", side])
        .args(features)
        .output()
        .expect("cargo tree");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// reth's binding and its features.
fn binding(features: &[&str]) -> String {
    let packages = packages("reth-bench", features);
    let binding = packages.iter().find(|p| p.starts_with("libmdbx-remote v")).expect("the binding");
    binding.trim_end_matches(" (*)").to_owned()
}

#[test]
fn each_side_links_its_own() {
    for (side, own, other) in [
        ("reth-bench", "mdbx-remote-sys v", "signet-mdbx-sys v"),
        ("signet-bench", "signet-mdbx-sys v", "mdbx-remote-sys v"),
    ] {
        let packages = packages(side, &[]);
        assert!(packages.iter().any(|p| p.starts_with(own)), "{side} lacks {own}");
        assert!(!packages.iter().any(|p| p.starts_with(other)), "{side} also holds {other}");
    }
}

/// Names of the crates that bring a libmdbx, in the text of a lock file.
fn sys_crates(lock: &str) -> Vec<&str> {
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    names.filter(|name| name.contains("mdbx") && name.ends_with("-sys")).collect()
}

#[test]
fn each_upstream_lock_file_holds_one_libmdbx() {
    let mut locks = 0;
    for entry in std::fs::read_dir(root().join("upstream")).expect("upstream").flatten() {
        let file = entry.path().join("Cargo.lock");
        if !entry.path().join("Cargo.toml").exists() {
            continue;
        }
        let lock = std::fs::read_to_string(&file).expect("a lock file");
        assert_eq!(sys_crates(&lock), ["reth-mdbx-sys"], "{}", file.display());
        locks += 1;
    }
    assert!(locks >= 2, "{locks} workspaces of reth's tags");
    let default = std::fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock");
    assert_eq!(sys_crates(&default), ["mdbx-remote-sys", "signet-mdbx-sys"], "one for each side");
}

#[test]
fn the_reth_binding_has_the_features_that_reth_db_turns_on_and_no_others() {
    let bindings_alone = ["--no-default-features", "--features", "node"];
    for features in [&[][..], &bindings_alone] {
        let binding = binding(features);
        assert!(binding.ends_with(" default,read-tx-timeouts,return-borrowed"), "{binding}");
    }
}

#[test]
fn the_plain_build_has_neither() {
    let binding = binding(&["--no-default-features"]);
    assert!(binding.ends_with(" default"), "{binding}");
}

#[test]
fn the_default_workspace_needs_no_git_repository() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock");
    let sources: Vec<_> = lock.lines().filter(|line| line.starts_with("source = ")).collect();
    assert!(!sources.is_empty() && sources.iter().all(|s| s.contains("registry+")), "{sources:?}");
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["metadata", "--locked", "--offline", "--no-deps", "--format-version", "1"])
        .output()
        .expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!String::from_utf8_lossy(&output.stdout).contains("git+"));
}
