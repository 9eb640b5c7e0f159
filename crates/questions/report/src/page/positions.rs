//! Looks up the moves played in a position by the position's key.

use std::collections::HashMap;

use position::{Edge, Key, Tally};
use table::{BoxedRows, PositionCounts, PositionRows, Row, SortedRows, Table, for_each_shard};

use super::{Subject, Work};
use fault::Result;

/// A position is kept only if at least one in this many games reached it.
const GAMES_A_POSITION: u64 = 20_000;

/// The results of the games in a position, in total and for each move.
#[derive(Clone)]
pub(super) struct Played {
    /// All visits, including those by games that ended in the position.
    pub(super) tally: Tally,
    /// The moves, in ascending order.
    pub(super) moves: Vec<Edge>,
}

/// Positions, looked up by key.
///
/// # Memory
///
/// The positions of a table are looked up in place and take no memory. Sorted runs, however, can only be read
/// sequentially, and every pass has to merge them again. That is why their most frequent positions are kept
/// in memory, at about a hundred bytes each. There are fewer than 40,000 of these positions for each ply that
/// was counted.
pub(super) enum Positions<'s> {
    Table(&'s Table),
    Collected(HashMap<Key, Played>),
}

impl<'s> Positions<'s> {
    /// If the rows of `subject` come from a table, uses the table to look up positions. If they come from
    /// elsewhere, collects the most frequent positions in memory. `games` is the number of games that reached
    /// the page's first position.
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

    /// Returns the results of the games in a position, in total and for each move; `None` if no games reached
    /// the position, or too few for the position to be kept.
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

/// The positions of a shard that at least `least` games reached.
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

/// All rows of a position, one for each group and move.
pub(super) fn rows_of(subject: &Subject<'_>, key: Key) -> Result<Vec<Row>> {
    match subject.table {
        Some(table) => Ok(table.rows_of(key)?),
        None => search(subject.rows, key),
    }
}

/// Reads the shard of `key` until it has found the key's rows.
fn search(rows: &dyn SortedRows, key: Key) -> Result<Vec<Row>> {
    // The shard's number is the leading bits of the key. With only one shard, the key is shifted by 64 bits,
    // which `>>` does not allow.
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
