//! Reads and writes `summary.json`.

use crate::workspace;
use anyhow::{Context as _, Result, bail};
use bench_shared::summary::{SUMMARY_SCHEMA, Summary};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Name of the file in a run's directory.
pub const FILE: &str = "summary.json";

/// Writes the summary of the run in `dir`.
pub fn write(dir: &Path, summary: &Summary) -> Result<()> {
    let mut text = serde_json::to_string_pretty(summary).context("cannot encode the summary")?;
    text.push('\n');
    workspace::write(&dir.join(FILE), text.as_bytes())
}

/// Reads the summary of a run: its directory, or the file itself.
///
/// # Errors
/// Names the file and, where there is one, the field that is wrong.
pub fn read(run: &Path) -> Result<Summary> {
    let file: PathBuf = if run.is_dir() { run.join(FILE) } else { run.to_owned() };
    let text = fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}; is it a finished run?", file.display()))?;
    parse(&text).with_context(|| file.display().to_string())
}

/// Parses a summary.
fn parse(text: &str) -> Result<Summary> {
    let value: serde_json::Value = serde_json::from_str(text).context("not JSON, or cut off")?;
    // The schema first: a newer one explains every other surprise.
    match value.get("schema").map(serde_json::Value::as_u64) {
        Some(Some(schema)) if schema == u64::from(SUMMARY_SCHEMA) => {}
        Some(Some(schema)) => bail!(
            "field `schema`: version {schema}, but this program reads version {SUMMARY_SCHEMA}; use \
             the version of the suite that wrote it"
        ),
        _ => bail!("field `schema`: missing or no number; this is no summary of the suite"),
    }
    let summary: Summary = serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        anyhow::anyhow!("field `{path}`: {}", error.into_inner())
    })?;
    check(&summary)?;
    Ok(summary)
}

/// What the types do not say.
fn check(summary: &Summary) -> Result<()> {
    for (i, bench) in summary.benches.iter().enumerate() {
        for (j, comparison) in bench.comparisons.iter().enumerate() {
            for (field, arm) in [("base", &comparison.base), ("other", &comparison.other)] {
                if !bench.arms.contains_key(arm) {
                    bail!(
                        "field `benches[{i}].comparisons[{j}].{field}`: {} has no arm `{arm}`",
                        bench.id
                    );
                }
            }
        }
        for (arm, data) in &bench.arms {
            if data.rounds_ns.is_empty() {
                bail!("field `benches[{i}].arms.{arm}.rounds_ns`: {} has no rounds", bench.id);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;

    fn error(text: &str) -> String {
        format!("{:#}", parse(text).expect_err("refused"))
    }

    #[test]
    fn what_is_written_reads_back() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let summary = example::summary();
        write(dir.path(), &summary).expect("written");
        let read = read(dir.path()).expect("read");
        assert_eq!(read.benches.len(), summary.benches.len());
    }

    #[test]
    fn bad_files_name_file_and_field() {
        let text = serde_json::to_string(&example::summary()).expect("encoded");
        assert!(error(&text[..text.len() / 2]).contains("cut off"));
        assert!(error("{}").contains("`schema`"));
        let newer = text.replacen("\"schema\":1", "\"schema\":99", 1);
        assert!(error(&newer).contains("version 99"));
        let wrong = text.replacen("\"complete\":true", "\"complete\":\"yes\"", 1);
        assert!(error(&wrong).contains("`complete`"), "{}", error(&wrong));
        let wrong = text.replacen("\"ratio\":", "\"ratios\":", 1);
        assert!(error(&wrong).contains("benches[0].comparisons[0]"), "{}", error(&wrong));
        let wrong = text.replacen("\"other\":\"signet-unsync\"", "\"other\":\"nobody\"", 1);
        assert!(error(&wrong).contains("no arm `nobody`"), "{}", error(&wrong));

        let missing = read(Path::new("/no/such/run")).expect_err("missing");
        assert!(format!("{missing:#}").contains("/no/such/run"));
    }
}
