//! Golden vectors: the data of the suite, byte for byte, on every platform and release.
#![cfg(feature = "run")]

use bench_shared::{
    catalogue::ValueSize,
    data::{DupTable, Puts, Table, Values, keys, sorted_keys},
    rng::{Purpose, Rng},
    scale::{DUPS, Scale},
    sink::hex,
};
use std::collections::HashSet;

/// The state of the data in one number each; see `bench_shared::state` for what they are.
#[cfg(feature = "hotdb")]
#[test]
fn ethereum_data_is_fixed() {
    use bench_shared::{
        catalogue::AccountMix,
        hotdb::canonical_header,
        sink::{Recorder, Value},
        state::{Accounts, Blocks, Storage, headers},
    };
    let digest = |rows: &mut dyn Iterator<Item = Vec<u8>>| {
        let mut out = Recorder::default();
        rows.for_each(|row| out.found(&[], &row));
        format!("{:032x}", out.digest())
    };
    let accounts = Accounts::new(AccountMix::Mainnet, Scale::Smoke);
    let contracts = Accounts::new(AccountMix::Contracts, Scale::Smoke);
    let storage = Storage::new(&accounts, Scale::Smoke);
    let mut blocks = Blocks::new(2, &accounts, &storage, 100, Scale::Smoke);
    blocks.renew();
    let rows = |table: &Accounts| {
        digest(&mut table.iter().map(|(address, spec)| [&address[..], &spec.canonical()].concat()))
    };
    assert_eq!(rows(&accounts), "5cbf9b4bb0853f43b4dae3c7e140b7e0");
    assert_eq!(rows(&contracts), "72f2df169db7b6c7c9b86d26953357d3");
    let slots = digest(
        &mut storage.iter().map(|(a, s, v)| [&a[..], &s.canonical(), &v.canonical()].concat()),
    );
    assert_eq!(slots, "ed8d8028e83d22d576c06ed41048150e");
    assert_eq!(
        digest(&mut headers(10).iter().map(canonical_header)),
        "c0b02b38867c9ecb0d2cd3242a73ba92"
    );
    let written = digest(&mut blocks.blocks.iter().map(|block| {
        let mut row = canonical_header(&block.header);
        block.accounts.iter().for_each(|(a, s)| row.extend([&a[..], &s.canonical()].concat()));
        block.slots.iter().for_each(|(a, s, v)| {
            row.extend([&a[..], &s.canonical(), &v.canonical()].concat());
        });
        row
    }));
    assert_eq!(written, "102b8253ae5befbd18d2144d47391844");
}

#[test]
fn the_streams_are_fixed() {
    let start = |purpose| Rng::new(purpose).next_u64();
    assert_eq!(start(Purpose::Keys), 0xc728cfcee84a0e9d);
    assert_eq!(start(Purpose::Lookups), 0x38f1650ecbe0e8b8);
    let mut rng = Rng::new(Purpose::Writes);
    let drawn: Vec<_> = (0..8).map(|_| rng.below(100_000)).collect();
    assert_eq!(drawn, [65191, 67168, 74296, 79343, 13264, 59224, 42426, 59493]);
    assert_eq!(Rng::new(Purpose::Writes).distinct(8, 100), [65, 67, 74, 79, 16, 61, 45, 62]);
}

#[test]
fn keys_and_values_are_fixed() {
    assert_eq!(
        hex(&keys(Purpose::Keys, 2)[1]),
        "0xec2036767450a8696c2e4cf8cd3e5247014bcc4734219b427fc772c0953564ad"
    );
    assert_eq!(
        hex(&Values::new(32).get(3)),
        "0x0e3bf805128a038b07ffcdf5eea59a680090a0299f99b15db657062bc061ca40"
    );
    assert_eq!(
        hex(&Values::new(256).get(0)[..32]),
        "0x710f1da73c50112139f6d17bc9bb07f4a62d924bc77b5b9172fc65957e9a2c6f"
    );
    assert_eq!(
        hex(&Values::new(4096).get(99_999)[4064..]),
        "0x4fce0cd0afdd69c7ba47554bd420db8aaa1e0f1368b895a74318a45d6ca8b6d0"
    );
    let dups = DupTable::new(Scale::Smoke);
    assert_eq!(
        hex(&dups.dups[7][..32]),
        "0x124e93e1d5682421a36941cfbc4071ea476907c62e3555abb17347b3b6350f44"
    );
}

#[test]
fn keys_are_distinct_and_uniform() {
    let keys = sorted_keys(Purpose::Keys, 100_000);
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    // Chi-squared of the first byte over 256 cells: 255 degrees of freedom, 99.9 % point 330.5.
    let mut counts = [0_f64; 256];
    keys.iter().for_each(|key| counts[usize::from(key[0])] += 1.0);
    let mean = 100_000.0 / 256.0;
    let chi: f64 = counts.iter().map(|n| (n - mean).powi(2) / mean).sum();
    assert!(chi < 330.5, "chi-squared {chi}");
}

#[test]
fn values_are_independent_of_keys() {
    let mut table = Table::new(ValueSize::B32, Scale::Smoke);
    let keys: HashSet<_> = table.keys.iter().map(|key| key.to_vec()).collect();
    assert!((0..table.keys.len()).all(|i| !keys.contains(&table.values.get(i))));
    // Bits of a value agree with bits of its key as often as not.
    let agreeing: u32 = (0..table.keys.len())
        .map(|i| {
            let value = table.values.get(i);
            table.keys[i].iter().zip(&value).map(|(a, b)| (!(a ^ b)).count_ones()).sum::<u32>()
        })
        .sum();
    let share = f64::from(agreeing) / (table.keys.len() * 256) as f64;
    // Three standard deviations of a binomial share at n = 256,000.
    assert!((share - 0.5).abs() < 0.003, "{share}");
}

#[test]
fn a_value_does_not_depend_on_the_order_of_asking() {
    let mut values = Values::new(256);
    let (late, early) = (values.get(500), values.get(2));
    assert_eq!(Values::new(256).get(2), early);
    assert_eq!(Values::new(256).get(500), late);
}

#[test]
fn look_ups_are_uniform_over_the_table() {
    let table = Table::new(ValueSize::B32, Scale::Default);
    let looked_up = table.lookups(Scale::Default);
    for quarter in 0..4 {
        let inside = looked_up.iter().filter(|&&i| i / 25_000 == quarter).count();
        assert!((190..310).contains(&inside), "{inside} of 1,000 in quarter {quarter}");
    }
    for start in table.midpoints(Scale::Default) {
        assert!((25_000..75_000).contains(&start));
    }
}

#[test]
fn renewed_puts_change_every_value_every_time() {
    let mut table = Table::new(ValueSize::B32, Scale::Smoke);
    let mut puts = Puts::updates(&mut table, 100);
    let mut seen: Vec<HashSet<_>> = puts.values.iter().map(|v| HashSet::from([*v])).collect();
    for _ in 0..1_000 {
        puts.renew();
        for (value, seen) in puts.values.iter().zip(&mut seen) {
            assert!(seen.insert(*value), "a value came back");
        }
    }
}

#[test]
fn duplicates_ascend_and_are_distinct() {
    let table = DupTable::new(Scale::Smoke);
    assert_eq!(table.keys.len(), 100);
    for dups in &table.dups {
        assert!(dups.as_chunks::<32>().0.windows(2).all(|pair| pair[0] < pair[1]));
    }
    let pairs = table.shuffled();
    assert_eq!(pairs.len(), 100 * DUPS);
    assert_eq!(pairs.iter().collect::<HashSet<_>>().len(), pairs.len());
    assert!(!pairs.is_sorted());
}
