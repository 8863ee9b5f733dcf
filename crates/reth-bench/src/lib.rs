//! The reth side: thin adapters over its binding and its typed layer.
//!
//! The dependency keys are reth's own crate names. In the default workspace they stand for packages
//! of crates.io (`reth-libmdbx` is libmdbx-remote, `reth-db` is reth-typed); the workspaces under
//! `upstream/` compile these same sources against reth's own crates of one tag. `compat` bridges
//! what differs.

use reth_mdbx_sys as ffi;

pub mod binding;
pub mod by_hand;
mod compat;
#[cfg(feature = "hotdb")]
pub mod hotdb;
#[path = "../../shared/raw/mod.rs"]
pub mod raw;

/// The measured crates of any build, as named in the lock file; a build reports those that it has.
/// The binding comes first. What hashes is among them, since H1 and H2 have cases that time it.
pub const PACKAGES: &[&str] = &[
    "reth-libmdbx",
    "libmdbx-remote",
    "reth-mdbx-sys",
    "mdbx-remote-sys",
    "alloy-primitives",
    "keccak-asm",
    "reth-codecs",
    "reth-db",
    "reth-db-api",
    "reth-primitives-traits",
    "reth-typed",
];

/// The lock file that this build was made with.
pub const LOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock"));
