//! One row of a table in memory.

use position::{Group, Key, Observation, PackedMove, Step, Tally};

use crate::RatingSums;

/// An edge or one group of an edge, with its counts. Rows are ordered by (key, move, group).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Row {
    /// The position before the move.
    pub key: Key,
    /// The move; 0 marks a terminal visit.
    pub mv: PackedMove,
    /// The group; [`Group::NONE`] in a table that is not grouped.
    pub group: Group,
    /// The details of the move, apart from its squares, that are needed to compute the key after the move.
    pub step: Step,
    /// The number of games, by outcome.
    pub tally: Tally,
    /// The sums of the ratings of these games; [`RatingSums::NONE`] in a table without ratings.
    pub ratings: RatingSums,
}

impl Row {
    /// The row's identity as a number; rows are sorted by this number. The number consists of the key (64
    /// bits), the move (16), the group (30) and 18 zero bits.
    #[inline]
    #[must_use]
    pub fn id(&self) -> u128 {
        Observation::row_id(self.key, self.mv, self.group)
    }
}
