//! The directory of a run's results.

use crate::{exit::Usage, mode::Mode, workspace};
use anyhow::{Context as _, Result};
use std::{
    fs,
    path::{Path, PathBuf},
};
use time::{OffsetDateTime, macros::format_description};

/// Directory for a run that starts at `started`: `out` if given, else a new one under
/// `results/runs/`. Nothing is created yet.
///
/// # Errors
/// [`Usage`] if it exists and holds something, which a run would mix with its own.
pub fn choose(
    out: Option<&Path>,
    root: &Path,
    mode: Mode,
    started: OffsetDateTime,
) -> Result<PathBuf> {
    let dir = match out {
        Some(dir) => dir.to_owned(),
        None => root.join("results/runs").join(format!("{}-{}", stamp(started)?, mode.name())),
    };
    let flag = if out.is_some() { "--out " } else { "" };
    let refused = |reason: String| Err(Usage(format!("{flag}{}{reason}", dir.display())).into());
    match fs::read_dir(&dir).map(|mut entries| entries.next().is_some()) {
        Ok(true) => {
            refused(" is not empty; name a new directory, results are never overwritten".into())
        }
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            refused(format!(": {e}; name a directory"))
        }
        _ => Ok(dir),
    }
}

/// A time that sorts, and that every file system takes as a name.
fn stamp(time: OffsetDateTime) -> Result<String> {
    let format = format_description!("[year]-[month]-[day]T[hour]-[minute]-[second]Z");
    time.format(format).context("cannot format the time")
}

/// Says in the run's directory why there is no summary.
pub fn record_failure(dir: &Path, error: &anyhow::Error) -> Result<()> {
    workspace::write(&dir.join("failure.txt"), format!("{error:#}\n").as_bytes())
}

/// Says in the directory of an interrupted run that nothing was measured.
pub fn record_interruption(dir: &Path) -> Result<()> {
    let text =
        "Interrupted before both sides of any benchmark were measured: there is no result.\n";
    workspace::write(&dir.join("interrupted.txt"), text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn runs_are_named_by_time_and_mode() {
        let start = datetime!(2025-01-02 03:04:05 UTC);
        let dir = choose(None, Path::new("/suite"), Mode::Quick, start).expect("a name");
        assert_eq!(dir, Path::new("/suite/results/runs/2025-01-02T03-04-05Z-quick"));
    }

    #[test]
    fn what_exists_is_not_overwritten() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let start = datetime!(2025-01-02 03:04:05 UTC);
        let choose = || choose(Some(dir.path()), Path::new("/"), Mode::Quick, start);
        assert_eq!(choose().expect("empty"), dir.path());
        fs::write(dir.path().join("kept"), "").expect("written");
        let error = choose().expect_err("not empty");
        assert!(error.is::<Usage>() && format!("{error}").contains("--out"), "{error}");
    }
}
