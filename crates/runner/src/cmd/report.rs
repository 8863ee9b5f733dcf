//! `report`: the results of a run as a document, as charts, or as a web page.

use super::print;
use crate::{
    document::{
        chart, page, place,
        results::{self, Origin},
    },
    exit::Usage,
    publish, store, workspace,
};
use anyhow::{Context as _, Result, bail};
use std::{
    fs::{self, Permissions},
    io::{ErrorKind, Read as _, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

/// Prints the document of a run (its directory, or its summary), or draws its charts into `charts`.
pub fn run(run: &Path, charts: Option<&Path>) -> Result<()> {
    let summary = store::read(run)?;
    match charts {
        Some(_) if chart::layers(&summary).is_empty() => {
            bail!("{} compares no stacks, and has no chart", run.display())
        }
        Some(dir) => publish::charts(&summary, dir),
        None => {
            let root = workspace::root();
            let published = publish::directory(&root, &place::directory(&summary));
            let is_published = fs::canonicalize(published)
                .is_ok_and(|dir| fs::canonicalize(run).is_ok_and(|run| run.starts_with(dir)));
            let name = run.display().to_string();
            let fidelity = if is_published { publish::fidelity(&root)? } else { None };
            let origin = if is_published {
                Origin::Published(fidelity.as_ref())
            } else {
                Origin::Elsewhere(&name)
            };
            print(&results::render(&summary, origin))
        }
    }
}

/// Writes the page of a run to `file` and prints its name.
///
/// # Errors
/// [`Usage`] if `file` exists and is not such a page, unless `force` is set; if it is a directory or
/// a device, always.
pub fn page(run: &Path, file: &Path, force: bool) -> Result<()> {
    let html = page::render(&store::read(run)?);
    // A link stays one: what it points to is the file that the page replaces.
    let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let replace = may_replace(&target, file, force)?;
    write(&target, html.as_bytes(), replace)
        .with_context(|| format!("cannot write {}", file.display()))?;
    print(&format!("{}\n", file.display()))
}

/// Whether there is a file to replace; an error if it must not be.
fn may_replace(target: &Path, named: &Path, force: bool) -> Result<bool> {
    let name = named.display();
    match fs::metadata(target) {
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e).with_context(|| format!("cannot read {name}")),
        Ok(metadata) if !metadata.is_file() => {
            Err(Usage(format!("--html {name}: not a regular file; name a new file")).into())
        }
        Ok(_) if force || is_page(target).with_context(|| format!("cannot read {name}"))? => {
            Ok(true)
        }
        Ok(_) => Err(Usage(format!(
            "--html {name}: the file exists and is not a page of this program; name another, or \
             overwrite it with --force"
        ))
        .into()),
    }
}

fn is_page(file: &Path) -> std::io::Result<bool> {
    let mut start = Vec::new();
    fs::File::open(file)?.take(page::BANNER.len() as u64).read_to_end(&mut start)?;
    Ok(start == page::BANNER.as_bytes())
}

/// Writes the file whole or not at all, and, unless it is to be replaced, only if none came into
/// being in the meantime.
fn write(file: &Path, content: &[u8], replace: bool) -> Result<()> {
    let dir = match file.parent() {
        Some(dir) if dir != Path::new("") => dir.to_owned(),
        _ => PathBuf::from("."),
    };
    // A page is for others to read; the umask has the last word, as for any new file.
    let mut partial =
        tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(dir)?;
    partial.write_all(content)?;
    if replace {
        partial.persist(file)?;
    } else {
        partial.persist_noclobber(file)?;
    }
    Ok(())
}
