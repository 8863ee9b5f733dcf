//! Layer B of the reth side.

use bench_shared::harness;
use reth_bench::{binding::RethSide, by_hand};
use std::process::ExitCode;

fn main() -> ExitCode {
    harness::dispatch::run::<RethSide>("reth", by_hand::gets_and_scan)
        .unwrap_or_else(harness::bindings::<RethSide>)
}
