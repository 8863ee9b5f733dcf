//! A small database for each test.

use reth_typed::{
    ClientVersion, DatabaseEnv, init_db,
    mdbx::{DatabaseArguments, SyncMode},
};
use std::path::Path;
use tempfile::TempDir;

/// The suite's settings, with a smaller map.
pub(crate) fn arguments() -> DatabaseArguments {
    DatabaseArguments::new(ClientVersion::default())
        .with_geometry_max_size(Some(64 << 20))
        .with_growth_step(Some(4 << 20))
        .with_geometry_page_size(Some(4096))
        .with_sync_mode(Some(SyncMode::SafeNoSync))
}

/// Opens the database in `dir`.
pub(crate) fn open(dir: &Path) -> DatabaseEnv {
    init_db(dir, arguments()).expect("the database opens")
}

/// Opens a database in a directory of its own, which the caller keeps.
pub(crate) fn fresh() -> (TempDir, DatabaseEnv) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let db = open(dir.path());
    (dir, db)
}
