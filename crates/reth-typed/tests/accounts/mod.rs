//! A database of five accounts.

use alloy_primitives::Address;
use reth_primitives_traits::Account;
use reth_typed::{
    Database, DatabaseEnv, DatabaseError,
    cursor::DbCursorRO,
    tables::PlainAccountState as Accounts,
    transaction::{DbTx, DbTxMut},
};

/// An address that orders as its number does.
pub(crate) fn address(n: u8) -> Address {
    Address::repeat_byte(n)
}

/// An account of a given nonce.
pub(crate) fn account(nonce: u64) -> Account {
    Account { nonce, ..Default::default() }
}

/// Accounts 1 to 5, whose nonces are their numbers.
pub(crate) fn filled() -> (tempfile::TempDir, DatabaseEnv) {
    let (dir, db) = crate::common::fresh();
    let tx = db.tx_mut().unwrap();
    for n in [3, 1, 5, 2, 4] {
        tx.put::<Accounts>(address(n), account(n.into())).unwrap();
    }
    tx.commit().unwrap();
    (dir, db)
}

/// Numbers of the accounts that `rows` yields.
pub(crate) fn numbers(
    rows: impl Iterator<Item = Result<(Address, Account), DatabaseError>>,
) -> Vec<u64> {
    rows.map(|row| row.unwrap().1.nonce).collect()
}

/// Numbers of all accounts.
pub(crate) fn all(db: &DatabaseEnv) -> Vec<u64> {
    let tx = db.tx().unwrap();
    numbers(tx.cursor_read::<Accounts>().unwrap().walk(None).unwrap())
}
