//! `spec`: BENCH_SPEC.md.

use super::print;
use crate::document::spec;
use anyhow::Result;

/// Prints the document.
pub fn run() -> Result<()> {
    print(&spec::render())
}
