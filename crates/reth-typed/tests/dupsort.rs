//! Storage slots: several values a key, sought by subkey.

mod common;

use alloy_primitives::{Address, B256, U256};
use reth_primitives_traits::StorageEntry;
use reth_typed::{
    Database, DatabaseError,
    cursor::{DbCursorRO, DbCursorRW, DbDupCursorRO, DbDupCursorRW},
    mdbx::DatabaseEnv,
    tables::PlainStorageState as Slots,
    transaction::{DbTx, DbTxMut},
};

const A: Address = Address::repeat_byte(0xa);
const B: Address = Address::repeat_byte(0xb);
const C: Address = Address::repeat_byte(0xc);

fn slot(key: u8, value: u64) -> StorageEntry {
    StorageEntry::new(B256::repeat_byte(key), U256::from(value))
}

/// Slots 1, 3 and 5 of A and slot 2 of B.
fn filled() -> (tempfile::TempDir, DatabaseEnv) {
    let (dir, db) = common::fresh();
    let tx = db.tx_mut().unwrap();
    for (address, key) in [(B, 2), (A, 5), (A, 1), (A, 3)] {
        tx.put::<Slots>(address, slot(key, key.into())).unwrap();
    }
    tx.commit().unwrap();
    (dir, db)
}

fn all(db: &DatabaseEnv) -> Vec<(Address, StorageEntry)> {
    let tx = db.tx().unwrap();
    let mut cursor = tx.cursor_read::<Slots>().unwrap();
    let rows = cursor.walk(None).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn rows(slots: &[(Address, u8)]) -> Vec<(Address, StorageEntry)> {
    slots.iter().map(|&(address, key)| (address, slot(key, key.into()))).collect()
}

#[test]
fn values_are_sorted_by_key_then_subkey() {
    let (_dir, db) = filled();
    assert_eq!(all(&db), rows(&[(A, 1), (A, 3), (A, 5), (B, 2)]));
    let tx = db.tx().unwrap();
    assert_eq!(tx.entries::<Slots>().unwrap(), 4);
    assert_eq!(tx.get::<Slots>(A).unwrap(), Some(slot(1, 1)));
    assert_eq!(tx.get::<Slots>(C).unwrap(), None);
}

#[test]
fn a_seek_by_subkey_returns_that_or_the_next_greater_of_the_same_key() {
    let (_dir, db) = filled();
    let tx = db.tx().unwrap();
    let mut cursor = tx.cursor_dup_read::<Slots>().unwrap();
    let mut seek = |address, key| {
        cursor
            .seek_by_key_subkey(address, B256::repeat_byte(key))
            .unwrap()
            .map(|found| found.key[0])
    };
    assert_eq!(seek(A, 3), Some(3));
    assert_eq!(seek(A, 2), Some(3));
    assert_eq!(seek(A, 0), Some(1));
    assert_eq!(seek(A, 6), None, "not B's slot 2, nor A's last");
    assert_eq!(seek(B, 1), Some(2));
    assert_eq!(seek(C, 1), None);
}

#[test]
fn moves_among_duplicates_stay_within_their_key() {
    let (_dir, db) = filled();
    let tx = db.tx().unwrap();
    let mut cursor = tx.cursor_dup_read::<Slots>().unwrap();
    assert_eq!(cursor.first().unwrap(), Some((A, slot(1, 1))));
    assert_eq!(cursor.next_dup_val().unwrap(), Some(slot(3, 3)));
    assert_eq!(cursor.next_dup().unwrap(), Some((A, slot(5, 5))));
    assert_eq!(cursor.next_dup().unwrap(), None);
    assert_eq!(cursor.prev_dup().unwrap(), Some((A, slot(3, 3))));
    assert_eq!(cursor.last_dup().unwrap(), Some(slot(5, 5)));
    assert_eq!(cursor.next_no_dup().unwrap(), Some((B, slot(2, 2))));
    assert_eq!(cursor.next_no_dup().unwrap(), None);
}

#[test]
fn walks_over_one_key_start_where_asked() {
    let (_dir, db) = filled();
    let tx = db.tx().unwrap();
    let mut cursor = tx.cursor_dup_read::<Slots>().unwrap();
    let mut walk = |key: Option<Address>, subkey: Option<u8>| {
        let walker = cursor.walk_dup(key, subkey.map(B256::repeat_byte)).unwrap();
        walker.collect::<Result<Vec<_>, _>>().unwrap()
    };
    assert_eq!(walk(Some(A), None), rows(&[(A, 1), (A, 3), (A, 5)]));
    assert_eq!(walk(Some(A), Some(2)), rows(&[(A, 3), (A, 5)]));
    assert_eq!(walk(Some(A), Some(6)), rows(&[]));
    assert_eq!(walk(Some(C), None), rows(&[]));
    assert_eq!(walk(None, Some(5)), rows(&[(A, 5)]));
    assert_eq!(walk(None, None), rows(&[(A, 1), (A, 3), (A, 5)]));
}

#[test]
fn a_walk_from_a_subkey_in_an_empty_table_yields_an_error() {
    let (_dir, db) = common::fresh();
    let tx = db.tx().unwrap();
    let mut cursor = tx.cursor_dup_read::<Slots>().unwrap();
    let mut walker = cursor.walk_dup(None, Some(B256::ZERO)).unwrap();
    assert!(matches!(walker.next(), Some(Err(DatabaseError::Read(_)))));
    assert!(cursor.walk_dup(None, None).unwrap().next().is_none());
}

#[test]
fn upsert_adds_beside_the_old_value_unless_that_is_deleted_first() {
    let (_dir, db) = filled();
    let tx = db.tx_mut().unwrap();
    let mut cursor = tx.cursor_dup_write::<Slots>().unwrap();

    cursor.upsert(A, &slot(3, 30)).unwrap();
    assert_eq!(cursor.seek_by_key_subkey(A, B256::repeat_byte(3)).unwrap(), Some(slot(3, 3)));
    assert_eq!(cursor.next_dup_val().unwrap(), Some(slot(3, 30)));

    // As reth updates a slot.
    let found = cursor.seek_by_key_subkey(A, B256::repeat_byte(5)).unwrap();
    assert_eq!(found, Some(slot(5, 5)));
    cursor.delete_current().unwrap();
    cursor.upsert(A, &slot(5, 50)).unwrap();
    drop(cursor);
    tx.commit().unwrap();

    let expected = [slot(1, 1), slot(3, 3), slot(3, 30), slot(5, 50)].map(|slot| (A, slot));
    assert_eq!(all(&db)[..4], expected);
}

#[test]
fn the_same_value_again_changes_nothing() {
    let (_dir, db) = filled();
    let before = all(&db);
    let tx = db.tx_mut().unwrap();
    tx.cursor_dup_write::<Slots>().unwrap().upsert(A, &slot(1, 1)).unwrap();
    tx.put::<Slots>(B, slot(2, 2)).unwrap();
    tx.commit().unwrap();
    assert_eq!(all(&db), before);
}

#[test]
fn deleting_takes_one_value_or_all_of_a_key() {
    let (_dir, db) = filled();
    let tx = db.tx_mut().unwrap();
    assert!(tx.delete::<Slots>(A, Some(slot(3, 3))).unwrap());
    assert!(!tx.delete::<Slots>(A, Some(slot(3, 3))).unwrap());
    tx.commit().unwrap();
    assert_eq!(all(&db), rows(&[(A, 1), (A, 5), (B, 2)]));

    let tx = db.tx_mut().unwrap();
    assert!(tx.delete::<Slots>(A, None).unwrap());
    tx.commit().unwrap();
    assert_eq!(all(&db), rows(&[(B, 2)]));
}

#[test]
fn a_cursor_deletes_all_duplicates_and_a_walker_what_it_yielded() {
    let (_dir, db) = filled();
    let tx = db.tx_mut().unwrap();
    let mut cursor = tx.cursor_dup_write::<Slots>().unwrap();
    let mut walker = cursor.walk_dup(Some(A), None).unwrap();
    walker.next().unwrap().unwrap();
    walker.next().unwrap().unwrap();
    walker.delete_current().unwrap();
    assert_eq!(cursor.first().unwrap(), Some((A, slot(1, 1))));
    assert_eq!(cursor.next().unwrap(), Some((A, slot(5, 5))));
    cursor.delete_current_duplicates().unwrap();
    drop(cursor);
    tx.commit().unwrap();
    assert_eq!(all(&db), rows(&[(B, 2)]));
}

#[test]
fn appending_wants_the_greatest_value_of_the_key() {
    let (_dir, db) = filled();
    let tx = db.tx_mut().unwrap();
    let mut cursor = tx.cursor_dup_write::<Slots>().unwrap();
    cursor.append_dup(B, slot(4, 4)).unwrap();
    let refused = cursor.append_dup(B, slot(3, 3));
    assert!(matches!(refused, Err(DatabaseError::Write(_))), "{refused:?}");
}
