//! The reth side: thin adapters over its binding and its typed layer.
//!
//! The dependency keys are reth's own crate names. In the default workspace they stand for packages
//! of crates.io (`reth-libmdbx` is libmdbx-remote, `reth-db` is reth-typed).

use reth_mdbx_sys as ffi;

pub mod binding;
pub mod by_hand;
#[cfg(feature = "hotdb")]
pub mod hotdb;
#[path = "../../shared/raw/mod.rs"]
pub mod raw;

/// Where this build's reth stack comes from.
pub const PROVENANCE: &str = "registry";

/// The measured crates, as named in the lock file.
pub const PACKAGES: &[&str] =
    &["libmdbx-remote", "mdbx-remote-sys", "reth-codecs", "reth-primitives-traits", "reth-typed"];

/// The lock file that this build was made with.
pub const LOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock"));
