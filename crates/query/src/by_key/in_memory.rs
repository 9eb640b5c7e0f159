//! All positions of a table in memory: for those who look most of them up, each once and in any order.

use std::ops::ControlFlow;

use position::{Key, PackedMove, Step, Tally};
use table::{PositionCounts, PositionRows, SortedRows as _, Table};

use super::{KeyMove, KeyProbe, by_games};
use crate::{Error, Result};

/// The positions of a table, its groups summed, without ratings.
///
/// # Memory
///
/// 40 bytes a position and 16 bytes a move.
pub struct TableInMemory {
    /// Ascending.
    keys: Vec<Key>,
    positions: Vec<Position>,
    moves: Vec<(PackedMove, Step, Counts)>,
    /// How many keys are lower than each that begins with other bits than those before it.
    lower: Vec<u32>,
}

/// A position: whose move it is, by the step of any row, its visits, and where its moves end.
struct Position {
    step: Step,
    visits: Counts,
    end: u32,
}

/// Games by result: White won, drawn, Black won.
type Counts = [u32; 3];

/// Bits of a key that `lower` tells apart.
const INDEX_BITS: u32 = 20;

impl TableInMemory {
    /// Reads a table; `None` if its counts are too large to be kept so, which takes four billion visits.
    /// `go_on` is asked after each shard.
    ///
    /// # Errors
    ///
    /// If the table cannot be read; [`Error::Stopped`].
    pub fn read(table: &Table, go_on: &dyn Fn() -> ControlFlow<()>) -> Result<Option<Self>> {
        let edges = table.manifest().rows as usize;
        let mut read = Self {
            keys: Vec::new(),
            positions: Vec::new(),
            moves: Vec::with_capacity(edges),
            lower: Vec::new(),
        };
        let mut position = PositionCounts::default();
        for shard in 0..table.shards().len() as u32 {
            let mut rows = PositionRows::new(table.shard(shard)?);
            while rows.next_into(&mut position)? {
                if read.push(&position).is_none() {
                    return Ok(None);
                }
            }
            if go_on().is_break() {
                return Err(Error::Stopped);
            }
        }
        let first = |bits: u64| read.keys.partition_point(|key| key.0 >> (64 - INDEX_BITS) < bits) as u32;
        read.lower = (0..=1 << INDEX_BITS).map(first).collect();
        Ok(Some(read))
    }

    /// Adds a position; `None` if a count is too large.
    fn push(&mut self, position: &PositionCounts) -> Option<()> {
        for (edge, step) in position.edges.iter().zip(&position.steps) {
            self.moves.push((edge.mv, *step, narrow(edge.tally)?));
        }
        self.keys.push(position.key);
        let (visits, end) = (narrow(position.tally)?, u32::try_from(self.moves.len()).ok()?);
        self.positions.push(Position { step: position.step, visits, end });
        Some(())
    }

    /// As [`probe_key`](crate::probe_key), without ratings.
    #[must_use]
    pub fn probe(&self, key: Key) -> Option<KeyProbe> {
        let bits = (key.0 >> (64 - INDEX_BITS)) as usize;
        let (from, to) = (self.lower[bits] as usize, self.lower[bits + 1] as usize);
        let at = from + self.keys[from..to].binary_search(&key).ok()?;
        let begin = at.checked_sub(1).map_or(0, |before| self.positions[before].end);
        let Position { step, visits, end } = &self.positions[at];
        let known = |&(mv, step, counts): &(PackedMove, Step, Counts)| KeyMove {
            mv,
            step: Some(step),
            tally: Some(wide(counts)),
            ..KeyMove::default()
        };
        let mut moves: Vec<_> = self.moves[begin as usize..*end as usize].iter().map(known).collect();
        by_games(&mut moves);
        Some(KeyProbe { key, turn: Some(step.mover()), tally: Some(wide(*visits)), moves })
    }
}

fn narrow(Tally { white, draws, black }: Tally) -> Option<Counts> {
    Some([white.try_into().ok()?, draws.try_into().ok()?, black.try_into().ok()?])
}

fn wide([white, draws, black]: Counts) -> Tally {
    Tally { white: white.into(), draws: draws.into(), black: black.into() }
}
