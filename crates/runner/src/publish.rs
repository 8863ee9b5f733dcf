//! Publishing: a copy of a run in `results/<mode>/`, and the document made from it.

use crate::{
    document::{readme, results},
    exit::{self, Usage},
    mode::Mode,
    store,
    workspace::{Git, Staged, create_dir},
};
use anyhow::{Context as _, Result, bail};
use bench_shared::summary::Summary;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Directory of a mode's published run.
pub fn directory(root: &Path, mode: &str) -> PathBuf {
    root.join("results").join(mode)
}

/// Refuses up front what could not be published later: a figure must be traceable to a commit.
pub fn require_clean(git: Option<&Git>) -> Result<(), Usage> {
    let reason = match git {
        Some(Git { changed: None, .. }) => return Ok(()),
        Some(Git { changed: Some(file), .. }) => {
            format!("the tree differs from its commit ({file}); commit or undo first")
        }
        None => "the suite is in no git repository; run from a clone".to_owned(),
    };
    Err(Usage(format!("--publish takes runs from a clean tree only: {reason}")))
}

/// Copies the run in `dir` and writes the document.
///
/// # Errors
/// If the run is not complete, verified and unfiltered, or a file cannot be written; the published
/// run then stays as it was.
pub fn publish(dir: &Path, root: &Path, mode: Mode) -> Result<PathBuf> {
    let summary = store::read(dir)?;
    if !summary.complete || !summary.verified || !summary.filters.is_empty() {
        bail!("{} is not complete, verified and unfiltered, and is not published", dir.display());
    }
    let target = directory(root, mode.name());
    let (new, old) = (target.with_extension("new"), target.with_extension("old"));
    for stale in [&new, &old] {
        if stale.exists() {
            remove(stale)?;
        }
    }
    // Everything that can fail for want of room or of rights comes first.
    let document = root.join(results::file_name(mode.name()));
    let mut documents = vec![Staged::new(&document, results::render(&summary).as_bytes())?];
    if mode == Mode::Quick {
        documents.extend(sample(&root.join("README.md"), &summary)?);
    }
    copy(dir, &new)?;
    let replaces = target.exists();
    if replaces {
        rename(&target, &old)?;
    }
    let replaced =
        rename(&new, &target).and_then(|()| documents.into_iter().try_for_each(Staged::keep));
    if let Err(error) = replaced {
        let back = if replaces { restore(&old, &target) } else { Ok(()) };
        return Err(exit::and(error, back));
    }
    if replaces {
        remove(&old)?;
    }
    Ok(document)
}

/// Puts the run that was published before back in its place.
fn restore(old: &Path, target: &Path) -> Result<()> {
    if target.exists() {
        remove(target)?;
    }
    rename(old, target)
}

/// README.md with the run's sample, if there is one with a place for it.
fn sample(file: &Path, summary: &Summary) -> Result<Option<Staged>> {
    if !file.exists() {
        return Ok(None);
    }
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    readme::splice(&text, summary).map(|new| Staged::new(file, new.as_bytes())).transpose()
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    create_dir(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry.with_context(|| format!("cannot read {}", from.display()))?.path();
        let Some(name) = path.file_name() else { continue };
        let target = to.join(name);
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).with_context(|| {
                format!("cannot copy {} to {}", path.display(), target.display())
            })?;
        }
    }
    Ok(())
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to)
        .with_context(|| format!("cannot rename {} to {}", from.display(), to.display()))
}

fn remove(dir: &Path) -> Result<()> {
    fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    #[test]
    fn only_a_clean_tree_is_published_from() {
        let git = |changed: Option<&str>| Git {
            commit: "abc".into(),
            changed: changed.map(str::to_owned),
        };
        require_clean(Some(&git(None))).expect("clean");
        let dirty = require_clean(Some(&git(Some("M src/x.rs")))).expect_err("dirty");
        assert!(dirty.0.contains("src/x.rs"));
        assert!(require_clean(None).is_err());
    }

    #[test]
    fn a_published_run_replaces_the_last_one_and_its_document() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let run = root.path().join("run");
        fs::create_dir_all(run.join("raw")).expect("created");
        fs::write(run.join("raw/B2.tar.gz"), "raw").expect("written");
        let old = directory(root.path(), "quick");
        fs::create_dir_all(&old).expect("created");
        fs::write(old.join("stale"), "").expect("written");

        let filtered = example::summary();
        store::write(&run, &filtered).expect("written");
        assert!(publish(&run, root.path(), Mode::Quick).is_err());
        assert!(old.join("stale").exists(), "a refused run leaves the published one alone");

        let summary = Summary { filters: Vec::new(), ..filtered };
        store::write(&run, &summary).expect("written");
        // What cannot be read as text cannot be given a sample.
        let readme = root.path().join("README.md");
        fs::write(&readme, [0xff]).expect("written");
        assert!(publish(&run, root.path(), Mode::Quick).is_err());
        assert!(old.join("stale").exists(), "a failure leaves the published run alone");
        let left = fs::read_dir(root.path()).expect("read").flatten();
        let left: Vec<_> =
            left.filter(|e| e.path().extension().is_some_and(|e| e != "md")).collect();
        assert!(left.is_empty(), "{left:?}");
        fs::remove_file(&readme).expect("removed");

        let document = publish(&run, root.path(), Mode::Quick).expect("published");
        assert_eq!(document, root.path().join("RESULTS.md"));
        assert_eq!(fs::read_to_string(document).expect("read"), results::render(&summary));
        assert!(old.join("raw/B2.tar.gz").exists() && !old.join("stale").exists());
    }
}
