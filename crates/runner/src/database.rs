//! Where the databases live: one temporary directory with room enough, removed whatever happens.

use crate::{exit::Usage, host, units};
use anyhow::{Context as _, Result, bail};
use bench_shared::scale::Scale;
use std::{
    env,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// Room that a run needs, bytes. Databases exist for one process at a time. At the default scale
/// the largest set is B2's: 823 MB of 4 KiB values, which grow in steps of 64 MiB, two tables
/// under 60 MB, and Criterion's output; twice that leaves room for the write benchmarks' garbage.
/// No set can exceed the 1 GiB of each of its three environments at the larger scale.
pub const fn need(scale: Scale) -> u64 {
    match scale {
        Scale::Smoke => 1 << 29,
        Scale::Default => 2 << 30,
        Scale::Large => 4 << 30,
    }
}

/// Prefix of the temporary directory's name.
pub const PREFIX: &str = "mdbx-bench-";

/// Chosen place for the databases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Existing directory.
    pub dir: PathBuf,
    /// Type of its file system.
    pub fs: String,
}

impl Place {
    /// `--db-dir` if given, else `/dev/shm` if it is a tmpfs with room, else the temporary
    /// directory.
    ///
    /// # Errors
    /// If there is too little room; [`Usage`] if `--db-dir` is no directory.
    pub fn choose(db_dir: Option<&Path>, scale: Scale) -> Result<Self> {
        let need = need(scale);
        if let Some(dir) = db_dir {
            if !dir.is_dir() {
                return Err(Usage(format!(
                    "--db-dir {} is not an existing directory; create it first",
                    dir.display()
                ))
                .into());
            }
            let place = Self::at(dir)?;
            place.require(need)?;
            return Ok(place);
        }
        // On a disk SafeNoSync with WRITEMAP still waits for msync, and that time is the disk's.
        if let Some(place) = Self::in_memory(need) {
            return Ok(place);
        }
        let place = Self::at(&env::temp_dir())?;
        place.require(need)?;
        Ok(place)
    }

    /// Where Criterion and the processes write their files: in memory even if the databases are on a
    /// disk, whose time for these files would else be in the figures.
    pub fn for_files(&self) -> Self {
        /// Files of one process take well below a megabyte.
        const ROOM: u64 = 64 << 20;
        Self::in_memory(ROOM).unwrap_or_else(|| self.clone())
    }

    fn in_memory(need: u64) -> Option<Self> {
        let place = Self::at(Path::new("/dev/shm")).ok().filter(|p| p.fs == "tmpfs")?;
        place.require(need).ok()?;
        Some(place)
    }

    fn at(dir: &Path) -> Result<Self> {
        let dir = dir.canonicalize().with_context(|| format!("cannot use {}", dir.display()))?;
        let fs = host::file_system(&dir);
        Ok(Self { dir, fs })
    }

    fn require(&self, need: u64) -> Result<()> {
        let free = self.free()?;
        if free < need {
            bail!(
                "too little space for the databases: {} ({}) has {} free, this run needs {}; name \
                 another directory with --db-dir",
                self.dir.display(),
                self.fs,
                units::bytes(free),
                units::bytes(need)
            );
        }
        Ok(())
    }

    /// Free bytes. A tmpfs gives its limit, which may be more than the memory behind it.
    fn free(&self) -> Result<u64> {
        let stat = rustix::fs::statvfs(&self.dir)
            .with_context(|| format!("cannot read the free space of {}", self.dir.display()))?;
        let free = stat.f_bavail.saturating_mul(stat.f_frsize);
        Ok(match host::memory().available {
            Some(available) if self.fs == "tmpfs" => free.min(available),
            _ => free,
        })
    }

    /// Makes the temporary directory, which is removed when it is dropped.
    pub fn temp_dir(&self) -> Result<TempDir> {
        tempfile::Builder::new().prefix(PREFIX).tempdir_in(&self.dir).with_context(|| {
            format!("cannot write to {}; name another directory with --db-dir", self.dir.display())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_system_without_room_is_refused_by_name_and_size() {
        let error = Place::choose(Some(Path::new("/proc")), Scale::Default).expect_err("no room");
        let text = format!("{error:#}");
        assert!(text.contains("/proc") && text.contains("2 GiB"), "{text}");
        assert!(text.contains("--db-dir"), "{text}");
    }

    #[test]
    fn a_missing_directory_is_a_usage_error() {
        let error = Place::choose(Some(Path::new("/no/such")), Scale::Smoke).expect_err("missing");
        assert!(error.is::<Usage>());
    }

    #[test]
    fn the_temporary_directory_goes_when_it_is_dropped() {
        let parent = tempfile::tempdir().expect("a temporary directory");
        let place = Place { dir: parent.path().to_owned(), fs: "tmpfs".into() };
        let dir = place.temp_dir().expect("made");
        let path = dir.path().to_owned();
        assert!(path.starts_with(parent.path()) && path.is_dir());
        drop(dir);
        assert!(!path.exists());
    }
}
