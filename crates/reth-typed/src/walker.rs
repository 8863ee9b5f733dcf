//! Iterators over cursors.
//!
//! The call that makes a walker has already moved the cursor to the first row, so each walker holds
//! that row until it is asked for. reth-db looks there on every step, and empties a slot as wide as
//! an account or a header to do so; the look is part of a walk's price and is kept. Where the steps
//! of two walkers are written unlike, that is for the same reason: reth-db's are, and each compiles
//! to as many instructions as its model.

use crate::{
    DatabaseError,
    common::IterPairResult,
    cursor::{DbCursorRO, DbCursorRW, DbDupCursorRO, DbDupCursorRW},
    table::{DupSort, Table},
};
use std::{fmt, ops::Bound};

/// Iterates forwards over the rows of a table. Made by [`DbCursorRO::walk`].
pub struct Walker<'cursor, T: Table, C: DbCursorRO<T>> {
    cursor: &'cursor mut C,
    start: IterPairResult<T>,
}

impl<'cursor, T: Table, C: DbCursorRO<T>> Walker<'cursor, T, C> {
    /// A walker that yields `start`, then what follows under the cursor.
    pub const fn new(cursor: &'cursor mut C, start: IterPairResult<T>) -> Self {
        Self { cursor, start }
    }

    /// Turns around at the row under the cursor.
    pub fn rev(self) -> ReverseWalker<'cursor, T, C> {
        let here = self.cursor.current().transpose();
        ReverseWalker::new(self.cursor, here)
    }
}

impl<T: Table, C: DbCursorRO<T>> Iterator for Walker<'_, T, C> {
    type Item = Result<(T::Key, T::Value), DatabaseError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.start.take().or_else(|| self.cursor.next().transpose())
    }
}

/// Iterates backwards over the rows of a table. Made by [`DbCursorRO::walk_back`].
pub struct ReverseWalker<'cursor, T: Table, C: DbCursorRO<T>> {
    cursor: &'cursor mut C,
    start: IterPairResult<T>,
}

impl<'cursor, T: Table, C: DbCursorRO<T>> ReverseWalker<'cursor, T, C> {
    /// A walker that yields `start`, then what precedes under the cursor.
    pub const fn new(cursor: &'cursor mut C, start: IterPairResult<T>) -> Self {
        Self { cursor, start }
    }

    /// Turns around at the row under the cursor.
    pub fn forward(self) -> Walker<'cursor, T, C> {
        let here = self.cursor.current().transpose();
        Walker::new(self.cursor, here)
    }
}

impl<T: Table, C: DbCursorRO<T>> Iterator for ReverseWalker<'_, T, C> {
    type Item = Result<(T::Key, T::Value), DatabaseError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.start.take() {
            None => self.cursor.prev().transpose(),
            start => start,
        }
    }
}

/// Iterates over the rows within a range of keys. Made by [`DbCursorRO::walk_range`].
pub struct RangeWalker<'cursor, T: Table, C: DbCursorRO<T>> {
    cursor: &'cursor mut C,
    start: IterPairResult<T>,
    end: Bound<T::Key>,
    done: bool,
}

impl<'cursor, T: Table, C: DbCursorRO<T>> RangeWalker<'cursor, T, C> {
    /// A walker that yields `start`, then what follows under the cursor, up to `end_key`.
    pub fn new(cursor: &'cursor mut C, start: IterPairResult<T>, end_key: Bound<T::Key>) -> Self {
        let done = match &start {
            None => true,
            Some(Err(_)) => false,
            Some(Ok((key, _))) => !within(key, &end_key),
        };
        Self { cursor, start, end: end_key, done }
    }
}

/// Whether `key` does not lie beyond `end`.
fn within<K: Ord>(key: &K, end: &Bound<K>) -> bool {
    match end {
        Bound::Included(end) => key <= end,
        Bound::Excluded(end) => key < end,
        Bound::Unbounded => true,
    }
}

impl<T: Table, C: DbCursorRO<T>> Iterator for RangeWalker<'_, T, C> {
    type Item = Result<(T::Key, T::Value), DatabaseError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        match self.start.take().or_else(|| self.cursor.next().transpose()) {
            Some(Ok((key, value))) if within(&key, &self.end) => Some(Ok((key, value))),
            Some(Err(e)) => Some(Err(e)),
            _ => {
                self.done = true;
                None
            }
        }
    }
}

impl<T: DupSort, C: DbDupCursorRW<T> + DbCursorRO<T>> RangeWalker<'_, T, C> {
    /// Deletes every value of the key that was yielded last.
    pub fn delete_current_duplicates(&mut self) -> Result<(), DatabaseError> {
        self.start = None;
        self.cursor.delete_current_duplicates()
    }
}

/// Iterates over the values of one key of a DUPSORT table. Made by [`DbDupCursorRO::walk_dup`].
pub struct DupWalker<'cursor, T: DupSort, C: DbDupCursorRO<T>> {
    /// The cursor that is moved.
    pub cursor: &'cursor mut C,
    /// The row to yield first.
    pub start: IterPairResult<T>,
}

impl<T: DupSort, C: DbDupCursorRO<T>> Iterator for DupWalker<'_, T, C> {
    type Item = Result<(T::Key, T::Value), DatabaseError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.start.take() {
            None => self.cursor.next_dup().transpose(),
            start => start,
        }
    }
}

/// What all walkers have in common: they show what they hold, and delete what they yielded last.
macro_rules! common_to_walkers {
    ($($walker:ident: $table:ident, $read:ident;)+) => {$(
        impl<T: $table, C: $read<T> + fmt::Debug> fmt::Debug for $walker<'_, T, C> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($walker))
                    .field("cursor", &self.cursor)
                    .field("start", &self.start)
                    .finish_non_exhaustive()
            }
        }

        impl<T: $table, C: DbCursorRW<T> + $read<T>> $walker<'_, T, C> {
            /// Deletes the row that was yielded last.
            pub fn delete_current(&mut self) -> Result<(), DatabaseError> {
                self.start = None;
                self.cursor.delete_current()
            }
        }
    )+};
}

common_to_walkers! {
    Walker: Table, DbCursorRO;
    ReverseWalker: Table, DbCursorRO;
    RangeWalker: Table, DbCursorRO;
    DupWalker: DupSort, DbDupCursorRO;
}
