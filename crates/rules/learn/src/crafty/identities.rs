//! Identities of records that were replayed.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// Identities are hashes already and need no further hashing.
#[derive(Clone, Copy, Debug, Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, identity: u64) {
        self.0 = identity;
    }
}

/// The identities of all records replayed, and whether each taught.
///
/// # Memory
///
/// About twenty to thirty-five bytes per record.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplayedIdentities {
    taught: HashMap<u64, bool, BuildHasherDefault<IdentityHasher>>,
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
