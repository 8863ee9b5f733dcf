//! The raw output of every process, packed by group: `raw/B2.tar.gz` holds a directory for each
//! process (`B2_get_32B/r07-signet/`), in it the job, the report, the printed text and Criterion's files.

use crate::workspace::create_dir;
use anyhow::{Context as _, Result};
use flate2::{Compression, write::GzEncoder};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
};
use tar::{Builder, HeaderMode};

/// Archives of a run, one per group.
pub struct Archive {
    dir: PathBuf,
    open: BTreeMap<&'static str, Builder<GzEncoder<File>>>,
}

impl Archive {
    /// Makes `dir`.
    pub fn create(dir: PathBuf) -> Result<Self> {
        create_dir(&dir)?;
        Ok(Self { dir, open: BTreeMap::new() })
    }

    /// Adds the directory `from` to the group's archive as `name`.
    pub fn add(&mut self, group: &'static str, name: &str, from: &Path) -> Result<()> {
        let path = self.dir.join(format!("{group}.tar.gz"));
        let builder = match self.open.entry(group) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let file = File::create_new(&path)
                    .with_context(|| format!("cannot create {}", path.display()))?;
                let mut builder = Builder::new(GzEncoder::new(file, Compression::default()));
                builder.mode(HeaderMode::Deterministic);
                entry.insert(builder)
            }
        };
        append(builder, Path::new(name), from)
            // What is there can be read even if the runner is killed before the archive's end.
            .and_then(|()| builder.get_mut().flush())
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// Writes the end of each archive.
    pub fn finish(&mut self) -> Result<()> {
        for (group, builder) in std::mem::take(&mut self.open) {
            builder
                .into_inner()
                .and_then(GzEncoder::finish)
                .and_then(|file| file.sync_all())
                .with_context(|| {
                    format!("cannot finish {group}.tar.gz in {}", self.dir.display())
                })?;
        }
        Ok(())
    }
}

/// Appends the files below `from`, less Criterion's `base` copies of its `new` directories.
fn append(builder: &mut Builder<GzEncoder<File>>, name: &Path, from: &Path) -> std::io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(from)?.collect::<std::io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), name.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            if entry.file_name() != "base" {
                append(builder, &name, &path)?;
            }
        } else {
            builder.append_path_with_name(&path, &name)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;

    #[test]
    fn processes_of_a_group_share_an_archive() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let from = dir.path().join("from");
        for sub in ["new", "base"] {
            fs::create_dir_all(from.join(sub)).expect("created");
            fs::write(from.join(sub).join("sample.json"), "{}").expect("written");
        }
        let mut archive = Archive::create(dir.path().join("raw")).expect("created");
        archive.add("B2", "r00-reth", &from).expect("added");
        archive.add("B2", "r00-signet", &from).expect("added");
        archive.finish().expect("finished");

        let file = File::open(dir.path().join("raw/B2.tar.gz")).expect("opened");
        let mut tar = tar::Archive::new(GzDecoder::new(file));
        let names: Vec<String> = tar
            .entries()
            .expect("an archive")
            .map(|e| e.expect("entry").path().expect("path").display().to_string())
            .collect();
        assert_eq!(names, ["r00-reth/new/sample.json", "r00-signet/new/sample.json"]);
    }
}
