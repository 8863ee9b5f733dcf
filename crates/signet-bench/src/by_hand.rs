//! Loops of B2 and B4 as a user of signet-libmdbx would write them, without the suite's traits: the
//! measure of what those traits cost (nothing).

use bench_shared::{
    binding::AnyError,
    data::Key,
    harness::dispatch::TABLE,
    sink::{Sink, Touch},
};
use signet_libmdbx::Environment;
use std::{borrow::Cow, hint::black_box};

/// Looks every key up, then scans the table; yields what [`Touch`] sums up.
///
/// # Errors
/// The binding's.
pub fn gets_and_scan(env: &Environment, keys: &[Key]) -> Result<u64, AnyError> {
    let tx = env.begin_ro_unsync()?;
    let db = tx.open_db(Some(TABLE))?;
    let mut sink = Touch::default();
    for key in keys {
        match tx.get::<Cow<'_, [u8]>>(db.dbi(), key)? {
            Some(value) => sink.hit(key, &*value),
            None => sink.miss(key),
        }
    }
    let mut cursor = tx.cursor(db)?;
    let mut entry = cursor.first::<Cow<'_, [u8]>, Cow<'_, [u8]>>()?;
    while let Some((key, value)) = entry {
        sink.hit(&key, &*value);
        entry = cursor.next()?;
    }
    Ok(black_box(sink.sum()))
}
