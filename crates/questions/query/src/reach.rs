//! Lets a policy judge every position of a book that can be reached from the start position or from a root.
//!
//! A book contains only keys, which cannot be turned back into positions. Positions are therefore found by a
//! breadth-first search from the start position and the roots. The children of a position are all positions
//! of the book that are one legal move away, whether or not the book has that move. Each position is judged
//! once, on the first line that reaches it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use book::{Book, PositionEntry};
use position::{Key, PackedMove, position_after};
use shakmaty::{Chess, Position as _};
use table::for_each_shard;

use crate::{BookRoots, Error, Result, choose::Chooser};

/// The number of positions that a thread judges before it hands over the results.
const ROUND_POSITIONS: usize = 4096;

/// Records which positions of a book were reached.
///
/// # Memory
///
/// The record takes one bit for each byte of the book's entries. That is about one byte for each position.
#[derive(Debug)]
pub struct Reached {
    /// One bit per place.
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

    /// Adds a position. Returns `false` if the position had already been added. If several threads add it at
    /// once, only one of them gets `true`.
    fn add(&self, place: usize) -> bool {
        let bit = 1 << (place % 64);
        self.places[place / 64].fetch_or(bit, Relaxed) & bit == 0
    }
}

/// Moves and their probabilities. Moves whose probability is 0 are left out.
type Chances = Vec<(PackedMove, f64)>;

/// The results of one thread in one round.
#[derive(Default)]
struct Found {
    judged: Vec<(PositionEntry, Chances)>,
    children: Vec<Chess>,
}

/// Lets the policy judge every position that can be reached. Passes each position to `take`, together with
/// the probabilities that the policy gives to the position's moves. The positions and probabilities do not
/// depend on the number of threads, but the order of the calls does. The start position is included, unless
/// all lines of the book begin at roots. If the start position is included but is not in the book, it is
/// passed to `take` without counts or moves.
///
/// # Memory
///
/// In addition to the memory of [`Reached`], this function takes four bytes for each position of the book,
/// and a hundred bytes for each position on the ply being judged and on the next ply.
///
/// # Errors
///
/// Fails if the book is damaged, or if `take` fails.
pub fn judge_reachable<E: From<Error>>(
    book: &Book,
    chooser: &Chooser,
    threads: usize,
    mut take: impl FnMut(&PositionEntry, &[(PackedMove, f64)]) -> Result<(), E>,
) -> Result<Reached, E> {
    let (reached, threads) = (Reached::none(book), threads.max(1));
    let walk = Walk { book, chooser, keys: Keys::of(book)?, reached: &reached };
    let mut ply = BookRoots::of(book)?.positions();
    for start in &ply {
        let place = book.probe_place(Key::of(start), &mut PositionEntry::default());
        place.map_err(Error::from)?.map(|place| reached.add(place));
    }
    while !ply.is_empty() {
        let mut next = Vec::new();
        for round in ply.chunks(ROUND_POSITIONS * threads) {
            for found in walk.round(round, threads)? {
                found.judged.iter().try_for_each(|(entry, chances)| take(entry, chances))?;
                next.extend(found.children);
            }
        }
        ply = next;
    }
    Ok(reached)
}

/// A filter that accepts all keys of the book, and rejects nearly all other keys without reading the book.
/// This matters because a position has about thirty legal moves, most of which lead out of the book.
///
/// # Memory
///
/// The filter takes two to four bytes for each position.
struct Keys {
    bits: Vec<u64>,
    /// How far to shift a key right to get the index of the key's bit in `bits`.
    shift: u32,
}

impl Keys {
    /// At most one bit in sixteen is set, so at most one in sixteen of the keys that are not in the book
    /// passes the filter.
    fn of(book: &Book) -> Result<Self> {
        let index_bits = (16 * book.stats().positions).next_power_of_two().max(64).ilog2();
        let mut keys = Self { bits: vec![0; 1 << (index_bits - 6)], shift: 64 - index_bits };
        let (mut positions, mut entry) = (book.positions(), PositionEntry::default());
        while positions.next_into(&mut entry)? {
            let (word, bit) = keys.place(entry.key);
            keys.bits[word] |= bit;
        }
        Ok(keys)
    }

    fn place(&self, key: Key) -> (usize, u64) {
        let index = key.0 >> self.shift;
        ((index / 64) as usize, 1 << (index % 64))
    }

    fn may_have(&self, key: Key) -> bool {
        let (word, bit) = self.place(key);
        self.bits[word] & bit != 0
    }
}

struct Walk<'w> {
    book: &'w Book,
    chooser: &'w Chooser,
    keys: Keys,
    reached: &'w Reached,
}

impl Walk<'_> {
    /// Divides the positions among the threads, which judge them.
    fn round(&self, positions: &[Chess], threads: usize) -> Result<Vec<Found>> {
        let parts: Vec<_> = positions.chunks(positions.len().div_ceil(threads)).collect();
        let judge = |part| self.judge(parts[part as usize]);
        for_each_shard(threads, parts.len() as u32, || Ok(()), |_| false, judge)
    }

    fn judge(&self, positions: &[Chess]) -> Result<Found> {
        let mut found = Found::default();
        for position in positions {
            let key = Key::of(position);
            let entry = self.book.probe(key)?;
            let children = self.book.children_among(position, |key| self.keys.may_have(key))?;
            let judgement =
                self.chooser.judge_with_children(self.book, position, entry.as_ref(), &children)?;
            let chances = judgement.chances().collect();
            let outside = || PositionEntry { key, turn: position.turn(), ..PositionEntry::default() };
            found.judged.push((entry.unwrap_or_else(outside), chances));
            for child in children.iter().filter(|child| self.reached.add(child.place)) {
                found.children.push(position_after(position, child.mv));
            }
        }
        Ok(found)
    }
}
