//! Many walks through a book, and what came of them.

use std::{collections::BTreeMap, ops::Range, thread};

use policy::Rng;
use serde::{Serialize, Serializer};
use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::{
    Chooser, End, Line, OtherLines,
    lines::{lines, share},
    tree::Tree,
    walk::{Walk, Walker},
};
use crate::{Error, Result, RunOptions, inspect::Artefact};

/// Walks that wait to be added to the tree.
const ROUND_WALKS: u64 = 1024;
/// The longest walk that can be asked for: a round of them takes 25 MB.
const MAX_PLY_MOST: u32 = 1000;

/// How to walk.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WalkOptions {
    /// How many walks, at least 1.
    pub games: u64,
    /// The seed; walk `i` draws from its stream `i`.
    pub seed: u64,
    /// Plies after which a walk ends, repetitions or not; 1 to 1000.
    pub max_ply: u32,
    /// Lines to list at most.
    pub lines: usize,
    /// Worker threads; they change nothing but the time it takes.
    pub threads: usize,
}

impl WalkOptions {
    /// Refuses what makes no sense.
    pub(crate) fn check(&self) -> Result<()> {
        if self.games == 0 {
            return Err(Error::Recipe("games = 0: walk at least once".into()));
        }
        if !(1..=MAX_PLY_MOST).contains(&self.max_ply) {
            let got = self.max_ply;
            return Err(Error::Recipe(format!("a ply limit of {got}: give 1 to {MAX_PLY_MOST}")));
        }
        Ok(())
    }
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { games: 1000, seed: 0, max_ply: 80, lines: 20, threads: 1 }
    }
}

/// Who chooses for the two sides.
#[derive(Clone, Copy, Debug)]
pub struct Players<'a> {
    /// The side to move at the start.
    pub first: &'a Chooser,
    /// The other side; `None`: the same.
    pub against: Option<&'a Chooser>,
}

impl<'a> Players<'a> {
    pub(super) fn of(self, first: bool) -> &'a Chooser {
        if first { self.first } else { self.against.unwrap_or(self.first) }
    }
}

/// What came of many walks.
#[derive(Debug, Serialize)]
pub struct Simulation {
    /// Who chose: the policy and its settings.
    pub policy: String,
    /// Who chose for the side that did not begin, if somebody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Where the walks began.
    #[serde(serialize_with = "as_fen")]
    pub start: Chess,
    /// How many there were.
    pub games: u64,
    /// Their seed.
    pub seed: u64,
    /// Plies after which a walk ended.
    pub max_ply: u32,
    /// Plies a walk had, on average.
    pub mean_plies: f64,
    /// Walks by plies, ascending; only plies that some walk had.
    pub plies: Vec<PliesShare>,
    /// White's mean score over walks, by the counts of the last position that has any, 0 to 1; none where none has.
    pub score: Option<f64>,
    /// Walks that have such a score.
    pub scored: u64,
    /// Why walks ended; every reason once.
    pub ends: Vec<EndShare>,
    /// Different lines that walks ended with.
    pub different: u64,
    /// The commonest lines, the commonest first. Every walk is in one of them or in `others`.
    pub lines: Vec<Line>,
    /// The other walks.
    pub others: OtherLines,
    /// Walks whose later moves are in no line because the tree of all lines was full.
    pub cut: u64,
    #[serde(skip)]
    pub(super) tree: Tree,
}

/// Walks of one length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PliesShare {
    /// The length.
    pub plies: u32,
    /// How many walks.
    pub walks: u64,
    /// Their share of all walks.
    pub share: f64,
}

/// Walks that ended for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EndShare {
    /// The reason.
    pub end: End,
    /// How many walks.
    pub walks: u64,
    /// Their share of all walks.
    pub share: f64,
}

/// Sums over walks.
#[derive(Default)]
struct Sums {
    plies: BTreeMap<u32, u64>,
    ends: BTreeMap<End, u64>,
    score: f64,
    scored: u64,
}

/// Walks through `artefact` from `start`, each side by its player. The result depends on nothing but the artefact, the players and the
/// options; not on threads. `run` counts the walks, and may stop them.
///
/// # Errors
///
/// [`Error::Recipe`] for no walks at all, or a ply limit outside 1 to 1000; as [`candidates`](super::candidates); [`Error::Interrupted`] if
/// that was asked for.
pub fn simulate(
    artefact: &Artefact,
    start: &Chess,
    players: Players<'_>,
    options: &WalkOptions,
    run: &RunOptions,
) -> Result<Simulation> {
    options.check()?;
    let new = || Walker::new(artefact, players, start, options.max_ply);
    let mut walkers: Vec<Walker<'_>> = (0..options.threads.max(1)).map(|_| new()).collect();
    let root = walkers[0].offer(start)?.score;
    let (mut tree, mut sums) = (Tree::new(root), Sums::default());
    run.progress.enter_steps("walking the book", options.games, "walks");
    let mut next = 0;
    while next < options.games {
        let end = options.games.min(next + ROUND_WALKS);
        // In order of walk: sums of fractions depend on it.
        for walk in round(&mut walkers, options.seed, next..end, run)? {
            sums.add(&walk, root);
            tree.add(&walk);
        }
        next = end;
    }
    Ok(sums.into_simulation(start, players, options, tree))
}

/// The walks of one range, in order, spread over the walkers.
fn round(walkers: &mut [Walker<'_>], seed: u64, range: Range<u64>, run: &RunOptions) -> Result<Vec<Walk>> {
    let each = (range.end - range.start).div_ceil(walkers.len() as u64);
    let results: Vec<Result<Vec<Walk>>> = thread::scope(|scope| {
        let begin = |(walker, worker): (_, u64)| {
            let start = (range.start + worker * each).min(range.end);
            let numbers = start..(start + each).min(range.end);
            scope.spawn(move || walk_all(walker, seed, numbers, run))
        };
        let workers: Vec<_> = walkers.iter_mut().zip(0..).map(begin).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut walks = Vec::new();
    for result in results {
        walks.extend(result?);
    }
    Ok(walks)
}

fn walk_all(walker: &mut Walker<'_>, seed: u64, numbers: Range<u64>, run: &RunOptions) -> Result<Vec<Walk>> {
    let walk = |number| {
        run.check_cancelled()?;
        let walk = walker.walk(&mut Rng::stream(seed, number))?;
        run.progress.steps_done(1);
        Ok(walk)
    };
    numbers.map(walk).collect()
}

impl Sums {
    fn add(&mut self, walk: &Walk, root: Option<f64>) {
        *self.plies.entry(walk.steps.len() as u32).or_default() += 1;
        *self.ends.entry(walk.end).or_default() += 1;
        let last = walk.steps.iter().rev().find_map(|step| step.score).or(root);
        self.score += last.unwrap_or(0.0);
        self.scored += u64::from(last.is_some());
    }

    #[expect(clippy::cast_precision_loss, reason = "means for people; walks stay far below 2^53")]
    fn into_simulation(
        self,
        start: &Chess,
        players: Players<'_>,
        options: &WalkOptions,
        tree: Tree,
    ) -> Simulation {
        let games = options.games;
        let plies = self.plies.iter().map(|(&plies, &walks)| u64::from(plies) * walks).sum::<u64>();
        let (lines, others) = lines(&tree, start, options.lines);
        let of_plies = |(&plies, &walks)| PliesShare { plies, walks, share: share(walks, games) };
        let of_end = |end| {
            let walks = self.ends.get(&end).copied().unwrap_or(0);
            EndShare { end, walks, share: share(walks, games) }
        };
        Simulation {
            policy: players.first.describe(),
            against: players.against.map(Chooser::describe),
            start: start.clone(),
            games,
            seed: options.seed,
            max_ply: options.max_ply,
            mean_plies: plies as f64 / games as f64,
            plies: self.plies.iter().map(of_plies).collect(),
            score: (self.scored > 0).then(|| self.score / self.scored as f64),
            scored: self.scored,
            ends: End::ALL.map(of_end).to_vec(),
            different: tree.ends(),
            lines,
            others,
            cut: tree.cut,
            tree,
        }
    }
}

fn as_fen<S: Serializer>(position: &Chess, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(&Fen::from_position(position, EnPassantMode::Legal))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use position::{Key, PackedMove};
    use shakmaty::Square;

    use super::*;

    /// A Polyglot book of one move, 1. e4.
    fn book(folder: &std::path::Path) -> Artefact {
        let path = folder.join("book.bin");
        let mv = PackedMove::new(Square::E2, Square::E4, None);
        let mut entry = Key::START.0.to_be_bytes().to_vec();
        entry.extend(mv.0.to_be_bytes());
        entry.extend([0, 1, 0, 0, 0, 0]);
        std::fs::write(&path, entry).unwrap();
        Artefact::open(&path).unwrap()
    }

    fn walk(games: u64, run: &RunOptions) -> Result<Simulation> {
        let folder = tempfile::tempdir().unwrap();
        let chooser = Chooser::new("polyglot", &[]).unwrap();
        let players = Players { first: &chooser, against: None };
        let options = WalkOptions { games, threads: 2, ..WalkOptions::default() };
        simulate(&book(folder.path()), &Chess::default(), players, &options, run)
    }

    #[test]
    fn every_walk_is_progress() {
        let games = ROUND_WALKS + 500;
        let run = RunOptions::default();
        assert_eq!(walk(games, &run).unwrap().plies, [PliesShare { plies: 1, walks: games, share: 1.0 }]);
        let progress = &run.progress;
        assert_eq!((progress.phase(), progress.unit()), ("walking the book", "walks"));
        assert_eq!((progress.steps_done.load(Relaxed), progress.steps_total.load(Relaxed)), (games, games));
    }

    #[test]
    fn walking_stops_when_asked_to() {
        let run = RunOptions::default();
        run.cancel.store(true, Relaxed);
        assert!(walk(1, &run).is_err_and(|error| error.is_interrupt()));
        assert_eq!(run.progress.steps_done.load(Relaxed), 0);
    }
}
