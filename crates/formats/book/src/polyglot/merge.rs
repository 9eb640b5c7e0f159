//! Merges several Polyglot books into one.
//!
//! # Flow
//!
//! 1. The books are read side by side, and all entries that have the lowest key are merged in one step.
//! 2. In each position, the weights of each book are converted to shares of 65,535 and multiplied by the
//!    book's factor.
//! 3. The strategy combines these shares into one weight for each move; weights above 65,535 are scaled down
//!    together.
//! 4. Moves below the cut-off are left out; the others are sorted by descending weight, then by move.

use std::{cmp::Reverse, collections::BTreeMap};

use position::{Key, PackedMove};

use super::{ByPosition, Factor, PolyglotEntry, Reader, Strategy, Weight};
use crate::{Ratio, Result};

/// The minimum number of entries in a batch; the last batch may have fewer.
const BATCH_ENTRIES: usize = 4096;
/// The number of fractional bits that a share keeps until it is rounded, once, at the end.
const SHARE_BITS: u32 = 32;
const WEIGHT_MAX: u128 = u16::MAX as u128;

/// How Polyglot books are merged.
#[derive(Clone, Debug, Default)]
pub struct Merging {
    /// The rule that combines the weights that a move has in several books.
    pub strategy: Strategy,
    /// Whether weights are used as they are, instead of as shares of their position's total weight.
    pub no_scale: bool,
    /// The factor for the weights of each book, in the order of the books; missing factors are 1.
    pub factors: Vec<Factor>,
    /// The share of a position's total new weight that a move needs to be kept; moves with a smaller share
    /// are left out.
    pub cut_off: Ratio,
}

/// The numbers of entries, positions and moves that a merge wrote or left out.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct MergeStats {
    /// Entries of the new book.
    pub entries: u64,
    /// Positions of the new book.
    pub positions: u64,
    /// Positions found in more than one book.
    pub shared_positions: u64,
    /// Moves below the cut-off.
    pub cut_moves: u64,
    /// Positions left out because all their moves are below the cut-off.
    pub cut_positions: u64,
    /// Entries left out because an earlier book has the same position ([`Strategy::First`]).
    pub later_entries: u64,
    /// Entries that repeat a move within a position of one book; their weights are added to the first
    /// entry's.
    pub repeated_entries: u64,
    /// Entries with key 0, dropped because readers would mistake them for a header.
    pub zero_key_entries: u64,
    /// Moves whose learn fields differ between the books; these fields become 0.
    pub learn_conflicts: u64,
}

/// A merge in progress: an iterator over batches of entries, sorted as the format requires, for
/// [`prepare_sorted`](super::prepare_sorted).
///
/// # Memory
///
/// Holds 64 KiB for each book, the entries of one position of each book, and a batch of 4,096 entries.
pub struct Merge<'r> {
    merging: &'r Merging,
    books: Vec<MergedBook<'r>>,
    stats: MergeStats,
    failed: bool,
}

/// One of the books being merged, and its next position.
struct MergedBook<'r> {
    positions: ByPosition<'r>,
    key: Option<Key>,
    entries: Vec<PolyglotEntry>,
    factor: u64,
}

/// A move of one position, with the weights of all books.
#[derive(Clone, Copy, Default)]
struct JoinedEntry {
    total: u128,
    /// The value of the learn field; `None` once two books have given different values.
    learn: Option<u32>,
    is_known: bool,
}

impl MergedBook<'_> {
    fn read(&mut self) -> Result<()> {
        self.key = self.positions.next_into(&mut self.entries)?;
        Ok(())
    }

    /// Converts `weight` to its share of the position's total weight in this book, unless `no_scale` is set.
    /// Then multiplies the result by the book's factor.
    fn share(&self, weight: u32, no_scale: bool) -> u128 {
        let sum: u128 = self.entries.iter().map(|entry| u128::from(entry.weight)).sum();
        let parts = u128::from(weight) << SHARE_BITS;
        let share = if no_scale { parts } else { (parts * WEIGHT_MAX).checked_div(sum).unwrap_or(0) };
        share * u128::from(self.factor)
    }

    /// Returns the moves with their weights and learn fields, and the number of entries that repeat a move.
    fn moves(&self) -> (BTreeMap<PackedMove, (u32, u32)>, u64) {
        let (mut moves, mut repeated) = (BTreeMap::new(), 0);
        for entry in &self.entries {
            let weight = u32::from(entry.weight);
            let join = |known: &mut (u32, u32)| {
                known.0 += weight;
                repeated += 1;
            };
            moves.entry(entry.mv).and_modify(join).or_insert((weight, entry.learn));
        }
        (moves, repeated)
    }
}

impl<'r> Merge<'r> {
    /// Reads the first position of each book.
    ///
    /// # Errors
    ///
    /// Fails as [`ByPosition::next_into`] does.
    pub fn new(readers: impl IntoIterator<Item = &'r Reader>, merging: &'r Merging) -> Result<Self> {
        let mut factors = merging.factors.iter().copied();
        let open = |reader: &'r Reader| {
            let factor = factors.next().unwrap_or_default().millionths;
            let mut source =
                MergedBook { positions: reader.by_position(), key: None, entries: Vec::new(), factor };
            source.read().map(|()| source)
        };
        let books = readers.into_iter().map(open).collect::<Result<_>>()?;
        Ok(Self { merging, books, stats: MergeStats::default(), failed: false })
    }

    /// Counts of what has been written and left out so far.
    #[must_use]
    pub fn stats(&self) -> MergeStats {
        self.stats
    }

    fn next_batch(&mut self) -> Result<Vec<PolyglotEntry>> {
        let mut batch = Vec::with_capacity(BATCH_ENTRIES);
        while batch.len() < BATCH_ENTRIES {
            let Some(key) = self.books.iter().filter_map(|book| book.key).min() else { break };
            self.merge_position(key, &mut batch);
            self.books.iter_mut().filter(|book| book.key == Some(key)).try_for_each(MergedBook::read)?;
        }
        Ok(batch)
    }

    fn merge_position(&mut self, key: Key, batch: &mut Vec<PolyglotEntry>) {
        let holders: Vec<_> = self.books.iter().filter(|book| book.key == Some(key)).collect();
        if key == Key(0) {
            self.stats.zero_key_entries += holders.iter().map(|book| book.entries.len() as u64).sum::<u64>();
            return;
        }
        self.stats.shared_positions += u64::from(holders.len() > 1);
        let entries = match self.merging.strategy {
            Strategy::First => first(key, &holders, &mut self.stats),
            _ => weighted(key, &holders, self.merging, &mut self.stats),
        };
        keep(entries, self.merging.cut_off, &mut self.stats, batch);
    }
}

/// The entries of the first book; the weights of a repeated move are added up.
fn first(key: Key, holders: &[&MergedBook<'_>], stats: &mut MergeStats) -> Vec<PolyglotEntry> {
    let (moves, repeated) = holders[0].moves();
    stats.repeated_entries += repeated;
    stats.later_entries += holders[1..].iter().map(|book| book.entries.len() as u64).sum::<u64>();
    let weight = |weight: u32| weight.min(u32::from(u16::MAX)) as u16;
    let entry = |(mv, (sum, learn))| PolyglotEntry { key, mv, weight: weight(sum), learn };
    moves.into_iter().map(entry).collect()
}

/// The entries of a position, combined from all books.
fn weighted(
    key: Key,
    holders: &[&MergedBook<'_>],
    merging: &Merging,
    stats: &mut MergeStats,
) -> Vec<PolyglotEntry> {
    let mut moves: BTreeMap<PackedMove, JoinedEntry> = BTreeMap::new();
    for book in holders {
        let (of_book, repeated) = book.moves();
        stats.repeated_entries += repeated;
        for (mv, (weight, learn)) in of_book {
            let share = book.share(weight, merging.no_scale);
            moves.entry(mv).or_default().add(share, learn, merging.strategy);
        }
    }
    stats.learn_conflicts += moves.values().filter(|joined| joined.learn.is_none()).count() as u64;
    let one = unit(holders, merging.strategy);
    let largest = moves.values().map(|joined| joined.total).max().unwrap_or(0);
    // If the largest weight fits in 16 bits, weights are kept as they are; otherwise they are scaled so that
    // the largest becomes 65,535.
    let whole = largest.max(WEIGHT_MAX * one);
    let entry = |(mv, JoinedEntry { total, learn, .. }): (PackedMove, JoinedEntry)| {
        let weight = if total == 0 { 0 } else { Weight::scaled(total, whole) };
        PolyglotEntry { key, mv, weight, learn: learn.unwrap_or(0) }
    };
    moves.into_iter().map(entry).collect()
}

impl JoinedEntry {
    fn add(&mut self, share: u128, learn: u32, strategy: Strategy) {
        self.total = if strategy == Strategy::Max { self.total.max(share) } else { self.total + share };
        self.learn = if self.is_known { self.learn.filter(|known| *known == learn) } else { Some(learn) };
        self.is_known = true;
    }
}

/// The value of [`JoinedEntry::total`] that corresponds to a weight of 1.
fn unit(holders: &[&MergedBook<'_>], strategy: Strategy) -> u128 {
    let factors = match strategy {
        Strategy::Average => holders.iter().map(|book| u128::from(book.factor)).sum(),
        _ => u128::from(Factor::ONE_MILLIONTHS),
    };
    factors << SHARE_BITS
}

/// Adds the entries that reach the cut-off to `batch`, sorted as the format requires.
fn keep(
    mut entries: Vec<PolyglotEntry>,
    cut_off: Ratio,
    stats: &mut MergeStats,
    batch: &mut Vec<PolyglotEntry>,
) {
    let whole: u128 = entries.iter().map(|entry| u128::from(entry.weight)).sum();
    let before = entries.len();
    if !cut_off.is_zero() {
        entries.retain(|entry| entry.weight > 0 && cut_off.reached_by(entry.weight.into(), whole));
    }
    entries.sort_by_key(|entry| (Reverse(entry.weight), entry.mv));
    stats.cut_moves += (before - entries.len()) as u64;
    stats.cut_positions += u64::from(entries.is_empty());
    stats.positions += u64::from(!entries.is_empty());
    stats.entries += entries.len() as u64;
    batch.append(&mut entries);
}

impl Iterator for Merge<'_> {
    type Item = Result<Vec<PolyglotEntry>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let batch = self.next_batch();
        self.failed = batch.is_err();
        match batch {
            Ok(batch) if batch.is_empty() => None,
            batch => Some(batch),
        }
    }
}

#[cfg(test)]
mod tests;
