//! `methodology`: the tables of METHODOLOGY.md from the published fidelity runs.

use crate::{
    publish::Published,
    workspace::{self, root},
};
use anyhow::{Context as _, Result};
use std::fs;

/// Rewrites METHODOLOGY.md in place: a shell that redirects into a file empties it before it is read.
pub fn run() -> Result<()> {
    let root = root();
    let file = root.join("METHODOLOGY.md");
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    workspace::write(&file, Published::read(&root)?.methodology(&text).as_bytes())
}
