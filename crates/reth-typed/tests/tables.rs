//! The tables on disk: names and kinds, as the binding reads them.

mod common;

use reth_typed::{
    Database, DatabaseError, Tables,
    mdbx::{DatabaseFlags, Environment, Geometry, RO, Transaction, ffi},
    table::{DupSort, Table},
    tables::*,
    transaction::DbTx,
};
use std::str::FromStr;

/// reth v1.11.3's tables in order of creation, and whether they are DUPSORT.
const EXPECTED: [(&str, bool); 29] = [
    ("CanonicalHeaders", false),
    ("HeaderTerminalDifficulties", false),
    ("HeaderNumbers", false),
    ("Headers", false),
    ("BlockBodyIndices", false),
    ("BlockOmmers", false),
    ("BlockWithdrawals", false),
    ("Transactions", false),
    ("TransactionHashNumbers", false),
    ("TransactionBlocks", false),
    ("Receipts", false),
    ("Bytecodes", false),
    ("PlainAccountState", false),
    ("PlainStorageState", true),
    ("AccountsHistory", false),
    ("StoragesHistory", false),
    ("AccountChangeSets", true),
    ("StorageChangeSets", true),
    ("HashedAccounts", false),
    ("HashedStorages", true),
    ("AccountsTrie", false),
    ("StoragesTrie", true),
    ("TransactionSenders", false),
    ("StageCheckpoints", false),
    ("StageCheckpointProgresses", false),
    ("PruneCheckpoints", false),
    ("VersionHistory", false),
    ("ChainState", false),
    ("Metadata", false),
];

/// Names of all named databases, from the main tree.
fn names(tx: &Transaction<RO>) -> Vec<String> {
    let main = tx.open_db(None).unwrap();
    let cursor = tx.cursor(&main).unwrap();
    let rows = cursor.iter_slices();
    rows.map(|row| String::from_utf8(row.unwrap().0.into_owned()).unwrap()).collect()
}

/// Flags of a table. The binding's own `db_flags` passes a null pointer, which libmdbx refuses.
fn flags(tx: &Transaction<RO>, dbi: ffi::MDBX_dbi) -> u32 {
    let (mut flags, mut state) = (0, 0);
    // SAFETY: the handle is this transaction's, and the call writes two integers.
    let read = |txn: *mut ffi::MDBX_txn| unsafe {
        ffi::mdbx_dbi_flags_ex(txn, dbi, &mut flags, &mut state)
    };
    assert_eq!(tx.txn_execute(read).unwrap(), 0);
    flags
}

#[test]
fn the_schema_is_reths() {
    let schema: Vec<_> = Tables::ALL.iter().map(|t| (t.name(), t.is_dupsort())).collect();
    assert_eq!(schema, EXPECTED);
    for table in Tables::ALL {
        assert_eq!(Tables::from_str(table.name()), Ok(*table));
    }
    assert!(Tables::from_str("Nothing").is_err());
}

#[test]
fn opening_creates_every_table_with_its_flags() {
    let (dir, db) = common::fresh();
    drop(db);

    // Read with the bare binding, which knows nothing of the schema.
    let mut builder = Environment::builder();
    builder
        .set_max_dbs(64)
        .set_geometry(Geometry { size: Some(0..64 << 20), ..Default::default() });
    let env = builder.open(dir.path()).unwrap();
    let tx = env.begin_ro_txn().unwrap();

    let mut expected: Vec<_> = EXPECTED.iter().map(|(name, _)| name.to_string()).collect();
    expected.sort();
    assert_eq!(names(&tx), expected);
    for (name, dupsort) in EXPECTED {
        let db = tx.open_db(Some(name)).unwrap();
        let wanted = if dupsort { ffi::MDBX_DUPSORT } else { 0 };
        assert_eq!(flags(&tx, db.dbi()), wanted, "{name}");
    }
}

#[test]
fn handles_are_given_in_order_of_creation() {
    let (_dir, db) = common::fresh();
    let tx = db.tx().unwrap();
    let dbis: Vec<_> = EXPECTED.iter().map(|(name, _)| tx.get_dbi_raw(name).unwrap()).collect();
    assert!(dbis.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{dbis:?}");
    assert!(matches!(tx.get_dbi_raw("Nothing"), Err(DatabaseError::Open(_))));
}

#[test]
fn typed_tables_agree_with_the_schema() {
    fn agrees<T: Table>(table: Tables) {
        assert_eq!((T::NAME, T::DUPSORT), (table.name(), table.is_dupsort()));
    }
    fn agrees_dup<T: DupSort>(table: Tables) {
        agrees::<T>(table);
        assert!(T::DUPSORT);
    }
    agrees::<PlainAccountState>(Tables::PlainAccountState);
    agrees_dup::<PlainStorageState>(Tables::PlainStorageState);
    agrees::<HashedAccounts>(Tables::HashedAccounts);
    agrees_dup::<HashedStorages>(Tables::HashedStorages);
    agrees::<Headers>(Tables::Headers);
    agrees::<HeaderNumbers>(Tables::HeaderNumbers);
    agrees::<VersionHistory>(Tables::VersionHistory);
}

#[test]
fn tables_of_former_schemas_are_dropped_on_opening() {
    let (dir, db) = common::fresh();
    let tx = db.begin_rw_txn().unwrap();
    tx.create_db(Some("AccountsTrieChangeSets"), DatabaseFlags::DUP_SORT).unwrap();
    tx.create_db(Some("SomeonesOwn"), DatabaseFlags::empty()).unwrap();
    tx.commit().unwrap();
    drop(db);

    let db = common::open(dir.path());
    let left = names(&db.begin_ro_txn().unwrap());
    assert_eq!(left.len(), EXPECTED.len() + 1);
    assert!(left.iter().any(|name| name == "SomeonesOwn"));
}

#[test]
fn the_environment_runs_with_reths_flags_and_options() {
    let (_dir, db) = common::fresh();
    let (mut flags, mut limit, mut tables) = (0, 0, 0);
    db.with_raw_env_ptr(|env| {
        // SAFETY: the pointer is the open environment's, and each call writes one integer.
        unsafe {
            assert_eq!(ffi::mdbx_env_get_flags(env, &mut flags), 0);
            let option = ffi::MDBX_opt_rp_augment_limit;
            assert_eq!(ffi::mdbx_env_get_option(env, option, &mut limit), 0);
            assert_eq!(ffi::mdbx_env_get_option(env, ffi::MDBX_opt_max_db, &mut tables), 0);
        }
    });
    for flag in [ffi::MDBX_WRITEMAP, ffi::MDBX_NORDAHEAD, ffi::MDBX_COALESCE] {
        assert_eq!(flags & flag, flag, "{flags:#x}");
    }
    assert_eq!(flags & ffi::MDBX_SAFE_NOSYNC, ffi::MDBX_SAFE_NOSYNC);
    assert_eq!((limit, tables), (256 * 1024, 256));
    assert!(db.info().unwrap().max_readers() >= 32_000);
    assert_eq!(db.stat().unwrap().page_size(), 4096);
    assert_eq!(db.tx().unwrap().entries::<Headers>().unwrap(), 0);
}
