//! Counted games that wait until it is known which rows they are examples of.

use std::{
    borrow::Cow,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{self, ScopedJoinHandle},
};

use games::{
    ReplayOperator,
    spool::{Entry, Spool},
};
use pgn::{
    filter::{elos_of, known_day_of},
    replay::{Replay, ReplayOptions, WholeGame},
    tags::{TagValue, Tags, trim},
};
use position::{Group, Key, Observation, Outcome, PackedMove, Repeats, Step};
use run::{Context, Result};
use serde::{Deserialize, Serialize};
use table::{ExampleGame, GameId, HEADERS, RankedGame};
use xxhash_rust::xxh3::xxh3_64;

use super::places::Places;

/// The spools of all threads of a count.
pub struct GameSpools {
    folder: PathBuf,
    repeats: Repeats,
    spools: Mutex<Vec<Spool>>,
}

/// One thread's spool.
pub struct GameSpool<'s> {
    spool: Spool,
    spools: &'s Mutex<Vec<Spool>>,
}

/// A game that waits.
#[derive(Deserialize, Serialize)]
struct SpooledGame {
    rank: RankedGame,
    group: u32,
    start: u64,
    /// The number of moves before the first move that counts.
    from: usize,
    /// What each move within the ply limit changes in the key.
    steps: Vec<u16>,
    example: ExampleGame,
}

impl GameSpools {
    /// Spools, in the folder for temporary files, for games that are replayed with these options.
    #[must_use]
    pub fn new(context: &Context, options: &ReplayOptions) -> Self {
        Self { folder: context.temp_dir.clone(), repeats: options.counting.repeats, spools: Mutex::default() }
    }

    /// The replay for a thread; it keeps whole games if there are `spools`, so that they can be spooled.
    pub fn replay(spools: Option<&Self>, options: &ReplayOptions) -> ReplayOperator {
        match spools {
            Some(_) => ReplayOperator::keeping_games(options),
            None => ReplayOperator::new(options),
        }
    }

    /// The spool of one more thread.
    #[must_use]
    pub fn spool(&self) -> GameSpool<'_> {
        GameSpool { spool: Spool::new(&self.folder), spools: &self.spools }
    }

    /// Offers all games to the places of the rows in which they count.
    pub(super) fn offer_all(&mut self, context: &Context, places: &mut Places) -> Result<()> {
        if places.is_empty() {
            return Ok(());
        }
        places.lay_out();
        let (places, repeats) = (&*places, self.repeats);
        self.each_game(context, |entry| {
            let game: SpooledGame = entry.read();
            let rows = game.rows(repeats);
            rows.filter_map(|row| places.place_of(row)).for_each(|place| places.offer(place, game.rank));
        })
    }

    /// The games with these ids, in any order.
    pub(super) fn games(&mut self, context: &Context, ids: &[GameId]) -> Result<Vec<(GameId, ExampleGame)>> {
        let found = Mutex::default();
        self.each_game(context, |entry| {
            // A game begins with its rank, so that only games that are wanted are read whole.
            let RankedGame { id, .. } = entry.clone().read();
            if ids.binary_search(&id).is_ok() {
                let SpooledGame { example, .. } = entry.read();
                let mut found: MutexGuard<'_, Vec<_>> = lock(&found);
                found.push((id, example));
            }
        })?;
        Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Calls `each` with every game, on as many threads as there are spools.
    fn each_game(&mut self, context: &Context, each: impl Fn(Entry<'_>) + Sync) -> Result<()> {
        let spools = self.spools.get_mut().unwrap_or_else(PoisonError::into_inner);
        let each = &each;
        context.progress().enter("choosing examples", 0);
        thread::scope(|scope| {
            let read = |spool: &mut Spool| {
                spool.for_each(|game| {
                    context.check_interrupt()?;
                    each(game);
                    Ok(())
                })
            };
            let threads: Vec<_> = spools.iter_mut().map(|spool| scope.spawn(move || read(spool))).collect();
            let mut joined = threads.into_iter().map(ScopedJoinHandle::join);
            joined.try_for_each(|read| read.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }
}

impl GameSpool<'_> {
    /// Adds the game of `text`, which was replayed last.
    pub fn push(&mut self, replay: &Replay, text: &[u8]) -> Result<()> {
        let Some(game) = replay.whole_game() else { return Ok(()) };
        self.spool.push(&SpooledGame::of(game, &replay.tags(text), text))
    }

    /// Adds the spool to the other spools of its count.
    pub fn close(self) {
        lock(self.spools).push(self.spool);
    }
}

impl SpooledGame {
    fn of(game: &WholeGame, tags: &Tags<'_>, text: &[u8]) -> Self {
        let value = |name: &str| tags.get(name).map_or(Cow::Borrowed(""), TagValue::text);
        let headers = HEADERS.iter().map(|name| match (*name, value(name)) {
            ("Date", date) if date.is_empty() => value("UTCDate"),
            (_, value) => value,
        });
        let moves: Vec<_> = game.counted.iter().map(|(mv, _)| *mv).chain(game.rest.iter().copied()).collect();
        let elos = match elos_of(tags) {
            [Some(white), Some(black)] => white + black,
            _ => 0,
        };
        Self {
            rank: RankedGame { elos, date: known_day_of(tags), id: GameId::new(&moves, xxh3_64(trim(text))) },
            group: game.group.bits(),
            start: game.start.0,
            from: game.from,
            steps: game.counted.iter().map(|(_, step)| step.0).collect(),
            example: ExampleGame::new(headers, game.outcome, &moves),
        }
    }

    /// The rows in which the game counts.
    fn rows(&self, repeats: Repeats) -> impl Iterator<Item = Observation> + '_ {
        let (mut key, group) = (Key(self.start), Group::from_bits(self.group));
        let visits = self.example.moves().zip(&self.steps).map(move |(mv, &step)| {
            let before = key;
            key = Step(step).child(key, mv);
            (before, mv)
        });
        let mut visits: Vec<(Key, PackedMove)> = visits.skip(self.from).collect();
        if repeats == Repeats::Once {
            // The last visit of a position counts; the sort is stable.
            visits.reverse();
            visits.sort_by_key(|(key, _)| *key);
            visits.dedup_by_key(|(key, _)| *key);
        }
        let row = move |(key, mv)| Observation::new(key, mv, group, Step::default(), Outcome::White);
        visits.into_iter().map(row)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
