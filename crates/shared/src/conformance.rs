//! One suite that every adapter must pass, so that a benchmark compares arms that do the same.

use crate::{
    binding::{AnyError, Binding, BindingSide, BindingVisitor, Cursor, Read, Write},
    catalogue::{DupKind, Timeout},
    config::EnvConfig,
    data::DUP_SIZE,
};
use tempfile::TempDir;

/// Longest key, and longest value of a DUPSORT table, at 4 KiB pages, bytes.
pub const LIMIT: usize = 2_022;

/// A check of the arm of this name.
type CheckOf = fn(&str) -> Result<(), AnyError>;

/// Runs the suite on every arm of a side, each on environments of its own.
///
/// # Errors
/// Names the arm, the check and what was found instead.
pub fn bindings<S: BindingSide>() -> Result<(), AnyError> {
    for arm in S::ARMS {
        let checks: [(&str, CheckOf); 9] = [
            ("order", |arm| on_fresh::<S, _>(arm, Order)),
            ("misses", |arm| on_fresh::<S, _>(arm, Misses)),
            ("duplicates", |arm| on_fresh::<S, _>(arm, Duplicates)),
            ("pages of duplicates", |arm| on_fresh::<S, _>(arm, Pages)),
            ("bulk load", |arm| on_fresh::<S, _>(arm, BulkLoad)),
            ("abort", |arm| on_fresh::<S, _>(arm, Abort)),
            ("snapshot", |arm| on_fresh::<S, _>(arm, Snapshot)),
            ("limits", |arm| on_fresh::<S, _>(arm, Limits)),
            ("reopen", reopen::<S>),
        ];
        for (name, check) in checks {
            check(arm).map_err(|error| format!("arm {arm}, {name}: {error}"))?;
        }
    }
    Ok(())
}

fn on_fresh<S: BindingSide, V: BindingVisitor<Output = ()>>(
    arm: &str,
    check: V,
) -> Result<(), AnyError> {
    let dir = TempDir::new()?;
    let env = S::open(dir.path(), &EnvConfig::BINDINGS, Timeout::AsRethDb)?;
    S::with_arm(&env, arm, check)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), AnyError> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{what}: found {found:?}, wanted {wanted:?}").into())
}

/// Three entries, put out of order.
fn three<B: Binding>(arm: &B) -> Result<B::Table, AnyError> {
    let tx = arm.begin_rw()?;
    let table = tx.create("t", None)?;
    for (key, value) in [(b"b", b"2"), (b"c", b"3"), (b"a", b"1")] {
        tx.put(table, key, value)?;
    }
    tx.commit()?;
    Ok(table)
}

type Rows = Vec<(Vec<u8>, Vec<u8>)>;

fn rows(pairs: &[(&str, &str)]) -> Rows {
    pairs.iter().map(|(key, value)| (key.as_bytes().to_vec(), value.as_bytes().to_vec())).collect()
}

struct Order;

impl BindingVisitor for Order {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        let table = three(arm)?;
        let tx = arm.begin_ro()?;
        let wanted = rows(&[("a", "1"), ("b", "2"), ("c", "3")]);
        let mut cursor = tx.cursor(table)?;

        let mut forward = Rows::new();
        let mut entry = cursor.first()?;
        while let Some((key, value)) = entry {
            forward.push((key.to_vec(), value.to_vec()));
            entry = cursor.next()?;
        }
        same("first, next", &forward, &wanted)?;

        let mut backward = Rows::new();
        let mut entry = cursor.last()?;
        while let Some((key, value)) = entry {
            backward.insert(0, (key.to_vec(), value.to_vec()));
            entry = cursor.prev()?;
        }
        same("last, prev", &backward, &wanted)?;

        let mut iterated = Rows::new();
        cursor.for_each(|key, value| iterated.push((key.to_vec(), value.to_vec())))?;
        same("iterator", &iterated, &wanted)?;

        let at = cursor.set_range(b"aa")?.map(|(key, _)| key.to_vec());
        same("set_range", at, Some(b"b".to_vec()))?;
        let end = cursor.set_range(b"d")?.map(|(key, _)| key.to_vec());
        same("set_range past the end", end, None)
    }
}

struct Misses;

impl BindingVisitor for Misses {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        let table = three(arm)?;
        let tx = arm.begin_ro()?;
        let value = |key: &[u8]| -> Result<_, AnyError> {
            Ok((tx.get(table, key)?.map(|v| v.to_vec()), tx.get_owned(table, key)?))
        };
        same("hit", value(b"b")?, (Some(b"2".to_vec()), Some(b"2".to_vec())))?;
        for absent in [&b"0"[..], b"aa", b"d"] {
            same("miss", value(absent)?, (None, None))?;
        }
        let mut cursor = tx.cursor(table)?;
        same("set on a miss", cursor.set(b"bb")?.map(|v| v.to_vec()), None)?;

        let empty = arm.begin_rw()?;
        let table = empty.create("empty", None)?;
        empty.commit()?;
        let tx = arm.begin_ro()?;
        let mut cursor = tx.cursor(table)?;
        same("first of nothing", cursor.first()?.is_none(), true)?;
        same("last of nothing", cursor.last()?.is_none(), true)?;
        let mut seen = 0;
        cursor.for_each(|_, _| seen += 1)?;
        same("iterator over nothing", seen, 0)
    }
}

const fn dup_name(kind: DupKind) -> &'static str {
    match kind {
        DupKind::Sort => "dupsort",
        DupKind::Fixed => "dupfixed",
    }
}

/// Two keys with 3 and 1 duplicates of 32 bytes, put out of order and one of them twice.
fn with_dups<B: Binding>(arm: &B, kind: DupKind) -> Result<B::Table, AnyError> {
    let tx = arm.begin_rw()?;
    let table = tx.create(dup_name(kind), Some(kind))?;
    for (key, fill) in [(b"k", 3), (b"k", 1), (b"l", 9), (b"k", 2), (b"k", 1)] {
        tx.put(table, key, &[fill; DUP_SIZE])?;
    }
    tx.commit()?;
    Ok(table)
}

const WITH_DUPS: [(u8, u8); 4] = [(b'k', 1), (b'k', 2), (b'k', 3), (b'l', 9)];

struct Duplicates;

impl BindingVisitor for Duplicates {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        for kind in [DupKind::Sort, DupKind::Fixed] {
            let table = with_dups(arm, kind)?;
            let tx = arm.begin_ro()?;
            let mut cursor = tx.cursor(table)?;

            let mut stepped = Vec::new();
            let mut entry = cursor.first()?;
            while let Some((key, value)) = entry {
                stepped.push((key[0], value[0]));
                entry = cursor.next()?;
            }
            same("next over duplicates", &stepped[..], &WITH_DUPS[..])?;

            let mut iterated = Vec::new();
            cursor.for_each_dup(kind, |key, value| iterated.push((key[0], value[0])))?;
            same("iterator over duplicates", &iterated[..], &WITH_DUPS[..])?;

            let mut of_key = Vec::new();
            let mut dup = cursor.set(b"k")?;
            while let Some(value) = dup {
                of_key.push(value[0]);
                dup = cursor.next_dup()?;
            }
            same("next_dup", &of_key[..], &[1, 2, 3])?;

            of_key.clear();
            cursor.for_each_dup_of(kind, b"k", |value| of_key.push(value[0]))?;
            same("iterator over a key's duplicates", &of_key[..], &[1, 2, 3])?;

            cursor.set(b"k")?;
            let next = cursor.next_nodup()?.map(|(key, value)| (key[0], value[0]));
            same("next_nodup", next, Some((b'l', 9)))?;
            // The read transaction is still open: a snapshot does not stand in a writer's way.

            let tx = arm.begin_rw()?;
            same("delete", tx.delete(table, b"k")?, true)?;
            same("delete again", tx.delete(table, b"k")?, false)?;
            tx.clear(table)?;
            tx.commit()?;
            let after = arm.begin_ro()?;
            same("cleared", after.get(table, b"l")?.is_none(), true)?;
        }
        Ok(())
    }
}

struct Pages;

impl BindingVisitor for Pages {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        let table = with_dups(arm, DupKind::Fixed)?;
        // So many duplicates of one key that they fill several pages.
        let many: Vec<[u8; DUP_SIZE]> = (0..1_000_u64)
            .map(|i| {
                let mut dup = [0; DUP_SIZE];
                dup[..8].copy_from_slice(&i.to_be_bytes());
                dup
            })
            .collect();
        let tx = arm.begin_rw()?;
        tx.load_dups(table, DupKind::Fixed, [(&b"m"[..], many.as_flattened())].into_iter())?;
        tx.commit()?;

        let tx = arm.begin_ro()?;
        let mut cursor = tx.cursor(table)?;
        let mut dups = Vec::new();
        let mut pages = 0;
        let mut page = cursor.seek_multiple(b"m")?;
        while let Some(some) = page {
            same("size of a page", some.len() % DUP_SIZE, 0)?;
            dups.extend_from_slice(&some);
            pages += 1;
            page = cursor.next_multiple()?;
        }
        same("pages of one key", &dups[..], many.as_flattened())?;
        same("more than one page", pages > 1, true)?;
        same("absent key", cursor.seek_multiple(b"kk")?.is_none(), true)?;

        let mut all = Vec::new();
        let mut entry = cursor.first()?;
        while let Some((key, _)) = entry {
            let mut page = cursor.get_multiple()?;
            while let Some(some) = page {
                all.extend(some.chunks_exact(DUP_SIZE).map(|dup| (key[0], dup.to_vec())));
                page = cursor.next_multiple()?;
            }
            entry = cursor.next_nodup()?;
        }
        let mut wanted: Vec<_> =
            WITH_DUPS.iter().map(|&(key, fill)| (key, vec![fill; DUP_SIZE])).collect();
        wanted.extend(many.iter().map(|dup| (b'm', dup.to_vec())));
        same("pages of a table", all, wanted)
    }
}

struct BulkLoad;

impl BindingVisitor for BulkLoad {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        for kind in [DupKind::Sort, DupKind::Fixed] {
            let tx = arm.begin_rw()?;
            let table = tx.create(dup_name(kind), Some(kind))?;
            let (one, two) = ([[1; DUP_SIZE], [2; DUP_SIZE]], [[3; DUP_SIZE]]);
            let groups = [(&b"a"[..], one.as_flattened()), (&b"b"[..], two.as_flattened())];
            tx.load_dups(table, kind, groups.into_iter())?;
            tx.commit()?;
            let tx = arm.begin_ro()?;
            let mut seen = Vec::new();
            tx.cursor(table)?.for_each(|key, dup| seen.push((key[0], dup[0], dup.len())))?;
            same(
                "loaded duplicates",
                seen,
                vec![(b'a', 1, DUP_SIZE), (b'a', 2, DUP_SIZE), (b'b', 3, DUP_SIZE)],
            )?;
        }
        Ok(())
    }
}

struct Abort;

impl BindingVisitor for Abort {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        let table = three(arm)?;
        let before = arm.begin_ro()?.id()?;
        let tx = arm.begin_rw()?;
        tx.put(table, b"b", b"changed")?;
        tx.put(table, b"z", b"new")?;
        same("own write", tx.get(table, b"z")?.map(|v| v.to_vec()), Some(b"new".to_vec()))?;
        drop(tx);
        let tx = arm.begin_ro()?;
        same("transaction id", tx.id()?, before)?;
        same("aborted update", tx.get(table, b"b")?.map(|v| v.to_vec()), Some(b"2".to_vec()))?;
        same("aborted insert", tx.get(table, b"z")?.is_none(), true)?;
        drop(tx);

        let tx = arm.begin_rw()?;
        tx.put(table, b"b", b"changed")?;
        tx.commit()?;
        let tx = arm.begin_ro()?;
        same("transaction id of a commit", tx.id()?, before + 1)?;
        tx.commit()?;
        arm.begin_rw()?.commit()?;
        same("transaction id of an empty commit", arm.begin_ro()?.id()?, before + 1)
    }
}

struct Snapshot;

impl BindingVisitor for Snapshot {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        let table = three(arm)?;
        let old = arm.begin_ro()?;
        let tx = arm.begin_rw()?;
        tx.put(table, b"b", b"new")?;
        tx.commit()?;
        same("old reader", old.get(table, b"b")?.map(|v| v.to_vec()), Some(b"2".to_vec()))?;
        let new = arm.begin_ro()?;
        same("new reader", new.get(table, b"b")?.map(|v| v.to_vec()), Some(b"new".to_vec()))
    }
}

struct Limits;

impl BindingVisitor for Limits {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        let (fits, too_long) = (vec![7; LIMIT], vec![7; LIMIT + 1]);
        let tx = arm.begin_rw()?;
        let plain = tx.create("t", None)?;
        tx.put(plain, &fits, b"v")?;
        same("key of 2,023 bytes refused", tx.put(plain, &too_long, b"v").is_err(), true)?;
        tx.put(plain, b"big", &vec![1; 100_000])?;
        let dups = tx.create(dup_name(DupKind::Sort), Some(DupKind::Sort))?;
        tx.put(dups, b"k", &fits)?;
        same("duplicate of 2,023 bytes refused", tx.put(dups, b"k", &too_long).is_err(), true)?;
        // A refused put must leave the transaction usable.
        tx.commit()?;
        let tx = arm.begin_ro()?;
        same("longest key", tx.get(plain, &fits)?.map(|v| v.to_vec()), Some(b"v".to_vec()))?;
        same("large value", tx.get(plain, b"big")?.map(|v| v.len()), Some(100_000))?;
        same("longest duplicate", tx.get(dups, b"k")?.map(|v| v.len()), Some(LIMIT))
    }
}

fn reopen<S: BindingSide>(arm: &str) -> Result<(), AnyError> {
    struct Put;
    impl BindingVisitor for Put {
        type Output = ();
        fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
            three(arm).map(|_| ())
        }
    }
    struct Find;
    impl BindingVisitor for Find {
        type Output = ();
        fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
            let tx = arm.begin_ro()?;
            let table = tx.open("t")?;
            same("value", tx.get(table, b"c")?.map(|v| v.to_vec()), Some(b"3".to_vec()))?;
            same("absent table", tx.open("absent").is_err(), true)
        }
    }
    let dir = TempDir::new()?;
    let open = || S::open(dir.path(), &EnvConfig::BINDINGS, Timeout::AsRethDb);
    S::with_arm(&open()?, arm, Put)?;
    let env = open()?;
    S::with_arm(&env, arm, Find)?;
    let mismatches = S::state(&env)?.effective.mismatches(&EnvConfig::BINDINGS);
    same("settings after reopening", mismatches, Vec::new())
}

/// A side whose databases are spoilt on purpose: after an environment was filled, the values of each
/// two neighbouring keys are swapped. For a test that verification notices.
#[derive(Debug)]
pub struct Swapped<S>(std::marker::PhantomData<S>);

/// An environment and how often it was asked for its state.
#[derive(Debug)]
pub struct SwappedEnv<E> {
    env: E,
    asked: std::cell::Cell<u32>,
}

impl<S: crate::harness::Side> crate::harness::Side for Swapped<S> {
    const NAME: &'static str = S::NAME;
    const PACKAGES: &'static [&'static str] = S::PACKAGES;
    const LOCK: &'static str = S::LOCK;
    const BUILDS: &'static [crate::catalogue::Build] = S::BUILDS;

    fn engine() -> crate::job::Engine {
        S::engine()
    }

    fn state_from_outside(dir: &std::path::Path) -> Result<crate::binding::EnvState, AnyError> {
        S::state_from_outside(dir)
    }
}

impl<S: BindingSide> BindingSide for Swapped<S> {
    type Env = SwappedEnv<S::Env>;
    const ARMS: &'static [&'static str] = S::ARMS;

    fn open(
        dir: &std::path::Path,
        config: &EnvConfig,
        timeout: Timeout,
    ) -> Result<Self::Env, AnyError> {
        Ok(SwappedEnv { env: S::open(dir, config, timeout)?, asked: std::cell::Cell::new(0) })
    }

    // The harness asks once after opening and again after filling, before an arm runs.
    fn state(env: &Self::Env) -> Result<crate::binding::EnvState, AnyError> {
        env.asked.set(env.asked.get() + 1);
        if env.asked.get() == 2 {
            S::with_arm(&env.env, "raw", Swap)?;
        }
        S::state(&env.env)
    }

    fn with_arm<V: BindingVisitor>(
        env: &Self::Env,
        arm: &str,
        visitor: V,
    ) -> Result<V::Output, AnyError> {
        S::with_arm(&env.env, arm, visitor)
    }
}

/// Swaps the values of the first two keys of the benchmarks' table, of the next two, and so on.
struct Swap;

impl BindingVisitor for Swap {
    type Output = ();

    fn visit<B: Binding>(self, arm: &B) -> Result<(), AnyError> {
        let tx = arm.begin_rw()?;
        let table = tx.open(crate::harness::TABLE)?;
        let mut entries = Vec::new();
        tx.cursor(table)?.for_each(|key, value| entries.push((key.to_vec(), value.to_vec())))?;
        for two in entries.chunks_exact(2) {
            tx.put(table, &two[0].0, &two[1].1)?;
            tx.put(table, &two[1].0, &two[0].1)?;
        }
        Ok(tx.commit()?)
    }
}
