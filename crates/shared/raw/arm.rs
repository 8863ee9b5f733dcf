//! The arm and its transactions.

use super::{RawError, bytes, check, cursor::RawCursor, empty, found, val};
use crate::ffi;
use bench_shared::{
    binding::{Binding, Read, Write},
    catalogue::DupKind,
    data::DUP_SIZE,
};
use std::{ffi::CString, marker::PhantomData, mem::ManuallyDrop, ptr};

/// Direct calls to libmdbx on an environment that one of the side's stacks opened.
#[derive(Debug)]
pub struct Raw<'e> {
    env: *mut ffi::MDBX_env,
    _env: PhantomData<&'e ()>,
}

impl Raw<'_> {
    /// An arm over the environment behind `env`.
    ///
    /// # Safety
    /// `env` is open, and stays open for the lifetime of the arm.
    pub const unsafe fn new(env: *mut ffi::MDBX_env) -> Self {
        Self { env, _env: PhantomData }
    }

    fn begin(&self, flags: ffi::MDBX_txn_flags_t) -> Result<RawTx<'_>, RawError> {
        let mut txn = ptr::null_mut();
        // SAFETY: the environment is open (`new`), and `txn` is a valid place for the result.
        let code = unsafe {
            ffi::mdbx_txn_begin_ex(self.env, ptr::null_mut(), flags, &mut txn, ptr::null_mut())
        };
        check(code)?;
        Ok(RawTx { txn, _env: PhantomData })
    }
}

impl Binding for Raw<'_> {
    const ARM: &'static str = "raw";
    type Error = RawError;
    type TxError = RawError;
    type Table = ffi::MDBX_dbi;
    type Slice<'t>
        = &'t [u8]
    where
        Self: 't;
    type Ro<'e>
        = RawTx<'e>
    where
        Self: 'e;
    type Rw<'e>
        = RawTx<'e>
    where
        Self: 'e;

    #[inline]
    fn begin_ro(&self) -> Result<RawTx<'_>, RawError> {
        self.begin(ffi::MDBX_TXN_RDONLY)
    }

    #[inline]
    fn begin_rw(&self) -> Result<RawTx<'_>, RawError> {
        self.begin(ffi::MDBX_TXN_READWRITE)
    }
}

/// A transaction of either kind.
#[derive(Debug)]
pub struct RawTx<'e> {
    pub(super) txn: *mut ffi::MDBX_txn,
    _env: PhantomData<&'e ()>,
}

impl RawTx<'_> {
    fn open_with(
        &self,
        name: &str,
        flags: ffi::MDBX_db_flags_t,
    ) -> Result<ffi::MDBX_dbi, RawError> {
        let name = CString::new(name).map_err(|_| RawError(ffi::MDBX_EINVAL))?;
        let mut dbi = 0;
        // SAFETY: the transaction is live and `name` is NUL-terminated.
        check(unsafe { ffi::mdbx_dbi_open(self.txn, name.as_ptr(), flags, &mut dbi) })?;
        Ok(dbi)
    }

    #[inline]
    fn put_with(
        &self,
        dbi: ffi::MDBX_dbi,
        key: &[u8],
        value: &[u8],
        flags: ffi::MDBX_put_flags_t,
    ) -> Result<(), RawError> {
        let (key, mut value) = (val(key), val(value));
        // SAFETY: the transaction is live; libmdbx only reads from both slices for these flags.
        check(unsafe { ffi::mdbx_put(self.txn, dbi, &key, &mut value, flags) })
    }
}

impl Drop for RawTx<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the transaction is live: `commit` does not run this.
        unsafe { ffi::mdbx_txn_abort(self.txn) };
    }
}

impl<'e> Read<Raw<'e>> for RawTx<'_> {
    type Cursor<'t>
        = RawCursor<'t>
    where
        Self: 't,
        Raw<'e>: 't;

    fn open(&self, name: &str) -> Result<ffi::MDBX_dbi, RawError> {
        self.open_with(name, ffi::MDBX_DB_DEFAULTS)
    }

    #[inline]
    fn get(&self, dbi: ffi::MDBX_dbi, key: &[u8]) -> Result<Option<&[u8]>, RawError> {
        let (key, mut value) = (val(key), empty());
        // SAFETY: the transaction is live; `value` is a valid place for the result.
        let found = found(unsafe { ffi::mdbx_get(self.txn, dbi, &key, &mut value) })?;
        // SAFETY: libmdbx has filled `value` in; the workloads do not write while they read.
        Ok(found.then(|| unsafe { bytes(value) }))
    }

    #[inline]
    fn get_owned(&self, dbi: ffi::MDBX_dbi, key: &[u8]) -> Result<Option<Vec<u8>>, RawError> {
        Ok(self.get(dbi, key)?.map(<[u8]>::to_vec))
    }

    #[inline]
    fn cursor(&self, dbi: ffi::MDBX_dbi) -> Result<RawCursor<'_>, RawError> {
        RawCursor::open(self.txn, dbi)
    }

    fn id(&self) -> Result<u64, RawError> {
        // SAFETY: the transaction is live.
        Ok(unsafe { ffi::mdbx_txn_id(self.txn) })
    }

    #[inline]
    fn commit(self) -> Result<(), RawError> {
        let tx = ManuallyDrop::new(self);
        // SAFETY: the transaction is live and, its drop being suppressed, is ended once. A null
        // latency is allowed.
        check(unsafe { ffi::mdbx_txn_commit_ex(tx.txn, ptr::null_mut()) })
    }
}

impl<'e> Write<Raw<'e>> for RawTx<'_> {
    fn create(&self, name: &str, dups: Option<DupKind>) -> Result<ffi::MDBX_dbi, RawError> {
        let dups = match dups {
            None => ffi::MDBX_DB_DEFAULTS,
            Some(DupKind::Sort) => ffi::MDBX_DUPSORT,
            Some(DupKind::Fixed) => ffi::MDBX_DUPSORT | ffi::MDBX_DUPFIXED,
        };
        self.open_with(name, ffi::MDBX_CREATE | dups)
    }

    #[inline]
    fn put(&self, dbi: ffi::MDBX_dbi, key: &[u8], value: &[u8]) -> Result<(), RawError> {
        self.put_with(dbi, key, value, ffi::MDBX_UPSERT)
    }

    #[inline]
    fn append(&self, dbi: ffi::MDBX_dbi, key: &[u8], value: &[u8]) -> Result<(), RawError> {
        self.put_with(dbi, key, value, ffi::MDBX_APPEND)
    }

    fn delete(&self, dbi: ffi::MDBX_dbi, key: &[u8]) -> Result<bool, RawError> {
        // SAFETY: the transaction is live; a null value deletes every duplicate.
        found(unsafe { ffi::mdbx_del(self.txn, dbi, &val(key), ptr::null()) })
    }

    fn clear(&self, dbi: ffi::MDBX_dbi) -> Result<(), RawError> {
        // SAFETY: the transaction is live; `false` empties the table and keeps its handle.
        check(unsafe { ffi::mdbx_drop(self.txn, dbi, false) })
    }

    fn load_dups<'d>(
        &self,
        dbi: ffi::MDBX_dbi,
        kind: DupKind,
        groups: impl Iterator<Item = (&'d [u8], &'d [u8])>,
    ) -> Result<(), RawError> {
        let cursor = RawCursor::open(self.txn, dbi)?;
        for (key, dups) in groups {
            match kind {
                DupKind::Fixed => cursor.put_multiple(key, dups, DUP_SIZE)?,
                DupKind::Sort => {
                    for dup in dups.chunks_exact(DUP_SIZE) {
                        cursor.put(key, dup, ffi::MDBX_APPENDDUP)?;
                    }
                }
            }
        }
        Ok(())
    }
}
