//! What is played in a position, by its key.

use std::collections::HashMap;

use book::BookEdge;
use position::{Key, Tally};
use table::{Row, Table};

use crate::{
    Context, Counts, Result,
    counts::{PositionCounts, PositionRows},
    shards::for_each_shard,
};

/// A position that fewer than one in so many games come to is not collected.
const GAMES_A_POSITION: u64 = 20_000;

/// Games of a position, and of each move from it.
#[derive(Clone)]
pub(super) struct Played {
    /// Every visit, those that ended there too.
    pub(super) tally: Tally,
    /// Moves, ascending.
    pub(super) moves: Vec<BookEdge>,
}

/// Where positions are looked up.
///
/// # Memory
///
/// Of a table nothing. Sorted runs give their rows in order and only once a merge, so their commoner positions are collected:
/// at most 20,000 a ply if no game repeats one, and about a hundred bytes each.
pub(super) enum Positions<'c> {
    Table(&'c Table),
    Collected(HashMap<Key, Played>),
}

impl<'c> Positions<'c> {
    /// Positions of `counts`; `games` are those of the position that the report begins with.
    pub(super) fn find(context: &Context, counts: &'c Counts, games: u64) -> Result<Self> {
        if let Counts::Table(table) = counts {
            return Ok(Positions::Table(table));
        }
        let least = games.max(counts.games()) / GAMES_A_POSITION;
        let shards = for_each_shard(context, "collecting positions", counts.shards(), |shard| {
            let mut positions = PositionRows::new(counts.shard(shard)?);
            let (mut found, mut position) = (Vec::new(), PositionCounts::default());
            while positions.next_into(&mut position)? {
                if position.tally.games() >= least {
                    found.push((position.key, Played::of(&position)));
                }
            }
            Ok(found)
        })?;
        Ok(Positions::Collected(shards.into_iter().flatten().collect()))
    }

    /// What was played in a position; `None` if nothing was, or too little.
    pub(super) fn played(&self, key: Key) -> Result<Option<Played>> {
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

/// All rows of one position, by group.
pub(super) fn rows_of(counts: &Counts, key: Key) -> Result<Vec<Row>> {
    if let Counts::Table(table) = counts {
        return Ok(table.rows_of(key)?);
    }
    // Shards are cut by the top bits of the key; a shift by all 64 would be that of the only shard.
    let shard = key.0.checked_shr(64 - counts.shards().trailing_zeros()).unwrap_or(0);
    let (mut rows, mut batch, mut found) = (counts.shard(shard as u32)?, Vec::new(), Vec::new());
    while rows.next_batch(&mut batch)? {
        found.extend(batch.iter().filter(|row| row.key == key));
        if batch.last().is_some_and(|row| row.key > key) {
            break;
        }
    }
    Ok(found)
}
