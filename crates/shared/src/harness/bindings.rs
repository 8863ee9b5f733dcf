//! Layer B: environments, verification and measurement of every case.

use super::{Bencher, Observed, Process, Side, Slot, exit, measure, no_op, outside, slots};
use crate::{
    binding::{AnyError, Binding, BindingSide, BindingVisitor, Read, Write},
    catalogue::{Bench, Case, DupKind, Ending, Layer, Placement, Timeout, ValueSize},
    config::EnvConfig,
    data::{DupTable, Puts, Table},
    job::Mode,
    model::{Data, expected},
    sink::{Recorder, Sink, Touch},
    workload::bindings as work,
};
use std::{cell::Cell, hint::black_box, process::ExitCode};
use tempfile::TempDir;

/// Name of the one table of each environment.
pub const TABLE: &str = "bench";

/// The `main` of a side's `bindings` bench.
pub fn bindings<S: Side + BindingSide>() -> ExitCode {
    if let Some(code) = outside::probe::<S>() {
        return code;
    }
    exit(|| {
        let mut process = Process::start::<S>(Layer::Bindings, S::ARMS)?;
        let data = Data::new(process.job.scale);
        match process.job.mode {
            Mode::Verify => verify::<S>(&mut process, &data)?,
            Mode::Measure => {
                // A run of the suite has verified every arm before; nobody has for `cargo bench`.
                if process.standalone {
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

/// Verifies every benchmark of the layer in this process, for tests of an adapter.
///
/// # Errors
/// Names the first arm and benchmark that fails, and how.
pub fn verify_bindings<S: Side + BindingSide>(scale: crate::scale::Scale) -> Result<(), AnyError> {
    let mut process = Process::start::<S>(Layer::Bindings, S::ARMS)?;
    process.job.scale = scale;
    verify::<S>(&mut process, &Data::new(scale))?;
    process.into_result()
}

/// What an environment holds before a case runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    /// The sorted table of values of this size.
    Table(ValueSize),
    /// The duplicates.
    Dups(DupKind),
    /// An empty table.
    Empty(Option<DupKind>),
}

/// The environment that a case needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Needs {
    contents: Contents,
    timeout: Timeout,
    placement: Placement,
    /// Whether the case writes: then each arm gets an environment of its own, built alike.
    writes: bool,
}

impl Needs {
    const fn of(case: Case) -> Self {
        let (mut timeout, mut placement, mut writes) =
            (Timeout::AsRethDb, Placement::Pinned, false);
        let contents = match case {
            Case::BeginRo { timeout: wanted, .. } => {
                timeout = wanted;
                Contents::Table(ValueSize::B32)
            }
            Case::BeginRw { placement: wanted, .. } => {
                placement = wanted;
                Contents::Table(ValueSize::B32)
            }
            Case::Get { size, .. } => Contents::Table(size),
            Case::Upsert { .. } => {
                writes = true;
                Contents::Table(ValueSize::B32)
            }
            Case::Commit { placement: wanted, .. } => {
                (placement, writes) = (wanted, true);
                Contents::Table(ValueSize::B32)
            }
            Case::Insert { .. } | Case::Append { .. } => {
                writes = true;
                Contents::Empty(None)
            }
            Case::DupInsert { kind } | Case::DupLoad { kind } => {
                writes = true;
                Contents::Empty(Some(kind))
            }
            Case::DupsOfKey { kind, .. } | Case::DupScan { kind, .. } => Contents::Dups(kind),
            _ => Contents::Table(ValueSize::B32),
        };
        Self { contents, timeout, placement, writes }
    }
}

/// An open environment with its contents, and its directory. Fields drop in order: the environment
/// is closed before its directory is removed.
struct Fixture<S: BindingSide> {
    env: S::Env,
    needs: Needs,
    _dir: TempDir,
}

impl<S: Side + BindingSide> Fixture<S> {
    fn new(process: &mut Process, data: &Data, needs: Needs) -> Result<Self, AnyError> {
        // A manager thread runs where the thread that starts it may run, so the placement is set
        // before the environment is opened.
        match needs.placement {
            Placement::Pinned => process.affinity.pin()?,
            Placement::Free => process.affinity.free()?,
        }
        let dir = process.fresh_dir()?;
        let config = EnvConfig::BINDINGS;
        let env = S::open(dir.path(), &config, needs.timeout)?;
        let state = S::state(&env)?;
        for arm in S::ARMS {
            process.keep_config(arm, &config, state.effective.clone())?;
        }
        // By the raw arm, with the same C calls on both sides: equal bytes, equal pages.
        S::with_arm(&env, "raw", Fill { data, contents: needs.contents })?;
        Ok(Self { env, needs, _dir: dir })
    }
}

/// Fixtures of reading cases are kept for the cases after, since building one with 4 KiB values
/// takes a second.
struct Fixtures<S: BindingSide>(Vec<Fixture<S>>);

impl<S: Side + BindingSide> Fixtures<S> {
    fn shared(
        &mut self,
        process: &mut Process,
        data: &Data,
        needs: Needs,
    ) -> Result<&Fixture<S>, AnyError> {
        let index = match self.0.iter().position(|fixture| fixture.needs == needs) {
            Some(index) => index,
            None => {
                self.0.push(Fixture::new(process, data, needs)?);
                self.0.len() - 1
            }
        };
        match needs.placement {
            Placement::Pinned => process.affinity.pin()?,
            Placement::Free => process.affinity.free()?,
        }
        Ok(&self.0[index])
    }
}

/// Writes an environment's contents in ascending order.
struct Fill<'a> {
    data: &'a Data,
    contents: Contents,
}

impl BindingVisitor for Fill<'_> {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        let tx = arm.begin_rw()?;
        match self.contents {
            Contents::Table(size) => {
                let table = tx.create(TABLE, None)?;
                let Table { keys, mut values } = self.data.table(size);
                let mut value = vec![0; values.size()];
                for (index, key) in keys.iter().enumerate() {
                    values.fill(index, &mut value);
                    tx.append(table, key, &value)?;
                }
            }
            Contents::Dups(kind) => {
                let table = tx.create(TABLE, Some(kind))?;
                let DupTable { keys, dups } = self.data.dups();
                let groups = keys.iter().zip(dups);
                // One by one on both kinds, so that DUPSORT and DUPFIXED differ in nothing else.
                tx.load_dups(
                    table,
                    DupKind::Sort,
                    groups.map(|(key, dups)| (key.as_slice(), dups.as_slice())),
                )?;
            }
            Contents::Empty(dups) => {
                tx.create(TABLE, dups)?;
            }
        }
        Ok(tx.commit()?)
    }
}

fn verify<S: Side + BindingSide>(process: &mut Process, data: &Data) -> Result<(), AnyError> {
    let mut fixtures = Fixtures::<S>(Vec::new());
    for bench in process.benches() {
        let needs = Needs::of(bench.case);
        let wanted = expected(bench.case, data);
        for arm in S::ARMS {
            let failed = |error| format!("arm {arm} of {}: {error}", bench.id);
            let fresh;
            let fixture = if needs.writes {
                fresh = Fixture::<S>::new(process, data, needs)?;
                &fresh
            } else {
                fixtures.shared(process, data, needs)?
            };
            let before = S::state(&fixture.env)?;
            let run = Verify { bench, data, last_txnid: before.last_txnid };
            let (mut seen, model) = S::with_arm(&fixture.env, arm, run).map_err(failed)?;
            if needs.writes {
                // Re-read by the raw arm, so that a wrapper cannot vouch for itself.
                seen.records = S::with_arm(&fixture.env, "raw", ReadBack).map_err(failed)?;
                let after = S::state(&fixture.env)?;
                seen.txnid_advance = Some(after.last_txnid - before.last_txnid);
                seen.used_pages = Some(after.used_pages);
                seen.syncs = Some(after.syncs - before.syncs);
            }
            process.keep_check(bench, arm, seen, model.as_ref().unwrap_or(&wanted));
        }
    }
    Ok(())
}

/// Reads the whole table.
struct ReadBack;

impl BindingVisitor for ReadBack {
    type Output = Recorder;

    fn visit<B: Binding>(self, arm: &B) -> Result<Recorder, AnyError> {
        let tx = arm.begin_ro()?;
        let table = tx.open(TABLE)?;
        let mut out = Recorder::default();
        work::scan_forward::<B, _, _>(&tx, table, &mut out)?;
        Ok(out)
    }
}

/// Runs a case once on one arm. Yields what it saw, and the model where that depends on the state
/// of the environment (B1).
struct Verify<'a> {
    bench: &'a Bench,
    data: &'a Data,
    last_txnid: u64,
}

impl BindingVisitor for Verify<'_> {
    type Output = (Observed, Option<Recorder>);

    fn visit<B: Binding>(self, arm: &B) -> Result<Self::Output, AnyError> {
        let Self { bench, data, last_txnid } = self;
        let mut seen = Observed::default();
        match bench.case {
            Case::BeginRo { ending, .. } => {
                let id = arm.begin_ro()?.id()?;
                work::begin_ro(arm, ending)?;
                return Ok(snapshot(id, last_txnid));
            }
            Case::BeginRw { ending, .. } => {
                // Two in a row: neither an abort nor an empty commit uses its number up.
                work::begin_rw(arm, ending)?;
                let id = arm.begin_rw()?.id()?;
                return Ok(snapshot(id, last_txnid + 1));
            }
            Case::Upsert { .. } | Case::Insert { .. } => {
                let (table, puts) = prepare(arm, data, bench.case)?;
                work::upsert_batch(arm, table, &puts)?;
                seen.commits = Some(1);
            }
            Case::Append { .. } => {
                let (table, puts) = prepare(arm, data, bench.case)?;
                work::append_batch(arm, table, &puts)?;
                seen.commits = Some(1);
            }
            Case::Commit { .. } => {
                let (table, puts) = prepare(arm, data, bench.case)?;
                let tx = arm.begin_rw()?;
                work::put_all::<B, _>(&tx, table, &puts)?;
                tx.commit()?;
                seen.commits = Some(1);
            }
            Case::DupInsert { .. } => {
                work::dup_insert(arm, open(arm)?, &data.dups().shuffled())?;
                seen.commits = Some(1);
            }
            Case::DupLoad { kind } => {
                work::dup_load(arm, open(arm)?, kind, data.dups())?;
                seen.commits = Some(1);
            }
            Case::SeekRange => {
                let tx = arm.begin_ro()?;
                let table = tx.open(TABLE)?;
                let Table { keys, .. } = &data.table(ValueSize::B32);
                for start in data.table(ValueSize::B32).midpoints(data.scale) {
                    let count = data.scale.range();
                    work::seek_range::<B, _, _>(
                        &tx,
                        table,
                        &keys[start],
                        count,
                        &mut seen.records,
                    )?;
                }
            }
            Case::GetDirty => {
                seen.look_ups = true;
                let (tx, table, puts) = dirtied(arm, data)?;
                work::gets::<B, _, _>(&tx, table, &puts.keys, &mut seen.records)?;
            }
            case => {
                seen.look_ups = matches!(case, Case::Get { .. });
                let tx = arm.begin_ro()?;
                let table = tx.open(TABLE)?;
                Reading::new(case, data).run::<B, _, _>(&tx, table, &mut seen.records)?;
            }
        }
        Ok((seen, None))
    }
}

/// Records of B1: the snapshot that a transaction saw, and the one it must have seen.
fn snapshot(id: u64, wanted: u64) -> (Observed, Option<Recorder>) {
    let record = |id: u64| {
        let mut out = Recorder::default();
        out.found(b"transaction id", &id.to_be_bytes());
        out
    };
    (Observed { records: record(id), ..Observed::default() }, Some(record(wanted)))
}

fn open<B: Binding>(arm: &B) -> Result<B::Table, AnyError> {
    Ok(arm.begin_ro()?.open(TABLE)?)
}

fn prepare<B: Binding>(arm: &B, data: &Data, case: Case) -> Result<(B::Table, Puts), AnyError> {
    let mut puts = data.puts(case).ok_or("not a case that puts")?;
    puts.renew();
    Ok((open(arm)?, puts))
}

/// An open write transaction that has changed the values of the keys that B2 looks up. Dropping it
/// leaves the table as it was.
fn dirtied<'e, B: Binding>(
    arm: &'e B,
    data: &Data,
) -> Result<(B::Rw<'e>, B::Table, Puts), AnyError> {
    let (table, puts) = prepare(arm, data, Case::GetDirty)?;
    let tx = arm.begin_rw()?;
    work::put_all::<B, _>(&tx, table, &puts)?;
    Ok((tx, table, puts))
}

/// A reading case with the keys it needs.
struct Reading {
    case: Case,
    keys: Vec<crate::data::Key>,
}

impl Reading {
    fn new(case: Case, data: &Data) -> Self {
        let keys = match case {
            Case::Get { size, .. } => data.lookup_keys(&data.table(size)),
            Case::DupsOfKey { .. } => data.dup_keys(),
            _ => Vec::new(),
        };
        Self { case, keys }
    }

    /// One iteration.
    #[inline]
    fn run<B: Binding, T: Read<B>, K: Sink>(
        &self,
        tx: &T,
        table: B::Table,
        sink: &mut K,
    ) -> Result<(), B::Error> {
        use crate::catalogue::Walk;
        match self.case {
            Case::Get { owned: false, .. } => work::gets::<B, _, _>(tx, table, &self.keys, sink),
            Case::Get { owned: true, .. } => {
                work::gets_owned::<B, _, _>(tx, table, &self.keys, sink)
            }
            Case::ScanForward { walk: Walk::Iterator } => {
                work::scan_iterator::<B, _, _>(tx, table, sink)
            }
            Case::ScanForward { .. } => work::scan_forward::<B, _, _>(tx, table, sink),
            Case::ScanReverse => work::scan_reverse::<B, _, _>(tx, table, sink),
            Case::DupsOfKey { kind, walk } => {
                work::dups_of_keys::<B, _, _>(tx, table, (kind, walk), &self.keys, sink)
            }
            Case::DupScan { kind, walk } => {
                work::dup_scan::<B, _, _>(tx, table, (kind, walk), sink)
            }
            case => unreachable!("{case:?} does not only read"),
        }
    }
}

fn measure<S: Side + BindingSide>(process: &mut Process, data: &Data) -> Result<(), AnyError> {
    let mut criterion = measure::criterion(&process.job, process.standalone);
    let mut fixtures = Fixtures::<S>(Vec::new());
    for bench in process.benches() {
        let needs = Needs::of(bench.case);
        for Slot { arm, is_filler } in slots(&process.job, S::ARMS) {
            let mut bencher = Bencher::new(&mut criterion, bench, &process.job, is_filler);
            let fresh;
            let fixture = if needs.writes {
                fresh = Fixture::<S>::new(process, data, needs)?;
                &fresh
            } else {
                fixtures.shared(process, data, needs)?
            };
            let commits = Cell::new(0);
            let before = S::state(&fixture.env)?.last_txnid;
            let run = Measure { case: bench.case, data, bencher: &mut bencher, commits: &commits };
            S::with_arm(&fixture.env, arm, run)?;
            let advance = S::state(&fixture.env)?.last_txnid - before;
            if needs.writes
                && let Some(why) = no_op(bench, process.job.scale, commits.get(), advance)
            {
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
    /// Counts the commits that must advance the transaction id.
    commits: &'a Cell<u64>,
}

impl BindingVisitor for Measure<'_, '_> {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        let Self { case, data, bencher, commits } = self;
        let committed = || commits.set(commits.get() + 1);
        // Each timed commit makes a snapshot of its own, newer than the last one before it.
        let last = Cell::new(0);
        let mark = || -> Result<(), AnyError> {
            last.set(arm.begin_ro()?.id()?);
            Ok(())
        };
        mark()?;
        let advanced = || -> Result<(), AnyError> {
            let id = arm.begin_ro()?.id()?;
            match id > last.replace(id) {
                true => Ok(()),
                false => {
                    Err(format!("transaction {id} is still the last: a no-op was timed").into())
                }
            }
        };
        match case {
            Case::BeginRo { ending, .. } => {
                time_ending(bencher, B::ARM, ending, |ending| work::begin_ro(arm, ending));
            }
            Case::BeginRw { ending, .. } => {
                time_ending(bencher, B::ARM, ending, |ending| work::begin_rw(arm, ending));
            }
            Case::Upsert { .. } => {
                let (table, puts) = prepare(arm, data, case)?;
                let puts = std::cell::RefCell::new(puts);
                bencher.iter_prepared(
                    B::ARM,
                    || {
                        puts.borrow_mut().renew();
                        committed();
                        Ok(puts.borrow())
                    },
                    |puts| work::upsert_batch(arm, table, &puts),
                    advanced,
                );
            }
            Case::Insert { .. } | Case::Append { .. } => {
                let (table, puts) = prepare(arm, data, case)?;
                let mut emptied = Emptied::new(commits);
                bencher.iter_prepared(
                    B::ARM,
                    || {
                        emptied.empty(arm, table)?;
                        committed();
                        mark()
                    },
                    |()| match case {
                        Case::Insert { .. } => work::upsert_batch(arm, table, &puts),
                        _ => work::append_batch(arm, table, &puts),
                    },
                    advanced,
                );
            }
            Case::Commit { .. } => {
                let (table, mut puts) = prepare(arm, data, case)?;
                bencher.iter_prepared(
                    B::ARM,
                    || {
                        puts.renew();
                        let tx = arm.begin_rw()?;
                        work::put_all::<B, _>(&tx, table, &puts)?;
                        committed();
                        Ok(tx)
                    },
                    |tx| tx.commit(),
                    advanced,
                );
            }
            Case::DupInsert { .. } | Case::DupLoad { .. } => {
                let table = open(arm)?;
                let pairs = data.dups().shuffled();
                let mut emptied = Emptied::new(commits);
                bencher.iter_prepared(
                    B::ARM,
                    || {
                        emptied.empty(arm, table)?;
                        committed();
                        mark()
                    },
                    |()| match case {
                        Case::DupLoad { kind } => work::dup_load(arm, table, kind, data.dups()),
                        _ => work::dup_insert(arm, table, &pairs),
                    },
                    advanced,
                );
            }
            Case::SeekRange => {
                let tx = arm.begin_ro()?;
                let table = tx.open(TABLE)?;
                let whole = data.table(ValueSize::B32);
                let starts: Vec<_> =
                    whole.midpoints(data.scale).into_iter().map(|i| whole.keys[i]).collect();
                let mut starts = starts.iter().cycle();
                bencher.iter(B::ARM, || -> Result<u64, B::Error> {
                    let mut sink = Touch::default();
                    if let Some(start) = starts.next() {
                        let count = data.scale.range();
                        work::seek_range::<B, _, _>(&tx, table, start, count, &mut sink)?;
                    }
                    Ok(black_box(sink.sum()))
                });
            }
            Case::GetDirty => {
                let (tx, table, puts) = dirtied(arm, data)?;
                bencher.iter(B::ARM, || -> Result<u64, B::Error> {
                    let mut sink = Touch::default();
                    work::gets::<B, _, _>(&tx, table, &puts.keys, &mut sink)?;
                    Ok(black_box(sink.sum()))
                });
            }
            case => {
                let reading = Reading::new(case, data);
                let tx = arm.begin_ro()?;
                let table = tx.open(TABLE)?;
                bencher.iter(B::ARM, || -> Result<u64, B::Error> {
                    let mut sink = Touch::default();
                    reading.run::<B, _, _>(&tx, table, &mut sink)?;
                    Ok(black_box(sink.sum()))
                });
            }
        }
        Ok(())
    }
}

/// The ending is a constant in each branch, so that the timed code has no branch on it.
fn time_ending<E: std::fmt::Display>(
    bencher: &mut Bencher<'_>,
    arm: &str,
    ending: Ending,
    run: impl Fn(Ending) -> Result<(), E>,
) {
    match ending {
        Ending::Drop => bencher.iter(arm, || run(Ending::Drop)),
        Ending::Commit => bencher.iter(arm, || run(Ending::Commit)),
    }
}

/// Empties a table before each iteration but the first, in a transaction of its own.
struct Emptied<'a> {
    commits: &'a Cell<u64>,
    filled: bool,
}

impl<'a> Emptied<'a> {
    const fn new(commits: &'a Cell<u64>) -> Self {
        Self { commits, filled: false }
    }

    fn empty<B: Binding>(&mut self, arm: &B, table: B::Table) -> Result<(), AnyError> {
        if self.filled {
            let tx = arm.begin_rw()?;
            tx.clear(table)?;
            tx.commit()?;
            self.commits.set(self.commits.get() + 1);
        }
        self.filled = true;
        Ok(())
    }
}
