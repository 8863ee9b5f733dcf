//! The tables of a closed database, with every entry and the pages that hold them.

use super::{check, cursor::RawCursor};
use crate::ffi;
use bench_shared::{
    binding::{AnyError, Cursor as _},
    exchange::{Entries, Table},
};
use std::{
    collections::BTreeMap,
    ffi::CString,
    mem::{MaybeUninit, size_of},
    os::unix::ffi::OsStrExt as _,
    path::Path,
    ptr,
};

/// Tables that an environment may hold: more than any stack makes.
const MAX_TABLES: u64 = 256;

/// Every table by name.
///
/// # Errors
/// libmdbx's.
pub fn tables(dir: &Path) -> Result<BTreeMap<String, Table>, AnyError> {
    let path = CString::new(dir.as_os_str().as_bytes())?;
    let mut env = ptr::null_mut();
    // SAFETY: an environment and a transaction of our own, each ended once on every path.
    unsafe {
        check(ffi::mdbx_env_create(&mut env))?;
        let opened = check(ffi::mdbx_env_set_option(env, ffi::MDBX_opt_max_db, MAX_TABLES))
            .and_then(|()| check(ffi::mdbx_env_open(env, path.as_ptr(), ffi::MDBX_RDONLY, 0)));
        let read = opened.map_err(AnyError::from).and_then(|()| {
            let mut txn = ptr::null_mut();
            let flags = ffi::MDBX_TXN_RDONLY;
            let parent = ptr::null_mut();
            check(ffi::mdbx_txn_begin_ex(env, parent, flags, &mut txn, ptr::null_mut()))?;
            let read = of_transaction(txn);
            ffi::mdbx_txn_abort(txn);
            read
        });
        ffi::mdbx_env_close_ex(env, true);
        read
    }
}

/// # Safety
/// `txn` is a live read transaction, and no cursor of it is left when this returns.
unsafe fn of_transaction(txn: *mut ffi::MDBX_txn) -> Result<BTreeMap<String, Table>, AnyError> {
    let mut names = Vec::new();
    // The names of all tables are the keys of the main one.
    let mut main = 0;
    // SAFETY: the caller's; a null name means the main table.
    check(unsafe { ffi::mdbx_dbi_open(txn, ptr::null(), ffi::MDBX_DB_DEFAULTS, &mut main) })?;
    RawCursor::open(txn, main)?.for_each(|name, _| names.push(name.to_vec()))?;
    let mut out = BTreeMap::new();
    for name in names {
        let (text, name) = (String::from_utf8(name.clone())?, CString::new(name)?);
        let mut dbi = 0;
        // SAFETY: the caller's; ACCEDE takes the table's own flags.
        check(unsafe { ffi::mdbx_dbi_open(txn, name.as_ptr(), ffi::MDBX_DB_ACCEDE, &mut dbi) })?;
        let mut entries = Entries::default();
        RawCursor::open(txn, dbi)?.for_each(|key, value| entries.add(key, value))?;
        let mut stat = MaybeUninit::<ffi::MDBX_stat>::zeroed();
        // SAFETY: the caller's; the size is that of the place, every bit pattern of which is valid.
        let stat = unsafe {
            check(ffi::mdbx_dbi_stat(txn, dbi, stat.as_mut_ptr(), size_of::<ffi::MDBX_stat>()))?;
            stat.assume_init()
        };
        let table = Table {
            depth: stat.ms_depth,
            branch_pages: stat.ms_branch_pages,
            leaf_pages: stat.ms_leaf_pages,
            overflow_pages: stat.ms_overflow_pages,
            ..entries.into_table()
        };
        out.insert(text, table);
    }
    Ok(out)
}
