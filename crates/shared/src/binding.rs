//! The traits that an adapter of a raw binding implements (layer B).
//!
//! An arm is a view of an open environment. Each method is the call that a user of that stack would
//! write for the purpose; the loops around the calls are in [`crate::workload`], once for all. The
//! exceptions are the methods named `for_each…` and `load_dups`, which stand for a stack's own
//! iterator or its fastest bulk call and therefore contain its loop.

use crate::{
    catalogue::{DupKind, Timeout},
    config::{Effective, EnvConfig},
};
use serde::{Deserialize, Serialize};
use std::{error::Error, ops::Deref, path::Path};

/// Errors of anything that is not timed.
pub type AnyError = Box<dyn Error + Send + Sync + 'static>;

/// One arm over an open environment.
pub trait Binding {
    /// Name of the arm, for instance `signet-unsync`.
    const ARM: &'static str;
    /// The stack's own error of a read.
    type Error: Error + From<Self::TxError> + Send + Sync + 'static;
    /// The stack's own error of everything else. A stack that tells the two apart is not made to
    /// convert one into the other inside the timer.
    type TxError: Error + Send + Sync + 'static;
    /// Handle of an open table.
    type Table: Copy;
    /// Bytes borrowed from a transaction.
    type Slice<'t>: Deref<Target = [u8]>
    where
        Self: 't;
    /// Read transaction.
    type Ro<'e>: Read<Self>
    where
        Self: 'e;
    /// Write transaction.
    type Rw<'e>: Write<Self>
    where
        Self: 'e;

    /// Begins a read transaction.
    ///
    /// # Errors
    /// The stack's, for instance when every reader slot is taken.
    fn begin_ro(&self) -> Result<Self::Ro<'_>, Self::TxError>;

    /// Begins a write transaction; waits for any other to end.
    ///
    /// # Errors
    /// The stack's.
    fn begin_rw(&self) -> Result<Self::Rw<'_>, Self::TxError>;
}

/// What both kinds of transaction can do. Dropping one aborts it.
#[allow(clippy::missing_errors_doc, reason = "every method fails with the stack's own error")]
pub trait Read<B: Binding + ?Sized>: Sized {
    /// Cursor of this transaction.
    type Cursor<'t>: Cursor<'t, B>
    where
        Self: 't,
        B: 't;

    /// Opens the table of this name.
    fn open(&self, name: &str) -> Result<B::Table, B::TxError>;

    /// The value under `key`, borrowed where the stack can.
    fn get(&self, table: B::Table, key: &[u8]) -> Result<Option<B::Slice<'_>>, B::Error>;

    /// The value under `key`, owned.
    fn get_owned(&self, table: B::Table, key: &[u8]) -> Result<Option<Vec<u8>>, B::Error>;

    /// A new cursor.
    fn cursor(&self, table: B::Table) -> Result<Self::Cursor<'_>, B::TxError>;

    /// Number of the snapshot that the transaction reads or makes.
    fn id(&self) -> Result<u64, B::TxError>;

    /// Commits. A commit that libmdbx reports as aborted is an error.
    fn commit(self) -> Result<(), B::TxError>;
}

/// What a write transaction can do besides.
#[allow(clippy::missing_errors_doc, reason = "every method fails with the stack's own error")]
pub trait Write<B: Binding + ?Sized>: Read<B> {
    /// Creates the table, or opens it.
    fn create(&self, name: &str, dups: Option<DupKind>) -> Result<B::Table, B::TxError>;

    /// Puts with `MDBX_UPSERT`: replaces the value, or adds a duplicate.
    fn put(&self, table: B::Table, key: &[u8], value: &[u8]) -> Result<(), B::TxError>;

    /// Puts with `MDBX_APPEND`: the key must be the greatest.
    fn append(&self, table: B::Table, key: &[u8], value: &[u8]) -> Result<(), B::TxError>;

    /// Deletes the key with all its values; whether there was one.
    fn delete(&self, table: B::Table, key: &[u8]) -> Result<bool, B::TxError>;

    /// Empties the table.
    fn clear(&self, table: B::Table) -> Result<(), B::TxError>;

    /// Adds sorted duplicates to ascending keys with the stack's fastest safe call. Each item is a
    /// key and its duplicates one after another, [`crate::data::DUP_SIZE`] bytes each.
    fn load_dups<'d>(
        &self,
        table: B::Table,
        kind: DupKind,
        groups: impl Iterator<Item = (&'d [u8], &'d [u8])>,
    ) -> Result<(), B::TxError>;
}

/// A key and a value, borrowed from the transaction.
pub type Entry<'t, B> = (<B as Binding>::Slice<'t>, <B as Binding>::Slice<'t>);

/// A cursor. Each movement yields the entry it ends on, or `None` past either end.
#[allow(clippy::missing_errors_doc, reason = "every method fails with the stack's own error")]
pub trait Cursor<'t, B: Binding + 't + ?Sized> {
    /// First entry (`MDBX_FIRST`).
    fn first(&mut self) -> Result<Option<Entry<'t, B>>, B::Error>;

    /// Last entry (`MDBX_LAST`).
    fn last(&mut self) -> Result<Option<Entry<'t, B>>, B::Error>;

    /// Next entry, duplicates included (`MDBX_NEXT`).
    fn next(&mut self) -> Result<Option<Entry<'t, B>>, B::Error>;

    /// Previous entry, duplicates included (`MDBX_PREV`).
    fn prev(&mut self) -> Result<Option<Entry<'t, B>>, B::Error>;

    /// First entry whose key is `key` or greater (`MDBX_SET_RANGE`).
    fn set_range(&mut self, key: &[u8]) -> Result<Option<Entry<'t, B>>, B::Error>;

    /// First value under exactly `key` (`MDBX_SET`).
    fn set(&mut self, key: &[u8]) -> Result<Option<B::Slice<'t>>, B::Error>;

    /// Next duplicate of the same key (`MDBX_NEXT_DUP`).
    fn next_dup(&mut self) -> Result<Option<B::Slice<'t>>, B::Error>;

    /// First entry of the next key (`MDBX_NEXT_NODUP`).
    fn next_nodup(&mut self) -> Result<Option<Entry<'t, B>>, B::Error>;

    /// Up to a page of duplicates of exactly `key`, one after another. DUPFIXED only.
    fn seek_multiple(&mut self, key: &[u8]) -> Result<Option<B::Slice<'t>>, B::Error>;

    /// Up to a page of duplicates of the current key (`MDBX_GET_MULTIPLE`). DUPFIXED only.
    fn get_multiple(&mut self) -> Result<Option<B::Slice<'t>>, B::Error>;

    /// The page of duplicates of the same key after that (`MDBX_NEXT_MULTIPLE`). DUPFIXED only.
    fn next_multiple(&mut self) -> Result<Option<B::Slice<'t>>, B::Error>;

    /// The stack's own iterator over the whole table.
    fn for_each(&mut self, visit: impl FnMut(&[u8], &[u8])) -> Result<(), B::Error>;

    /// The stack's own iterator over the whole of a table with duplicates.
    fn for_each_dup(
        &mut self,
        kind: DupKind,
        visit: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), B::Error>;

    /// The stack's own iterator over the duplicates of `key`.
    fn for_each_dup_of(
        &mut self,
        kind: DupKind,
        key: &[u8],
        visit: impl FnMut(&[u8]),
    ) -> Result<(), B::Error>;
}

/// What libmdbx says of an open environment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnvState {
    /// Effective settings.
    pub effective: Effective,
    /// Number of the last committed transaction.
    pub last_txnid: u64,
    /// Pages of the data file up to the last one ever used.
    pub used_pages: u64,
    /// `msync` and `fsync` calls that libmdbx has counted.
    pub syncs: u64,
}

/// A side's binding layer: how it opens an environment, and its arms.
pub trait BindingSide {
    /// An open environment of the stack; dropping it closes it.
    type Env;

    /// Names of the arms in their canonical order.
    const ARMS: &'static [&'static str];

    /// Opens or creates the environment in `dir` with the stack's own builder.
    ///
    /// # Errors
    /// The stack's, for instance when the directory does not exist or the disk is full.
    fn open(dir: &Path, config: &EnvConfig, timeout: Timeout) -> Result<Self::Env, AnyError>;

    /// What libmdbx says of the environment, read through its handle.
    ///
    /// # Errors
    /// libmdbx's.
    fn state(env: &Self::Env) -> Result<EnvState, AnyError>;

    /// Calls `visitor` with the arm of this name.
    ///
    /// # Errors
    /// The visitor's; also if no arm has this name.
    fn with_arm<V: BindingVisitor>(
        env: &Self::Env,
        arm: &str,
        visitor: V,
    ) -> Result<V::Output, AnyError>;
}

/// Code that runs on any arm: a closure cannot be generic, so this is a trait.
pub trait BindingVisitor {
    /// What it returns.
    type Output;

    /// Runs on `arm`.
    ///
    /// # Errors
    /// Whatever went wrong.
    fn visit<B: Binding>(self, arm: &B) -> Result<Self::Output, AnyError>;
}
