//! Cursors and walkers over plain tables.

mod accounts;
mod common;

use accounts::{account, address, all, filled, numbers};
use alloy_primitives::Address;
use reth_typed::{
    Database, DatabaseError, DatabaseWriteOperation,
    cursor::{DbCursorRO, DbCursorRW},
    mdbx::ffi,
    tables::PlainAccountState as Accounts,
    transaction::{DbTx, DbTxMut},
};

#[test]
fn cursors_move_in_key_order() {
    let (_dir, db) = filled();
    let tx = db.tx().unwrap();
    let mut cursor = tx.cursor_read::<Accounts>().unwrap();
    let row = |n: u8| Some((address(n), account(n.into())));
    assert_eq!(cursor.next().unwrap(), row(1), "a fresh cursor stands before the first row");
    assert_eq!(cursor.seek_exact(address(3)).unwrap(), row(3));
    assert_eq!(cursor.next().unwrap(), row(4));
    assert_eq!(cursor.current().unwrap(), row(4));
    assert_eq!(cursor.prev().unwrap(), row(3));
    assert_eq!(cursor.seek_exact(Address::ZERO).unwrap(), None);
    assert_eq!(cursor.seek(Address::ZERO).unwrap(), row(1));
    assert_eq!(cursor.last().unwrap(), row(5));
    assert_eq!(cursor.next().unwrap(), None);
    assert_eq!(cursor.first().unwrap(), row(1));
    assert_eq!(cursor.prev().unwrap(), None);
}

#[test]
fn walks_go_both_ways_and_keep_to_their_range() {
    let (_dir, db) = filled();
    let tx = db.tx().unwrap();
    let mut cursor = tx.cursor_read::<Accounts>().unwrap();
    assert_eq!(numbers(cursor.walk(Some(address(3))).unwrap()), [3, 4, 5]);
    assert_eq!(numbers(cursor.walk_back(None).unwrap()), [5, 4, 3, 2, 1]);
    assert_eq!(numbers(cursor.walk_back(Some(address(2))).unwrap()), [2, 1]);
    assert_eq!(numbers(cursor.walk_range(address(2)..address(4)).unwrap()), [2, 3]);
    assert_eq!(numbers(cursor.walk_range(address(2)..=address(4)).unwrap()), [2, 3, 4]);
    assert_eq!(numbers(cursor.walk_range(address(4)..).unwrap()), [4, 5]);
    assert_eq!(numbers(cursor.walk_range(..address(2)).unwrap()), [1]);
    assert!(numbers(cursor.walk_range(address(6)..).unwrap()).is_empty());
    assert!(numbers(cursor.walk_range(address(4)..address(2)).unwrap()).is_empty());

    let mut walker = cursor.walk(None).unwrap();
    walker.next();
    walker.next();
    assert_eq!(numbers(walker.rev()), [2, 1]);
    let mut walker = cursor.walk_back(None).unwrap();
    walker.next();
    walker.next();
    assert_eq!(numbers(walker.forward()), [4, 5]);
}

#[test]
fn cursors_upsert_insert_append_and_delete() {
    let (_dir, db) = filled();
    let tx = db.tx_mut().unwrap();
    let mut cursor = tx.cursor_write::<Accounts>().unwrap();
    cursor.upsert(address(2), &account(20)).unwrap();
    cursor.append(address(9), &account(9)).unwrap();

    let taken = cursor.insert(address(2), &account(21)).unwrap_err();
    let DatabaseError::Write(why) = taken else { panic!("{taken}") };
    assert_eq!(why.operation, DatabaseWriteOperation::CursorInsert);
    assert_eq!((why.table_name, why.info.code), ("PlainAccountState", ffi::MDBX_KEYEXIST));
    assert_eq!(why.key, address(2).to_vec());
    assert!(cursor.append(address(8), &account(8)).is_err(), "not behind the last");
    assert!(tx.append::<Accounts>(address(7), account(7)).is_err(), "not behind the last");

    cursor.seek_exact(address(4)).unwrap();
    cursor.delete_current().unwrap();
    let mut walker = cursor.walk_range(address(5)..address(9)).unwrap();
    walker.next();
    walker.delete_current().unwrap();
    drop(cursor);
    tx.commit().unwrap();
    assert_eq!(all(&db), [1, 20, 3, 9]);
}
