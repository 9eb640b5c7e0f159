//! Leaves positions with too few visits out of the result of a join.

use super::merge::Output;
use crate::{Result, Row};

/// Passes on the rows of positions that have enough visits, and drops the rows of all other positions.
///
/// # Memory
///
/// The rows of one position.
pub(super) struct VisitedRows<'o, 'a> {
    output: &'o mut Output<'a>,
    /// How many visits a position needs in order to be written.
    least: u64,
    /// The rows of the position that is being read.
    rows: Vec<Row>,
}

impl<'o, 'a> VisitedRows<'o, 'a> {
    pub(super) fn new(output: &'o mut Output<'a>) -> Self {
        Self { least: output.options.min_visits, output, rows: Vec::new() }
    }

    pub(super) fn push(&mut self, row: Row) -> Result<()> {
        if self.least == 0 {
            return self.output.push(&row);
        }
        if self.rows.first().is_some_and(|first| first.key != row.key) {
            self.end_position()?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// Writes or drops the rows collected for a position once all of them have been pushed.
    pub(super) fn end_position(&mut self) -> Result<()> {
        let visits: u64 = self.rows.iter().map(|row| row.tally.games()).sum();
        let kept = if visits < self.least { &[] } else { &self.rows[..] };
        kept.iter().try_for_each(|row| self.output.push(row))?;
        self.rows.clear();
        Ok(())
    }
}
