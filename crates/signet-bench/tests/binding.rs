//! The binding adapters of the signet side.

use signet_bench::binding::SignetSide as Tested;

#[path = "../../shared/side_tests/binding.rs"]
mod side;
