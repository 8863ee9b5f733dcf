//! The Ethereum mainnet genesis allocation and the state root of a set of accounts.
//!
//! This is the suite's one check on real data: [`mainnet`] is loaded into a typed database, every
//! account is read back by a full scan, and [`state_root`] of what was read must equal
//! [`MAINNET_STATE_ROOT`], the root in the header of mainnet's block 0. A codec that loses a byte
//! of an address or a balance, or a scan that loses a row, cannot give it.
//!
//! The embedded file, `data/mainnet-genesis.txt.gz`, is gzip-compressed ASCII, one line per account,
//! ascending by address:
//!
//! ```text
//! 000d836201318ec6899a67540690382780743280 200000000000000000000
//! ```
//!
//! that is: 40 lower-case hexadecimal digits of address, a space, the balance in wei as a decimal
//! number without leading zeros, a newline. Packed binary would save a tenth (the addresses are
//! hashes and do not compress), but this form can be read with `zcat`. `data/README.md` names the
//! source, `data/make-genesis.py` regenerates the file from it.

use alloy_primitives::{Address, B256, U256, b256, keccak256};
use alloy_rlp::Encodable;
use alloy_trie::{EMPTY_ROOT_HASH, HashBuilder, KECCAK_EMPTY, Nibbles, TrieAccount};
use flate2::read::GzDecoder;
use std::io::{self, Read};
use thiserror::Error;

/// State root in the header of Ethereum mainnet's block 0.
pub const MAINNET_STATE_ROOT: B256 =
    b256!("0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544");

/// Accounts of the mainnet genesis: 8,890 presale purchases, the endowment, and two without a
/// balance. The latter two are part of the root like any other: a store that drops empty accounts
/// (EIP-161, years later) gives another one.
pub const MAINNET_ACCOUNTS: usize = 8_893;

const MAINNET_GZ: &[u8] = include_bytes!("../data/mainnet-genesis.txt.gz");

/// An account of the genesis: nonce 0, no code, no storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenesisAccount {
    /// The account's address.
    pub address: Address,
    /// Balance, wei; may be zero.
    pub balance: U256,
}

/// An account without storage, as read back from a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateAccount {
    /// The account's address.
    pub address: Address,
    /// Transactions sent.
    pub nonce: u64,
    /// Balance, wei.
    pub balance: U256,
    /// Keccak-256 of the code; `None` for an account without code.
    pub code_hash: Option<B256>,
}

impl From<GenesisAccount> for StateAccount {
    fn from(account: GenesisAccount) -> Self {
        Self { address: account.address, nonce: 0, balance: account.balance, code_hash: None }
    }
}

/// Why the embedded allocation could not be read. The file is part of the binary, so that each of
/// these means a damaged source tree.
#[derive(Debug, Error)]
pub enum GenesisError {
    /// The file is not gzip, is cut short, fails its checksum, or is not text.
    #[error("mainnet-genesis.txt.gz: cannot be decompressed")]
    Decompress(#[from] io::Error),
    /// A line is not `<40 hexadecimal digits> <decimal number>`.
    #[error("mainnet-genesis.txt.gz: line {line} is not `address balance`: {text:?}")]
    Malformed {
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// An address is not greater than the one before it.
    #[error("mainnet-genesis.txt.gz: line {line} is out of order or repeats an address")]
    Order {
        /// Number of the line, from 1.
        line: usize,
    },
    /// The file does not hold [`MAINNET_ACCOUNTS`] accounts.
    #[error("mainnet-genesis.txt.gz: {found} accounts instead of {MAINNET_ACCOUNTS}")]
    Count {
        /// Accounts in the file.
        found: usize,
    },
}

/// The mainnet genesis allocation: [`MAINNET_ACCOUNTS`] distinct accounts, ascending by address.
///
/// # Errors
///
/// If the embedded file is malformed or holds another number of accounts.
pub fn mainnet() -> Result<Vec<GenesisAccount>, GenesisError> {
    let mut text = String::new();
    GzDecoder::new(MAINNET_GZ).read_to_string(&mut text)?;
    let accounts = parse(&text)?;
    if accounts.len() != MAINNET_ACCOUNTS {
        return Err(GenesisError::Count { found: accounts.len() });
    }
    Ok(accounts)
}

/// State root of `accounts`, in any order: the root of the secure Merkle-Patricia trie that maps the
/// Keccak-256 of each address to the RLP of the account, with an empty storage root.
///
/// If an address occurs twice the result is zero, which is the root of no trie: a scan that yields a
/// row twice must fail the comparison of roots, not stop the process inside the trie.
pub fn state_root(accounts: impl IntoIterator<Item = StateAccount>) -> B256 {
    let mut leaves: Vec<(B256, TrieAccount)> = accounts
        .into_iter()
        .map(|account| {
            let code_hash = account.code_hash.unwrap_or(KECCAK_EMPTY);
            let leaf = TrieAccount {
                nonce: account.nonce,
                balance: account.balance,
                storage_root: EMPTY_ROOT_HASH,
                code_hash,
            };
            (keccak256(account.address), leaf)
        })
        .collect();
    leaves.sort_unstable_by_key(|(key, _)| *key);
    if !leaves.is_sorted_by(|a, b| a.0 < b.0) {
        return B256::ZERO;
    }

    let mut trie = HashBuilder::default();
    let mut rlp = Vec::new();
    for (key, account) in &leaves {
        rlp.clear();
        account.encode(&mut rlp);
        trie.add_leaf(Nibbles::unpack(key), &rlp);
    }
    trie.root()
}

fn parse(text: &str) -> Result<Vec<GenesisAccount>, GenesisError> {
    let mut accounts: Vec<GenesisAccount> = Vec::with_capacity(MAINNET_ACCOUNTS);
    for (line, text) in (1..).zip(text.lines()) {
        let account = parse_line(text)
            .ok_or_else(|| GenesisError::Malformed { line, text: text.to_owned() })?;
        if accounts.last().is_some_and(|previous| previous.address >= account.address) {
            return Err(GenesisError::Order { line });
        }
        accounts.push(account);
    }
    Ok(accounts)
}

/// Stricter than the parsers of `Address` and `U256`, which also take prefixes, upper case,
/// underscores and the empty string: one account has one spelling.
fn parse_line(line: &str) -> Option<GenesisAccount> {
    let (address, balance) = line.split_once(' ')?;
    let hexadecimal = address.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let decimal = !balance.is_empty() && balance.bytes().all(|b| b.is_ascii_digit());
    let leading_zero = balance.len() > 1 && balance.starts_with('0');
    if !hexadecimal || !decimal || leading_zero {
        return None;
    }
    Some(GenesisAccount {
        address: address.parse().ok()?,
        balance: U256::from_str_radix(balance, 10).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::{address, uint};

    /// Where the genesis put the endowment of the foundation and of the early contributors.
    const ENDOWMENT: Address = address!("0x5abfec25f74cd88437631a7731906932776356f9");

    fn state() -> Vec<StateAccount> {
        mainnet().unwrap().into_iter().map(StateAccount::from).collect()
    }

    #[test]
    fn root_is_that_of_block_0() {
        assert_eq!(state_root(state()), MAINNET_STATE_ROOT);
    }

    #[test]
    fn root_does_not_depend_on_the_order() {
        let some = &state()[..200];
        let backward = state_root(some.iter().rev().copied());
        assert_eq!(backward, state_root(some.iter().copied()));
    }

    #[test]
    fn one_wei_changes_the_root() {
        let mut accounts = state();
        accounts[4_321].balance += U256::ONE;
        assert_ne!(state_root(accounts), MAINNET_STATE_ROOT);
    }

    #[test]
    fn two_swapped_balances_change_the_root() {
        let mut accounts = state();
        let first = accounts[0].balance;
        let other = accounts.iter().position(|account| account.balance != first).unwrap();
        accounts[0].balance = accounts[other].balance;
        accounts[other].balance = first;
        assert_ne!(state_root(accounts), MAINNET_STATE_ROOT);
    }

    #[test]
    fn a_lost_account_changes_the_root() {
        let empty = state().iter().position(|account| account.balance.is_zero()).unwrap();
        for lost in [empty, MAINNET_ACCOUNTS - 1] {
            let mut accounts = state();
            accounts.remove(lost);
            assert_ne!(state_root(accounts), MAINNET_STATE_ROOT, "without account {lost}");
        }
    }

    #[test]
    fn a_repeated_account_has_no_root() {
        let mut accounts = state();
        accounts.push(accounts[17]);
        assert_eq!(state_root(accounts), B256::ZERO);
    }

    #[test]
    fn root_of_nothing_is_the_empty_root() {
        assert_eq!(state_root([]), EMPTY_ROOT_HASH);
    }

    /// A trie of one account is one leaf: the RLP list of the hex-prefixed path (0x20: a leaf of
    /// even length) and the RLP of (nonce, balance, storage root, code hash), spelt out here.
    #[test]
    fn root_of_one_account_is_the_hash_of_its_leaf() {
        let account = StateAccount {
            address: ENDOWMENT,
            nonce: 5,
            balance: U256::from(1_000),
            code_hash: Some(B256::repeat_byte(0xcc)),
        };
        let mut value = vec![0xf8, 70, 0x05, 0x82, 0x03, 0xe8, 0xa0];
        value.extend_from_slice(EMPTY_ROOT_HASH.as_slice());
        value.push(0xa0);
        value.extend_from_slice(&[0xcc; 32]);
        let mut leaf = vec![0xf8, 108, 0xa1, 0x20];
        leaf.extend_from_slice(keccak256(ENDOWMENT).as_slice());
        leaf.extend_from_slice(&[0xb8, 72]);
        leaf.extend_from_slice(&value);
        assert_eq!(state_root([account]), keccak256(leaf));
    }

    #[test]
    fn accounts_are_distinct_and_ascending() {
        let accounts = mainnet().unwrap();
        assert_eq!(accounts.len(), MAINNET_ACCOUNTS);
        assert!(accounts.is_sorted_by(|a, b| a.address < b.address));
    }

    #[test]
    fn balances_add_up_to_presale_and_endowment() {
        let accounts = mainnet().unwrap();
        let total: U256 = accounts.iter().map(|account| account.balance).sum();
        let endowment =
            accounts.iter().find(|account| account.address == ENDOWMENT).unwrap().balance;
        // The presale sold 60,108,506.26 ether; twice 9.9 % of that was created beside it.
        let presale = uint!(60_108_506_260_000_000_000_000_000_U256);
        assert_eq!(total, uint!(72_009_990_499_480_000_000_000_000_U256));
        assert_eq!(total - endowment, presale);
        assert_eq!(endowment, presale * uint!(198_U256) / uint!(1_000_U256));
        assert_eq!(accounts.iter().filter(|account| account.balance.is_zero()).count(), 2);
    }

    #[test]
    fn malformed_lines_are_named() {
        let good = "000d836201318ec6899a67540690382780743280 200\n";
        assert_eq!(parse(good).unwrap().len(), 1);
        for bad in [
            "",
            "001762430ea9c3a26e5749afdb70da5f78ddbb8c",
            "001762430ea9c3a26e5749afdb70da5f78ddbb8c ",
            "001762430ea9c3a26e5749afdb70da5f78ddbb8c 0200",
            "001762430ea9c3a26e5749afdb70da5f78ddbb8c 2_00",
            "001762430ea9c3a26e5749afdb70da5f78ddbb8c 200 1",
            "001762430EA9C3A26E5749AFDB70DA5F78DDBB8C 200",
            "0x1762430ea9c3a26e5749afdb70da5f78ddbb8c 200",
            "1762430ea9c3a26e5749afdb70da5f78ddbb8c 200",
        ] {
            let error = parse(&format!("{good}{bad}\n")).unwrap_err();
            assert!(matches!(error, GenesisError::Malformed { line: 2, .. }), "{bad:?}: {error}");
        }
        let too_large = format!("{} 1{}\n", "0".repeat(40), "0".repeat(78));
        assert!(matches!(parse(&too_large), Err(GenesisError::Malformed { line: 1, .. })));
    }

    #[test]
    fn repeated_and_unsorted_addresses_are_named() {
        let line = |digit: &str| format!("{} 1\n", digit.repeat(40));
        for second in ["1", "2"] {
            let text = line("2") + &line(second);
            assert!(matches!(parse(&text), Err(GenesisError::Order { line: 2 })));
        }
    }
}
