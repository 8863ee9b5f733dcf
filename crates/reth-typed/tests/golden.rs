//! Row bytes, against those that reth-db wrote.
//!
//! The literals were printed by a program linked with the real reth-db at tag v1.11.3.

use alloy_consensus::Header;
use alloy_primitives::{Address, B64, B256, Bloom, Bytes, U256, address, b256, hex};
use reth_primitives_traits::{Account, StorageEntry};
use reth_typed::{
    ClientVersion,
    table::{Compress, Decode, Decompress, Encode},
};
use std::fmt::Debug;

/// Checks that `value` is stored as `row`, in a buffer of its own or behind other bytes, and reads
/// back as itself.
#[track_caller]
fn stored<V: Compress + Decompress + Clone + PartialEq + Debug>(value: V, row: &str) {
    assert_eq!(hex::encode(value.clone().compress().as_ref()), row);
    let mut behind = vec![0x55];
    value.compress_to_buf(&mut behind);
    assert_eq!(hex::encode(&behind[1..]), row);

    let bytes = hex::decode(row).unwrap();
    assert_eq!(V::decompress(&bytes).unwrap(), value);
    assert_eq!(V::decompress_owned(bytes).unwrap(), value);
}

/// Checks that `key` is stored as `bytes`, and reads back as itself.
#[track_caller]
fn keyed<K: Encode + Decode + Clone + PartialEq>(key: K, bytes: &str) {
    assert_eq!(hex::encode(key.clone().encode().as_ref()), bytes);
    let bytes = hex::decode(bytes).unwrap();
    assert_eq!(K::decode(&bytes).unwrap(), key);
    assert_eq!(K::decode_owned(bytes).unwrap(), key);
}

#[test]
fn keys() {
    keyed(0x0123_4567_89ab_cdef_u64, "0123456789abcdef");
    let text = "00112233445566778899aabbccddeeff00112233";
    keyed(address!("00112233445566778899aabbccddeeff00112233"), text);
    let text = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    keyed(b256!("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"), text);
}

#[test]
fn accounts() {
    let account = |nonce, balance, bytecode_hash| Account { nonce, balance, bytecode_hash };
    stored(Account::default(), "0000");
    let ether = U256::from(1_000_000_000_000_000_000_u64);
    stored(account(7, ether, None), "8100070de0b6b3a7640000");
    stored(
        account(u64::MAX, U256::MAX, None),
        "\
        0802ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
        ffff",
    );
    stored(
        account(1, U256::ZERO, Some(B256::repeat_byte(0xc0))),
        "\
        010401c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0",
    );
    stored(
        account(u64::MAX, U256::MAX, Some(B256::repeat_byte(0xff))),
        "\
        0806ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
        ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    );
}

#[test]
fn slots() {
    let slot = |value| StorageEntry::new(B256::repeat_byte(0xab), value);
    stored(
        slot(U256::ZERO),
        "\
        abababababababababababababababababababababababababababababababab",
    );
    stored(
        slot(U256::from(1)),
        "\
        abababababababababababababababababababababababababababababababab01",
    );
    stored(
        slot(U256::from(0x1234)),
        "\
        abababababababababababababababababababababababababababababababab1234",
    );
    stored(
        slot(U256::MAX),
        "\
        ababababababababababababababababababababababababababababababababffffffffffffffff\
        ffffffffffffffffffffffffffffffffffffffffffffffff",
    );
}

#[test]
fn a_default_header() {
    stored(
        Header::default(),
        "\
        0000000000000000000000000000000000000000000000000000000000000000000000001dcc4de8\
        dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347000000000000000000000000\
        000000000000000056e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421\
        56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b42156e81f171bcc55a6\
        ff8345e692c0f86e5b48e01b996cadc001622fb5e363b42100000000000000000000000000000000\
        00000000000000000000000000000000000000000000000000000000000000000000000000000000\
        00000000000000000000000000000000000000000000000000000000000000000000000000000000\
        00000000000000000000000000000000000000000000000000000000000000000000000000000000\
        00000000000000000000000000000000000000000000000000000000000000000000000000000000\
        00000000000000000000000000000000000000000000000000000000000000000000000000000000\
        00000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000",
    );
}

/// Every field of a header between Cancun and Prague.
fn cancun() -> Header {
    let hash = B256::repeat_byte;
    Header {
        parent_hash: hash(1),
        ommers_hash: hash(2),
        beneficiary: Address::repeat_byte(3),
        state_root: hash(4),
        transactions_root: hash(5),
        receipts_root: hash(6),
        logs_bloom: Bloom::repeat_byte(7),
        difficulty: U256::ZERO,
        number: 19_426_587,
        gas_limit: 30_000_000,
        gas_used: 14_213_765,
        timestamp: 1_710_338_135,
        extra_data: Bytes::from_static(b"beaverbuild.org"),
        mix_hash: hash(8),
        nonce: B64::ZERO,
        base_fee_per_gas: Some(61_551_871_222),
        withdrawals_root: Some(hash(9)),
        blob_gas_used: Some(131_072),
        excess_blob_gas: Some(0),
        parent_beacon_block_root: Some(hash(10)),
        requests_hash: None,
    }
}

#[test]
fn a_header_after_cancun() {
    stored(
        cancun(),
        "\
        01a22178010101010101010101010101010101010101010101010101010101010101010102020202\
        02020202020202020202020202020202020202020202020202020202030303030303030303030303\
        03030303030303030404040404040404040404040404040404040404040404040404040404040404\
        05050505050505050505050505050505050505050505050505050505050505050606060606060606\
        06060606060606060606060606060606060606060606060609090909090909090909090909090909\
        09090909090909090909090909090909070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        070707070707070707070707070707070707070707070707070707070707070701286d1b01c9c380\
        d8e28565f1b057080808080808080808080808080808080808080808080808080808080808080805\
        0e54c704f603020000000a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a\
        0a0a6265617665726275696c642e6f7267",
    );
}

#[test]
fn a_header_with_every_field_at_its_largest() {
    let header = Header {
        difficulty: U256::MAX,
        number: u64::MAX,
        gas_limit: u64::MAX,
        gas_used: u64::MAX,
        timestamp: u64::MAX,
        nonce: B64::repeat_byte(0xff),
        base_fee_per_gas: Some(u64::MAX),
        blob_gas_used: Some(u64::MAX),
        excess_blob_gas: Some(u64::MAX),
        requests_hash: Some(B256::repeat_byte(11)),
        extra_data: Bytes::from(vec![0xee; 32]),
        ..cancun()
    };
    stored(
        header,
        "\
        414444fc010101010101010101010101010101010101010101010101010101010101010102020202\
        02020202020202020202020202020202020202020202020202020202030303030303030303030303\
        03030303030303030404040404040404040404040404040404040404040404040404040404040404\
        05050505050505050505050505050505050505050505050505050505050505050606060606060606\
        06060606060606060606060606060606060606060606060609090909090909090909090909090909\
        09090909090909090909090909090909070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        07070707070707070707070707070707070707070707070707070707070707070707070707070707\
        0707070707070707070707070707070707070707070707070707070707070707ffffffffffffffff\
        ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
        ffffffffffffffffffffffffffffffff080808080808080808080808080808080808080808080808\
        0808080808080808ffffffffffffffff08ffffffffffffffff08ffffffffffffffff08ffffffffff\
        ffffff0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a21010b0b0b\
        0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0beeeeeeeeeeeeeeeeeeeeee\
        eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
    );
}

#[test]
fn numbers_and_clients() {
    stored(0x0123_4567_89ab_cdef_u64, "efcdab8967452301");
    let client = ClientVersion {
        version: "1.11.3".into(),
        git_sha: "d6324d63".into(),
        build_timestamp: "2026-03-12".into(),
    };
    stored(
        client,
        "\
        060131012e01310131012e013308016401360133013201340164013601330a013201300132013601\
        2d01300133012d01310132",
    );
}
