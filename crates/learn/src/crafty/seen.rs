//! Identities of records already met.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// Identities are hashes already: they need no other.
#[derive(Clone, Copy, Debug, Default)]
struct Identical(u64);

impl Hasher for Identical {
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

/// Every identity met, and whether it taught.
///
/// # Memory
///
/// About twenty to thirty-five bytes a record.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    taught: HashMap<u64, bool, BuildHasherDefault<Identical>>,
}

impl Seen {
    /// Notes a record met; false if it was met before.
    pub(super) fn meet(&mut self, identity: u64) -> bool {
        let before = self.taught.len();
        self.taught.entry(identity).or_insert(false);
        self.taught.len() > before
    }

    /// Notes that a record taught.
    pub(super) fn teach(&mut self, identity: u64) {
        self.taught.insert(identity, true);
    }

    /// Identities of records that taught, ascending.
    pub(super) fn taught(&self) -> Vec<u64> {
        let mut taught: Vec<_> = self.taught.iter().filter(|entry| *entry.1).map(|entry| *entry.0).collect();
        taught.sort_unstable();
        taught
    }
}
