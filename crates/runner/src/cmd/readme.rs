//! `readme`: README.md from the published runs.

use crate::{
    publish::Published,
    workspace::{self, root},
};
use anyhow::{Context as _, Result};
use std::fs;

/// Rewrites README.md in place: a shell that redirects into a file empties it before it is read.
pub fn run() -> Result<()> {
    let root = root();
    let file = root.join("README.md");
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    workspace::write(&file, Published::read(&root)?.readme(&text).as_bytes())
}
