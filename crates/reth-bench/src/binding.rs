//! Layer B: reth-libmdbx, whose transactions are thread-safe; it has no other kind.

use crate::{compat::Commit as _, ffi, raw};
use bench_shared::{
    binding::{
        AnyError, Binding, BindingSide, BindingVisitor, Cursor, Entry, EnvState, Read, Write,
    },
    catalogue::{Build, DupKind, Timeout},
    config::EnvConfig,
    data::DUP_SIZE,
    harness::NoSuchArm,
};
use reth_libmdbx as mdbx;
use reth_libmdbx::{
    DatabaseFlags, Environment, EnvironmentBuilder, EnvironmentFlags, Error, Geometry, Mode,
    PageSize, RO, RW, SyncMode, Transaction, TransactionKind, WriteFlags,
};
use std::{borrow::Cow, marker::PhantomData, path::Path};
#[cfg(feature = "node")]
use {reth_libmdbx::MaxReadTransactionDuration, std::time::Duration};

/// The only arm of the stack.
#[derive(Debug)]
pub struct Reth<'e>(&'e Environment);

impl Binding for Reth<'_> {
    const ARM: &'static str = "reth";
    type Error = Error;
    type TxError = Error;
    type Table = ffi::MDBX_dbi;
    type Slice<'t>
        = Cow<'t, [u8]>
    where
        Self: 't;
    type Ro<'e>
        = Transaction<RO>
    where
        Self: 'e;
    type Rw<'e>
        = Transaction<RW>
    where
        Self: 'e;

    #[inline]
    fn begin_ro(&self) -> Result<Transaction<RO>, Error> {
        self.0.begin_ro_txn()
    }

    #[inline]
    fn begin_rw(&self) -> Result<Transaction<RW>, Error> {
        self.0.begin_rw_txn()
    }
}

impl<'e, K: TransactionKind> Read<Reth<'e>> for Transaction<K> {
    type Cursor<'t>
        = RethCursor<'t, K>
    where
        Self: 't,
        Reth<'e>: 't;

    fn open(&self, name: &str) -> Result<ffi::MDBX_dbi, Error> {
        Ok(self.open_db(Some(name))?.dbi())
    }

    #[inline]
    fn get(&self, dbi: ffi::MDBX_dbi, key: &[u8]) -> Result<Option<Cow<'_, [u8]>>, Error> {
        Transaction::get(self, dbi, key)
    }

    #[inline]
    fn get_owned(&self, dbi: ffi::MDBX_dbi, key: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        Transaction::get(self, dbi, key)
    }

    #[inline]
    fn cursor(&self, dbi: ffi::MDBX_dbi) -> Result<RethCursor<'_, K>, Error> {
        Ok(RethCursor(self.cursor_with_dbi(dbi)?, PhantomData))
    }

    fn id(&self) -> Result<u64, Error> {
        Transaction::id(self)
    }

    #[inline]
    fn commit(self) -> Result<(), Error> {
        if Transaction::commit(self)?.is_botched() { Err(Error::BadTxn) } else { Ok(()) }
    }
}

impl<'e> Write<Reth<'e>> for Transaction<RW> {
    fn create(&self, name: &str, dups: Option<DupKind>) -> Result<ffi::MDBX_dbi, Error> {
        let flags = match dups {
            None => DatabaseFlags::empty(),
            Some(DupKind::Sort) => DatabaseFlags::DUP_SORT,
            Some(DupKind::Fixed) => DatabaseFlags::DUP_SORT | DatabaseFlags::DUP_FIXED,
        };
        Ok(self.create_db(Some(name), flags)?.dbi())
    }

    #[inline]
    fn put(&self, dbi: ffi::MDBX_dbi, key: &[u8], value: &[u8]) -> Result<(), Error> {
        Transaction::put(self, dbi, key, value, WriteFlags::UPSERT)
    }

    #[inline]
    fn append(&self, dbi: ffi::MDBX_dbi, key: &[u8], value: &[u8]) -> Result<(), Error> {
        Transaction::put(self, dbi, key, value, WriteFlags::APPEND)
    }

    fn delete(&self, dbi: ffi::MDBX_dbi, key: &[u8]) -> Result<bool, Error> {
        self.del(dbi, key, None)
    }

    fn clear(&self, dbi: ffi::MDBX_dbi) -> Result<(), Error> {
        self.clear_db(dbi)
    }

    // There is no safe MULTIPLE put, so DUPFIXED tables are loaded one by one too.
    fn load_dups<'d>(
        &self,
        dbi: ffi::MDBX_dbi,
        _kind: DupKind,
        groups: impl Iterator<Item = (&'d [u8], &'d [u8])>,
    ) -> Result<(), Error> {
        let mut cursor = self.cursor_with_dbi(dbi)?;
        for (key, dups) in groups {
            for dup in dups.chunks_exact(DUP_SIZE) {
                cursor.put(key, dup, WriteFlags::APPEND_DUP)?;
            }
        }
        Ok(())
    }
}

/// A cursor that lends what it reads for as long as its transaction is borrowed: the binding's own
/// would lend for any lifetime.
#[derive(Debug)]
pub struct RethCursor<'t, K: TransactionKind>(mdbx::Cursor<K>, PhantomData<&'t ()>);

impl<'t, 'e: 't, K: TransactionKind> Cursor<'t, Reth<'e>> for RethCursor<'t, K> {
    #[inline]
    fn first(&mut self) -> Result<Option<Entry<'t, Reth<'e>>>, Error> {
        self.0.first()
    }

    #[inline]
    fn last(&mut self) -> Result<Option<Entry<'t, Reth<'e>>>, Error> {
        self.0.last()
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Entry<'t, Reth<'e>>>, Error> {
        self.0.next()
    }

    #[inline]
    fn prev(&mut self) -> Result<Option<Entry<'t, Reth<'e>>>, Error> {
        self.0.prev()
    }

    #[inline]
    fn set_range(&mut self, key: &[u8]) -> Result<Option<Entry<'t, Reth<'e>>>, Error> {
        self.0.set_range(key)
    }

    #[inline]
    fn set(&mut self, key: &[u8]) -> Result<Option<Cow<'t, [u8]>>, Error> {
        self.0.set(key)
    }

    #[inline]
    fn next_dup(&mut self) -> Result<Option<Cow<'t, [u8]>>, Error> {
        Ok(self.0.next_dup::<(), _>()?.map(|((), dup)| dup))
    }

    #[inline]
    fn next_nodup(&mut self) -> Result<Option<Entry<'t, Reth<'e>>>, Error> {
        self.0.next_nodup()
    }

    #[inline]
    fn seek_multiple(&mut self, key: &[u8]) -> Result<Option<Cow<'t, [u8]>>, Error> {
        match self.0.set::<()>(key)? {
            Some(()) => self.0.get_multiple(),
            None => Ok(None),
        }
    }

    #[inline]
    fn get_multiple(&mut self) -> Result<Option<Cow<'t, [u8]>>, Error> {
        self.0.get_multiple()
    }

    #[inline]
    fn next_multiple(&mut self) -> Result<Option<Cow<'t, [u8]>>, Error> {
        Ok(self.0.next_multiple::<(), _>()?.map(|((), dups)| dups))
    }

    #[inline]
    fn for_each(&mut self, mut visit: impl FnMut(&[u8], &[u8])) -> Result<(), Error> {
        for entry in self.0.iter_start::<Cow<'_, [u8]>, Cow<'_, [u8]>>() {
            let (key, value) = entry?;
            visit(&key, &value);
        }
        Ok(())
    }

    // `iter_start` runs over duplicates too. `iter_dup_start` would clone a cursor per key.
    #[inline]
    fn for_each_dup(
        &mut self,
        _kind: DupKind,
        visit: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), Error> {
        self.for_each(visit)
    }

    #[inline]
    fn for_each_dup_of(
        &mut self,
        _kind: DupKind,
        key: &[u8],
        mut visit: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        for entry in self.0.iter_dup_of::<(), Cow<'_, [u8]>>(key) {
            visit(&entry?.1);
        }
        Ok(())
    }
}

/// The reth side.
#[derive(Debug)]
pub struct RethSide;

raw::side::side!(
    RethSide,
    "reth",
    if cfg!(feature = "node") { &[Build::Node] } else { &[Build::Plain] }
);

/// What reth-db leaves in force for a read transaction. A plain build has no limit to set.
#[cfg(feature = "node")]
fn limit_reads(builder: &mut EnvironmentBuilder, timeout: Timeout) {
    const AS_RETH_DB: Duration = Duration::from_secs(5 * 60);
    builder.set_max_read_transaction_duration(match timeout {
        Timeout::AsRethDb => MaxReadTransactionDuration::Set(AS_RETH_DB),
        Timeout::Unbounded => MaxReadTransactionDuration::Unbounded,
    });
}

#[cfg(not(feature = "node"))]
const fn limit_reads(_: &mut EnvironmentBuilder, _: Timeout) {}

impl BindingSide for RethSide {
    type Env = Environment;
    const ARMS: &'static [&'static str] = &["raw", "reth"];

    fn open(dir: &Path, config: &EnvConfig, timeout: Timeout) -> Result<Environment, AnyError> {
        let mut builder = Environment::builder();
        builder
            .write_map()
            .set_geometry(Geometry {
                size: Some(0..config.max_size),
                growth_step: Some(isize::try_from(config.growth_step)?),
                shrink_threshold: Some(isize::try_from(config.shrink_threshold)?),
                page_size: Some(PageSize::Set(config.page_size)),
            })
            .set_flags(EnvironmentFlags {
                mode: Mode::ReadWrite { sync_mode: SyncMode::SafeNoSync },
                no_rdahead: true,
                coalesce: true,
                ..Default::default()
            })
            .set_max_dbs(config.max_dbs)
            .set_max_readers(config.max_readers)
            .set_rp_augment_limit(config.rp_augment_limit);
        limit_reads(&mut builder, timeout);
        if let Some(sync_bytes) = config.sync_bytes {
            builder.set_sync_bytes(sync_bytes);
        }
        Ok(builder.open(dir)?)
    }

    fn state(env: &Environment) -> Result<EnvState, AnyError> {
        // SAFETY: the environment is open while it is borrowed.
        Ok(env.with_raw_env_ptr(|env| unsafe { raw::probe::state(env) })?)
    }

    fn with_arm<V: BindingVisitor>(
        env: &Environment,
        arm: &str,
        visitor: V,
    ) -> Result<V::Output, AnyError> {
        match arm {
            raw::Raw::ARM => {
                // SAFETY: the environment outlives the arm, which ends with this call.
                visitor.visit(&env.with_raw_env_ptr(|env| unsafe { raw::Raw::new(env) }))
            }
            Reth::ARM => visitor.visit(&Reth(env)),
            arm => Err(NoSuchArm::new(arm).into()),
        }
    }
}
