//! What a database can do.

use crate::{
    DatabaseError,
    transaction::{DbTx, DbTxMut},
};
use std::{fmt::Debug, sync::Arc};

/// An open database.
pub trait Database: Send + Sync + Debug {
    /// A transaction that reads.
    type TX: DbTx + Send + Sync + Debug + 'static;
    /// A transaction that writes.
    type TXMut: DbTxMut + DbTx + Send + Sync + Debug + 'static;

    /// Begins a transaction that reads.
    fn tx(&self) -> Result<Self::TX, DatabaseError>;

    /// Begins a transaction that writes. Waits while another one is open.
    fn tx_mut(&self) -> Result<Self::TXMut, DatabaseError>;

    /// Runs `f` in a reading transaction, and commits that.
    fn view<T, F>(&self, f: F) -> Result<T, DatabaseError>
    where
        F: FnOnce(&mut Self::TX) -> T,
    {
        let mut tx = self.tx()?;
        let seen = f(&mut tx);
        tx.commit().map(|()| seen)
    }

    /// Runs `f` in a writing transaction, and commits that whatever `f` returns.
    fn update<T, F>(&self, f: F) -> Result<T, DatabaseError>
    where
        F: FnOnce(&Self::TXMut) -> T,
    {
        let tx = self.tx_mut()?;
        let done = f(&tx);
        tx.commit().map(|()| done)
    }
}

macro_rules! through_pointer {
    ($($pointer:ty),+) => {$(
        impl<DB: Database> Database for $pointer {
            type TX = DB::TX;
            type TXMut = DB::TXMut;

            fn tx(&self) -> Result<Self::TX, DatabaseError> {
                DB::tx(self)
            }

            fn tx_mut(&self) -> Result<Self::TXMut, DatabaseError> {
                DB::tx_mut(self)
            }
        }
    )+};
}

through_pointer!(Arc<DB>, &DB);
