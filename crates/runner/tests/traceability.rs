//! Published numbers follow from the published rounds, and these from the raw files.

mod support;

use bench_runner::{
    arms::Contender,
    cli::RunArgs,
    compare,
    plan::Plan,
    publish::{Published, directory},
    schedule,
};
use bench_shared::{catalogue, summary::Summary};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
};
use support::root;

/// Published runs. Those of the first version of the suite say less about themselves.
fn published() -> Vec<(PathBuf, Summary)> {
    let runs = Published::read(&root()).expect("the published runs").runs.into_iter();
    runs.map(|(name, summary)| (directory(&root(), &name), summary))
        .filter(|(_, summary)| summary.schedule.as_ref().is_some_and(|s| s.seed.is_some()))
        .collect()
}

/// The plan of the command line that a published run was made with.
fn plan(summary: &Summary) -> Plan {
    let fidelity = summary
        .fidelity
        .as_ref()
        .map(|pair| Some(format!("{},{}", pair.base, pair.other).parse().expect("two builds")));
    let args = RunArgs { quick: summary.mode == "quick", fidelity, ..RunArgs::default() };
    let mut plan = Plan::new(&args).expect("the plan of the mode");
    // The catalogue may have grown since.
    let measured = |id: &str| summary.benches.iter().any(|bench| bench.id == id);
    for group in &mut plan.groups {
        group.benches.retain(|bench| measured(bench.id));
    }
    plan.groups.retain(|group| !group.benches.is_empty());
    plan
}

#[test]
fn published_comparisons_are_those_of_their_rounds() {
    for (dir, summary) in published() {
        let again = compare::again(&summary);
        for (bench, again) in summary.benches.iter().zip(&again) {
            assert_eq!(bench.comparisons.len(), again.len(), "{}", bench.id);
            for (published, computed) in bench.comparisons.iter().zip(again) {
                let [published, computed] =
                    [published, computed].map(|c| serde_json::to_value(c).expect("JSON"));
                same(&published, &computed, &format!("{}, {}", dir.display(), bench.id));
            }
        }
    }
}

#[test]
fn published_orders_are_those_of_their_seeds() {
    for (dir, summary) in published() {
        let plan = plan(&summary);
        let seed = summary.schedule.as_ref().and_then(|s| s.seed).expect("a seed");
        let steps = schedule::steps(&plan, seed);
        for bench in &summary.benches {
            let of = steps.iter().filter(|step| step.ids().contains(&bench.id));
            let drawn: Vec<_> = of.map(|s| (s.round, s.order[0].to_string())).collect();
            let run: Vec<_> = bench.rounds.iter().map(|r| (r.round, r.first.clone())).collect();
            assert_eq!(run, drawn, "{}, {}", dir.display(), bench.id);
        }
    }
}

/// Equal but for the last digits, in which another platform's logarithm may differ.
fn same(a: &Value, b: &Value, what: &str) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            assert_eq!(a.len(), b.len(), "{what}");
            a.iter().for_each(|(key, a)| same(a, &b[key], &format!("{what}, {key}")));
        }
        (Value::Array(a), Value::Array(b)) => {
            a.iter().zip(b).for_each(|(a, b)| same(a, b, what));
        }
        (Value::Number(a), Value::Number(b)) => {
            let [a, b] = [a, b].map(|n| n.as_f64().expect("a number"));
            assert!((a - b).abs() <= 1e-9 * a.abs().max(1e-6), "{what}: {a} and {b}");
        }
        _ => assert_eq!(a, b, "{what}"),
    }
}

/// Median time per iteration by benchmark, arm and round.
type Medians = BTreeMap<(String, String, u32), f64>;

#[test]
fn published_rounds_are_those_of_the_raw_files() {
    for (dir, summary) in published() {
        let mut medians = Medians::new();
        for group in summary.benches.chunk_by(|a, b| a.group == b.group) {
            let archive = dir.join("raw").join(format!("{}.tar.gz", group[0].group));
            medians.extend(raw(&archive, plan(&summary).contenders));
        }
        let mut traced = 0;
        for bench in &summary.benches {
            for (arm, data) in &bench.arms {
                assert_eq!(data.rounds_ns.len(), bench.rounds.len(), "{}, {arm}", bench.id);
                for (ns, round) in data.rounds_ns.iter().zip(&bench.rounds) {
                    let key = (bench.id.clone(), arm.clone(), round.round);
                    let raw = medians.get(&key).unwrap_or_else(|| panic!("no raw file: {key:?}"));
                    assert!((raw - ns).abs() <= 1e-6 * ns, "{key:?}: {ns}, {raw} in the raw file");
                    traced += 1;
                }
            }
        }
        assert_eq!(traced, medians.len(), "{}: raw files that nothing uses", dir.display());
    }
}

/// What the samples of one archive say.
fn raw(archive: &Path, contenders: [Contender; 2]) -> Medians {
    let file = File::open(archive).unwrap_or_else(|e| panic!("{}: {e}", archive.display()));
    let mut medians = Medians::new();
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    for entry in archive.entries().expect("entries") {
        let mut entry = entry.expect("an entry");
        let path = entry.path().expect("a path").display().to_string();
        // B2_get_32B/r07-signet/criterion/B2_get_32B/signet-sync/new/sample.json
        let parts: Vec<&str> = path.split('/').collect();
        let [slug, process, "criterion", of, arm, "new", "sample.json"] = parts[..] else {
            continue;
        };
        if slug != of {
            continue; // a filler
        }
        let bench = catalogue::BENCHES.iter().find(|b| b.id.replace('/', "_") == slug);
        let id = bench.unwrap_or_else(|| panic!("{path}: no such benchmark")).id.to_owned();
        let (round, side) = process[1..].split_once('-').expect("a round and a side");
        let contender = contenders.into_iter().find(|c| c.file_name() == side);
        let arm = contender.expect("a side").arm(arm);
        let sample: Value = serde_json::from_reader(&mut entry).expect("JSON");
        let numbers = |key: &str| -> Vec<f64> {
            let values = sample[key].as_array().expect("an array");
            values.iter().map(|v| v.as_f64().expect("a number")).collect()
        };
        let mut times: Vec<f64> =
            numbers("times").iter().zip(numbers("iters")).map(|(t, n)| t / n).collect();
        times.sort_by(f64::total_cmp);
        let n = times.len();
        let median = (times[(n - 1) / 2] + times[n / 2]) / 2.0;
        medians.insert((id, arm, round.parse().expect("a number")), median);
    }
    medians
}
