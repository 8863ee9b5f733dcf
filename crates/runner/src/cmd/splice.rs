//! `readme` and `methodology`: README.md and the tables of METHODOLOGY.md from the published runs.

use crate::{
    publish::Published,
    workspace::{self, root},
};
use anyhow::{Context as _, Result};
use std::fs;

/// Rewrites a document in place: a shell that redirects into a file empties it before it is read.
pub fn run(document: &str, rewrite: impl Fn(&Published, &str) -> String) -> Result<()> {
    let root = root();
    let file = root.join(document);
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    workspace::write(&file, rewrite(&Published::read(&root)?, &text).as_bytes())
}
