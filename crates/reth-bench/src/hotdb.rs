//! Layer H: reth-db, with the calls that a reth node makes.

use crate::{
    binding::RethSide,
    compat::{self, to_reth},
};
use alloy_consensus::Header;
use alloy_primitives::{Address, B256, U256, keccak256, keccak256_uncached};
use bench_shared::{
    binding::AnyError,
    config::EnvConfig,
    harness::NoSuchArm,
    hotdb::{
        AccountCursor, HotDb, HotRead, HotSide, HotVisitor, HotWrite, StorageCursor, canonical_slot,
    },
    sink::Value,
    state::{AccountSpec, Block},
};
use reth_db::{
    ClientVersion, Database, DatabaseEnv, DatabaseError, HashedAccounts, HashedStorages,
    HeaderNumbers, Headers, PlainAccountState, PlainStorageState,
    cursor::{DbCursorRO, DbCursorRW, DbDupCursorRO, DbDupCursorRW},
    init_db,
    mdbx::DatabaseArguments,
    table::DupSort,
    transaction::{DbTx, DbTxMut},
};
use reth_libmdbx::SyncMode;
use reth_primitives_traits::{Account, StorageEntry};
use std::{ops::RangeInclusive, path::Path};

/// The only arm of the stack.
#[derive(Debug)]
pub struct Reth<'d>(&'d DatabaseEnv);

bench_shared::account_row! {
    /// An account as the stack decodes it.
    RethAccount(Account)
}

/// A header as the stack decodes it.
#[derive(Debug)]
pub struct RethHeader(compat::RethHeader);

/// A storage row as the stack decodes it.
#[derive(Debug)]
pub struct RethSlot(StorageEntry);

impl Value for RethSlot {
    #[inline]
    fn touch(&self) -> u64 {
        self.0.value.as_limbs()[0].wrapping_add(u64::from(self.0.key[31]))
    }

    fn canonical(&self) -> Vec<u8> {
        canonical_slot(&self.0.key.into(), &self.0.value)
    }
}

impl Value for RethHeader {
    #[inline]
    fn touch(&self) -> u64 {
        self.0.number
    }

    fn canonical(&self) -> Vec<u8> {
        // As `canonical_header`, whatever the version of the type.
        alloy_rlp::encode(&self.0)
    }
}

/// A block's updates as a node has them before it writes them.
#[derive(Debug)]
pub struct Prepared {
    accounts: Vec<(Address, Account)>,
    slots: Vec<(Address, StorageEntry)>,
    header: compat::RethHeader,
    hash: B256,
}

/// Storage keys are words in the EVM and hashes in reth's tables: a node converts at each access.
#[inline]
const fn subkey(slot: &U256) -> B256 {
    B256::new(slot.to_be_bytes())
}

/// A node's `keccak256`, which its release gives a cache of hashes, or what computes them behind it.
#[inline]
fn hash<const CACHED: bool>(bytes: &[u8]) -> B256 {
    if CACHED { keccak256(bytes) } else { keccak256_uncached(bytes) }
}

impl HotDb for Reth<'_> {
    const ARM: &'static str = "reth";
    type Error = DatabaseError;
    type Account = RethAccount;
    type Header = RethHeader;
    type Slot = RethSlot;
    type Reader<'d>
        = Txn<<DatabaseEnv as Database>::TX>
    where
        Self: 'd;
    type Writer<'d>
        = Txn<<DatabaseEnv as Database>::TXMut>
    where
        Self: 'd;
    type Prepared = Prepared;

    #[inline]
    fn reader(&self) -> Result<Self::Reader<'_>, DatabaseError> {
        Ok(Txn(self.0.tx()?))
    }

    #[inline]
    fn writer(&self) -> Result<Self::Writer<'_>, DatabaseError> {
        Ok(Txn(self.0.tx_mut()?))
    }

    fn prepare(block: &Block) -> Prepared {
        Prepared {
            accounts: block
                .accounts
                .iter()
                .map(|(address, spec)| (*address, account(spec)))
                .collect(),
            slots: block
                .slots
                .iter()
                .map(|(address, slot, value)| {
                    (*address, StorageEntry { key: subkey(slot), value: *value })
                })
                .collect(),
            header: to_reth(&block.header),
            hash: block.header.hash_slow(),
        }
    }
}

/// A transaction of the stack.
#[derive(Debug)]
pub struct Txn<T>(T);

impl<'d, T: DbTx> HotRead<Reth<'d>> for Txn<T> {
    type Accounts<'t>
        = Accounts<T::Cursor<PlainAccountState>>
    where
        Self: 't;
    type Storage<'t>
        = Storage<T::DupCursor<PlainStorageState>>
    where
        Self: 't;

    #[inline]
    fn account(&self, address: &Address) -> Result<Option<RethAccount>, DatabaseError> {
        Ok(self.0.get_by_encoded_key::<PlainAccountState>(address)?.map(RethAccount))
    }

    // As `LatestStateProviderRef` reads under the v2 storage layout.
    #[inline]
    fn hashed_account<const CACHED: bool>(
        &self,
        address: &Address,
    ) -> Result<Option<RethAccount>, DatabaseError> {
        let key = hash::<CACHED>(address.as_slice());
        Ok(self.0.get_by_encoded_key::<HashedAccounts>(&key)?.map(RethAccount))
    }

    #[inline]
    fn slot(&self, address: &Address, slot: &U256) -> Result<Option<U256>, DatabaseError> {
        let mut cursor = self.0.cursor_dup_read::<PlainStorageState>()?;
        find_slot(&mut cursor, *address, subkey(slot))
    }

    // As above.
    #[inline]
    fn hashed_slot<const CACHED: bool>(
        &self,
        address: &Address,
        slot: &U256,
    ) -> Result<Option<U256>, DatabaseError> {
        let (key, slot) =
            (hash::<CACHED>(address.as_slice()), hash::<CACHED>(subkey(slot).as_slice()));
        let mut cursor = self.0.cursor_dup_read::<HashedStorages>()?;
        find_slot(&mut cursor, key, slot)
    }

    #[inline]
    fn header(&self, number: u64) -> Result<Option<RethHeader>, DatabaseError> {
        Ok(self.0.get::<Headers>(number)?.map(RethHeader))
    }

    fn header_number(&self, hash: &B256) -> Result<Option<u64>, DatabaseError> {
        self.0.get::<HeaderNumbers>(*hash)
    }

    fn accounts(&self) -> Result<Self::Accounts<'_>, DatabaseError> {
        Ok(Accounts(self.0.cursor_read::<PlainAccountState>()?))
    }

    fn storage(&self) -> Result<Self::Storage<'_>, DatabaseError> {
        Ok(Storage(self.0.cursor_dup_read::<PlainStorageState>()?))
    }

    #[inline]
    fn for_each_account(
        &self,
        mut visit: impl FnMut(&Address, &RethAccount),
    ) -> Result<(), DatabaseError> {
        for row in self.0.cursor_read::<PlainAccountState>()?.walk(None)? {
            let (address, account) = row?;
            visit(&address, &RethAccount(account));
        }
        Ok(())
    }

    fn for_each_slot(
        &self,
        mut visit: impl FnMut(&Address, &RethSlot),
    ) -> Result<(), DatabaseError> {
        for row in self.0.cursor_read::<PlainStorageState>()?.walk(None)? {
            let (address, entry) = row?;
            visit(&address, &RethSlot(entry));
        }
        Ok(())
    }

    #[inline]
    fn for_each_header_of(
        &self,
        numbers: RangeInclusive<u64>,
        mut visit: impl FnMut(u64, &RethHeader),
    ) -> Result<(), DatabaseError> {
        for row in self.0.cursor_read::<Headers>()?.walk_range(numbers)? {
            let (number, header) = row?;
            visit(number, &RethHeader(header));
        }
        Ok(())
    }

    #[inline]
    fn for_each_header(
        &self,
        mut visit: impl FnMut(u64, &RethHeader),
    ) -> Result<(), DatabaseError> {
        for row in self.0.cursor_read::<Headers>()?.walk(None)? {
            let (number, header) = row?;
            visit(number, &RethHeader(header));
        }
        Ok(())
    }
}

/// The cursor stops at the next greater slot if there is none, so the key must be compared.
#[inline]
fn find_slot<T: DupSort<Value = StorageEntry, SubKey = B256>>(
    cursor: &mut impl DbDupCursorRO<T>,
    key: T::Key,
    slot: B256,
) -> Result<Option<U256>, DatabaseError> {
    let entry = cursor.seek_by_key_subkey(key, slot)?;
    Ok(entry.filter(|entry| entry.key == slot).map(|entry| entry.value))
}

/// Cursor over accounts.
#[derive(Debug)]
pub struct Accounts<C>(C);

impl<'d, C: DbCursorRO<PlainAccountState>> AccountCursor<Reth<'d>> for Accounts<C> {
    #[inline]
    fn account(&mut self, address: &Address) -> Result<Option<RethAccount>, DatabaseError> {
        Ok(self.0.seek_exact(*address)?.map(|(_, account)| RethAccount(account)))
    }
}

/// Cursor over storage.
#[derive(Debug)]
pub struct Storage<C>(C);

impl<'d, C> StorageCursor<Reth<'d>> for Storage<C>
where
    C: DbCursorRO<PlainStorageState> + DbDupCursorRO<PlainStorageState>,
{
    #[inline]
    fn slot(&mut self, address: &Address, slot: &U256) -> Result<Option<U256>, DatabaseError> {
        find_slot(&mut self.0, *address, subkey(slot))
    }

    #[inline]
    fn for_each_slot(
        &mut self,
        address: &Address,
        mut visit: impl FnMut(&RethSlot),
    ) -> Result<(), DatabaseError> {
        for row in self.0.walk_dup(Some(*address), None)? {
            let (_, entry) = row?;
            visit(&RethSlot(entry));
        }
        Ok(())
    }
}

impl<'d, T: DbTxMut + DbTx> HotWrite<Reth<'d>> for Txn<T> {
    // One cursor for all accounts and one for all slots; a slot is sought, deleted where it stands,
    // and put again unless it is zero, since a put to a DUPSORT table adds a duplicate.
    #[inline]
    fn write(&self, block: &Prepared) -> Result<(), DatabaseError> {
        self.0.put::<Headers>(block.header.number, block.header.clone())?;
        self.0.put::<HeaderNumbers>(block.hash, block.header.number)?;
        let mut accounts = self.0.cursor_write::<PlainAccountState>()?;
        for (address, account) in &block.accounts {
            accounts.upsert(*address, account)?;
        }
        let mut storage = self.0.cursor_dup_write::<PlainStorageState>()?;
        for (address, entry) in &block.slots {
            let old = storage.seek_by_key_subkey(*address, entry.key)?;
            if old.is_some_and(|old| old.key == entry.key) {
                storage.delete_current()?;
            }
            if !entry.value.is_zero() {
                storage.upsert(*address, entry)?;
            }
        }
        Ok(())
    }

    fn append_accounts<'a>(
        &self,
        accounts: impl Iterator<Item = (&'a Address, &'a AccountSpec)>,
    ) -> Result<(), DatabaseError> {
        let mut cursor = self.0.cursor_write::<PlainAccountState>()?;
        for (address, spec) in accounts {
            cursor.append(*address, &account(spec))?;
        }
        Ok(())
    }

    fn append_storage<'a>(
        &self,
        slots: impl Iterator<Item = (&'a Address, &'a U256, &'a U256)>,
    ) -> Result<(), DatabaseError> {
        let mut cursor = self.0.cursor_dup_write::<PlainStorageState>()?;
        for (address, slot, value) in slots {
            cursor.append_dup(*address, StorageEntry { key: subkey(slot), value: *value })?;
        }
        Ok(())
    }

    fn append_hashed_accounts<'a>(
        &self,
        accounts: impl Iterator<Item = (&'a Address, &'a AccountSpec)>,
    ) -> Result<(), DatabaseError> {
        let mut rows: Vec<_> =
            accounts.map(|(address, spec)| (keccak256(address), account(spec))).collect();
        rows.sort_unstable_by_key(|(key, _)| *key);
        let mut cursor = self.0.cursor_write::<HashedAccounts>()?;
        rows.iter().try_for_each(|(key, account)| cursor.append(*key, account))
    }

    fn append_hashed_storage<'a>(
        &self,
        slots: impl Iterator<Item = (&'a Address, &'a U256, &'a U256)>,
    ) -> Result<(), DatabaseError> {
        let mut rows: Vec<_> = slots
            .map(|(address, slot, value)| {
                let key = keccak256(subkey(slot));
                (keccak256(address), StorageEntry { key, value: *value })
            })
            .collect();
        rows.sort_unstable_by_key(|(key, entry)| (*key, entry.key));
        let mut cursor = self.0.cursor_dup_write::<HashedStorages>()?;
        rows.into_iter().try_for_each(|(key, entry)| cursor.append_dup(key, entry))
    }

    fn append_headers<'a>(
        &self,
        headers: impl Iterator<Item = &'a Header>,
    ) -> Result<(), DatabaseError> {
        let mut cursor = self.0.cursor_write::<Headers>()?;
        for header in headers {
            cursor.append(header.number, &to_reth(header))?;
        }
        Ok(())
    }

    #[inline]
    fn commit(self) -> Result<(), DatabaseError> {
        self.0.commit()
    }
}

impl HotSide for RethSide {
    type Db = DatabaseEnv;
    const ARMS: &'static [&'static str] = &[Reth::ARM];

    // The read timeout stays at reth-db's default, as a user of the stack gets it. WRITEMAP,
    // NORDAHEAD, shrink threshold, max_dbs and rp_augment_limit are built in; they are read back.
    fn open(dir: &Path, config: &EnvConfig) -> Result<DatabaseEnv, AnyError> {
        let arguments = DatabaseArguments::new(ClientVersion::default())
            .with_geometry_max_size(Some(config.max_size))
            .with_growth_step(Some(config.growth_step))
            .with_geometry_page_size(Some(config.page_size))
            .with_sync_mode(Some(SyncMode::SafeNoSync))
            .with_max_readers(Some(config.max_readers));
        init_db(dir, arguments).map_err(|error| format!("{error:#}").into())
    }

    fn with_arm<V: HotVisitor>(
        db: &DatabaseEnv,
        arm: &str,
        visitor: V,
    ) -> Result<V::Output, AnyError> {
        match arm {
            Reth::ARM => visitor.visit(&Reth(db)),
            arm => Err(NoSuchArm::new(arm).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashed_rows_stand_under_their_hashes_and_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let db = RethSide::open(dir.path(), &EnvConfig::HOTDB).unwrap();
        let spec = AccountSpec { nonce: 7, balance: U256::from(9), code_hash: None };
        let (address, slot, value) = (Address::repeat_byte(1), U256::from(2), U256::from(3));
        let writer = Reth(&db).writer().unwrap();
        writer.append_hashed_accounts([(&address, &spec)].into_iter()).unwrap();
        writer.append_hashed_storage([(&address, &slot, &value)].into_iter()).unwrap();
        writer.commit().unwrap();

        let reader = Reth(&db).reader().unwrap();
        let key = keccak256(address);
        assert_eq!(reader.0.get::<HashedAccounts>(key).unwrap(), Some(account(&spec)));
        let entry = StorageEntry { key: keccak256(subkey(&slot)), value };
        assert_eq!(reader.0.get::<HashedStorages>(key).unwrap(), Some(entry));
        assert!(reader.account(&address).unwrap().is_none());
        assert!(reader.slot(&address, &slot).unwrap().is_none());
    }
}
