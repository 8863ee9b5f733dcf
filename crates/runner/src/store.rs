//! Reads and writes `summary.json`.

use crate::{stats::paired::Verdict, workspace};
use anyhow::{Context as _, Result, bail};
use bench_shared::summary::{Arm, Bench, Comparison, SUMMARY_SCHEMA, Summary};
use std::{
    collections::BTreeSet,
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

/// The summary of a run: in its directory, or the file itself.
pub fn file(run: &Path) -> PathBuf {
    if run.is_dir() { run.join(FILE) } else { run.to_owned() }
}

/// Reads the summary of a run: its directory, or the file itself.
///
/// # Errors
/// Names the file and, where there is one, the field that is wrong.
pub fn read(run: &Path) -> Result<Summary> {
    let file = file(run);
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
        let inner = error.into_inner();
        // The path of the whole file is a dot; the error itself names what it lacks.
        if path == "." {
            anyhow::anyhow!("{inner}; this is no summary of the suite")
        } else {
            anyhow::anyhow!("field `{path}`: {inner}")
        }
    })?;
    check(&summary)?;
    Ok(summary)
}

/// What the types do not say: everything that a division, a logarithm or a look-up relies on.
fn check(summary: &Summary) -> Result<()> {
    let mut ids = BTreeSet::new();
    for (i, bench) in summary.benches.iter().enumerate() {
        let field = format!("benches[{i}]");
        if bench.id.is_empty() || bench.group.is_empty() {
            bail!("field `{field}.id` or `{field}.group`: empty");
        }
        if !ids.insert(&bench.id) {
            bail!("field `{field}.id`: `{}` occurs twice", bench.id);
        }
        for (arm, data) in &bench.arms {
            check_arm(&format!("{field}.arms.{arm}"), data).with_context(|| bench.id.clone())?;
        }
        let mut pairs = BTreeSet::new();
        for (j, comparison) in bench.comparisons.iter().enumerate() {
            let field = format!("{field}.comparisons[{j}]");
            check_comparison(&field, comparison, bench).with_context(|| bench.id.clone())?;
            if !pairs.insert((&comparison.base, &comparison.other)) {
                let Comparison { base, other, .. } = comparison;
                bail!("field `{field}`: {} has `{other}` against `{base}` twice", bench.id);
            }
        }
    }
    Ok(())
}

fn check_arm(field: &str, arm: &Arm) -> Result<()> {
    if arm.rounds_ns.is_empty() {
        bail!("field `{field}.rounds_ns`: no rounds");
    }
    for (i, ns) in arm.rounds_ns.iter().enumerate() {
        positive(&format!("{field}.rounds_ns[{i}]"), *ns)?;
    }
    positive(&format!("{field}.median_ns"), arm.median_ns)?;
    positive(&format!("{field}.min_ns"), arm.min_ns)?;
    if arm.min_ns > arm.median_ns {
        bail!("field `{field}.min_ns`: {} is above the median, {}", arm.min_ns, arm.median_ns);
    }
    Ok(())
}

fn check_comparison(field: &str, comparison: &Comparison, bench: &Bench) -> Result<()> {
    let Comparison { base, other, ratio, ci: [low, high], noise_floor: floor, .. } = comparison;
    for (name, arm) in [("base", base), ("other", other)] {
        if !bench.arms.contains_key(arm) {
            bail!("field `{field}.{name}`: there is no arm `{arm}`");
        }
    }
    if base == other {
        bail!("field `{field}.other`: `{other}` is its own base");
    }
    positive(&format!("{field}.ratio"), *ratio)?;
    positive(&format!("{field}.ratio_of_minima"), comparison.ratio_of_minima)?;
    positive(&format!("{field}.ci[0]"), *low)?;
    positive(&format!("{field}.ci[1]"), *high)?;
    if low > high {
        bail!("field `{field}.ci`: the lower end, {low}, is above the upper one, {high}");
    }
    if !floor.is_finite() || *floor < 0.0 {
        bail!("field `{field}.noise_floor`: {floor} is no fraction of 0 or more");
    }
    if let Some(p) = comparison.p_value.filter(|p| !(0.0..=1.0).contains(p)) {
        bail!("field `{field}.p_value`: {p} is not between 0 and 1");
    }
    if Verdict::named(&comparison.verdict).is_none() {
        let known = Verdict::ALL.map(Verdict::name).join("`, `");
        bail!("field `{field}.verdict`: `{}` is none of `{known}`", comparison.verdict);
    }
    Ok(())
}

fn positive(field: &str, value: f64) -> Result<()> {
    if !value.is_finite() || value <= 0.0 {
        bail!("field `{field}`: {value} is no number above 0");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::example;
    use serde_json::json;

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

    /// Error of the example after one value, named by a JSON pointer, was replaced.
    fn error_with(pointer: &str, value: serde_json::Value) -> String {
        let mut summary = serde_json::to_value(example::summary()).expect("encoded");
        *summary.pointer_mut(pointer).expect(pointer) = value;
        error(&summary.to_string())
    }

    #[test]
    fn values_that_the_types_allow_and_the_suite_never_writes() {
        let arm = "/benches/0/arms/reth";
        let comparison = "/benches/0/comparisons/0";
        let cases = [
            (arm, "/rounds_ns", json!([]), "arms.reth.rounds_ns`: no rounds"),
            // NaN and infinities are written as null.
            (arm, "/rounds_ns/3", json!(null), "arms.reth.rounds_ns[3]`"),
            (arm, "/rounds_ns/3", json!(0.0), "arms.reth.rounds_ns[3]`: 0 "),
            (arm, "/rounds_ns/3", json!(-1.5), "arms.reth.rounds_ns[3]`: -1.5 "),
            (arm, "/rounds_ns/3", json!("1"), "arms.reth.rounds_ns[3]`"),
            (arm, "/median_ns", json!(0), "arms.reth.median_ns`"),
            (arm, "/min_ns", json!(-0.0), "arms.reth.min_ns`"),
            (arm, "/min_ns", json!(1e9), "arms.reth.min_ns`: 1000000000 is above the median"),
            (
                comparison,
                "/base",
                json!("reth#1"),
                "comparisons[0].base`: there is no arm `reth#1`",
            ),
            (comparison, "/other", json!("reth"), "comparisons[0].other`: `reth` is its own base"),
            (comparison, "/ratio", json!(0), "comparisons[0].ratio`"),
            (comparison, "/ratio_of_minima", json!(-1), "comparisons[0].ratio_of_minima`"),
            (comparison, "/ci", json!([1.2, 1.1]), "comparisons[0].ci`: the lower end, 1.2,"),
            (comparison, "/ci", json!([0.0, 1.1]), "comparisons[0].ci[0]`"),
            (comparison, "/ci", json!([1.1]), "comparisons[0].ci`"),
            (comparison, "/noise_floor", json!(-0.1), "comparisons[0].noise_floor`: -0.1 "),
            (comparison, "/p_value", json!(1.5), "comparisons[0].p_value`: 1.5 "),
            (comparison, "/verdict", json!("better"), "comparisons[0].verdict`: `better` "),
            (comparison, "/verdict", json!(""), "comparisons[0].verdict`"),
            ("/benches/0", "/id", json!(""), "benches[0].id`"),
            ("/benches/0", "/comparisons/1/base", json!(["reth"]), "comparisons[1].base"),
        ];
        for (at, field, value, named) in cases {
            let error = error_with(&format!("{at}{field}"), value);
            assert!(error.contains(named), "{named:?} is not in {error:?}");
        }
    }

    #[test]
    fn nothing_occurs_twice() {
        let mut summary = example::summary();
        summary.benches.push(summary.benches[0].clone());
        let text = serde_json::to_string(&summary).expect("encoded");
        assert!(error(&text).contains("`benches[1].id`: `B2/get/32B` occurs twice"));
        let mut summary = example::summary();
        let first = summary.benches[0].comparisons[0].clone();
        summary.benches[0].comparisons.push(first);
        let text = serde_json::to_string(&summary).expect("encoded");
        assert!(error(&text).contains("`benches[0].comparisons[4]`: B2/get/32B has"));
    }

    #[test]
    fn foreign_files_are_no_summaries() {
        for text in ["[]", "null", "7", r#"{"schema": "1"}"#, r#"{"schema": -1}"#] {
            assert!(error(text).contains("field `schema`"), "{text}: {}", error(text));
        }
        let text = error(r#"{"schema": 1, "name": "package"}"#);
        assert!(text.contains("`mode`") && text.contains("no summary"), "{text}");
        for text in ["", "mode = 1", r#"{"schema": 1} trailing"#, r#"{"schema": NaN}"#] {
            assert!(error(text).contains("not JSON"), "{text}: {}", error(text));
        }
    }

    #[test]
    fn files_of_older_versions_lack_what_was_added() {
        let mut value = serde_json::to_value(example::summary()).expect("encoded");
        let summary = value.as_object_mut().expect("an object");
        assert!(summary.remove("conditions").is_some());
        for side in ["reth", "signet"] {
            let side = summary[side].as_object_mut().expect("a side");
            assert!(side.remove("checksums").is_some());
        }
        for comparison in summary["benches"][0]["comparisons"].as_array_mut().expect("a list") {
            assert!(comparison.as_object_mut().expect("an object").remove("p_value").is_some());
        }
        let read = parse(&value.to_string()).expect("readable");
        assert_eq!(read.benches[0].comparisons[0].p_value, None);
    }
}
