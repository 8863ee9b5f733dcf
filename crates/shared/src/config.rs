//! The one configuration that every environment of the suite is opened with.
//!
//! Each adapter converts [`EnvConfig`] to its stack's own builder; what the environment then really
//! runs with is read back as [`Effective`] and compared, since a builder that drops an option would
//! otherwise go unseen.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What every environment is opened with, in libmdbx's units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvConfig {
    /// Upper size of the data file, bytes.
    pub max_size: usize,
    /// Growth step of the data file, bytes.
    pub growth_step: usize,
    /// Shrink threshold, bytes; 0 keeps the file from ever shrinking.
    pub shrink_threshold: usize,
    /// Page size, bytes.
    pub page_size: usize,
    /// Named databases that can be open at once.
    pub max_dbs: usize,
    /// Reader slots asked for. libmdbx rounds up to fill the lock file's pages.
    pub max_readers: u64,
    /// Pages that reclaiming may gather before it prefers to grow (`MDBX_opt_rp_augment_limit`).
    pub rp_augment_limit: u64,
    /// Unsynced bytes after which a commit makes a steady checkpoint (`MDBX_opt_sync_bytes`);
    /// `None` leaves libmdbx's default, since signet-hot-mdbx offers no way to set it.
    pub sync_bytes: Option<usize>,
}

impl EnvConfig {
    /// For the binding benches (B). The same as [`Self::HOTDB`] but for `sync_bytes`, which is set:
    /// without it libmdbx 0.13.7 under SafeNoSync decides by the state of reclaiming when to msync,
    /// and two environments need not decide alike.
    pub const BINDINGS: Self = Self { sync_bytes: Some(32 << 20), ..Self::HOTDB };

    /// For the typed benches (H). `max_dbs` and `rp_augment_limit` are what signet-hot-mdbx
    /// hard-wires and `max_readers` is what both stacks use by default.
    pub const HOTDB: Self = Self {
        max_size: 1 << 30,
        growth_step: 64 << 20,
        shrink_threshold: 0,
        page_size: 4096,
        max_dbs: 256,
        max_readers: 32_000,
        rp_augment_limit: 256 * 1024,
        sync_bytes: None,
    };
}

/// What an open environment really runs with, as libmdbx reports it.
///
/// Options that belong to the process rather than to the file (`max_dbs`, `rp_augment_limit`) can
/// only be read inside the process that opened it; they are `None` where a stack hides its
/// environment and the rest was read from a second process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effective {
    /// How this was read: `handle` (in process) or `second process`.
    pub read_from: String,
    /// Raw flag bits of `mdbx_env_get_flags`, less those that say how the reader itself opened it.
    pub flags: u32,
    /// The memory map is writable (`MDBX_WRITEMAP`).
    pub write_map: bool,
    /// Read-ahead is off (`MDBX_NORDAHEAD`, seen as the `rr` flag of the mapping).
    pub no_rdahead: bool,
    /// Commits are not synced but steady states are kept (`MDBX_SAFE_NOSYNC`).
    pub safe_no_sync: bool,
    /// Lower size of the data file, bytes.
    pub geo_lower: u64,
    /// Upper size of the data file, bytes.
    pub geo_upper: u64,
    /// Growth step, bytes.
    pub geo_grow: u64,
    /// Shrink threshold, bytes.
    pub geo_shrink: u64,
    /// Page size, bytes.
    pub page_size: u32,
    /// Reader slots.
    pub max_readers: u32,
    /// Unsynced bytes after which a commit makes a steady checkpoint.
    pub sync_bytes: u64,
    /// Named databases that can be open at once.
    pub max_dbs: Option<u64>,
    /// Pages that reclaiming may gather before it prefers to grow.
    pub rp_augment_limit: Option<u64>,
}

/// A setting that an environment does not run with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{setting} is {found}, wanted {wanted}")]
pub struct Mismatch {
    /// Name of the setting.
    pub setting: &'static str,
    /// What was asked for, or what the other side runs with.
    pub wanted: String,
    /// What was read back.
    pub found: String,
}

fn differ<T: fmt::Display + PartialEq>(
    out: &mut Vec<Mismatch>,
    setting: &'static str,
    wanted: T,
    found: T,
) {
    if wanted != found {
        out.push(Mismatch { setting, wanted: wanted.to_string(), found: found.to_string() });
    }
}

impl Effective {
    /// Every setting that differs from what `config` asks for. Reader slots may be more, since
    /// libmdbx rounds them up.
    pub fn mismatches(&self, config: &EnvConfig) -> Vec<Mismatch> {
        let mut out = Vec::new();
        differ(&mut out, "WRITEMAP", true, self.write_map);
        differ(&mut out, "NORDAHEAD", true, self.no_rdahead);
        differ(&mut out, "SAFE_NOSYNC", true, self.safe_no_sync);
        differ(&mut out, "upper size", config.max_size as u64, self.geo_upper);
        differ(&mut out, "growth step", config.growth_step as u64, self.geo_grow);
        differ(&mut out, "shrink threshold", config.shrink_threshold as u64, self.geo_shrink);
        differ(&mut out, "page size", config.page_size as u32, self.page_size);
        if u64::from(self.max_readers) < config.max_readers {
            differ(&mut out, "max_readers", config.max_readers, self.max_readers.into());
        }
        if let Some(sync_bytes) = config.sync_bytes {
            differ(&mut out, "sync_bytes", sync_bytes as u64, self.sync_bytes);
        }
        if let Some(max_dbs) = self.max_dbs {
            differ(&mut out, "max_dbs", config.max_dbs as u64, max_dbs);
        }
        if let Some(limit) = self.rp_augment_limit {
            differ(&mut out, "rp_augment_limit", config.rp_augment_limit, limit);
        }
        out
    }

    /// Every setting in which two environments of the same layer differ. Raw flag bits are compared
    /// too when both were read in the same way.
    pub fn differences(&self, other: &Self) -> Vec<Mismatch> {
        let mut out = Vec::new();
        if self.read_from == other.read_from {
            differ(&mut out, "flag bits", self.flags, other.flags);
        }
        differ(&mut out, "WRITEMAP", self.write_map, other.write_map);
        differ(&mut out, "NORDAHEAD", self.no_rdahead, other.no_rdahead);
        differ(&mut out, "SAFE_NOSYNC", self.safe_no_sync, other.safe_no_sync);
        differ(&mut out, "lower size", self.geo_lower, other.geo_lower);
        differ(&mut out, "upper size", self.geo_upper, other.geo_upper);
        differ(&mut out, "growth step", self.geo_grow, other.geo_grow);
        differ(&mut out, "shrink threshold", self.geo_shrink, other.geo_shrink);
        differ(&mut out, "page size", self.page_size, other.page_size);
        differ(&mut out, "max_readers", self.max_readers, other.max_readers);
        differ(&mut out, "sync_bytes", self.sync_bytes, other.sync_bytes);
        if let (Some(a), Some(b)) = (self.max_dbs, other.max_dbs) {
            differ(&mut out, "max_dbs", a, b);
        }
        if let (Some(a), Some(b)) = (self.rp_augment_limit, other.rp_augment_limit) {
            differ(&mut out, "rp_augment_limit", a, b);
        }
        out
    }
}
