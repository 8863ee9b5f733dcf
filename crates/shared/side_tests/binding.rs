//! What every side tests of its binding adapters: conformance, verification of every benchmark,
//! settings read back. A side includes this source, names itself `Tested` and its libmdbx `LIBMDBX`.

use super::{LIBMDBX, Tested};
use bench_shared::{
    binding::BindingSide,
    catalogue::{BENCHES, Bench, Build, Layer, Timeout},
    config::EnvConfig,
    conformance, harness,
    harness::Side,
    scale::Scale,
};

#[test]
fn every_arm_conforms() {
    conformance::bindings::<Tested>().unwrap();
}

#[test]
fn every_benchmark_is_verified_at_smoke_scale() {
    harness::verify_bindings::<Tested>(Scale::Smoke).unwrap();
}

#[test]
fn settings_are_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let env = Tested::open(dir.path(), &EnvConfig::BINDINGS, Timeout::AsRethDb).unwrap();
    let effective = Tested::state(&env).unwrap().effective;
    assert_eq!(effective.mismatches(&EnvConfig::BINDINGS), []);
    let other = EnvConfig { growth_step: 128 << 20, max_dbs: 7, ..EnvConfig::BINDINGS };
    let named: Vec<_> = effective.mismatches(&other).iter().map(|m| m.setting).collect();
    assert_eq!(named, ["growth step", "max_dbs"]);
}

#[test]
fn libmdbx_is_the_pinned_release_without_assertions() {
    let engine = <Tested as Side>::engine();
    assert_eq!([&*engine.version, &*engine.commit], LIBMDBX);
    assert!(!engine.debug, "{}", engine.options);
}

#[test]
fn only_benchmarks_of_its_builds_are_measured() {
    let runs = |build| {
        let of_build = |b: &&Bench| b.build == build && b.layer() == Layer::Bindings;
        BENCHES.iter().filter(of_build).all(Tested::runs)
    };
    assert!(runs(Tested::BUILD));
    let builds = Tested::BUILDS.len();
    assert_eq!(runs(Build::Node) && runs(Build::Plain), builds == 2);
}

#[test]
fn swapped_values_are_noticed_and_named() {
    let error = harness::verify_bindings::<conformance::Swapped<Tested>>(Scale::Smoke).unwrap_err();
    let error = error.to_string();
    for part in ["B2/get", "raw", "record 0 of 10: ", "found key 0x"] {
        assert!(error.contains(part), "{error}");
    }
}
