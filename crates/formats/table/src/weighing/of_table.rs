//! Computes the weights of a table's games.

use std::sync::Arc;

use parquet::file::metadata::PageIndexPolicy;
use position::Key;

use super::{GameWeights, Month, Months, Weighing};
use crate::{Result, Table};

impl Table {
    /// The weights of the table's games; `None` if each game counts once.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NotGrouped`](crate::Error::NotGrouped) if the table is not grouped by the
    /// dimensions on which the weights depend, or with another error if a part file cannot be read or
    /// decoded.
    pub fn weighing(&self, weights: GameWeights) -> Result<Option<Arc<Weighing>>> {
        weights.check(self.counting().groups)?;
        if weights.is_none() {
            return Ok(None);
        }
        let months = if weights.half_life.is_some() { self.games_by_month()? } else { Months::default() };
        Ok(Some(Weighing::new(weights, &months).into()))
    }

    /// The months in which the table's games were played, and the number of games in each. If no month is
    /// known, no rows are read. If a game with a known month begins at the start position, only the rows of
    /// that position are read. Otherwise, all rows are read.
    fn games_by_month(&self) -> Result<Months> {
        let mut months = Months::between(self.months()?);
        if months.ends().is_none() {
            return Ok(months);
        }
        self.rows_of(Key::START)?.iter().for_each(|row| months.add(row));
        if !months.has_begun() {
            let mut rows = Vec::new();
            for shard in 0..self.shards().len() as u32 {
                let mut batches = self.shard_rows(shard)?;
                while batches.next_batch(&mut rows)? {
                    for row in &rows {
                        months.add(row);
                    }
                }
            }
        }
        Ok(months)
    }

    /// The oldest and the newest month of the table's games, from the statistics of its parts; `None` if the
    /// table is not grouped by month, or no month is known.
    ///
    /// # Errors
    ///
    /// Fails if a part file cannot be read or decoded.
    pub fn months(&self) -> Result<Option<(Month, Month)>> {
        let mut months = None;
        for shard in 0..self.shards().len() as u32 {
            let (part, _) = self.open_part(shard, PageIndexPolicy::Skip)?;
            let of_groups = (0..part.row_groups().len()).filter_map(|row_group| part.months(row_group));
            let known = of_groups.flat_map(|(first, last)| [first, last]).filter_map(Month::of_number);
            months = known.fold(months, |months, month| Some(Month::widen(months, month)));
        }
        Ok(months)
    }
}
