//! Short names for what reads return.

use crate::{DatabaseError, table::Table};

/// A decoded row of table `T`.
pub type KeyValue<T> = (<T as Table>::Key, <T as Table>::Value);

/// What a cursor move returns: the row it came to, `None` where there is none.
pub type PairResult<T> = Result<Option<KeyValue<T>>, DatabaseError>;

/// What a step of a walker returns: `None` after the last row.
pub type IterPairResult<T> = Option<Result<KeyValue<T>, DatabaseError>>;

/// What a cursor move among the duplicates of one key returns.
pub type ValueOnlyResult<T> = Result<Option<<T as Table>::Value>, DatabaseError>;
