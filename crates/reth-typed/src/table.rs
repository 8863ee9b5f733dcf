//! What a table is made of: a name, a kind, and the codecs of its keys and values.

use crate::DatabaseError;
use bytes::BufMut;
use std::fmt::Debug;

/// A table, known at compile time.
pub trait Table: Send + Sync + Debug + 'static {
    /// Name of the table in the environment.
    const NAME: &'static str;
    /// Whether a key may have several values, which libmdbx then keeps sorted.
    const DUPSORT: bool;
    /// Type of the keys. Rows are sorted by the bytes of the encoded key.
    type Key: Key;
    /// Type of the values.
    type Value: Value;
}

/// A table whose keys may have several values.
pub trait DupSort: Table {
    /// The leading part of each value, by which the values of one key are sorted and sought.
    type SubKey: Key;
}

/// A row of table `T`, decoded.
pub type TableRow<T> = (<T as Table>::Key, <T as Table>::Value);

/// A table, known at run time.
pub trait TableInfo: Send + Sync + Debug + 'static {
    /// See [`Table::NAME`].
    fn name(&self) -> &'static str;
    /// See [`Table::DUPSORT`].
    fn is_dupsort(&self) -> bool;
}

/// A type fit to be a key: it encodes, decodes and compares.
pub trait Key: Encode + Decode + Ord + Clone {}

impl<T: Encode + Decode + Ord + Clone> Key for T {}

/// A type fit to be a value.
pub trait Value: Compress + Decompress {}

impl<T: Compress + Decompress> Value for T {}

/// Turns a key into the bytes that order it.
pub trait Encode: Send + Sync + Sized + Debug {
    /// The bytes; an array for keys of fixed length, so that encoding allocates nothing.
    type Encoded: AsRef<[u8]> + IntoVec + Send + Sync + Ord + Debug;

    /// The key's bytes.
    fn encode(self) -> Self::Encoded;
}

/// Turns stored bytes back into a key.
pub trait Decode: Send + Sync + Sized + Debug {
    /// The key. [`DatabaseError::Decode`] if the bytes are not one.
    fn decode(value: &[u8]) -> Result<Self, DatabaseError>;

    /// As [`Self::decode`], for bytes that were copied out of the map.
    fn decode_owned(value: Vec<u8>) -> Result<Self, DatabaseError> {
        Self::decode(&value)
    }
}

/// Turns a value into the bytes that are stored.
pub trait Compress: Send + Sync + Sized + Debug {
    /// The buffer that [`Self::compress`] fills.
    type Compressed: BufMut
        + AsRef<[u8]>
        + AsMut<[u8]>
        + Into<Vec<u8>>
        + Default
        + Send
        + Sync
        + Debug;

    /// The stored bytes, where the value already consists of them and need not be copied first.
    fn uncompressable_ref(&self) -> Option<&[u8]> {
        None
    }

    /// The stored bytes, in a buffer of their own.
    fn compress(self) -> Self::Compressed {
        let mut bytes = Self::Compressed::default();
        self.compress_to_buf(&mut bytes);
        bytes
    }

    /// Appends the stored bytes to `buf`.
    fn compress_to_buf<B: BufMut + AsMut<[u8]>>(&self, buf: &mut B);
}

/// Turns stored bytes back into a value.
pub trait Decompress: Send + Sync + Sized + Debug {
    /// The value. [`DatabaseError::Decode`] if the bytes are visibly not one; reth's Compact codec
    /// trusts its input, and panics on some that are too short.
    fn decompress(value: &[u8]) -> Result<Self, DatabaseError>;

    /// As [`Self::decompress`], for bytes that were copied out of the map.
    fn decompress_owned(value: Vec<u8>) -> Result<Self, DatabaseError> {
        Self::decompress(&value)
    }
}

/// Turns an encoded key into a vector, for error messages.
pub trait IntoVec: AsRef<[u8]> {
    /// The bytes as a vector.
    fn into_vec(self) -> Vec<u8>;
}

impl IntoVec for Vec<u8> {
    fn into_vec(self) -> Vec<u8> {
        self
    }
}

impl<const N: usize> IntoVec for [u8; N] {
    fn into_vec(self) -> Vec<u8> {
        Vec::from(self)
    }
}
