//! One iteration of each benchmark of layer H, generic over the arm and the sink.

use crate::{
    catalogue::CursorUse,
    hotdb::{AccountCursor, HotDb, HotRead, HotWrite, StorageCursor},
    sink::{Sink, Value},
    state::Block,
};
use alloy_primitives::{Address, U256};
use std::ops::RangeInclusive;

impl Value for U256 {
    #[inline]
    fn touch(&self) -> u64 {
        self.as_limbs()[0]
    }

    fn canonical(&self) -> Vec<u8> {
        self.to_be_bytes::<32>().to_vec()
    }
}

#[inline]
fn put<V: Value>(sink: &mut impl Sink, key: &[u8], value: Option<V>) {
    match value {
        Some(value) => sink.hit(key, &value),
        None => sink.miss(key),
    }
}

/// H1: account look-ups.
///
/// # Errors
/// The stack's, as for everything in this module.
#[inline]
pub fn accounts<D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    addresses: &[Address],
    cursor: CursorUse,
    sink: &mut S,
) -> Result<(), D::Error> {
    match cursor {
        CursorUse::PerCall => {
            for address in addresses {
                put(sink, address.as_slice(), reader.account(address)?);
            }
        }
        CursorUse::Reused => {
            let mut cursor = reader.accounts()?;
            for address in addresses {
                put(sink, address.as_slice(), cursor.account(address)?);
            }
        }
    }
    Ok(())
}

/// H1: account look-ups as the stack's current node makes them.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn hashed_accounts<const CACHED: bool, D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    addresses: &[Address],
    sink: &mut S,
) -> Result<(), D::Error> {
    for address in addresses {
        put(sink, address.as_slice(), reader.hashed_account::<CACHED>(address)?);
    }
    Ok(())
}

/// H2: slot look-ups.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn slots<D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    slots: &[(Address, U256)],
    cursor: CursorUse,
    sink: &mut S,
) -> Result<(), D::Error> {
    match cursor {
        CursorUse::PerCall => {
            for (address, slot) in slots {
                put(sink, address.as_slice(), reader.slot(address, slot)?);
            }
        }
        CursorUse::Reused => {
            let mut cursor = reader.storage()?;
            for (address, slot) in slots {
                put(sink, address.as_slice(), cursor.slot(address, slot)?);
            }
        }
    }
    Ok(())
}

/// H2: slot look-ups as the stack's current node makes them.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn hashed_slots<const CACHED: bool, D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    slots: &[(Address, U256)],
    sink: &mut S,
) -> Result<(), D::Error> {
    for (address, slot) in slots {
        put(sink, address.as_slice(), reader.hashed_slot::<CACHED>(address, slot)?);
    }
    Ok(())
}

/// H2: all slots of each address.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn slots_of_addresses<D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    addresses: &[Address],
    sink: &mut S,
) -> Result<(), D::Error> {
    let mut cursor = reader.storage()?;
    for address in addresses {
        cursor.for_each_slot(address, |slot| sink.hit(address.as_slice(), slot))?;
    }
    Ok(())
}

/// H3: header look-ups.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn headers<D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    numbers: &[u64],
    sink: &mut S,
) -> Result<(), D::Error> {
    for number in numbers {
        put(sink, &number.to_be_bytes(), reader.header(*number)?);
    }
    Ok(())
}

/// H3: headers of consecutive numbers.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn header_range<D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    numbers: RangeInclusive<u64>,
    sink: &mut S,
) -> Result<(), D::Error> {
    reader.for_each_header_of(numbers, |number, header| sink.hit(&number.to_be_bytes(), header))
}

/// H5: every account.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn scan_accounts<D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    sink: &mut S,
) -> Result<(), D::Error> {
    reader.for_each_account(|address, account| sink.hit(address.as_slice(), account))
}

/// H5: every header.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn scan_headers<D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    sink: &mut S,
) -> Result<(), D::Error> {
    reader.for_each_header(|number, header| sink.hit(&number.to_be_bytes(), header))
}

/// Every slot, for verification.
#[allow(clippy::missing_errors_doc)]
pub fn scan_storage<D: HotDb, R: HotRead<D>, S: Sink>(
    reader: &R,
    sink: &mut S,
) -> Result<(), D::Error> {
    reader.for_each_slot(|address, slot| sink.hit(address.as_slice(), slot))
}

/// H4: blocks, one write transaction each, begin to commit.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn ingest<D: HotDb>(arm: &D, blocks: &[D::Prepared]) -> Result<(), D::Error> {
    for block in blocks {
        let writer = arm.writer()?;
        writer.write(block)?;
        writer.commit()?;
    }
    Ok(())
}

/// H6: blocks, each a read transaction with the block's reads and then H4's write transaction.
#[inline]
#[allow(clippy::missing_errors_doc)]
pub fn mixed<D: HotDb, S: Sink>(
    arm: &D,
    blocks: &[(Block, D::Prepared)],
    cursor: CursorUse,
    sink: &mut S,
) -> Result<(), D::Error> {
    for (block, prepared) in blocks {
        let reader = arm.reader()?;
        accounts::<D, _, _>(&reader, &block.account_reads, cursor, sink)?;
        slots::<D, _, _>(&reader, &block.slot_reads, cursor, sink)?;
        drop(reader);
        ingest(arm, std::slice::from_ref(prepared))?;
    }
    Ok(())
}
