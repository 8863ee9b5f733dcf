//! What differs between the builds of the reth side: libmdbx-remote, reth v1.x and reth v2.x. Traits
//! and associated types decide, so that one source compiles against each.

use reth_libmdbx::CommitLatency;

/// What a commit of the binding answers.
pub(crate) trait Commit {
    /// Whether libmdbx aborted the transaction after an error instead, so that what was put is lost.
    fn is_botched(&self) -> bool;
}

/// reth's, which turns a botched commit into an error.
impl Commit for CommitLatency {
    #[inline]
    fn is_botched(&self) -> bool {
        false
    }
}

/// libmdbx-remote's.
impl Commit for (bool, CommitLatency) {
    #[inline]
    fn is_botched(&self) -> bool {
        self.0
    }
}

#[cfg(feature = "hotdb")]
pub(crate) use header::{RethHeader, to_reth};

#[cfg(feature = "hotdb")]
mod header {
    use alloy_consensus::Header;
    use alloy_rlp::Decodable as _;
    use reth_db::{Headers, table::Table};

    /// reth's header, which is that of another major version of alloy-consensus in reth v2.x.
    pub(crate) type RethHeader = <Headers as Table>::Value;

    /// RLP is what all versions of a header agree on. Not for the timer.
    pub(crate) fn to_reth(header: &Header) -> RethHeader {
        RethHeader::decode(&mut &*alloy_rlp::encode(header))
            .expect("a header that was just encoded")
    }
}
