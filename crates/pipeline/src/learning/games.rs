//! An engine's own games: results of the book moves it chose, its first moves after the book, and what its searches say.
//!
//! Which games count is Lokasoft's rule (seed Lokasoft, A4) or Terra's, every game (seed Terra, C2). Whether a game was timed and
//! serious is told by its tags, as far as they tell it: a `TimeControl` of `-` is no time control (PGN standard, 9.6.1), and a
//! `Termination` of abandoned, unterminated, emergency or rules infraction is no serious game (9.8.1).

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use book::BookFilter;
use learn::{
    crafty::{Family, LearnedEdge, LearningBook, Origin},
    games::{self, OwnGame},
    search::LiveGame,
};
use pgn::{
    annotated::{AnnotatedGame, AnnotatedOptions, AnnotatedReader},
    filter::{day_of, elos_of},
    input::Sources,
    verdict::Verdict,
};
use position::{Experience, Key, Kind, Lesson, PackedMove, Taught};
use table::ExperienceFile;

use super::{
    crafty::{Seen, learned, seen_before},
    fetch::{TouchedKeys, book_moves},
    lay::{Ground, lay},
    lessons::{Change, What, merged},
    own_game::{Searched, SpooledGame},
    reading::{Teaching, chunk_options, show_progress},
    tallies::Tallies,
};
use crate::{
    Context, Counts, Error, Result, rejects::WaitingRejects, spool::Spool, stages::ObservationStream,
};

/// Which games count.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum GameRule {
    /// Those that meet Lokasoft's conditions.
    Lokasoft,
    /// All, as Terra has it.
    Terra,
}

/// Whose games, and how they teach.
pub(crate) struct GamesLearning {
    /// The games; its player filter names the engine.
    pub(crate) stream: Arc<ObservationStream>,
    /// The book the learning happens in.
    pub(crate) filter: BookFilter,
    /// Which games count.
    pub(crate) rule: GameRule,
    /// Whether searches teach too, and by which Crafty's rules.
    pub(crate) search: Option<Family>,
    /// Experience to go on from.
    pub(crate) old: Option<PathBuf>,
}

/// Lets the games of one player teach, and writes what they taught to `output`.
pub(crate) fn learn_games(
    context: &Context,
    counts: &Counts,
    learning: &GamesLearning,
    output: &Path,
) -> Result<()> {
    let old = learning.old.as_deref().map(ExperienceFile::open).transpose()?;
    let mut met = Met::read(context, learning)?;
    let keys = std::mem::take(&mut met.keys).finish();
    let book = book_moves(context, counts, &learning.filter, &keys, old.as_ref())?;
    let taught = teach(context, met, book, learning, old.as_ref())?;
    let ground = Ground {
        old: old.as_ref(),
        table: counts.digest().map(ToOwned::to_owned),
        book: Some(learning.filter.describe()),
        sources: taught.sources,
    };
    let edges = taught.book.edges().filter(LearnedEdge::is_taught).map(|edge| learned(&edge));
    let results = taught.gathered.into_iter().map(|(id, gathered)| gathered.change(id));
    let seen = taught.seen.into_iter().map(Seen::change);
    let stats = lay(context, &ground, merged(merged(edges, results), seen), output)?;
    context.report().experience_rows = stats.rows;
    Ok(())
}

/// Everything read, waiting for the book.
struct Met {
    spool: Spool,
    rejects: WaitingRejects,
    keys: TouchedKeys,
    tallies: Tallies,
    sources: Sources,
}

impl Met {
    fn read(context: &Context, learning: &GamesLearning) -> Result<Self> {
        let (settings, replay) = (&learning.stream.games.settings, &learning.stream.options);
        if replay.filters.players.is_none() {
            return Err(Error::Recipe("learning from games needs `player`: whose games they are".into()));
        }
        let inputs = context.inputs(pgn::input::expand(&settings.paths)?);
        context.progress.enter("reading", 0);
        let limit = settings.limit;
        let options = AnnotatedOptions { replay: replay.clone(), loose: false };
        let mut reader = AnnotatedReader::open(inputs, &chunk_options(context, limit), &options)?;
        let mut met = Self {
            spool: Spool::new(&context.temp_dir),
            rejects: WaitingRejects::new(context, &learning.stream),
            keys: TouchedKeys::default(),
            tallies: Tallies::default(),
            sources: Sources::default(),
        };
        while let Some(batch) = reader.next() {
            let batch = batch?;
            context.check_cancelled()?;
            let games = batch.games().map(|game| met.take(learning, &game)).sum::<Result<u64>>()?;
            show_progress(context, reader.progress(), games);
        }
        met.sources = reader.finish();
        Ok(met)
    }

    /// Lets a game wait, if it is one to learn from; 1, to be counted.
    fn take(&mut self, learning: &GamesLearning, game: &AnnotatedGame<'_>) -> Result<u64> {
        let input = game.place.input;
        self.rejects.note(game)?;
        match game.verdict {
            Verdict::Filtered(filter) => self.tallies.idle(input, filter.name()),
            Verdict::Rejected(rejection) => {
                self.tallies.rejected(input, rejection.reason.name());
            }
            Verdict::Accepted { .. } => match own_game(learning, game) {
                Err(why) => self.tallies.idle(input, why),
                Ok(own) => {
                    self.keys.extend(game.plies.iter().map(|ply| ply.key));
                    self.spool.push(|entry| {
                        SpooledGame::write(game, &own, day_of(&game.tags).unwrap_or(0), entry);
                    })?;
                }
            },
        }
        Ok(1)
    }
}

/// The game as the rules see it, or why it teaches nothing.
fn own_game(
    learning: &GamesLearning,
    game: &AnnotatedGame<'_>,
) -> std::result::Result<OwnGame, &'static str> {
    let player = learning.stream.options.filters.players.as_ref();
    let own = player.and_then(|player| player.side(&game.tags)).ok_or("player-on-both-sides")?;
    let outcome = game.outcome.ok_or("no-result")?;
    let [white, black] = elos_of(&game.tags);
    let own_game = OwnGame {
        own,
        outcome,
        plies: game.first_ply + game.plies.len() as u32,
        own_elo: own.fold_wb(white, black),
        opponent_elo: own.fold_wb(black, white),
        timed: game.tag("TimeControl").is_none_or(|control| control.trim() != "-"),
        serious: game.tag("Termination").is_none_or(|ending| is_serious(&ending)),
    };
    match learning.rule {
        GameRule::Lokasoft => games::applies(&own_game).map_err(games::Refusal::name)?,
        GameRule::Terra => games::Clause::Lost,
    };
    Ok(own_game)
}

/// Endings that are no ends of serious games, by the PGN standard's names.
const NOT_SERIOUS: [&str; 4] = ["abandoned", "emergency", "rules infraction", "unterminated"];

fn is_serious(termination: &str) -> bool {
    !NOT_SERIOUS.iter().any(|ending| termination.trim().eq_ignore_ascii_case(ending))
}

/// All lessons, before they are written.
struct Lessons {
    book: LearningBook,
    gathered: BTreeMap<(Key, PackedMove, Kind), Gathered>,
    seen: Vec<Seen>,
    sources: Vec<table::ExperienceSource>,
}

/// What games taught about one move.
#[derive(Default)]
struct Gathered {
    known: Experience,
    taught: Vec<Taught>,
}

impl Gathered {
    fn add(&mut self, more: &Experience, taught: &[Taught]) {
        self.known = learn::experience::merge(&self.known, more);
        self.taught = crate::experience::join_taught(&self.taught, taught);
    }

    fn change(self, (key, mv, kind): (Key, PackedMove, Kind)) -> Change {
        let what = if kind == Kind::Book { What::Own(self.known.own) } else { What::Search(self.known) };
        Change { key, mv, kind, what, taught: self.taught }
    }
}

/// Lets the games teach, in their order.
fn teach(
    context: &Context,
    met: Met,
    book: LearningBook,
    learning: &GamesLearning,
    old: Option<&ExperienceFile>,
) -> Result<Lessons> {
    let Met { spool, rejects, mut tallies, sources, .. } = met;
    let mut known: HashSet<u64> = seen_before(old)?.into_iter().collect();
    let mut lessons = Lessons { book, gathered: BTreeMap::new(), seen: Vec::new(), sources: Vec::new() };
    let mut teaching = Teaching::begin(context, spool.entries());
    spool.for_each(|mut entry| {
        teaching.step()?;
        let game = SpooledGame::read(&mut entry);
        if known.contains(&game.identity) {
            tallies.idle(game.place.input, "duplicate");
        } else if lessons.game(&game, learning.search) {
            known.insert(game.identity);
            lessons.seen.push(Seen { identity: game.identity, source: game.place.input, date: game.date });
            tallies.taught(game.place.input);
        } else {
            tallies.idle(game.place.input, "no-book-move");
        }
        Ok(())
    })?;
    rejects.finish(context, &sources)?;
    tallies.report(context, &sources);
    lessons.seen.sort_unstable();
    lessons.sources = tallies.sources(&sources, "games");
    Ok(lessons)
}

impl Lessons {
    /// Lets a game teach; whether it taught anything: it must have begun in the book.
    fn game(&mut self, game: &SpooledGame, search: Option<Family>) -> bool {
        let in_book: Vec<bool> = std::iter::repeat_n(true, game.pad)
            .chain(game.plies.iter().map(|&(key, mv)| self.book.edge(key, mv).is_some()))
            .collect();
        if !in_book[game.pad..].iter().any(|&book| book) {
            return false;
        }
        let mut result = Experience::default();
        games::add_result(&mut result, game.own, game.outcome);
        for ply in games::book_plies(game.own, &in_book) {
            self.gather(game, ply, Kind::Book, result, &[Lesson::Own]);
        }
        for ply in games::post_book_plies(game.own, &in_book) {
            let Searched { pawns, depth } = game.search(ply);
            let found = Experience { eval: pawns, depth, ..result };
            self.gather(game, ply, Kind::Postbook, found, &[Lesson::Own, Lesson::Search]);
        }
        if let Some(family) = search {
            let origin = Origin { source: game.place.input, date: game.date };
            // Fewer than two searches, or no branch: then the searches teach nothing, and the results do all the same.
            let _ = searched(game, &in_book).teach(&mut self.book, family, &game.plies, origin);
        }
        true
    }

    /// A move that a game repeats is one game's all the same: only the first time counts.
    fn gather(&mut self, game: &SpooledGame, ply: usize, kind: Kind, more: Experience, lessons: &[Lesson]) {
        let Some(at) = ply.checked_sub(game.pad) else { return };
        let Some(&(key, mv)) = game.plies.get(at).filter(|played| !game.plies[..at].contains(played)) else {
            return;
        };
        let taught =
            |&lesson: &Lesson| Taught { source: game.place.input, lesson, count: 1, last: game.date };
        let says =
            |lesson: &&Lesson| **lesson != Lesson::Search || more.eval.is_some() || more.depth.is_some();
        let taught: Vec<_> = lessons.iter().filter(says).map(taught).collect();
        self.gathered.entry((key, mv, kind)).or_default().add(&more, &taught);
    }
}

/// The engine's searches of its first moves out of book, as Crafty keeps them: a book move starts them anew.
fn searched(game: &SpooledGame, in_book: &[bool]) -> LiveGame {
    let mut live = LiveGame::new(game.own, game.rating_difference);
    let first = game.own.fold_wb(0, 1);
    for (ply, &book) in in_book.iter().enumerate() {
        if book && ply >= game.pad {
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
