//! `report`: the results document of a run.

use super::print;
use crate::{document::results, store};
use anyhow::Result;
use std::path::Path;

/// Prints the document of a run: its directory, or its summary.
pub fn run(run: &Path) -> Result<()> {
    print(&results::render(&store::read(run)?))
}
