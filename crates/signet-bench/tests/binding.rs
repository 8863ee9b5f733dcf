//! The binding adapters of the signet side.

use signet_bench::binding::SignetSide as Tested;

/// Version and commit.
const LIBMDBX: [&str; 2] = ["0.13.7", "566b0f93c7c9a3bdffb8fb3dc0ce8ca42641bd72"];

#[path = "../../shared/side_tests/binding.rs"]
mod side;
