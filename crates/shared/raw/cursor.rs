//! The arm's cursor.

use super::{Raw, RawError, bytes, check, empty, found, val};
use crate::ffi;
use bench_shared::{binding::Cursor, catalogue::DupKind, data::DUP_SIZE};
use std::{marker::PhantomData, ptr};

type Entry<'t> = Option<(&'t [u8], &'t [u8])>;

/// A cursor, closed on drop.
#[derive(Debug)]
pub struct RawCursor<'t> {
    cursor: *mut ffi::MDBX_cursor,
    _txn: PhantomData<&'t ()>,
}

impl<'t> RawCursor<'t> {
    #[inline]
    pub(super) fn open(txn: *mut ffi::MDBX_txn, dbi: ffi::MDBX_dbi) -> Result<Self, RawError> {
        let mut cursor = ptr::null_mut();
        // SAFETY: the caller holds the transaction, which outlives `'t`.
        check(unsafe { ffi::mdbx_cursor_open(txn, dbi, &mut cursor) })?;
        Ok(Self { cursor, _txn: PhantomData })
    }

    #[inline]
    fn entry(&self, key: ffi::MDBX_val, op: ffi::MDBX_cursor_op) -> Result<Entry<'t>, RawError> {
        let (mut key, mut value) = (key, empty());
        // SAFETY: the cursor and its transaction are live; both places are valid.
        let code = unsafe { ffi::mdbx_cursor_get(self.cursor, &mut key, &mut value, op) };
        // SAFETY: libmdbx has filled in the value, and the key unless the operation leaves the
        // caller's own, which the callers then ignore. The workloads do not write while they read.
        Ok(found(code)?.then(|| unsafe { (bytes(key), bytes(value)) }))
    }

    #[inline]
    fn value(&self, key: &[u8], op: ffi::MDBX_cursor_op) -> Result<Option<&'t [u8]>, RawError> {
        let (mut key, mut value) = (val(key), empty());
        // SAFETY: as in `entry`.
        let code = unsafe { ffi::mdbx_cursor_get(self.cursor, &mut key, &mut value, op) };
        // SAFETY: as in `entry`.
        Ok(found(code)?.then(|| unsafe { bytes(value) }))
    }

    #[inline]
    pub(super) fn put(
        &self,
        key: &[u8],
        value: &[u8],
        flags: ffi::MDBX_put_flags_t,
    ) -> Result<(), RawError> {
        let mut value = val(value);
        // SAFETY: the cursor is live and belongs to a write transaction; libmdbx only reads from
        // both slices.
        check(unsafe { ffi::mdbx_cursor_put(self.cursor, &val(key), &mut value, flags) })
    }

    #[inline]
    pub(super) fn put_multiple(
        &self,
        key: &[u8],
        dups: &[u8],
        size: usize,
    ) -> Result<(), RawError> {
        let first = ffi::MDBX_val { iov_len: size, ..val(dups) };
        let count = ffi::MDBX_val { iov_len: dups.len() / size, ..empty() };
        let mut values = [first, count];
        // SAFETY: as in `put`; MDBX_MULTIPLE reads two values, the second of which gives the count.
        check(unsafe {
            ffi::mdbx_cursor_put(self.cursor, &val(key), values.as_mut_ptr(), ffi::MDBX_MULTIPLE)
        })
    }
}

impl Drop for RawCursor<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the cursor is live and closed once.
        unsafe { ffi::mdbx_cursor_close(self.cursor) };
    }
}

impl<'t, 'e: 't> Cursor<'t, Raw<'e>> for RawCursor<'t> {
    #[inline]
    fn first(&mut self) -> Result<Entry<'t>, RawError> {
        self.entry(empty(), ffi::MDBX_FIRST)
    }

    #[inline]
    fn last(&mut self) -> Result<Entry<'t>, RawError> {
        self.entry(empty(), ffi::MDBX_LAST)
    }

    #[inline]
    fn next(&mut self) -> Result<Entry<'t>, RawError> {
        self.entry(empty(), ffi::MDBX_NEXT)
    }

    #[inline]
    fn prev(&mut self) -> Result<Entry<'t>, RawError> {
        self.entry(empty(), ffi::MDBX_PREV)
    }

    #[inline]
    fn set_range(&mut self, key: &[u8]) -> Result<Entry<'t>, RawError> {
        self.entry(val(key), ffi::MDBX_SET_RANGE)
    }

    #[inline]
    fn set(&mut self, key: &[u8]) -> Result<Option<&'t [u8]>, RawError> {
        self.value(key, ffi::MDBX_SET)
    }

    #[inline]
    fn next_dup(&mut self) -> Result<Option<&'t [u8]>, RawError> {
        self.value(&[], ffi::MDBX_NEXT_DUP)
    }

    #[inline]
    fn next_nodup(&mut self) -> Result<Entry<'t>, RawError> {
        self.entry(empty(), ffi::MDBX_NEXT_NODUP)
    }

    #[inline]
    fn seek_multiple(&mut self, key: &[u8]) -> Result<Option<&'t [u8]>, RawError> {
        self.value(key, ffi::MDBX_SEEK_AND_GET_MULTIPLE)
    }

    #[inline]
    fn get_multiple(&mut self) -> Result<Option<&'t [u8]>, RawError> {
        self.value(&[], ffi::MDBX_GET_MULTIPLE)
    }

    #[inline]
    fn next_multiple(&mut self) -> Result<Option<&'t [u8]>, RawError> {
        self.value(&[], ffi::MDBX_NEXT_MULTIPLE)
    }

    // The C library has no iterator: the raw arm steps, and pages where the table is DUPFIXED.

    #[inline]
    fn for_each(&mut self, mut visit: impl FnMut(&[u8], &[u8])) -> Result<(), RawError> {
        let mut entry = self.first()?;
        while let Some((key, value)) = entry {
            visit(key, value);
            entry = self.next()?;
        }
        Ok(())
    }

    #[inline]
    fn for_each_dup(
        &mut self,
        kind: DupKind,
        mut visit: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), RawError> {
        if kind == DupKind::Sort {
            return self.for_each(visit);
        }
        let mut entry = self.first()?;
        while let Some((key, _)) = entry {
            let mut page = self.get_multiple()?;
            while let Some(dups) = page {
                dups.chunks_exact(DUP_SIZE).for_each(|dup| visit(key, dup));
                page = self.next_multiple()?;
            }
            entry = self.next_nodup()?;
        }
        Ok(())
    }

    #[inline]
    fn for_each_dup_of(
        &mut self,
        kind: DupKind,
        key: &[u8],
        mut visit: impl FnMut(&[u8]),
    ) -> Result<(), RawError> {
        match kind {
            DupKind::Sort => {
                let mut dup = self.set(key)?;
                while let Some(value) = dup {
                    visit(value);
                    dup = self.next_dup()?;
                }
            }
            DupKind::Fixed => {
                let mut page = self.seek_multiple(key)?;
                while let Some(dups) = page {
                    dups.chunks_exact(DUP_SIZE).for_each(&mut visit);
                    page = self.next_multiple()?;
                }
            }
        }
        Ok(())
    }
}
