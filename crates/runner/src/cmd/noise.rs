//! `noise`: what self-tests say about schedules.

use super::print;
use crate::{document::noise, exit::Usage, self_test, store};
use anyhow::Result;
use std::path::PathBuf;

/// Runs `noise`.
pub fn run(runs: &[PathBuf]) -> Result<()> {
    let mut summaries = Vec::new();
    for run in runs {
        let summary = store::read(run)?;
        if self_test::errors(&summary).is_none() {
            let run = run.display();
            return Err(Usage(format!("{run} compares two sides; give runs of --aa")).into());
        }
        summaries.push(summary);
    }
    print(&noise::render(&summaries))
}
