//! What the tables of layer H must hold after blocks were written, computed from the generated data
//! alone, and what an arm reads of them.

use crate::{
    binding::AnyError,
    hotdb::{HotDb, HotRead, HotVisitor, canonical_header, canonical_slot},
    sink::{Recorder, Sink as _, Value as _},
    state::{AccountSpec, Block},
    workload::hotdb as work,
};
use alloy_consensus::Header;
use alloy_primitives::{Address, B256, U256};
use std::collections::BTreeMap;

/// The state of the model: what the tables must hold, row by row.
pub(crate) struct State {
    accounts: BTreeMap<Address, AccountSpec>,
    storage: BTreeMap<(Address, U256), U256>,
    headers: BTreeMap<u64, Header>,
    numbers: BTreeMap<B256, u64>,
}

impl State {
    /// Before any block.
    pub(crate) fn new<'a>(
        accounts: impl Iterator<Item = (&'a Address, &'a AccountSpec)>,
        storage: impl Iterator<Item = (&'a Address, &'a U256, &'a U256)>,
        headers: &[Header],
    ) -> Self {
        Self {
            accounts: accounts.map(|(a, s)| (*a, *s)).collect(),
            storage: storage.map(|(a, s, v)| ((*a, *s), *v)).collect(),
            headers: headers.iter().map(|h| (h.number, h.clone())).collect(),
            numbers: BTreeMap::new(),
        }
    }

    pub(crate) fn apply(&mut self, block: &Block) {
        self.accounts.extend(block.accounts.iter().copied());
        self.storage.extend(block.slots.iter().map(|(a, s, v)| ((*a, *s), *v)));
        self.headers.insert(block.header.number, block.header.clone());
        self.numbers.insert(block.header.hash_slow(), block.header.number);
    }

    /// What a block's reads see.
    pub(crate) fn read(&self, block: &Block, out: &mut Recorder) {
        for address in &block.account_reads {
            match self.accounts.get(address) {
                Some(account) => out.found(address.as_slice(), &account.canonical()),
                None => out.miss(address.as_slice()),
            }
        }
        for pair in &block.slot_reads {
            match self.storage.get(pair) {
                Some(value) => out.found(pair.0.as_slice(), &value.canonical()),
                None => out.miss(pair.0.as_slice()),
            }
        }
    }

    /// Every row.
    pub(crate) fn rows(&self, out: &mut Recorder) {
        for (address, account) in &self.accounts {
            out.found(address.as_slice(), &account.canonical());
        }
        for ((address, slot), value) in &self.storage {
            out.found(address.as_slice(), &canonical_slot(slot, value));
        }
        for (number, header) in &self.headers {
            out.found(&number.to_be_bytes(), &canonical_header(header));
        }
        for (hash, number) in &self.numbers {
            out.found(hash.as_slice(), &number.to_be_bytes());
        }
    }
}

/// Reads every row through the arm, and the number under the hash of each of these blocks.
pub(crate) struct ReadBack<'a>(pub(crate) &'a [Block]);

impl HotVisitor for ReadBack<'_> {
    type Output = Recorder;

    fn visit<D: HotDb>(self, arm: &D) -> Result<Recorder, AnyError> {
        let mut out = Recorder::default();
        let reader = arm.reader()?;
        work::scan_accounts::<D, _, _>(&reader, &mut out)?;
        work::scan_storage::<D, _, _>(&reader, &mut out)?;
        work::scan_headers::<D, _, _>(&reader, &mut out)?;
        let mut hashes: Vec<_> = self.0.iter().map(|block| block.header.hash_slow()).collect();
        hashes.sort_unstable();
        for hash in hashes {
            match reader.header_number(&hash)? {
                Some(number) => out.found(hash.as_slice(), &number.to_be_bytes()),
                None => out.miss(hash.as_slice()),
            }
        }
        Ok(out)
    }
}
