//! Finds what is played in a position, given its key.

use std::collections::HashMap;

use position::{Edge, Key, Tally};
use table::{BoxedRows, PositionCounts, PositionRows, Row, SortedRows, Table, for_each_shard};

use super::{Subject, Work};
use fault::Result;

/// A position is kept if at least one in this number of games reaches it.
const GAMES_A_POSITION: u64 = 20_000;

/// The games of a position, and of each of its moves.
#[derive(Clone)]
pub(super) struct Played {
    /// All visits, including those of games that ended in the position.
    pub(super) tally: Tally,
    /// The moves, ascending.
    pub(super) moves: Vec<Edge>,
}

/// The positions, to be looked up by key.
///
/// # Memory
///
/// The positions of a table are looked up in the table and take no memory. Sorted runs can only be read in
/// order, and every pass merges them again. So their most frequent positions are kept in memory, at about a
/// hundred bytes each. If no game repeats a position, these are at most 20,000 for each ply.
pub(super) enum Positions<'s> {
    Table(&'s Table),
    Collected(HashMap<Key, Played>),
}

impl<'s> Positions<'s> {
    /// Finds the positions of `subject`; `games` is the number of games of the page's first position.
    pub(super) fn find(subject: &Subject<'s>, games: u64, work: &Work<'_>) -> Result<Self> {
        if let Some(table) = subject.table {
            return Ok(Self::Table(table));
        }
        let least = games.max(subject.games) / GAMES_A_POSITION;
        let collect = |shard| {
            let found = commoner(subject.rows.shard(shard)?, least)?;
            (work.on_shard)();
            Ok(found)
        };
        let shards =
            for_each_shard(work.threads, subject.rows.shards(), || work.check(), |_| false, collect)?;
        Ok(Self::Collected(shards.into_iter().flatten().collect()))
    }

    /// The games of a position and of its moves; `None` if the position has no games, or too few to be kept.
    pub(super) fn played(&self, key: Key) -> table::Result<Option<Played>> {
        Ok(match self {
            Positions::Table(table) => PositionCounts::of(&table.rows_of(key)?).as_ref().map(Played::of),
            Positions::Collected(positions) => positions.get(&key).cloned(),
        })
    }
}

impl Played {
    fn of(position: &PositionCounts) -> Self {
        Self { tally: position.tally, moves: position.edges.clone() }
    }
}

/// The positions of a shard that have at least `least` games.
fn commoner(shard: BoxedRows<'_>, least: u64) -> Result<Vec<(Key, Played)>> {
    let mut positions = PositionRows::new(shard);
    let (mut found, mut position) = (Vec::new(), PositionCounts::default());
    while positions.next_into(&mut position)? {
        if position.tally.games() >= least {
            found.push((position.key, Played::of(&position)));
        }
    }
    Ok(found)
}

/// All rows of one position, by group.
pub(super) fn rows_of(subject: &Subject<'_>, key: Key) -> Result<Vec<Row>> {
    match subject.table {
        Some(table) => Ok(table.rows_of(key)?),
        None => search(subject.rows, key),
    }
}

/// Reads the shard of `key` until its rows have been found.
fn search(rows: &dyn SortedRows, key: Key) -> Result<Vec<Row>> {
    // The leading bits of a key are the number of its shard. If there is only one shard, the shift would be
    // by all 64 bits.
    let shard = key.0.checked_shr(64 - rows.shards().trailing_zeros()).unwrap_or(0);
    let mut shard = rows.shard(shard as u32)?;
    let mut batch = Vec::new();
    let mut found = Vec::new();
    while shard.next_batch(&mut batch)? {
        found.extend(batch.iter().filter(|row| row.key == key));
        if batch.last().is_some_and(|row| row.key > key) {
            break;
        }
    }
    Ok(found)
}
