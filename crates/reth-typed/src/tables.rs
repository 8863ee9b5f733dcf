//! The tables of a reth v1.11.3 database.
//!
//! All of them are created on opening, since the main tree that names them is part of the file and
//! of every commit's work. Only those that the suite reads or writes are typed.

use crate::{
    models::ClientVersion,
    table::{DupSort, Table, TableInfo},
};
use alloy_consensus::Header;
use alloy_primitives::{Address, B256, BlockHash, BlockNumber};
use reth_primitives_traits::{Account, StorageEntry};
use std::{fmt, marker::PhantomData, str::FromStr};

/// How a table keeps the values of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableType {
    /// One value a key.
    Table,
    /// Several values a key, sorted.
    DupSort,
}

/// A set of tables to create on opening.
pub trait TableSet {
    /// The tables, in order of creation.
    fn tables() -> Box<dyn Iterator<Item = Box<dyn TableInfo>>>;
}

/// Lists the schema once: the enum, its names and its kinds.
macro_rules! schema {
    ($($name:ident $kind:ident),+ $(,)?) => {
        /// A table of the schema, in order of creation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Tables {
            $(
                #[doc = concat!("`", stringify!($name), "`.")]
                $name,
            )+
        }

        impl Tables {
            /// Every table.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Name of the table in the environment.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)+
                }
            }

            /// How the table keeps the values of one key.
            pub const fn table_type(&self) -> TableType {
                match self {
                    $(Self::$name => TableType::$kind,)+
                }
            }
        }
    };
}

schema! {
    CanonicalHeaders Table,
    HeaderTerminalDifficulties Table,
    HeaderNumbers Table,
    Headers Table,
    BlockBodyIndices Table,
    BlockOmmers Table,
    BlockWithdrawals Table,
    Transactions Table,
    TransactionHashNumbers Table,
    TransactionBlocks Table,
    Receipts Table,
    Bytecodes Table,
    PlainAccountState Table,
    PlainStorageState DupSort,
    AccountsHistory Table,
    StoragesHistory Table,
    AccountChangeSets DupSort,
    StorageChangeSets DupSort,
    HashedAccounts Table,
    HashedStorages DupSort,
    AccountsTrie Table,
    StoragesTrie DupSort,
    TransactionSenders Table,
    StageCheckpoints Table,
    StageCheckpointProgresses Table,
    PruneCheckpoints Table,
    VersionHistory Table,
    ChainState Table,
    Metadata Table,
}

impl Tables {
    /// Number of tables.
    pub const COUNT: usize = Self::ALL.len();

    /// Whether a key of the table may have several values.
    pub const fn is_dupsort(&self) -> bool {
        matches!(self.table_type(), TableType::DupSort)
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tables {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|table| table.name() == name);
        found.copied().ok_or_else(|| format!("no table is called {name:?}"))
    }
}

impl TableInfo for Tables {
    fn name(&self) -> &'static str {
        self.name()
    }

    fn is_dupsort(&self) -> bool {
        self.is_dupsort()
    }
}

impl TableSet for Tables {
    fn tables() -> Box<dyn Iterator<Item = Box<dyn TableInfo>>> {
        Box::new(Self::ALL.iter().map(|table| Box::new(*table) as Box<dyn TableInfo>))
    }
}

/// Defines a table's marker type. Name and kind come from the schema, so that they cannot disagree.
macro_rules! typed {
    ($(#[$doc:meta])+ $name:ident: $key:ty => $value:ty $(, by $subkey:ty)?) => {
        $(#[$doc])+
        #[derive(Debug)]
        pub enum $name {}

        impl Table for $name {
            const NAME: &'static str = Tables::$name.name();
            const DUPSORT: bool = Tables::$name.is_dupsort();
            type Key = $key;
            type Value = $value;
        }

        $(impl DupSort for $name {
            type SubKey = $subkey;
        })?
    };
}

/// Headers by block number.
#[derive(Debug)]
pub struct Headers<H = Header>(PhantomData<H>);

impl Table for Headers {
    const NAME: &'static str = Tables::Headers.name();
    const DUPSORT: bool = Tables::Headers.is_dupsort();
    type Key = BlockNumber;
    type Value = Header;
}

typed! {
    /// Block number by the hash of the header.
    HeaderNumbers: BlockHash => BlockNumber
}

typed! {
    /// Accounts by address.
    PlainAccountState: Address => Account
}

typed! {
    /// Storage slots by address, then by slot. A slot that was never written, or was set to zero,
    /// has no entry.
    PlainStorageState: Address => StorageEntry, by B256
}

typed! {
    /// Accounts by the keccak-256 of the address.
    HashedAccounts: B256 => Account
}

typed! {
    /// Storage slots by the keccak-256 of the address, then by the keccak-256 of the slot.
    HashedStorages: B256 => StorageEntry, by B256
}

typed! {
    /// The clients that opened the database to write, by Unix time in seconds.
    VersionHistory: u64 => ClientVersion
}
