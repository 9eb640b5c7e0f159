//! Counts simulated games. In each position, the games are divided among the moves of a Polyglot book in
//! proportion to their weights, or equally among all legal moves.
//!
//! A Polyglot book does not record how often a position was reached. Instead, the simulation finds how often
//! a position would be reached if both sides chose the book's moves in proportion to their weights. A fixed
//! number of games starts at the first position. A game ends when it comes to a position that has already
//! been reached in fewer plies. The count of a position therefore includes only games that took the smallest
//! possible number of plies to reach it. Integer division splits the games among the moves, so the counts are
//! the same on every machine.

use std::collections::{BTreeMap, HashSet};

use book::{BookStats, Ratio, polyglot::Reader};
use position::{Key, NamedLine, PackedMove, Step, Tally};
use run::{Context, Result};
use shakmaty::{Chess, Position as _};
use table::Counting;

use super::{
    Counts, SortedCounts,
    finished_book::{KeptWriter, sorted},
};

/// How many games start at the first position.
pub const PLAYED: u64 = 1 << 40;

/// The number of positions between two checks for an interrupt.
const POSITIONS_A_LOOK: usize = 1 << 12;

/// Which moves to play, from which position, and up to which ply.
pub struct Play<'p> {
    /// How moves are chosen.
    pub by: PlayBy<'p>,
    /// The line that leads to the position where play begins.
    pub start: &'p NamedLine,
    /// The last ply. Positions at this ply are reached, but no moves are played from them.
    pub last_ply: u16,
}

/// How moves are chosen.
pub enum PlayBy<'p> {
    /// The moves of a book are played in proportion to their weights.
    Weights {
        /// The book.
        book: &'p Reader,
        /// A move is played only if it has at least this share of the weights in its position.
        min_share: Ratio,
    },
    /// Every legal move is played equally often.
    EveryMove,
}

/// The result of play.
pub struct PlayCounts {
    /// The counts.
    pub counts: Counts,
    /// How many moves of the book are illegal in their position.
    pub illegal: u64,
}

/// The positions of one ply, and how many games reached each of them.
type Ply = BTreeMap<Key, (Chess, u64)>;

/// Plays the games and returns their counts.
///
/// # Memory
///
/// In addition to the sorter's memory, uses sixteen bytes for each position before the last ply. Two
/// successive plies are in memory at a time, which takes about 200 bytes for each of their positions.
pub fn of_play(context: &Context, play: &Play<'_>) -> Result<PlayCounts> {
    let size = match play.by {
        PlayBy::Weights { book, .. } => {
            BookStats { positions: book.verify()?, edges: book.entries(), ..BookStats::default() }
        }
        PlayBy::EveryMove => BookStats { edges: 1 << 40, ..BookStats::default() },
    };
    let mut illegal = 0;
    let runs = sorted(context, size, |writer| {
        let (first, start) = (play.start.moves.len() as u16, &play.start.position);
        let mut reached = Ply::from([(Key::of(start), (start.clone(), PLAYED))]);
        let mut met: HashSet<Key> = reached.keys().copied().collect();
        for number in first..play.last_ply {
            let mut next = (number + 1 < play.last_ply).then(Ply::new);
            for (place, (key, (board, games))) in std::mem::take(&mut reached).into_iter().enumerate() {
                if place.is_multiple_of(POSITIONS_A_LOOK) {
                    context.check_interrupt()?;
                }
                let moves = play.moves(&board, key)?;
                illegal += moves.illegal;
                let is_new = |child| !met.contains(&child);
                hand_on(writer, (key, &board, games), &moves, is_new, next.as_mut())?;
            }
            reached = next.unwrap_or_default();
            met.extend(reached.keys());
        }
        reached.into_iter().try_for_each(|(key, (_, games))| end(writer, key, games))
    })?;
    let (counting, sources) = (Counting::default(), Vec::new());
    let counts = SortedCounts { runs, counting, sources, replies_of: None, roots: None };
    Ok(PlayCounts { counts: Counts::Sorted(counts), illegal })
}

/// The moves played in a position, and their weights.
#[derive(Default)]
struct Moves {
    weights: BTreeMap<PackedMove, u64>,
    illegal: u64,
}

impl Play<'_> {
    fn moves(&self, board: &Chess, key: Key) -> Result<Moves> {
        let mut moves = Moves::default();
        let PlayBy::Weights { book, min_share } = self.by else {
            moves.weights.extend(board.legal_moves().into_iter().map(|m| (PackedMove::pack(m), 1)));
            return Ok(moves);
        };
        for entry in book.probe(key)? {
            let mv = entry.mv.normalized(board);
            if mv.unpack(board).is_none() {
                moves.illegal += 1;
            } else if entry.weight > 0 {
                *moves.weights.entry(mv).or_default() += u64::from(entry.weight);
            }
        }
        let total = moves.total();
        moves.weights.retain(|_, weight| min_share.reached_by((*weight).into(), total));
        Ok(moves)
    }
}

impl Moves {
    fn total(&self) -> u128 {
        self.weights.values().map(|weight| u128::from(*weight)).sum()
    }
}

/// Divides the games of a position among its moves. If a move leads to a new position, its games are added to
/// that position in `next`. If `next` is `None`, these games end at the new position.
fn hand_on(
    writer: &mut KeptWriter<'_>,
    (key, board, games): (Key, &Chess, u64),
    moves: &Moves,
    is_new: impl Fn(Key) -> bool,
    mut next: Option<&mut Ply>,
) -> Result<()> {
    let total = moves.total();
    let mut rest = games;
    for (&mv, &weight) in &moves.weights {
        let Some(m) = mv.unpack(board) else { continue };
        // Every move gets at least one game, even if its share rounds down to zero.
        let games = ((u128::from(games) * u128::from(weight) / total) as u64).max(1);
        push(writer, key, mv, games)?;
        rest = rest.saturating_sub(games);
        let mut after = board.clone();
        after.play_unchecked(m);
        let child = Key::of(&after);
        match &mut next {
            Some(next) if is_new(child) => next.entry(child).or_insert((after, 0)).1 += games,
            None if is_new(child) => end(writer, child, games)?,
            _ => {}
        }
    }
    end(writer, key, rest)
}

/// Writes games that end at a position as terminal visits.
fn end(writer: &mut KeptWriter<'_>, key: Key, games: u64) -> Result<()> {
    push(writer, key, PackedMove::TERMINAL, games)
}

fn push(writer: &mut KeptWriter<'_>, key: Key, mv: PackedMove, games: u64) -> Result<()> {
    writer.push(key, mv, Step::default(), Tally { draws: games, ..Tally::default() })
}
