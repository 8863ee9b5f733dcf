//! What transactions can do.

use crate::{
    DatabaseError,
    cursor::{DbCursorRO, DbCursorRW, DbDupCursorRO, DbDupCursorRW},
    table::{DupSort, Encode, Table},
};
use std::fmt::Debug;

/// The cursor that transaction `TX` opens on table `T`.
pub type CursorTy<TX, T> = <TX as DbTx>::Cursor<T>;

/// The cursor that transaction `TX` opens on DUPSORT table `T`.
pub type DupCursorTy<TX, T> = <TX as DbTx>::DupCursor<T>;

/// The writing cursor that transaction `TX` opens on table `T`.
pub type CursorMutTy<TX, T> = <TX as DbTxMut>::CursorMut<T>;

/// The writing cursor that transaction `TX` opens on DUPSORT table `T`.
pub type DupCursorMutTy<TX, T> = <TX as DbTxMut>::DupCursorMut<T>;

/// A transaction that reads. Dropping it aborts it.
pub trait DbTx: Debug + Send {
    /// Cursor over a table.
    type Cursor<T: Table>: DbCursorRO<T> + Send;
    /// Cursor over a DUPSORT table.
    type DupCursor<T: DupSort>: DbDupCursorRO<T> + DbCursorRO<T> + Send;

    /// The value at `key`; in a DUPSORT table, its first one.
    fn get<T: Table>(&self, key: T::Key) -> Result<Option<T::Value>, DatabaseError>;

    /// As [`Self::get`], for a key that is encoded already.
    fn get_by_encoded_key<T: Table>(
        &self,
        key: &<T::Key as Encode>::Encoded,
    ) -> Result<Option<T::Value>, DatabaseError>;

    /// Ends the transaction and keeps what it wrote.
    fn commit(self) -> Result<(), DatabaseError>;

    /// Ends the transaction and discards what it wrote.
    fn abort(self);

    /// Opens a cursor.
    fn cursor_read<T: Table>(&self) -> Result<Self::Cursor<T>, DatabaseError>;

    /// Opens a cursor on a DUPSORT table.
    fn cursor_dup_read<T: DupSort>(&self) -> Result<Self::DupCursor<T>, DatabaseError>;

    /// Number of rows, from the table's own count.
    fn entries<T: Table>(&self) -> Result<usize, DatabaseError>;

    /// Lets a reader live beyond the environment's limit for read transactions.
    fn disable_long_read_transaction_safety(&mut self);
}

/// A transaction that writes.
pub trait DbTxMut: Send {
    /// Writing cursor over a table.
    type CursorMut<T: Table>: DbCursorRW<T> + DbCursorRO<T> + Send;
    /// Writing cursor over a DUPSORT table.
    type DupCursorMut<T: DupSort>: DbDupCursorRW<T>
        + DbCursorRW<T>
        + DbDupCursorRO<T>
        + DbCursorRO<T>
        + Send;

    /// Writes a row and replaces the one at its key; in a DUPSORT table, adds a value to its key.
    fn put<T: Table>(&self, key: T::Key, value: T::Value) -> Result<(), DatabaseError>;

    /// Writes a row behind the last, and fails if its key is not the greatest.
    fn append<T: Table>(&self, key: T::Key, value: T::Value) -> Result<(), DatabaseError> {
        self.put::<T>(key, value)
    }

    /// Deletes the row at `key`; in a DUPSORT table, `value` alone if given, else every value.
    /// `false` if there was nothing to delete.
    fn delete<T: Table>(&self, key: T::Key, value: Option<T::Value>)
    -> Result<bool, DatabaseError>;

    /// Deletes every row.
    fn clear<T: Table>(&self) -> Result<(), DatabaseError>;

    /// Opens a writing cursor.
    fn cursor_write<T: Table>(&self) -> Result<Self::CursorMut<T>, DatabaseError>;

    /// Opens a writing cursor on a DUPSORT table.
    fn cursor_dup_write<T: DupSort>(&self) -> Result<Self::DupCursorMut<T>, DatabaseError>;
}
