//! Learns from a game while an engine plays it.

use position::{Key, PackedMove};
use shakmaty::Color;

use super::{Trust, key_search, learn_function};
use crate::crafty::{Family, LearningBook, LessonSummary, Nothing, Origin};

/// A game from which an engine learns as Crafty does, in four steps: key search, `LearnFunction`, back-up and
/// update.
///
/// For each move that the engine makes out of book, push its search; clear the searches once the game is back
/// in book (Crafty's `book.c`: `moves_out_of_book = 0`). Call [`teach`](Self::teach) once, when there are
/// [`SEARCHES_MAX`](super::SEARCHES_MAX) searches or when the game ends.
///
/// # Example
///
/// ```
/// use learn::{crafty::{Family, LearningBook, Origin}, search::LiveGame};
/// use position::{Key, PackedMove};
/// use shakmaty::Color;
///
/// let e4 = PackedMove(0x31c);
/// let mut builder = LearningBook::builder();
/// builder.push(Key::START, [(e4, 0.0, 0)])?;
/// let mut book = builder.finish();
///
/// let mut game = LiveGame::new(Color::White, 0);
/// game.searches.extend([(-20, 10), (-100, 10)]);
/// assert_eq!(game.lesson(), Some((-100, 10)));
/// game.teach(&mut book, Family::A, &[(Key::START, e4)], Origin::default()).unwrap();
/// assert_eq!(book.edges().next().unwrap().learn, -1.0);
/// # Ok::<(), learn::Error>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LiveGame {
    /// The engine's side.
    pub own: Color,
    /// The engine's rating minus the opponent's; 0 if unknown.
    pub rating_difference: i32,
    /// The engine's searches out of book so far, each as a value in centipawns from the engine's point of
    /// view and a depth in plies.
    pub searches: Vec<(i32, i32)>,
    /// Which search values are trusted.
    pub trust: Trust,
}

impl LiveGame {
    /// A game without searches. Values that are bad for the engine are trusted.
    #[must_use]
    pub fn new(own: Color, rating_difference: i32) -> Self {
        Self { own, rating_difference, searches: Vec::new(), trust: Trust::default() }
    }

    /// The value to learn from the game, and its depth. The value is in centipawns from White's point of
    /// view, as Crafty exports it from 14.4 on. `None` before the second search.
    #[must_use]
    pub fn lesson(&self) -> Option<(i64, i32)> {
        self.lesson_at(0)
    }

    /// Like [`Self::lesson`], but for a game in which a search of `depth` plies is still running. Crafty then
    /// takes the value from the key search, and the depth from the deeper of the two searches (15.17
    /// `LearnBook`).
    #[must_use]
    pub fn lesson_at(&self, depth: i32) -> Option<(i64, i32)> {
        let (value, reached) = key_search(&self.searches)?;
        let depth = depth.max(reached);
        let trusted = self.trust.is_trusted(value);
        let weighted = i64::from(learn_function(value, depth, self.rating_difference, trusted));
        Some((if self.own.is_white() { weighted } else { -weighted }, depth))
    }

    /// Updates `book` with the lesson of the game, by the rules of `family`. `plies` are the game's moves
    /// from the start position.
    ///
    /// # Errors
    ///
    /// Fails with [`Nothing::NoSearch`] before the second search, or with an error from
    /// [`LearningBook::teach`].
    pub fn teach(
        &self,
        book: &mut LearningBook,
        family: Family,
        plies: &[(Key, PackedMove)],
        origin: Origin,
    ) -> Result<LessonSummary, Nothing> {
        let (centipawns, _) = self.lesson().ok_or(Nothing::NoSearch)?;
        book.teach(family, plies, centipawns * i64::from(family.pawn()) / 100, origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_is_from_whites_view_and_of_the_deeper_search() {
        for (own, value) in [(Color::White, -100), (Color::Black, 100)] {
            let mut game = LiveGame::new(own, 0);
            game.searches.push((-20, 10));
            assert_eq!(game.lesson(), None, "one search shows no change");
            game.searches.push((-100, 10));
            assert_eq!(game.lesson(), Some((value, 10)));
            assert_eq!(game.lesson_at(9), Some((value, 10)));
            assert_eq!(game.lesson_at(14).map(|(_, depth)| depth), Some(14));
        }
    }
}
