//! Finds the positions that a file identifies only by their hash, by playing moves from the start position.
//!
//! Each record contains the move that was searched, and a file may have records for only one side to move.
//! The walk therefore tries every legal move in a position of the file, and every reply to a move that was
//! searched.

use position::{Score, position_after};
use shakmaty::{Chess, Move, Position as _};

use super::{
    ExpError, ExpFile, Record,
    key::keys_of,
    units::{packed, score_of},
};

/// The result of a search for one move in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpSearch {
    /// The move that was searched.
    pub mv: Move,
    /// The score that the search found, from the mover's point of view.
    pub score: Score,
    /// The depth in plies.
    pub depth: u16,
}

/// The numbers of positions and records that were counted during a walk through a file.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ExpWalk {
    /// Positions with searches.
    pub positions: u64,
    /// Records whose move is not legal in their position, or that have no value.
    pub illegal: u64,
    /// Records of positions that the walk did not reach.
    pub unreached: u64,
}

/// Calls `each` once for every position that has searches and can be found, and passes it those searches.
/// `known` returns the searches of a position. It returns `None` if the position is unknown, or if `known`
/// has already been called with this position. Returns the number of positions found.
///
/// # Errors
///
/// Fails if `each` fails.
///
/// # Memory
///
/// Holds the searches of a few positions.
pub fn walk<E>(
    mut known: impl FnMut(&Chess) -> Option<Vec<ExpSearch>>,
    mut each: impl FnMut(&Chess, &[ExpSearch]) -> Result<(), E>,
) -> Result<u64, E> {
    // The start position is treated as if a searched move led to it, so the walk follows all moves from
    // there.
    let (mut waiting, mut positions) = (vec![(Chess::default(), true)], 0);
    while let Some((position, is_after_search)) = waiting.pop() {
        let searched = known(&position);
        let moves = searched.as_deref().unwrap_or_default();
        if searched.is_some() || is_after_search {
            let after =
                |m: Move| (position_after(&position, m), moves.iter().any(|searched| searched.mv == m));
            waiting.extend(position.legal_moves().into_iter().map(after));
        }
        if !moves.is_empty() {
            positions += 1;
            each(&position, moves)?;
        }
    }
    Ok(positions)
}

impl ExpFile {
    /// Calls `each` once for every position in the file that can be found, and passes it the searches of its
    /// moves.
    ///
    /// # Errors
    ///
    /// Fails if `each` fails, if there are no records, or if the walk reaches none of them.
    ///
    /// # Memory
    ///
    /// Holds a byte for each record, and a few positions.
    pub fn walk<E: From<ExpError>>(
        &self,
        each: impl FnMut(&Chess, &[ExpSearch]) -> Result<(), E>,
    ) -> Result<ExpWalk, E> {
        let mut met = vec![false; self.records.len()];
        let (mut reached, mut illegal) = (0, 0);
        let known = |position: &Chess| {
            let first = self.first_of(position)?;
            if std::mem::replace(&mut met[first], true) {
                return None;
            }
            let (key, legal) = (self.records[first].key, position.legal_moves());
            let records = self.records[first..].iter().take_while(|record| record.key == key);
            reached += records.clone().count() as u64;
            let searched: Vec<_> =
                records.clone().filter_map(|record| searched(record, &legal, position)).collect();
            illegal += (records.count() - searched.len()) as u64;
            Some(searched)
        };
        let positions = walk(known, each)?;
        if reached == 0 {
            let why = if self.is_empty() { ExpError::Nothing } else { ExpError::ForeignKeys };
            return Err(why(self.path.clone()).into());
        }
        Ok(ExpWalk { positions, illegal, unreached: self.len() - reached })
    }

    /// The index of the position's first record.
    fn first_of(&self, position: &Chess) -> Option<usize> {
        keys_of(position).find_map(|key| {
            let first = self.records.partition_point(|record| record.key < key);
            (self.records.get(first)?.key == key).then_some(first)
        })
    }
}

/// Converts a record to a search; returns `None` if its move is not legal or it has no value.
fn searched(record: &Record, legal: &[Move], position: &Chess) -> Option<ExpSearch> {
    let mv = *legal.iter().find(|m| packed(**m) == record.mv)?;
    Some(ExpSearch { mv, score: score_of(record.value, position.board())?, depth: record.depth })
}
