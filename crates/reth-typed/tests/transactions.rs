//! Transactions, opening, and what fails.

mod accounts;
mod common;

use accounts::{account, address, all, filled};
use alloy_consensus::Header;
use alloy_primitives::{Address, B256, Bytes, U256};
use reth_typed::{
    ClientVersion, Database, DatabaseError, InitError, create_db,
    cursor::{DbCursorRO, DbCursorRW},
    init_db,
    mdbx::{MaxReadTransactionDuration, ffi},
    open_db_read_only,
    table::{Compress, Decode, Decompress, DupSort, Table},
    tables::{Headers, PlainAccountState as Accounts, VersionHistory},
    transaction::{DbTx, DbTxMut},
    version::{DB_VERSION_FILE_NAME, DatabaseVersionError},
};
use std::{sync::Arc, thread::sleep, time::Duration};

#[test]
fn what_is_committed_stays_and_what_is_aborted_or_dropped_goes() {
    let (_dir, db) = filled();
    let tx = db.tx_mut().unwrap();
    tx.put::<Accounts>(address(6), account(6)).unwrap();
    tx.abort();
    let tx = db.tx_mut().unwrap();
    tx.put::<Accounts>(address(7), account(7)).unwrap();
    drop(tx);
    assert_eq!(all(&db), [1, 2, 3, 4, 5]);

    db.update(|tx| tx.put::<Accounts>(address(8), account(8))).unwrap().unwrap();
    assert_eq!(all(&db), [1, 2, 3, 4, 5, 8]);
    assert_eq!(db.view(|tx| tx.entries::<Accounts>()).unwrap().unwrap(), 6);
}

#[test]
fn a_reader_sees_the_state_that_it_began_with() {
    let (_dir, db) = filled();
    let before = db.tx().unwrap();
    db.update(|tx| tx.clear::<Accounts>()).unwrap().unwrap();
    assert_eq!(before.get::<Accounts>(address(1)).unwrap(), Some(account(1)));
    before.commit().unwrap();
    assert_eq!(db.tx().unwrap().get::<Accounts>(address(1)).unwrap(), None);
}

#[test]
fn a_reopened_database_holds_what_was_committed() {
    let (dir, db) = filled();
    drop(db);
    let db = common::open(dir.path());
    assert_eq!(all(&db), [1, 2, 3, 4, 5]);
    drop(db);

    let db = open_db_read_only(dir.path(), common::arguments()).unwrap();
    assert_eq!(all(&db), [1, 2, 3, 4, 5], "a read-only database looks its tables up by name");
    assert!(matches!(db.tx_mut(), Err(DatabaseError::InitTx(_))));
}

/// A DUPSORT table of values as they are, laid over one of the schema's.
#[derive(Debug)]
enum Blobs {}

#[derive(Debug, PartialEq)]
struct Blob(Vec<u8>);

impl Compress for Blob {
    type Compressed = Vec<u8>;

    fn uncompressable_ref(&self) -> Option<&[u8]> {
        Some(&self.0)
    }

    fn compress_to_buf<B: bytes::BufMut + AsMut<[u8]>>(&self, buf: &mut B) {
        buf.put_slice(&self.0);
    }
}

impl Decompress for Blob {
    fn decompress(value: &[u8]) -> Result<Self, DatabaseError> {
        Ok(Self(value.to_vec()))
    }
}

impl Table for Blobs {
    const NAME: &'static str = "StorageChangeSets";
    const DUPSORT: bool = true;
    type Key = u64;
    type Value = Blob;
}

impl DupSort for Blobs {
    type SubKey = B256;
}

/// A debug build compiles libmdbx with assertions, and one of them aborts on this.
#[test]
#[cfg_attr(debug_assertions, ignore = "libmdbx asserts in a debug build; run with --release")]
fn a_dupsort_value_beyond_the_limit_is_an_error() {
    let (_dir, db) = common::fresh();
    let tx = db.tx_mut().unwrap();
    let mut cursor = tx.cursor_dup_write::<Blobs>().unwrap();
    cursor.upsert(1, &Blob(vec![7; 2022])).unwrap();
    for refused in
        [cursor.upsert(1, &Blob(vec![7; 2023])), tx.put::<Blobs>(1, Blob(vec![7; 70_000]))]
    {
        let Err(DatabaseError::Write(why)) = refused else { panic!("{refused:?}") };
        assert_eq!(why.info.code, ffi::MDBX_BAD_VALSIZE);
    }
    drop(cursor);
    // libmdbx gives the transaction up for none of this.
    tx.commit().unwrap();
    assert_eq!(db.tx().unwrap().get::<Blobs>(1).unwrap(), Some(Blob(vec![7; 2022])));
}

#[test]
fn a_full_map_is_an_error() {
    let (_dir, db) = common::fresh();
    let tx = db.tx_mut().unwrap();
    let header = Header { extra_data: Bytes::from(vec![1; 40 << 20]), ..Default::default() };
    tx.put::<Headers>(1, header.clone()).unwrap();
    let refused = tx.put::<Headers>(2, header).unwrap_err();
    let DatabaseError::Write(why) = refused else { panic!("{refused}") };
    assert_eq!(why.info.code, ffi::MDBX_MAP_FULL);
    // The write that failed has spoilt the transaction; a commit must not pass for one.
    assert!(matches!(tx.commit(), Err(DatabaseError::Commit(_))));
    assert_eq!(db.tx().unwrap().entries::<Headers>().unwrap(), 0);
}

#[test]
fn a_key_of_the_wrong_length_does_not_decode() {
    assert!(matches!(Address::decode(&[0; 19]), Err(DatabaseError::Decode)));
    assert!(matches!(B256::decode(&[0; 33]), Err(DatabaseError::Decode)));
    assert!(matches!(<u64 as Decode>::decode(&[]), Err(DatabaseError::Decode)));
    assert!(matches!(u64::decompress(&[0; 7]), Err(DatabaseError::Decode)));
}

#[test]
fn a_reader_outlives_its_limit_only_if_told_to() {
    let dir = tempfile::tempdir().unwrap();
    let limit = MaxReadTransactionDuration::Set(Duration::from_millis(50));
    let args = common::arguments().with_max_read_transaction_duration(Some(limit));
    let db = init_db(dir.path(), args).unwrap();
    let timed = db.tx().unwrap();
    let mut unlimited = db.tx().unwrap();
    unlimited.disable_long_read_transaction_safety();
    // The binding looks for expired readers once per limit, and at least once a second.
    sleep(Duration::from_millis(1500));
    assert!(timed.get::<Accounts>(address(1)).is_err());
    assert_eq!(unlimited.get::<Accounts>(address(1)).unwrap(), None);
}

#[test]
fn a_named_client_is_noted_once() {
    let dir = tempfile::tempdir().unwrap();
    let client = |version: &str| ClientVersion { version: version.into(), ..Default::default() };
    let noted = |version: &str| {
        let args = reth_typed::mdbx::DatabaseArguments::new(client(version))
            .with_geometry_max_size(Some(64 << 20));
        let db = init_db(dir.path(), args).unwrap();
        let tx = db.tx().unwrap();
        tx.cursor_read::<VersionHistory>().unwrap().last().unwrap().map(|(_, client)| client)
    };
    assert_eq!(noted(""), None);
    assert_eq!(noted("1"), Some(client("1")));
    assert_eq!(noted("1"), Some(client("1")));
    assert_eq!(noted(""), Some(client("1")));
    let db = common::open(dir.path());
    assert_eq!(db.tx().unwrap().entries::<VersionHistory>().unwrap(), 1);
}

#[test]
fn a_directory_of_another_version_is_refused() {
    let (dir, db) = common::fresh();
    drop(db);
    let file = dir.path().join(DB_VERSION_FILE_NAME);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "2");
    std::fs::write(&file, "1").unwrap();
    let refused = create_db(dir.path(), common::arguments()).unwrap_err();
    let InitError::Version(DatabaseVersionError::VersionMismatch { version: 1 }) = refused else {
        panic!("{refused}")
    };
    std::fs::remove_file(&file).unwrap();
    drop(common::open(dir.path()));
    assert!(file.exists(), "a missing version file is written");
}

#[test]
fn a_missing_database_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("nowhere");
    let refused = open_db_read_only(&path, common::arguments()).unwrap_err();
    assert!(refused.to_string().contains("nowhere"), "{refused}");
}

#[test]
fn shared_databases_are_databases() {
    fn balance(db: impl Database, of: Address) -> Option<U256> {
        db.tx().unwrap().get::<Accounts>(of).unwrap().map(|account| account.balance)
    }
    let (_dir, db) = filled();
    let db = Arc::new(db);
    assert_eq!(balance(&db, address(1)), Some(U256::ZERO));
    assert_eq!(balance(Arc::clone(&db), address(6)), None);
}
