//! Judging every position of a book that moves lead to from the start position.
//!
//! A book holds keys, and a key cannot be turned back into a position. So the positions are found from the
//! start outwards, breadth first: the children of a position are the legal moves that lead to a position of
//! the book, moves of the book or not. Each is judged once, whatever way leads there first.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread::{self, ScopedJoinHandle},
};

use book::{Book, PositionEntry};
use position::{Key, PackedMove};
use shakmaty::{Chess, Position as _};

use crate::{Error, Result, choose::Chooser};

/// Positions that a thread judges before what it found is handed over.
const ROUND_POSITIONS: usize = 4096;

/// Which positions of a book were reached.
///
/// # Memory
///
/// An eighth of the book's entries: about a byte a position.
#[derive(Debug)]
pub struct Reached {
    /// One bit a place.
    places: Vec<AtomicU64>,
}

impl Reached {
    fn none(book: &Book) -> Self {
        Self { places: (0..book.places().div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Whether the position at this place was reached; see [`Book::probe_place`].
    #[must_use]
    pub fn contains(&self, place: usize) -> bool {
        self.places[place / 64].load(Relaxed) >> (place % 64) & 1 == 1
    }

    /// Adds a position; `false` if it is there already. Of several threads one adds it.
    fn add(&self, place: usize) -> bool {
        let bit = 1 << (place % 64);
        self.places[place / 64].fetch_or(bit, Relaxed) & bit == 0
    }
}

/// Moves with their chances, those of chance 0 left out.
type Chances = Vec<(PackedMove, f64)>;

/// What one thread found in a round.
#[derive(Default)]
struct Found {
    judged: Vec<(PositionEntry, Chances)>,
    children: Vec<Chess>,
}

/// Judges the start position and every position that is reached from it, and gives `take` each with the
/// chances of its moves. Which positions, and what of each, does not depend on the number of threads; their
/// order does. The start position comes also if the book does not have it, without counts and moves.
///
/// # Memory
///
/// [`Reached`], and a hundred bytes for each position of the widest two plies.
///
/// # Errors
///
/// If the book is damaged or the system gives no thread, and those of `take`.
pub fn judge_reachable<E: From<Error>>(
    book: &Book,
    chooser: &Chooser,
    threads: usize,
    mut take: impl FnMut(&PositionEntry, &[(PackedMove, f64)]) -> Result<(), E>,
) -> Result<Reached, E> {
    let (reached, threads) = (Reached::none(book), threads.max(1));
    let walk = Walk { book, chooser, reached: &reached };
    if let Some(place) = book.probe_place(Key::START, &mut PositionEntry::default()).map_err(Error::from)? {
        reached.add(place);
    }
    let mut ply = vec![Chess::default()];
    while !ply.is_empty() {
        let mut next = Vec::new();
        for round in ply.chunks(ROUND_POSITIONS * threads) {
            for found in walk.round(round, threads)? {
                let found = found?;
                found.judged.iter().try_for_each(|(entry, chances)| take(entry, chances))?;
                next.extend(found.children);
            }
        }
        ply = next;
    }
    Ok(reached)
}

struct Walk<'w> {
    book: &'w Book,
    chooser: &'w Chooser,
    reached: &'w Reached,
}

impl Walk<'_> {
    /// Judges positions with all threads.
    fn round(&self, positions: &[Chess], threads: usize) -> Result<Vec<Result<Found>>> {
        thread::scope(|scope| {
            let begin = |positions| thread::Builder::new().spawn_scoped(scope, move || self.judge(positions));
            let workers: Vec<_> = positions.chunks(positions.len().div_ceil(threads)).map(begin).collect();
            let found = |worker: io::Result<ScopedJoinHandle<'_, _>>| match worker {
                Ok(worker) => Ok(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
                Err(source) => Err(Error::Threads { source }),
            };
            workers.into_iter().map(found).collect()
        })
    }

    fn judge(&self, positions: &[Chess]) -> Result<Found> {
        let mut found = Found::default();
        for position in positions {
            let key = Key::of(position);
            let entry = self.book.probe(key)?;
            let children = self.book.children(position)?;
            let judgement =
                self.chooser.judge_with_children(self.book, position, entry.as_ref(), &children)?;
            let chances = judgement.chances().collect();
            let outside = || PositionEntry { key, turn: position.turn(), ..PositionEntry::default() };
            found.judged.push((entry.unwrap_or_else(outside), chances));
            for child in children.iter().filter(|child| self.reached.add(child.place)) {
                let mut after = position.clone();
                after.play_unchecked(child.mv);
                found.children.push(after);
            }
        }
        Ok(found)
    }
}
