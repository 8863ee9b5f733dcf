//! Settings that a database is opened with.

use crate::{LogLevel, models::ClientVersion};
use reth_libmdbx::{Geometry, MaxReadTransactionDuration, PageSize, SyncMode};
use std::ops::Range;

/// 1 KiB, in bytes.
pub const KILOBYTE: usize = 1024;
/// 1 MiB, in bytes.
pub const MEGABYTE: usize = 1024 * KILOBYTE;
/// 1 GiB, in bytes.
pub const GIGABYTE: usize = 1024 * MEGABYTE;
/// 1 TiB, in bytes.
pub const TERABYTE: usize = 1024 * GIGABYTE;

/// Page size where none is asked for, bytes. reth-db takes the system's, at least this much; on
/// x86_64, where the suite runs, that is the same.
const DEFAULT_PAGE_SIZE: usize = 4 * KILOBYTE;

/// Reader slots where no number is asked for; libmdbx's limit is 32,767.
const DEFAULT_MAX_READERS: u64 = 32_000;

/// Settings that a database is opened with. A setter that is given `None` changes nothing, but for
/// those whose field is optional itself.
#[derive(Clone, Debug)]
pub struct DatabaseArguments {
    client_version: ClientVersion,
    geometry: Geometry<Range<usize>>,
    log_level: Option<LogLevel>,
    max_read_transaction_duration: Option<MaxReadTransactionDuration>,
    exclusive: Option<bool>,
    max_readers: Option<u64>,
    sync_mode: SyncMode,
}

impl Default for DatabaseArguments {
    fn default() -> Self {
        Self::new(ClientVersion::default())
    }
}

impl DatabaseArguments {
    /// A node's settings: at most 8 TiB in steps of 4 GiB, never shrinking, every commit durable.
    pub fn new(client_version: ClientVersion) -> Self {
        let geometry = Geometry {
            size: Some(0..8 * TERABYTE),
            growth_step: Some(4 * GIGABYTE as isize),
            shrink_threshold: Some(0),
            page_size: Some(PageSize::Set(DEFAULT_PAGE_SIZE)),
        };
        Self {
            client_version,
            geometry,
            log_level: None,
            max_read_transaction_duration: None,
            exclusive: None,
            max_readers: None,
            sync_mode: SyncMode::Durable,
        }
    }

    /// Sets the upper size of the data file, bytes.
    pub const fn with_geometry_max_size(mut self, max_size: Option<usize>) -> Self {
        if let Some(bytes) = max_size {
            self.geometry.size = Some(0..bytes);
        }
        self
    }

    /// Sets the page size, bytes. Has no effect on an existing file.
    pub const fn with_geometry_page_size(mut self, page_size: Option<usize>) -> Self {
        if let Some(bytes) = page_size {
            self.geometry.page_size = Some(PageSize::Set(bytes));
        }
        self
    }

    /// Sets by how much the data file grows at a time, bytes.
    pub const fn with_growth_step(mut self, growth_step: Option<usize>) -> Self {
        if let Some(bytes) = growth_step {
            self.geometry.growth_step = Some(bytes as isize);
        }
        self
    }

    /// Sets how durable a commit is.
    pub const fn with_sync_mode(mut self, sync_mode: Option<SyncMode>) -> Self {
        if let Some(mode) = sync_mode {
            self.sync_mode = mode;
        }
        self
    }

    /// Sets how much libmdbx logs to standard error, for the whole process; `None` leaves it as it
    /// is, which is next to nothing.
    pub const fn with_log_level(mut self, log_level: Option<LogLevel>) -> Self {
        self.log_level = log_level;
        self
    }

    /// Sets how long a read transaction may live before the binding takes its snapshot away; `None`
    /// leaves that to the binding, which allows 5 minutes.
    pub const fn max_read_transaction_duration(
        &mut self,
        max_read_transaction_duration: Option<MaxReadTransactionDuration>,
    ) {
        self.max_read_transaction_duration = max_read_transaction_duration;
    }

    /// As [`Self::max_read_transaction_duration`], in a chain.
    pub const fn with_max_read_transaction_duration(
        mut self,
        max_read_transaction_duration: Option<MaxReadTransactionDuration>,
    ) -> Self {
        self.max_read_transaction_duration = max_read_transaction_duration;
        self
    }

    /// Sets whether to keep all other processes out; `None` does not.
    pub const fn with_exclusive(mut self, exclusive: Option<bool>) -> Self {
        self.exclusive = exclusive;
        self
    }

    /// Sets the number of reader slots; `None` stands for 32,000.
    pub const fn with_max_readers(mut self, max_readers: Option<u64>) -> Self {
        self.max_readers = max_readers;
        self
    }

    /// The client that opens the database.
    pub const fn client_version(&self) -> &ClientVersion {
        &self.client_version
    }

    pub(super) fn geometry(&self) -> Geometry<Range<usize>> {
        self.geometry.clone()
    }

    pub(super) const fn log_level(&self) -> Option<LogLevel> {
        self.log_level
    }

    pub(super) const fn read_limit(&self) -> Option<MaxReadTransactionDuration> {
        self.max_read_transaction_duration
    }

    pub(super) fn exclusive(&self) -> bool {
        self.exclusive.unwrap_or(false)
    }

    pub(super) fn max_readers(&self) -> u64 {
        self.max_readers.unwrap_or(DEFAULT_MAX_READERS)
    }

    pub(super) const fn sync_mode(&self) -> SyncMode {
        self.sync_mode
    }
}
