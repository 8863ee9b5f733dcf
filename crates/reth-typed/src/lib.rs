//! reth's typed layer over the registry binding.
//!
//! reth publishes its binding's fork (`libmdbx-remote`) and its codecs (`reth-codecs`,
//! `reth-primitives-traits`) on crates.io, but not `reth-db`, which joins the two. This crate is
//! that joint, for the default workspace that builds from crates.io alone. It bears the dependency
//! name `reth-db` there, so that one adapter source compiles against it and against the real crate:
//! paths, names and signatures are those of `reth-db` at reth v1.11.3.
//!
//! # What is reproduced
//!
//! - **The file.** The same tables in the same order with the same flags, the same keys and the
//!   same row bytes, so that either crate reads what the other wrote.
//! - **The work per call.** The same number and kind of libmdbx calls, the hashed look-up of a
//!   table's handle on every [`get`](transaction::DbTx::get) and cursor open, one compression buffer
//!   per cursor, a fully decoded row from every read, two clock readings around a commit or abort.
//! - **The environment.** The same flags and options; see [`mdbx::DatabaseEnv::open`].
//!
//! # What is left out
//!
//! Metrics (optional in `reth-db`, off in every bench), log messages, the process lock file beside the
//! database (libmdbx has its own), raw tables, table import, and typed definitions of the tables that
//! the suite only creates and never fills. Traits ask for no serde bounds.
//!
//! # Where the two differ by intent
//!
//! - [`init_db`] and its siblings return [`InitError`] instead of an `eyre::Report`. Code that
//!   compiles against both formats the error with `{:#}`.
//! - A key of the wrong length is [`DatabaseError::Decode`] everywhere; `reth-db` panics for an
//!   address.
//!
//! Values are decoded by reth's own codec, which trusts what it reads: a truncated or forged value
//! can panic here just as it does in reth.

pub mod common;
pub mod cursor;
pub mod database;
pub mod mdbx;
pub mod models;
pub mod table;
pub mod tables;
pub mod transaction;
pub mod version;

mod codec;
mod error;
mod walker;

pub use database::Database;
pub use error::{
    DatabaseError, DatabaseErrorInfo, DatabaseWriteError, DatabaseWriteOperation, InitError,
    LogLevel,
};
pub use mdbx::{DatabaseEnv, DatabaseEnvKind, create_db, init_db, open_db, open_db_read_only};
pub use models::ClientVersion;
pub use tables::*;
