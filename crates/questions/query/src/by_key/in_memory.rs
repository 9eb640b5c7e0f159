//! Holds all positions of a table in memory, for callers that look up most of them once, in any order.

use std::{collections::HashMap, mem, ops::ControlFlow};

use position::{Key, PackedMove, Step, Tally};
use table::{PositionCounts, PositionRows, SortedRows as _, Table, for_each_shard};

use super::{KeyMove, KeyProbe, by_games};
use crate::{Error, Result};

/// The positions of a table, without ratings. The counts of a move are summed over its groups.
///
/// # Memory
///
/// The table takes about 50 bytes for each position, plus 16 bytes for each move of a position that has
/// several moves.
pub(super) struct TableInMemory {
    /// One part for each shard that has positions, in ascending order of keys.
    parts: Vec<Part>,
}

/// The positions of a shard.
///
/// A look-up spends most of its time waiting for memory. The layout is therefore designed so that most
/// look-ups read from only one location. Keys are practically random, so the slot of a key can be estimated
/// by interpolating between the lowest and the highest key. Each position is in its estimated slot or shortly
/// after it. A third of the slots are empty.
#[derive(Default)]
struct Part {
    /// The lowest key of the shard.
    first: Key,
    /// The number of slots per key value, times 2⁶⁴.
    scale: u64,
    /// The positions in ascending order of their keys, with empty slots in between.
    slots: Vec<Option<Position>>,
    /// The moves of the positions whose `only` is [`PackedMove::TERMINAL`].
    moves: Vec<(PackedMove, Step, SmallTally)>,
    /// Counts that do not fit into 32 bits, by key and move. The counts of all visits to a position are under
    /// [`PackedMove::TERMINAL`].
    large: HashMap<(Key, PackedMove), Tally>,
}

/// A position.
struct Position {
    key: Key,
    visits: SmallTally,
    /// The index in `moves` at which the position's moves begin.
    begin: u32,
    count: u16,
    /// The step of the position's first row. It shows which side is to move.
    step: Step,
    /// The position's only move, if this move was played on every visit; otherwise, [`PackedMove::TERMINAL`].
    /// Such a move has the same step and the same counts as the position, so `step` and `visits` apply to
    /// both. Most positions in a table have only one move. The move is stored here because looking it up in
    /// `moves` would take as long as finding the position.
    only: PackedMove,
    is_visited: bool,
}

/// Games by result: White won, drawn, Black won.
type SmallTally = [u32; 3];

/// Marks counts that do not fit into 32 bits and are in `large` instead.
const LARGE: SmallTally = [u32::MAX; 3];

impl TableInMemory {
    /// Reads a table with up to `threads` threads. `go_on` is called before each shard, and can stop the
    /// reading.
    ///
    /// # Errors
    ///
    /// Fails if the table cannot be read, and with [`Error::Stopped`] if `go_on` returns `Break`.
    pub(super) fn read(
        table: &Table,
        threads: usize,
        go_on: &(dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Result<Self> {
        let check_stop = || if go_on().is_break() { Err(Error::Stopped) } else { Ok(()) };
        let shards = table.shards().len() as u32;
        let mut parts =
            for_each_shard(threads, shards, check_stop, |_| false, |shard| Part::read(table, shard))?;
        parts.retain(|part| !part.slots.is_empty());
        Ok(Self { parts })
    }

    /// The number of moves.
    pub(super) fn moves(&self) -> u64 {
        let only = |part: &Part| part.slots.iter().flatten().filter(|at| !at.only.is_terminal()).count();
        self.parts.iter().map(|part| (part.moves.len() + only(part)) as u64).sum()
    }

    /// Like [`probe_key`](crate::probe_key), but without ratings.
    pub(super) fn probe(&self, key: Key) -> Option<KeyProbe> {
        let part = &self.parts[self.part(key)?];
        Some(part.read_at(part.slots[part.find(key)?].as_ref()?))
    }

    /// Like [`probe`](Self::probe), but also returns whether the position is being visited for the first
    /// time.
    pub(super) fn visit(&mut self, key: Key) -> Option<(KeyProbe, bool)> {
        let part = self.part(key)?;
        let part = &mut self.parts[part];
        let at = part.find(key)?;
        let found = part.read_at(part.slots[at].as_ref()?);
        let was_visited =
            part.slots[at].as_mut().map(|position| mem::replace(&mut position.is_visited, true));
        Some((found, was_visited == Some(false)))
    }

    /// The index of the part that would hold a key; `None` if the key comes before all parts.
    fn part(&self, key: Key) -> Option<usize> {
        self.parts.partition_point(|part| part.first <= key).checked_sub(1)
    }
}

impl Part {
    fn read(table: &Table, shard: u32) -> Result<Self> {
        let (mut part, mut positions) = (Self::default(), Vec::new());
        let mut rows = PositionRows::new(table.shard(shard)?);
        let mut position = PositionCounts::default();
        while rows.next_into(&mut position)? {
            positions.push(part.position(&position));
        }
        part.place(positions);
        Ok(part)
    }

    fn position(&mut self, position: &PositionCounts) -> Position {
        let PositionCounts { key, step, tally, edges, steps } = position;
        let begin = self.moves.len() as u32;
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
        let count = (self.moves.len() - begin as usize) as u16;
        Position { key: *key, visits, begin, count, step: *step, only, is_visited: false }
    }

    /// Converts a tally's counts to 32 bits each. If they do not fit, stores the tally separately and returns
    /// [`LARGE`].
    fn narrow(&mut self, key: Key, mv: PackedMove, tally: Tally) -> SmallTally {
        let Tally { white, draws, black } = tally;
        let counts = [white, draws, black].map(|games| u32::try_from(games).unwrap_or(u32::MAX));
        if counts.contains(&u32::MAX) {
            self.large.insert((key, mv), tally);
            return LARGE;
        }
        counts
    }

    fn wide(&self, key: Key, mv: PackedMove, counts: SmallTally) -> Tally {
        if counts == LARGE {
            return self.large.get(&(key, mv)).copied().unwrap_or_default();
        }
        let [white, draws, black] = counts.map(u64::from);
        Tally { white, draws, black }
    }

    /// Distributes the positions over the slots.
    fn place(&mut self, positions: Vec<Position>) {
        let ([first, ..], [.., last]) = (positions.as_slice(), positions.as_slice()) else { return };
        let slots = positions.len() as u128 * 3 / 2;
        let scale = (slots << 64) / (u128::from(last.key.0 - first.key.0) + 1);
        (self.first, self.scale) = (first.key, u64::try_from(scale).unwrap_or(u64::MAX));
        self.slots.reserve(slots as usize + 1);
        for position in positions {
            let free = self.slots.len().max(self.home(position.key));
            self.slots.resize_with(free, || None);
            self.slots.push(Some(position));
        }
    }

    /// The slot where a key should be. If that slot holds another key, the key is in one of the next slots.
    fn home(&self, key: Key) -> usize {
        ((u128::from(key.0 - self.first.0) * u128::from(self.scale)) >> 64) as usize
    }

    /// The slot where a key is; `None` if the key is absent. The key must not be less than the shard's lowest
    /// key.
    fn find(&self, key: Key) -> Option<usize> {
        let home = self.home(key);
        let run = self.slots.get(home..)?.iter().map_while(Option::as_ref);
        let (before, found) = run.enumerate().find(|(_, position)| position.key >= key)?;
        (found.key == key).then_some(home + before)
    }

    fn read_at(&self, position: &Position) -> KeyProbe {
        let Position { key, visits, begin, count, step, only, .. } = *position;
        let turn = Some(step.mover());
        let tally = Some(self.wide(key, PackedMove::TERMINAL, visits));
        let known = |mv, step, tally| KeyMove { mv, step: Some(step), tally, ..KeyMove::default() };
        if !only.is_terminal() {
            return KeyProbe { key, turn, tally, moves: vec![known(only, step, tally)] };
        }
        let several = self.moves[begin as usize..][..usize::from(count)].iter();
        let mut moves: Vec<_> =
            several.map(|&(mv, step, counts)| known(mv, step, Some(self.wide(key, mv, counts)))).collect();
        by_games(&mut moves);
        KeyProbe { key, turn, tally, moves }
    }
}
