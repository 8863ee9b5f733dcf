//! The source of reth at a tag, which a workspace of `upstream/` is built from: at hand or obtainable?
//!
//! Asked before a build, so that a machine without a way to it is told at once and in one line.

use crate::arms::Side;
use crate::source::{REPOSITORY, Source, Tag};
use anyhow::{Context as _, Result, bail};
use std::{
    env,
    ffi::OsString,
    fs,
    io::{ErrorKind, IsTerminal as _, Write as _},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long the repository may take to answer at all.
const REACH: Duration = Duration::from_secs(20);

/// How long fetching it and its dependencies may take.
const FETCH: Duration = Duration::from_secs(900);

/// Fails unless everything that the workspace of `tag` is built from is in cargo's cache, into which
/// it is fetched if it is not.
///
/// # Errors
/// One line that names the repository, the tag and the ways out.
pub fn require(root: &Path, tag: Tag) -> Result<()> {
    let manifest = Source::Tag(tag).workspace(Side::Reth, root).join("Cargo.toml");
    if !manifest.is_file() {
        bail!("{} does not exist: the suite has no workspace for reth {tag}", manifest.display());
    }
    match bounded(cargo_fetch(&manifest).args(["--offline", "--quiet"]), FETCH, Show::Nothing) {
        Ok(()) => return Ok(()),
        Err(Failure::Said { offline: true, .. }) => {}
        // No network would help.
        Err(failure) => bail!("{} does not build as locked: {failure}", manifest.display()),
    }
    let mut asked = Command::new("git");
    asked.args(["ls-remote", "--exit-code", REPOSITORY]).arg(format!("refs/tags/{tag}"));
    // Nobody is there to type a password.
    asked.env("GIT_TERMINAL_PROMPT", "0");
    match bounded(&mut asked, REACH, Show::Nothing) {
        // cargo has a git of its own.
        Ok(()) | Err(Failure::Missing) => {}
        Err(failure) => return unobtainable(tag, failure),
    }
    // Not `eprintln!`, which panics when stderr is gone.
    let _ = writeln!(std::io::stderr(), "fetching {REPOSITORY} (tag {tag}) and its dependencies");
    let mut fetch = cargo_fetch(&manifest);
    if std::io::stderr().is_terminal() {
        // It writes to a file, from which it is shown.
        fetch.envs([("CARGO_TERM_PROGRESS_WHEN", "always"), ("CARGO_TERM_PROGRESS_WIDTH", "78")]);
    }
    match bounded(&mut fetch, FETCH, Show::Progress) {
        Ok(()) => Ok(()),
        Err(failure) => unobtainable(tag, failure),
    }
}

fn unobtainable(tag: Tag, failure: Failure) -> Result<()> {
    bail!(
        "--upstream needs {REPOSITORY} (tag {tag}), which could not be fetched: {failure}; run without \
         --upstream to measure the registry side, or use --reth-dir DIR with a local checkout"
    )
}

/// Fetches what a build for this machine needs, exactly as locked.
fn cargo_fetch(manifest: &Path) -> Command {
    let mut command = Command::new(cargo());
    command.args(["fetch", "--locked", "--manifest-path"]).arg(manifest);
    if let Some(host) = host() {
        command.arg("--target").arg(host);
    }
    command.env("CARGO_NET_RETRY", "0");
    command
}

/// The cargo that called, or the user's.
pub(crate) fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Target of a build for this machine.
pub(crate) fn host() -> Option<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// Why a program did not do what it was asked.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("the program is not installed")]
    Missing,
    #[error("no answer within {} s", .0.as_secs())]
    Late(Duration),
    #[error("{text}")]
    Said {
        /// Its last line.
        text: String,
        /// Whether it is because cargo had to do without the network.
        offline: bool,
    },
}

/// What is shown of what a program prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Show {
    Nothing,
    /// All of it, as it comes: what takes minutes must not look dead.
    Progress,
}

/// Runs a program for at most `limit`.
fn bounded(command: &mut Command, limit: Duration, show: Show) -> Result<(), Failure> {
    bounded_to(command, limit, show, &mut std::io::stderr())
}

fn bounded_to(
    command: &mut Command,
    limit: Duration,
    show: Show,
    to: &mut dyn std::io::Write,
) -> Result<(), Failure> {
    let said =
        |error: &dyn std::fmt::Display| Failure::Said { text: error.to_string(), offline: false };
    // A file, since a pipe that nobody reads would stop a program that prints much.
    let printed = tempfile::NamedTempFile::new().map_err(|e| said(&e))?;
    let file = printed.reopen().map_err(|e| said(&e))?;
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file).spawn().map_err(|e| {
            if e.kind() == ErrorKind::NotFound { Failure::Missing } else { said(&e) }
        })?;
    let mut unread = printed.reopen().map_err(|e| said(&e))?;
    let start = Instant::now();
    loop {
        let ended = child.try_wait().map_err(|e| said(&e))?;
        if show == Show::Progress {
            // Progress that cannot be shown is no reason to stop.
            let _ = std::io::copy(&mut unread, to).and_then(|_| to.flush());
        }
        match ended {
            Some(status) if status.success() => return Ok(()),
            Some(status) => {
                let text = fs::read(printed.path()).unwrap_or_default();
                let text = String::from_utf8_lossy(&text);
                let offline =
                    ["offline mode", "--offline was"].iter().any(|part| text.contains(part));
                let text = reason(&text).unwrap_or_else(|| status.to_string());
                return Err(Failure::Said { text, offline });
            }
            None if start.elapsed() > limit => {
                // It may have ended in the meantime.
                let _ = child.kill();
                let _ = child.wait();
                return Err(Failure::Late(limit));
            }
            None => thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// What a failed program says of the cause: the last line that says anything.
fn reason(printed: &str) -> Option<String> {
    // A progress bar overwrites its own line.
    let lines = printed.split(['\n', '\r']).map(|line| line.trim_start_matches("\u{1b}[K").trim());
    let mut lines = lines.filter(|line| !line.is_empty());
    let line = lines.next_back()?;
    Some(line.trim_start_matches("fatal: ").trim_end_matches('.').to_owned())
}

/// Output of a cargo command that succeeds.
///
/// # Errors
/// The last line of what it says.
pub(crate) fn cargo_output(args: &[&str], manifest: &Path) -> Result<Vec<u8>> {
    let output = Command::new(cargo())
        .args(args)
        .arg("--manifest-path")
        .arg(manifest)
        .output()
        .context("cannot run cargo")?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        bail!("{}", reason(&text).unwrap_or_else(|| output.status.to_string()));
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_hangs_is_given_up() {
        let start = Instant::now();
        let failure =
            bounded(Command::new("sleep").arg("60"), Duration::from_millis(50), Show::Nothing);
        assert!(matches!(failure, Err(Failure::Late(_))), "{failure:?}");
        assert!(start.elapsed() < Duration::from_secs(30));
        let missing = bounded(&mut Command::new("/no/such/program"), REACH, Show::Nothing);
        assert!(matches!(missing, Err(Failure::Missing)), "{missing:?}");
    }

    #[test]
    fn what_takes_long_is_shown_and_its_last_line_kept() {
        let script = "printf 'Updating\\rUpdating: 50%%\\r' >&2; sleep 0.2; echo 'fatal: no way.' >&2; exit 1";
        let mut shown = Vec::new();
        let mut run = |show| {
            let mut command = Command::new("sh");
            let failure = bounded_to(command.args(["-c", script]), REACH, show, &mut shown);
            assert_eq!(failure.expect_err("failed").to_string(), "no way");
            String::from_utf8_lossy(&std::mem::take(&mut shown)).into_owned()
        };
        assert_eq!(run(Show::Nothing), "");
        assert_eq!(run(Show::Progress), "Updating\rUpdating: 50%\rfatal: no way.\n");
    }

    #[test]
    fn the_error_names_repository_tag_cause_and_ways_out() {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "echo 'fatal: unable to access it: Could not resolve host.' >&2; exit 128",
        ]);
        let failure = bounded(&mut command, REACH, Show::Nothing).expect_err("failed");
        let text = unobtainable(Tag::V1, failure).expect_err("an error").to_string();
        assert!(!text.contains('\n'), "{text}");
        for part in [
            "--upstream needs https://github.com/paradigmxyz/reth (tag v1.11.3)",
            "unable to access it: Could not resolve host;",
            "without --upstream",
            "--reth-dir DIR",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }

    #[test]
    fn a_suite_without_the_workspace_says_so() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let error = require(root.path(), Tag::V2).expect_err("missing").to_string();
        assert!(error.contains("upstream/v2.5.1/Cargo.toml"), "{error}");
    }
}
