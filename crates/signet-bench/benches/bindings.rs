//! Layer B of the signet side.

use bench_shared::harness;
use signet_bench::{binding::SignetSide, by_hand};
use std::process::ExitCode;

fn main() -> ExitCode {
    harness::dispatch::run::<SignetSide>("signet-unsync", by_hand::gets_and_scan)
        .unwrap_or_else(harness::bindings::<SignetSide>)
}
