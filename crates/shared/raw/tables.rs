//! The tables of a closed database, with every entry and the pages that hold them.

use super::{Raw, arm::RawTx, check};
use crate::ffi;
use bench_shared::{
    binding::{AnyError, Binding as _, Cursor as _, Read as _},
    config::EnvConfig,
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

/// Every table by name.
///
/// # Errors
/// libmdbx's.
pub fn tables(dir: &Path) -> Result<BTreeMap<String, Table>, AnyError> {
    let path = CString::new(dir.as_os_str().as_bytes())?;
    let mut env = ptr::null_mut();
    // SAFETY: an environment of our own, closed once, after the transaction has ended.
    unsafe {
        check(ffi::mdbx_env_create(&mut env))?;
        let max_dbs = EnvConfig::HOTDB.max_dbs as u64;
        let opened = check(ffi::mdbx_env_set_option(env, ffi::MDBX_opt_max_db, max_dbs))
            .and_then(|()| check(ffi::mdbx_env_open(env, path.as_ptr(), ffi::MDBX_RDONLY, 0)));
        let read = opened
            .map_err(AnyError::from)
            .and_then(|()| of_transaction(&Raw::new(env).begin_ro()?));
        ffi::mdbx_env_close_ex(env, true);
        read
    }
}

fn of_transaction(tx: &RawTx<'_>) -> Result<BTreeMap<String, Table>, AnyError> {
    let mut names = Vec::new();
    // The names of all tables are the keys of the main one, which has none.
    let mut main = 0;
    // SAFETY: the transaction is live.
    check(unsafe { ffi::mdbx_dbi_open(tx.txn, ptr::null(), ffi::MDBX_DB_DEFAULTS, &mut main) })?;
    tx.cursor(main)?.for_each(|name, _| names.push(name.to_vec()))?;
    let mut out = BTreeMap::new();
    for name in names {
        let name = String::from_utf8(name)?;
        let dbi = tx.open(&name)?;
        let mut entries = Entries::default();
        tx.cursor(dbi)?.for_each(|key, value| entries.add(key, value))?;
        let mut stat = MaybeUninit::<ffi::MDBX_stat>::zeroed();
        let size = size_of::<ffi::MDBX_stat>();
        // SAFETY: the transaction is live; the size is that of the place, every bit pattern of which
        // is valid.
        let stat = unsafe {
            check(ffi::mdbx_dbi_stat(tx.txn, dbi, stat.as_mut_ptr(), size))?;
            stat.assume_init()
        };
        let table = Table {
            depth: stat.ms_depth,
            branch_pages: stat.ms_branch_pages,
            leaf_pages: stat.ms_leaf_pages,
            overflow_pages: stat.ms_overflow_pages,
            ..entries.into_table()
        };
        out.insert(name, table);
    }
    Ok(out)
}
