//! Layer B: signet-libmdbx with both kinds of transaction.

use crate::{
    kind::{CommitKind, Kind, Sync, Unsync},
    raw,
};
use bench_shared::{
    binding::{
        AnyError, Binding, BindingSide, BindingVisitor, Cursor, Entry, EnvState, Read, Write,
    },
    catalogue::{Build, DupKind, Timeout},
    config::EnvConfig,
    data::DUP_SIZE,
    harness::NoSuchArm,
};
use signet_libmdbx as mdbx;
use signet_libmdbx::{
    Database, DatabaseFlags, Environment, EnvironmentFlags, Geometry, MdbxError, MdbxResult, Mode,
    ReadError, SyncMode, TransactionKind, WriteFlags,
    sys::PageSize,
    tx::{Tx, WriteMarker},
};
use std::{borrow::Cow, marker::PhantomData, path::Path};

/// An arm: `signet-sync` or `signet-unsync`.
#[derive(Debug)]
pub struct Signet<'e, K>(&'e Environment, PhantomData<K>);

impl<K: Kind> Binding for Signet<'_, K> {
    const ARM: &'static str = K::ARM;
    type Error = ReadError;
    type TxError = MdbxError;
    type Table = Database;
    type Slice<'t>
        = Cow<'t, [u8]>
    where
        Self: 't;
    type Ro<'e>
        = Tx<K::Ro>
    where
        Self: 'e;
    type Rw<'e>
        = Tx<K::Rw>
    where
        Self: 'e;

    #[inline]
    fn begin_ro(&self) -> MdbxResult<Tx<K::Ro>> {
        K::begin_ro(self.0)
    }

    #[inline]
    fn begin_rw(&self) -> MdbxResult<Tx<K::Rw>> {
        K::begin_rw(self.0)
    }
}

impl<'e, K: Kind, M: TransactionKind + CommitKind> Read<Signet<'e, K>> for Tx<M> {
    type Cursor<'t>
        = mdbx::Cursor<'t, M>
    where
        Self: 't,
        Signet<'e, K>: 't;

    fn open(&self, name: &str) -> MdbxResult<Database> {
        self.open_db(Some(name))
    }

    #[inline]
    fn get(&self, table: Database, key: &[u8]) -> Result<Option<Cow<'_, [u8]>>, ReadError> {
        Tx::get(self, table.dbi(), key)
    }

    #[inline]
    fn get_owned(&self, table: Database, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        Tx::get(self, table.dbi(), key)
    }

    #[inline]
    fn cursor(&self, table: Database) -> MdbxResult<mdbx::Cursor<'_, M>> {
        Tx::cursor(self, table)
    }

    fn id(&self) -> MdbxResult<u64> {
        Tx::id(self)
    }

    #[inline]
    fn commit(self) -> MdbxResult<()> {
        M::commit(self)
    }
}

impl<'e, K: Kind, M> Write<Signet<'e, K>> for Tx<M>
where
    M: TransactionKind + WriteMarker + CommitKind,
{
    fn create(&self, name: &str, dups: Option<DupKind>) -> MdbxResult<Database> {
        let flags = match dups {
            None => DatabaseFlags::empty(),
            Some(DupKind::Sort) => DatabaseFlags::DUP_SORT,
            Some(DupKind::Fixed) => DatabaseFlags::DUP_SORT | DatabaseFlags::DUP_FIXED,
        };
        self.create_db(Some(name), flags)
    }

    #[inline]
    fn put(&self, table: Database, key: &[u8], value: &[u8]) -> MdbxResult<()> {
        Tx::put(self, table, key, value, WriteFlags::UPSERT)
    }

    #[inline]
    fn append(&self, table: Database, key: &[u8], value: &[u8]) -> MdbxResult<()> {
        Tx::append(self, table, key, value)
    }

    fn delete(&self, table: Database, key: &[u8]) -> MdbxResult<bool> {
        self.del(table, key, None)
    }

    fn clear(&self, table: Database) -> MdbxResult<()> {
        self.clear_db(table)
    }

    fn load_dups<'d>(
        &self,
        table: Database,
        kind: DupKind,
        groups: impl Iterator<Item = (&'d [u8], &'d [u8])>,
    ) -> MdbxResult<()> {
        let mut cursor = Tx::cursor(self, table)?;
        for (key, dups) in groups {
            match kind {
                DupKind::Fixed => {
                    cursor.put_multiple(key, dups, DUP_SIZE)?;
                }
                DupKind::Sort => {
                    for dup in dups.chunks_exact(DUP_SIZE) {
                        cursor.append_dup(key, dup)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl<'t, 'e: 't, K: Kind, M: TransactionKind> Cursor<'t, Signet<'e, K>> for mdbx::Cursor<'t, M> {
    #[inline]
    fn first(&mut self) -> Result<Option<Entry<'t, Signet<'e, K>>>, ReadError> {
        mdbx::Cursor::first(self)
    }

    #[inline]
    fn last(&mut self) -> Result<Option<Entry<'t, Signet<'e, K>>>, ReadError> {
        mdbx::Cursor::last(self)
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Entry<'t, Signet<'e, K>>>, ReadError> {
        mdbx::Cursor::next(self)
    }

    #[inline]
    fn prev(&mut self) -> Result<Option<Entry<'t, Signet<'e, K>>>, ReadError> {
        mdbx::Cursor::prev(self)
    }

    #[inline]
    fn set_range(&mut self, key: &[u8]) -> Result<Option<Entry<'t, Signet<'e, K>>>, ReadError> {
        mdbx::Cursor::set_range(self, key)
    }

    #[inline]
    fn set(&mut self, key: &[u8]) -> Result<Option<Cow<'t, [u8]>>, ReadError> {
        mdbx::Cursor::set(self, key)
    }

    #[inline]
    fn next_dup(&mut self) -> Result<Option<Cow<'t, [u8]>>, ReadError> {
        Ok(mdbx::Cursor::next_dup::<(), _>(self)?.map(|((), dup)| dup))
    }

    #[inline]
    fn next_nodup(&mut self) -> Result<Option<Entry<'t, Signet<'e, K>>>, ReadError> {
        mdbx::Cursor::next_nodup(self)
    }

    #[inline]
    fn seek_multiple(&mut self, key: &[u8]) -> Result<Option<Cow<'t, [u8]>>, ReadError> {
        Ok(mdbx::Cursor::seek_and_get_multiple::<(), _>(self, key)?.map(|((), dups)| dups))
    }

    #[inline]
    fn get_multiple(&mut self) -> Result<Option<Cow<'t, [u8]>>, ReadError> {
        mdbx::Cursor::get_multiple(self)
    }

    #[inline]
    fn next_multiple(&mut self) -> Result<Option<Cow<'t, [u8]>>, ReadError> {
        Ok(mdbx::Cursor::next_multiple::<(), _>(self)?.map(|((), dups)| dups))
    }

    #[inline]
    fn for_each(&mut self, mut visit: impl FnMut(&[u8], &[u8])) -> Result<(), ReadError> {
        let mut iter = self.iter_start::<Cow<'_, [u8]>, Cow<'_, [u8]>>()?;
        while let Some((key, value)) = iter.borrow_next()? {
            visit(&key, &value);
        }
        Ok(())
    }

    #[inline]
    fn for_each_dup(
        &mut self,
        kind: DupKind,
        mut visit: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), ReadError> {
        if kind == DupKind::Sort {
            // The plain iterator runs over duplicates too; `iter_dup_start` also counts them.
            return Cursor::<Signet<'e, K>>::for_each(self, visit);
        }
        let mut iter = self.iter_dupfixed_start::<Cow<'_, [u8]>, [u8; DUP_SIZE]>()?;
        // The iterator gives a key with its first duplicate only.
        let mut key = Cow::Borrowed(&[][..]);
        while let Some(item) = iter.borrow_next()? {
            let dup = match item {
                mdbx::DupItem::NewKey(new, dup) => {
                    key = new;
                    dup
                }
                mdbx::DupItem::SameKey(dup) => dup,
            };
            visit(&key, &dup);
        }
        Ok(())
    }

    #[inline]
    fn for_each_dup_of(
        &mut self,
        kind: DupKind,
        key: &[u8],
        mut visit: impl FnMut(&[u8]),
    ) -> Result<(), ReadError> {
        match kind {
            DupKind::Sort => {
                let mut iter = self.iter_dup_of::<Cow<'_, [u8]>>(key)?;
                while let Some(dup) = iter.borrow_next()? {
                    visit(&dup);
                }
            }
            DupKind::Fixed => {
                let mut iter = self.iter_dupfixed_of::<[u8; DUP_SIZE]>(key)?;
                while let Some(dup) = iter.borrow_next()? {
                    visit(&dup);
                }
            }
        }
        Ok(())
    }
}

/// The signet side.
#[derive(Debug)]
pub struct SignetSide;

// No cargo feature of the binding changes what a benchmark measures.
raw::side::side!(SignetSide, "signet", &[Build::Node, Build::Plain]);

impl BindingSide for SignetSide {
    type Env = Environment;
    const ARMS: &'static [&'static str] = &["raw", Sync::ARM, Unsync::ARM];

    // The stack has no read timeouts: `_timeout` is what it always is.
    fn open(dir: &Path, config: &EnvConfig, _timeout: Timeout) -> Result<Environment, AnyError> {
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
            Sync::ARM => visitor.visit(&Signet::<Sync>(env, PhantomData)),
            Unsync::ARM => visitor.visit(&Signet::<Unsync>(env, PhantomData)),
            arm => Err(NoSuchArm::new(arm).into()),
        }
    }
}
