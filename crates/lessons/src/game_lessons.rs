//! What own games teach, one game after another.

use std::collections::{BTreeMap, HashSet};

use experience::{Change, Lessons, join_taught, merged};
use learn::{
    crafty::{LearnedEdge, LearningBook, Origin},
    games::{self, Refusal},
    search::LiveGame,
};
use position::{Experience, ExperienceKind, Key, Lesson, PackedMove, Taught};

use crate::{GameRules, PlayedGame, Searched};

/// Lessons of games, before they are written anywhere.
///
/// # Memory
///
/// The book, a row for each move that results or searches taught, and an identity for each game.
#[derive(Clone, Debug)]
pub struct GameLessons {
    book: LearningBook,
    rules: GameRules,
    gathered: BTreeMap<(Key, PackedMove, ExperienceKind), Gathered>,
    /// Identities of games that taught, here or before.
    known: HashSet<u64>,
    /// What is to be remembered of the games that taught here.
    seen: Vec<Change>,
}

/// What games taught about one move.
#[derive(Clone, Debug, Default)]
struct Gathered {
    known: Experience,
    taught: Vec<Taught>,
}

/// Why a game taught nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Idle {
    /// It taught before.
    Duplicate,
    /// Its result is not known.
    NoResult,
    /// It does not meet Lokasoft's conditions.
    Refused(Refusal),
    /// None of its moves is a book move.
    NoBookMove,
}

impl Idle {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::NoResult => "no-result",
            Self::Refused(refusal) => refusal.name(),
            Self::NoBookMove => "no-book-move",
        }
    }
}

impl GameLessons {
    /// No lessons yet. `book` has the book moves of all positions that the games met, with what they learned
    /// before.
    #[must_use]
    pub fn new(book: LearningBook, rules: GameRules) -> Self {
        Self { book, rules, gathered: BTreeMap::new(), known: HashSet::new(), seen: Vec::new() }
    }

    /// Adds identities of games that taught before: copies of them teach nothing.
    pub fn already_seen(&mut self, identities: impl IntoIterator<Item = u64>) {
        self.known.extend(identities);
    }

    /// The book, with what its moves have learned so far.
    #[must_use]
    pub fn book(&self) -> &LearningBook {
        &self.book
    }

    /// Lets a game teach.
    ///
    /// # Errors
    ///
    /// Why it taught nothing; nothing is changed then.
    pub fn teach(&mut self, game: &PlayedGame) -> Result<(), Idle> {
        self.rules.admit(game)?;
        if self.known.contains(&game.identity) {
            return Err(Idle::Duplicate);
        }
        let in_book = self.in_book(game).ok_or(Idle::NoBookMove)?;
        self.teach_results(game, &in_book);
        self.teach_searches(game, &in_book);
        self.known.insert(game.identity);
        self.seen.push(Change::seen(game.identity, game.source, game.date));
        Ok(())
    }

    /// What the games taught, ascending.
    pub fn into_changes(self) -> impl Iterator<Item = Change> {
        let Self { book, gathered, mut seen, .. } = self;
        seen.sort_unstable_by_key(Change::id);
        let edges: Vec<_> =
            book.edges().filter(LearnedEdge::is_taught).map(|edge| Change::learned(&edge)).collect();
        let results = gathered.into_iter().map(|(id, gathered)| gathered.change(id));
        merged(merged(edges.into_iter(), results), seen.into_iter())
    }

    /// Whether each ply plays a book move; `None` if none does. The place of a move that White did not make
    /// is in the book, so that the book is not left there.
    fn in_book(&self, game: &PlayedGame) -> Option<Vec<bool>> {
        let is_book = |&(key, mv): &(Key, PackedMove)| self.book.edge(key, mv).is_some();
        let plies = game.plies();
        plies
            .iter()
            .any(is_book)
            .then(|| plies.iter().map(|ply| ply.1.is_terminal() || is_book(ply)).collect())
    }

    /// Results of book moves, and results and searches of the first moves after the book.
    fn teach_results(&mut self, game: &PlayedGame, in_book: &[bool]) {
        let mut result = Experience::default();
        if let Some(outcome) = game.outcome {
            games::add_result(&mut result, game.own, outcome);
        }
        for ply in games::book_plies(game.own, in_book) {
            self.gather(game, ply, ExperienceKind::Book, result, &[Lesson::Own]);
        }
        for ply in games::post_book_plies(game.own, in_book) {
            let Searched { pawns, depth } = game.search(ply);
            let found = Experience { eval: pawns, depth, ..result };
            self.gather(game, ply, ExperienceKind::Postbook, found, &[Lesson::Own, Lesson::Search]);
        }
    }

    fn teach_searches(&mut self, game: &PlayedGame, in_book: &[bool]) {
        let Some(family) = self.rules.search else { return };
        let origin = Origin { source: game.source, date: game.date };
        let mut searches = searches(game, in_book);
        searches.trust = self.rules.trust;
        // Fewer than two searches, or no branch: then the searches teach nothing, and the results do all the
        // same.
        let _ = searches.teach(&mut self.book, family, game.plies(), origin);
    }

    /// A move that a game repeats is one game's all the same: only the first time counts.
    fn gather(
        &mut self,
        game: &PlayedGame,
        ply: usize,
        kind: ExperienceKind,
        more: Experience,
        lessons: &[Lesson],
    ) {
        let plies = game.plies();
        let (key, mv) = plies[ply];
        if mv.is_terminal() || plies[..ply].contains(&(key, mv)) {
            return;
        }
        let taught = |&lesson: &Lesson| Taught { source: game.source, lesson, count: 1, last: game.date };
        let says =
            |lesson: &&Lesson| **lesson != Lesson::Search || more.eval.is_some() || more.depth.is_some();
        let taught: Vec<_> = lessons.iter().filter(says).map(taught).collect();
        self.gathered.entry((key, mv, kind)).or_default().add(&more, &taught);
    }
}

impl Gathered {
    fn add(&mut self, more: &Experience, taught: &[Taught]) {
        self.known = learn::experience::merge(&self.known, more);
        self.taught = join_taught(&self.taught, taught);
    }

    /// What was gathered, as a change of one row.
    fn change(self, (key, mv, kind): (Key, PackedMove, ExperienceKind)) -> Change {
        let lessons = if kind == ExperienceKind::Book {
            Lessons::Own(self.known.own)
        } else {
            Lessons::Search(self.known)
        };
        Change { key, mv, kind, lessons, taught: self.taught }
    }
}

/// The player's searches of its first moves out of book, as Crafty keeps them: a book move starts them anew.
fn searches(game: &PlayedGame, in_book: &[bool]) -> LiveGame {
    let mut live = LiveGame::new(game.own, game.rating_difference());
    let first = game.own.fold_wb(0, 1);
    for (ply, &book) in in_book.iter().enumerate() {
        if book {
            live.searches.restart();
        } else if ply % 2 == first
            && let Searched { pawns: Some(pawns), depth } = game.search(ply)
        {
            live.searches.push((pawns * 100.0).round() as i32, i32::from(depth.unwrap_or(0)));
        }
        if live.searches.is_full() {
            break;
        }
    }
    live
}

#[cfg(test)]
mod tests {
    use learn::crafty::Family;
    use position::Outcome;
    use shakmaty::Color;

    use super::*;

    const MOVE: PackedMove = PackedMove(0x31c);
    const OTHER: PackedMove = PackedMove(0x2db);

    fn lessons(search: Option<Family>) -> GameLessons {
        let mut book = LearningBook::builder();
        book.push(Key(1), [(MOVE, 0.0, 0), (OTHER, 0.0, 0)]).unwrap();
        GameLessons::new(book.finish(), GameRules { search, ..GameRules::default() })
    }

    /// A lost game: a book move, then `searches` of the loser's.
    fn lost(own: Color, searches: &[i32]) -> PlayedGame {
        let mut game = PlayedGame::new(own, Some(own.fold_wb(Outcome::Black, Outcome::White)));
        if own.is_black() {
            game.begin_with_black();
        }
        game.push(Key(1), MOVE, Searched::default());
        for (&value, key) in searches.iter().zip(10..) {
            game.push(Key(key), OTHER, Searched::default());
            game.push(Key(key + 100), OTHER, Searched::of_centipawns(value, Some(10)));
        }
        game.identify("a", "b");
        game
    }

    #[test]
    fn a_value_is_the_movers_whoever_begins() {
        for own in [Color::White, Color::Black] {
            let mut lessons = lessons(Some(Family::A));
            assert_eq!(lessons.teach(&lost(own, &[-50, -60])), Ok(()));
            assert!((lessons.book().edge(Key(1), MOVE).unwrap().learn + 0.6).abs() < 1e-6, "{own:?}");
        }
    }

    #[test]
    fn games_that_teach_nothing_change_nothing() {
        let mut lessons = lessons(None);
        let mut game = lost(Color::White, &[]);
        assert_eq!(lessons.teach(&game), Ok(()));
        assert_eq!(lessons.teach(&game), Err(Idle::Duplicate));
        game.outcome = None;
        assert_eq!(lessons.teach(&game), Err(Idle::NoResult));
        (game.outcome, game.identity) = (Some(Outcome::White), 7);
        assert_eq!(lessons.teach(&game), Err(Idle::Refused(Refusal::NoClause)));
        let mut strange = PlayedGame::new(Color::White, Some(Outcome::Black));
        strange.push(Key(3), MOVE, Searched::default());
        assert_eq!(lessons.teach(&strange), Err(Idle::NoBookMove));
        let changes: Vec<_> = lessons.into_changes().map(|change| change.kind).collect();
        assert_eq!(changes.len(), 2);
    }
}
