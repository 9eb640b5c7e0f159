//! All positions of a table in memory: for those who look most of them up, each once and in any order.

use std::{collections::HashMap, ops::ControlFlow};

use position::{Key, PackedMove, Step, Tally};
use table::{PositionCounts, PositionRows, SortedRows as _, Table, for_each_shard};

use super::{KeyMove, KeyProbe, by_games};
use crate::{Error, Result};

/// The positions of a table, its groups summed, without ratings.
///
/// # Memory
///
/// About 35 bytes a position, and 16 bytes a move where there are several.
pub(super) struct TableInMemory {
    /// One of each shard that has positions, ascending by key.
    parts: Vec<Part>,
}

/// The positions of a shard.
#[derive(Default)]
struct Part {
    /// Ascending by key.
    positions: Vec<Position>,
    moves: Vec<(PackedMove, Step, Counts)>,
    /// How far keys are shifted to be a place in `begins`: about two keys have the same one.
    shift: u32,
    /// The first position of each place.
    begins: Vec<u32>,
    /// Counts past 32 bits, of a move, or with [`PackedMove::TERMINAL`] of all visits.
    large: HashMap<(Key, PackedMove), Tally>,
}

/// A position: whose move it is, by the step of any row, its visits, and where its moves end.
struct Position {
    key: Key,
    visits: Counts,
    end: u32,
    step: Step,
    /// Its only move, if all visits played it, so that `step` is the move's. Most positions of a table are so,
    /// and looking for their moves elsewhere would take as long as looking for them.
    only: PackedMove,
}

/// Games by result: White won, drawn, Black won.
type Counts = [u32; 3];

/// In place of counts that are among the large ones.
const LARGE: Counts = [u32::MAX; 3];

impl TableInMemory {
    /// Reads a table on up to `threads` threads. `go_on` is asked before each shard.
    ///
    /// # Errors
    ///
    /// If the table cannot be read; [`Error::Stopped`].
    pub(super) fn read(
        table: &Table,
        threads: usize,
        go_on: &(dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Result<Self> {
        let check_stop = || if go_on().is_break() { Err(Error::Stopped) } else { Ok(()) };
        let shards = table.shards().len() as u32;
        let mut parts =
            for_each_shard(threads, shards, check_stop, |_| false, |shard| Part::read(table, shard))?;
        parts.retain(|part| !part.positions.is_empty());
        Ok(Self { parts })
    }

    /// How many moves there are.
    pub(super) fn moves(&self) -> u64 {
        let of_part = |part: &Part| {
            let only = part.positions.iter().filter(|position| !position.only.is_terminal()).count();
            (part.moves.len() + only) as u64
        };
        self.parts.iter().map(of_part).sum()
    }

    /// As [`probe_key`](crate::probe_key), without ratings.
    pub(super) fn probe(&self, key: Key) -> Option<KeyProbe> {
        let part = self.parts.partition_point(|part| part.first() <= key).checked_sub(1)?;
        self.parts[part].probe(key)
    }
}

impl Part {
    fn read(table: &Table, shard: u32) -> Result<Self> {
        let mut part = Self::default();
        let (mut rows, mut position) = (PositionRows::new(table.shard(shard)?), PositionCounts::default());
        while rows.next_into(&mut position)? {
            part.push(&position);
        }
        part.index();
        Ok(part)
    }

    fn push(&mut self, position: &PositionCounts) {
        let PositionCounts { key, step, tally, edges, steps } = position;
        let only = match edges.as_slice() {
            [edge] if (edge.tally, steps[0]) == (*tally, *step) => edge.mv,
            _ => PackedMove::TERMINAL,
        };
        if only.is_terminal() {
            for (edge, step) in edges.iter().zip(steps) {
                let counts = self.narrow(*key, edge.mv, edge.tally);
                self.moves.push((edge.mv, *step, counts));
            }
        }
        let visits = self.narrow(*key, PackedMove::TERMINAL, *tally);
        let end = self.moves.len() as u32;
        self.positions.push(Position { key: *key, visits, end, step: *step, only });
    }

    /// The counts of a tally; those past 32 bits are kept besides.
    fn narrow(&mut self, key: Key, mv: PackedMove, tally: Tally) -> Counts {
        let Tally { white, draws, black } = tally;
        let counts = [white, draws, black].map(|games| u32::try_from(games).unwrap_or(u32::MAX));
        if counts.contains(&u32::MAX) {
            self.large.insert((key, mv), tally);
            return LARGE;
        }
        counts
    }

    fn wide(&self, key: Key, mv: PackedMove, counts: Counts) -> Tally {
        if counts == LARGE {
            return self.large.get(&(key, mv)).copied().unwrap_or_default();
        }
        let [white, draws, black] = counts.map(u64::from);
        Tally { white, draws, black }
    }

    fn first(&self) -> Key {
        self.positions.first().map_or_else(Key::default, |position| position.key)
    }

    /// Finds where the keys of each place begin.
    fn index(&mut self) {
        let Some(last) = self.positions.last() else { return };
        let keys_apart = (last.key.0 - self.first().0) / (self.positions.len() as u64).div_ceil(2);
        self.shift = u64::BITS - keys_apart.leading_zeros();
        let places = self.place(last.key) + 1;
        let mut ends = vec![0; places + 1];
        for position in &self.positions {
            ends[self.place(position.key) + 1] += 1;
        }
        ends.iter_mut().fold(0, |before, end| {
            *end += before;
            *end
        });
        self.begins = ends;
    }

    fn place(&self, key: Key) -> usize {
        (key.0 - self.first().0).checked_shr(self.shift).unwrap_or(0) as usize
    }

    /// As [`TableInMemory::probe`], of a key that is not before the first one.
    fn probe(&self, key: Key) -> Option<KeyProbe> {
        let place = self.place(key);
        let (from, to) = (*self.begins.get(place)? as usize, *self.begins.get(place + 1)? as usize);
        let at = from + self.positions[from..to].iter().position(|position| position.key == key)?;
        let Position { visits, end, step, only, .. } = self.positions[at];
        let begin = at.checked_sub(1).map_or(0, |before| self.positions[before].end);
        let tally = Some(self.wide(key, PackedMove::TERMINAL, visits));
        let known = |mv, step, tally| KeyMove { mv, step: Some(step), tally, ..KeyMove::default() };
        if !only.is_terminal() {
            return Some(KeyProbe {
                key,
                turn: Some(step.mover()),
                tally,
                moves: vec![known(only, step, tally)],
            });
        }
        let several = self.moves[begin as usize..end as usize].iter();
        let mut moves: Vec<_> =
            several.map(|&(mv, step, counts)| known(mv, step, Some(self.wide(key, mv, counts)))).collect();
        by_games(&mut moves);
        Some(KeyProbe { key, turn: Some(step.mover()), tally, moves })
    }
}
