//! The raw arm: direct calls to the side's own `-sys` crate, and the probes that read an
//! environment's settings.
//!
//! Each side compiles this one source against its own `-sys` crate, which it names `ffi` at its
//! root: two `-sys` crates may never meet in one binary, since without a `links` key they would
//! link to one libmdbx without a word. What a workload calls without a
//! wrapper is unsafe, and all of that is here.

mod arm;
mod cursor;
pub mod probe;
pub(crate) mod side;
#[cfg(feature = "hotdb")]
pub mod tables;

pub use arm::Raw;

use crate::ffi;
use std::{
    ffi::{CStr, c_int, c_void},
    fmt, slice,
};

/// An error code of libmdbx.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RawError(pub c_int);

impl fmt::Debug for RawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawError({}: {self})", self.0)
    }
}

impl fmt::Display for RawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: mdbx_strerror returns a pointer to a NUL-terminated string that stays valid until
        // the next call on this thread, and it is copied at once.
        let text = unsafe { CStr::from_ptr(ffi::mdbx_strerror(self.0)) };
        f.write_str(&text.to_string_lossy())
    }
}

impl std::error::Error for RawError {}

/// `Ok` for success.
#[inline]
const fn check(code: c_int) -> Result<(), RawError> {
    if code == ffi::MDBX_SUCCESS { Ok(()) } else { Err(RawError(code)) }
}

/// `Ok(true)` for success, `Ok(false)` for "not found".
#[inline]
const fn found(code: c_int) -> Result<bool, RawError> {
    match code {
        ffi::MDBX_SUCCESS => Ok(true),
        ffi::MDBX_NOTFOUND => Ok(false),
        code => Err(RawError(code)),
    }
}

/// A value that libmdbx reads from.
#[inline]
const fn val(bytes: &[u8]) -> ffi::MDBX_val {
    ffi::MDBX_val { iov_base: bytes.as_ptr() as *mut c_void, iov_len: bytes.len() }
}

/// A value that libmdbx fills in.
#[inline]
const fn empty() -> ffi::MDBX_val {
    ffi::MDBX_val { iov_base: std::ptr::null_mut(), iov_len: 0 }
}

/// The bytes that libmdbx pointed `val` at.
///
/// # Safety
/// `val` was filled in by libmdbx and its page stays as it is for `'t`: the transaction is
/// read-only, or nothing is written through it while the slice is alive.
#[inline]
const unsafe fn bytes<'t>(val: ffi::MDBX_val) -> &'t [u8] {
    if val.iov_len == 0 {
        return &[];
    }
    // SAFETY: the caller's, as above.
    unsafe { slice::from_raw_parts(val.iov_base.cast(), val.iov_len) }
}
