//! Two runs side by side; `compare.rs` has the arms of one.

pub mod change;
pub mod circumstances;
