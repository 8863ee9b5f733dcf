//! Database directories: creating, checking and opening them.

use super::{DatabaseArguments, DatabaseEnv, DatabaseEnvKind};
use crate::{
    InitError, TableSet, Tables,
    version::{
        DatabaseVersionError, check_db_version_file, create_db_version_file, db_version_file_path,
    },
};
use std::{fs, path::Path};

/// Tables of former schemas, deleted when met.
const ORPHANS: [&str; 2] = ["AccountsTrieChangeSets", "StoragesTrieChangeSets"];

/// Opens the database in the directory `path` to write, and creates whatever is missing: the
/// directory, the version file, the data file, reth's tables.
pub fn init_db<P: AsRef<Path>>(path: P, args: DatabaseArguments) -> Result<DatabaseEnv, InitError> {
    init_db_for::<P, Tables>(path, args)
}

/// As [`init_db`], with the tables of `TS`.
pub fn init_db_for<P: AsRef<Path>, TS: TableSet>(
    path: P,
    args: DatabaseArguments,
) -> Result<DatabaseEnv, InitError> {
    let client = args.client_version().clone();
    let mut db = create_db(path, args)?;
    db.create_and_track_tables_for::<TS>()?;
    db.record_client_version(client)?;
    for name in ORPHANS {
        // One that cannot be deleted takes up space and does no other harm; reth-db goes on too.
        let _ = db.drop_orphan_table(name);
    }
    Ok(db)
}

/// As [`init_db`], without any tables.
pub fn create_db<P: AsRef<Path>>(
    path: P,
    args: DatabaseArguments,
) -> Result<DatabaseEnv, InitError> {
    let path = path.as_ref();
    if is_database_empty(path) {
        fs::create_dir_all(path)
            .map_err(|source| InitError::Create { path: path.to_owned(), source })?;
        write_version(path)?;
    } else {
        match check_db_version_file(path) {
            Err(DatabaseVersionError::MissingFile) => write_version(path)?,
            checked => checked?,
        }
    }
    Ok(DatabaseEnv::open(path, DatabaseEnvKind::RW, args)?)
}

/// Opens an existing database to write, and creates no tables. Tables are then looked up by name
/// on each use.
pub fn open_db(path: impl AsRef<Path>, args: DatabaseArguments) -> Result<DatabaseEnv, InitError> {
    let client = args.client_version().clone();
    let db = open_at(path.as_ref(), DatabaseEnvKind::RW, args)?;
    db.record_client_version(client)?;
    Ok(db)
}

/// Opens an existing database to read. Tables are then looked up by name on each use.
pub fn open_db_read_only(
    path: impl AsRef<Path>,
    args: DatabaseArguments,
) -> Result<DatabaseEnv, InitError> {
    open_at(path.as_ref(), DatabaseEnvKind::RO, args)
}

/// Whether nothing stands in the way of a new database: no such path, or an empty directory.
pub fn is_database_empty<P: AsRef<Path>>(path: P) -> bool {
    let path = path.as_ref();
    match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !path.is_file(),
    }
}

fn write_version(path: &Path) -> Result<(), InitError> {
    create_db_version_file(path)
        .map_err(|source| InitError::Create { path: db_version_file_path(path), source })
}

fn open_at(
    path: &Path,
    kind: DatabaseEnvKind,
    args: DatabaseArguments,
) -> Result<DatabaseEnv, InitError> {
    DatabaseEnv::open(path, kind, args)
        .map_err(|source| InitError::OpenAt { path: path.to_owned(), source })
}
