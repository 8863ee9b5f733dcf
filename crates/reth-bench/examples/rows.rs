//! Writes the databases of an exchange, or reads back those that another build wrote.

use bench_shared::exchange;
use reth_bench::{binding::RethSide, raw::tables::tables};
use std::process::ExitCode;

fn main() -> ExitCode {
    exchange::main::<RethSide>(tables)
}
