//! What an export reads: sorted rows of edges with their counts, from whoever has them.

use position::{Group, Key, PackedMove, RatingSums, Step, Tally};
use shakmaty::{Chess, Position as _};

use crate::error::InputError;

/// An edge, or one group of it, with its counts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct EdgeRow {
    /// The position before the move.
    pub key: Key,
    /// The move; 0 is a terminal visit.
    pub mv: PackedMove,
    /// The group; [`Group::NONE`] where nothing is grouped.
    pub group: Group,
    /// What the move changes in the key besides its squares. Books do not keep it: there [`Step::terminal`] of the mover stands
    /// for it, and the child's key is found where the walk finds the position.
    pub step: Step,
    /// Games by outcome.
    pub tally: Tally,
    /// Sums of ratings, where they were counted.
    pub ratings: Option<RatingSums>,
}

impl EdgeRow {
    /// The position that the move leads to: by the step, or without one by playing it on `board`. `None` where neither tells.
    pub(crate) fn child(&self, board: Option<&Chess>) -> Option<Key> {
        if self.step.role().is_some() {
            return Some(self.step.child(self.key, self.mv));
        }
        let mut after = board?.clone();
        after.play_unchecked(self.mv.unpack(board?)?);
        Some(Key::of(&after))
    }
}

/// By what the rows of an edge are split: the group columns of the export.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent dimensions")]
pub struct Dimensions {
    /// By speed.
    pub speed: bool,
    /// By rating band.
    pub rating_band: bool,
    /// By month.
    pub month: bool,
    /// By the named player's colour.
    pub player_color: bool,
}

/// Edges with their counts, cut into shards by the top bits of the key, to be read several times.
pub trait Edges: Sync {
    /// Number of shards, a power of two. Shard `i` of `n` holds the keys whose top log2(n) bits are `i`.
    fn shards(&self) -> u32;

    /// By what the rows are grouped.
    fn dimensions(&self) -> Dimensions;

    /// Whether every move that was played from a position has its row. If not, positions may hang together by moves without
    /// one, and the walk tries all legal moves.
    fn is_complete(&self) -> bool {
        true
    }

    /// Opens a shard at its first row. An export opens each three times, from several threads.
    ///
    /// # Errors
    ///
    /// Whatever hinders reading.
    fn shard(&self, shard: u32) -> Result<Box<dyn ShardEdges + '_>, InputError>;
}

/// The rows of one shard, ascending strictly by (key, move, group).
pub trait ShardEdges {
    /// Replaces `rows` by the next ones; `false`, and no rows, at the end.
    ///
    /// # Errors
    ///
    /// Whatever hinders reading.
    fn next_batch(&mut self, rows: &mut Vec<EdgeRow>) -> Result<bool, InputError>;
}
