//! Reads what Criterion leaves behind: `benchmark.json` and `sample.json` in each `new/` directory.

use anyhow::{Context as _, Result, bail};
use bench_shared::job::FILLER;
use serde::Deserialize;
use std::{
    fs,
    path::{Path, PathBuf},
};

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    function_id: Option<String>,
}

#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// One arm of one benchmark in one process.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicate {
    /// Id of the benchmark.
    pub id: String,
    /// Arm, as the binary names it.
    pub arm: String,
    /// Median over the samples, nanoseconds per iteration.
    pub median_ns: f64,
}

/// Every benchmark below `dir`, without the fillers of slots.
pub fn read(dir: &Path) -> Result<Vec<Replicate>> {
    let mut found = Vec::new();
    visit(dir, &mut found)?;
    found.sort();
    let mut all = found.iter().map(|dir| read_one(dir)).collect::<Result<Vec<_>>>()?;
    all.retain(|replicate| !replicate.id.starts_with(FILLER));
    Ok(all)
}

/// Directories named `new` that hold a benchmark. Criterion copies each to `base`, which would count
/// it twice.
fn visit(dir: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let context = || format!("cannot read Criterion's directory {}", dir.display());
    for entry in fs::read_dir(dir).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if !path.is_dir() {
            continue;
        }
        if path.ends_with("new") && path.join("benchmark.json").is_file() {
            found.push(path);
        } else {
            visit(&path, found)?;
        }
    }
    Ok(())
}

fn read_one(dir: &Path) -> Result<Replicate> {
    let Benchmark { group_id: id, function_id } = parse(&dir.join("benchmark.json"))?;
    let Some(arm) = function_id else {
        bail!("{} names no function: {id}", dir.join("benchmark.json").display());
    };
    let file = dir.join("sample.json");
    let sample: Sample = parse(&file)?;
    let mut per_iteration: Vec<f64> =
        sample.times.iter().zip(&sample.iters).map(|(time, iters)| time / iters).collect();
    let sound = |ns: &f64| ns.is_finite() && *ns > 0.0;
    if sample.times.len() != sample.iters.len()
        || per_iteration.is_empty()
        || !per_iteration.iter().all(sound)
    {
        bail!("{} holds no usable samples of {id}, arm {arm}", file.display());
    }
    Ok(Replicate { id, arm, median_ns: crate::stats::median(&mut per_iteration) })
}

fn parse<T: for<'a> Deserialize<'a>>(file: &Path) -> Result<T> {
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("cannot parse {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(dir: &Path, sample: &str) {
        let benchmark = r#"{"group_id":"B2/get/32B","function_id":"reth","value_str":null}"#;
        for copy in ["new", "base"] {
            let dir = dir.join("B2_get_32B/reth").join(copy);
            fs::create_dir_all(&dir).expect("created");
            fs::write(dir.join("benchmark.json"), benchmark).expect("written");
            fs::write(dir.join("sample.json"), sample).expect("written");
        }
    }

    #[test]
    fn the_median_of_the_samples_is_per_iteration_and_counted_once() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        write(dir.path(), r#"{"sampling_mode":"Flat","iters":[10,20,10],"times":[100,400,900]}"#);
        let found = read(dir.path()).expect("read");
        let (id, arm) = ("B2/get/32B".to_owned(), "reth".to_owned());
        assert_eq!(found, [Replicate { id, arm, median_ns: 20.0 }]);
    }

    #[test]
    fn unusable_samples_name_file_and_arm() {
        for sample in [
            r#"{"iters":[],"times":[]}"#,
            r#"{"iters":[1,2],"times":[5]}"#,
            r#"{"iters":[0],"times":[5]}"#,
            r#"{"iters":[1],"#,
        ] {
            let dir = tempfile::tempdir().expect("a temporary directory");
            write(dir.path(), sample);
            let error = format!("{:#}", read(dir.path()).expect_err(sample));
            assert!(error.contains("sample.json"), "{error}");
        }
    }
}
