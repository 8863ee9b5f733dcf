//! The typed adapter of the reth side.

use reth_bench::binding::RethSide as Tested;
use std::process::ExitCode;

#[path = "../../shared/side_tests/hotdb.rs"]
mod side;

fn main() -> ExitCode {
    side::main()
}
