//! Where the suite lives, and the few things asked of its files.

use crate::exit;
use anyhow::{Context as _, Result};
use std::{
    env, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
};

/// Environment variable that names the root of the suite; run_benches.sh sets it.
pub const ROOT_ENV: &str = "BENCH_ROOT";

/// Root of the suite.
pub fn root() -> PathBuf {
    match env::var_os(ROOT_ENV) {
        Some(root) if !root.is_empty() => root.into(),
        // crates/runner, when cargo runs it.
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
    }
}

/// State of the suite's git repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Git {
    /// Commit that is checked out.
    pub commit: String,
    /// The first file that differs from it, if any does.
    pub changed: Option<String>,
}

impl Git {
    /// Of the repository at `root`; `None` if it is none or has no commit, or git is not installed.
    pub fn of(root: &Path) -> Option<Self> {
        let commit = output("git", &["rev-parse", "HEAD"], root)?;
        let status = output("git", &["status", "--porcelain"], root)?;
        Some(Self { commit, changed: status.lines().next().map(|l| l.trim().to_owned()) })
    }

    /// As in `summary.json`.
    pub fn describe(&self) -> String {
        let suffix = if self.changed.is_some() { "-dirty" } else { "" };
        format!("{}{suffix}", self.commit)
    }
}

/// Trimmed output of a program that succeeds; `None` otherwise.
pub fn output(program: &str, args: &[&str], dir: &Path) -> Option<String> {
    let output = Command::new(program).args(args).current_dir(dir).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}

/// Makes a directory and those above it.
pub fn create_dir(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))
}

/// Writes a file whole or not at all: a reader, or a full disk, never leaves half of one.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    Staged::new(path, content)?.keep()
}

/// New content of a file, written beside it. Dropped, it leaves the file as it was.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    partial: PathBuf,
}

impl Staged {
    /// Writes `content` for `path`.
    pub fn new(path: &Path, content: &[u8]) -> Result<Self> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        let staged = Self { path: path.to_owned(), partial: partial.into() };
        fs::write(&staged.partial, content)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(staged)
    }

    /// Puts each in its file's place, or, if one cannot be, leaves every file as it was.
    pub fn keep_all(all: Vec<Self>) -> Result<()> {
        let mut before = Vec::new();
        for staged in &all {
            let content = match fs::read(&staged.path) {
                Ok(content) => Some(content),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) => {
                    let file = staged.path.display();
                    return Err(error).with_context(|| format!("cannot read {file}"));
                }
            };
            before.push((staged.path.clone(), content));
        }
        for (i, staged) in all.into_iter().enumerate() {
            if let Err(error) = staged.keep() {
                let back =
                    before.into_iter().take(i).try_for_each(|(path, content)| match content {
                        Some(content) => write(&path, &content),
                        None => fs::remove_file(&path)
                            .with_context(|| format!("cannot remove {}", path.display())),
                    });
                return Err(exit::and(error, back));
            }
        }
        Ok(())
    }

    /// Puts it in the file's place.
    pub fn keep(self) -> Result<()> {
        fs::rename(&self.partial, &self.path)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // There is none after `keep`.
        let _ = fs::remove_file(&self.partial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_all_staged_files_are_kept_or_none() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = |name: &str| dir.path().join(name);
        fs::write(file("a"), "old").expect("written");
        let staged = || -> Vec<Staged> {
            let new = |name| Staged::new(&file(name), b"new").expect("staged");
            ["a", "b", "c"].map(new).into()
        };
        let all = staged();
        // The last rename finds nothing to rename.
        fs::remove_file(file("c.partial")).expect("removed");
        Staged::keep_all(all).expect_err("one is missing");
        assert_eq!(fs::read_to_string(file("a")).expect("read"), "old");
        let left: Vec<_> =
            fs::read_dir(dir.path()).expect("read").flatten().map(|e| e.file_name()).collect();
        assert_eq!(left, ["a"]);

        Staged::keep_all(staged()).expect("kept");
        assert_eq!(["a", "b", "c"].map(|n| fs::read_to_string(file(n)).expect("read")), ["new"; 3]);
    }
}
