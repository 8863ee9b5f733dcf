//! What every side tests of its typed adapter: conformance, verification of every benchmark, the
//! mainnet genesis root. A side includes this source and names itself `Tested`.
//!
//! With a `main` of its own, since reading a database's settings starts this executable again as a
//! second process.

use super::Tested;
use bench_shared::{binding::AnyError, conformance_hotdb, harness, scale::Scale};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;

/// The test executable's `main`.
pub(crate) fn main() -> ExitCode {
    if let Some(code) = harness::probe::<Tested>() {
        return code;
    }
    let trial = |name: &str, run: fn() -> Result<(), AnyError>| {
        Trial::test(name, move || run().map_err(Failed::from))
    };
    let trials = vec![
        trial("every_arm_conforms", conformance_hotdb::hotdb::<Tested>),
        trial("every_benchmark_is_verified_at_smoke_scale", || {
            harness::verify_hotdb::<Tested>(Scale::Smoke)
        }),
        trial("mainnet_genesis_folds_to_its_state_root", harness::verify_genesis::<Tested>),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
