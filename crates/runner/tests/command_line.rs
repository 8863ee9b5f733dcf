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
    let cases: [(&[&str], &str); 15] = [
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
        (["B2", "B7"].as_slice(), "reth bindings\nsignet bindings\n"),
        (&["--hotdb"], "reth hotdb\nsignet hotdb\n"),
        (&["--aa", "B2"], "reth bindings\n"),
        (&["--aa=signet", "B2", "H1"], "signet bindings\nsignet hotdb\n"),
    ] {
        let mut command = runner();
        command.args(["run", "--needs"]).arg(&file).args(args).assert().success();
        assert_eq!(std::fs::read_to_string(&file).expect("read"), needs, "{args:?}");
    }
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
    command.arg("--executables").arg(fake.path().join("messages.json"));
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
