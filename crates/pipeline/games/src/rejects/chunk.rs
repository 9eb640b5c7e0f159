//! Records the statuses of the games in a chunk.

use pgn::{annotated::AnnotatedGame, input::Place, verdict::Verdict};
use run::{InputStatus, Status};

use super::{named_rejects::NAMED_MAX, reject_entry::PendingEntry};
use crate::encoding::encode;

/// The statuses of the games in one chunk: how many games have each status, and the lines for the games that
/// are listed.
pub struct ChunkStatus {
    /// The place of the chunk in the inputs.
    pub place: Place,
    /// How many of the chunk's games have each status.
    pub counts: InputStatus,
    /// The encoded lines, see `PendingEntry`.
    pub listed: Vec<u8>,
    /// Whether filtered games and copies are listed, too; `None` if there is no list.
    lists: Option<bool>,
    /// The number of lines so far.
    kept: usize,
}

impl ChunkStatus {
    /// Creates an empty status for the chunk at `place`. `lists` says whether filtered games and copies are
    /// listed, too; it is `None` if there is no list.
    #[must_use]
    pub fn new(place: Place, lists: Option<bool>) -> Self {
        Self { place, counts: InputStatus::default(), listed: Vec::new(), lists, kept: 0 }
    }

    /// Adds the next game of the chunk to the statistics, and lists it if it does not count. The game begins
    /// at `offset` in the chunk.
    #[inline]
    pub fn note(&mut self, offset: usize, status: Status<'_>) {
        if let Status::Rejected { .. } | Status::Filtered(_) | Status::Copy(_) = status {
            self.list(offset, status);
        }
        self.counts.count(status);
    }

    /// Like [`ChunkStatus::note`], but gets the game's verdict instead of its status, and also counts the
    /// deviations that were tolerated in the game.
    #[inline]
    pub fn note_verdict(&mut self, offset: usize, verdict: &Verdict) {
        self.counts.count_misspellings(verdict);
        self.note(offset, Status::of(verdict));
    }

    /// Lists the next game in the chunk under `status`, without counting it.
    pub fn list(&mut self, offset: usize, status: Status<'_>) {
        let wanted = match status {
            Status::Filtered(_) | Status::Copy(_) => self.lists == Some(true),
            // Even without a list, lines are kept for the few games that the summary names.
            _ => self.lists.is_some() || self.kept < NAMED_MAX,
        };
        if wanted {
            self.kept += 1;
            let games_before = self.counts.games;
            encode(&PendingEntry { offset: offset as u64, games_before, status }, &mut self.listed);
        }
    }

    /// Like [`ChunkStatus::note`], but for an annotated game. Also counts the deviations that were tolerated
    /// in the game.
    pub fn note_game(&mut self, game: &AnnotatedGame<'_>, status: Status<'_>) {
        self.counts.count_misspellings(game.verdict);
        self.note(self.offset(game), status);
    }

    /// Like [`ChunkStatus::list`], for an annotated game.
    pub fn list_game(&mut self, game: &AnnotatedGame<'_>, status: Status<'_>) {
        self.list(self.offset(game), status);
    }

    fn offset(&self, game: &AnnotatedGame<'_>) -> usize {
        (game.place.offset - self.place.offset) as usize
    }
}
