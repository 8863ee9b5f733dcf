//! What cursors can do.
//!
//! Moves return the row they came to, decoded. Each is one libmdbx call unless it says otherwise.

pub use crate::walker::{DupWalker, RangeWalker, ReverseWalker, Walker};

use crate::{
    DatabaseError,
    common::{PairResult, ValueOnlyResult},
    table::{DupSort, Table},
};
use std::ops::RangeBounds;

/// Reads of a table in key order. In a DUPSORT table every value of a key is a row of its own.
pub trait DbCursorRO<T: Table> {
    /// Moves to the first row.
    fn first(&mut self) -> PairResult<T>;

    /// Moves to the row at `key`.
    fn seek_exact(&mut self, key: T::Key) -> PairResult<T>;

    /// Moves to the first row whose key is `key` or greater.
    fn seek(&mut self, key: T::Key) -> PairResult<T>;

    /// Moves to the next row; to the first one on a fresh cursor.
    fn next(&mut self) -> PairResult<T>;

    /// Moves to the previous row; to the last one on a fresh cursor.
    fn prev(&mut self) -> PairResult<T>;

    /// Moves to the last row.
    fn last(&mut self) -> PairResult<T>;

    /// Reads the row under the cursor.
    fn current(&mut self) -> PairResult<T>;

    /// Iterates from the first row whose key is `start_key` or greater, or from the first of all.
    fn walk(&mut self, start_key: Option<T::Key>) -> Result<Walker<'_, T, Self>, DatabaseError>
    where
        Self: Sized;

    /// Iterates over the rows whose keys lie in `range`. A range cannot exclude its start.
    fn walk_range(
        &mut self,
        range: impl RangeBounds<T::Key>,
    ) -> Result<RangeWalker<'_, T, Self>, DatabaseError>
    where
        Self: Sized;

    /// Iterates backwards from the first row whose key is `start_key` or greater, or from the last
    /// of all.
    fn walk_back(
        &mut self,
        start_key: Option<T::Key>,
    ) -> Result<ReverseWalker<'_, T, Self>, DatabaseError>
    where
        Self: Sized;
}

/// Reads of a DUPSORT table among the values of a key.
pub trait DbDupCursorRO<T: DupSort> {
    /// Moves to the previous value of the key.
    fn prev_dup(&mut self) -> PairResult<T>;

    /// Moves to the next value of the key.
    fn next_dup(&mut self) -> PairResult<T>;

    /// Moves to the last value of the key.
    fn last_dup(&mut self) -> ValueOnlyResult<T>;

    /// Moves to the first value of the next key.
    fn next_no_dup(&mut self) -> PairResult<T>;

    /// Moves to the next value of the key, and decodes no key.
    fn next_dup_val(&mut self) -> ValueOnlyResult<T>;

    /// Moves to the first value of `key` whose subkey is `subkey` or **greater**. Whoever wants
    /// exactly `subkey` compares it with the returned value's.
    fn seek_by_key_subkey(&mut self, key: T::Key, subkey: T::SubKey) -> ValueOnlyResult<T>;

    /// Iterates over the values of one key.
    ///
    /// | `key` | `subkey` | starts at |
    /// |---|---|---|
    /// | given | given | the first value of `key` at `subkey` or greater |
    /// | given | none | the first value of `key` |
    /// | none | given | the same within the first key of the table, in two calls |
    /// | none | none | the first row of the table |
    fn walk_dup(
        &mut self,
        key: Option<T::Key>,
        subkey: Option<T::SubKey>,
    ) -> Result<DupWalker<'_, T, Self>, DatabaseError>
    where
        Self: Sized;
}

/// Writes through a cursor. All fail with [`DatabaseError::Write`] if libmdbx refuses: for a key or
/// DUPSORT value of more than 2,022 bytes at 4 KiB pages, or for a full map.
pub trait DbCursorRW<T: Table> {
    /// Writes a row and replaces the one at its key. In a DUPSORT table nothing is replaced: the
    /// value joins those of its key, also one of the same subkey. Seek and
    /// [`Self::delete_current`] the old value first.
    fn upsert(&mut self, key: T::Key, value: &T::Value) -> Result<(), DatabaseError>;

    /// Writes a row, and fails if its key is taken.
    fn insert(&mut self, key: T::Key, value: &T::Value) -> Result<(), DatabaseError>;

    /// Writes a row behind the last, and fails if its key is not the greatest.
    fn append(&mut self, key: T::Key, value: &T::Value) -> Result<(), DatabaseError>;

    /// Deletes the row under the cursor.
    fn delete_current(&mut self) -> Result<(), DatabaseError>;
}

/// Writes through a cursor over a DUPSORT table.
pub trait DbDupCursorRW<T: DupSort> {
    /// Deletes every value of the key under the cursor.
    fn delete_current_duplicates(&mut self) -> Result<(), DatabaseError>;

    /// Writes a value behind the last of its key, and fails if it is not the greatest.
    fn append_dup(&mut self, key: T::Key, value: T::Value) -> Result<(), DatabaseError>;
}
