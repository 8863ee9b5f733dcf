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
        let name = run.display();
        if self_test::errors(&summary).is_none() {
            return Err(Usage(format!("{name} compares two sides; give runs of --aa")).into());
        }
        if summary.schedule.is_none() {
            let text =
                format!("{name} does not say how its rounds were run (`schedule`); run it again");
            return Err(Usage(text).into());
        }
        summaries.push(summary);
    }
    print(&noise::render(&summaries))
}
