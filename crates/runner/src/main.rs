//! Entry point of `bench-runner`; everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    bench_runner::main()
}
