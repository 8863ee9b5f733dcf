//! One suite that every adapter of a typed layer must pass.

use crate::{
    binding::AnyError,
    catalogue::AccountMix,
    config::EnvConfig,
    hotdb::{
        AccountCursor, HotDb, HotRead, HotSide, HotVisitor, HotWrite, StorageCursor,
        canonical_header, canonical_slot,
    },
    scale::Scale,
    sink::Value,
    state::{AccountSpec, Accounts, Block, Blocks, Storage, headers},
};
use alloy_primitives::{Address, U256};
use tempfile::TempDir;

/// Runs the suite on every arm of a side, each on a database of its own.
///
/// # Errors
/// Names the arm, the check and what was found instead.
pub fn hotdb<S: HotSide>() -> Result<(), AnyError> {
    for arm in S::ARMS {
        let dir = TempDir::new()?;
        let db = S::open(dir.path(), &EnvConfig::HOTDB)?;
        let named = |error| format!("arm {arm}: {error}");
        S::with_arm(&db, arm, RoundTrips).map_err(named)?;
        S::with_arm(&db, arm, Updates).map_err(named)?;
        drop(db);
        let db = S::open(dir.path(), &EnvConfig::HOTDB)?;
        S::with_arm(&db, arm, AfterReopening).map_err(named)?;
        let dir = TempDir::new()?;
        let db = S::open(dir.path(), &EnvConfig::HOTDB)?;
        S::with_arm(&db, arm, Hashed).map_err(named)?;
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), AnyError> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{what}: found {found:?}, wanted {wanted:?}").into())
}

/// Accounts at the edges of every field, ascending by address.
fn edges() -> Vec<(Address, AccountSpec)> {
    let nonces = [0, 1, 127, 128, 255, 256, u64::from(u32::MAX), u64::MAX];
    let balances = [U256::ZERO, U256::ONE, U256::from(u64::MAX), U256::MAX];
    let hashes = [None, Some(Default::default()), Some([0xff; 32].into())];
    let mut out = Vec::new();
    for nonce in nonces {
        for balance in balances {
            for code_hash in hashes {
                let address = Address::left_padding_from(&(out.len() as u32).to_be_bytes());
                out.push((address, AccountSpec { nonce, balance, code_hash }));
            }
        }
    }
    out
}

/// Every value that was appended is read back as it was, by each way of reading.
struct RoundTrips;

impl HotVisitor for RoundTrips {
    type Output = ();

    fn visit<D: HotDb>(self, arm: &D) -> Result<(), AnyError> {
        let accounts = edges();
        let values = [U256::ONE, U256::from(0xff00), U256::from(u128::MAX), U256::MAX];
        let mut slots = Vec::new();
        for (address, _) in accounts.iter().take(3) {
            for (i, value) in values.into_iter().enumerate() {
                slots.push((*address, U256::from(i as u64) << (i * 60), value));
            }
        }
        let headers = headers(20);
        let writer = arm.writer()?;
        writer.append_accounts(accounts.iter().map(|(address, spec)| (address, spec)))?;
        writer.append_storage(slots.iter().map(|(address, slot, value)| (address, slot, value)))?;
        writer.append_headers(headers.iter())?;
        writer.commit()?;

        let reader = arm.reader()?;
        let mut cursor = reader.accounts()?;
        for (address, spec) in &accounts {
            let canonical = Some(spec.canonical());
            same("account", reader.account(address)?.map(|a| a.canonical()), canonical.clone())?;
            same("account by cursor", cursor.account(address)?.map(|a| a.canonical()), canonical)?;
        }
        let absent = Address::repeat_byte(0x77);
        same("absent account", reader.account(&absent)?.is_none(), true)?;
        same("absent account by cursor", cursor.account(&absent)?.is_none(), true)?;

        let mut cursor = reader.storage()?;
        for (address, slot, value) in &slots {
            same("slot", reader.slot(address, slot)?, Some(*value))?;
            same("slot by cursor", cursor.slot(address, slot)?, Some(*value))?;
            // The search ends on the next greater slot: that one must not be taken for it.
            let absent = *slot + U256::from(3);
            same("absent slot", reader.slot(address, &absent)?, None)?;
            same("absent slot by cursor", cursor.slot(address, &absent)?, None)?;
        }
        same("slot of an absent address", reader.slot(&absent, &U256::ZERO)?, None)?;
        let mut of_address = Vec::new();
        cursor.for_each_slot(&accounts[1].0, |slot| of_address.push(slot.canonical()))?;
        let wanted: Vec<_> = slots
            .iter()
            .filter(|s| s.0 == accounts[1].0)
            .map(|s| canonical_slot(&s.1, &s.2))
            .collect();
        same("slots of an address", of_address, wanted)?;
        let mut none = 0;
        cursor.for_each_slot(&absent, |_| none += 1)?;
        same("slots of an absent address", none, 0)?;

        for header in &headers {
            let found = reader.header(header.number)?.map(|h| h.canonical());
            same("header", found, Some(canonical_header(header)))?;
        }
        same("absent header", reader.header(20)?.is_none(), true)
    }
}

/// The tables that the stack's current node reads give back what was appended to them.
struct Hashed;

impl HotVisitor for Hashed {
    type Output = ();

    fn visit<D: HotDb>(self, arm: &D) -> Result<(), AnyError> {
        let accounts = edges();
        let mut slots = Vec::new();
        for (address, _) in accounts.iter().take(3) {
            for slot in 0..20_u64 {
                slots.push((*address, U256::from(slot * 2), U256::MAX >> (slot * 12)));
            }
        }
        let writer = arm.writer()?;
        writer.append_hashed_accounts(accounts.iter().map(|(address, spec)| (address, spec)))?;
        writer.append_hashed_storage(slots.iter().map(|(a, slot, value)| (a, slot, value)))?;
        writer.commit()?;

        let reader = arm.reader()?;
        for (address, spec) in &accounts {
            let found = reader.hashed_account::<true>(address)?.map(|a| a.canonical());
            same("hashed account", found, Some(spec.canonical()))?;
            let found = reader.hashed_account::<false>(address)?.map(|a| a.canonical());
            same("hashed account, uncached", found, Some(spec.canonical()))?;
        }
        let absent = Address::repeat_byte(0x77);
        same("absent hashed account", reader.hashed_account::<true>(&absent)?.is_none(), true)?;
        for (address, slot, value) in &slots {
            same("hashed slot", reader.hashed_slot::<true>(address, slot)?, Some(*value))?;
            let found = reader.hashed_slot::<false>(address, slot)?;
            same("hashed slot, uncached", found, Some(*value))?;
            // Of twenty searches some end on the next greater slot, which is not the one sought.
            let absent = *slot + U256::ONE;
            same("absent hashed slot", reader.hashed_slot::<true>(address, &absent)?, None)?;
        }
        same(
            "hashed slot of an absent address",
            reader.hashed_slot::<true>(&absent, &U256::ZERO)?,
            None,
        )
    }
}

fn blocks() -> (Accounts, Storage, Blocks) {
    let accounts = Accounts::new(AccountMix::Mainnet, Scale::Smoke);
    let storage = Storage::new(&accounts, Scale::Smoke);
    let blocks = Blocks::new(2, &accounts, &storage, 20, Scale::Smoke);
    (accounts, storage, blocks)
}

fn check_block<D: HotDb, R: HotRead<D>>(reader: &R, block: &Block) -> Result<(), AnyError> {
    for (address, spec) in &block.accounts {
        let found = reader.account(address)?.map(|a| a.canonical());
        same("updated account", found, Some(spec.canonical()))?;
    }
    for (address, slot, value) in &block.slots {
        same("updated slot", reader.slot(address, slot)?, Some(*value))?;
    }
    let found = reader.header(block.header.number)?.map(|h| h.canonical());
    same("header", found, Some(canonical_header(&block.header)))?;
    let number = reader.header_number(&block.header.hash_slow())?;
    same("number under the hash", number, Some(block.header.number))
}

fn count_slots<D: HotDb, R: HotRead<D>>(reader: &R) -> Result<usize, AnyError> {
    let mut count = 0;
    reader.for_each_slot(|_, _| count += 1)?;
    Ok(count)
}

/// After an update there is exactly one value per address and slot; an abort leaves nothing.
struct Updates;

impl HotVisitor for Updates {
    type Output = ();

    fn visit<D: HotDb>(self, arm: &D) -> Result<(), AnyError> {
        let (_, _, mut blocks) = blocks();
        blocks.renew();
        let write = |blocks: &Blocks| -> Result<(), AnyError> {
            let writer = arm.writer()?;
            for block in &blocks.blocks {
                writer.write(&D::prepare(block))?;
            }
            Ok(writer.commit()?)
        };
        write(&blocks)?;
        let slots = count_slots::<D, _>(&arm.reader()?)?;
        blocks.renew();
        write(&blocks)?;
        let reader = arm.reader()?;
        same("slots after updating each", count_slots::<D, _>(&reader)?, slots)?;
        check_block::<D, _>(&reader, &blocks.blocks[1])?;
        drop(reader);

        let mut aborted = blocks.clone();
        aborted.renew();
        let writer = arm.writer()?;
        writer.write(&D::prepare(&aborted.blocks[0]))?;
        drop(writer);
        check_block::<D, _>(&arm.reader()?, &blocks.blocks[1])?;
        let number = aborted.blocks[0].header.number;
        same("aborted header", arm.reader()?.header(number)?.is_none(), true)
    }
}

/// What was committed before the database was closed is still there.
struct AfterReopening;

impl HotVisitor for AfterReopening {
    type Output = ();

    fn visit<D: HotDb>(self, arm: &D) -> Result<(), AnyError> {
        let (_, _, mut blocks) = blocks();
        blocks.renew();
        blocks.renew();
        check_block::<D, _>(&arm.reader()?, &blocks.blocks[1])
    }
}
