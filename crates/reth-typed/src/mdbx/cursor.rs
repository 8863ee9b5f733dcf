//! Cursors: the binding's, with rows decoded and encoded.

use crate::{
    DatabaseError, DatabaseWriteError, DatabaseWriteOperation,
    common::{IterPairResult, PairResult, ValueOnlyResult},
    cursor::{
        DbCursorRO, DbCursorRW, DbDupCursorRO, DbDupCursorRW, DupWalker, RangeWalker,
        ReverseWalker, Walker,
    },
    table::{Compress, Decode, Decompress, DupSort, Encode, IntoVec, Table, TableRow},
};
use reth_libmdbx::{Error, RO, RW, TransactionKind, WriteFlags};
use std::{
    borrow::Cow,
    marker::PhantomData,
    ops::{Bound, RangeBounds},
};

/// A cursor that reads.
pub type CursorRO<T> = Cursor<RO, T>;
/// A cursor that reads and writes.
pub type CursorRW<T> = Cursor<RW, T>;

/// A cursor over table `T`.
#[derive(Debug)]
pub struct Cursor<K: TransactionKind, T: Table> {
    inner: reth_libmdbx::Cursor<K>,
    /// Where values are compressed. Belongs to the cursor, so that only its first write allocates.
    scratch: Vec<u8>,
    table: PhantomData<T>,
}

impl<K: TransactionKind, T: Table> Cursor<K, T> {
    pub(super) const fn new(inner: reth_libmdbx::Cursor<K>) -> Self {
        Self { inner, scratch: Vec::new(), table: PhantomData }
    }
}

/// Bytes as the binding returns them: borrowed from the map, or copied.
type Bytes<'a> = Cow<'a, [u8]>;

fn decode_value<T: Table>(bytes: Bytes<'_>) -> Result<T::Value, DatabaseError> {
    Ok(match bytes {
        Cow::Borrowed(bytes) => T::Value::decompress(bytes)?,
        Cow::Owned(bytes) => T::Value::decompress_owned(bytes)?,
    })
}

/// Decodes a row in one piece: through [`decode_value`], the value is moved once more.
fn decode_row<T: Table>(
    (key, value): (Bytes<'_>, Bytes<'_>),
) -> Result<TableRow<T>, DatabaseError> {
    let key = match key {
        Cow::Borrowed(bytes) => T::Key::decode(bytes)?,
        Cow::Owned(bytes) => T::Key::decode_owned(bytes)?,
    };
    let value = match value {
        Cow::Borrowed(bytes) => T::Value::decompress(bytes)?,
        Cow::Owned(bytes) => T::Value::decompress_owned(bytes)?,
    };
    Ok((key, value))
}

/// As [`decode_row`], called rather than inlined. reth-db's moves among duplicates are compiled to
/// such a call, since they decode in many places; inlined, a step of [`DupWalker`] takes 10 % fewer
/// instructions than reth-db's.
#[inline(never)]
fn decode_dup_row<T: DupSort>(found: (Bytes<'_>, Bytes<'_>)) -> Result<TableRow<T>, DatabaseError> {
    decode_row::<T>(found)
}

/// Decodes the row that a move came to.
fn row<T: Table>(found: reth_libmdbx::Result<Option<(Bytes<'_>, Bytes<'_>)>>) -> PairResult<T> {
    found.map_err(unread)?.map(decode_row::<T>).transpose()
}

/// Decodes the row that a move among duplicates came to.
fn dup_row<T: DupSort>(
    found: reth_libmdbx::Result<Option<(Bytes<'_>, Bytes<'_>)>>,
) -> PairResult<T> {
    found.map_err(unread)?.map(decode_dup_row::<T>).transpose()
}

/// Decodes the value that a read found.
pub(super) fn value<T: Table>(
    found: reth_libmdbx::Result<Option<Bytes<'_>>>,
) -> ValueOnlyResult<T> {
    found.map_err(unread)?.map(decode_value::<T>).transpose()
}

fn unread(error: Error) -> DatabaseError {
    DatabaseError::Read(error.into())
}

impl<K: TransactionKind, T: Table> DbCursorRO<T> for Cursor<K, T> {
    fn first(&mut self) -> PairResult<T> {
        row::<T>(self.inner.first())
    }

    fn seek_exact(&mut self, key: T::Key) -> PairResult<T> {
        row::<T>(self.inner.set_key(key.encode().as_ref()))
    }

    fn seek(&mut self, key: T::Key) -> PairResult<T> {
        row::<T>(self.inner.set_range(key.encode().as_ref()))
    }

    fn next(&mut self) -> PairResult<T> {
        row::<T>(self.inner.next())
    }

    fn prev(&mut self) -> PairResult<T> {
        row::<T>(self.inner.prev())
    }

    fn last(&mut self) -> PairResult<T> {
        row::<T>(self.inner.last())
    }

    fn current(&mut self) -> PairResult<T> {
        row::<T>(self.inner.get_current())
    }

    fn walk(&mut self, start_key: Option<T::Key>) -> Result<Walker<'_, T, Self>, DatabaseError> {
        let start = match start_key {
            Some(key) => self.seek(key),
            None => self.first(),
        };
        Ok(Walker::new(self, start.transpose()))
    }

    fn walk_range(
        &mut self,
        range: impl RangeBounds<T::Key>,
    ) -> Result<RangeWalker<'_, T, Self>, DatabaseError> {
        let start = match range.start_bound() {
            Bound::Included(key) => self.seek(key.clone()),
            Bound::Unbounded => self.first(),
            Bound::Excluded(_) => {
                return Err(DatabaseError::Other("a walk cannot exclude its start".into()));
            }
        };
        Ok(RangeWalker::new(self, start.transpose(), range.end_bound().cloned()))
    }

    fn walk_back(
        &mut self,
        start_key: Option<T::Key>,
    ) -> Result<ReverseWalker<'_, T, Self>, DatabaseError> {
        let start = match start_key {
            Some(key) => self.seek(key),
            None => self.last(),
        };
        Ok(ReverseWalker::new(self, start.transpose()))
    }
}

impl<K: TransactionKind, T: DupSort> Cursor<K, T> {
    /// Moves to the first value of `key`, or to its first one at `subkey` or greater.
    fn seek_dup(
        &mut self,
        key: T::Key,
        subkey: Option<T::SubKey>,
    ) -> Result<IterPairResult<T>, DatabaseError> {
        let key = key.encode();
        let found: Option<Bytes<'_>> = match subkey {
            Some(subkey) => self.inner.get_both_range(key.as_ref(), subkey.encode().as_ref()),
            None => self.inner.set(key.as_ref()),
        }
        .map_err(unread)?;
        Ok(found.map(|value| decode_dup_row::<T>((Cow::Borrowed(key.as_ref()), value))))
    }
}

impl<K: TransactionKind, T: DupSort> DbDupCursorRO<T> for Cursor<K, T> {
    fn prev_dup(&mut self) -> PairResult<T> {
        dup_row::<T>(self.inner.prev_dup())
    }

    fn next_dup(&mut self) -> PairResult<T> {
        dup_row::<T>(self.inner.next_dup())
    }

    fn last_dup(&mut self) -> ValueOnlyResult<T> {
        value::<T>(self.inner.last_dup())
    }

    fn next_no_dup(&mut self) -> PairResult<T> {
        dup_row::<T>(self.inner.next_nodup())
    }

    fn next_dup_val(&mut self) -> ValueOnlyResult<T> {
        let found: Option<(Bytes<'_>, Bytes<'_>)> = self.inner.next_dup().map_err(unread)?;
        found.map(|(_, value)| decode_value::<T>(value)).transpose()
    }

    fn seek_by_key_subkey(&mut self, key: T::Key, subkey: T::SubKey) -> ValueOnlyResult<T> {
        value::<T>(self.inner.get_both_range(key.encode().as_ref(), subkey.encode().as_ref()))
    }

    fn walk_dup(
        &mut self,
        key: Option<T::Key>,
        subkey: Option<T::SubKey>,
    ) -> Result<DupWalker<'_, T, Self>, DatabaseError> {
        let start = match (key, subkey) {
            (Some(key), subkey) => self.seek_dup(key, subkey)?,
            (None, None) => self.first().transpose(),
            (None, Some(subkey)) => match self.first()? {
                Some((key, _)) => self.seek_dup(key, Some(subkey))?,
                // An empty table; reth-db yields this error rather than nothing.
                None => Some(Err(unread(Error::NotFound))),
            },
        };
        Ok(DupWalker { cursor: self, start })
    }
}

impl<T: Table> Cursor<RW, T> {
    fn write(
        &mut self,
        operation: DatabaseWriteOperation,
        flags: WriteFlags,
        key: T::Key,
        value: &T::Value,
    ) -> Result<(), DatabaseError> {
        let key = key.encode();
        let bytes = match value.uncompressable_ref() {
            Some(bytes) => bytes,
            None => {
                self.scratch.clear();
                value.compress_to_buf(&mut self.scratch);
                &self.scratch
            }
        };
        self.inner.put(key.as_ref(), bytes, flags).map_err(|e| {
            let (info, key) = (e.into(), key.into_vec());
            DatabaseWriteError { info, operation, table_name: T::NAME, key }.into()
        })
    }

    fn delete(&mut self, flags: WriteFlags) -> Result<(), DatabaseError> {
        self.inner.del(flags).map_err(|e| DatabaseError::Delete(e.into()))
    }
}

impl<T: Table> DbCursorRW<T> for Cursor<RW, T> {
    fn upsert(&mut self, key: T::Key, value: &T::Value) -> Result<(), DatabaseError> {
        self.write(DatabaseWriteOperation::CursorUpsert, WriteFlags::UPSERT, key, value)
    }

    fn insert(&mut self, key: T::Key, value: &T::Value) -> Result<(), DatabaseError> {
        self.write(DatabaseWriteOperation::CursorInsert, WriteFlags::NO_OVERWRITE, key, value)
    }

    fn append(&mut self, key: T::Key, value: &T::Value) -> Result<(), DatabaseError> {
        self.write(DatabaseWriteOperation::CursorAppend, WriteFlags::APPEND, key, value)
    }

    fn delete_current(&mut self) -> Result<(), DatabaseError> {
        self.delete(WriteFlags::CURRENT)
    }
}

impl<T: DupSort> DbDupCursorRW<T> for Cursor<RW, T> {
    fn delete_current_duplicates(&mut self) -> Result<(), DatabaseError> {
        self.delete(WriteFlags::NO_DUP_DATA)
    }

    fn append_dup(&mut self, key: T::Key, value: T::Value) -> Result<(), DatabaseError> {
        self.write(DatabaseWriteOperation::CursorAppendDup, WriteFlags::APPEND_DUP, key, &value)
    }
}
