//! Repairs an unsorted book by putting its entries into the format's order.

use std::cmp::Reverse;

use super::{PolyglotEntry, Reader};
use crate::Result;

/// The faults that were repaired.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RepairStats {
    /// The number of positions in the new book.
    pub positions: u64,
    /// The number of entries whose key was lower than the previous entry's key.
    pub unsorted_entries: u64,
    /// The number of entries that repeat a move of their position. Their weights are added to the weight of
    /// the first entry with the move.
    pub repeated_entries: u64,
    /// The number of entries with key 0, which are dropped because readers would mistake them for a header.
    pub zero_key_entries: u64,
}

/// Returns a book's entries, sorted as the format requires. Repeated moves are merged, and entries with key 0
/// are left out.
///
/// # Errors
///
/// Fails with [`Error::Io`](crate::Error::Io) if the book cannot be read.
///
/// # Memory
///
/// Needs 24 bytes for each entry.
pub fn repaired(reader: &Reader) -> Result<(Vec<PolyglotEntry>, RepairStats)> {
    let mut stats = RepairStats { unsorted_entries: reader.unsorted()?, ..RepairStats::default() };
    let mut entries = reader.iter().collect::<Result<Vec<_>>>()?;
    entries.retain(|entry| entry.key.0 != 0);
    stats.zero_key_entries = reader.entries() - entries.len() as u64;
    // The sort is stable, so that a repeated move keeps the learn field of its first entry in the file.
    entries.sort_by_key(|entry| (entry.key, entry.mv));
    entries.dedup_by(|next, kept| {
        let is_same = (next.key, next.mv) == (kept.key, kept.mv);
        if is_same {
            kept.weight = kept.weight.saturating_add(next.weight);
            stats.repeated_entries += 1;
        }
        is_same
    });
    entries.sort_unstable_by_key(|entry| (entry.key, Reverse(entry.weight), entry.mv));
    stats.positions = entries.chunk_by(|one, next| one.key == next.key).count() as u64;
    Ok((entries, stats))
}
