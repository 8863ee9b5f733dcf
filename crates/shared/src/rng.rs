//! Portable randomness: one documented seed, one ChaCha stream per purpose.
//!
//! `SmallRng` and the sampling methods of `rand` may change between platforms and versions; a
//! ChaCha8 key stream is defined by its specification, and the two reductions below are our own and
//! fixed. Golden vectors in `tests/golden.rs` hold both.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};

/// Seed of all data of the suite. The 32-byte ChaCha key is this number four times, little-endian.
pub const SEED: u64 = 0xBEEF_CAFE_DEAD_F00D;

/// What a stream is for. Streams of one key never overlap, so data of different purposes are
/// independent: a value is no function of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u64)]
pub enum Purpose {
    /// 32-byte keys of the binding tables.
    Keys = 1,
    /// Values of the binding tables.
    Values = 2,
    /// Keys of the DUPSORT tables.
    DupKeys = 3,
    /// Duplicates of the DUPSORT tables.
    DupValues = 4,
    /// Which entries are looked up.
    Lookups = 5,
    /// Which entries are written, and in which order.
    Writes = 6,
    /// Keys that are inserted into an emptied table.
    NewKeys = 7,
    /// Account addresses.
    Addresses = 16,
    /// Nonces, balances and code hashes.
    Accounts = 17,
    /// Pool of code hashes.
    Code = 18,
    /// Addresses that have no account.
    AbsentAddresses = 19,
    /// Storage slots and their values.
    Storage = 20,
    /// Headers.
    Headers = 21,
    /// What each block updates and reads.
    Blocks = 22,
}

/// A generator for one purpose.
#[derive(Clone, Debug)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// The start of the purpose's stream.
    pub fn new(purpose: Purpose) -> Self {
        let mut key = [0; 32];
        key.chunks_exact_mut(8).for_each(|c| c.copy_from_slice(&SEED.to_le_bytes()));
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(purpose as u64);
        Self(rng)
    }

    /// Moves to the `block`-th 64-byte block of the stream.
    pub fn seek(&mut self, block: u128) {
        self.0.set_word_pos(block * 16);
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Fills `out` with the next bytes.
    pub fn fill(&mut self, out: &mut [u8]) {
        self.0.fill_bytes(out);
    }

    /// The next `N` bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.fill(&mut out);
        out
    }

    /// A number below `bound`, by the high half of a 64×64-bit product: its bias is below
    /// `bound / 2^64` (Lemire, "Fast Random Integer Generation in an Interval", 2019).
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// True with a probability of `permille / 1000`.
    pub fn permille(&mut self, permille: usize) -> bool {
        self.below(1_000) < permille
    }

    /// Permutes `items` (Fisher and Yates, Durstenfeld's form).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }

    /// `count` distinct numbers below `bound`, in random order.
    ///
    /// # Panics
    /// If `count` exceeds `bound`.
    pub fn distinct(&mut self, count: usize, bound: usize) -> Vec<usize> {
        assert!(count <= bound, "{count} distinct numbers below {bound}");
        let mut all: Vec<_> = (0..bound).collect();
        for i in 0..count {
            let other = i + self.below(bound - i);
            all.swap(i, other);
        }
        all.truncate(count);
        all
    }
}
