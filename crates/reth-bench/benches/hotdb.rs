//! Layer H of the reth side.

use bench_shared::harness;
use reth_bench::binding::RethSide;
use std::process::ExitCode;

fn main() -> ExitCode {
    harness::hotdb::<RethSide>()
}
