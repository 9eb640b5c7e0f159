//! Identities of records that were replayed.

use nohash_hasher::IntMap;

/// The identities of all records replayed, and whether each taught.
///
/// # Memory
///
/// About twenty to thirty-five bytes per record.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplayedIdentities {
    /// Identities are hashes already and need no further hashing.
    taught: IntMap<u64, bool>,
}

impl ReplayedIdentities {
    /// Adds a record; false if it was added before.
    pub(super) fn insert(&mut self, identity: u64) -> bool {
        let before = self.taught.len();
        self.taught.entry(identity).or_insert(false);
        self.taught.len() > before
    }

    /// Marks a record as one that taught.
    pub(super) fn mark_taught(&mut self, identity: u64) {
        self.taught.insert(identity, true);
    }

    /// Identities of records that taught, ascending.
    pub(super) fn taught(&self) -> Vec<u64> {
        let mut taught: Vec<_> = self.taught.iter().filter(|entry| *entry.1).map(|entry| *entry.0).collect();
        taught.sort_unstable();
        taught
    }
}
