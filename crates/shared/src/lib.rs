//! What both sides share: the matched configuration, the seeded data, the catalogue of benchmarks,
//! the workloads and their verification, and the file formats between the bench binaries and the
//! runner.
//!
//! A workload is written once, generic over the traits of an adapter; a side is a thin adapter that
//! names its stack's idiomatic call for each trait method.

#[cfg(feature = "run")]
pub mod affinity;
#[cfg(feature = "run")]
pub mod binding;
pub mod catalogue;
pub mod config;
#[cfg(feature = "run")]
pub mod conformance;
#[cfg(feature = "hotdb")]
pub mod conformance_hotdb;
#[cfg(feature = "run")]
pub mod data;
#[cfg(feature = "hotdb")]
pub mod exchange;
#[cfg(feature = "hotdb")]
pub mod genesis;
#[cfg(feature = "run")]
pub mod harness;
#[cfg(feature = "hotdb")]
pub mod hotdb;
#[cfg(feature = "hotdb")]
mod hotdb_model;
pub mod job;
#[cfg(feature = "run")]
pub mod model;
#[cfg(feature = "run")]
pub mod rng;
pub mod scale;
#[cfg(feature = "run")]
pub mod sink;
#[cfg(feature = "hotdb")]
pub mod state;
pub mod summary;
#[cfg(feature = "run")]
pub mod workload;
