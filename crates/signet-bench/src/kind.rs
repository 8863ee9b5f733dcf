//! The two kinds of transaction: one adapter serves both.

use signet_libmdbx::{
    Environment, MdbxResult, Ro, RoSync, Rw, RwSync, TransactionKind,
    tx::{Tx, WriteMarker},
};

/// Thread-safe or single-thread transactions. Beginning and committing are the only calls that the
/// binding does not offer generically.
pub trait Kind: Sized + 'static {
    /// Name of the arm.
    const ARM: &'static str;
    /// Marker of the read transactions.
    type Ro: TransactionKind + CommitKind;
    /// Marker of the write transactions.
    type Rw: TransactionKind + WriteMarker + CommitKind;

    /// Begins a read transaction.
    ///
    /// # Errors
    /// The binding's.
    fn begin_ro(env: &Environment) -> MdbxResult<Tx<Self::Ro>>;

    /// Begins a write transaction.
    ///
    /// # Errors
    /// The binding's.
    fn begin_rw(env: &Environment) -> MdbxResult<Tx<Self::Rw>>;
}

/// Committing a transaction of one marker.
pub trait CommitKind: TransactionKind {
    /// Commits.
    ///
    /// # Errors
    /// The binding's.
    fn commit(tx: Tx<Self>) -> MdbxResult<()>
    where
        Self: Sized;
}

/// Transactions that threads can share; a write transaction begins and ends on a manager thread.
#[derive(Debug)]
pub struct Sync;

/// Transactions that stay on their thread: the typed layer's own default.
#[derive(Debug)]
pub struct Unsync;

impl Kind for Sync {
    const ARM: &'static str = "signet-sync";
    type Ro = RoSync;
    type Rw = RwSync;

    #[inline]
    fn begin_ro(env: &Environment) -> MdbxResult<Tx<RoSync>> {
        env.begin_ro_sync()
    }

    #[inline]
    fn begin_rw(env: &Environment) -> MdbxResult<Tx<RwSync>> {
        env.begin_rw_sync()
    }
}

impl Kind for Unsync {
    const ARM: &'static str = "signet-unsync";
    type Ro = Ro;
    type Rw = Rw;

    #[inline]
    fn begin_ro(env: &Environment) -> MdbxResult<Tx<Ro>> {
        env.begin_ro_unsync()
    }

    #[inline]
    fn begin_rw(env: &Environment) -> MdbxResult<Tx<Rw>> {
        env.begin_rw_unsync()
    }
}

macro_rules! commit_kind {
    ($($marker:ty),*) => {$(
        impl CommitKind for $marker {
            #[inline]
            fn commit(tx: Tx<Self>) -> MdbxResult<()> {
                tx.commit()
            }
        }
    )*};
}

commit_kind!(Ro, RoSync, Rw, RwSync);
