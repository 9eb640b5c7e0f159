//! Selects the rows that are exported.

use shakmaty::{Chess, Color};
use walk::{Origin, Walked};

/// Options that determine which rows are left out. By default, no rows are left out.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// If set, only this position and the positions that can be reached from it are exported. If both this
    /// field and `max_ply` are `None`, even positions that the walk does not reach are exported.
    pub origin: Option<Beginning>,
    /// The last ply to export, counted from the start position. Positions at this ply are exported, but
    /// their moves are not.
    pub max_ply: Option<u16>,
    /// Positions and moves with fewer games than this are not exported; the games of a move are added up over
    /// all groups.
    pub min_games: u64,
    /// If set, only positions in which this side is to move are exported, and only moves by this side.
    pub color: Option<Color>,
}

/// A position that games reached from the start position.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// The position.
    pub position: Chess,
    /// The moves that lead to the position, in SAN, separated by spaces.
    pub line: String,
    /// The number of moves in `line`.
    pub ply: u16,
}

impl Cut {
    /// The position and ply at which the walk begins, and the ply at which it ends.
    pub(crate) fn route(&self) -> Origin {
        let ply = self.origin.as_ref().map_or(0, |origin| origin.ply);
        let last_ply = self.max_ply.unwrap_or(u16::MAX).max(ply);
        let with_roots = self.origin.is_none();
        Origin { position: self.first_position().0, ply, last_ply, with_roots, ..Origin::default() }
    }

    /// The first position of the walk, and the line that leads to it.
    pub(crate) fn first_position(&self) -> (Chess, String) {
        self.origin.clone().map(|origin| (origin.position, origin.line)).unwrap_or_default()
    }

    /// Whether a position is exported.
    pub(crate) fn keeps_position(&self, reached: Option<&Walked>, turn: Color, games: u64) -> bool {
        let reached = reached.is_some() || (self.origin.is_none() && self.max_ply.is_none());
        reached && games >= self.min_games && self.color.is_none_or(|color| color == turn)
    }

    /// Whether the moves of a position are exported.
    pub(crate) fn keeps_moves_at(&self, reached: Option<&Walked>, turn: Color) -> bool {
        let before_last = |walked: &Walked| self.max_ply.is_none_or(|last| walked.ply < u32::from(last));
        self.keeps_position(reached, turn, u64::MAX) && reached.is_none_or(before_last)
    }
}
