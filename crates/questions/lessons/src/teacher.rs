//! Learns from games one at a time, as they are played.

use std::collections::BTreeMap;

use experience::{Change, LoadedRows};
use learn::crafty::LearningBook;
use position::{Key, PackedMove};

use crate::{GameLessons, GameRules, NoLesson, PlayedGame, bans::Bans};

/// Learns from one game after another, each time building on what has been learned so far.
///
/// What is learned is the same as with [`GameLessons`] if the games are in the same order.
#[derive(Clone, Debug)]
pub struct Teacher {
    pub(crate) rules: GameRules,
    rows: LoadedRows,
    bans: Bans,
}

/// The result of learning from a game: a lesson, or the reason why nothing was learned.
pub type TeachResult = Result<GameLesson, NoLesson>;

/// What was learned from one game.
#[derive(Clone, Debug, Default)]
pub struct GameLesson {
    /// The changes, ascending by row.
    pub changes: Vec<Change>,
    /// FENs, by key, of the positions in changes of kind `position`; see [`GameLessons::positions`].
    pub positions: BTreeMap<String, String>,
}

impl Teacher {
    /// Creates a teacher. `rows` contains what has been learned so far.
    #[must_use]
    pub fn new(rules: GameRules, rows: LoadedRows) -> Self {
        Self { rules, rows, bans: Bans::default() }
    }

    /// Lets learned values ban a move only after at least `writers_min` writers have ruled it out. Until
    /// then, the move's value is kept just high enough for it to be playable.
    #[must_use]
    pub fn with_ban_writers(self, writers_min: usize) -> Self {
        Self { bans: Bans::by(writers_min), ..self }
    }

    /// What has been learned so far.
    #[must_use]
    pub fn rows(&self) -> &LoadedRows {
        &self.rows
    }

    /// Learns from one game recorded by `writer`, once for each side that the player played. `book_moves`
    /// looks up the book's moves in a position.
    ///
    /// # Errors
    ///
    /// Fails if `book_moves` fails, or if a stored value is not a number.
    pub fn teach<E: From<learn::Error>>(
        &mut self,
        sides: &[PlayedGame],
        writer: &str,
        book_moves: impl FnMut(Key) -> Result<Vec<PackedMove>, E>,
    ) -> Result<TeachResult, E> {
        let Some(game) = sides.first() else { return Ok(Ok(GameLesson::default())) };
        let keys = game.moves().map(|(key, _)| key);
        let mut lessons = GameLessons::new(self.book_of(keys, book_moves)?, self.rules.clone());
        let identities = sides.iter().flat_map(PlayedGame::identities);
        lessons.already_seen(identities.filter(|&identity| self.rows.has_seen(identity)));
        if let Err(idle) = lessons.teach_sides(sides) {
            return Ok(Err(idle));
        }
        let positions = lessons.positions().clone();
        let mut changes: Vec<_> = lessons.into_changes().collect();
        self.apply(&mut changes, writer);
        Ok(Ok(GameLesson { changes, positions }))
    }

    /// Applies the changes learned from a writer's record. Moves that too few writers have ruled out stay
    /// playable.
    pub(crate) fn apply(&mut self, changes: &mut [Change], writer: &str) {
        for change in &mut *changes {
            self.bans.limit(&self.rows, change, writer);
        }
        changes.iter().cloned().for_each(|change| self.rows.apply(change));
    }

    /// Collects the book moves in the given positions, with the values learned for them so far.
    pub(crate) fn book_of<E: From<learn::Error>>(
        &self,
        keys: impl Iterator<Item = Key>,
        mut book_moves: impl FnMut(Key) -> Result<Vec<PackedMove>, E>,
    ) -> Result<LearningBook, E> {
        let mut keys: Vec<_> = keys.collect();
        keys.sort_unstable();
        keys.dedup();
        let mut book = LearningBook::builder();
        for key in keys {
            let moves = book_moves(key)?;
            let learned = |mv| {
                let known = self.rows.book_move(key, mv).map(|row| row.experience).unwrap_or_default();
                (mv, known.learn, known.learn_count)
            };
            book.push(key, moves.into_iter().map(learned))?;
        }
        Ok(book.finish())
    }
}
