//! Values of the schema that are not Ethereum's own.

/// Who opened the database. An empty one leaves no trace in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientVersion {
    /// Version of the client.
    pub version: String,
    /// Commit that the client was built from.
    pub git_sha: String,
    /// When the client was built.
    pub build_timestamp: String,
}

impl ClientVersion {
    /// Whether nothing is known of the client.
    pub const fn is_empty(&self) -> bool {
        self.version.is_empty() && self.git_sha.is_empty() && self.build_timestamp.is_empty()
    }
}
