//! The positions that a walk has found, in ascending order of their keys.

use extsort::{BucketRows, Least};
use position::{Board, Key, PackedMove, Placement};

use fault::Result;

use crate::{
    Walk,
    records::{Lineage, WORDS, key_bits, key_of},
    shard_of, turn_at,
};

/// The last edge of a position's line. It is the most played of the edges that lead to the position from the
/// previous ply.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Parent {
    /// The key of the previous position.
    pub key: Key,
    /// The move played there.
    pub mv: PackedMove,
}

/// A position that the walk reached.
#[derive(Clone, Copy, Debug)]
pub struct Walked {
    /// The position's key.
    pub key: Key,
    /// The position's ply, along the shortest line from the origin or from a root. A line from a root begins
    /// at ply 0, or at ply 1 if Black is to move there.
    pub ply: u32,
    /// The number of the root where the position's line begins; 0 is the origin. See [`Walk::root`].
    pub root: u64,
    /// The number of plies in the position's line, counted from the root where it begins. If the line begins
    /// at the origin, the plies are counted from the start position.
    pub plies_of_line: u32,
    /// The last edge of the position's line. If several edges lead to the position from the previous ply,
    /// this is the edge with the most games; in case of a tie, it is the edge with the smallest (key, move).
    /// More than 2^32 - 1 games count as 2^32 - 1. `None` for the origin and for roots.
    pub parent: Option<Parent>,
    /// The position's pieces, castling rights and en passant square.
    pub placement: Placement,
    /// The last label along the position's line; see [`Labels`](crate::Labels).
    pub label: u16,
}

impl Walked {
    /// The position's board; `None` if the position is illegal, which can happen in a damaged table.
    #[must_use]
    pub fn board(&self) -> Option<Board> {
        Board::of_placement(&self.placement, turn_at(self.ply as u16), self.key)
    }
}

/// Looks up the positions of a walk, for keys in ascending order.
pub struct Ascending {
    walk: Walk,
    open: Option<(u32, WalkedPositions)>,
}

impl Ascending {
    /// Creates a look-up that has not found anything yet.
    #[must_use]
    pub fn of(walk: Walk) -> Self {
        Self { walk, open: None }
    }

    /// Returns the position whose key is `key`, or `None` if the walk did not reach it. Keys must be passed
    /// in ascending order.
    ///
    /// # Errors
    ///
    /// Fails if a temporary file cannot be read.
    pub fn find(&mut self, key: Key) -> Result<Option<Walked>> {
        let shard = shard_of(key, self.walk.shards());
        let positions = match &mut self.open {
            Some((open, positions)) if *open == shard => positions,
            open => &mut open.insert((shard, self.walk.shard(shard)?)).1,
        };
        positions.find(key)
    }
}

/// The positions of one shard.
///
/// # Memory
///
/// A batch of rows.
pub struct WalkedPositions {
    rows: BucketRows<WORDS, Least>,
    batch: Vec<extsort::Row<WORDS>>,
    at: usize,
}

impl WalkedPositions {
    pub(crate) fn new(rows: BucketRows<WORDS, Least>) -> Result<Self> {
        let mut positions = Self { rows, batch: Vec::new(), at: 0 };
        positions.rows.next_batch(&mut positions.batch)?;
        Ok(positions)
    }

    /// The next position; `None` at the end.
    ///
    /// # Errors
    ///
    /// Fails if a temporary file cannot be read.
    #[expect(clippy::should_implement_trait, reason = "an iterator's items would carry the error each")]
    pub fn next(&mut self) -> Result<Option<Walked>> {
        let next = self.here();
        if next.is_some() {
            self.step()?;
        }
        Ok(next)
    }

    /// Returns the position whose key is `key`, or `None` if the walk did not reach it. Keys must be passed
    /// in ascending order.
    ///
    /// # Errors
    ///
    /// Fails if a temporary file cannot be read.
    pub fn find(&mut self, key: Key) -> Result<Option<Walked>> {
        while self.batch.get(self.at).is_some_and(|row| row.id < key_bits(key)) {
            self.step()?;
        }
        Ok(self.here().filter(|walked| walked.key == key))
    }

    fn here(&self) -> Option<Walked> {
        let row = self.batch.get(self.at)?;
        let (key, [first, second, a, b, c, d, _]) = (key_of(row), row.sums);
        let parent = Parent { key: Key(first << 32 | second >> 32), mv: PackedMove((second >> 16) as u16) };
        let parent = (!parent.mv.is_terminal()).then_some(parent);
        let (label, ply) = ((first >> 32) as u16, (second & 0xffff) as u32);
        let (from, placement) = (Lineage::of(row.sums), Placement([a, b, c, d]));
        let (root, plies_of_line) = (from.number(), ply - u32::from(from.first_ply()));
        Some(Walked { key, ply, root, plies_of_line, parent, placement, label })
    }

    fn step(&mut self) -> Result<()> {
        self.at += 1;
        if self.at == self.batch.len() {
            self.at = 0;
            self.rows.next_batch(&mut self.batch)?;
        }
        Ok(())
    }
}
