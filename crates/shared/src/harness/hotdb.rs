//! Layer H: databases, verification and measurement of every case, and the genesis check.

use super::{Bencher, Observed, Process, Side, Slot, exit, measure, no_op, outside, slots};
use crate::{
    binding::AnyError,
    catalogue::{AccountMix, Bench, Case, CursorUse, Hashing, Layer, MIXED_BLOCKS, scale_blocks},
    config::EnvConfig,
    genesis::{self, StateAccount},
    hotdb::{HotDb, HotRead, HotSide, HotVisitor, HotWrite, canonical_header, canonical_slot},
    hotdb_model::{ReadBack, State},
    job::{GenesisCheck, Mode},
    scale::Scale,
    sink::{Recorder, Sink, Touch, Value},
    state::{AccountSpec, Accounts, Block, Blocks, Storage, headers},
    workload::hotdb as work,
};
use alloy_consensus::Header;
use alloy_primitives::{Address, B256, U256};
use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::BTreeMap,
    hint::black_box,
    process::ExitCode,
};
use tempfile::TempDir;

/// The `main` of a side's `hotdb` bench.
pub fn hotdb<S: Side + HotSide>() -> ExitCode {
    if let Some(code) = outside::probe::<S>() {
        return code;
    }
    exit(|| {
        let mut process = Process::start::<S>(Layer::HotDb, S::ARMS)?;
        let data = Data::new(process.job.scale);
        match process.job.mode {
            Mode::Verify => {
                if process.job.genesis {
                    check_genesis::<S>(&mut process)?;
                }
                verify::<S>(&mut process, &data)?;
            }
            Mode::Measure => {
                if process.standalone {
                    check_genesis::<S>(&mut process)?;
                    verify::<S>(&mut process, &data)?;
                }
                if process.is_sound() {
                    measure::<S>(&mut process, &data)?;
                }
            }
        }
        process.finish()
    })
}

/// The data of a process, each part generated when it is first asked for.
struct Data {
    scale: Scale,
    mainnet: OnceCell<Accounts>,
    contracts: OnceCell<Accounts>,
    storage: OnceCell<Storage>,
    headers: OnceCell<Vec<Header>>,
}

impl Data {
    const fn new(scale: Scale) -> Self {
        Self {
            scale,
            mainnet: OnceCell::new(),
            contracts: OnceCell::new(),
            storage: OnceCell::new(),
            headers: OnceCell::new(),
        }
    }

    fn accounts(&self, mix: AccountMix) -> &Accounts {
        let cell = match mix {
            AccountMix::Mainnet => &self.mainnet,
            AccountMix::Contracts => &self.contracts,
        };
        cell.get_or_init(|| Accounts::new(mix, self.scale))
    }

    fn storage(&self) -> &Storage {
        self.storage.get_or_init(|| Storage::new(self.accounts(AccountMix::Mainnet), self.scale))
    }

    fn headers(&self) -> &[Header] {
        self.headers.get_or_init(|| headers(self.scale.medium()))
    }

    /// Blocks of an ingestion, never yet renewed.
    fn blocks(&self, case: Case) -> Blocks {
        let count = match case {
            Case::Ingest { blocks } => blocks,
            _ => MIXED_BLOCKS,
        };
        Blocks::new(
            scale_blocks(count, self.scale),
            self.accounts(AccountMix::Mainnet),
            self.storage(),
            self.headers().len() as u64,
            self.scale,
        )
    }
}

/// What a database holds before a case runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    Accounts(AccountMix),
    /// Accounts in the table that the stack's current node reads.
    HashedAccounts,
    Storage,
    /// Storage in the table that the stack's current node reads.
    HashedStorage,
    Headers,
    /// Accounts, storage and headers.
    State,
}

impl Contents {
    const fn of(case: Case) -> Self {
        match case {
            Case::Accounts { .. } => Self::Accounts(AccountMix::Mainnet),
            Case::ScanAccounts { mix } => Self::Accounts(mix),
            Case::HashedAccounts { .. } => Self::HashedAccounts,
            Case::HashedSlots { .. } => Self::HashedStorage,
            Case::Slots { .. } | Case::SlotsOfAddress => Self::Storage,
            Case::HeadersRandom | Case::HeadersSequential | Case::ScanHeaders => Self::Headers,
            _ => Self::State,
        }
    }

    /// Whether cases on it write: then each arm gets a database of its own, built alike.
    const fn is_written(self) -> bool {
        matches!(self, Self::State)
    }
}

/// An open database with its contents, and its directory. Fields drop in order: the database is
/// closed before its directory is removed.
struct Fixture<S: HotSide> {
    db: S::Db,
    contents: Contents,
    dir: TempDir,
}

impl<S: Side + HotSide> Fixture<S> {
    fn empty(process: &mut Process, contents: Contents) -> Result<Self, AnyError> {
        let dir = process.fresh_dir()?;
        let config = EnvConfig::HOTDB;
        let db = S::open(dir.path(), &config)?;
        let effective = outside::state(dir.path())?.effective;
        for arm in S::ARMS {
            process.keep_config(arm, &config, effective.clone())?;
        }
        Ok(Self { db, contents, dir })
    }

    fn new(process: &mut Process, data: &Data, contents: Contents) -> Result<Self, AnyError> {
        let fixture = Self::empty(process, contents)?;
        S::with_arm(&fixture.db, S::ARMS[0], Fill { data, contents })?;
        Ok(fixture)
    }
}

/// Writes a database's contents in ascending order.
struct Fill<'a> {
    data: &'a Data,
    contents: Contents,
}

impl HotVisitor for Fill<'_> {
    type Output = ();

    fn visit<D: HotDb>(self, arm: &D) -> Result<(), AnyError> {
        let Self { data, contents } = self;
        let writer = arm.writer()?;
        if let Contents::Accounts(mix) = contents {
            writer.append_accounts(data.accounts(mix).iter())?;
        }
        if contents == Contents::State {
            writer.append_accounts(data.accounts(AccountMix::Mainnet).iter())?;
        }
        if contents == Contents::HashedAccounts {
            writer.append_hashed_accounts(data.accounts(AccountMix::Mainnet).iter())?;
        }
        if contents == Contents::HashedStorage {
            writer.append_hashed_storage(data.storage().iter())?;
        }
        if matches!(contents, Contents::Storage | Contents::State) {
            writer.append_storage(data.storage().iter())?;
        }
        if matches!(contents, Contents::Headers | Contents::State) {
            writer.append_headers(data.headers().iter())?;
        }
        Ok(writer.commit()?)
    }
}

fn shared<'f, S: Side + HotSide>(
    fixtures: &'f mut Vec<Fixture<S>>,
    process: &mut Process,
    data: &Data,
    contents: Contents,
) -> Result<&'f Fixture<S>, AnyError> {
    let index = match fixtures.iter().position(|fixture| fixture.contents == contents) {
        Some(index) => index,
        None => {
            fixtures.push(Fixture::new(process, data, contents)?);
            fixtures.len() - 1
        }
    };
    Ok(&fixtures[index])
}

/// A reading case with the keys it needs.
struct Reading {
    case: Case,
    addresses: Vec<Address>,
    slots: Vec<(Address, U256)>,
    numbers: Vec<u64>,
}

impl Reading {
    fn new(case: Case, data: &Data) -> Self {
        let mut reading =
            Self { case, addresses: Vec::new(), slots: Vec::new(), numbers: Vec::new() };
        let scale = data.scale;
        match case {
            Case::Accounts { .. } | Case::HashedAccounts { .. } => {
                let half_miss = matches!(case, Case::Accounts { half_miss: true });
                let accounts = data.accounts(AccountMix::Mainnet);
                reading.addresses = accounts.lookups(half_miss, scale);
            }
            Case::Slots { .. } | Case::HashedSlots { .. } => {
                reading.slots = data.storage().lookups(scale)
            }
            Case::SlotsOfAddress => {
                let storage = data.storage();
                let chosen = storage.address_lookups(scale);
                reading.addresses = chosen.into_iter().map(|i| storage.addresses[i]).collect();
            }
            Case::HeadersRandom => {
                let mut rng = crate::rng::Rng::new(crate::rng::Purpose::Lookups);
                let count = data.headers().len();
                reading.numbers = (0..scale.lookups()).map(|_| rng.below(count) as u64).collect();
            }
            Case::HeadersSequential => {
                let first = (data.headers().len() - scale.lookups()) as u64 / 2;
                reading.numbers = (first..first + scale.lookups() as u64).collect();
            }
            _ => {}
        }
        reading
    }

    /// One iteration.
    #[inline]
    fn run<D: HotDb, R: HotRead<D>, S: Sink>(
        &self,
        reader: &R,
        sink: &mut S,
    ) -> Result<(), D::Error> {
        match self.case {
            Case::Accounts { .. } => {
                work::accounts::<D, _, _>(reader, &self.addresses, CursorUse::PerCall, sink)
            }
            Case::HashedAccounts { hashing: Hashing::AsNode } => {
                work::hashed_accounts::<true, D, _, _>(reader, &self.addresses, sink)
            }
            Case::HashedAccounts { hashing: Hashing::Uncached } => {
                work::hashed_accounts::<false, D, _, _>(reader, &self.addresses, sink)
            }
            Case::Slots { cursor } => work::slots::<D, _, _>(reader, &self.slots, cursor, sink),
            Case::HashedSlots { hashing: Hashing::AsNode } => {
                work::hashed_slots::<true, D, _, _>(reader, &self.slots, sink)
            }
            Case::HashedSlots { hashing: Hashing::Uncached } => {
                work::hashed_slots::<false, D, _, _>(reader, &self.slots, sink)
            }
            Case::SlotsOfAddress => {
                work::slots_of_addresses::<D, _, _>(reader, &self.addresses, sink)
            }
            Case::HeadersRandom => work::headers::<D, _, _>(reader, &self.numbers, sink),
            Case::HeadersSequential => {
                let numbers = self.numbers[0]..=self.numbers[self.numbers.len() - 1];
                work::header_range::<D, _, _>(reader, numbers, sink)
            }
            Case::ScanAccounts { .. } => work::scan_accounts::<D, _, _>(reader, sink),
            Case::ScanHeaders => work::scan_headers::<D, _, _>(reader, sink),
            case => unreachable!("{case:?} does not only read"),
        }
    }
}

/// What `case` reads, computed from the generated data alone.
fn expected_reads(case: Case, data: &Data) -> Recorder {
    let mut out = Recorder::default();
    let reading = Reading::new(case, data);
    match case {
        Case::Accounts { .. } | Case::HashedAccounts { .. } => {
            let accounts = data.accounts(AccountMix::Mainnet);
            for address in &reading.addresses {
                match accounts.addresses.binary_search(address) {
                    Ok(i) => out.found(address.as_slice(), &accounts.accounts[i].canonical()),
                    Err(_) => out.miss(address.as_slice()),
                }
            }
        }
        Case::Slots { .. } | Case::HashedSlots { .. } => {
            let storage = data.storage();
            let values: BTreeMap<_, _> =
                storage.iter().map(|(address, slot, value)| ((*address, *slot), value)).collect();
            for pair in &reading.slots {
                match values.get(pair) {
                    Some(value) => out.found(pair.0.as_slice(), &value.canonical()),
                    None => out.miss(pair.0.as_slice()),
                }
            }
        }
        Case::SlotsOfAddress => {
            let storage = data.storage();
            for index in storage.address_lookups(data.scale) {
                for (slot, value) in &storage.slots[index] {
                    out.found(storage.addresses[index].as_slice(), &canonical_slot(slot, value));
                }
            }
        }
        Case::HeadersRandom | Case::HeadersSequential => {
            for number in &reading.numbers {
                let header = &data.headers()[*number as usize];
                out.found(&number.to_be_bytes(), &canonical_header(header));
            }
        }
        Case::ScanAccounts { mix } => {
            for (address, account) in data.accounts(mix).iter() {
                out.found(address.as_slice(), &account.canonical());
            }
        }
        Case::ScanHeaders => {
            for header in data.headers() {
                out.found(&header.number.to_be_bytes(), &canonical_header(header));
            }
        }
        _ => {}
    }
    out
}

/// The state that blocks are written on.
fn state(data: &Data) -> State {
    let accounts = data.accounts(AccountMix::Mainnet).iter();
    State::new(accounts, data.storage().iter(), data.headers())
}

fn verify<S: Side + HotSide>(process: &mut Process, data: &Data) -> Result<(), AnyError> {
    let mut fixtures = Vec::new();
    for bench in process.benches() {
        let contents = Contents::of(bench.case);
        let (blocks, wanted) = if contents.is_written() {
            let mut blocks = data.blocks(bench.case);
            blocks.renew();
            let (mut state, mut wanted) = (state(data), Recorder::default());
            for block in &blocks.blocks {
                if matches!(bench.case, Case::Mixed { .. }) {
                    state.read(block, &mut wanted);
                }
                state.apply(block);
            }
            state.rows(&mut wanted);
            (Some(blocks), wanted)
        } else {
            (None, expected_reads(bench.case, data))
        };
        for arm in S::ARMS {
            let failed = |error| format!("arm {arm} of {}: {error}", bench.id);
            let mut seen = match &blocks {
                None => {
                    let fixture = shared::<S>(&mut fixtures, process, data, contents)?;
                    let run = VerifyReads { bench, data };
                    S::with_arm(&fixture.db, arm, run).map_err(failed)?
                }
                Some(blocks) => {
                    let fixture = Fixture::<S>::new(process, data, contents)?;
                    let before = outside::state(fixture.dir.path())?;
                    let run = VerifyWrites { case: bench.case, blocks };
                    let mut seen = S::with_arm(&fixture.db, arm, run).map_err(failed)?;
                    let after = outside::state(fixture.dir.path())?;
                    let rows =
                        S::with_arm(&fixture.db, arm, ReadBack(&blocks.blocks)).map_err(failed)?;
                    seen.records.extend(rows);
                    seen.commits = Some(blocks.blocks.len() as u64);
                    seen.txnid_advance = Some(after.last_txnid - before.last_txnid);
                    seen.used_pages = Some(after.used_pages);
                    seen.syncs = Some(after.syncs - before.syncs);
                    seen
                }
            };
            seen.look_ups = matches!(
                bench.case,
                Case::Accounts { .. }
                    | Case::HashedAccounts { .. }
                    | Case::Slots { .. }
                    | Case::HashedSlots { .. }
                    | Case::HeadersRandom
            );
            process.keep_check(bench, arm, seen, &wanted);
        }
    }
    Ok(())
}

struct VerifyReads<'a> {
    bench: &'a Bench,
    data: &'a Data,
}

impl HotVisitor for VerifyReads<'_> {
    type Output = Observed;

    fn visit<D: HotDb>(self, arm: &D) -> Result<Observed, AnyError> {
        let mut seen = Observed::default();
        let reader = arm.reader()?;
        Reading::new(self.bench.case, self.data).run::<D, _, _>(&reader, &mut seen.records)?;
        Ok(seen)
    }
}

struct VerifyWrites<'a> {
    case: Case,
    blocks: &'a Blocks,
}

impl HotVisitor for VerifyWrites<'_> {
    type Output = Observed;

    fn visit<D: HotDb>(self, arm: &D) -> Result<Observed, AnyError> {
        let mut seen = Observed::default();
        match self.case {
            Case::Mixed { cursor } => {
                let blocks: Vec<_> = prepared_with_reads::<D>(self.blocks);
                work::mixed(arm, &blocks, cursor, &mut seen.records)?;
                // Every read of H6 is of a row that exists.
                let reads = seen.records.len();
                if seen.records.hits() != reads {
                    return Err("a read of H6 missed".into());
                }
                seen.hit_rate = Some(seen.records.hits() as f64 / reads as f64);
            }
            _ => work::ingest(arm, &prepared::<D>(self.blocks))?,
        }
        Ok(seen)
    }
}

fn prepared<D: HotDb>(blocks: &Blocks) -> Vec<D::Prepared> {
    blocks.blocks.iter().map(D::prepare).collect()
}

fn prepared_with_reads<D: HotDb>(blocks: &Blocks) -> Vec<(Block, D::Prepared)> {
    blocks.blocks.iter().map(|block| (block.clone(), D::prepare(block))).collect()
}

fn measure<S: Side + HotSide>(process: &mut Process, data: &Data) -> Result<(), AnyError> {
    let mut criterion = measure::criterion(&process.job, process.standalone);
    let mut fixtures = Vec::new();
    for bench in process.benches() {
        let contents = Contents::of(bench.case);
        for Slot { arm, is_filler } in slots(&process.job, S::ARMS) {
            let mut bencher = Bencher::new(&mut criterion, bench, &process.job, is_filler);
            let fresh;
            let fixture = if contents.is_written() {
                fresh = Fixture::<S>::new(process, data, contents)?;
                &fresh
            } else {
                shared::<S>(&mut fixtures, process, data, contents)?
            };
            let commits = Cell::new(0);
            let run = Measure { case: bench.case, data, bencher: &mut bencher, commits: &commits };
            if !contents.is_written() {
                S::with_arm(&fixture.db, arm, run)?;
                continue;
            }
            let before = outside::state(fixture.dir.path())?.last_txnid;
            S::with_arm(&fixture.db, arm, run)?;
            let advance = outside::state(fixture.dir.path())?.last_txnid - before;
            if let Some(why) = no_op(bench, process.job.scale, commits.get(), advance) {
                return Err(format!("arm {arm} of {}: {why}", bench.id).into());
            }
        }
    }
    Ok(())
}

/// Times a case on one arm.
struct Measure<'a, 'c> {
    case: Case,
    data: &'a Data,
    bencher: &'a mut Bencher<'c>,
    /// Counts the commits, each of which must advance the transaction id.
    commits: &'a Cell<u64>,
}

impl HotVisitor for Measure<'_, '_> {
    type Output = ();

    fn visit<D: HotDb>(self, arm: &D) -> Result<(), AnyError> {
        let Self { case, data, bencher, commits } = self;
        let committed = |blocks: &Blocks| commits.set(commits.get() + blocks.blocks.len() as u64);
        match case {
            Case::Ingest { .. } => {
                let mut blocks = data.blocks(case);
                bencher.iter_prepared(
                    D::ARM,
                    || {
                        blocks.renew();
                        committed(&blocks);
                        Ok(prepared::<D>(&blocks))
                    },
                    // Handed back, so that dropping the prepared blocks is not timed.
                    |blocks| work::ingest(arm, &blocks).map(|()| blocks),
                    || Ok(()),
                );
            }
            Case::Mixed { cursor } => {
                let blocks = RefCell::new(data.blocks(case));
                bencher.iter_prepared(
                    D::ARM,
                    || {
                        blocks.borrow_mut().renew();
                        committed(&blocks.borrow());
                        Ok(prepared_with_reads::<D>(&blocks.borrow()))
                    },
                    |blocks| -> Result<_, D::Error> {
                        let mut sink = Touch::default();
                        work::mixed(arm, &blocks, cursor, &mut sink)?;
                        black_box(sink.sum());
                        Ok(blocks)
                    },
                    || Ok(()),
                );
            }
            case => {
                let reading = Reading::new(case, data);
                let reader = arm.reader()?;
                bencher.iter(D::ARM, || -> Result<u64, D::Error> {
                    let mut sink = Touch::default();
                    reading.run::<D, _, _>(&reader, &mut sink)?;
                    Ok(black_box(sink.sum()))
                });
            }
        }
        Ok(())
    }
}

/// Loads the mainnet genesis allocation into each arm's own database and folds a full scan of it
/// into a state root.
fn check_genesis<S: Side + HotSide>(process: &mut Process) -> Result<(), AnyError> {
    for arm in S::ARMS {
        let fixture = Fixture::<S>::empty(process, Contents::Accounts(AccountMix::Mainnet))?;
        let check = S::with_arm(&fixture.db, arm, Genesis)
            .map_err(|error| format!("arm {arm}, genesis: {error}"))?;
        process.keep_genesis(check);
    }
    Ok(())
}

/// Runs the genesis check of every arm, for tests.
///
/// # Errors
/// Names the arm whose accounts fold to another root.
pub fn verify_genesis<S: Side + HotSide>() -> Result<(), AnyError> {
    let mut process = Process::start::<S>(Layer::HotDb, S::ARMS)?;
    check_genesis::<S>(&mut process)?;
    process.into_result()
}

/// Verifies every benchmark of the layer in this process, for tests of an adapter.
///
/// # Errors
/// Names the first arm and benchmark that fails, and how.
pub fn verify_hotdb<S: Side + HotSide>(scale: Scale) -> Result<(), AnyError> {
    let mut process = Process::start::<S>(Layer::HotDb, S::ARMS)?;
    process.job.scale = scale;
    verify::<S>(&mut process, &Data::new(scale))?;
    process.into_result()
}

struct Genesis;

impl HotVisitor for Genesis {
    type Output = GenesisCheck;

    fn visit<D: HotDb>(self, arm: &D) -> Result<GenesisCheck, AnyError> {
        let accounts = genesis::mainnet()?;
        let specs: Vec<_> = accounts
            .iter()
            .map(|account| AccountSpec { nonce: 0, balance: account.balance, code_hash: None })
            .collect();
        let writer = arm.writer()?;
        writer.append_accounts(accounts.iter().map(|account| &account.address).zip(&specs))?;
        writer.commit()?;

        let mut rows = Vec::new();
        arm.reader()?.for_each_account(|address, account| {
            rows.push((*address, account.canonical()));
        })?;
        let state = rows.iter().map(|(address, row)| {
            // nonce, balance, and the code hash if there is one: `AccountSpec::canonical`.
            let (nonce, rest) = row.split_at(8);
            let (balance, code) = rest.split_at(32);
            StateAccount {
                address: *address,
                nonce: U256::from_be_slice(nonce).to(),
                balance: U256::from_be_slice(balance),
                code_hash: (code.len() == 32).then(|| B256::from_slice(code)),
            }
        });
        let root = genesis::state_root(state);
        Ok(GenesisCheck {
            arm: D::ARM.to_owned(),
            accounts: rows.len() as u64,
            state_root: root.to_string(),
            verified: root == genesis::MAINNET_STATE_ROOT
                && rows.len() == genesis::MAINNET_ACCOUNTS,
        })
    }
}
