//! Hashed state: keys are keccak-256 hashes, and rows those of the plain tables but for the key.

mod common;

use alloy_primitives::{Address, B256, U256, keccak256};
use reth_primitives_traits::{Account, StorageEntry};
use reth_typed::{
    Database,
    cursor::{DbCursorRO, DbCursorRW, DbDupCursorRO, DbDupCursorRW},
    table::Compress,
    tables::{HashedAccounts, HashedStorages},
    transaction::{DbTx, DbTxMut},
};

const ACCOUNT: Account = Account { nonce: 7, balance: U256::MAX, bytecode_hash: None };

/// Hashes of the slots 0 to 4, ascending.
fn slots() -> Vec<B256> {
    let mut slots: Vec<_> = (0..5).map(|slot| keccak256(B256::with_last_byte(slot))).collect();
    slots.sort_unstable();
    slots
}

/// An account with every other of [`slots`], all at the hash of one address.
fn filled() -> (tempfile::TempDir, reth_typed::DatabaseEnv, B256) {
    let (dir, db) = common::fresh();
    let key = keccak256(Address::repeat_byte(1));
    let tx = db.tx_mut().unwrap();
    tx.cursor_write::<HashedAccounts>().unwrap().append(key, &ACCOUNT).unwrap();
    let mut cursor = tx.cursor_dup_write::<HashedStorages>().unwrap();
    for slot in slots().into_iter().step_by(2) {
        cursor.append_dup(key, StorageEntry::new(slot, U256::from(0x1234))).unwrap();
    }
    drop(cursor);
    tx.commit().unwrap();
    (dir, db, key)
}

#[test]
fn an_account_is_found_by_its_hash_encoded_or_not() {
    let (_dir, db, key) = filled();
    let tx = db.tx().unwrap();
    assert_eq!(tx.get::<HashedAccounts>(key).unwrap(), Some(ACCOUNT));
    assert_eq!(tx.get_by_encoded_key::<HashedAccounts>(&key.0).unwrap(), Some(ACCOUNT));
    assert_eq!(tx.get_by_encoded_key::<HashedAccounts>(&[1; 32]).unwrap(), None);
}

#[test]
fn a_seek_by_hashed_slot_returns_that_or_the_next_greater() {
    let (_dir, db, key) = filled();
    let tx = db.tx().unwrap();
    let mut cursor = tx.cursor_dup_read::<HashedStorages>().unwrap();
    let slots = slots();
    let mut seek = |key, slot| cursor.seek_by_key_subkey(key, slot).unwrap().map(|e| e.key);
    assert_eq!(seek(key, slots[2]), Some(slots[2]));
    assert_eq!(seek(key, slots[1]), Some(slots[2]));
    assert_eq!(seek(key, B256::repeat_byte(0xff)), None);
    assert_eq!(seek(B256::repeat_byte(1), slots[0]), None);
    assert_eq!(tx.cursor_read::<HashedStorages>().unwrap().walk(None).unwrap().count(), 3);
}

/// Read with the bare binding, which knows no codec.
#[test]
fn rows_are_the_hash_and_the_plain_tables_value() {
    let (_dir, db, key) = filled();
    let tx = db.begin_ro_txn().unwrap();
    let row = |table| {
        let table = tx.open_db(Some(table)).unwrap();
        tx.cursor(&table).unwrap().first::<Vec<u8>, Vec<u8>>().unwrap().unwrap()
    };
    assert_eq!(row("HashedAccounts"), (key.to_vec(), ACCOUNT.compress()));
    let value = [slots()[0].as_slice(), &[0x12, 0x34]].concat();
    assert_eq!(row("HashedStorages"), (key.to_vec(), value));
}
