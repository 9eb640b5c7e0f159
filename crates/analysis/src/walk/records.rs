//! What the walk sorts: a key and four words that are known of it.

use position::Key;

use super::placement::Placement;
use crate::{Result, shards::Work};

/// What records are sorted by: the key in the upper half, nothing in the lower.
#[inline]
fn bits(key: Key) -> u128 {
    u128::from(key.0) << 64
}

/// A key and what is known of it. Of the records of one key the smallest payload stays.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Record {
    pub(crate) key: Key,
    pub(crate) payload: [u64; 4],
}

impl extsort::Item<4> for Record {
    type Combine = extsort::Least;
    const PAYLOAD_BITS: u32 = 64;

    #[inline]
    fn bits(&self) -> u128 {
        bits(self.key)
    }

    #[inline]
    fn note(&self) -> u16 {
        0
    }

    #[inline]
    fn add_to(&self, payload: &mut [u64; 4]) {
        *payload = (*payload).min(self.payload);
    }
}

/// A position that the walk reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub(crate) key: Key,
    /// Plies from the start position, by the shortest way.
    pub(crate) ply: u16,
    pub(crate) placement: Placement,
}

impl extsort::Item<4> for Reached {
    type Combine = extsort::Least;
    const PAYLOAD_BITS: u32 = 64;

    #[inline]
    fn bits(&self) -> u128 {
        bits(self.key)
    }

    #[inline]
    fn note(&self) -> u16 {
        self.ply
    }

    #[inline]
    fn add_to(&self, placement: &mut [u64; 4]) {
        // The walk reaches a position once, so nothing is combined.
        *placement = self.placement.0;
    }
}

/// The records of one thread.
pub(crate) type RecordWriter<'s> = extsort::Writer<'s, Record, 4>;
/// The records, sorted.
pub(crate) type SortedRecords = extsort::Sorted<4, extsort::Least>;

/// Finds records of one shard, asked for by ascending keys.
pub(crate) struct Lookup(extsort::Lookup<4, extsort::Least>);

impl Lookup {
    /// The records of a shard.
    pub(crate) fn open(records: &SortedRecords, shard: u32) -> Result<Self> {
        Ok(Self(extsort::Lookup::new(records.bucket(shard)?)?))
    }

    /// The record of `key`, if there is one.
    pub(crate) fn find(&mut self, key: Key) -> Result<Option<&extsort::Row<4>>> {
        Ok(self.0.find(bits(key))?)
    }

    /// Whether all records are below the key asked for last.
    pub(crate) fn is_at_end(&self) -> bool {
        self.0.is_at_end()
    }
}

/// A sorter for `shards` shards. Where `memory_bytes` are too few to sort with, it takes what is needed.
pub(crate) fn sorter<I: extsort::Item<4>>(
    work: &Work<'_>,
    memory_bytes: u64,
    shards: u32,
) -> Result<extsort::Sorter<I, 4>> {
    let options = |memory_bytes| extsort::Options {
        buckets: shards,
        temp_dir: work.temp_dir.clone(),
        ..extsort::Options::new(memory_bytes, work.threads)
    };
    let made = match extsort::Sorter::new(options(memory_bytes)) {
        Err(extsort::Error::BudgetTooSmall { needed_bytes, .. }) => {
            extsort::Sorter::new(options(needed_bytes))
        }
        made => made,
    };
    Ok(made?)
}

/// Which of `shards` equal ranges of keys holds `key`.
pub(crate) fn shard_of(key: Key, shards: u32) -> u32 {
    key.0.checked_shr(64 - shards.trailing_zeros()).unwrap_or(0) as u32
}
