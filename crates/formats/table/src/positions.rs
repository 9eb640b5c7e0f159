//! Gathers all rows that have the same key into one position.

use position::{Edge, Key, Step, Tally};

use fault::Result;

use crate::{BoxedRows, Row};

/// The positions of a shard, one after another.
///
/// # Memory
///
/// Holds one batch of rows.
pub struct PositionRows<'r> {
    rows: BoxedRows<'r>,
    batch: Vec<Row>,
    at: usize,
    /// The number of rows in the batches before this one.
    rows_before: u64,
}

/// Receives the rows of a position, one after another.
pub trait Gather {
    /// Discards the previous position, and starts the next one with its first row.
    fn begin(&mut self, first: &Row);

    /// Adds another row with the same key.
    fn add(&mut self, row: &Row);
}

/// The rows of one position, summed over groups; terminal visits count only in the position's tally.
#[derive(Clone, Debug, Default)]
pub struct PositionCounts {
    /// The position.
    pub key: Key,
    /// The step of the first row. This step tells which side is to move.
    pub step: Step,
    /// All visits to the position, by result.
    pub tally: Tally,
    /// The moves, in ascending order.
    pub edges: Vec<Edge>,
    /// The step of each move in `edges`.
    pub steps: Vec<Step>,
}

impl<'r> PositionRows<'r> {
    /// The positions of `rows`.
    #[must_use]
    pub fn new(rows: BoxedRows<'r>) -> Self {
        Self { rows, batch: Vec::new(), at: 0, rows_before: 0 }
    }

    /// Reads the next position into `position`; returns `false` if there are no more positions.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be read.
    pub fn next_into(&mut self, position: &mut impl Gather) -> Result<bool> {
        if self.at == self.batch.len() && !self.refill()? {
            return Ok(false);
        }
        let first = &self.batch[self.at];
        let key = first.key;
        position.begin(first);
        self.at += 1;
        loop {
            while let Some(row) = self.batch.get(self.at).filter(|row| row.key == key) {
                position.add(row);
                self.at += 1;
            }
            if self.at < self.batch.len() || !self.refill()? {
                return Ok(true);
            }
        }
    }

    /// The number of rows read so far.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.rows_before + self.at as u64
    }

    /// Reads the next batch; returns `false` at the end.
    fn refill(&mut self) -> Result<bool> {
        self.rows_before += self.at as u64;
        self.at = 0;
        self.rows.next_batch(&mut self.batch)
    }
}

impl PositionCounts {
    /// Adds up the rows of one key; returns `None` if there are none.
    #[must_use]
    pub fn of(rows: &[Row]) -> Option<Self> {
        let (first, others) = rows.split_first()?;
        let mut position = Self::default();
        position.begin(first);
        for row in others {
            position.add(row);
        }
        Some(position)
    }

    #[inline]
    fn push(&mut self, row: &Row) {
        self.edges.push(Edge { mv: row.mv, tally: row.tally });
        self.steps.push(row.step);
    }
}

impl Gather for PositionCounts {
    #[inline]
    fn begin(&mut self, first: &Row) {
        (self.key, self.step, self.tally) = (first.key, first.step, first.tally);
        self.edges.clear();
        self.steps.clear();
        if !first.mv.is_terminal() {
            self.push(first);
        }
    }

    #[inline]
    fn add(&mut self, row: &Row) {
        self.tally += row.tally;
        match self.edges.last_mut() {
            _ if row.mv.is_terminal() => {}
            Some(edge) if edge.mv == row.mv => edge.tally += row.tally,
            _ => self.push(row),
        }
    }
}

#[cfg(test)]
mod tests {
    use position::{Group, Outcome, PackedMove, RatingBand};

    use super::*;
    use crate::RowBatches;

    /// Rows in batches of two, so that a position's rows may be spread over several batches.
    struct Pairs(std::vec::IntoIter<Row>);

    impl RowBatches for Pairs {
        fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
            rows.clear();
            rows.extend(self.0.by_ref().take(2));
            Ok(!rows.is_empty())
        }
    }

    #[test]
    fn groups_are_summed_and_terminal_visits_are_in_the_position_alone() {
        let band = Group::NONE.with_rating_band(Some(RatingBand::of_mean(2000)));
        let row = |key, mv, group| Row {
            key: Key(key),
            mv: PackedMove(mv),
            group,
            tally: Tally::one(Outcome::Draw),
            ..Row::default()
        };
        let rows = vec![
            row(1, 0, Group::NONE),
            row(1, 5, Group::NONE),
            row(1, 5, band),
            row(1, 7, band),
            row(2, 0, band),
        ];
        let alone = PositionCounts::of(&rows[..4]).unwrap();
        let mut positions = PositionRows::new(Box::new(Pairs(rows.into_iter())));
        let (mut position, mut found) = (PositionCounts::default(), Vec::new());
        while positions.next_into(&mut position).unwrap() {
            let moves: Vec<_> = position.edges.iter().map(|edge| (edge.mv.0, edge.tally.draws)).collect();
            found.push((position.key.0, position.tally.games(), position.steps.len(), moves));
        }
        assert_eq!(found, [(1, 4, 2, vec![(5, 2), (7, 1)]), (2, 1, 0, vec![])]);
        assert_eq!((alone.tally.games(), alone.edges.len(), positions.read()), (4, 2, 5));
    }
}
