//! The lines of an Arena book that are still to be followed.

use std::{cmp::Reverse, collections::BTreeMap};

use position::{Key, PackedMove, position_after};
use shakmaty::{Chess, Move};

/// A move of a position, in the form that the file stores.
pub(super) struct MoveToFollow {
    pub(super) mv: PackedMove,
    pub(super) games: u64,
    /// The numbers of games that White won, drew and lost.
    pub(super) tally: [i32; 3],
    pub(super) priority: u8,
    /// Whether this is a reply by the side that has no moves in the book, rather than a move of the book.
    pub(super) is_reply: bool,
}

/// A line whose last position is still to be followed.
pub(super) struct LineToFollow {
    /// The number of games of the line's least played move.
    pub(super) games: u64,
    pub(super) end: LineEnd,
    pub(super) ply: u32,
    pub(super) key: Key,
    pub(super) board: Chess,
    /// How many more plies this line may copy from another line that passes through its last position.
    pub(super) repeats: u32,
}

/// Where a line ends.
#[derive(Clone, Copy)]
pub(super) enum LineEnd {
    Start,
    /// The line ends at the node of its last move.
    Branch(u32),
    /// The line ends with a move that was left out because the maximum number of records had been reached.
    /// The line is still followed, so that all moves that are left out can be counted.
    NoRoom,
}

/// The lines that have not been followed yet. They are sorted by number of games, in ascending order; of two
/// lines with the same number, the newer one comes first. The last line in this order is followed next.
pub(super) type Queue = BTreeMap<(u64, Reverse<u64>), LineToFollow>;

impl LineToFollow {
    /// The memory, in bytes, that each line in the [`Queue`] uses if the nodes of the queue's B-tree are two
    /// thirds full.
    pub(super) const BYTES: u64 = (size_of::<Self>() as u64 + 16) * 3 / 2;

    /// Returns the line extended by one move.
    pub(super) fn after(&self, known: &MoveToFollow, m: Move, end: LineEnd, repeats: u32) -> Self {
        let board = position_after(&self.board, m);
        let (games, key) = (self.games.min(known.games), self.key.after(&self.board, m));
        Self { games, end, ply: self.ply + 1, key, board, repeats }
    }
}
