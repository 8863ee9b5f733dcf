//! Layer H: signet-hot-mdbx, with the calls of its own write and read traits.

use crate::{
    binding::SignetSide,
    kind::{Kind, Sync, Unsync},
};
use alloy_consensus::{Header, Sealable};
use alloy_primitives::{Address, B256, U256};
use bench_shared::{
    binding::AnyError,
    config::EnvConfig,
    harness::NoSuchArm,
    hotdb::{
        AccountCursor, HotDb, HotRead, HotSide, HotVisitor, HotWrite, StorageCursor,
        canonical_header, canonical_slot,
    },
    sink::Value,
    state::{AccountSpec, Block},
};
use signet_hot::{
    db::{HotDbRead, UnsafeDbWrite},
    model::{DualTableCursor, HotKvRead, HotKvWrite, TableCursor},
    tables::{Headers, PlainAccountState, PlainStorageState},
};
use signet_hot_mdbx::{DatabaseArguments, DatabaseEnv, MdbxError, Tx};
use signet_libmdbx::{Ro, RoSync, Rw, RwSync, SyncMode};
use signet_storage_types::{Account, SealedHeader};
use std::{marker::PhantomData, ops::RangeInclusive, path::Path};

/// An arm: `signet-sync` or `signet-unsync`.
#[derive(Debug)]
pub struct Signet<'d, K>(&'d DatabaseEnv, PhantomData<K>);

/// The typed transactions of one kind.
pub trait HotKind: Kind {
    /// Read transaction.
    type Reader: HotKvRead<Error = MdbxError>;
    /// Write transaction.
    type Writer: HotKvWrite<Error = MdbxError>;

    /// Begins a read transaction.
    ///
    /// # Errors
    /// The stack's.
    fn reader(db: &DatabaseEnv) -> Result<Self::Reader, MdbxError>;

    /// Begins a write transaction.
    ///
    /// # Errors
    /// The stack's.
    fn writer(db: &DatabaseEnv) -> Result<Self::Writer, MdbxError>;
}

impl HotKind for Unsync {
    type Reader = Tx<Ro>;
    type Writer = Tx<Rw>;

    #[inline]
    fn reader(db: &DatabaseEnv) -> Result<Tx<Ro>, MdbxError> {
        db.tx()
    }

    #[inline]
    fn writer(db: &DatabaseEnv) -> Result<Tx<Rw>, MdbxError> {
        db.tx_rw()
    }
}

impl HotKind for Sync {
    type Reader = Tx<RoSync>;
    type Writer = Tx<RwSync>;

    #[inline]
    fn reader(db: &DatabaseEnv) -> Result<Tx<RoSync>, MdbxError> {
        db.tx_sync()
    }

    #[inline]
    fn writer(db: &DatabaseEnv) -> Result<Tx<RwSync>, MdbxError> {
        db.tx_rw_sync()
    }
}

bench_shared::account_row! {
    /// An account as the stack decodes it.
    SignetAccount(Account)
}

/// A header as the stack decodes it, with its hash.
#[derive(Debug)]
pub struct SignetHeader(SealedHeader);

/// A storage row as the stack decodes it: slot and value.
#[derive(Debug)]
pub struct SignetSlot(U256, U256);

impl Value for SignetSlot {
    #[inline]
    fn touch(&self) -> u64 {
        self.1.as_limbs()[0].wrapping_add(self.0.as_limbs()[0] & 0xff)
    }

    fn canonical(&self) -> Vec<u8> {
        canonical_slot(&self.0, &self.1)
    }
}

impl Value for SignetHeader {
    #[inline]
    fn touch(&self) -> u64 {
        self.0.number
    }

    // The stored hash is checked too: a wrong one spoils the encoding.
    fn canonical(&self) -> Vec<u8> {
        let mut out = canonical_header(&self.0);
        if self.0.hash() != self.0.hash_slow() {
            out.extend(self.0.hash());
        }
        out
    }
}

/// A block's updates as a node has them before it writes them.
#[derive(Debug)]
pub struct Prepared {
    accounts: Vec<(Address, Account)>,
    slots: Vec<(Address, U256, U256)>,
    header: SealedHeader,
}

impl<K: HotKind> HotDb for Signet<'_, K> {
    const ARM: &'static str = K::ARM;
    type Error = MdbxError;
    type Account = SignetAccount;
    type Header = SignetHeader;
    type Slot = SignetSlot;
    type Reader<'d>
        = Txn<K::Reader>
    where
        Self: 'd;
    type Writer<'d>
        = Txn<K::Writer>
    where
        Self: 'd;
    type Prepared = Prepared;

    #[inline]
    fn reader(&self) -> Result<Txn<K::Reader>, MdbxError> {
        Ok(Txn(K::reader(self.0)?))
    }

    #[inline]
    fn writer(&self) -> Result<Txn<K::Writer>, MdbxError> {
        Ok(Txn(K::writer(self.0)?))
    }

    fn prepare(block: &Block) -> Prepared {
        Prepared {
            accounts: block
                .accounts
                .iter()
                .map(|(address, spec)| (*address, account(spec)))
                .collect(),
            slots: block.slots.clone(),
            header: block.header.clone().seal_slow(),
        }
    }
}

/// A transaction of the stack.
#[derive(Debug)]
pub struct Txn<T>(T);

impl<'d, K: HotKind, T: HotKvRead<Error = MdbxError>> HotRead<Signet<'d, K>> for Txn<T> {
    type Accounts<'t>
        = Accounts<T::Traverse<'t>>
    where
        Self: 't;
    type Storage<'t>
        = Storage<T::Traverse<'t>>
    where
        Self: 't;

    #[inline]
    fn account(&self, address: &Address) -> Result<Option<SignetAccount>, MdbxError> {
        Ok(self.0.get_account(address)?.map(SignetAccount))
    }

    #[inline]
    fn slot(&self, address: &Address, slot: &U256) -> Result<Option<U256>, MdbxError> {
        self.0.get_storage(address, slot)
    }

    #[inline]
    fn header(&self, number: u64) -> Result<Option<SignetHeader>, MdbxError> {
        Ok(self.0.get_header(number)?.map(SignetHeader))
    }

    fn header_number(&self, hash: &B256) -> Result<Option<u64>, MdbxError> {
        self.0.get_header_number(hash)
    }

    fn accounts(&self) -> Result<Self::Accounts<'_>, MdbxError> {
        Ok(Accounts(self.0.traverse::<PlainAccountState>()?))
    }

    fn storage(&self) -> Result<Self::Storage<'_>, MdbxError> {
        Ok(Storage(self.0.traverse_dual::<PlainStorageState>()?))
    }

    #[inline]
    fn for_each_account(
        &self,
        mut visit: impl FnMut(&Address, &SignetAccount),
    ) -> Result<(), MdbxError> {
        for row in self.0.traverse::<PlainAccountState>()?.iter()? {
            let (address, account) = row?;
            visit(&address, &SignetAccount(account));
        }
        Ok(())
    }

    fn for_each_slot(&self, mut visit: impl FnMut(&Address, &SignetSlot)) -> Result<(), MdbxError> {
        for row in self.0.traverse_dual::<PlainStorageState>()?.iter()? {
            let (address, slot, value) = row?;
            visit(&address, &SignetSlot(slot, value));
        }
        Ok(())
    }

    #[inline]
    fn for_each_header_of(
        &self,
        numbers: RangeInclusive<u64>,
        mut visit: impl FnMut(u64, &SignetHeader),
    ) -> Result<(), MdbxError> {
        for row in self.0.traverse::<Headers>()?.iter_from(numbers.start())? {
            let (number, header) = row?;
            if number > *numbers.end() {
                break;
            }
            visit(number, &SignetHeader(header));
        }
        Ok(())
    }

    #[inline]
    fn for_each_header(&self, mut visit: impl FnMut(u64, &SignetHeader)) -> Result<(), MdbxError> {
        for row in self.0.traverse::<Headers>()?.iter()? {
            let (number, header) = row?;
            visit(number, &SignetHeader(header));
        }
        Ok(())
    }
}

/// Cursor over accounts.
#[derive(Debug)]
pub struct Accounts<C>(TableCursor<C, PlainAccountState, MdbxError>);

impl<'d, K: HotKind, C> AccountCursor<Signet<'d, K>> for Accounts<C>
where
    C: signet_hot::model::KvTraverse<MdbxError>,
{
    #[inline]
    fn account(&mut self, address: &Address) -> Result<Option<SignetAccount>, MdbxError> {
        Ok(self.0.exact(address)?.map(SignetAccount))
    }
}

/// Cursor over storage.
#[derive(Debug)]
pub struct Storage<C>(DualTableCursor<C, PlainStorageState, MdbxError>);

impl<'d, K: HotKind, C> StorageCursor<Signet<'d, K>> for Storage<C>
where
    C: signet_hot::model::DualKeyTraverse<MdbxError>,
{
    #[inline]
    fn slot(&mut self, address: &Address, slot: &U256) -> Result<Option<U256>, MdbxError> {
        self.0.exact_dual(address, slot)
    }

    #[inline]
    fn for_each_slot(
        &mut self,
        address: &Address,
        mut visit: impl FnMut(&SignetSlot),
    ) -> Result<(), MdbxError> {
        for row in self.0.iter_k2(address)? {
            let (slot, value) = row?;
            visit(&SignetSlot(slot, value));
        }
        Ok(())
    }
}

impl<'d, K: HotKind, T: HotKvWrite<Error = MdbxError>> HotWrite<Signet<'d, K>> for Txn<T> {
    // The calls and the order of signet's own block writer; `put_storage` seeks, deletes and puts.
    #[inline]
    fn write(&self, block: &Prepared) -> Result<(), MdbxError> {
        self.0.append_header(&block.header)?;
        self.0.put_header_number_inconsistent(&block.header.hash(), block.header.number)?;
        for (address, account) in &block.accounts {
            self.0.put_account(address, account)?;
        }
        for (address, slot, value) in &block.slots {
            self.0.put_storage(address, slot, value)?;
        }
        Ok(())
    }

    fn append_accounts<'a>(
        &self,
        accounts: impl Iterator<Item = (&'a Address, &'a AccountSpec)>,
    ) -> Result<(), MdbxError> {
        for (address, spec) in accounts {
            self.0.append_account(address, &account(spec))?;
        }
        Ok(())
    }

    fn append_storage<'a>(
        &self,
        slots: impl Iterator<Item = (&'a Address, &'a U256, &'a U256)>,
    ) -> Result<(), MdbxError> {
        for (address, slot, value) in slots {
            self.0.append_storage(address, slot, value)?;
        }
        Ok(())
    }

    fn append_headers<'a>(
        &self,
        headers: impl Iterator<Item = &'a Header>,
    ) -> Result<(), MdbxError> {
        for header in headers {
            self.0.append_header(&header.clone().seal_slow())?;
        }
        Ok(())
    }

    #[inline]
    fn commit(self) -> Result<(), MdbxError> {
        self.0.raw_commit()
    }
}

impl HotSide for SignetSide {
    type Db = DatabaseEnv;
    const ARMS: &'static [&'static str] = &[Unsync::ARM, Sync::ARM];

    // WRITEMAP, NORDAHEAD, shrink threshold, max_dbs and rp_augment_limit are built in.
    fn open(dir: &Path, config: &EnvConfig) -> Result<DatabaseEnv, AnyError> {
        let arguments = DatabaseArguments::new()
            .with_geometry_max_size(Some(config.max_size))
            .with_growth_step(Some(config.growth_step))
            .with_geometry_page_size(Some(config.page_size))
            .with_sync_mode(Some(SyncMode::SafeNoSync))
            .with_max_readers(Some(config.max_readers));
        Ok(arguments.open_rw(dir)?)
    }

    fn with_arm<V: HotVisitor>(
        db: &DatabaseEnv,
        arm: &str,
        visitor: V,
    ) -> Result<V::Output, AnyError> {
        match arm {
            Unsync::ARM => visitor.visit(&Signet::<Unsync>(db, PhantomData)),
            Sync::ARM => visitor.visit(&Signet::<Sync>(db, PhantomData)),
            arm => Err(NoSuchArm::new(arm).into()),
        }
    }
}
