//! Databases that one build of a side writes and another one reads: whether two builds agree on every
//! row, and on the pages that hold them.

use crate::{
    binding::AnyError,
    catalogue::AccountMix,
    config::EnvConfig,
    genesis,
    harness::exit,
    hotdb::{HotDb, HotRead, HotSide, HotVisitor, HotWrite, canonical_slot},
    hotdb_model::{ReadBack, State},
    scale::Scale,
    sink::{Recorder, Sink as _},
    state::{AccountSpec, Accounts, Block, Blocks, Storage, headers},
};
use alloy_consensus::Header;
use alloy_primitives::{Address, U256};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, env, path::Path, process::ExitCode};
use xxhash_rust::xxh3::Xxh3;

/// What a database of the exchange holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Accounts, storage and headers of the suite, appended in one transaction, then changed by
    /// [`BLOCKS`] blocks of one transaction each, so that both ways of writing take part.
    State,
    /// Mainnet's genesis allocation.
    Genesis,
    /// The same accounts and storage in the tables of the stack's current node.
    Hashed,
}

/// Blocks written to [`Set::State`] after it was loaded.
pub const BLOCKS: usize = 20;

impl Set {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::State, Self::Genesis, Self::Hashed];

    /// Name of its directory.
    pub const fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Genesis => "genesis",
            Self::Hashed => "hashed",
        }
    }
}

/// A table of a database as libmdbx sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Entries; every duplicate is one.
    pub entries: u64,
    /// Bytes of all keys, once per entry.
    pub key_bytes: u64,
    /// Bytes of all values.
    pub value_bytes: u64,
    /// XXH3-128 over all entries in order, each as the lengths of key and value (`u64`, little-endian)
    /// and both; hexadecimal.
    pub digest: String,
    /// Height of the tree.
    pub depth: u32,
    /// Branch pages.
    pub branch_pages: u64,
    /// Leaf pages; those of a DUPSORT table's nested trees as well.
    pub leaf_pages: u64,
    /// Overflow pages.
    pub overflow_pages: u64,
}

/// Sums the entries of a table up.
#[derive(Default)]
pub struct Entries {
    count: u64,
    key_bytes: u64,
    value_bytes: u64,
    hasher: Xxh3,
}

impl Entries {
    /// Adds the next entry.
    pub fn add(&mut self, key: &[u8], value: &[u8]) {
        self.count += 1;
        for (bytes, sum) in [(key, &mut self.key_bytes), (value, &mut self.value_bytes)] {
            let length = bytes.len() as u64;
            *sum += length;
            self.hasher.update(&length.to_le_bytes());
        }
        self.hasher.update(key);
        self.hasher.update(value);
    }

    /// The table, of which only the pages are still unknown.
    pub fn into_table(self) -> Table {
        Table {
            entries: self.count,
            key_bytes: self.key_bytes,
            value_bytes: self.value_bytes,
            digest: format!("{:032x}", self.hasher.digest128()),
            depth: 0,
            branch_pages: 0,
            leaf_pages: 0,
            overflow_pages: 0,
        }
    }
}

/// A database of the exchange as one build sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Database {
    /// Rows that the stack's own calls read, each equal to the model's.
    pub rows: u64,
    /// Size of the data file, bytes.
    pub file_bytes: u64,
    /// Tables that are not empty, by name, without those that hold the time of the writing.
    pub tables: BTreeMap<String, Table>,
}

/// Tables in which a stack notes by whom and when a database was opened.
const OF_THE_MOMENT: [&str; 2] = ["VersionHistory", "Metadata"];

/// Reads the tables of the closed database in a directory by name, with calls to libmdbx alone.
pub type ReadTables = fn(&Path) -> Result<BTreeMap<String, Table>, AnyError>;

/// Writes every set into a directory of its own below `root`.
///
/// # Errors
/// The stack's.
pub fn write<S: HotSide>(root: &Path, scale: Scale) -> Result<(), AnyError> {
    for set in Set::ALL {
        let dir = root.join(set.name());
        std::fs::create_dir_all(&dir)?;
        let db = S::open(&dir, &EnvConfig::HOTDB)?;
        S::with_arm(&db, S::ARMS[0], Load(&Rows::of(set, scale)))?;
    }
    Ok(())
}

/// Reads every set back, row by row, whoever wrote it.
///
/// # Errors
/// The stack's, or the first row that differs from the model's.
pub fn read<S: HotSide>(
    root: &Path,
    scale: Scale,
    tables: ReadTables,
) -> Result<BTreeMap<String, Database>, AnyError> {
    let mut out = BTreeMap::new();
    for set in Set::ALL {
        let dir = root.join(set.name());
        let db = S::open(&dir, &EnvConfig::HOTDB)?;
        let rows = Rows::of(set, scale);
        let seen = if rows.hashed {
            S::with_arm(&db, S::ARMS[0], LookUps(&rows))?
        } else {
            S::with_arm(&db, S::ARMS[0], ReadBack(&rows.blocks))?
        };
        drop(db);
        let wanted = rows.expected();
        if let Some(difference) = seen.first_difference(&wanted) {
            return Err(format!("{}: {difference}", dir.display()).into());
        }
        let mut tables = tables(&dir)?;
        tables.retain(|name, table| table.entries > 0 && !OF_THE_MOMENT.contains(&name.as_str()));
        let database = Database {
            rows: seen.len() as u64,
            file_bytes: dir.join("mdbx.dat").metadata()?.len(),
            tables,
        };
        out.insert(set.name().to_owned(), database);
    }
    Ok(out)
}

/// The `main` of a side's `rows` program: `write DIR SCALE` or `read DIR SCALE`, which prints what
/// [`read`] yields as JSON. Exit code 2 for any other command line, 1 for an error.
pub fn main<S: HotSide>(tables: ReadTables) -> ExitCode {
    const USAGE: u8 = 2;
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [verb @ ("write" | "read"), root, scale] =
        arguments.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        eprintln!("usage: rows write|read DIR smoke|default|large");
        return ExitCode::from(USAGE);
    };
    let Some(scale) = Scale::ALL.into_iter().find(|s| s.name() == scale) else {
        eprintln!("error: there is no scale `{scale}`");
        return ExitCode::from(USAGE);
    };
    exit(|| {
        let root = Path::new(root);
        if verb == "write" {
            write::<S>(root, scale)?;
        } else {
            println!("{}", serde_json::to_string_pretty(&read::<S>(root, scale, tables)?)?);
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// The rows of a set, and how they came about.
#[derive(Default)]
struct Rows {
    accounts: Vec<(Address, AccountSpec)>,
    storage: Vec<(Address, U256, U256)>,
    headers: Vec<Header>,
    blocks: Vec<Block>,
    /// Whether accounts and storage are in the tables of the stack's current node.
    hashed: bool,
}

impl Rows {
    fn of(set: Set, scale: Scale) -> Self {
        if set == Set::Genesis {
            let accounts = genesis::mainnet().expect("the allocation that is built in");
            let spec = |balance| AccountSpec { nonce: 0, balance, code_hash: None };
            let accounts = accounts.into_iter().map(|a| (a.address, spec(a.balance))).collect();
            return Self { accounts, ..Self::default() };
        }
        let accounts = Accounts::new(AccountMix::Mainnet, scale);
        let storage = Storage::new(&accounts, scale);
        let rows = Self {
            accounts: accounts.iter().map(|(a, spec)| (*a, *spec)).collect(),
            storage: storage.iter().map(|(a, slot, value)| (*a, *slot, *value)).collect(),
            hashed: set == Set::Hashed,
            ..Self::default()
        };
        if rows.hashed {
            return rows;
        }
        let headers = headers(scale.medium());
        let mut blocks = Blocks::new(BLOCKS, &accounts, &storage, headers.len() as u64, scale);
        blocks.renew();
        Self { headers, blocks: blocks.blocks, ..rows }
    }

    fn accounts(&self) -> impl Iterator<Item = (&Address, &AccountSpec)> {
        self.accounts.iter().map(|(address, spec)| (address, spec))
    }

    fn storage(&self) -> impl Iterator<Item = (&Address, &U256, &U256)> {
        self.storage.iter().map(|(address, slot, value)| (address, slot, value))
    }

    /// Every row after the blocks.
    fn expected(&self) -> Recorder {
        let mut state = State::new(self.accounts(), self.storage(), &self.headers);
        self.blocks.iter().for_each(|block| state.apply(block));
        let mut out = Recorder::default();
        state.rows(&mut out);
        out
    }
}

/// Writes the rows.
struct Load<'a>(&'a Rows);

impl HotVisitor for Load<'_> {
    type Output = ();

    fn visit<D: HotDb>(self, arm: &D) -> Result<(), AnyError> {
        let (accounts, storage) = (self.0.accounts(), self.0.storage());
        let writer = arm.writer()?;
        if self.0.hashed {
            writer.append_hashed_accounts(accounts)?;
            writer.append_hashed_storage(storage)?;
        } else {
            writer.append_accounts(accounts)?;
            writer.append_storage(storage)?;
        }
        writer.append_headers(self.0.headers.iter())?;
        writer.commit()?;
        for block in &self.0.blocks {
            let writer = arm.writer()?;
            writer.write(&D::prepare(block))?;
            writer.commit()?;
        }
        Ok(())
    }
}

/// Looks every row of the hashed tables up, where the rows stand in another order.
struct LookUps<'a>(&'a Rows);

impl HotVisitor for LookUps<'_> {
    type Output = Recorder;

    fn visit<D: HotDb>(self, arm: &D) -> Result<Recorder, AnyError> {
        let mut out = Recorder::default();
        let reader = arm.reader()?;
        for (address, _) in self.0.accounts() {
            match reader.hashed_account::<true>(address)? {
                Some(account) => out.hit(address.as_slice(), &account),
                None => out.miss(address.as_slice()),
            }
        }
        for (address, slot, _) in self.0.storage() {
            match reader.hashed_slot::<true>(address, slot)? {
                Some(value) => out.found(address.as_slice(), &canonical_slot(slot, &value)),
                None => out.miss(address.as_slice()),
            }
        }
        Ok(out)
    }
}
