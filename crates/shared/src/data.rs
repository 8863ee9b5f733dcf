//! Seeded data of the binding benches: hash-like keys, independent values, duplicates, look-ups.

use crate::{
    catalogue::ValueSize,
    rng::{Purpose, Rng},
    scale::{DUPS, Scale},
};

/// A key: 32 bytes, uniform, as the hashes and hashed addresses that clients use as keys.
pub type Key = [u8; 32];

/// Size of a duplicate, bytes.
pub const DUP_SIZE: usize = 32;

/// `count` distinct uniform keys in the order of the stream, which is random.
pub fn keys(purpose: Purpose, count: usize) -> Vec<Key> {
    let mut rng = Rng::new(purpose);
    (0..count).map(|_| rng.bytes()).collect()
}

/// `count` distinct uniform keys, ascending.
pub fn sorted_keys(purpose: Purpose, count: usize) -> Vec<Key> {
    let mut keys = keys(purpose, count);
    keys.sort_unstable();
    keys
}

/// Values of one size, each at its own place of the stream, so that any can be made without the
/// others: 100,000 values of 4 KiB need not be held in memory.
#[derive(Clone, Debug)]
pub struct Values {
    rng: Rng,
    size: usize,
}

impl Values {
    /// Values of `size` bytes.
    pub fn new(size: usize) -> Self {
        Self { rng: Rng::new(Purpose::Values), size }
    }

    /// Size of each, bytes.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Writes the `index`-th value to `out`.
    ///
    /// # Panics
    /// If `out` is not [`Self::size`] bytes long.
    pub fn fill(&mut self, index: usize, out: &mut [u8]) {
        assert_eq!(out.len(), self.size);
        let blocks = self.size.div_ceil(64) as u128;
        // Sizes take disjoint parts of the stream: 2^40 blocks for each power of two.
        let region = u128::from(self.size.next_power_of_two().trailing_zeros()) << 40;
        self.rng.seek(region + index as u128 * blocks);
        self.rng.fill(out);
    }

    /// The `index`-th value.
    pub fn get(&mut self, index: usize) -> Vec<u8> {
        let mut out = vec![0; self.size];
        self.fill(index, &mut out);
        out
    }
}

/// The table that B1–B5 and B7 work on: ascending keys, the i-th value under the i-th key.
#[derive(Clone, Debug)]
pub struct Table {
    /// Ascending.
    pub keys: Vec<Key>,
    /// Value of each key, by its index.
    pub values: Values,
}

impl Table {
    /// The table of values of this size.
    pub fn new(size: ValueSize, scale: Scale) -> Self {
        Self {
            keys: sorted_keys(Purpose::Keys, size.entries(scale)),
            values: Values::new(size.bytes()),
        }
    }

    /// Indices of the entries that one pass looks up, uniform, in random order.
    pub fn lookups(&self, scale: Scale) -> Vec<usize> {
        let mut rng = Rng::new(Purpose::Lookups);
        (0..scale.lookups()).map(|_| rng.below(self.keys.len())).collect()
    }

    /// Indices of 64 entries in the middle half of the table, from each of which a whole range
    /// follows.
    pub fn midpoints(&self, scale: Scale) -> Vec<usize> {
        let mut rng = Rng::new(Purpose::Lookups);
        let (start, end) = (self.keys.len() / 4, self.keys.len() * 3 / 4);
        let end = end.min(self.keys.len() - scale.range());
        (0..64).map(|_| start + rng.below(end - start)).collect()
    }
}

/// Prepared puts. [`Puts::renew`] changes every value, so that no commit is a no-op: libmdbx returns
/// early when the same key and value are put again.
#[derive(Clone, Debug)]
pub struct Puts {
    /// Keys in the order in which they are put.
    pub keys: Vec<Key>,
    /// Value of each, [`DUP_SIZE`] bytes.
    pub values: Vec<[u8; 32]>,
    version: u64,
}

impl Puts {
    /// `count` keys of the table in random order; they exist there.
    ///
    /// # Panics
    /// If the table has fewer entries or its values are not 32 bytes long.
    pub fn updates(table: &mut Table, count: usize) -> Self {
        Self::at(table, &Rng::new(Purpose::Writes).distinct(count, table.keys.len()))
    }

    /// The keys of the table at these indices, in this order. A key that occurs twice is put twice
    /// with the same value.
    ///
    /// # Panics
    /// If an index is out of range or the table's values are not 32 bytes long.
    pub fn at(table: &mut Table, chosen: &[usize]) -> Self {
        let keys = chosen.iter().map(|&i| table.keys[i]).collect();
        let values = chosen
            .iter()
            .map(|&i| {
                let mut value = [0; 32];
                table.values.fill(i, &mut value);
                value
            })
            .collect();
        Self { keys, values, version: 0 }
    }

    /// `count` keys that no table holds, in random order or ascending.
    pub fn inserts(count: usize, ascending: bool) -> Self {
        let mut keys = keys(Purpose::NewKeys, count);
        if ascending {
            keys.sort_unstable();
        }
        let mut rng = Rng::new(Purpose::Writes);
        let values = (0..count).map(|_| rng.bytes()).collect();
        Self { keys, values, version: 0 }
    }

    /// Gives every value its next version: its first eight bytes differ from those of any version
    /// before.
    pub fn renew(&mut self) {
        let flip = (self.version ^ (self.version + 1)).to_le_bytes();
        self.version += 1;
        for value in &mut self.values {
            value.iter_mut().zip(flip).for_each(|(byte, flip)| *byte ^= flip);
        }
    }

    /// Pairs in the order in which they are put.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Key, &[u8; 32])> {
        self.keys.iter().zip(&self.values)
    }
}

/// The DUPSORT tables of B6: ascending keys, each with [`DUPS`] ascending duplicates.
#[derive(Clone, Debug)]
pub struct DupTable {
    /// Ascending.
    pub keys: Vec<Key>,
    /// Duplicates of each key, ascending, one after another: [`DUPS`] times [`DUP_SIZE`] bytes.
    pub dups: Vec<[u8; DUPS * DUP_SIZE]>,
}

impl DupTable {
    /// The table at this scale.
    pub fn new(scale: Scale) -> Self {
        let keys = sorted_keys(Purpose::DupKeys, scale.medium());
        let mut rng = Rng::new(Purpose::DupValues);
        let dups = keys
            .iter()
            .map(|_| {
                let mut dups: [[u8; DUP_SIZE]; DUPS] = std::array::from_fn(|_| rng.bytes());
                dups.sort_unstable();
                let mut flat = [0; DUPS * DUP_SIZE];
                flat.copy_from_slice(dups.as_flattened());
                flat
            })
            .collect();
        Self { keys, dups }
    }

    /// Every pair in a random order.
    pub fn shuffled(&self) -> Vec<(Key, [u8; DUP_SIZE])> {
        let mut pairs: Vec<_> = self
            .keys
            .iter()
            .zip(&self.dups)
            .flat_map(|(key, dups)| {
                dups.as_chunks::<DUP_SIZE>().0.iter().map(move |dup| (*key, *dup))
            })
            .collect();
        Rng::new(Purpose::Writes).shuffle(&mut pairs);
        pairs
    }

    /// Indices of the keys that one pass looks up, uniform, in random order.
    pub fn lookups(&self, scale: Scale) -> Vec<usize> {
        let mut rng = Rng::new(Purpose::Lookups);
        (0..scale.lookups()).map(|_| rng.below(self.keys.len())).collect()
    }
}
