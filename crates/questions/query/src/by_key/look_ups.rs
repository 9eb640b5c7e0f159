//! Looks up positions one at a time. After many look-ups in the same table, reads the whole table into
//! memory.

use std::{collections::HashSet, ops::ControlFlow};

use position::Key;
use table::{PositionCounts, PositionRows, SortedRows as _, Table};

use super::{KeyProbe, TableInMemory, probe_key};
use crate::{Artefact, Result};

/// About how many rows can be read into memory in the time that one look-up takes. This is half the figure
/// that [`probe_keys`](crate::probe_keys) uses, because keeping every row takes extra time.
const LOOK_UP_ROWS: u64 = 2500;
/// The most memory that a row can take, in bytes.
const ROW_BYTES: u64 = 66;

/// The positions of an artefact, for callers that look up many of them in any order.
///
/// # Memory
///
/// A table is read into memory once the look-ups have taken longer than reading all of it would. It then
/// takes 50 bytes for each position, plus 16 bytes for each move in positions with several moves.
pub struct LookUps<'a> {
    /// The artefact.
    pub artefact: &'a Artefact,
    threads: usize,
    go_on: &'a (dyn Fn() -> ControlFlow<()> + Sync),
    /// Whether the whole table fits into memory.
    fits: bool,
    /// The number of look-ups left before the table is read into memory.
    left: u64,
    in_memory: Option<TableInMemory>,
    /// The visited positions that could not be marked as visited in `in_memory`: positions that were visited
    /// before the table was read into memory, and positions that the table does not have.
    visited: HashSet<Key>,
}

/// The answer of [`LookUps::visit`].
pub enum VisitAnswer {
    /// The position is visited for the first time. The variant holds the artefact's data for the position, or
    /// `None` if the artefact does not have the position.
    First(Option<KeyProbe>),
    /// The position has been visited before.
    Again,
}

impl<'a> LookUps<'a> {
    /// Prepares look-ups in an artefact. If the artefact is a table that fits into half of the memory, up to
    /// `threads` threads may read it into memory. These threads call `go_on`, and stop if it returns `Break`.
    pub fn of(
        artefact: &'a Artefact,
        (threads, memory_bytes): (usize, u64),
        go_on: &'a (dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Self {
        let bytes = Self::bytes(artefact, memory_bytes);
        let fits = bytes > 0;
        let left = if bytes > 0 { bytes / ROW_BYTES / LOOK_UP_ROWS } else { u64::MAX };
        Self { artefact, threads, fits, go_on, left, in_memory: None, visited: HashSet::new() }
    }

    /// Returns the most memory that look-ups may take, in bytes. For a table that fits into half of the
    /// memory, this is the size of the whole table; otherwise, it is 0.
    #[must_use]
    pub fn bytes(artefact: &Artefact, memory_bytes: u64) -> u64 {
        let Artefact::Table(table) = artefact else { return 0 };
        let bytes = table.manifest().rows.saturating_mul(ROW_BYTES);
        if bytes <= memory_bytes / 2 { bytes } else { 0 }
    }

    /// The number of moves in a book or a table; 0 for other artefacts. Reads a table into memory to count
    /// its moves, if it fits.
    ///
    /// # Errors
    ///
    /// Fails if the table cannot be read, and with [`Error::Stopped`](crate::Error::Stopped) if the caller
    /// asks to stop.
    pub fn moves(&mut self) -> Result<u64> {
        Ok(match self.artefact {
            Artefact::Table(table) if self.fits => self.in_memory(table)?.moves(),
            Artefact::Table(table) => moves_of(table)?,
            Artefact::Book(book) => book.stats().edges,
            Artefact::Polyglot(_) | Artefact::Experience(_) => 0,
        })
    }

    /// Like [`probe_key`], but leaves out the ratings once a table is in memory.
    ///
    /// # Errors
    ///
    /// Fails as [`probe_key`] does, and with [`Error::Stopped`](crate::Error::Stopped) if the caller asks to
    /// stop.
    pub fn at(&mut self, key: Key) -> Result<Option<KeyProbe>> {
        match self.artefact {
            Artefact::Table(table) if self.left == 0 => Ok(self.in_memory(table)?.probe(key)),
            artefact => {
                self.left -= 1;
                probe_key(artefact, key)
            }
        }
    }

    /// Like [`at`](Self::at), but returns the artefact's data for a position only on the first visit. This is
    /// for callers that follow each position only once.
    ///
    /// # Errors
    ///
    /// Fails as [`at`](Self::at) does.
    pub fn visit(&mut self, key: Key) -> Result<VisitAnswer> {
        if let (Artefact::Table(table), 0) = (self.artefact, self.left)
            && let Some((found, is_first)) = self.in_memory(table)?.visit(key)
        {
            let is_first = is_first && !self.visited.contains(&key);
            return Ok(if is_first { VisitAnswer::First(Some(found)) } else { VisitAnswer::Again });
        }
        Ok(if self.visited.insert(key) { VisitAnswer::First(self.at(key)?) } else { VisitAnswer::Again })
    }

    fn in_memory(&mut self, table: &Table) -> Result<&mut TableInMemory> {
        self.left = 0;
        Ok(match &mut self.in_memory {
            Some(read) => read,
            none => none.insert(TableInMemory::read(table, self.threads, self.go_on)?),
        })
    }
}

/// Counts the moves in a table; a move that has several groups counts once.
fn moves_of(table: &Table) -> Result<u64> {
    let (mut moves, mut position) = (0, PositionCounts::default());
    for shard in 0..table.shards().len() as u32 {
        let mut rows = PositionRows::new(table.shard(shard)?);
        while rows.next_into(&mut position)? {
            moves += position.edges.len() as u64;
        }
    }
    Ok(moves)
}
