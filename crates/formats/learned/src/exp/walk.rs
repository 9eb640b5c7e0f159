//! Finds the positions of a file.
//!
//! A record has the move that was searched, and a file may have records of one side's positions only. So a
//! position is looked for after every legal move of one that has records, and after every reply to a move
//! that has one.

use shakmaty::{Chess, Move, Position as _};

use super::{
    ExpError, ExpFile, Record,
    key::keys_of,
    units::{Value, packed},
};

/// A search whose position was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Searched {
    /// The move that was searched first.
    pub mv: Move,
    /// What the search found.
    pub value: Value,
    /// Plies.
    pub depth: u16,
}

/// What a walk found.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ExpWalk {
    /// Positions with records.
    pub positions: u64,
    /// Records of moves that are not legal in their position.
    pub illegal: u64,
    /// Records of positions that no walk reaches.
    pub unreached: u64,
}

/// The first record of a position, and how many it has.
type Place = (usize, usize);

struct Walk<'f> {
    file: &'f ExpFile,
    /// By the first record of a position: whether it was met.
    met: Vec<bool>,
    /// Positions that wait, the latest last, with their records.
    waiting: Vec<(Chess, Option<Place>)>,
}

impl ExpFile {
    /// Finds the positions of the records by playing from the start; `each` gets every position once with
    /// the searches of its moves, of which there is at least one.
    ///
    /// # Errors
    ///
    /// Fails with the error of `each`, and if not one record was reached.
    ///
    /// # Memory
    ///
    /// A byte a record, besides a few positions.
    pub fn walk<E: From<ExpError>>(
        &self,
        mut each: impl FnMut(&Chess, &[Searched]) -> Result<(), E>,
    ) -> Result<ExpWalk, E> {
        let (mut found, mut reached) = (ExpWalk::default(), 0);
        let mut walk = Walk { file: self, met: vec![false; self.records.len()], waiting: Vec::new() };
        let start = Chess::default();
        let place = walk.meet(&start);
        walk.waiting.push((start, place));
        while let Some((position, place)) = walk.waiting.pop() {
            let legal = position.legal_moves();
            let records = place.map_or(&[][..], |(first, count)| &self.records[first..first + count]);
            let searched: Vec<Searched> =
                records.iter().filter_map(|record| searched(record, &legal, &position)).collect();
            reached += records.len() as u64;
            found.illegal += (records.len() - searched.len()) as u64;
            for &m in &legal {
                walk.go_on(&position, m, searched.iter().any(|searched| searched.mv == m));
            }
            if !searched.is_empty() {
                found.positions += 1;
                each(&position, &searched)?;
            }
        }
        found.unreached = self.len() - reached;
        if reached == 0 && !self.is_empty() {
            return Err(ExpError::ForeignKeys(self.path.clone()).into());
        }
        Ok(found)
    }
}

impl Walk<'_> {
    /// Lets the position after a move wait if it has records, or if the move has one.
    fn go_on(&mut self, position: &Chess, m: Move, is_searched: bool) {
        let mut after = position.clone();
        after.play_unchecked(m);
        let place = self.meet(&after);
        if place.is_some() || is_searched {
            self.waiting.push((after, place));
        }
    }

    /// The records of a position that has not been met.
    fn meet(&mut self, position: &Chess) -> Option<Place> {
        let records = &self.file.records;
        let (first, key) = keys_of(position).into_iter().find_map(|key| {
            let first = records.partition_point(|record| record.key < key);
            (records.get(first)?.key == key).then_some((first, key))
        })?;
        let is_met = std::mem::replace(&mut self.met[first], true);
        let count = records[first..].partition_point(|record| record.key == key);
        (!is_met).then_some((first, count))
    }
}

/// The search of a record, if its move is legal.
fn searched(record: &Record, legal: &[Move], position: &Chess) -> Option<Searched> {
    let mv = *legal.iter().find(|m| packed(**m) == record.mv)?;
    Some(Searched { mv, value: Value::of_units(record.value, position.board()), depth: record.depth })
}
