//! How much data a run uses.

use serde::{Deserialize, Serialize};

/// Size of the data of a run, relative to the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// One hundredth of the default: for tests of the suite, never for figures.
    Smoke,
    /// The sizes of BENCH_SPEC.md.
    #[default]
    Default,
    /// Ten times the default, but for the 4 KiB values, which would not fit in 1 GiB.
    Large,
}

impl Scale {
    /// Every scale, smallest first.
    pub const ALL: [Self; 3] = [Self::Smoke, Self::Default, Self::Large];

    /// The name used on the command line and in `summary.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Default => "default",
            Self::Large => "large",
        }
    }

    /// `count` at this scale; at least 1.
    pub const fn of(self, count: usize) -> usize {
        match self {
            Self::Smoke if count < 100 => 1,
            Self::Smoke => count / 100,
            Self::Default => count,
            Self::Large => count * 10,
        }
    }

    /// Entries of a large table: 100,000 at the default scale.
    pub const fn large(self) -> usize {
        self.of(100_000)
    }

    /// Entries of a table of 4 KiB values. Each takes two overflow pages, so that 100,000 of them
    /// fill 823 MB of the 1 GiB: the count does not grow with [`Scale::Large`].
    pub const fn large_values(self) -> usize {
        match self {
            Self::Large => Self::Default.large(),
            scale => scale.large(),
        }
    }

    /// Keys of a DUPSORT table, addresses with storage, headers: 10,000 at the default scale.
    pub const fn medium(self) -> usize {
        self.of(10_000)
    }

    /// Random look-ups of one pass: 1,000 at the default scale.
    pub const fn lookups(self) -> usize {
        self.of(1_000)
    }

    /// Entries read after a seek: 1,000 at the default scale.
    pub const fn range(self) -> usize {
        self.of(1_000)
    }
}

/// Duplicates of each key of a DUPSORT table and storage slots of each address, at every scale.
pub const DUPS: usize = 10;

/// Accounts, storage slots and headers that one block of H4 and H6 writes, at the default scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockShape {
    /// Updated accounts.
    pub accounts: usize,
    /// Updated storage slots.
    pub slots: usize,
    /// Accounts read before the writes (H6 only).
    pub account_reads: usize,
    /// Storage slots read before the writes (H6 only).
    pub slot_reads: usize,
}

impl BlockShape {
    /// The shape at `scale`. `large` uses more blocks' worth of state, not larger blocks.
    pub const fn at(scale: Scale) -> Self {
        let scale = match scale {
            Scale::Large => Scale::Default,
            scale => scale,
        };
        Self {
            accounts: scale.of(100),
            slots: scale.of(500),
            account_reads: scale.of(200),
            slot_reads: scale.of(1_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoke_is_a_hundredth_and_large_is_tenfold() {
        assert_eq!(Scale::Smoke.large(), 1_000);
        assert_eq!(Scale::Smoke.medium(), 100);
        assert_eq!(Scale::Smoke.of(1), 1);
        assert_eq!(Scale::Large.large(), 1_000_000);
        assert_eq!(Scale::Large.large_values(), 100_000);
    }
}
