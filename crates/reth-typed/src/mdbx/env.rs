//! The environment and the handles of its tables.

use super::{DatabaseArguments, tx::Tx};
use crate::{
    Database, DatabaseError, LogLevel, TableSet, Tables,
    cursor::{DbCursorRO, DbCursorRW},
    models::ClientVersion,
    tables::VersionHistory,
    transaction::{DbTx, DbTxMut},
};
use reth_libmdbx::{
    DatabaseFlags, Environment, EnvironmentFlags, Error, HandleSlowReadersReturnCode, Mode, RO, RW,
    ffi,
};
use std::{
    collections::HashMap,
    ffi::{c_int, c_uint},
    ops::Deref,
    path::Path,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

/// Named databases that can be open at once: reth's tables, and room for a client's own.
const MAX_DBS: usize = 256;

/// Pages that reclaiming may gather before libmdbx prefers to grow the file. reth pins libmdbx's
/// former default; today's depends on the size of the database.
const RP_AUGMENT_LIMIT: u64 = 256 * 1024;

/// Handle of each table by its name. Hashed by the standard library's default (SipHash), as in
/// reth-db: the look-up is part of every `get` and of every cursor's opening.
pub(super) type Handles = HashMap<&'static str, ffi::MDBX_dbi>;

/// Whether a database is opened to read only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseEnvKind {
    /// To read only.
    RO,
    /// To read and write.
    RW,
}

impl DatabaseEnvKind {
    /// Whether it is opened to write.
    pub const fn is_rw(&self) -> bool {
        matches!(self, Self::RW)
    }
}

/// An open database. Clones share one environment, which closes with the last of them.
///
/// It dereferences to the binding's [`Environment`], which lends its raw pointer through
/// `with_raw_env_ptr`.
#[derive(Clone, Debug)]
pub struct DatabaseEnv {
    inner: Environment,
    dbis: Arc<Handles>,
}

impl DatabaseEnv {
    /// Opens the environment in the directory `path`, and creates no tables.
    ///
    /// Flags: WRITEMAP (unless read-only), NORDAHEAD, COALESCE. Options: 256 named databases, and an
    /// `rp_augment_limit` of 262,144 pages. Everything else is as `args` say.
    pub fn open(
        path: &Path,
        kind: DatabaseEnvKind,
        args: DatabaseArguments,
    ) -> Result<Self, DatabaseError> {
        let mut builder = Environment::builder();
        let mode = if kind.is_rw() {
            builder.write_map();
            Mode::ReadWrite { sync_mode: args.sync_mode() }
        } else {
            Mode::ReadOnly
        };
        builder
            .set_max_dbs(MAX_DBS)
            .set_geometry(args.geometry())
            .set_handle_slow_readers(tolerate_slow_reader)
            .set_flags(EnvironmentFlags {
                mode,
                no_rdahead: true,
                coalesce: true,
                exclusive: args.exclusive(),
                ..Default::default()
            })
            .set_max_readers(args.max_readers())
            .set_rp_augment_limit(RP_AUGMENT_LIMIT);
        if let Some(level) = args.log_level() {
            builder.set_log_level(raw_log_level(level)?);
        }
        if let Some(limit) = args.read_limit() {
            builder.set_max_read_transaction_duration(limit);
        }
        let inner = builder.open(path).map_err(|e| DatabaseError::Open(e.into()))?;
        Ok(Self { inner, dbis: Arc::default() })
    }

    /// Creates the tables of reth's schema that do not exist, and keeps the handles of all.
    pub fn create_tables(&mut self) -> Result<(), DatabaseError> {
        self.create_and_track_tables_for::<Tables>()
    }

    /// Creates the tables of `TS` that do not exist, and keeps the handles of all. One write
    /// transaction.
    pub fn create_and_track_tables_for<TS: TableSet>(&mut self) -> Result<(), DatabaseError> {
        let tx = self.begin_rw()?;
        let mut opened = Vec::new();
        for table in TS::tables() {
            let flags = match table.is_dupsort() {
                true => DatabaseFlags::DUP_SORT,
                false => DatabaseFlags::default(),
            };
            let db = tx
                .create_db(Some(table.name()), flags)
                .map_err(|e| DatabaseError::CreateTable(e.into()))?;
            opened.push((table.name(), db.dbi()));
        }
        tx.commit().map_err(|e| DatabaseError::Commit(e.into()))?;
        Arc::make_mut(&mut self.dbis).extend(opened);
        Ok(())
    }

    /// Deletes a table that the schema no longer has. `false` if it does not exist.
    pub fn drop_orphan_table(&self, name: &str) -> Result<bool, DatabaseError> {
        let tx = self.begin_rw()?;
        let table = match tx.open_db(Some(name)) {
            Ok(table) => table,
            Err(Error::NotFound) => return Ok(false),
            Err(e) => return Err(DatabaseError::Open(e.into())),
        };
        // SAFETY: the handle was opened just now, by this transaction, and is not kept.
        unsafe { tx.drop_db(table) }.map_err(|e| DatabaseError::Delete(e.into()))?;
        tx.commit().map_err(|e| DatabaseError::Commit(e.into()))?;
        Ok(true)
    }

    /// Notes the client in [`VersionHistory`], unless it is empty or was the last to be noted.
    pub fn record_client_version(&self, version: ClientVersion) -> Result<(), DatabaseError> {
        if version.is_empty() {
            return Ok(());
        }
        let tx = self.tx_mut()?;
        let mut history = tx.cursor_write::<VersionHistory>()?;
        if history.last()?.is_some_and(|(_, last)| last == version) {
            return Ok(());
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        history.upsert(now.as_secs(), &version)?;
        drop(history);
        tx.commit()
    }

    fn begin_rw(&self) -> Result<reth_libmdbx::Transaction<RW>, DatabaseError> {
        self.inner.begin_rw_txn().map_err(|e| DatabaseError::InitTx(e.into()))
    }
}

impl Database for DatabaseEnv {
    type TX = Tx<RO>;
    type TXMut = Tx<RW>;

    fn tx(&self) -> Result<Self::TX, DatabaseError> {
        let inner = self.inner.begin_ro_txn().map_err(|e| DatabaseError::InitTx(e.into()))?;
        Ok(Tx::new(inner, self.dbis.clone()))
    }

    fn tx_mut(&self) -> Result<Self::TXMut, DatabaseError> {
        Ok(Tx::new(self.begin_rw()?, self.dbis.clone()))
    }
}

impl Deref for DatabaseEnv {
    type Target = Environment;

    fn deref(&self) -> &Environment {
        &self.inner
    }
}

/// libmdbx's number of a log level. Levels beyond `Notice` exist in its debug builds only.
fn raw_log_level(level: LogLevel) -> Result<ffi::MDBX_log_level_t, DatabaseError> {
    Ok(match level {
        LogLevel::Fatal => ffi::MDBX_LOG_FATAL,
        LogLevel::Error => ffi::MDBX_LOG_ERROR,
        LogLevel::Warn => ffi::MDBX_LOG_WARN,
        LogLevel::Notice => ffi::MDBX_LOG_NOTICE,
        _ if !cfg!(debug_assertions) => return Err(DatabaseError::LogLevelUnavailable(level)),
        LogLevel::Verbose => ffi::MDBX_LOG_VERBOSE,
        LogLevel::Debug => ffi::MDBX_LOG_DEBUG,
        LogLevel::Trace => ffi::MDBX_LOG_TRACE,
        LogLevel::Extra => ffi::MDBX_LOG_EXTRA,
    })
}

/// Answers libmdbx when a reader keeps it from reusing pages: let the file grow. reth-db also warns
/// beyond 10 GiB, which an environment of the suite cannot reach.
extern "C" fn tolerate_slow_reader(
    _env: *const ffi::MDBX_env,
    _txn: *const ffi::MDBX_txn,
    _process: ffi::mdbx_pid_t,
    _thread: ffi::mdbx_tid_t,
    _read_txn_id: u64,
    _gap: c_uint,
    _space: usize,
    _retry: c_int,
) -> HandleSlowReadersReturnCode {
    HandleSlowReadersReturnCode::ProceedWithoutKillingReader
}
