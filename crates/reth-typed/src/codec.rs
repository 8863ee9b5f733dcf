//! Codecs of the key and value types that the typed tables use.
//!
//! | type | as a key | as a value |
//! |---|---|---|
//! | `u64` | 8 bytes, big-endian | 8 bytes, little-endian (SCALE) |
//! | `Address`, `B256` | its 20 or 32 bytes | |
//! | `Account`, `StorageEntry`, `Header`, `ClientVersion` | | Compact |

use crate::{
    DatabaseError,
    models::ClientVersion,
    table::{Compress, Decode, Decompress, Encode},
};
use alloy_consensus::Header;
use alloy_primitives::{Address, B256};
use bytes::BufMut;
use reth_codecs::Compact;
use reth_primitives_traits::{Account, StorageEntry};

/// An array of the expected length, or [`DatabaseError::Decode`].
fn exactly<const N: usize>(bytes: &[u8]) -> Result<[u8; N], DatabaseError> {
    bytes.try_into().map_err(|_| DatabaseError::Decode)
}

impl Encode for u64 {
    type Encoded = [u8; 8];

    fn encode(self) -> Self::Encoded {
        self.to_be_bytes()
    }
}

impl Decode for u64 {
    fn decode(value: &[u8]) -> Result<Self, DatabaseError> {
        exactly(value).map(Self::from_be_bytes)
    }
}

impl Encode for Address {
    type Encoded = [u8; 20];

    fn encode(self) -> Self::Encoded {
        self.into_array()
    }
}

impl Decode for Address {
    fn decode(value: &[u8]) -> Result<Self, DatabaseError> {
        exactly(value).map(Self::new)
    }
}

impl Encode for B256 {
    type Encoded = [u8; 32];

    fn encode(self) -> Self::Encoded {
        self.0
    }
}

impl Decode for B256 {
    fn decode(value: &[u8]) -> Result<Self, DatabaseError> {
        exactly(value).map(Self::new)
    }
}

impl Compress for u64 {
    type Compressed = Vec<u8>;

    fn compress(self) -> Self::Compressed {
        self.to_le_bytes().to_vec()
    }

    fn compress_to_buf<B: BufMut + AsMut<[u8]>>(&self, buf: &mut B) {
        buf.put_slice(&self.to_le_bytes());
    }
}

impl Decompress for u64 {
    fn decompress(value: &[u8]) -> Result<Self, DatabaseError> {
        // SCALE reads what it needs from the front and leaves the rest.
        let front = value.first_chunk().ok_or(DatabaseError::Decode)?;
        Ok(Self::from_le_bytes(*front))
    }
}

macro_rules! stored_as_compact {
    ($($value:ty),+) => {$(
        impl Compress for $value {
            type Compressed = Vec<u8>;

            fn compress_to_buf<B: BufMut + AsMut<[u8]>>(&self, buf: &mut B) {
                self.to_compact(buf);
            }
        }

        impl Decompress for $value {
            fn decompress(value: &[u8]) -> Result<Self, DatabaseError> {
                Ok(Self::from_compact(value, value.len()).0)
            }
        }
    )+};
}

stored_as_compact!(Account, StorageEntry, Header);

// Three length-prefixed strings, one after the other. Written out, since a derived Compact would
// add a bit field.
impl Compress for ClientVersion {
    type Compressed = Vec<u8>;

    fn compress_to_buf<B: BufMut + AsMut<[u8]>>(&self, buf: &mut B) {
        for text in [&self.version, &self.git_sha, &self.build_timestamp] {
            text.to_compact(buf);
        }
    }
}

impl Decompress for ClientVersion {
    fn decompress(value: &[u8]) -> Result<Self, DatabaseError> {
        let mut rest = value;
        let mut text = || {
            let (bytes, after) = Vec::<u8>::from_compact(rest, rest.len());
            rest = after;
            String::from_utf8(bytes).map_err(|_| DatabaseError::Decode)
        };
        Ok(Self { version: text()?, git_sha: text()?, build_timestamp: text()? })
    }
}
