//! Performs many walks, spread over threads.

use std::{
    ops::{ControlFlow, Range},
    sync::{Mutex, PoisonError},
};

use policy::Rng;
use shakmaty::{Chess, Color};
use table::for_each_shard;

use super::{
    options::WalkOptions,
    simulation::{Simulation, Sums},
    tree::Tree,
    walker::{Choosers, Walk, Walker},
};
use crate::{Artefact, Error, Result, only_side};

/// The number of walks in a round. The walks of a round are added to the tree after all of them have
/// finished.
const ROUND_WALKS: u64 = 1024;

/// A callback that is called after each walk; `Break` stops the simulation.
type OnWalk<'a> = dyn Fn() -> ControlFlow<()> + Sync + 'a;

/// Walks through `artefact` from `start`, with each side's moves chosen by its policy. The result depends on
/// the artefact, the policies and the options, but not on the number of threads.
///
/// `on_walk` is called after each walk, on the thread that made it. If it returns `Break`, that thread starts
/// no further walks.
///
/// # Errors
///
/// Fails in the same cases as [`WalkOptions::check`] and [`candidates`](crate::choose::candidates()), and
/// with [`Error::Stopped`] if `on_walk` returned `Break`.
pub fn simulate(
    artefact: &Artefact,
    start: &Chess,
    players: Choosers<'_>,
    options: &WalkOptions,
    on_walk: &OnWalk<'_>,
) -> Result<Simulation> {
    options.check()?;
    let replies_of = only_side(artefact)?.map(|side| !side);
    let new = || Walker::new(artefact, players, start, options.max_ply, replies_of);
    let walkers: Vec<_> = (0..options.threads.max(1)).map(|_| Mutex::new(new())).collect();
    let root = new().offer(start)?.score;
    let (mut tree, mut sums) = (Tree::new(root), Sums::default());
    let mut next = 0;
    while next < options.games {
        let end = options.games.min(next + ROUND_WALKS);
        // Walks are added in order, because rounding makes sums of fractions depend on their order.
        for walk in round(&walkers, options.seed, next..end, on_walk)? {
            sums.add(&walk, root);
            tree.add(&walk);
        }
        next = end;
    }
    let mut simulation = sums.into_simulation(start, players, options, tree);
    simulation.notes = players.remarks(artefact);
    simulation.notes.extend(replies_of.map(remark));
    Ok(simulation)
}

/// Explains how a side without moves in the book replies.
fn remark(replies_of: Color) -> String {
    let [side, book] = [replies_of, !replies_of].map(|side| side.fold_wb("White", "Black"));
    format!(
        "the book has only moves of {book}: {side} replies with moves that lead to positions of the book, each as often \
         as games reached its position"
    )
}

/// Performs the walks with these numbers, divided among the walkers, and returns them in order.
fn round(
    walkers: &[Mutex<Walker<'_>>],
    seed: u64,
    range: Range<u64>,
    on_walk: &OnWalk<'_>,
) -> Result<Vec<Walk>> {
    let each = (range.end - range.start).div_ceil(walkers.len() as u64);
    let walk_all = |worker: u32| {
        let mut walker = walkers[worker as usize].lock().unwrap_or_else(PoisonError::into_inner);
        let start = (range.start + u64::from(worker) * each).min(range.end);
        let walk = |number| {
            let walk = walker.walk(&mut Rng::stream(seed, number))?;
            if on_walk().is_break() { Err(Error::Stopped) } else { Ok(walk) }
        };
        (start..(start + each).min(range.end)).map(walk).collect::<Result<Vec<_>>>()
    };
    let walks = for_each_shard(walkers.len(), walkers.len() as u32, || Ok(()), |_| false, walk_all)?;
    Ok(walks.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use fault::Failure as _;

    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use position::{Key, PackedMove};
    use shakmaty::Square;

    use super::*;
    use crate::{choose::Chooser, walk::simulation::PliesShare};

    /// Writes a Polyglot book with a single move, 1. e4.
    fn book(folder: &std::path::Path) -> Artefact {
        let path = folder.join("book.bin");
        let mv = PackedMove::new(Square::E2, Square::E4, None);
        let mut entry = Key::START.0.to_be_bytes().to_vec();
        entry.extend(mv.0.to_be_bytes());
        entry.extend([0, 1, 0, 0, 0, 0]);
        std::fs::write(&path, entry).unwrap();
        Artefact::open(&path).unwrap()
    }

    fn walk(games: u64, on_walk: &OnWalk<'_>) -> Result<Simulation> {
        let folder = tempfile::tempdir().unwrap();
        let chooser = Chooser::new("polyglot", &[]).unwrap();
        let players = Choosers { first: &chooser, against: None };
        let options = WalkOptions { games, threads: 2, ..WalkOptions::default() };
        simulate(&book(folder.path()), &Chess::default(), players, &options, on_walk)
    }

    #[test]
    fn every_walk_is_reported() {
        let (games, reported) = (ROUND_WALKS + 500, AtomicU64::new(0));
        let on_walk = || {
            reported.fetch_add(1, Relaxed);
            ControlFlow::Continue(())
        };
        assert_eq!(walk(games, &on_walk).unwrap().plies, [PliesShare { plies: 1, walks: games, share: 1.0 }]);
        assert_eq!(reported.into_inner(), games);
    }

    #[test]
    fn walking_stops_when_asked_to() {
        let reported = AtomicU64::new(0);
        let on_walk = || {
            reported.fetch_add(1, Relaxed);
            ControlFlow::Break(())
        };
        assert!(matches!(walk(1000, &on_walk), Err(Error::Stopped)));
        assert!(reported.into_inner() <= 2, "each of two threads stops after its first walk");
    }

    #[test]
    fn options_that_no_walk_can_follow_are_refused() {
        let go_on = || ControlFlow::Continue(());
        let error = walk(0, &go_on).unwrap_err();
        assert!(
            error.kind().is_usage() && error.to_string() == "games = 0: at least one walk is needed",
            "{error}"
        );
        let error = WalkOptions { max_ply: 1001, ..WalkOptions::default() }.check().unwrap_err();
        assert!(
            error.kind().is_usage() && error.to_string() == "the ply limit must be from 1 to 1000, not 1001",
            "{error}"
        );
    }
}
