//! The database on libmdbx. Also re-exports the whole binding, as reth-db does.

pub mod cursor;
pub mod tx;

mod args;
mod env;
mod open;

pub use args::{DatabaseArguments, GIGABYTE, KILOBYTE, MEGABYTE, TERABYTE};
pub use env::{DatabaseEnv, DatabaseEnvKind};
pub use open::{create_db, init_db, init_db_for, is_database_empty, open_db, open_db_read_only};
pub use reth_libmdbx::*;
