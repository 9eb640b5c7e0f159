//! Which rows are exported.

use shakmaty::{Chess, Color};
use walk::{Origin, Walked};

/// What is cut away. By default nothing is.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// The position that everything exported follows, itself included, and its ply; without one, all
    /// positions are exported, those too that no walk reaches.
    pub origin: Option<(Chess, u16)>,
    /// The most plies from the start position: positions of that ply are exported, moves from them are not.
    pub max_ply: Option<u16>,
    /// The fewest games of a move, over all its groups, and of a position.
    pub min_games: u64,
    /// Whose moves are exported, and positions where it is that side's turn.
    pub color: Option<Color>,
}

impl Cut {
    /// Where the walk begins and ends.
    pub(crate) fn route(&self) -> Origin {
        let (position, ply) = self.origin.clone().unwrap_or_default();
        Origin { position, ply, last_ply: self.max_ply.unwrap_or(u16::MAX).max(ply) }
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
