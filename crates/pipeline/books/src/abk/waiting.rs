//! The lines of an Arena book that are still to be followed.

use std::{cmp::Reverse, collections::BTreeMap};

use position::{Key, PackedMove, position_after};
use shakmaty::{Chess, Move};

/// A move of a position, in the form that the file stores.
pub(super) struct MoveToFollow {
    pub(super) mv: PackedMove,
    pub(super) games: u64,
    /// Games that White won, drew and lost.
    pub(super) tally: [i32; 3],
    pub(super) priority: u8,
    /// Whether this is a reply by the side whose moves the book lacks, rather than a move of the book.
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
    /// The line ends after a move that there was no room for. It is still followed, so that the moves that
    /// are left out can be counted.
    NoRoom,
}

/// The lines that wait to be followed, by ascending number of games; among equals, the newer comes first.
/// The line that comes last is the next to be followed.
pub(super) type Queue = BTreeMap<(u64, Reverse<u64>), LineToFollow>;

impl LineToFollow {
    /// How many bytes a waiting line takes in a tree that is two thirds full.
    pub(super) const BYTES: u64 = (size_of::<Self>() as u64 + 16) * 3 / 2;

    /// Returns the line extended by one move.
    pub(super) fn after(&self, known: &MoveToFollow, m: Move, end: LineEnd, repeats: u32) -> Self {
        let board = position_after(&self.board, m);
        let (games, key) = (self.games.min(known.games), self.key.after(&self.board, m));
        Self { games, end, ply: self.ply + 1, key, board, repeats }
    }
}
