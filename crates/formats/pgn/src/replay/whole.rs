//! An accepted game with all its moves, for readers that show games.

use position::{Group, Key, Outcome, PackedMove, Step};

use super::{AcceptedGame, play::Play};

/// An accepted game with its moves up to the first one that cannot be played, including those after the ply
/// limit.
///
/// # Memory
///
/// Uses four bytes for each move of the longest game read so far.
#[derive(Clone, Debug)]
pub struct WholeGame {
    /// The key of the game's first position.
    pub start: Key,
    /// The game's moves within the ply limit, each with its step.
    pub counted: Vec<(PackedMove, Step)>,
    /// The index in `counted` of the first move that counts.
    pub from: usize,
    /// The game's moves after the ply limit.
    pub rest: Vec<PackedMove>,
    /// The group in which the game is counted.
    pub group: Group,
    /// The game's result.
    pub outcome: Outcome,
}

impl Default for WholeGame {
    fn default() -> Self {
        let (counted, rest) = (Vec::new(), Vec::new());
        Self { start: Key(0), counted, from: 0, rest, group: Group::NONE, outcome: Outcome::Draw }
    }
}

impl WholeGame {
    /// Replaces the contents with `game`, whose moves are in `play`.
    pub(super) fn take(&mut self, play: &Play, game: &AcceptedGame) {
        let Some((_, played)) = play.visits.split_last() else {
            unreachable!("an accepted game has a visit")
        };
        self.start = play.visits[0].key;
        self.counted.clear();
        self.counted.extend(played.iter().map(|visit| (visit.mv, visit.step)));
        self.rest.clear();
        let (rest, _) = play.rest.as_deref().unwrap_or_default().as_chunks();
        self.rest.extend(rest.iter().take(play.rest_plies).map(|mv| PackedMove(u16::from_le_bytes(*mv))));
        (self.from, self.group, self.outcome) = (game.from, game.group, game.outcome);
    }
}
