//! Breaks down a position's results by a table's groups.

use std::collections::BTreeMap;

use position::{Group, Key, PackedMove, RatingBand, Tally};
use serde::Serialize;

use crate::{Artefact, Result, View};

/// The results in a month.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MonthResults {
    /// The month, such as `2013-01`.
    pub month: String,
    /// The games of this month, by result.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The results in a band of mean ratings.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BandResults {
    /// The band's lower bound, in Elo.
    pub band: u16,
    /// The games in this band, by result.
    #[serde(flatten)]
    pub tally: Tally,
}

impl View<'_> {
    /// A position's results by month, in ascending order. Games whose month is unknown are left out.
    ///
    /// # Errors
    ///
    /// Fails if a table cannot be read or is damaged.
    pub fn months(&self, key: Key) -> Result<Vec<MonthResults>> {
        Ok(months(self.split(key, |_, group| group.month())?))
    }

    /// The combined results of all moves in a position, by month; games that ended in the position are not
    /// included.
    ///
    /// # Errors
    ///
    /// Fails as [`months`](Self::months) does.
    pub fn months_of_all_moves(&self, key: Key) -> Result<Vec<MonthResults>> {
        Ok(months(self.split(key, |mv, group| group.month().filter(|_| !mv.is_terminal()))?))
    }

    /// The results of each move in a position, by month in ascending order.
    ///
    /// # Errors
    ///
    /// Fails as [`months`](Self::months) does.
    pub fn months_of_moves(&self, key: Key) -> Result<BTreeMap<PackedMove, Vec<MonthResults>>> {
        let split = self.split(key, |mv, group| Some((mv, group.month()?)))?;
        let mut moves = BTreeMap::<_, BTreeMap<_, _>>::new();
        for ((mv, month), tally) in split.into_iter().filter(|((mv, _), _)| !mv.is_terminal()) {
            moves.entry(mv).or_default().insert(month, tally);
        }
        Ok(moves.into_iter().map(|(mv, split)| (mv, months(split))).collect())
    }

    /// A position's results by rating band, in ascending order. Games whose rating band is unknown are left
    /// out.
    ///
    /// # Errors
    ///
    /// Fails as [`months`](Self::months) does.
    pub fn bands(&self, key: Key) -> Result<Vec<BandResults>> {
        let split = self.split(key, |_, group| group.rating_band())?;
        let results = |(band, tally): (RatingBand, _)| BandResults { band: band.lower_bound(), tally };
        Ok(split.into_iter().map(results).collect())
    }

    /// Calls `by` with the move and the group of each row of a position, and adds up the results of all rows
    /// for which `by` returns the same value. Rows for which `by` returns `None` are left out. The result is
    /// empty if the artefact is not a table.
    fn split<T: Ord>(
        &self,
        key: Key,
        by: impl Fn(PackedMove, Group) -> Option<T>,
    ) -> Result<BTreeMap<T, Tally>> {
        let mut split = BTreeMap::<_, Tally>::new();
        if let Artefact::Table(table) = self.artefact {
            for row in self.rows_of(table, key)? {
                if let Some(part) = by(row.mv, row.group) {
                    *split.entry(part).or_default() += row.tally;
                }
            }
        }
        Ok(split)
    }
}

fn months(split: BTreeMap<(u16, u8), Tally>) -> Vec<MonthResults> {
    let results = |((year, month), tally)| MonthResults { month: format!("{year:04}-{month:02}"), tally };
    split.into_iter().map(results).collect()
}
