//! Where a workload puts what it read: one loop serves both the timer and the verification.
//!
//! [`Touch`] does the least that keeps a read honest: it loads from the value so that its page is
//! really accessed. [`Recorder`] keeps a digest of every record. A workload is generic over the
//! two, so that the loop that is verified is the loop that is timed.

use std::{fmt::Write as _, hint::black_box};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Something read from a database.
pub trait Value {
    /// Loads from the value: the first and the last byte of a slice, a field of a decoded row.
    fn touch(&self) -> u64;

    /// The value in bytes that are the same for every arm: the slice itself, or the fields of a row
    /// in one fixed encoding.
    fn canonical(&self) -> Vec<u8>;
}

impl Value for [u8] {
    #[inline]
    fn touch(&self) -> u64 {
        match self {
            [] => 0,
            [first, ..] => u64::from(*first) + u64::from(self[self.len() - 1]),
        }
    }

    fn canonical(&self) -> Vec<u8> {
        self.to_vec()
    }
}

/// Receives what a workload reads.
pub trait Sink {
    /// An entry was found.
    fn hit<V: Value + ?Sized>(&mut self, key: &[u8], value: &V);

    /// No entry was found.
    fn miss(&mut self, key: &[u8]);
}

/// The sink of a timed run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Touch(u64);

impl Touch {
    /// Sum of what was touched; pass it to `black_box`.
    pub const fn sum(self) -> u64 {
        self.0
    }
}

impl Sink for Touch {
    #[inline]
    fn hit<V: Value + ?Sized>(&mut self, key: &[u8], value: &V) {
        // `black_box` on the reference keeps a decoded row from being optimised down to the one
        // field that `touch` loads.
        let value = black_box(value);
        self.0 = self.0.wrapping_add(key.touch()).wrapping_add(value.touch());
    }

    #[inline]
    fn miss(&mut self, _key: &[u8]) {
        self.0 = self.0.wrapping_add(1);
    }
}

/// One record of a [`Recorder`].
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    key: Vec<u8>,
    /// XXH3 of the canonical value, or `None` for a miss.
    value: Option<u64>,
    /// Start of the canonical value, for a readable difference.
    head: Vec<u8>,
}

/// The sink of a verification: remembers every record in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorder {
    records: Vec<Record>,
}

/// Bytes of a value that a [`Recorder`] keeps for its report.
const HEAD: usize = 40;

impl Recorder {
    /// Records that `key` was found with this canonical value.
    pub fn found(&mut self, key: &[u8], canonical: &[u8]) {
        self.records.push(Record {
            key: key.to_vec(),
            value: Some(xxh3_64(canonical)),
            head: canonical[..canonical.len().min(HEAD)].to_vec(),
        });
    }

    /// Adds the records of `other` after these.
    pub fn extend(&mut self, other: Self) {
        self.records.extend(other.records);
    }

    /// Number of records.
    pub const fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether nothing was recorded.
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Records that found an entry.
    pub fn hits(&self) -> usize {
        self.records.iter().filter(|r| r.value.is_some()).count()
    }

    /// XXH3-128 over all keys and value hashes in order.
    pub fn digest(&self) -> u128 {
        let mut hasher = Xxh3::new();
        for record in &self.records {
            hasher.update(&(record.key.len() as u64).to_le_bytes());
            hasher.update(&record.key);
            hasher.update(&[u8::from(record.value.is_some())]);
            hasher.update(&record.value.unwrap_or_default().to_le_bytes());
        }
        hasher.digest128()
    }

    /// The first record in which the two differ, in words; `None` if they are equal.
    pub fn first_difference(&self, expected: &Self) -> Option<String> {
        let index = self
            .records
            .iter()
            .zip(&expected.records)
            .position(|(found, wanted)| found != wanted)
            .or_else(|| {
                let shorter = self.len().min(expected.len());
                (self.len() != expected.len()).then_some(shorter)
            })?;
        Some(format!(
            "record {index} of {}: found {}, expected {}",
            expected.len(),
            describe(self.records.get(index)),
            describe(expected.records.get(index)),
        ))
    }
}

fn describe(record: Option<&Record>) -> String {
    match record {
        None => "the end".to_owned(),
        Some(Record { key, value: None, .. }) => format!("no entry under key {}", hex(key)),
        Some(Record { key, head, .. }) => format!("key {} with value {}…", hex(key), hex(head)),
    }
}

/// Lower-case hexadecimal with a leading `0x`.
pub fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 + bytes.len() * 2);
    out.push_str("0x");
    for byte in bytes {
        // Writing to a String does not fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

impl Sink for Recorder {
    fn hit<V: Value + ?Sized>(&mut self, key: &[u8], value: &V) {
        self.found(key, &value.canonical());
    }

    fn miss(&mut self, key: &[u8]) {
        self.records.push(Record { key: key.to_vec(), value: None, head: Vec::new() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(pairs: &[(&str, &str)]) -> Recorder {
        let mut out = Recorder::default();
        pairs.iter().for_each(|(k, v)| out.hit(k.as_bytes(), v.as_bytes()));
        out
    }

    #[test]
    fn swapped_values_are_named() {
        let (good, bad) =
            (recorded(&[("a", "1"), ("b", "2")]), recorded(&[("a", "2"), ("b", "1")]));
        assert_ne!(good.digest(), bad.digest());
        let difference = bad.first_difference(&good).expect("they differ");
        assert_eq!(
            difference,
            "record 0 of 2: found key 0x61 with value 0x32…, expected key 0x61 with value 0x31…"
        );
        assert_eq!(good.first_difference(&good), None);
    }

    #[test]
    fn a_short_read_and_a_miss_are_differences() {
        let good = recorded(&[("a", "1"), ("b", "2")]);
        let short = recorded(&[("a", "1")]);
        assert!(short.first_difference(&good).expect("short").contains("found the end"));
        let mut missing = recorded(&[("a", "1")]);
        missing.miss(b"b");
        assert!(
            missing.first_difference(&good).expect("missing").contains("no entry under key 0x62")
        );
        assert_ne!(short.digest(), missing.digest());
        assert_eq!(missing.hits(), 1);
    }
}
