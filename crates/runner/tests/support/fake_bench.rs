//! Stands in for a bench binary in the runner's tests: reads a job, reports what a sound binary
//! would, and leaves files as Criterion does, with times that it makes up. Its file name says which
//! binary it plays (`reth-registry-bindings-node`), and `FAKE_FAULT` what it does wrong:
//!
//! - `unverified ARM ID`: that arm of that benchmark does not match the model;
//! - `missing ARM ID`: it is not measured;
//! - `crash`: every measurement ends with an error;
//! - `slow`: every measurement takes a second;
//! - `setting`: signet's environments are not as configured;
//! - `provenance NAME`: it says that its stack is from there.

use bench_shared::{
    catalogue::{Case, bench},
    config::{Effective, EnvConfig},
    job::{Check, Engine, GenesisCheck, JOB_ENV, JOB_SCHEMA, Job, Mode, Report},
};
use std::{
    collections::BTreeMap, env, error::Error, fs, path::Path, process, thread, time::Duration,
};

fn main() -> Result<(), Box<dyn Error>> {
    let name = env::args().next().unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let parts: Vec<&str> = name.split('-').collect();
    let [side, source, layer, build] = parts[..] else {
        return Err("the name is not SIDE-SOURCE-LAYER-BUILD".into());
    };
    let job: Job = serde_json::from_slice(&fs::read(env::var(JOB_ENV)?)?)?;
    let fault = env::var("FAKE_FAULT").unwrap_or_default();
    let fault: Vec<&str> = fault.split(' ').collect();
    if fs::read_dir(&job.db_dir)?.next().is_some() {
        return Err("the database directory is not empty".into());
    }
    fs::write(job.db_dir.join("mdbx.dat"), "database")?;
    println!("fake {side} {layer}: {} benchmarks", job.ids.len());

    let arms: &[&str] = match (side, layer) {
        ("reth", "bindings") => &["raw", "reth"],
        ("reth", _) => &["reth"],
        (_, "bindings") => &["raw", "signet-sync", "signet-unsync"],
        _ => &["signet-unsync", "signet-sync"],
    };
    let mut report = report(&job, side, layer, arms, &fault);
    from(&mut report, source, build);
    if let ["provenance", name] = fault[..] {
        report.provenance = name.to_owned();
    }
    fs::write(&job.report, serde_json::to_vec(&report)?)?;
    if job.mode == Mode::Verify {
        // A sound binary may also say so by its exit code.
        process::exit(i32::from(report.checks.iter().any(|c| !c.verified)));
    }
    match fault.first() {
        Some(&"crash") => return Err("made to crash".into()),
        Some(&"slow") => thread::sleep(Duration::from_secs(1)),
        _ => {}
    }
    for id in &job.ids {
        for arm in arms.iter().filter(|arm| fault != ["missing", **arm, id.as_str()]) {
            measure(&job, id, arm, source)?;
        }
    }
    Ok(())
}

/// Lets a report be of a build from there. reth 2 has another libmdbx.
fn from(report: &mut Report, source: &str, build: &str) {
    report.provenance = source.to_owned();
    report.build = build.to_owned();
    if let Some(version) = source.strip_prefix('v') {
        let origin = format!("git+https://github.com/paradigmxyz/reth?tag={source}#0123456789ab");
        report.sources.insert("reth-libmdbx".into(), origin);
        report.packages.insert("reth-libmdbx".into(), version.to_owned());
    }
    if source.starts_with("v2") {
        report.engine.version = "0.13.12".into();
        report.engine.commit = "another".into();
    }
}

fn report(job: &Job, side: &str, layer: &str, arms: &[&str], fault: &[&str]) -> Report {
    let config = if layer == "bindings" { &EnvConfig::BINDINGS } else { &EnvConfig::HOTDB };
    let mut effective = effective(config);
    if side == "signet" && fault == ["setting"] {
        effective.geo_grow = 1;
    }
    let verify = job.mode == Mode::Verify;
    let checks = job.ids.iter().flat_map(|id| arms.iter().map(move |arm| check(id, arm, fault)));
    let genesis = arms.iter().map(|arm| GenesisCheck {
        arm: (*arm).to_owned(),
        accounts: 8_893,
        state_root: "0xd7f8".into(),
        verified: true,
    });
    Report {
        schema: JOB_SCHEMA,
        side: side.to_owned(),
        provenance: String::new(),
        build: String::new(),
        sources: BTreeMap::new(),
        packages: BTreeMap::from([(format!("{side}-crate"), "1.0.0".into())]),
        engine: Engine {
            version: "0.13.7".into(),
            commit: "566b0f93".into(),
            options: "none".into(),
            compiler: "none".into(),
            flags: "none".into(),
            debug: false,
        },
        arms: arms.iter().map(|&a| a.to_owned()).collect(),
        pinned_cpu: Some(0),
        configs: arms.iter().map(|&a| (a.to_owned(), effective.clone())).collect(),
        checks: if verify { checks.collect() } else { Vec::new() },
        genesis: if job.genesis { genesis.collect() } else { Vec::new() },
    }
}

fn effective(config: &EnvConfig) -> Effective {
    Effective {
        read_from: "handle".into(),
        flags: 0,
        write_map: true,
        no_rdahead: true,
        safe_no_sync: true,
        geo_lower: 0,
        geo_upper: config.max_size as u64,
        geo_grow: config.growth_step as u64,
        geo_shrink: config.shrink_threshold as u64,
        page_size: config.page_size as u32,
        max_readers: config.max_readers as u32,
        sync_bytes: config.sync_bytes.unwrap_or(0) as u64,
        max_dbs: None,
        rp_augment_limit: None,
    }
}

fn check(id: &str, arm: &str, fault: &[&str]) -> Check {
    let verified = fault != ["unverified", arm, id];
    let commits = matches!(bench(id).map(|b| b.case), Some(Case::Commit { .. })).then_some(10);
    Check {
        id: id.to_owned(),
        arm: arm.to_owned(),
        verified,
        records: 10,
        digest: if verified { "aa" } else { "bb" }.into(),
        expected: "aa".into(),
        first_difference: (!verified).then(|| "key 0xabcd: read 0x01, expected 0x02".into()),
        hit_rate: Some(1.0),
        commits,
        txnid_advance: commits,
        used_pages: None,
        syncs: None,
    }
}

/// Ten samples of one iteration each, of a length that depends on benchmark, arm and round.
fn measure(job: &Job, id: &str, arm: &str, source: &str) -> Result<(), Box<dyn Error>> {
    let base = 1_000.0 * (1 + id.bytes().map(u64::from).sum::<u64>() % 50) as f64;
    let factor = match arm {
        "reth" if source.starts_with('v') => 1.0,
        "raw" if source.starts_with("v2") => 1.3,
        "reth" => 1.2,
        "signet-sync" => 1.1,
        _ => 1.0,
    };
    let wobble = 1.0 + 0.002 * f64::from(job.round * 7 % 5);
    let time = base * factor * wobble;
    let arm_dir = job.criterion_dir.join(id.replace('/', "_")).join(arm);
    for copy in ["new", "base"] {
        let dir = arm_dir.join(copy);
        fs::create_dir_all(&dir)?;
        let benchmark =
            serde_json::json!({ "group_id": id, "function_id": arm, "value_str": null });
        write(&dir.join("benchmark.json"), &benchmark)?;
        let sample = serde_json::json!({
            "sampling_mode": "Flat", "iters": vec![1.0; 10], "times": vec![time; 10]
        });
        write(&dir.join("sample.json"), &sample)?;
    }
    Ok(())
}

fn write(file: &Path, value: &serde_json::Value) -> Result<(), Box<dyn Error>> {
    Ok(fs::write(file, serde_json::to_vec(value)?)?)
}
