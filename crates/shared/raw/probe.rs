//! What an environment really runs with, and which libmdbx is in the binary.

use super::{RawError, check};
use crate::ffi;
use bench_shared::{binding::EnvState, config::Effective, job::Engine};
use std::{
    ffi::{CStr, CString, c_char},
    mem::{MaybeUninit, size_of},
    os::unix::ffi::OsStrExt,
    path::Path,
    ptr,
};

/// `mdbx_env_info_ex` without a transaction.
///
/// # Errors
/// libmdbx's.
///
/// # Safety
/// `env` is open.
pub unsafe fn info(env: *const ffi::MDBX_env) -> Result<ffi::MDBX_envinfo, RawError> {
    let mut info = MaybeUninit::zeroed();
    // SAFETY: the environment is open; the size is that of the place.
    check(unsafe {
        ffi::mdbx_env_info_ex(env, ptr::null(), info.as_mut_ptr(), size_of::<ffi::MDBX_envinfo>())
    })?;
    // SAFETY: filled in by libmdbx, and every bit pattern is valid besides.
    Ok(unsafe { info.assume_init() })
}

/// Settings read through an open handle.
///
/// # Errors
/// libmdbx's.
///
/// # Safety
/// `env` is open.
pub unsafe fn effective(env: *mut ffi::MDBX_env) -> Result<Effective, RawError> {
    let (mut flags, mut max_dbs, mut rp_augment_limit) = (0, 0, 0);
    // SAFETY: the environment is open and every place is valid.
    let info = unsafe {
        check(ffi::mdbx_env_get_flags(env, &mut flags))?;
        check(ffi::mdbx_env_get_option(env, ffi::MDBX_opt_max_db, &mut max_dbs))?;
        let option = ffi::MDBX_opt_rp_augment_limit;
        check(ffi::mdbx_env_get_option(env, option, &mut rp_augment_limit))?;
        info(env)?
    };
    Ok(Effective {
        read_from: "handle".to_owned(),
        flags,
        write_map: flags & ffi::MDBX_WRITEMAP != 0,
        no_rdahead: flags & ffi::MDBX_NORDAHEAD != 0,
        safe_no_sync: is_safe_no_sync(flags),
        geo_lower: info.mi_geo.lower,
        geo_upper: info.mi_geo.upper,
        geo_grow: info.mi_geo.grow,
        geo_shrink: info.mi_geo.shrink,
        page_size: info.mi_dxb_pagesize,
        max_readers: info.mi_maxreaders,
        sync_bytes: info.mi_autosync_threshold,
        max_dbs: Some(max_dbs),
        rp_augment_limit: Some(rp_augment_limit),
    })
}

/// Whether the sync bits are exactly those of SAFE_NOSYNC. Its bit is also part of UTTERLY_NOSYNC,
/// which is why a wrapper's decoded mode cannot be trusted; NOMETASYNC is set along with it.
const fn is_safe_no_sync(flags: u32) -> bool {
    flags & ffi::MDBX_UTTERLY_NOSYNC == ffi::MDBX_SAFE_NOSYNC
}

/// State of an environment that **another** process has open, for a stack that hides its handle:
/// opened read-only with `MDBX_ACCEDE`, which adopts the modes that the first process set.
/// `max_dbs` and `rp_augment_limit` are the first process's own and cannot be seen; neither can
/// NORDAHEAD, which the caller reads from the mapping.
///
/// # Errors
/// libmdbx's, for instance when no process has the environment open.
pub fn state_from_outside(dir: &Path) -> Result<EnvState, RawError> {
    let path = CString::new(dir.as_os_str().as_bytes()).map_err(|_| RawError(ffi::MDBX_EINVAL))?;
    let mut env = ptr::null_mut();
    // SAFETY: plain creation, opening and closing of an environment of our own.
    unsafe {
        check(ffi::mdbx_env_create(&mut env))?;
        let opened = ffi::mdbx_env_open(env, path.as_ptr(), ffi::MDBX_RDONLY | ffi::MDBX_ACCEDE, 0);
        let mut seen = check(opened).and_then(|()| {
            // `mi_mode` is the mode of the lock file, not of this handle.
            let mode = info(env)?.mi_mode;
            let mut seen = state(env)?;
            seen.effective.flags = mode;
            seen.effective.write_map = mode & ffi::MDBX_WRITEMAP != 0;
            seen.effective.safe_no_sync = is_safe_no_sync(mode);
            Ok(seen)
        });
        ffi::mdbx_env_close_ex(env, true);
        if let Ok(seen) = &mut seen {
            seen.effective.read_from = "second process".to_owned();
            seen.effective.max_dbs = None;
            seen.effective.rp_augment_limit = None;
        }
        seen
    }
}

/// All of the above and the counters, through an open handle.
///
/// # Errors
/// libmdbx's.
///
/// # Safety
/// `env` is open.
pub unsafe fn state(env: *mut ffi::MDBX_env) -> Result<EnvState, RawError> {
    // SAFETY: the caller's.
    let (info, effective) = unsafe { (info(env)?, effective(env)?) };
    Ok(EnvState {
        effective,
        last_txnid: info.mi_recent_txnid,
        used_pages: info.mi_last_pgno + 1,
        syncs: info.mi_pgop_stat.msync + info.mi_pgop_stat.fsync,
    })
}

/// The libmdbx in this binary.
pub fn engine() -> Engine {
    // SAFETY: both are constants of the C library, never written.
    let (version, build) = unsafe { (&ffi::mdbx_version, &ffi::mdbx_build) };
    let options = text(build.options);
    // MDBX_DEBUG above 0 compiles the assertions in.
    let debug = !options.split_whitespace().any(|option| option == "MDBX_DEBUG=0");
    Engine {
        version: format!("{}.{}.{}", version.major, version.minor, version.patch),
        commit: text(version.git.commit),
        options,
        compiler: text(build.compiler),
        flags: text(build.flags),
        debug,
    }
}

fn text(chars: *const c_char) -> String {
    if chars.is_null() {
        return String::new();
    }
    // SAFETY: libmdbx's build information consists of NUL-terminated constants.
    unsafe { CStr::from_ptr(chars) }.to_string_lossy().into_owned()
}
