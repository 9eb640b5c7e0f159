//! Gives moves weights in proportion to the probabilities with which a policy plays them.
//!
//! Most policies judge a position only by the book's data about this position, so the book is simply read in
//! order. Other policies also look at the positions that moves lead to, for which they need a board. For such
//! a policy, the book is walked from the start position, and the entries are sorted afterwards.

use std::iter;

use book::{
    Book, PositionEntry,
    polyglot::{self, LearnField, PolyglotEntry, PolyglotStats, Target, Weigher, WeightedMove},
};
use extsort::{BucketRows, Item, Row, Sorted, Sorter, Sum, Writer};
use output::Prepared;
use position::{Experience, ExperienceKind, Key, PackedMove, Tally};
use query::{Chooser, Reached};
use run::{Context, Error, Result};

/// The result of writing a book whose weights come from a policy.
pub(super) struct PolicyBook {
    pub(super) stats: PolyglotStats,
    /// The numbers of positions and moves that the walk did not reach; both are 0 if no walk was needed.
    pub(super) unreached_positions: u64,
    pub(super) unreached_moves: u64,
    pub(super) prepared: Prepared,
}

/// Writes `book` with the weights of a policy.
pub(super) fn prepare(
    context: &Context,
    book: &Book,
    target: Target<'_>,
    (chooser, learn_field): (&Chooser, LearnField),
) -> Result<PolicyBook> {
    let by_policy = ByPolicy { book, chooser, learn_field, beyond: Vec::new() };
    if chooser.needs_board(book) {
        return by_policy.walk(context, target);
    }
    let by_policy = ByPolicy { beyond: beyond(context, book)?, ..by_policy };
    let (stats, prepared) = polyglot::prepare_by(book, target, &by_policy, context.threads)?;
    Ok(PolicyBook { stats, unreached_positions: 0, unreached_moves: 0, prepared })
}

/// The positions that have PostBook moves but no entry in the book, in ascending order.
///
/// # Memory
///
/// Uses eight bytes for each position.
fn beyond(context: &Context, book: &Book) -> Result<Vec<Key>> {
    let (mut keys, mut entry) = (Vec::new(), PositionEntry::default());
    for row in book.experience() {
        context.check_interrupt()?;
        let row = row?;
        let is_new = row.kind == ExperienceKind::Postbook && keys.last() != Some(&row.key);
        if is_new && !book.probe_into(row.key, &mut entry)? {
            keys.push(row.key);
        }
    }
    Ok(keys)
}

/// Computes the weights of moves from a policy.
struct ByPolicy<'p> {
    book: &'p Book,
    chooser: &'p Chooser,
    learn_field: LearnField,
    beyond: Vec<Key>,
}

impl Weigher for ByPolicy<'_> {
    type Error = Error;

    fn beyond(&self) -> &[Key] {
        &self.beyond
    }

    fn weigh(&self, position: &PositionEntry, moves: &mut Vec<WeightedMove>) -> Result<u64> {
        self.weigh_chances(position, &self.chooser.chances(self.book, position)?, moves)?;
        Ok(0)
    }
}

/// The weight, before scaling, of a move that is played with probability 1. This weight is so large (2^62)
/// that even a move with a tiny probability gets a weight above 0.
const CERTAIN: f64 = 4_611_686_018_427_387_904.0;

#[expect(clippy::cast_sign_loss, reason = "chances are 0 to 1")]
fn raw(chance: f64) -> u128 {
    ((chance * CERTAIN) as u128).max(1)
}

impl ByPolicy<'_> {
    fn weigh_chances(
        &self,
        position: &PositionEntry,
        chances: &[(PackedMove, f64)],
        moves: &mut Vec<WeightedMove>,
    ) -> Result<()> {
        let rows = match self.learn_field {
            LearnField::Learned => self.book.experience_of(position.key)?,
            LearnField::None | LearnField::Games => Vec::new(),
        };
        for &(mv, chance) in chances {
            let edge = position.edges.iter().find(|edge| edge.mv == mv);
            let tally = edge.map_or_else(Tally::default, |edge| edge.tally);
            let row = rows.iter().find(|row| row.mv == mv && row.kind == ExperienceKind::Book);
            let known = row.map_or_else(Experience::default, |row| row.experience);
            let learn = self.learn_field.bits(tally, position.turn, &known);
            moves.push(WeightedMove { mv, raw: raw(chance), learn });
        }
        Ok(())
    }

    /// Walks the book from the positions where its lines begin. First computes weights for the moves of
    /// positions that the walk reaches, where the policy can use the board. Then computes weights for the
    /// moves of all other positions, without a board, unless the policy looks ahead.
    fn walk(&self, context: &Context, target: Target<'_>) -> Result<PolicyBook> {
        context.progress().enter_steps("walking the book", self.book.stats().positions, "positions");
        let entries = Sorter::new(context.sorting(table::DEFAULT_SHARDS, context.memory.leaves, 1))?;
        let (writer, stats) = (entries.writer()?, PolyglotStats::default());
        let mut weighted = PositionWeights { rule: self, writer, stats, moves: Vec::new() };
        let reached =
            query::judge_reachable(self.book, self.chooser, context.threads, |position, chances| {
                context.check_interrupt()?;
                context.progress().steps_done(1);
                weighted.push(position, chances)
            })?;
        let (unreached_positions, unreached_moves) =
            self.weigh_unreached(context, &reached, &mut weighted)?;
        let stats = weighted.close()?;
        let prepared = polyglot::prepare_sorted(target, batches(&entries.finish()?))?;
        Ok(PolicyBook { stats, unreached_positions, unreached_moves, prepared })
    }

    /// Computes weights for the moves of positions that the walk did not reach, without a board. A policy
    /// that looks ahead cannot judge these positions. In that case, the positions and their moves are only
    /// counted.
    fn weigh_unreached(
        &self,
        context: &Context,
        reached: &Reached,
        weighted: &mut PositionWeights<'_>,
    ) -> Result<(u64, u64)> {
        let (mut positions, mut entry) = (self.book.positions(), PositionEntry::default());
        let (mut unreached, looks_ahead) = ((0, 0), self.chooser.looks_ahead());
        while positions.next_into(&mut entry)? {
            context.check_interrupt()?;
            if reached.contains(positions.place()) {
                continue;
            }
            if looks_ahead {
                unreached = (unreached.0 + 1, unreached.1 + entry.edges.len() as u64);
            } else {
                weighted.push(&entry, &self.chooser.chances(self.book, &entry)?)?;
            }
        }
        if !looks_ahead {
            for key in beyond(context, self.book)? {
                weighted.push_beyond(key)?;
            }
        }
        Ok(unreached)
    }
}

/// Collects the weighted moves of positions, which may be added in any order.
struct PositionWeights<'w> {
    rule: &'w ByPolicy<'w>,
    writer: Writer<'w, Sortable, 0>,
    stats: PolyglotStats,
    /// A buffer for the moves of one position.
    moves: Vec<WeightedMove>,
}

impl PositionWeights<'_> {
    fn push(&mut self, position: &PositionEntry, chances: &[(PackedMove, f64)]) -> Result<()> {
        if position.key == Key(0) {
            self.stats.skipped_zero_key = chances.len() as u64;
            return Ok(());
        }
        self.moves.clear();
        self.rule.weigh_chances(position, chances, &mut self.moves)?;
        self.stats.count(position, &self.moves, 0);
        let mut entries = polyglot::entries(position.key, &mut self.moves).map(Sortable);
        Ok(entries.try_for_each(|entry| self.writer.push(entry))?)
    }

    /// Adds a position that has no entry in the book.
    fn push_beyond(&mut self, key: Key) -> Result<()> {
        let position = PositionEntry { key, ..PositionEntry::default() };
        let before = self.stats.positions;
        self.push(&position, &self.rule.chooser.chances(self.rule.book, &position)?)?;
        self.stats.positions_beyond += self.stats.positions - before;
        Ok(())
    }

    fn close(self) -> Result<PolyglotStats> {
        self.writer.close()?;
        Ok(self.stats)
    }
}

/// An entry in the form that the sorter needs. The sorter's order is the order that the format requires. No
/// two entries are equal, so the sorter never merges entries.
#[derive(Clone, Copy)]
struct Sortable(PolyglotEntry);

impl Item<0> for Sortable {
    type Combine = Sum;
    const PAYLOAD_BITS: u32 = 16;

    fn bits(&self) -> u128 {
        let PolyglotEntry { key, mv, weight, learn } = self.0;
        u128::from(key.0) << 64 | u128::from(!weight) << 48 | u128::from(mv.0) << 32 | u128::from(learn)
    }

    /// The lower half of the learn field, which does not fit into the sorted bits.
    fn note(&self) -> u16 {
        self.0.learn as u16
    }

    fn add_to(&self, _: &mut [u64; 0]) {}
}

impl Sortable {
    fn of_row(row: &Row<0>) -> PolyglotEntry {
        PolyglotEntry {
            key: Key((row.id >> 64) as u64),
            mv: PackedMove((row.id >> 32) as u16),
            weight: !((row.id >> 48) as u16),
            learn: row.id as u32 & 0xffff_0000 | u32::from(row.note),
        }
    }
}

/// Sorted entries, read bucket by bucket.
fn batches(sorted: &Sorted<0>) -> impl Iterator<Item = Result<Vec<PolyglotEntry>>> {
    let (mut buckets, mut open, mut rows) = (0..sorted.buckets(), None, Vec::new());
    let mut next = move || loop {
        if let Some(open) = &mut open
            && BucketRows::next_batch(open, &mut rows)?
        {
            return Ok(Some(rows.iter().map(Sortable::of_row).collect()));
        }
        let Some(bucket) = buckets.next() else { return Ok(None) };
        open = Some(sorted.bucket(bucket)?);
    };
    iter::from_fn(move || next().transpose())
}
