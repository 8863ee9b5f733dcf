//! The workloads: what one iteration of each benchmark does, written once for every arm.

pub mod bindings;
#[cfg(feature = "hotdb")]
pub mod hotdb;
