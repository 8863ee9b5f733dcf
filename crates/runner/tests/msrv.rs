//! What Cargo.lock may hold.

mod support;

use serde_json::Value;
use std::{fs, process::Command};
use support::root;

/// The suite's platform; packages of others are not fetched.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1", "--filter-platform", PLATFORM])
        .current_dir(root())
        .output()
        .expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// `1.95` or `1.95.0` as numbers.
fn version(text: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = text.split('.').map(|n| n.parse().expect(text)).collect();
    numbers.resize(3, 0);
    numbers
}

#[test]
fn no_locked_package_asks_for_a_newer_rust() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let ours = packages.iter().find(|p| p["name"] == "bench-runner").expect("the runner");
    let ours = version(ours["rust_version"].as_str().expect("a version"));
    let newer: Vec<String> = packages
        .iter()
        .filter(|p| p["rust_version"].as_str().is_some_and(|v| version(v) > ours))
        .map(|p| format!("{} asks for Rust {}", p["id"], p["rust_version"]))
        .collect();
    assert!(newer.is_empty(), "the workspace promises Rust {ours:?}, but {newer:?}");
}

#[test]
fn the_default_workspace_builds_from_published_crates_alone() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock");
    let foreign: Vec<&str> =
        lock.lines().filter(|l| l.starts_with("source = ") && !l.contains("registry+")).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}
