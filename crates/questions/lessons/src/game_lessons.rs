//! Learns from a player's own games, one game after another.

use std::collections::{BTreeMap, HashSet};

use experience::{Change, Lessons, join_taught, merged};
use learn::{
    crafty::{Family, LearnedEdge, LearningBook, Nothing, Origin},
    games::{self, Refusal},
    search::{LiveGame, SEARCHES_MAX, SEARCHES_MIN},
};
use position::{Contribution, Experience, ExperienceKind, Key, Lesson, OwnResults, PackedMove};
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};

use crate::{GameRule, GameRules, PlayedGame, SearchResult};

/// Collects the lessons learned from games until they are written to a file.
///
/// # Memory
///
/// Holds the book, one row for each move whose results or searches were collected, and one identity per game.
#[derive(Clone, Debug)]
pub struct GameLessons {
    book: LearningBook,
    rules: GameRules,
    gathered: BTreeMap<(Key, PackedMove, ExperienceKind), MoveLessons>,
    /// The identities of all games that have been learned from, in this run or earlier.
    known: HashSet<u64>,
    /// The changes that mark games as learned from, one for each game that was learned from in this run.
    seen: Vec<Change>,
    /// FENs, by key, of the positions where the evaluation dropped.
    positions: BTreeMap<String, String>,
}

/// The lessons about one move that were learned from the games.
#[derive(Clone, Debug, Default)]
struct MoveLessons {
    known: Experience,
    taught: Vec<Contribution>,
}

/// Why nothing was learned from a game.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum NoLesson {
    /// The game has already been learned from.
    Duplicate,
    /// Nothing is learned from games against this opponent.
    Opponent,
    /// The result of the game is unknown.
    NoResult,
    /// The game does not meet Lokasoft's conditions.
    Refused(Refusal),
    /// None of the game's moves is a book move.
    NoBookMove,
    /// Under Crafty's rules, nothing is learned from a game with this outcome.
    NotLost,
    /// No value could be learned from the game.
    Unlearned(Nothing),
}

impl NoLesson {
    /// The name of this reason in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Opponent => "opponent",
            Self::NoResult => "no-result",
            Self::Refused(refusal) => refusal.into(),
            Self::NoBookMove => "no-book-move",
            Self::NotLost => "not-lost",
            Self::Unlearned(nothing) => nothing.into(),
        }
    }
}

impl GameLessons {
    /// Creates an empty collection of lessons. `book` holds the book moves of every position in the games,
    /// along with the values learned for them so far.
    #[must_use]
    pub fn new(book: LearningBook, rules: GameRules) -> Self {
        let (gathered, positions) = (BTreeMap::new(), BTreeMap::new());
        let book = book.limited(rules.limits);
        Self { book, rules, gathered, known: HashSet::new(), seen: Vec::new(), positions }
    }

    /// Adds the identities of games that were already learned from, so that copies of these games are
    /// ignored.
    pub fn already_seen(&mut self, identities: impl IntoIterator<Item = u64>) {
        self.known.extend(identities);
    }

    /// The book, with the values learned for its moves so far.
    pub fn book(&self) -> &LearningBook {
        &self.book
    }

    /// Learns from a game once for each of `sides`, in order, from that side's point of view.
    ///
    /// # Errors
    ///
    /// If nothing was learned from any of `sides`, fails with the reason that applies to the first of them.
    pub fn teach_sides(&mut self, sides: &[PlayedGame]) -> Result<(), NoLesson> {
        let taught: Vec<_> = sides.iter().map(|side| self.teach(side)).collect();
        if taught.iter().any(Result::is_ok) { Ok(()) } else { taught.first().copied().unwrap_or(Ok(())) }
    }

    /// Learns from one side's view of a game, as many times as the rules specify for the opponent. As in
    /// Crafty, the result is learned after the searches.
    ///
    /// # Errors
    ///
    /// Fails with the reason why nothing was learned from the game. In that case nothing has changed.
    pub fn teach(&mut self, game: &PlayedGame) -> Result<(), NoLesson> {
        self.rules.admit(game)?;
        if game.identities().iter().any(|identity| self.known.contains(identity)) {
            return Err(NoLesson::Duplicate);
        }
        let in_book = self.in_book(game).ok_or(NoLesson::NoBookMove)?;
        let weight = self.rules.weight(game);
        let moves = repeated(weight, || self.teach_moves(game, &in_book));
        let searches = repeated(weight, || self.teach_searches(game, &in_book));
        // In a lost game, a family with result records punishes the last move at which the book had a choice.
        // The result is learned only once, because the punishment leaves the book no choice at this move:
        // learning the result a second time would punish an earlier choice.
        let punishes = self.rules.learned_results.is_some_and(Family::has_result_records);
        let result = repeated(if punishes { 1 } else { weight }, || self.teach_result(game, &in_book));
        if [moves, searches, result].iter().all(Result::is_err) {
            return if self.rules.results == GameRule::Crafty { result } else { moves };
        }
        self.known.insert(game.side_identity());
        self.seen.push(Change::seen(game.side_identity(), game.source, game.date));
        Ok(())
    }

    /// Returns the FENs, by key, of the positions that have a change of kind `position`. FENs come only from
    /// games that begin at the start position. The number of FENs is limited to the number of positions that
    /// Crafty keeps.
    #[must_use]
    pub fn positions(&self) -> &BTreeMap<String, String> {
        &self.positions
    }

    /// The changes learned from the games, sorted by row in ascending order.
    pub fn into_changes(self) -> impl Iterator<Item = Change> {
        let Self { book, gathered, mut seen, .. } = self;
        seen.sort_unstable_by_key(Change::id);
        let edges: Vec<_> =
            book.edges().filter(LearnedEdge::is_taught).map(|edge| Change::learned(&edge)).collect();
        let results = gathered.into_iter().flat_map(|(id, gathered)| gathered.changes(id));
        merged(merged(edges.into_iter(), results), seen.into_iter())
    }

    /// Returns, for each ply, whether its move is a book move. If the game has no book moves, returns `None`.
    /// If Black moved first, the placeholder for White's first move counts as a book move, since the game
    /// would otherwise seem to leave the book at the placeholder.
    fn in_book(&self, game: &PlayedGame) -> Option<Vec<bool>> {
        let is_book = |&(key, mv): &(Key, PackedMove)| self.book.edge(key, mv).is_some();
        let plies = game.plies();
        plies
            .iter()
            .any(is_book)
            .then(|| plies.iter().map(|ply| ply.1.is_terminal() || is_book(ply)).collect())
    }

    /// Adds the player's own results and search values to the book moves and to the first moves after them.
    fn teach_moves(&mut self, game: &PlayedGame, in_book: &[bool]) -> Result<(), NoLesson> {
        let own = self.rules.own_results(game);
        if own.is_err() && self.rules.search.is_none() {
            return own.map(drop);
        }
        let mut found = false;
        let book = games::book_plies(game.own, in_book).map(|ply| (ply, ExperienceKind::Book));
        let after = games::post_book_plies(game.own, in_book).map(|ply| (ply, ExperienceKind::Postbook));
        for (ply, kind) in book.chain(after) {
            found |= self.gather(game, ply, kind, own.ok(), game.search(ply));
        }
        let falls = if self.rules.search.is_some() { falls(game, in_book) } else { Vec::new() };
        for fall in falls {
            self.gather(game, fall, ExperienceKind::Position, None, game.search(fall));
            if let Some(fen) = fen_before(game, fall).filter(|_| self.positions.len() < POSITIONS_MAX) {
                self.positions.insert(game.plies()[fall].0.to_string(), fen);
            }
        }
        if found { Ok(()) } else { own.map(drop) }
    }

    /// Updates learned values with the searches by which the player chose its first moves out of book.
    fn teach_searches(&mut self, game: &PlayedGame, in_book: &[bool]) -> Result<(), NoLesson> {
        let family = self.rules.search.ok_or(NoLesson::Unlearned(Nothing::NoSearch))?;
        let mut searches = searches(game, in_book);
        searches.trust = self.rules.trust;
        let taught = searches.teach(&mut self.book, family, game.plies(), origin(game));
        taught.map(drop).map_err(NoLesson::Unlearned)
    }

    /// Updates learned values from the game's result. Some families spread the value of a result over several
    /// moves. They learn from the result only if the player made at least two moves out of book, because
    /// Crafty needs two searches (Crafty: result learning).
    fn teach_result(&mut self, game: &PlayedGame, in_book: &[bool]) -> Result<(), NoLesson> {
        let (family, value) = self.rules.learned_result(game)?;
        if !family.has_result_records() && out_of_book(game, in_book).count() < SEARCHES_MIN {
            return Err(NoLesson::Unlearned(Nothing::NoSearch));
        }
        let taught = self.book.teach(family, game.plies(), value, origin(game));
        taught.map(drop).map_err(NoLesson::Unlearned)
    }

    /// Records the player's own result and the search for the move at `ply`, as far as they are known.
    /// Returns `false` if nothing was recorded. If a game plays the same move in the same position several
    /// times, only the first time counts.
    fn gather(
        &mut self,
        game: &PlayedGame,
        ply: usize,
        kind: ExperienceKind,
        own: Option<OwnResults>,
        SearchResult { pawns: eval, depth }: SearchResult,
    ) -> bool {
        let plies = game.plies();
        let (key, mv) = plies[ply];
        let has_search = eval.is_some() || depth.is_some();
        if mv.is_terminal() || plies[..ply].contains(&(key, mv)) || (own.is_none() && !has_search) {
            return false;
        }
        let lessons = [own.map(|_| Lesson::Own), has_search.then_some(Lesson::Search)];
        let taught = |lesson| Contribution { source: game.source, lesson, count: 1, last: game.date };
        let taught: Vec<_> = lessons.into_iter().flatten().map(taught).collect();
        let more = Experience { own: own.unwrap_or_default(), eval, depth, ..Experience::default() };
        self.gathered.entry((key, mv, kind)).or_default().add(&more, &taught);
        true
    }
}

impl MoveLessons {
    fn add(&mut self, more: &Experience, taught: &[Contribution]) {
        self.known = learn::experience::merge(&self.known, more);
        self.taught = join_taught(&self.taught, taught);
    }

    /// Converts the lessons about one move into changes. For a book move, the player's own results and the
    /// searches become two separate changes, because a value set by hand blocks changes to results but not
    /// changes to searches.
    fn changes(self, (key, mv, kind): (Key, PackedMove, ExperienceKind)) -> impl Iterator<Item = Change> {
        let change = |lessons, taught| Change { key, mv, kind, lessons, taught };
        let (own, search): (Vec<_>, Vec<_>) =
            self.taught.into_iter().partition(|taught| taught.lesson == Lesson::Own);
        let changes = if kind == ExperienceKind::Book {
            let searched = Experience { own: OwnResults::default(), ..self.known };
            [
                (!own.is_empty()).then(|| change(Lessons::Own(self.known.own), own)),
                (!search.is_empty()).then(|| change(Lessons::Search(searched), search)),
            ]
        } else {
            [Some(change(Lessons::Search(self.known), [own, search].concat())), None]
        };
        changes.into_iter().flatten()
    }
}

/// The maximum number of positions that Crafty keeps (15.17, `LearnPosition`).
const POSITIONS_MAX: usize = 65_536;

/// The FEN before the move at `ply`; `None` unless the game starts from the start position.
fn fen_before(game: &PlayedGame, ply: usize) -> Option<String> {
    let mut position = Chess::default();
    for &(key, mv) in &game.plies()[..ply] {
        if key != Key::of(&position) {
            return None;
        }
        position.play_unchecked(mv.unpack(&position)?);
    }
    let is_same = Key::of(&position) == game.plies()[ply].0;
    is_same.then(|| Fen::from_position(&position, EnPassantMode::Legal).to_string())
}

/// Calls `teach` up to `times` times, and stops as soon as a call fails. Fails only if the first call fails.
fn repeated(times: u8, mut teach: impl FnMut() -> Result<(), NoLesson>) -> Result<(), NoLesson> {
    teach()?;
    (1..times).try_for_each(|_| teach()).or(Ok(()))
}

/// The origin of a game's lessons.
fn origin(game: &PlayedGame) -> Origin {
    Origin { source: game.source, date: game.date }
}

/// The player's own plies after the game's last book move.
fn out_of_book(game: &PlayedGame, in_book: &[bool]) -> impl Iterator<Item = usize> {
    let left = in_book.iter().rposition(|&book| book).map_or(0, |last| last + 1);
    let own_first = left + usize::from(left % 2 != game.own.fold_wb(0, 1));
    (own_first..in_book.len()).step_by(2)
}

/// A position is learned if the value was at least [`BEFORE_MIN`] at the player's previous move and has since
/// dropped by at least this many centipawns (15.17 `LearnPosition`).
const FALL_MIN: i32 = 33;
const BEFORE_MIN: i32 = -200;

/// Looks at the player's first ten moves out of book. Returns the plies of the moves at which the evaluation
/// had clearly dropped since the player's previous move.
fn falls(game: &PlayedGame, in_book: &[bool]) -> Vec<usize> {
    let (mut falls, mut before, mut moves) = (Vec::new(), None, 0);
    for ply in (game.own.fold_wb(0, 1)..in_book.len()).step_by(2) {
        if in_book[ply] || ply > 0 && in_book[ply - 1] {
            (before, moves) = (None, 0);
        }
        if in_book[ply] {
            continue;
        }
        moves += 1;
        let value = game.search(ply).centipawns();
        let fell =
            |(before, value): (i32, i32)| before >= BEFORE_MIN && before >= value.saturating_add(FALL_MIN);
        if moves <= SEARCHES_MAX && before.zip(value).is_some_and(fell) {
            falls.push(ply);
        }
        before = value;
    }
    falls
}

/// Returns the searches by which the player chose its first moves out of book. As in Crafty, a book move
/// empties the list.
fn searches(game: &PlayedGame, in_book: &[bool]) -> LiveGame {
    let mut live = LiveGame::new(game.own, game.rating_difference());
    let first = game.own.fold_wb(0, 1);
    for (ply, &book) in in_book.iter().enumerate() {
        if book {
            live.searches.clear();
        } else if ply % 2 == first
            && let searched = game.search(ply)
            && let Some(value) = searched.centipawns()
        {
            live.searches.push((value, i32::from(searched.depth.unwrap_or(0))));
        }
        if live.searches.len() == SEARCHES_MAX {
            break;
        }
    }
    live
}

#[cfg(test)]
mod tests {
    use learn::search::Trust;
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

    /// Creates a lost game: one book move, followed by moves out of book. `searches` contains the values, in
    /// centipawns, that the loser's searches found for the loser's moves out of book.
    fn lost(own: Color, searches: &[i16]) -> PlayedGame {
        let mut game = PlayedGame::new(own, Some(own.fold_wb(Outcome::Black, Outcome::White)));
        if own.is_black() {
            game.begin_with_black();
        }
        game.push(Key(1), MOVE, SearchResult::default());
        for (&value, key) in searches.iter().zip(10..) {
            game.push(Key(key), OTHER, SearchResult::default());
            let pawns = Some(f32::from(value) / 100.0);
            game.push(Key(key + 100), OTHER, SearchResult { pawns, depth: Some(10) });
        }
        game.identify(["a", "b"], None, None);
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
    fn a_book_move_starts_the_searches_anew() {
        let mut game = PlayedGame::new(Color::White, None);
        for pawns in [-5.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.2] {
            game.push(Key(1), MOVE, SearchResult { pawns: Some(pawns), depth: Some(5) });
        }
        let in_book = [false, false, true, true, false, false, false];
        assert_eq!(searches(&game, &in_book).searches, [(10, 5), (20, 5)]);
    }

    #[test]
    fn a_game_played_again_teaches_again_unless_an_older_file_remembers_it() {
        let again = |round: Option<&str>| {
            let mut game = lost(Color::White, &[]);
            game.identify(["a", "b"], round, None);
            game
        };
        let mut timed = lessons(None);
        for round in ["1", "2", "3"] {
            assert_eq!(timed.teach(&again(Some(round))), Ok(()));
            assert_eq!(timed.teach(&again(Some(round))), Err(NoLesson::Duplicate));
        }
        for side_of in [|game: &PlayedGame| game.identity, PlayedGame::side_identity] {
            let mut older = lessons(None);
            older.already_seen([side_of(&again(None))]);
            assert_eq!(older.teach(&again(None)), Err(NoLesson::Duplicate));
            assert_eq!(
                older.teach(&again(Some("1"))),
                Err(NoLesson::Duplicate),
                "the round may have been there"
            );
        }
    }

    #[test]
    fn a_judged_loss_is_an_own_loss_and_bans_no_move() {
        let mut game = lost(Color::White, &[-50, -60]);
        game.adjudicated = true;
        let rules = GameRules::new(GameRule::Terra, Family::A, true, Trust::Never);
        let mut judged = GameLessons { rules: rules.clone(), ..lessons(None) };
        assert_eq!(judged.teach(&game), Ok(()));
        assert!(judged.book().edge(Key(1), MOVE).unwrap().learn > -0.8);
        let own = judged.gathered[&(Key(1), MOVE, ExperienceKind::Book)].known.own;
        assert_eq!(own.losses, 1);
        game.adjudicated = false;
        let mut reported = GameLessons { rules, ..lessons(None) };
        assert_eq!(reported.teach(&game), Ok(()));
        assert!(reported.book().edge(Key(1), MOVE).unwrap().learn < -99.0);
    }

    #[test]
    fn a_game_teaches_as_many_times_as_its_opponent_weighs() {
        let taught = |weight: &str, rule, family| {
            let mut game = lost(Color::White, &[-50, -60]);
            game.opponent = "Fruit".into();
            let opponents = vec![weight.parse().unwrap()];
            let rules = GameRules { opponents, ..GameRules::new(rule, family, true, Trust::Never) };
            let mut book = LearningBook::builder();
            book.push(Key(1), [(MOVE, 8.0, 1), (OTHER, 0.0, 0)]).unwrap();
            let mut lessons = GameLessons::new(book.finish(), rules);
            let idle = lessons.teach(&game).err();
            let known = lessons.gathered.get(&(Key(1), MOVE, ExperienceKind::Book));
            let losses = known.map(|known| known.known.own.losses);
            (idle, losses, lessons.book().edge(Key(1), MOVE).unwrap().learn)
        };
        let [once, thrice] = ["Other=9", "fruit=3"].map(|weight| taught(weight, GameRule::Terra, Family::C));
        assert_eq!((once.1, thrice.1), (Some(1), Some(3)));
        assert!(thrice.2 < once.2, "{} {}", thrice.2, once.2);
        assert_eq!(taught("/fr/=0", GameRule::Terra, Family::C), (Some(NoLesson::Opponent), None, 8.0));
        let [once, thrice] = ["Other=9", "fruit=3"].map(|weight| taught(weight, GameRule::Crafty, Family::A));
        assert!(thrice.2 < -400.0 && once.2 < -400.0, "{} {}", thrice.2, once.2);
    }

    #[test]
    fn games_that_teach_nothing_change_nothing() {
        let mut lessons = lessons(None);
        let mut game = lost(Color::White, &[]);
        assert_eq!(lessons.teach(&game), Ok(()));
        assert_eq!(lessons.teach(&game), Err(NoLesson::Duplicate));
        game.outcome = None;
        assert_eq!(lessons.teach(&game), Err(NoLesson::NoResult));
        (game.outcome, game.identity) = (Some(Outcome::White), 7);
        assert_eq!(lessons.teach(&game), Err(NoLesson::Refused(Refusal::NoClause)));
        let mut strange = PlayedGame::new(Color::White, Some(Outcome::Black));
        strange.push(Key(3), MOVE, SearchResult::default());
        assert_eq!(lessons.teach(&strange), Err(NoLesson::NoBookMove));
        let changes: Vec<_> = lessons.into_changes().map(|change| change.kind).collect();
        assert_eq!(changes.len(), 2);
    }

    #[test]
    fn the_position_before_a_move_is_known_where_moves_lead_there() {
        let mut game = PlayedGame::new(Color::White, None);
        let mut position = Chess::default();
        for san in ["e4", "e5", "Nf3"] {
            let mv = san.parse::<shakmaty::san::San>().unwrap().to_move(&position).unwrap();
            game.push(Key::of(&position), PackedMove::pack(mv), SearchResult::default());
            position.play_unchecked(mv);
        }
        game.push(Key(1), MOVE, SearchResult::default());
        let before = |ply| fen_before(&game, ply);
        assert_eq!(before(1).unwrap(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!(before(2).unwrap(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        assert_eq!(before(3), None, "another game's position");
    }
}
