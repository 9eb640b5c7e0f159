//! The cut of an export: which rows are exported.

use shakmaty::{Chess, Color};
use walk::{Origin, Walked};

/// The rows that are cut away. By default there are none.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// The first position that is exported, with everything that follows from it. Without one, all positions
    /// are exported, even those that no walk reaches.
    pub origin: Option<Beginning>,
    /// The most plies from the start position: positions of that ply are exported, moves from them are not.
    pub max_ply: Option<u16>,
    /// The fewest games of a move, over all its groups, and of a position.
    pub min_games: u64,
    /// The side whose moves are exported, and the positions where it is to move.
    pub color: Option<Color>,
}

/// A position that games reached from the start position.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// The position.
    pub position: Chess,
    /// The moves that lead there, in SAN, separated by blanks.
    pub line: String,
    /// The number of these moves.
    pub ply: u16,
}

impl Cut {
    /// The beginning and end of the walk.
    pub(crate) fn route(&self) -> Origin {
        let ply = self.origin.as_ref().map_or(0, |origin| origin.ply);
        let last_ply = self.max_ply.unwrap_or(u16::MAX).max(ply);
        let with_roots = self.origin.is_none();
        Origin { position: self.first_position().0, ply, last_ply, with_roots, ..Origin::default() }
    }

    /// The first position of the walk, and the line that leads there.
    pub(crate) fn first_position(&self) -> (Chess, String) {
        self.origin.clone().map(|origin| (origin.position, origin.line)).unwrap_or_default()
    }

    /// Whether a position is exported.
    pub(crate) fn keeps_position(&self, reached: Option<&Walked>, turn: Color, games: u64) -> bool {
        let reached = reached.is_some() || (self.origin.is_none() && self.max_ply.is_none());
        reached && games >= self.min_games && self.color.is_none_or(|color| color == turn)
    }

    /// Whether moves of a position are exported.
    pub(crate) fn keeps_moves_at(&self, reached: Option<&Walked>, turn: Color) -> bool {
        let before_last = |walked: &Walked| self.max_ply.is_none_or(|last| walked.ply < u32::from(last));
        self.keeps_position(reached, turn, u64::MAX) && reached.is_none_or(before_last)
    }
}
