//! Lines of an Arena book that are not followed yet.

use std::{cmp::Reverse, collections::BTreeMap};

use position::{Key, PackedMove};
use shakmaty::{Chess, Move, Position as _};

/// A move of a position as it is written.
pub(super) struct Known {
    pub(super) mv: PackedMove,
    pub(super) games: u64,
    /// White won, drawn, lost.
    pub(super) tally: [i32; 3],
    pub(super) priority: u8,
}

/// A line whose last position is not followed yet.
pub(super) struct Waiting {
    /// Games of its move that was played least.
    pub(super) games: u64,
    pub(super) end: End,
    pub(super) ply: u32,
    pub(super) key: Key,
    pub(super) board: Chess,
    /// Plies that are still repeated, of a line that comes to a position that another one continues.
    pub(super) repeats: u32,
}

/// Where a line ends.
#[derive(Clone, Copy)]
pub(super) enum End {
    Start,
    /// The node of its last move.
    Node(u32),
    /// After a move that there was no room for: it is followed to count what is missing.
    NoRoom,
}

/// Lines that wait, by games and by when they came: the last one is next.
pub(super) type Queue = BTreeMap<(u64, Reverse<u64>), Waiting>;

impl Waiting {
    /// What one takes among the lines that wait, a tree that is two thirds full.
    pub(super) const BYTES: u64 = (size_of::<Self>() as u64 + 16) * 3 / 2;

    /// The line with a move more.
    pub(super) fn after(&self, known: &Known, m: Move, end: End, repeats: u32) -> Self {
        let mut board = self.board.clone();
        board.play_unchecked(m);
        let (games, key) = (self.games.min(known.games), self.key.after(&self.board, m));
        Self { games, end, ply: self.ply + 1, key, board, repeats }
    }
}
