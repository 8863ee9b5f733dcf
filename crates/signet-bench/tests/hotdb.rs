//! The typed adapter of the signet side.

use signet_bench::binding::SignetSide as Tested;
use std::process::ExitCode;

#[path = "../../shared/side_tests/hotdb.rs"]
mod side;

fn main() -> ExitCode {
    side::main()
}
