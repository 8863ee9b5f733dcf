//! Proof that the traits cost nothing: the same work done by a generic workload and by a loop
//! written by hand against the stack's own types, for a count of instructions by callgrind.
//!
//! A side passes its hand-written loops; the test `the_traits_cost_nothing` counts both.

use super::exit;
use crate::{
    binding::{AnyError, Binding, BindingSide, BindingVisitor, Read},
    catalogue::{Timeout, ValueSize},
    config::EnvConfig,
    data::{Key, Table},
    scale::Scale,
    sink::Touch,
    workload::bindings as work,
};
use std::{env, hint::black_box, process::ExitCode};
use tempfile::TempDir;

/// Set to `generic` or `by-hand`, it makes the `bindings` bench run the loops of one kind once.
const DISPATCH_ENV: &str = "BENCH_DISPATCH";

/// Name of the table that [`run`] fills.
pub const TABLE: &str = "dispatch";

/// Loops of B2 and B4 written by hand: random gets, then a scan, with the sum of what [`Touch`]
/// would touch.
pub type ByHand<E> = fn(env: &E, keys: &[Key]) -> Result<u64, AnyError>;

/// If this process was started to show what dispatch costs, runs the loops on the arm of this name.
pub fn run<S: BindingSide>(arm: &str, by_hand: ByHand<S::Env>) -> Option<ExitCode> {
    let kind = env::var(DISPATCH_ENV).ok()?;
    Some(exit(|| {
        let dir = TempDir::new()?;
        let opened = S::open(dir.path(), &EnvConfig::BINDINGS, Timeout::AsRethDb)?;
        let keys = S::with_arm(&opened, arm, Fill)?;
        let sum = match kind.as_str() {
            "generic" => S::with_arm(&opened, arm, Generic { keys: &keys })?,
            "by-hand" => measured_by_hand(by_hand, &opened, &keys)?,
            other => return Err(format!("{DISPATCH_ENV}={other}: wants generic or by-hand").into()),
        };
        println!("{sum}");
        Ok(ExitCode::SUCCESS)
    }))
}

struct Fill;

impl BindingVisitor for Fill {
    type Output = Vec<Key>;

    fn visit<B: Binding>(self, arm: &B) -> Result<Vec<Key>, AnyError> {
        use crate::binding::Write;
        let mut table = Table::new(ValueSize::B32, Scale::Smoke);
        let tx = arm.begin_rw()?;
        let handle = tx.create(TABLE, None)?;
        for (index, key) in table.keys.iter().enumerate() {
            tx.append(handle, key, &table.values.get(index))?;
        }
        tx.commit()?;
        Ok(table.lookups(Scale::Default).into_iter().map(|i| table.keys[i]).collect())
    }
}

struct Generic<'a> {
    keys: &'a [Key],
}

impl BindingVisitor for Generic<'_> {
    type Output = u64;

    fn visit<B: Binding>(self, arm: &B) -> Result<u64, AnyError> {
        measured_generic(arm, self.keys)
    }
}

// Two functions that stay out of line, so that callgrind can be told to count inside them only. Both
// begin a transaction, look the keys up and scan the table.

#[inline(never)]
fn measured_generic<B: Binding>(arm: &B, keys: &[Key]) -> Result<u64, AnyError> {
    let tx = arm.begin_ro()?;
    let table = tx.open(TABLE)?;
    let mut sink = Touch::default();
    work::gets::<B, _, _>(&tx, table, keys, &mut sink)?;
    work::scan_forward::<B, _, _>(&tx, table, &mut sink)?;
    Ok(black_box(sink.sum()))
}

#[inline(never)]
fn measured_by_hand<E>(by_hand: ByHand<E>, env: &E, keys: &[Key]) -> Result<u64, AnyError> {
    by_hand(env, keys)
}
