//! The command line: what is answered without running anything.

mod support;

use bench_shared::catalogue::{BENCHES, GROUPS};
use support::{Fake, runner, text};

#[test]
fn help_names_the_script_and_its_flags() {
    let output = runner().args(["run", "--help"]).output().expect("run");
    let text = text(&output);
    assert!(output.status.success() && text.contains("Usage: run_benches.sh"), "{text}");
    for flag in
        ["--quick", "--sequential", "--bindings", "--hotdb", "--list", "--rounds", "--scale"]
    {
        assert!(text.contains(flag), "{flag}");
    }
    assert!(!text.contains("--executables"), "{text}");
}

#[test]
fn the_list_has_every_benchmark() {
    for args in [["run", "--list"].as_slice(), &["list"]] {
        let output = runner().args(args).output().expect("run");
        let text = text(&output);
        assert!(output.status.success(), "{text}");
        assert!(BENCHES.iter().all(|b| text.contains(b.id)), "{text}");
    }
}

#[test]
fn bad_command_lines_exit_with_2_and_name_the_input() {
    let cases: [(&[&str], &str); 27] = [
        (&["--fast"], "--fast"),
        (&["NOPE"], "`NOPE`"),
        (&["B2", "NOPE"], "`NOPE`"),
        (&["--quick", "--sequential"], "--quick and --sequential"),
        (&["--bindings", "--hotdb"], "--bindings and --hotdb"),
        (&["--bindings", "H1"], "`H1`"),
        (&["--hotdb", "B2/get"], "`B2/get`"),
        (&["--rounds", "0"], "--rounds"),
        (&["--rounds", "many"], "many"),
        (&["--scale", "huge"], "huge"),
        (&["--publish", "B2"], "--publish"),
        (&["--publish", "--scale", "smoke"], "--publish"),
        (&["--publish", "--aa"], "--aa"),
        (&["--aa=B2"], "B2"),
        (&["--order", "sorted"], "sorted"),
        (&["--upstream=v9"], "v1.11.3, v2.5.1"),
        (&["--upstream", "v9"], "--upstream knows the tags"),
        (&["v2.5.1"], "--upstream=v2.5.1"),
        (&["--upstream", "--reth-dir", "x"], "--upstream and --reth-dir"),
        (&["--reth-dir", "/no/such/dir"], "--reth-dir /no/such/dir"),
        (&["--signet-dir", "/no/such/dir"], "--signet-dir /no/such/dir"),
        (&["--publish", "--reth-dir", "/"], "--reth-dir"),
        (&["--publish", "--fidelity=v2.5.1,registry"], "<!-- fidelity-v2.5.1-registry:begin -->"),
        (&["--fidelity", "--aa"], "--fidelity and --aa"),
        (&["--fidelity=registry,v9"], "`v9`"),
        (&["--fidelity=registry,registry"], "--aa"),
        (&["--aa=signet", "--upstream"], "--upstream"),
    ];
    for (args, named) in cases {
        for command in ["run", "plan"] {
            let output = runner().arg(command).args(args).output().expect("run");
            let text = text(&output);
            assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
            assert!(text.contains(named), "{args:?}: {text}");
        }
    }
}

#[test]
fn an_unknown_filter_lists_the_groups() {
    let output = runner().args(["run", "NOPE"]).output().expect("run");
    let text = text(&output);
    assert!(GROUPS.iter().all(|g| text.contains(g.name) && text.contains(g.title)), "{text}");
}

#[test]
fn the_plan_names_the_benches_to_build() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("needs");
    for (args, needs) in [
        (
            ["B2/get/256B", "B7/1"].as_slice(),
            "reth-registry-bindings-node signet-registry-bindings-node",
        ),
        (&["--hotdb"], "reth-registry-hotdb-node signet-registry-hotdb-node"),
        (&["--aa", "B2/get/256B"], "reth-registry-bindings-node"),
        (&["--aa", "B2/get/32B/plain"], "reth-registry-bindings-plain"),
        (
            &["--aa=signet", "B2/get/256B", "H1"],
            "signet-registry-bindings-node signet-registry-hotdb-node",
        ),
    ] {
        let mut command = runner();
        command.args(["run", "--needs"]).arg(&file).args(args).assert().success();
        let text = std::fs::read_to_string(&file).expect("read");
        let keys: Vec<_> = text.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(keys.join(" "), needs, "{args:?}");
    }
}

/// Nothing that is not published takes part unless it is asked for.
#[test]
fn a_run_of_everything_needs_published_crates_only() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("needs");
    runner().args(["run", "--quick", "--needs"]).arg(&file).assert().success();
    let text = std::fs::read_to_string(&file).expect("read");
    assert!(!text.contains("upstream") && !text.contains("checkout"), "{text}");
    for line in text.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        assert_eq!(fields.len(), 6, "{line:?}");
        assert_eq!(fields[4], "locked", "{line:?}");
    }
}

#[test]
fn an_upstream_run_without_its_workspace_ends_at_once() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let output = runner()
        .env("BENCH_ROOT", dir.path())
        .args(["run", "--upstream=v2.5.1", "B2", "--needs"])
        .arg(dir.path().join("needs"))
        .output()
        .expect("run");
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("upstream/v2.5.1/Cargo.toml"), "{text}");
    assert!(!dir.path().join("needs").exists());
}

/// A repository that answers to nobody: cargo and git look for it where no server is.
#[test]
fn a_repository_that_cannot_be_reached_is_told_in_one_line() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let workspace = dir.path().join("upstream/v1.11.3");
    std::fs::create_dir_all(workspace.join("src")).expect("created");
    let manifest = "[package]\nname = \"x\"\nedition = \"2024\"\n[dependencies]\n\
                    y = { git = \"https://github.com/paradigmxyz/reth\", tag = \"v1.11.3\" }\n[workspace]\n";
    std::fs::write(workspace.join("Cargo.toml"), manifest).expect("written");
    std::fs::write(workspace.join("src/lib.rs"), "").expect("written");
    let started = std::time::Instant::now();
    let output = runner()
        .env("BENCH_ROOT", dir.path())
        .env("CARGO_HOME", dir.path().join("cargo"))
        // Nor is it to be found where the user has said it is.
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env_remove("CARGO_NET_GIT_FETCH_WITH_CLI")
        // Port 9 of this machine: refused at once.
        .envs([("https_proxy", "http://127.0.0.1:9"), ("HTTPS_PROXY", "http://127.0.0.1:9")])
        .envs([("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "http.proxy")])
        .env("GIT_CONFIG_VALUE_0", "http://127.0.0.1:9")
        .args(["run", "--upstream", "B2", "--needs"])
        .arg(dir.path().join("needs"))
        .output()
        .expect("run");
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(started.elapsed() < std::time::Duration::from_secs(60));
    assert!(
        text.contains("error: --upstream needs https://github.com/paradigmxyz/reth (tag v1.11.3)"),
        "{text}"
    );
    assert!(text.contains("--reth-dir DIR") && text.lines().count() == 1, "{text}");
}

#[test]
fn results_are_never_overwritten() {
    let fake = Fake::new();
    std::fs::create_dir(fake.out()).expect("created");
    std::fs::write(fake.out().join("kept"), "kept").expect("written");
    let output = fake.run(&["B2"]).output().expect("run");
    let text = text(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("--out") && text.contains("never overwritten"), "{text}");
    assert_eq!(std::fs::read_dir(fake.out()).expect("read").count(), 1);
}

#[test]
fn too_little_space_is_found_before_anything_is_written() {
    let fake = Fake::new();
    let mut command = runner();
    command.args(["run", "B2", "--db-dir", "/proc", "--out"]).arg(fake.out());
    command.args(fake.executables());
    let output = command.output().expect("run");
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("/proc") && text.contains("2 GiB"), "{text}");
    assert!(!fake.out().exists());
}

#[test]
fn a_file_that_is_no_summary_is_named() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(dir.path().join("summary.json"), "{\"schema\": 1, ").expect("written");
    let output = runner().arg("report").arg(dir.path()).output().expect("run");
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("summary.json") && text.contains("cut off"), "{text}");
}
