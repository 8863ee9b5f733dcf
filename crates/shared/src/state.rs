//! Seeded Ethereum data of the typed benches: accounts, storage, headers, blocks.
//!
//! The mix follows what decides row sizes and codec work on mainnet: the share of accounts with code
//! and how often a bytecode is reused. Magnitudes of nonces, balances and storage words are our own
//! choice, stated at each generator, and the same for both sides.

use crate::{
    catalogue::AccountMix,
    rng::{Purpose, Rng},
    scale::{BlockShape, DUPS, Scale},
};
use alloy_consensus::Header;
use alloy_primitives::{Address, B64, B256, Bloom, Bytes, U256};
use std::collections::HashSet;

/// Share of accounts with code under [`AccountMix::Mainnet`], in thousandths. 80.8 % of mainnet
/// accounts have none.
pub const CONTRACTS_PERMILLE: usize = 192;

/// Accounts that share a bytecode under [`AccountMix::Mainnet`].
pub const ACCOUNTS_PER_BYTECODE: usize = 28;

/// An account, in no stack's own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountSpec {
    /// Transactions sent, or contracts created.
    pub nonce: u64,
    /// Wei.
    pub balance: U256,
    /// Hash of the code; `None` for an account without code.
    pub code_hash: Option<B256>,
}

impl AccountSpec {
    /// Nonce and balance big-endian, then the code hash if there is one: the encoding in which
    /// verification compares accounts.
    pub fn canonical(&self) -> Vec<u8> {
        let mut out = self.nonce.to_be_bytes().to_vec();
        out.extend(self.balance.to_be_bytes::<32>());
        out.extend(self.code_hash.iter().flat_map(|hash| hash.0));
        out
    }
}

/// Number below 2^`bits` whose bit length is uniform: small and large ones are equally frequent.
fn log_uniform(rng: &mut Rng, bits: usize) -> U256 {
    let length = rng.below(bits + 1);
    let wide = U256::from_be_bytes(rng.bytes::<32>());
    if length == 0 { U256::ZERO } else { wide >> (256 - length) }
}

/// A table of accounts.
#[derive(Clone, Debug)]
pub struct Accounts {
    /// Distinct and uniform, ascending.
    pub addresses: Vec<Address>,
    /// The account of each address.
    pub accounts: Vec<AccountSpec>,
}

impl Accounts {
    /// The table at this scale.
    ///
    /// Nonces are log-uniform below 2^10 without code and 1 with it; balances are log-uniform below
    /// 2^70 wei (about 1,180 ETH), zero included.
    pub fn new(mix: AccountMix, scale: Scale) -> Self {
        let addresses = addresses(scale.large());
        let mut rng = Rng::new(Purpose::Accounts);
        let contracts = scale.large() * CONTRACTS_PERMILLE / 1_000;
        let mut code = Rng::new(Purpose::Code);
        let pool: Vec<B256> = (0..(contracts / ACCOUNTS_PER_BYTECODE).max(1))
            .map(|_| B256::new(code.bytes()))
            .collect();
        let accounts = addresses
            .iter()
            .map(|_| {
                let code_hash = match mix {
                    AccountMix::Mainnet => {
                        rng.permille(CONTRACTS_PERMILLE).then(|| pool[rng.below(pool.len())])
                    }
                    AccountMix::Contracts => Some(B256::new(rng.bytes())),
                };
                let nonce = match code_hash {
                    None => log_uniform(&mut rng, 10).to(),
                    Some(_) => 1,
                };
                AccountSpec { nonce, balance: log_uniform(&mut rng, 70), code_hash }
            })
            .collect();
        Self { addresses, accounts }
    }

    /// Pairs, ascending by address.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Address, &AccountSpec)> {
        self.addresses.iter().zip(&self.accounts)
    }

    /// Addresses of one pass of look-ups; with `half_miss`, every other one has no account. Absent
    /// addresses are drawn from the whole range, so that their searches end on all leaves and not on
    /// one hot leaf.
    pub fn lookups(&self, half_miss: bool, scale: Scale) -> Vec<Address> {
        let mut rng = Rng::new(Purpose::Lookups);
        let mut absent = Rng::new(Purpose::AbsentAddresses);
        (0..scale.lookups())
            .map(|i| match half_miss && i % 2 == 1 {
                true => loop {
                    let address = Address::new(absent.bytes());
                    if self.addresses.binary_search(&address).is_err() {
                        break address;
                    }
                },
                false => self.addresses[rng.below(self.addresses.len())],
            })
            .collect()
    }
}

/// `count` distinct uniform addresses, ascending.
fn addresses(count: usize) -> Vec<Address> {
    let mut rng = Rng::new(Purpose::Addresses);
    let mut addresses: Vec<_> = (0..count).map(|_| Address::new(rng.bytes())).collect();
    addresses.sort_unstable();
    addresses
}

/// A table of storage: some of the addresses, [`DUPS`] slots each.
#[derive(Clone, Debug)]
pub struct Storage {
    /// Ascending; each also has an account.
    pub addresses: Vec<Address>,
    /// Slots of each address, ascending, with their values.
    pub slots: Vec<[(U256, U256); DUPS]>,
}

impl Storage {
    /// The table at this scale. Slots are uniform, as the hashed slots of mappings are; a third of
    /// the values each are numbers log-uniform below 2^96, addresses, and whole words. None is zero,
    /// since a zero slot is absent.
    pub fn new(accounts: &Accounts, scale: Scale) -> Self {
        let mut rng = Rng::new(Purpose::Storage);
        let mut chosen = rng.distinct(scale.medium(), accounts.addresses.len());
        chosen.sort_unstable();
        let addresses: Vec<_> = chosen.into_iter().map(|i| accounts.addresses[i]).collect();
        let slots = addresses
            .iter()
            .map(|_| {
                let mut slots: [(U256, U256); DUPS] = std::array::from_fn(|_| {
                    (U256::from_be_bytes(rng.bytes::<32>()), storage_value(&mut rng))
                });
                slots.sort_unstable();
                slots
            })
            .collect();
        Self { addresses, slots }
    }

    /// Address and slot of one pass of look-ups, every one of which exists.
    pub fn lookups(&self, scale: Scale) -> Vec<(Address, U256)> {
        let mut rng = Rng::new(Purpose::Lookups);
        (0..scale.lookups()).map(|_| self.pair(&mut rng)).map(|(a, s)| self.at(a, s)).collect()
    }

    /// Addresses of one pass that reads all slots of each.
    pub fn address_lookups(&self, scale: Scale) -> Vec<usize> {
        let mut rng = Rng::new(Purpose::Lookups);
        (0..scale.lookups()).map(|_| rng.below(self.addresses.len())).collect()
    }

    /// Rows: address, slot and value, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (&Address, &U256, &U256)> {
        self.addresses.iter().zip(&self.slots).flat_map(|(address, slots)| {
            slots.iter().map(move |(slot, value)| (address, slot, value))
        })
    }

    fn pair(&self, rng: &mut Rng) -> (usize, usize) {
        (rng.below(self.addresses.len()), rng.below(DUPS))
    }

    fn at(&self, address: usize, slot: usize) -> (Address, U256) {
        (self.addresses[address], self.slots[address][slot].0)
    }
}

fn storage_value(rng: &mut Rng) -> U256 {
    loop {
        let value = match rng.below(3) {
            0 => log_uniform(rng, 96),
            1 => U256::from_be_bytes(rng.bytes::<32>()) >> 96,
            _ => U256::from_be_bytes(rng.bytes::<32>()),
        };
        if !value.is_zero() {
            return value;
        }
    }
}

/// Headers 0 to `count - 1`, each with every field of a post-Cancun header and the requests hash
/// that Prague adds. Hashes are uniform, and a header's parent is not the header before it: no
/// benchmark follows that link.
pub fn headers(count: usize) -> Vec<Header> {
    let mut rng = Rng::new(Purpose::Headers);
    (0..count as u64).map(|number| header(number, &mut rng)).collect()
}

fn header(number: u64, rng: &mut Rng) -> Header {
    let mut hash = || B256::new(rng.bytes());
    Header {
        parent_hash: hash(),
        ommers_hash: alloy_consensus::EMPTY_OMMER_ROOT_HASH,
        state_root: hash(),
        transactions_root: hash(),
        receipts_root: hash(),
        withdrawals_root: Some(hash()),
        parent_beacon_block_root: Some(hash()),
        requests_hash: Some(hash()),
        mix_hash: hash(),
        beneficiary: Address::new(rng.bytes()),
        logs_bloom: Bloom::new(rng.bytes()),
        difficulty: U256::ZERO,
        number,
        gas_limit: 36_000_000 + rng.below(9_000_000) as u64,
        gas_used: rng.below(36_000_000) as u64,
        timestamp: FIRST_TIMESTAMP + number * 12,
        nonce: B64::ZERO,
        base_fee_per_gas: Some(rng.below(50_000_000_000) as u64),
        blob_gas_used: Some(rng.below(7) as u64 * 131_072),
        excess_blob_gas: Some(rng.below(80_000_000) as u64),
        extra_data: {
            // Client names and builders' tags: up to 32 bytes.
            let mut extra = rng.bytes::<32>().to_vec();
            extra.truncate(rng.below(33));
            Bytes::from(extra)
        },
    }
}

/// What one block reads and writes. Updates stand in ascending order, as both clients sort the
/// state changes of a block before they write them.
#[derive(Clone, Debug)]
pub struct Block {
    /// Accounts read first (H6).
    pub account_reads: Vec<Address>,
    /// Slots read first (H6).
    pub slot_reads: Vec<(Address, U256)>,
    /// New states of existing accounts.
    pub accounts: Vec<(Address, AccountSpec)>,
    /// New values of existing slots.
    pub slots: Vec<(Address, U256, U256)>,
    /// The block's header.
    pub header: Header,
}

/// The blocks of one iteration of H4 or H6. [`Blocks::renew`] changes every account, every slot and
/// every header, so that no put is a no-op.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// In ascending order of number.
    pub blocks: Vec<Block>,
    bases: Vec<Base>,
    version: u64,
}

impl Blocks {
    /// `count` blocks on top of `accounts`, `storage` and headers below `next_number`.
    pub fn new(
        count: usize,
        accounts: &Accounts,
        storage: &Storage,
        next_number: u64,
        scale: Scale,
    ) -> Self {
        let shape = BlockShape::at(scale);
        let mut rng = Rng::new(Purpose::Blocks);
        let blocks: Vec<Block> = (next_number..next_number + count as u64)
            .map(|number| {
                let mut touched = rng.distinct(shape.accounts, accounts.addresses.len());
                touched.sort_unstable();
                let mut pairs = HashSet::with_capacity(shape.slots);
                while pairs.len() < shape.slots {
                    pairs.insert(storage.pair(&mut rng));
                }
                let mut pairs: Vec<_> = pairs.into_iter().collect();
                pairs.sort_unstable();
                let account_reads = (0..shape.account_reads)
                    .map(|_| accounts.addresses[rng.below(accounts.addresses.len())])
                    .collect();
                let slot_reads = (0..shape.slot_reads)
                    .map(|_| storage.pair(&mut rng))
                    .map(|(address, slot)| storage.at(address, slot))
                    .collect();
                Block {
                    account_reads,
                    slot_reads,
                    accounts: touched
                        .into_iter()
                        .map(|i| (accounts.addresses[i], accounts.accounts[i]))
                        .collect(),
                    slots: pairs
                        .into_iter()
                        .map(|(a, s)| (storage.addresses[a], storage.slots[a][s]))
                        .map(|(address, (slot, value))| (address, slot, value))
                        .collect(),
                    header: header(number, &mut rng),
                }
            })
            .collect();
        Self {
            bases: blocks
                .iter()
                .map(|block| Base {
                    accounts: block.accounts.iter().map(|(_, account)| *account).collect(),
                    slots: block.slots.iter().map(|(_, _, value)| *value).collect(),
                    number: next_number,
                })
                .collect(),
            blocks,
            version: 0,
        }
    }

    /// Gives every account, slot and header its next version: a state that neither the blocks
    /// before it in this iteration nor any iteration before has given it. Numbers go on where the
    /// blocks before ended.
    pub fn renew(&mut self) {
        let count = self.blocks.len() as u64;
        let first = self.version * count + 1;
        self.version += 1;
        for (version, (block, base)) in (first..).zip(self.blocks.iter_mut().zip(&self.bases)) {
            for ((_, account), base) in block.accounts.iter_mut().zip(&base.accounts) {
                account.nonce = base.nonce + version;
                account.balance = base.balance + U256::from(version);
            }
            for ((_, _, value), base) in block.slots.iter_mut().zip(&base.slots) {
                *value = versioned(*base, version);
            }
            block.header.number = base.number + version - 1;
            block.header.timestamp = FIRST_TIMESTAMP + block.header.number * 12;
        }
    }
}

/// The `version`-th value of a slot: the low 32 bits run through a permutation, so that versions
/// differ and the value keeps its magnitude, which decides how long reth's row is. Never zero.
fn versioned(base: U256, version: u64) -> U256 {
    let low = U256::from(u32::MAX);
    let start: u64 = (base & low).to();
    let mixed = start.wrapping_add(version.wrapping_mul(0x9E37_79B1)) & u64::from(u32::MAX);
    let value = (base & !low) | U256::from(mixed);
    if value.is_zero() { U256::from(1_u64 << 32) } else { value }
}

/// Timestamp of header 0: the start of Cancun on mainnet.
const FIRST_TIMESTAMP: u64 = 1_710_338_135;

/// What a block's versions are made from.
#[derive(Clone, Debug)]
struct Base {
    accounts: Vec<AccountSpec>,
    slots: Vec<U256>,
    /// Number of the first block of all.
    number: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_mix_is_mainnets() {
        let table = Accounts::new(AccountMix::Mainnet, Scale::Default);
        let codes: Vec<_> = table.accounts.iter().filter_map(|a| a.code_hash).collect();
        let share = codes.len() as f64 / table.accounts.len() as f64;
        // Three standard deviations of a binomial share at n = 100,000.
        assert!((share - 0.192).abs() < 0.0038, "share of contracts {share}");
        let distinct = codes.iter().collect::<HashSet<_>>().len();
        let reuse = codes.len() as f64 / distinct as f64;
        assert!((25.0..31.0).contains(&reuse), "accounts per bytecode {reuse}");
        let contracts = Accounts::new(AccountMix::Contracts, Scale::Smoke);
        let distinct: HashSet<_> = contracts.accounts.iter().map(|a| a.code_hash).collect();
        assert_eq!(distinct.len(), contracts.accounts.len());
    }

    #[test]
    fn misses_miss_everywhere_and_hits_hit() {
        let table = Accounts::new(AccountMix::Mainnet, Scale::Default);
        let known: HashSet<_> = table.addresses.iter().collect();
        assert_eq!(known.len(), table.addresses.len());
        let looked_up = table.lookups(true, Scale::Default);
        let absent: Vec<_> = looked_up.iter().filter(|a| !known.contains(a)).collect();
        assert_eq!(absent.len() * 2, looked_up.len());
        // Spread over the range: each quarter of the first byte holds about a quarter of them.
        for quarter in 0..4 {
            let inside = absent.iter().filter(|a| a[0] / 64 == quarter).count();
            assert!(
                (80..170).contains(&inside),
                "{inside} of 500 absent keys in quarter {quarter}"
            );
        }
        assert!(table.lookups(false, Scale::Default).iter().all(|a| known.contains(a)));
    }

    #[test]
    fn every_block_reads_and_writes_what_exists_and_changes_all_of_it() {
        let accounts = Accounts::new(AccountMix::Mainnet, Scale::Smoke);
        let storage = Storage::new(&accounts, Scale::Smoke);
        let existing: HashSet<_> = storage.iter().map(|(a, s, _)| (*a, *s)).collect();
        assert_eq!(existing.len(), storage.addresses.len() * DUPS);
        // As many blocks as make it likely that one row is written by several of them.
        let mut blocks = Blocks::new(200, &accounts, &storage, 100, Scale::Smoke);
        let mut state: HashMap<_, _> = accounts.iter().map(|(a, s)| (*a, *s)).collect();
        let mut slots: HashMap<_, _> = storage.iter().map(|(a, s, v)| ((*a, *s), *v)).collect();
        let mut again = 0;
        let mut written = HashSet::new();
        for _ in 0..3 {
            blocks.renew();
            for block in &blocks.blocks {
                for (address, account) in &block.accounts {
                    assert_ne!(state.insert(*address, *account), Some(*account), "a no-op put");
                }
                for (address, slot, value) in &block.slots {
                    assert!(!value.is_zero() && existing.contains(&(*address, *slot)));
                    let old = slots.insert((*address, *slot), *value);
                    assert_ne!(old, Some(*value), "a no-op put");
                    again += usize::from(!written.insert((*address, *slot)));
                }
                assert!(block.slot_reads.iter().all(|pair| existing.contains(pair)));
                assert!(block.accounts.is_sorted_by_key(|(address, _)| *address));
                assert!(block.slots.is_sorted_by_key(|(address, slot, _)| (*address, *slot)));
            }
        }
        assert!(again > 100, "only {again} slots were written twice: the test shows little");
        let numbers: Vec<_> = blocks.blocks.iter().map(|b| b.header.number).collect();
        assert_eq!(numbers, (500..700).collect::<Vec<_>>());
    }

    #[test]
    fn values_and_keys_of_storage_are_independent() {
        let accounts = Accounts::new(AccountMix::Mainnet, Scale::Smoke);
        let storage = Storage::new(&accounts, Scale::Smoke);
        let slots: HashSet<_> = storage.iter().map(|(_, slot, _)| *slot).collect();
        assert!(storage.iter().all(|(_, _, value)| !slots.contains(value) && !value.is_zero()));
    }
}
