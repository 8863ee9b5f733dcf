//! The binding adapters of the reth side.

use reth_bench::binding::RethSide as Tested;

#[path = "../../shared/side_tests/binding.rs"]
mod side;
