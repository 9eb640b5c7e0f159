//! Finds the positions that kept moves lead to.

use ::book::{BookEdge, BookFilter};
use count::WeightedCounts;
use extsort::{Lookup, Sorted, Sorter};
use position::Key;
use run::{Context, Result};
use table::{PositionCounts, PositionRows, SortedRows as _};

use super::{promoted::PostbookMoves, way::LineFromStart};

/// The keys of the positions that are in the book because a kept move leads to them. `None` if every move is
/// kept and all games start from the same position, because the book then contains all counted positions
/// anyway.
pub(super) struct Leaves(Option<Sorted<0>>);

/// The leaves of one shard. Keys must be looked up in ascending order.
pub(super) struct ShardLeaves(Option<Lookup<0>>);

/// The key of a position that a kept move leads to.
#[derive(Clone, Copy)]
struct ChildKey(Key);

impl extsort::Item<0> for ChildKey {
    type Combine = extsort::Sum;
    const PAYLOAD_BITS: u32 = 64;

    #[inline]
    fn bits(&self) -> u128 {
        id(self.0)
    }

    #[inline]
    fn add_to(&self, _: &mut [u64; 0]) {}
}

/// The value that a key is sorted by.
fn id(key: Key) -> u128 {
    u128::from(key.0) << 64
}

impl Leaves {
    /// Finds the leaves in one pass over `counts`.
    pub(super) fn find(
        context: &Context,
        counts: &WeightedCounts,
        filter: &BookFilter,
        (promoted, way): (&PostbookMoves, &LineFromStart),
    ) -> Result<Self> {
        if filter.keeps_everything() && !counts.counting().from_position {
            return Ok(Self(None));
        }
        let sorting = context.sorting(counts.shards(), context.memory.leaves, context.threads);
        let sorter: Sorter<ChildKey, 0> = Sorter::new(sorting)?;
        context.for_each_shard("finding leaves", counts.shards(), |shard| {
            find_in_shard(counts, (filter, promoted.clone(), way), shard, &sorter)
        })?;
        Ok(Self(Some(sorter.finish()?)))
    }

    /// The leaves of one shard.
    pub(super) fn shard(&self, shard: u32) -> Result<ShardLeaves> {
        let lookup = |leaves: &Sorted<0>| Lookup::new(leaves.bucket(shard)?);
        Ok(ShardLeaves(self.0.as_ref().map(lookup).transpose()?))
    }
}

fn find_in_shard(
    counts: &WeightedCounts,
    (filter, mut promoted, way): (&BookFilter, PostbookMoves, &LineFromStart),
    shard: u32,
    sorter: &Sorter<ChildKey, 0>,
) -> Result<()> {
    let mut writer = sorter.writer()?;
    let mut rows = PositionRows::new(way.shard(shard, counts.shards(), counts.shard(shard)?));
    let (mut position, mut kept) = (PositionCounts::default(), Vec::new());
    while rows.next_into(&mut position)? {
        kept.clone_from(&position.edges);
        filter.keep(position.step.mover(), position.tally, &mut kept);
        if promoted.has(position.key) {
            promoted.add(position.step.mover(), &position.edges, &mut kept);
        }
        if way.has(position.key) {
            way.add((position.key, position.step.mover()), filter.color, &position.edges, &mut kept);
        }
        let mut edges = position.edges.iter().zip(&position.steps);
        for BookEdge { mv, .. } in &kept {
            if let Some((_, step)) = edges.find(|(edge, _)| edge.mv == *mv) {
                writer.push(ChildKey(step.child(position.key, *mv)))?;
            }
        }
    }
    Ok(writer.close()?)
}

impl ShardLeaves {
    /// Whether a kept move leads to `key`. Successive calls must pass ascending keys.
    pub(super) fn contains(&mut self, key: Key) -> Result<bool> {
        self.0.as_mut().map_or(Ok(true), |leaves| Ok(leaves.find(id(key))?.is_some()))
    }
}
