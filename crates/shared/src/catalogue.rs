//! The catalogue: every group and every benchmark, each with a line on what it measures and what a
//! difference would mean. BENCH_SPEC.md is generated from it, the runner plans from it, and the
//! bench binaries run from it, so that the three cannot disagree.

use crate::scale::{BlockShape, DUPS, Scale};
use std::fmt;

/// One of the two layers of a stack; each has a bench binary of its own on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// The raw bindings: `reth-libmdbx` and `signet-libmdbx`.
    Bindings,
    /// The typed hot database: `reth-db` and `signet-hot-mdbx`.
    HotDb,
}

impl Layer {
    /// Name of the layer's bench target and in `summary.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bindings => "bindings",
            Self::HotDb => "hotdb",
        }
    }
}

/// A group of benchmarks.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Short name, for instance `B2`.
    pub name: &'static str,
    /// Layer.
    pub layer: Layer,
    /// What the group measures, one line.
    pub title: &'static str,
    /// What is inside the timer and what is not.
    pub timed: &'static str,
    /// What a difference between the sides would mean.
    pub meaning: &'static str,
}

/// Size of the values of a table, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueSize {
    /// 32 bytes: a hash or a storage word.
    B32,
    /// 256 bytes.
    B256,
    /// 4,096 bytes: two overflow pages each.
    B4096,
}

impl ValueSize {
    /// In bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::B32 => 32,
            Self::B256 => 256,
            Self::B4096 => 4096,
        }
    }

    /// Entries of a table of such values.
    pub const fn entries(self, scale: Scale) -> usize {
        match self {
            Self::B4096 => scale.large_values(),
            Self::B32 | Self::B256 => scale.large(),
        }
    }
}

/// Flags of a table with duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DupKind {
    /// `MDBX_DUPSORT`.
    Sort,
    /// `MDBX_DUPSORT | MDBX_DUPFIXED`.
    Fixed,
}

/// How a cursor walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Walk {
    /// One cursor call per entry, written out by hand.
    Step,
    /// The stack's own iterator. The raw arm has none and steps.
    Iterator,
    /// `get_multiple`/`next_multiple`: a page of duplicates per call.
    Paged,
}

/// How a transaction of B1 ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Dropped, which aborts.
    Drop,
    /// Committed.
    Commit,
}

/// Read-transaction timeout of the reth arm in B1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timeout {
    /// As reth-db sets it: five minutes, watched by a monitor thread.
    AsRethDb,
    /// Unbounded: nothing is registered.
    Unbounded,
}

/// Where the threads of the process may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// On one CPU.
    Pinned,
    /// On any CPU: the transaction manager's thread may sit on another one.
    Free,
}

/// Whether typed reads open a cursor for each call or reuse one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CursorUse {
    /// Each call is the stack's production call, which opens (or takes from a cache) a cursor.
    PerCall,
    /// One cursor for all calls.
    Reused,
}

/// How a key of a hashed table is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hashing {
    /// As a reth node does it: through the cache of hashes that its release has.
    AsNode,
    /// Every hash computed.
    Uncached,
}

/// Mix of a table of accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccountMix {
    /// As on mainnet: 80.8 % without code, about 28 accounts per bytecode.
    Mainnet,
    /// Every account a contract with code of its own.
    Contracts,
}

/// What a benchmark does: the binaries dispatch on this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is described by its catalogue entry")]
pub enum Case {
    BeginRo { ending: Ending, timeout: Timeout },
    BeginRw { ending: Ending, placement: Placement },
    Get { size: ValueSize, owned: bool },
    GetDirty,
    Upsert { puts: usize },
    Insert { puts: usize },
    Append { puts: usize },
    ScanForward { walk: Walk },
    ScanReverse,
    SeekRange,
    DupInsert { kind: DupKind },
    DupLoad { kind: DupKind },
    DupsOfKey { kind: DupKind, walk: Walk },
    DupScan { kind: DupKind, walk: Walk },
    Commit { puts: usize, placement: Placement },
    Accounts { half_miss: bool },
    HashedAccounts { hashing: Hashing },
    Slots { cursor: CursorUse },
    HashedSlots { hashing: Hashing },
    SlotsOfAddress,
    HeadersRandom,
    HeadersSequential,
    Ingest { blocks: usize },
    ScanAccounts { mix: AccountMix },
    ScanHeaders,
    Mixed { cursor: CursorUse },
}

/// Whether a benchmark is short enough for every round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cost {
    /// Ten samples take about as long as one round's measurement, or less.
    Short,
    /// Ten samples, or writing the database first, take far longer (a second and more): the benchmark
    /// runs in some of the rounds only.
    Long,
}

/// Which build of reth's binding the reth side measures a benchmark with. signet's binding has one
/// build, which measures both kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Build {
    /// With the cargo features that reth-db turns on, `read-tx-timeouts` and `return-borrowed`: as
    /// in a node.
    Node,
    /// With neither: as in a program that depends on the binding alone.
    Plain,
}

impl Build {
    /// Name in reports and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Plain => "plain",
        }
    }
}

/// One benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Id: the group, then what varies, for instance `B2/get/32B`. Counts in an id are those of the
    /// default scale.
    pub id: &'static str,
    /// What it does.
    pub case: Case,
    /// What one iteration does, one line.
    pub what: &'static str,
    /// Whether it takes part in every round.
    pub cost: Cost,
    /// The build of reth's binding that measures it.
    pub build: Build,
}

const fn short(id: &'static str, case: Case, what: &'static str) -> Bench {
    Bench { id, case, what, cost: Cost::Short, build: Build::Node }
}

const fn long(id: &'static str, case: Case, what: &'static str) -> Bench {
    Bench { id, case, what, cost: Cost::Long, build: Build::Node }
}

/// A short one of the plain build.
const fn plain(id: &'static str, case: Case, what: &'static str) -> Bench {
    Bench { id, case, what, cost: Cost::Short, build: Build::Plain }
}

/// Blocks of one iteration of H6.
pub const MIXED_BLOCKS: usize = 10;

/// Every group, in the order of a run.
pub const GROUPS: &[Group] = &[
    Group {
        name: "B1",
        layer: Layer::Bindings,
        title: "transaction creation",
        timed: "begin and end of one transaction, nothing in between",
        meaning: "cost of the transaction wrapper: handles, caches, timeouts, the hop of a \
                  thread-safe write transaction to its manager thread",
    },
    Group {
        name: "B2",
        layer: Layer::Bindings,
        title: "point reads",
        timed: "random gets inside one open transaction, on an open table; the same keys in every \
                iteration, so that their pages are warm",
        meaning: "cost of the wrapper around mdbx_get: locking, decoding, copying",
    },
    Group {
        name: "B3",
        layer: Layer::Bindings,
        title: "batch writes",
        timed: "begin, puts of prepared keys and values, commit; preparing them and emptying the \
                table are not",
        meaning: "cost of the wrapper around mdbx_put, and of the transaction for small batches",
    },
    Group {
        name: "B4",
        layer: Layer::Bindings,
        title: "full scans",
        timed: "opening a cursor and moving it over the whole table, each key and value touched",
        meaning: "cost of the wrapper around mdbx_cursor_get, and of each stack's iterator",
    },
    Group {
        name: "B5",
        layer: Layer::Bindings,
        title: "seek and range",
        timed: "opening a cursor, a seek to a random key and the entries after it",
        meaning: "as B4, with the seek and the cursor's opening in it",
    },
    Group {
        name: "B6",
        layer: Layer::Bindings,
        title: "duplicates",
        timed: "inserts: as B3; reads: as B2 and B4, the cursor opened once per iteration",
        meaning: "cost of the wrapper on DUPSORT and DUPFIXED tables, call by call, by iterator, \
                  and a page at a time",
    },
    Group {
        name: "B7",
        layer: Layer::Bindings,
        title: "commit latency",
        timed: "commit() alone, after puts that change every value; begin and the puts are not",
        meaning: "cost of the commit path: the wrapper, the manager thread, libmdbx",
    },
    Group {
        name: "H1",
        layer: Layer::HotDb,
        title: "account look-ups",
        timed: "random account reads inside one open read transaction, decoded; hashing the address \
                where the table is keyed by its hash",
        meaning: "cost of the typed get: table handle, wrapper, codec, schema",
    },
    Group {
        name: "H2",
        layer: Layer::HotDb,
        title: "storage look-ups",
        timed: "random slot reads inside one open read transaction, decoded; hashing address and \
                slot where the table is keyed by their hashes",
        meaning: "cost of the typed DUPSORT read, with and without a cursor's opening in it",
    },
    Group {
        name: "H3",
        layer: Layer::HotDb,
        title: "header look-ups",
        timed: "header reads inside one open read transaction, decoded",
        meaning: "cost of each stack's header codec",
    },
    Group {
        name: "H4",
        layer: Layer::HotDb,
        title: "block ingestion",
        timed: "one write transaction per block, begin to commit, of prepared updates; every value \
                changes",
        meaning: "cost of a block's state writes, with each stack's way of updating a slot",
    },
    Group {
        name: "H5",
        layer: Layer::HotDb,
        title: "typed scans",
        timed: "opening a cursor and walking the whole table, each row decoded",
        meaning: "cost of the codec, row after row, and size of the rows",
    },
    Group {
        name: "H6",
        layer: Layer::HotDb,
        title: "mixed blocks",
        timed: "per block: a read transaction with the block's reads, then H4's write transaction",
        meaning: "a block as an execution client sees it",
    },
];

use AccountMix as Mix;
use CursorUse::{PerCall, Reused};
use DupKind::{Fixed, Sort};
use Ending::{Commit as Committed, Drop as Dropped};
use Placement::{Free, Pinned};
use Timeout::{AsRethDb, Unbounded};
use ValueSize::{B32, B256, B4096};
use Walk::{Iterator as Iter, Paged, Step};

/// Every benchmark, in the order of a run.
pub const BENCHES: &[Bench] = &[
    short(
        "B1/ro-begin-drop",
        Case::BeginRo { ending: Dropped, timeout: AsRethDb },
        "begin a read transaction and drop it; reth with its five-minute read timeout",
    ),
    short(
        "B1/ro-begin-drop/unbounded",
        Case::BeginRo { ending: Dropped, timeout: Unbounded },
        "the same, reth without a read timeout, which no other arm has",
    ),
    plain(
        "B1/ro-begin-drop/plain",
        Case::BeginRo { ending: Dropped, timeout: Unbounded },
        "the same, reth's binding built without read timeouts",
    ),
    short(
        "B1/ro-begin-commit",
        Case::BeginRo { ending: Committed, timeout: AsRethDb },
        "begin a read transaction and commit it; reth with its five-minute read timeout",
    ),
    short(
        "B1/ro-begin-commit/unbounded",
        Case::BeginRo { ending: Committed, timeout: Unbounded },
        "the same, reth without a read timeout, which no other arm has",
    ),
    plain(
        "B1/ro-begin-commit/plain",
        Case::BeginRo { ending: Committed, timeout: Unbounded },
        "the same, reth's binding built without read timeouts",
    ),
    short(
        "B1/rw-begin-drop",
        Case::BeginRw { ending: Dropped, placement: Pinned },
        "begin a write transaction and drop it; the process on one CPU",
    ),
    short(
        "B1/rw-begin-drop/free",
        Case::BeginRw { ending: Dropped, placement: Free },
        "the same, the process on any CPU",
    ),
    short(
        "B1/rw-begin-commit",
        Case::BeginRw { ending: Committed, placement: Pinned },
        "begin a write transaction and commit it empty; the process on one CPU",
    ),
    short(
        "B1/rw-begin-commit/free",
        Case::BeginRw { ending: Committed, placement: Free },
        "the same, the process on any CPU",
    ),
    short(
        "B2/get/32B",
        Case::Get { size: B32, owned: false },
        "1,000 random gets from 100,000 entries of 32 B, borrowed, each value touched",
    ),
    plain(
        "B2/get/32B/plain",
        Case::Get { size: B32, owned: false },
        "the same, reth's binding built without read timeouts and return-borrowed",
    ),
    short(
        "B2/get/256B",
        Case::Get { size: B256, owned: false },
        "1,000 random gets from 100,000 entries of 256 B, borrowed, each value touched",
    ),
    long(
        "B2/get/4KiB",
        Case::Get { size: B4096, owned: false },
        "1,000 random gets from 100,000 entries of 4 KiB, borrowed, each value touched",
    ),
    short(
        "B2/get-owned/32B",
        Case::Get { size: B32, owned: true },
        "1,000 random gets from 100,000 entries of 32 B into a Vec<u8> each",
    ),
    short(
        "B2/get-owned/256B",
        Case::Get { size: B256, owned: true },
        "1,000 random gets from 100,000 entries of 256 B into a Vec<u8> each",
    ),
    long(
        "B2/get-owned/4KiB",
        Case::Get { size: B4096, owned: true },
        "1,000 random gets from 100,000 entries of 4 KiB into a Vec<u8> each",
    ),
    short(
        "B2/get-dirty/32B",
        Case::GetDirty,
        "the gets of B2/get/32B inside a write transaction that has changed each of these values; \
         signet asks whether a page is dirty and copies the value from one that is, reth lends it",
    ),
    plain(
        "B2/get-dirty/32B/plain",
        Case::GetDirty,
        "the same, reth's binding built without return-borrowed: it asks and copies too",
    ),
    short(
        "B3/upsert/100",
        Case::Upsert { puts: 100 },
        "100 upserts in random order of keys that exist among 100,000, every value new",
    ),
    short(
        "B3/upsert/1000",
        Case::Upsert { puts: 1_000 },
        "1,000 upserts in random order of keys that exist among 100,000, every value new",
    ),
    long(
        "B3/upsert/10000",
        Case::Upsert { puts: 10_000 },
        "10,000 upserts in random order of keys that exist among 100,000, every value new",
    ),
    short(
        "B3/insert/100",
        Case::Insert { puts: 100 },
        "100 upserts in random order of new keys into an empty table",
    ),
    short(
        "B3/insert/1000",
        Case::Insert { puts: 1_000 },
        "1,000 upserts in random order of new keys into an empty table",
    ),
    long(
        "B3/insert/10000",
        Case::Insert { puts: 10_000 },
        "10,000 upserts in random order of new keys into an empty table",
    ),
    short(
        "B3/append/100",
        Case::Append { puts: 100 },
        "100 appends of sorted keys to an empty table",
    ),
    short(
        "B3/append/1000",
        Case::Append { puts: 1_000 },
        "1,000 appends of sorted keys to an empty table",
    ),
    short(
        "B3/append/10000",
        Case::Append { puts: 10_000 },
        "10,000 appends of sorted keys to an empty table",
    ),
    short(
        "B4/forward",
        Case::ScanForward { walk: Step },
        "first, then next to the end of 100,000 entries of 32 B",
    ),
    short(
        "B4/reverse",
        Case::ScanReverse,
        "last, then prev to the start of 100,000 entries of 32 B; neither stack has a reverse iterator",
    ),
    short(
        "B4/iterator",
        Case::ScanForward { walk: Iter },
        "the stack's own iterator over 100,000 entries of 32 B",
    ),
    short(
        "B5/seek-range",
        Case::SeekRange,
        "a seek to a random key of the middle half of 100,000, then 1,000 entries with next",
    ),
    long(
        "B6/insert/dupsort",
        Case::DupInsert { kind: Sort },
        "10,000 keys of 10 duplicates of 32 B put in random order into an empty DUPSORT table",
    ),
    long(
        "B6/insert/dupfixed",
        Case::DupInsert { kind: Fixed },
        "10,000 keys of 10 duplicates of 32 B put in random order into an empty DUPFIXED table",
    ),
    long(
        "B6/load/dupsort",
        Case::DupLoad { kind: Sort },
        "the same entries in order with each stack's fastest call, APPENDDUP",
    ),
    long(
        "B6/load/dupfixed",
        Case::DupLoad { kind: Fixed },
        "the same entries in order with each stack's fastest call: put_multiple in signet and raw, \
         APPENDDUP in reth, whose binding has no safe MULTIPLE put",
    ),
    short(
        "B6/dups/dupsort",
        Case::DupsOfKey { kind: Sort, walk: Step },
        "all 10 duplicates of each of 1,000 random keys: set, then next_dup",
    ),
    short(
        "B6/dups/dupfixed",
        Case::DupsOfKey { kind: Fixed, walk: Step },
        "the same on a DUPFIXED table",
    ),
    short(
        "B6/dups/dupsort/iterator",
        Case::DupsOfKey { kind: Sort, walk: Iter },
        "all 10 duplicates of each of 1,000 random keys: the stack's own iterator",
    ),
    short(
        "B6/dups/dupfixed/iterator",
        Case::DupsOfKey { kind: Fixed, walk: Iter },
        "the same on a DUPFIXED table, where signet has an iterator that fetches pages; reth's \
         fetches single duplicates",
    ),
    short(
        "B6/dups/dupfixed/paged",
        Case::DupsOfKey { kind: Fixed, walk: Paged },
        "all 10 duplicates of each of 1,000 random keys in one page: get_multiple, next_multiple",
    ),
    short(
        "B6/scan/dupsort",
        Case::DupScan { kind: Sort, walk: Step },
        "first, then next to the end of 100,000 duplicates",
    ),
    short(
        "B6/scan/dupfixed",
        Case::DupScan { kind: Fixed, walk: Step },
        "the same on a DUPFIXED table",
    ),
    short(
        "B6/scan/dupsort/iterator",
        Case::DupScan { kind: Sort, walk: Iter },
        "the stack's plain iterator, which runs over duplicates, over 100,000 of them",
    ),
    short(
        "B6/scan/dupfixed/iterator",
        Case::DupScan { kind: Fixed, walk: Iter },
        "the same on a DUPFIXED table, where signet has an iterator that fetches pages; reth's \
         fetches single duplicates",
    ),
    short(
        "B6/scan/dupfixed/paged",
        Case::DupScan { kind: Fixed, walk: Paged },
        "100,000 duplicates a page at a time: get_multiple, next_multiple, next_nodup",
    ),
    short(
        "B7/1",
        Case::Commit { puts: 1, placement: Pinned },
        "commit after 1 changed put to a table of 100,000; the process on one CPU",
    ),
    short(
        "B7/1/free",
        Case::Commit { puts: 1, placement: Free },
        "the same, the process on any CPU",
    ),
    short(
        "B7/100",
        Case::Commit { puts: 100, placement: Pinned },
        "commit after 100 changed puts to a table of 100,000",
    ),
    short(
        "B7/1000",
        Case::Commit { puts: 1_000, placement: Pinned },
        "commit after 1,000 changed puts to a table of 100,000",
    ),
    long(
        "B7/10000",
        Case::Commit { puts: 10_000, placement: Pinned },
        "commit after 10,000 changed puts to a table of 100,000",
    ),
    short(
        "H1/account/hit",
        Case::Accounts { half_miss: false },
        "1,000 random look-ups among 100,000 accounts, all found",
    ),
    short(
        "H1/account/half-miss",
        Case::Accounts { half_miss: true },
        "1,000 random look-ups among 100,000 accounts, every other one absent, absent ones spread \
         over the key range",
    ),
    short(
        "H1/hashed",
        Case::HashedAccounts { hashing: Hashing::AsNode },
        "the look-ups of H1/account/hit as each stack's current node makes them: reth hashes the \
         address, with its release's cache of hashes, and reads HashedAccounts; signet reads its plain \
         table",
    ),
    short(
        "H1/hashed/uncached",
        Case::HashedAccounts { hashing: Hashing::Uncached },
        "the same, reth computing every hash, as for addresses that its cache has not met",
    ),
    short(
        "H2/slot/per-call",
        Case::Slots { cursor: PerCall },
        "1,000 random slots of 10,000 addresses of 10 slots, each by the stack's production call",
    ),
    short(
        "H2/slot/reused",
        Case::Slots { cursor: Reused },
        "1,000 random slots of 10,000 addresses of 10 slots, through one cursor",
    ),
    short(
        "H2/slots-of-address",
        Case::SlotsOfAddress,
        "all 10 slots of each of 1,000 random addresses, through one cursor",
    ),
    short(
        "H2/hashed",
        Case::HashedSlots { hashing: Hashing::AsNode },
        "the look-ups of H2/slot/per-call as each stack's current node makes them: reth hashes \
         address and slot, with its release's cache of hashes, and reads HashedStorages; signet reads \
         its plain table",
    ),
    short(
        "H2/hashed/uncached",
        Case::HashedSlots { hashing: Hashing::Uncached },
        "the same, reth computing every hash, as for slots that its cache has not met",
    ),
    short(
        "H3/header/random",
        Case::HeadersRandom,
        "1,000 random look-ups among 10,000 post-Cancun headers",
    ),
    short(
        "H3/header/sequential",
        Case::HeadersSequential,
        "1,000 headers of consecutive numbers among 10,000, through the stack's range iterator",
    ),
    short(
        "H4/ingest/1",
        Case::Ingest { blocks: 1 },
        "1 block: 100 account updates, 500 slot updates, 1 header and its hash",
    ),
    short("H4/ingest/10", Case::Ingest { blocks: 10 }, "10 such blocks, one transaction each"),
    long("H4/ingest/100", Case::Ingest { blocks: 100 }, "100 such blocks, one transaction each"),
    short(
        "H5/accounts/mainnet",
        Case::ScanAccounts { mix: Mix::Mainnet },
        "all 100,000 accounts, of which 80.8 % have no code",
    ),
    short(
        "H5/accounts/contracts",
        Case::ScanAccounts { mix: Mix::Contracts },
        "all 100,000 accounts, every one a contract",
    ),
    short("H5/headers", Case::ScanHeaders, "all 10,000 post-Cancun headers"),
    long(
        "H6/mixed/per-call",
        Case::Mixed { cursor: PerCall },
        "10 blocks: 200 account reads and 1,000 slot reads by the production calls, then H4's writes",
    ),
    long(
        "H6/mixed/reused",
        Case::Mixed { cursor: Reused },
        "10 blocks: 200 account reads and 1,000 slot reads through one cursor each, then H4's writes",
    ),
];

impl Bench {
    /// Name of the group: the id up to its first slash.
    pub fn group(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }

    /// Layer of the group.
    ///
    /// # Panics
    /// If the group is not in [`GROUPS`], which a test excludes.
    pub fn layer(&self) -> Layer {
        group(self.group()).expect("every benchmark has a group").layer
    }

    /// What one iteration processes at `scale`: look-ups, entries, puts, blocks, or 1 for a single
    /// operation.
    pub const fn elements(&self, scale: Scale) -> u64 {
        let count = match self.case {
            Case::BeginRo { .. } | Case::BeginRw { .. } | Case::Commit { .. } => 1,
            Case::Get { .. }
            | Case::GetDirty
            | Case::Accounts { .. }
            | Case::HashedAccounts { .. }
            | Case::Slots { .. }
            | Case::HashedSlots { .. }
            | Case::HeadersRandom
            | Case::HeadersSequential => scale.lookups(),
            Case::Upsert { puts } | Case::Insert { puts } | Case::Append { puts } => scale.of(puts),
            Case::ScanForward { .. } | Case::ScanReverse | Case::ScanAccounts { .. } => {
                scale.large()
            }
            Case::SeekRange => scale.range(),
            Case::DupInsert { .. } | Case::DupLoad { .. } | Case::DupScan { .. } => {
                scale.medium() * DUPS
            }
            Case::DupsOfKey { .. } | Case::SlotsOfAddress => scale.lookups() * DUPS,
            Case::ScanHeaders => scale.medium(),
            Case::Ingest { blocks } => scale_blocks(blocks, scale),
            Case::Mixed { .. } => scale_blocks(MIXED_BLOCKS, scale),
        };
        count as u64
    }

    /// Most by which one commit of this benchmark may advance the transaction id: 1 for small
    /// commits. A commit that retires more pages than one GC record holds (about 1,000 page
    /// numbers of four bytes) splits the list over several records, each with a transaction id of
    /// its own (libmdbx, `MDBX_ENABLE_BIGFOOT`), so that large ones advance it by a few.
    pub const fn max_txnid_per_commit(&self, scale: Scale) -> u64 {
        let puts = match self.case {
            Case::Upsert { puts } | Case::Commit { puts, .. } => scale.of(puts),
            Case::Insert { puts } | Case::Append { puts } => scale.of(puts),
            Case::DupInsert { .. } | Case::DupLoad { .. } => scale.medium() * DUPS,
            Case::Ingest { .. } | Case::Mixed { .. } => 700,
            _ => 0,
        };
        // A put retires at most a root-to-leaf path, and a path is at most five pages long here.
        1 + (puts as u64 * 5) / 1_000
    }

    /// What [`Self::elements`] counts.
    pub const fn unit(&self) -> &'static str {
        match self.case {
            Case::BeginRo { .. } | Case::BeginRw { .. } => "transaction",
            Case::Commit { .. } => "commit",
            Case::Get { .. } | Case::GetDirty => "look-up",
            Case::Accounts { .. } | Case::HashedAccounts { .. } => "look-up",
            Case::Slots { .. } | Case::HashedSlots { .. } => "look-up",
            Case::HeadersRandom | Case::HeadersSequential => "look-up",
            Case::Upsert { .. } | Case::Insert { .. } | Case::Append { .. } => "put",
            Case::DupInsert { .. } | Case::DupLoad { .. } => "put",
            Case::ScanForward { .. } | Case::ScanReverse | Case::SeekRange => "entry",
            Case::DupScan { .. } | Case::DupsOfKey { .. } => "duplicate",
            Case::SlotsOfAddress => "slot",
            Case::ScanAccounts { .. } | Case::ScanHeaders => "row",
            Case::Ingest { .. } | Case::Mixed { .. } => "block",
        }
    }
}

/// Blocks of an ingestion at `scale`: `large` has larger state, not more blocks.
pub const fn scale_blocks(blocks: usize, scale: Scale) -> usize {
    match scale {
        Scale::Smoke => Scale::Smoke.of(blocks),
        Scale::Default | Scale::Large => blocks,
    }
}

/// The group named `name`.
pub fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|g| g.name == name)
}

/// The benchmark with this id.
pub fn bench(id: &str) -> Option<&'static Bench> {
    BENCHES.iter().find(|b| b.id == id)
}

/// Benchmarks of a layer, in catalogue order.
pub fn of_layer(layer: Layer) -> impl Iterator<Item = &'static Bench> {
    BENCHES.iter().filter(move |b| b.layer() == layer)
}

/// A filter of the command line that matches nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no benchmark matches `{filter}`; a filter is a group, the start of an id or a part of one"
)]
pub struct NoMatch {
    /// The filter.
    pub filter: String,
}

/// Benchmarks that any of `filters` matches, in catalogue order; all of them if there is none.
///
/// A filter is a group (`B2`), a prefix of an id (`H2/slot`) or a substring, in that order of
/// precedence, so that `B1` never selects `.../B1...` by accident.
///
/// # Errors
/// [`NoMatch`] for the first filter that matches nothing.
pub fn select(filters: &[String]) -> Result<Vec<&'static Bench>, NoMatch> {
    if filters.is_empty() {
        return Ok(BENCHES.iter().collect());
    }
    let mut chosen = vec![false; BENCHES.len()];
    for filter in filters {
        let rules: [&dyn Fn(&Bench) -> bool; 3] = [
            &|b| b.group().eq_ignore_ascii_case(filter),
            &|b| b.id.starts_with(filter.as_str()),
            &|b| b.id.contains(filter.as_str()),
        ];
        let hits = rules
            .iter()
            .map(|rule| {
                BENCHES.iter().enumerate().filter(|(_, b)| rule(b)).map(|(i, _)| i).collect()
            })
            .find(|hits: &Vec<usize>| !hits.is_empty() && !filter.is_empty())
            .ok_or_else(|| NoMatch { filter: filter.clone() })?;
        hits.into_iter().for_each(|i| chosen[i] = true);
    }
    Ok(BENCHES.iter().zip(chosen).filter(|(_, c)| *c).map(|(b, _)| b).collect())
}

/// Writes state of a block at this scale, for BENCH_SPEC.md.
pub fn block_line(scale: Scale) -> String {
    let BlockShape { accounts, slots, account_reads, slot_reads } = BlockShape::at(scale);
    format!(
        "{accounts} account updates, {slots} slot updates, 1 header and its hash; H6 reads \
         {account_reads} accounts and {slot_reads} slots first"
    )
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ids_are_unique_and_grouped() {
        let ids: HashSet<_> = BENCHES.iter().map(|b| b.id).collect();
        assert_eq!(ids.len(), BENCHES.len());
        for bench in BENCHES {
            assert!(group(bench.group()).is_some(), "{} has no group", bench.id);
            assert!(bench.id.chars().all(|c| c.is_ascii_alphanumeric() || "/-".contains(c)));
        }
        for group in GROUPS {
            assert!(BENCHES.iter().any(|b| b.group() == group.name), "{} is empty", group.name);
        }
    }

    #[test]
    fn groups_stand_together_in_the_order_of_a_run() {
        let mut order: Vec<_> = BENCHES.iter().map(|b| b.group()).collect();
        order.dedup();
        assert_eq!(order, GROUPS.iter().map(|g| g.name).collect::<Vec<_>>());
    }

    #[test]
    fn each_benchmark_states_its_own_elements() {
        let elements = |id| bench(id).expect(id).elements(Scale::Default);
        assert_eq!(elements("B1/ro-begin-drop"), 1);
        assert_eq!(elements("B2/get/32B"), 1_000);
        assert_eq!(elements("B3/append/10000"), 10_000);
        assert_eq!(elements("B4/reverse"), 100_000);
        assert_eq!(elements("B6/dups/dupsort"), 10_000);
        assert_eq!(elements("B7/10000"), 1);
        assert_eq!(elements("H2/slots-of-address"), 10_000);
        assert_eq!(elements("H4/ingest/100"), 100);
        assert_eq!(elements("H6/mixed/per-call"), 10);
    }

    #[test]
    fn the_plain_build_measures_what_its_features_can_change() {
        let plain: Vec<_> = BENCHES.iter().filter(|b| b.build == Build::Plain).collect();
        for bench in &plain {
            assert_eq!(bench.layer(), Layer::Bindings, "the typed layer turns the features on");
            let node = bench.id.strip_suffix("/plain").and_then(super::bench).expect(bench.id);
            assert_eq!(node.build, Build::Node);
        }
        assert_eq!(plain.len(), select(&["plain".into()]).expect("some").len());
    }

    #[test]
    fn filters_prefer_group_then_prefix_then_substring() {
        let ids = |f: &str| -> Vec<_> {
            select(&[f.to_owned()]).expect(f).iter().map(|b| b.id).collect()
        };
        assert_eq!(ids("B2").len(), 9);
        assert_eq!(ids("b2").len(), 9);
        assert_eq!(ids("H2/slot/"), ["H2/slot/per-call", "H2/slot/reused"]);
        assert_eq!(ids("free").len(), 3);
        assert_eq!(
            select(&["NOPE".into()]).expect_err("matches nothing"),
            NoMatch { filter: "NOPE".into() }
        );
        assert!(select(&[String::new()]).is_err());
        assert_eq!(select(&[]).expect("everything").len(), BENCHES.len());
    }
}
