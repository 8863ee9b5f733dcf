//! The file that names the layout's version, beside the data file.
//!
//! reth refuses a directory of another version, so a database that is to be read by it needs one.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Name of the file.
pub const DB_VERSION_FILE_NAME: &str = "database.version";

/// Version of the layout, the whole content of the file.
pub const DB_VERSION: u64 = 2;

/// Why a directory's version is not acceptable.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseVersionError {
    /// There is no version file.
    #[error("the database has no version file")]
    MissingFile,
    /// The version file holds no number.
    #[error("the database's version file holds no number")]
    MalformedFile,
    /// The layout is another one.
    #[error("the database has layout version {version}, wanted {DB_VERSION}")]
    VersionMismatch {
        /// The version found.
        version: u64,
    },
    /// The version file could not be read.
    #[error("cannot read {path}: {err}")]
    IORead {
        /// Why not.
        err: io::Error,
        /// The version file.
        path: PathBuf,
    },
}

/// `Ok` if the version file in `db_path` names [`DB_VERSION`].
pub fn check_db_version_file<P: AsRef<Path>>(db_path: P) -> Result<(), DatabaseVersionError> {
    match get_db_version(db_path)? {
        DB_VERSION => Ok(()),
        version => Err(DatabaseVersionError::VersionMismatch { version }),
    }
}

/// The version that the version file in `db_path` names.
pub fn get_db_version<P: AsRef<Path>>(db_path: P) -> Result<u64, DatabaseVersionError> {
    let path = db_version_file_path(db_path);
    match fs::read_to_string(&path) {
        Ok(text) => text.parse().map_err(|_| DatabaseVersionError::MalformedFile),
        Err(err) if err.kind() == io::ErrorKind::NotFound => Err(DatabaseVersionError::MissingFile),
        Err(err) => Err(DatabaseVersionError::IORead { err, path }),
    }
}

/// Writes the version file in `db_path`, over an old one if need be.
pub fn create_db_version_file<P: AsRef<Path>>(db_path: P) -> io::Result<()> {
    fs::write(db_version_file_path(db_path), DB_VERSION.to_string())
}

/// Path of the version file in `db_path`.
pub fn db_version_file_path<P: AsRef<Path>>(db_path: P) -> PathBuf {
    db_path.as_ref().join(DB_VERSION_FILE_NAME)
}
