//! `report`: the results document of a run, or its charts.

use super::print;
use crate::{
    document::{chart, results},
    publish, store,
};
use anyhow::{Result, bail};
use std::path::Path;

/// Prints the document of a run (its directory, or its summary), or draws its charts into `charts`.
pub fn run(run: &Path, charts: Option<&Path>) -> Result<()> {
    let summary = store::read(run)?;
    match charts {
        Some(_) if chart::layers(&summary).is_empty() => {
            bail!("{} compares no stacks, and has no chart", run.display())
        }
        Some(dir) => publish::charts(&summary, dir),
        None => print(&results::render(&summary)),
    }
}
