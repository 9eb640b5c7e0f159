//! The moves of positions with their games, of a book or a table.
//!
//! # Memory
//!
//! Of a table, 40 bytes a move that was played often enough; a book is read in place.

use book::Book;
use position::{Key, PackedMove, Tally};
use query::Artefact;
use table::{SortedRows as _, Table};

use crate::{Error, Result, RunOptions, counts::Counts};

/// Where moves are looked up.
pub(super) enum Moves {
    Book(Book),
    Table(Often),
}

/// The moves of a table that were played often enough.
#[derive(Default)]
pub(super) struct Often {
    /// Ascending by key.
    moves: Vec<(Key, PackedMove, Tally)>,
    /// How many others there are.
    few_games: u64,
}

impl Moves {
    /// Those of an artefact with counts.
    ///
    /// # Errors
    ///
    /// [`Error::NoCounts`], [`Error::WrongArtefact`]; those of reading a table.
    pub(super) fn of(artefact: Artefact, min_games: u64, run: &RunOptions) -> Result<Self> {
        match artefact {
            Artefact::Book(book) => Ok(Self::Book(book)),
            Artefact::Table(table) => Ok(Self::Table(read(table, min_games, run)?)),
            Artefact::Polyglot(book) => Err(Error::NoCounts { path: book.path().into() }),
            other => Err(Error::WrongArtefact { expected: "a book or a table", got: other.kind() }),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Book(book) => book.stats().edges,
            Self::Table(often) => often.moves.len() as u64,
        }
    }

    /// How many were left out already because too few games played them.
    pub(super) fn few_games(&self) -> u64 {
        match self {
            Self::Book(_) => 0,
            Self::Table(often) => often.few_games,
        }
    }

    /// The moves of a position; of a table, those that were played often enough.
    pub(super) fn at(&self, key: Key) -> Result<Vec<(PackedMove, Tally)>> {
        Ok(match self {
            Self::Book(book) => {
                let edges = book.probe(key)?.map(|entry| entry.edges).unwrap_or_default();
                edges.into_iter().map(|edge| (edge.mv, edge.tally)).collect()
            }
            Self::Table(Often { moves, .. }) => {
                let rest = &moves[moves.partition_point(|(at, ..)| *at < key)..];
                let here = rest.iter().take_while(|(at, ..)| *at == key);
                here.map(|&(_, mv, tally)| (mv, tally)).collect()
            }
        })
    }
}

/// Reads a table, its groups summed.
fn read(table: Table, min_games: u64, run: &RunOptions) -> Result<Often> {
    let (counts, mut found) = (Counts::Table(table), Often::default());
    let mut position = table::PositionCounts::default();
    for shard in 0..counts.shards() {
        let mut rows = table::PositionRows::new(counts.shard(shard)?);
        while rows.next_into(&mut position)? {
            let often = position.edges.iter().filter(|edge| edge.tally.games() >= min_games);
            let before = found.moves.len();
            found.moves.extend(often.map(|edge| (position.key, edge.mv, edge.tally)));
            found.few_games += (position.edges.len() - (found.moves.len() - before)) as u64;
        }
        if run.flow().is_break() {
            return Err(Error::Interrupted);
        }
    }
    Ok(found)
}
