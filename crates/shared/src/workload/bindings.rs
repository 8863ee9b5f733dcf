//! One iteration of each benchmark of layer B, generic over the arm and the sink.

use crate::{
    binding::{Binding, Cursor, Read, Write},
    catalogue::{DupKind, Ending, Walk},
    data::{DUP_SIZE, DupTable, Key, Puts},
    sink::Sink,
};

/// B1: a read transaction that does nothing.
///
/// # Errors
/// The stack's, as for everything in this module.
#[inline]
pub fn begin_ro<B: Binding>(arm: &B, ending: Ending) -> Result<(), B::TxError> {
    end(arm.begin_ro()?, ending)
}

/// B1: a write transaction that does nothing.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn begin_rw<B: Binding>(arm: &B, ending: Ending) -> Result<(), B::TxError> {
    end(arm.begin_rw()?, ending)
}

#[inline]
fn end<B: Binding, T: Read<B>>(tx: T, ending: Ending) -> Result<(), B::TxError> {
    match ending {
        Ending::Drop => {
            drop(tx);
            Ok(())
        }
        Ending::Commit => tx.commit(),
    }
}

/// B2: random gets.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn gets<B: Binding, T: Read<B>, S: Sink>(
    tx: &T,
    table: B::Table,
    keys: &[Key],
    sink: &mut S,
) -> Result<(), B::Error> {
    for key in keys {
        match tx.get(table, key)? {
            Some(value) => sink.hit(key, &*value),
            None => sink.miss(key),
        }
    }
    Ok(())
}

/// B2: random gets into owned vectors.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn gets_owned<B: Binding, T: Read<B>, S: Sink>(
    tx: &T,
    table: B::Table,
    keys: &[Key],
    sink: &mut S,
) -> Result<(), B::Error> {
    for key in keys {
        match tx.get_owned(table, key)? {
            Some(value) => sink.hit(key, value.as_slice()),
            None => sink.miss(key),
        }
    }
    Ok(())
}

/// B3: one write transaction of upserts, begin to commit.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn upsert_batch<B: Binding>(arm: &B, table: B::Table, puts: &Puts) -> Result<(), B::TxError> {
    let tx = arm.begin_rw()?;
    put_all::<B, _>(&tx, table, puts)?;
    tx.commit()
}

/// The puts of B3 and B7.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn put_all<B: Binding, T: Write<B>>(
    tx: &T,
    table: B::Table,
    puts: &Puts,
) -> Result<(), B::TxError> {
    for (key, value) in puts.iter() {
        tx.put(table, key, value)?;
    }
    Ok(())
}

/// B3: one write transaction of appends, begin to commit.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn append_batch<B: Binding>(arm: &B, table: B::Table, puts: &Puts) -> Result<(), B::TxError> {
    let tx = arm.begin_rw()?;
    for (key, value) in puts.iter() {
        tx.append(table, key, value)?;
    }
    tx.commit()
}

/// B4 and B6: the whole table, forward.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn scan_forward<B: Binding, T: Read<B>, S: Sink>(
    tx: &T,
    table: B::Table,
    sink: &mut S,
) -> Result<(), B::Error> {
    let mut cursor = tx.cursor(table)?;
    let mut entry = cursor.first()?;
    while let Some((key, value)) = entry {
        sink.hit(&key, &*value);
        entry = cursor.next()?;
    }
    Ok(())
}

/// B4: the whole table, backward.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn scan_reverse<B: Binding, T: Read<B>, S: Sink>(
    tx: &T,
    table: B::Table,
    sink: &mut S,
) -> Result<(), B::Error> {
    let mut cursor = tx.cursor(table)?;
    let mut entry = cursor.last()?;
    while let Some((key, value)) = entry {
        sink.hit(&key, &*value);
        entry = cursor.prev()?;
    }
    Ok(())
}

/// B4: the whole table by the stack's iterator.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn scan_iterator<B: Binding, T: Read<B>, S: Sink>(
    tx: &T,
    table: B::Table,
    sink: &mut S,
) -> Result<(), B::Error> {
    tx.cursor(table)?.for_each(|key, value| sink.hit(key, value))
}

/// B5: a seek and `count` entries from there, the first included.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn seek_range<B: Binding, T: Read<B>, S: Sink>(
    tx: &T,
    table: B::Table,
    from: &Key,
    count: usize,
    sink: &mut S,
) -> Result<(), B::Error> {
    let mut cursor = tx.cursor(table)?;
    let mut entry = cursor.set_range(from)?;
    for _ in 1..count {
        let Some((key, value)) = entry else { return Ok(()) };
        sink.hit(&key, &*value);
        entry = cursor.next()?;
    }
    if let Some((key, value)) = entry {
        sink.hit(&key, &*value);
    }
    Ok(())
}

/// B6: one write transaction of duplicates in the order given, begin to commit.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn dup_insert<B: Binding>(
    arm: &B,
    table: B::Table,
    pairs: &[(Key, [u8; DUP_SIZE])],
) -> Result<(), B::TxError> {
    let tx = arm.begin_rw()?;
    for (key, dup) in pairs {
        tx.put(table, key, dup)?;
    }
    tx.commit()
}

/// B6: one write transaction with the stack's fastest bulk call, begin to commit.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn dup_load<B: Binding>(
    arm: &B,
    table: B::Table,
    kind: DupKind,
    data: &DupTable,
) -> Result<(), B::TxError> {
    let tx = arm.begin_rw()?;
    let groups = data.keys.iter().zip(&data.dups);
    tx.load_dups(table, kind, groups.map(|(key, dups)| (key.as_slice(), dups.as_slice())))?;
    tx.commit()
}

/// B6: all duplicates of each key.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn dups_of_keys<B: Binding, T: Read<B>, S: Sink>(
    tx: &T,
    table: B::Table,
    (kind, walk): (DupKind, Walk),
    keys: &[Key],
    sink: &mut S,
) -> Result<(), B::Error> {
    let mut cursor = tx.cursor(table)?;
    for key in keys {
        match walk {
            Walk::Step => {
                let mut dup = cursor.set(key)?;
                while let Some(value) = dup {
                    sink.hit(key, &*value);
                    dup = cursor.next_dup()?;
                }
            }
            Walk::Iterator => cursor.for_each_dup_of(kind, key, |value| sink.hit(key, value))?,
            Walk::Paged => {
                let mut page = cursor.seek_multiple(key)?;
                while let Some(dups) = page {
                    dups.chunks_exact(DUP_SIZE).for_each(|dup| sink.hit(key, dup));
                    page = cursor.next_multiple()?;
                }
            }
        }
    }
    Ok(())
}

/// B6: every duplicate of the table.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn dup_scan<B: Binding, T: Read<B>, S: Sink>(
    tx: &T,
    table: B::Table,
    (kind, walk): (DupKind, Walk),
    sink: &mut S,
) -> Result<(), B::Error> {
    match walk {
        Walk::Step => scan_forward(tx, table, sink),
        Walk::Iterator => tx.cursor(table)?.for_each_dup(kind, |key, value| sink.hit(key, value)),
        Walk::Paged => {
            let mut cursor = tx.cursor(table)?;
            let mut entry = cursor.first()?;
            while let Some((key, _)) = entry {
                let mut page = cursor.get_multiple()?;
                while let Some(dups) = page {
                    dups.chunks_exact(DUP_SIZE).for_each(|dup| sink.hit(&key, dup));
                    page = cursor.next_multiple()?;
                }
                entry = cursor.next_nodup()?;
            }
            Ok(())
        }
    }
}
