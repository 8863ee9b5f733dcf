//! The binding adapters of the reth side.

use reth_bench::binding::RethSide as Tested;

/// Version and commit. The package has the version of its reth where that is reth's own.
const LIBMDBX: [&str; 2] = match env!("CARGO_PKG_VERSION_MAJOR").as_bytes() {
    b"2" => ["0.13.12", "f619d43dfbc36cbc9a1832503ce43f2e5223996e"],
    _ => ["0.13.7", "566b0f93c7c9a3bdffb8fb3dc0ce8ca42641bd72"],
};

#[path = "../../shared/side_tests/binding.rs"]
mod side;
