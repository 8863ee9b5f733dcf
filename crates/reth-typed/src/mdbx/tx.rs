//! Transactions.

use super::{cursor::Cursor, env::Handles};
use crate::{
    DatabaseError, DatabaseErrorInfo, DatabaseWriteError, DatabaseWriteOperation,
    table::{Compress, DupSort, Encode, IntoVec, Table},
    transaction::{DbTx, DbTxMut},
};
use reth_libmdbx::{RW, Transaction, TransactionKind, WriteFlags, ffi::MDBX_dbi};
use std::{borrow::Cow, sync::Arc, time::Instant};

/// A transaction: the binding's, and the handles of the tables. Dropping it aborts it.
#[derive(Debug)]
pub struct Tx<K: TransactionKind> {
    inner: Transaction<K>,
    dbis: Arc<Handles>,
}

impl<K: TransactionKind> Tx<K> {
    pub(super) const fn new(inner: Transaction<K>, dbis: Arc<Handles>) -> Self {
        Self { inner, dbis }
    }

    /// The binding's transaction.
    pub const fn inner(&self) -> &Transaction<K> {
        &self.inner
    }

    /// The transaction's number.
    pub fn id(&self) -> reth_libmdbx::Result<u64> {
        self.inner.id()
    }

    /// Handle of the table called `name`. One that was not created on opening is opened now.
    pub fn get_dbi_raw(&self, name: &str) -> Result<MDBX_dbi, DatabaseError> {
        match self.dbis.get(name) {
            Some(dbi) => Ok(*dbi),
            None => match self.inner.open_db(Some(name)) {
                Ok(db) => Ok(db.dbi()),
                Err(e) => Err(DatabaseError::Open(e.into())),
            },
        }
    }

    /// Handle of table `T`.
    pub fn get_dbi<T: Table>(&self) -> Result<MDBX_dbi, DatabaseError> {
        self.get_dbi_raw(T::NAME)
    }

    /// Opens a cursor on table `T`.
    pub fn new_cursor<T: Table>(&self) -> Result<Cursor<K, T>, DatabaseError> {
        let dbi = self.get_dbi::<T>()?;
        let cursor = self.inner.cursor_with_dbi(dbi);
        cursor.map(Cursor::new).map_err(|e| DatabaseError::InitCursor(e.into()))
    }
}

/// Runs what ends a transaction between two readings of the clock: reth-db times every commit and
/// abort for its debug log, whether or not that or metrics are on.
fn timed<R>(close: impl FnOnce() -> R) -> R {
    let started = Instant::now();
    let closed = close();
    let _ = started.elapsed();
    closed
}

impl<K: TransactionKind> DbTx for Tx<K> {
    type Cursor<T: Table> = Cursor<K, T>;
    type DupCursor<T: DupSort> = Cursor<K, T>;

    fn get<T: Table>(&self, key: T::Key) -> Result<Option<T::Value>, DatabaseError> {
        self.get_by_encoded_key::<T>(&key.encode())
    }

    fn get_by_encoded_key<T: Table>(
        &self,
        key: &<T::Key as Encode>::Encoded,
    ) -> Result<Option<T::Value>, DatabaseError> {
        let dbi = self.get_dbi::<T>()?;
        super::cursor::value::<T>(self.inner.get::<Cow<'_, [u8]>>(dbi, key.as_ref()))
    }

    // reth-db opens this span whatever its features.
    #[tracing::instrument(name = "Tx::commit", level = "debug", target = "providers::db", skip_all)]
    fn commit(self) -> Result<(), DatabaseError> {
        match timed(|| self.inner.commit()) {
            Ok((false, _latency)) => Ok(()),
            // The binding hands on libmdbx's word that an earlier error had spoilt the transaction.
            // reth's newer one makes this error of it.
            Ok((true, _)) => Err(DatabaseError::Commit(DatabaseErrorInfo {
                message: "botched transaction".into(),
                code: -96001,
            })),
            Err(e) => Err(DatabaseError::Commit(e.into())),
        }
    }

    fn abort(self) {
        timed(|| drop(self.inner));
    }

    fn cursor_read<T: Table>(&self) -> Result<Self::Cursor<T>, DatabaseError> {
        self.new_cursor()
    }

    fn cursor_dup_read<T: DupSort>(&self) -> Result<Self::DupCursor<T>, DatabaseError> {
        self.new_cursor()
    }

    fn entries<T: Table>(&self) -> Result<usize, DatabaseError> {
        let stat = self.inner.db_stat_with_dbi(self.get_dbi::<T>()?);
        stat.map(|stat| stat.entries()).map_err(|e| DatabaseError::Stats(e.into()))
    }

    fn disable_long_read_transaction_safety(&mut self) {
        self.inner.disable_timeout();
    }
}

impl Tx<RW> {
    fn write<T: Table>(
        &self,
        operation: DatabaseWriteOperation,
        flags: WriteFlags,
        key: T::Key,
        value: T::Value,
    ) -> Result<(), DatabaseError> {
        let key = key.encode();
        let value = value.compress();
        let dbi = self.get_dbi::<T>()?;
        self.inner.put(dbi, key.as_ref(), value, flags).map_err(|e| {
            let (info, key) = (e.into(), key.into_vec());
            DatabaseWriteError { info, operation, table_name: T::NAME, key }.into()
        })
    }
}

impl DbTxMut for Tx<RW> {
    type CursorMut<T: Table> = Cursor<RW, T>;
    type DupCursorMut<T: DupSort> = Cursor<RW, T>;

    fn put<T: Table>(&self, key: T::Key, value: T::Value) -> Result<(), DatabaseError> {
        self.write::<T>(DatabaseWriteOperation::PutUpsert, WriteFlags::UPSERT, key, value)
    }

    fn append<T: Table>(&self, key: T::Key, value: T::Value) -> Result<(), DatabaseError> {
        self.write::<T>(DatabaseWriteOperation::PutAppend, WriteFlags::APPEND, key, value)
    }

    fn delete<T: Table>(
        &self,
        key: T::Key,
        value: Option<T::Value>,
    ) -> Result<bool, DatabaseError> {
        let value = value.map(Compress::compress);
        let only = value.as_ref().map(AsRef::as_ref);
        let dbi = self.get_dbi::<T>()?;
        self.inner.del(dbi, key.encode(), only).map_err(|e| DatabaseError::Delete(e.into()))
    }

    fn clear<T: Table>(&self) -> Result<(), DatabaseError> {
        let dbi = self.get_dbi::<T>()?;
        self.inner.clear_db(dbi).map_err(|e| DatabaseError::Delete(e.into()))
    }

    fn cursor_write<T: Table>(&self) -> Result<Self::CursorMut<T>, DatabaseError> {
        self.new_cursor()
    }

    fn cursor_dup_write<T: DupSort>(&self) -> Result<Self::DupCursorMut<T>, DatabaseError> {
        self.new_cursor()
    }
}
