//! A small summary and report for tests.

use crate::{
    arms::{self, Contender},
    compare::{self, Checks},
    criterion::Replicate,
    measurements::Measurements,
    source::Fidelity,
};
use bench_shared::{
    catalogue,
    config::{Effective, EnvConfig},
    job::{Check, Engine, JOB_SCHEMA, Report},
    scale::Scale,
    summary::{self, Conditions, Host, SUMMARY_SCHEMA, Side as Stack, Summary},
};
use std::collections::BTreeMap;

/// One that every check accepts.
pub fn effective(config: &EnvConfig) -> Effective {
    Effective {
        read_from: "handle".into(),
        flags: 0x1234,
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
        max_dbs: Some(config.max_dbs as u64),
        rp_augment_limit: Some(config.rp_augment_limit),
    }
}

/// A libmdbx.
pub fn engine() -> Engine {
    Engine {
        version: "0.13.7".into(),
        commit: "566b0f93".into(),
        options: "MDBX_DEBUG=0".into(),
        compiler: "gcc 12".into(),
        flags: "-O3".into(),
        debug: false,
    }
}

/// A verification of the bindings in which everything holds.
pub fn report(side: &str, arms: &[&str], ids: &[String]) -> Report {
    let check = |id: &String, arm: &&str| Check {
        id: id.clone(),
        arm: (*arm).to_owned(),
        verified: true,
        records: 1_000,
        digest: "00".into(),
        expected: "00".into(),
        first_difference: None,
        hit_rate: Some(1.0),
        commits: None,
        txnid_advance: None,
        used_pages: None,
        syncs: None,
    };
    Report {
        schema: JOB_SCHEMA,
        side: side.to_owned(),
        provenance: "registry".into(),
        build: "node".into(),
        packages: BTreeMap::from([("libmdbx-remote".into(), "0.4.5".into())]),
        sources: BTreeMap::new(),
        engine: engine(),
        arms: arms.iter().map(|&a| a.to_owned()).collect(),
        pinned_cpu: Some(0),
        configs: arms.iter().map(|&a| (a.to_owned(), effective(&EnvConfig::BINDINGS))).collect(),
        checks: ids.iter().flat_map(|id| arms.iter().map(move |arm| check(id, arm))).collect(),
        genesis: Vec::new(),
    }
}

/// A quick run of `B2/get/32B` in which signet is a tenth faster.
pub fn summary() -> Summary {
    let (reth, signet) = (["raw", "reth"], ["raw", "signet-unsync"]);
    let benches = benches(Contender::SIDES, [&reth, &signet], "reth");
    Summary { reth: Some(side()), signet: Some(side()), ..run(benches) }
}

/// A quick run of `B2/get/32B` on two builds of reth, of which the published crates take a tenth more.
pub fn fidelity() -> Summary {
    let builds = Contender::builds(Fidelity::default().0);
    let benches = benches(builds, [&["raw", "reth"], &["raw", "reth"]], "reth@registry");
    let [base, other] = ["registry", "v1.11.3"].map(str::to_owned);
    let upstream = Stack {
        provenance: other.clone(),
        source: Some(upstream()),
        packages: BTreeMap::from([("reth-libmdbx".into(), "1.11.3".into())]),
        checksums: BTreeMap::new(),
        ..side()
    };
    let builds = [(base.clone(), side()), (other.clone(), upstream)].into();
    let fidelity = Some(summary::Fidelity { base, other, builds });
    Summary { fidelity, filters: Vec::new(), ..run(benches) }
}

/// Where an upstream build is from.
pub fn upstream() -> summary::Source {
    summary::Source {
        repository: Some("https://github.com/paradigmxyz/reth".into()),
        tag: Some("v1.11.3".into()),
        commit: Some("d6324d63e27ef6b7c49cdc9b1977c1b808234c7b".into()),
        ..summary::Source::default()
    }
}

/// Sixteen rounds of `B2/get/32B`, in which the arm of the name `slow` takes a tenth more.
fn benches(contenders: [Contender; 2], arms: [&[&str]; 2], slow: &str) -> Vec<summary::Bench> {
    let id = "B2/get/32B";
    let mut measurements = Measurements::default();
    for round in 0..16 {
        let wobble = 1.0 + 0.001 * f64::from(round * 7 % 5);
        let pair = [0, 1].map(|i| {
            let replicate = |arm: &&str| Replicate {
                id: id.into(),
                arm: (*arm).into(),
                median_ns: wobble
                    * if contenders[i].arm(arm) == slow { 110_000.0 } else { 100_000.0 },
            };
            (contenders[i], arms[i].iter().map(replicate).collect())
        });
        measurements.add(pair);
    }
    let names = arms.map(|arms| arms.iter().map(|&a| a.to_owned()).collect::<Vec<_>>());
    let pairs = if contenders[0].side == contenders[1].side {
        arms::pairs_of_one_side(contenders, &names[0])
    } else {
        arms::pairs(&names[0], &names[1])
    };
    let entry = catalogue::bench(id).expect("an entry of the catalogue");
    let checks = Checks::new();
    compare::benches(
        [entry].into_iter(),
        Scale::Default,
        &measurements,
        &checks,
        |_| pairs.clone(),
        compare::Settings { seed: 1, one_engine: true },
    )
}

fn side() -> Stack {
    Stack {
        provenance: "registry".into(),
        source: None,
        packages: BTreeMap::from([("some-mdbx".into(), "1.2.3".into())]),
        checksums: BTreeMap::from([("some-mdbx".into(), "ab12".repeat(16))]),
        libmdbx: "0.13.7".into(),
        engine: engine(),
    }
}

/// Everything but the sides.
fn run(benches: Vec<summary::Bench>) -> Summary {
    Summary {
        schema: SUMMARY_SCHEMA,
        mode: "quick".into(),
        scale: "default".into(),
        filters: vec!["B2/get/32B".into()],
        complete: true,
        verified: true,
        started: "2025-01-02T03:04:05Z".into(),
        wall_s: 61.5,
        rounds: 16,
        schedule: None,
        seed: 1,
        host: Host {
            cpu: "a CPU".into(),
            cores: 2,
            kernel: "6.1".into(),
            rustc: "rustc 1.95.0".into(),
            db_fs: "tmpfs".into(),
            git: "0123456789abcdef".into(),
            pinned_cpu: Some(0),
        },
        self_test: None,
        fidelity: None,
        conditions: Conditions {
            memory: Some(24 << 30),
            load_before: Some([0.5, 0.6, 0.7]),
            load_after: Some([1.0, 0.9, 0.8]),
            other_load: Some(0.01),
            busy: Some(0.5),
            steal: Some(0.002),
            ..Conditions::default()
        },
        reth: None,
        signet: None,
        config: BTreeMap::new(),
        genesis: Vec::new(),
        warnings: vec!["a warning; with its remedy".into()],
        benches,
    }
}
