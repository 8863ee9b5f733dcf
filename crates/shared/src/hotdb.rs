//! The traits that an adapter of a typed hot database implements (layer H).
//!
//! As in [`crate::binding`], each method is the call that a user of the stack would write, and the
//! loops are in [`crate::workload`]. Rows stay in the stack's own types, wrapped for [`Value`].

use crate::{
    binding::AnyError,
    config::EnvConfig,
    sink::Value,
    state::{AccountSpec, Block},
};
use alloy_consensus::Header;
use alloy_primitives::{Address, U256};
use std::{error::Error, ops::RangeInclusive, path::Path};

/// One arm over an open database.
pub trait HotDb {
    /// Name of the arm, for instance `signet-unsync`.
    const ARM: &'static str;
    /// The stack's own error.
    type Error: Error + Send + Sync + 'static;
    /// A decoded account.
    type Account: Value;
    /// A decoded header.
    type Header: Value;
    /// A decoded storage row: slot and value, each in the stack's own type. Its canonical form is
    /// both as big-endian words.
    type Slot: Value;
    /// Read transaction.
    type Reader<'d>: HotRead<Self>
    where
        Self: 'd;
    /// Write transaction.
    type Writer<'d>: HotWrite<Self>
    where
        Self: 'd;
    /// A block's updates in the stack's own types, made outside the timer.
    type Prepared;

    /// Begins a read transaction.
    ///
    /// # Errors
    /// The stack's.
    fn reader(&self) -> Result<Self::Reader<'_>, Self::Error>;

    /// Begins a write transaction.
    ///
    /// # Errors
    /// The stack's.
    fn writer(&self) -> Result<Self::Writer<'_>, Self::Error>;

    /// Converts a block's updates.
    fn prepare(block: &Block) -> Self::Prepared;
}

/// What a read transaction can do. Dropping it ends it.
#[allow(clippy::missing_errors_doc, reason = "every method fails with the stack's own error")]
pub trait HotRead<D: HotDb + ?Sized> {
    /// Cursor over accounts.
    type Accounts<'t>: AccountCursor<D>
    where
        Self: 't;
    /// Cursor over storage.
    type Storage<'t>: StorageCursor<D>
    where
        Self: 't;

    /// The account at `address`, by the stack's production call.
    fn account(&self, address: &Address) -> Result<Option<D::Account>, D::Error>;

    /// The account at `address`, as the stack's current node reads it: from a table keyed by hashes
    /// where it has one, hashing the address first, with the node's cache of hashes or without it.
    #[inline]
    fn hashed_account<const CACHED: bool>(
        &self,
        address: &Address,
    ) -> Result<Option<D::Account>, D::Error> {
        self.account(address)
    }

    /// The value of a slot, by the stack's production call, which opens a cursor.
    fn slot(&self, address: &Address, slot: &U256) -> Result<Option<U256>, D::Error>;

    /// The value of a slot, as the stack's current node reads it: from a table keyed by hashes where
    /// it has one, hashing address and slot first.
    #[inline]
    fn hashed_slot<const CACHED: bool>(
        &self,
        address: &Address,
        slot: &U256,
    ) -> Result<Option<U256>, D::Error> {
        self.slot(address, slot)
    }

    /// The header of this number.
    fn header(&self, number: u64) -> Result<Option<D::Header>, D::Error>;

    /// The number under which the header of this hash was stored.
    fn header_number(&self, hash: &alloy_primitives::B256) -> Result<Option<u64>, D::Error>;

    /// A cursor over accounts.
    fn accounts(&self) -> Result<Self::Accounts<'_>, D::Error>;

    /// A cursor over storage.
    fn storage(&self) -> Result<Self::Storage<'_>, D::Error>;

    /// The stack's own iterator over every account, with the cursor's opening.
    fn for_each_account(&self, visit: impl FnMut(&Address, &D::Account)) -> Result<(), D::Error>;

    /// The stack's own iterator over every slot, with the cursor's opening.
    fn for_each_slot(&self, visit: impl FnMut(&Address, &D::Slot)) -> Result<(), D::Error>;

    /// The stack's own iterator over the headers of these numbers, with the cursor's opening.
    fn for_each_header_of(
        &self,
        numbers: RangeInclusive<u64>,
        visit: impl FnMut(u64, &D::Header),
    ) -> Result<(), D::Error>;

    /// The stack's own iterator over every header, with the cursor's opening.
    fn for_each_header(&self, visit: impl FnMut(u64, &D::Header)) -> Result<(), D::Error>;
}

/// A cursor over accounts that is used again and again.
#[allow(clippy::missing_errors_doc, reason = "every method fails with the stack's own error")]
pub trait AccountCursor<D: HotDb + ?Sized> {
    /// The account at `address`.
    fn account(&mut self, address: &Address) -> Result<Option<D::Account>, D::Error>;
}

/// A cursor over storage that is used again and again.
#[allow(clippy::missing_errors_doc, reason = "every method fails with the stack's own error")]
pub trait StorageCursor<D: HotDb + ?Sized> {
    /// The value of a slot.
    fn slot(&mut self, address: &Address, slot: &U256) -> Result<Option<U256>, D::Error>;

    /// The stack's own iterator over the slots of an address.
    fn for_each_slot(
        &mut self,
        address: &Address,
        visit: impl FnMut(&D::Slot),
    ) -> Result<(), D::Error>;
}

/// What a write transaction can do. Dropping it aborts it.
#[allow(clippy::missing_errors_doc, reason = "every method fails with the stack's own error")]
pub trait HotWrite<D: HotDb + ?Sized> {
    /// Writes a block's account and slot updates, its header, and its number under its hash, as the
    /// stack's client does. Afterwards there is exactly one value per address and slot.
    fn write(&self, block: &D::Prepared) -> Result<(), D::Error>;

    /// Appends accounts in ascending order.
    fn append_accounts<'a>(
        &self,
        accounts: impl Iterator<Item = (&'a Address, &'a AccountSpec)>,
    ) -> Result<(), D::Error>;

    /// Appends slots in ascending order.
    fn append_storage<'a>(
        &self,
        slots: impl Iterator<Item = (&'a Address, &'a U256, &'a U256)>,
    ) -> Result<(), D::Error>;

    /// Appends accounts to the table that [`HotRead::hashed_account`] reads, in that table's order.
    fn append_hashed_accounts<'a>(
        &self,
        accounts: impl Iterator<Item = (&'a Address, &'a AccountSpec)>,
    ) -> Result<(), D::Error> {
        self.append_accounts(accounts)
    }

    /// Appends slots to the table that [`HotRead::hashed_slot`] reads, in that table's order.
    fn append_hashed_storage<'a>(
        &self,
        slots: impl Iterator<Item = (&'a Address, &'a U256, &'a U256)>,
    ) -> Result<(), D::Error> {
        self.append_storage(slots)
    }

    /// Appends headers in ascending order; the numbers under their hashes are not written.
    fn append_headers<'a>(&self, headers: impl Iterator<Item = &'a Header>)
    -> Result<(), D::Error>;

    /// Commits. A commit that libmdbx reports as aborted is an error.
    fn commit(self) -> Result<(), D::Error>;
}

/// A side's typed layer: how it opens a database, and its arms.
pub trait HotSide {
    /// An open database of the stack; dropping it closes it.
    type Db;

    /// Names of the arms in their canonical order.
    const ARMS: &'static [&'static str];

    /// Opens or creates the database in `dir` by the stack's own arguments, tables included.
    ///
    /// # Errors
    /// The stack's.
    fn open(dir: &Path, config: &EnvConfig) -> Result<Self::Db, AnyError>;

    /// Calls `visitor` with the arm of this name.
    ///
    /// # Errors
    /// The visitor's; also if no arm has this name.
    fn with_arm<V: HotVisitor>(db: &Self::Db, arm: &str, visitor: V)
    -> Result<V::Output, AnyError>;
}

/// Code that runs on any arm.
pub trait HotVisitor {
    /// What it returns.
    type Output;

    /// Runs on `arm`.
    ///
    /// # Errors
    /// Whatever went wrong.
    fn visit<D: HotDb>(self, arm: &D) -> Result<Self::Output, AnyError>;
}

/// A storage row in the encoding in which verification compares it: slot and value, big-endian.
pub fn canonical_slot(slot: &U256, value: &U256) -> Vec<u8> {
    [slot.to_be_bytes::<32>(), value.to_be_bytes::<32>()].concat()
}

/// The header in the encoding in which verification compares it: RLP, which every field enters.
pub fn canonical_header(header: &Header) -> Vec<u8> {
    alloy_rlp::encode(header)
}

/// Defines the row type of a stack's account, which both stacks make of the same three fields: the
/// wrapper that is a [`Value`], and `account`, which makes the stack's own from an
/// [`AccountSpec`](crate::state::AccountSpec).
#[macro_export]
macro_rules! account_row {
    ($(#[$doc:meta])* $row:ident($account:ident)) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $row($account);

        impl $crate::sink::Value for $row {
            #[inline]
            fn touch(&self) -> u64 {
                self.0.nonce
            }

            fn canonical(&self) -> Vec<u8> {
                let $account { nonce, balance, bytecode_hash: code_hash } = self.0;
                $crate::state::AccountSpec { nonce, balance, code_hash }.canonical()
            }
        }

        const fn account(spec: &$crate::state::AccountSpec) -> $account {
            $account { nonce: spec.nonce, balance: spec.balance, bytecode_hash: spec.code_hash }
        }
    };
}
