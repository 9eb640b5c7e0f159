//! The records that the walk sorts: a key, and seven words of what is known of it.

use position::{Key, PackedMove, Placement};
use shakmaty::Color;

use fault::Result;

use crate::{Parent, Work};

/// The words of a record: two for the parent and, once it is reached, the ply; four for the pieces; one for
/// the root.
pub(crate) const WORDS: usize = 7;

/// The number that records are sorted by: the key in the upper half, zero in the lower.
#[inline]
pub(crate) fn key_bits(key: Key) -> u128 {
    u128::from(key.0) << 64
}

/// An edge that leads to a position.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) parent: Parent,
    /// How often it was played.
    pub(crate) games: u32,
    /// The label that the position before hands on.
    pub(crate) label: u16,
    /// The line that it ends.
    pub(crate) from: Lineage,
}

/// What a line hands on beside its label: the number of the root where it begins, in the lower 55 bits; how
/// many moves in a row, up to its last one, only one game had (255: or more); and a top bit that is set if
/// its first position counts as ply 1, because Black is to move there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lineage(u64);

/// The place of the number of new moves.
const NEW_AT: u32 = 55;

impl Lineage {
    /// The origin of the walk.
    pub(crate) const ORIGIN: Self = Self(0);

    /// A root of rows.
    pub(crate) fn new(number: u64, turn: Color) -> Self {
        Self(number | turn.fold_wb(0, 1 << 63))
    }

    /// That of a record.
    pub(crate) fn of([.., start]: [u64; WORDS]) -> Self {
        Self(start)
    }

    pub(crate) fn number(self) -> u64 {
        self.0 & ((1 << NEW_AT) - 1)
    }

    /// How many of its last moves only one game had.
    pub(crate) fn new_moves(self) -> u8 {
        (self.0 >> NEW_AT) as u8
    }

    /// The line after a move that this many games had.
    pub(crate) fn after(self, games: u32) -> Self {
        let new_moves = if games > 1 { 0 } else { self.new_moves().saturating_add(1) };
        Self(self.0 & !(0xff << NEW_AT) | u64::from(new_moves) << NEW_AT)
    }

    /// The ply of its first position, if lines begin at ply 0.
    pub(crate) fn first_ply(self) -> u16 {
        (self.0 >> 63) as u16
    }
}

/// The arrival of a root, which has no parent: it comes before any edge that leads there.
pub(crate) const NO_PARENT: Arrival = Arrival {
    parent: Parent { key: Key(0), mv: PackedMove::TERMINAL },
    games: u32::MAX,
    label: 0,
    from: Lineage::ORIGIN,
};

impl Arrival {
    /// The words of a position that is reached by this edge. The smallest words belong to the edge with most
    /// games and, of equal ones, to the smallest (key, move); one edge hands on one label.
    pub(crate) fn words(self, placement: Placement) -> [u64; WORDS] {
        let Self { parent, games, label, from } = self;
        let (key, mv) = (parent.key.0, u64::from(parent.mv.0));
        let [a, b, c, d] = placement.0;
        [u64::from(!games) << 32 | key >> 32, key << 32 | mv << 16 | u64::from(label), a, b, c, d, from.0]
    }
}

/// Whether an edge with games led to a position whose first word this is.
pub(crate) fn was_played(first: u64) -> bool {
    first >> 32 != u64::from(u32::MAX)
}

/// The label that an edge handed on.
pub(crate) fn handed_on([_, second, ..]: [u64; WORDS]) -> u16 {
    second as u16
}

/// What is known of a position that was reached at a ply. Its label takes the place of the games, and the ply
/// that of the label that was handed on.
pub(crate) fn at_ply(mut words: [u64; WORDS], ply: u16, label: u16) -> [u64; WORDS] {
    words[0] = u64::from(label) << 32 | words[0] & u64::from(u32::MAX);
    words[1] = words[1] & !u64::from(u16::MAX) | u64::from(ply);
    words
}

/// A key and what is known of it. If one key has several records, the one with the smallest words stays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) key: Key,
    pub(crate) words: [u64; WORDS],
}

impl extsort::Item<WORDS> for Record {
    type Combine = extsort::Least;
    const PAYLOAD_BITS: u32 = 64;

    #[inline]
    fn bits(&self) -> u128 {
        key_bits(self.key)
    }

    #[inline]
    fn note(&self) -> u16 {
        0
    }

    #[inline]
    fn add_to(&self, words: &mut [u64; WORDS]) {
        *words = (*words).min(self.words);
    }
}

/// The records of one thread.
pub(crate) type RecordWriter<'s> = extsort::Writer<'s, Record, WORDS>;
/// The records, sorted.
pub(crate) type SortedRecords = extsort::Sorted<WORDS, extsort::Least>;
/// The records of one part or shard.
pub(crate) type RecordRows = extsort::BucketRows<WORDS, extsort::Least>;

/// Memory of the sorters of frontiers, which come one after another.
pub(crate) type RecordArena = extsort::Arena<Record>;

/// A sorter for `shards` shards. If `memory_bytes` are too few to sort with, it takes what it needs.
pub(crate) fn sorter(
    work: &Work<'_>,
    memory_bytes: u64,
    shards: u32,
    arena: &RecordArena,
) -> Result<extsort::Sorter<Record, WORDS>> {
    let options = |memory_bytes| extsort::Options {
        buckets: shards,
        temp_dir: work.temp_dir.clone(),
        ..extsort::Options::new(memory_bytes, work.threads)
    };
    let made = match extsort::Sorter::with_arena(options(memory_bytes), arena) {
        Err(extsort::Error::BudgetTooSmall { needed_bytes, .. }) => {
            extsort::Sorter::with_arena(options(needed_bytes), arena)
        }
        made => made,
    };
    Ok(made?)
}
