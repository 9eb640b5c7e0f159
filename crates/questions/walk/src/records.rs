//! The records that the walk sorts. Each record consists of a key and seven 64-bit words, which describe the
//! position with this key.

use position::{Key, PackedMove, Placement};
use shakmaty::Color;

use fault::Result;

use crate::{Parent, Work};

/// The number of 64-bit words in a record: two for the parent, four for the pieces, and one for the line. The
/// two words for the parent also hold the number of games and the parent's label. Once the position has been
/// reached, they hold the position's label and ply instead of these.
pub(crate) const WORDS: usize = 7;

/// The number by which records are sorted: the key in the upper 64 bits, and zeros below.
#[inline]
pub(crate) fn key_bits(key: Key) -> u128 {
    u128::from(key.0) << 64
}

/// The key of a row.
pub(crate) fn key_of(row: &extsort::Row<WORDS>) -> Key {
    Key((row.id >> 64) as u64)
}

/// A way to reach a position: the edge that leads to it.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) parent: Parent,
    /// The number of games in which the edge was played.
    pub(crate) games: u32,
    /// The label that the previous position passes on to this position.
    pub(crate) label: u16,
    /// The line that this edge extends.
    pub(crate) from: Lineage,
}

/// The data that each position of a line passes on to the next position, in addition to the label. The lower
/// 55 bits are the number of the root where the line begins. The next eight bits count the consecutive moves
/// at the end of the line that were each played in at most one game; 255 means 255 or more. The top bit is
/// set if the line begins at a root of the rows at which Black is to move, so that this root counts as ply 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lineage(u64);

/// The bit at which the number of new moves begins; a move is new if it was played in at most one game.
const NEW_AT: u32 = 55;

impl Lineage {
    /// A line from the origin of the walk.
    pub(crate) const ORIGIN: Self = Self(0);

    /// A line that begins at the root with this number. `turn` is the side to move at the root.
    pub(crate) fn new(number: u64, turn: Color) -> Self {
        Self(number | turn.fold_wb(0, 1 << 63))
    }

    /// Reads the lineage from a record's words.
    pub(crate) fn of([.., start]: [u64; WORDS]) -> Self {
        Self(start)
    }

    pub(crate) fn number(self) -> u64 {
        self.0 & ((1 << NEW_AT) - 1)
    }

    /// The number of consecutive moves at the end of the line that were each played in at most one game.
    pub(crate) fn new_moves(self) -> u8 {
        (self.0 >> NEW_AT) as u8
    }

    /// Returns the lineage of this line after one more move, which was played in `games` games.
    pub(crate) fn after(self, games: u32) -> Self {
        let new_moves = if games > 1 { 0 } else { self.new_moves().saturating_add(1) };
        Self(self.0 & !(0xff << NEW_AT) | u64::from(new_moves) << NEW_AT)
    }

    /// The ply from which the line's plies are counted: 1 if the line begins at a root of the rows at which
    /// Black is to move, and otherwise 0.
    pub(crate) fn first_ply(self) -> u16 {
        (self.0 >> 63) as u16
    }
}

/// The arrival at a root, which has no parent. It is preferred to any edge that leads to the same position.
pub(crate) const NO_PARENT: Arrival = Arrival {
    parent: Parent { key: Key(0), mv: PackedMove::TERMINAL },
    games: u32::MAX,
    label: 0,
    from: Lineage::ORIGIN,
};

impl Arrival {
    /// Returns the words of the record for the position that this edge leads to. If several edges lead to a
    /// position, the record with the smallest words is kept. This is the record of the edge with the most
    /// games or, in case of a tie, of the edge with the smallest (key, move). Labels never break a tie,
    /// because records with the same (key, move) also have the same label.
    pub(crate) fn words(self, placement: Placement) -> [u64; WORDS] {
        let Self { parent, games, label, from } = self;
        let (key, mv) = (parent.key.0, u64::from(parent.mv.0));
        let [a, b, c, d] = placement.0;
        [u64::from(!games) << 32 | key >> 32, key << 32 | mv << 16 | u64::from(label), a, b, c, d, from.0]
    }
}

/// Given the first word of a position's record, returns whether the edge that led there was played in any
/// game.
pub(crate) fn was_played(first: u64) -> bool {
    first >> 32 != u64::from(u32::MAX)
}

/// Given the words of a position's record, returns the label that the parent passed on to the position.
pub(crate) fn handed_on([_, second, ..]: [u64; WORDS]) -> u16 {
    second as u16
}

/// Returns the words of the record for a position that was reached at `ply`. The number of games is replaced
/// by the position's label, and the parent's label by the ply.
pub(crate) fn at_ply(mut words: [u64; WORDS], ply: u16, label: u16) -> [u64; WORDS] {
    words[0] = u64::from(label) << 32 | words[0] & u64::from(u32::MAX);
    words[1] = words[1] & !u64::from(u16::MAX) | u64::from(ply);
    words
}

/// A key, and the words that describe the position with this key. Of several records with the same key, only
/// the record with the smallest words is kept; words are compared in order, as unsigned numbers.
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
        extsort::Least::keep(words, &self.words);
    }
}

/// One thread's records.
pub(crate) type RecordWriter<'s> = extsort::Writer<'s, Record, WORDS>;
/// The records, sorted.
pub(crate) type SortedRecords = extsort::Sorted<WORDS, extsort::Least>;
/// The records of a part or a shard.
pub(crate) type RecordRows = extsort::BucketRows<WORDS, extsort::Least>;

/// Memory that the sorters for the frontiers reuse, one after another.
pub(crate) type RecordArena = extsort::Arena<Record>;

/// A sorter for `shards` shards. A sorter that cannot work with `memory_bytes` takes as much as it needs.
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
