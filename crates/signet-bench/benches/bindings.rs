//! Layer B of the signet side.

use bench_shared::harness;
use signet_bench::binding::SignetSide;
use std::process::ExitCode;

fn main() -> ExitCode {
    harness::bindings::<SignetSide>()
}
