//! The signet side: thin adapters over its binding and its hot database.

use signet_mdbx_sys as ffi;

pub mod binding;
pub mod by_hand;
#[cfg(feature = "hotdb")]
pub mod hotdb;
pub mod kind;
#[path = "../../shared/raw/mod.rs"]
pub mod raw;

/// The measured crates, as named in the lock file, the binding first.
pub const PACKAGES: &[&str] =
    &["signet-libmdbx", "signet-mdbx-sys", "signet-hot", "signet-hot-mdbx", "signet-storage-types"];

/// The lock file that this build was made with.
pub const LOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock"));
