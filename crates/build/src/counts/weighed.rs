//! Counts as a book is made of them: each game with its weight.

use std::sync::Arc;

use book::BookFilter;
use position::Group;
use table::{Counting, GameWeights, Month, RowBatches as _, SortedRows, WeighedRows, Weighing};

use super::{Counts, ShardRows, SortedCounts};
use crate::{
    Context, Error, Result,
    shard::{described, for_each_shard},
};

/// The positions of one shard of counts.
pub(crate) type PositionRows = table::PositionRows<WeighedRows<ShardRows>>;

/// Counts, and how much their games weigh; the counts themselves stay as they are.
pub(crate) struct WeighedCounts {
    counts: Arc<Counts>,
    /// `None`: each game counts once.
    weighing: Option<Arc<Weighing>>,
}

impl WeighedCounts {
    /// Weighs the games of `counts`.
    ///
    /// # Errors
    ///
    /// [`table::Error::NotGrouped`] if they are not grouped by what the weights depend on; if they cannot be
    /// read.
    pub(crate) fn new(context: &Context, counts: Arc<Counts>, weights: GameWeights) -> Result<Self> {
        let weighing = match &*counts {
            Counts::Table(table) => table.weighing(weights)?,
            Counts::Sorted(_) if weights.is_none() => None,
            Counts::Sorted(sorted) => {
                weights.check(sorted.counting.groups)?;
                Some(Weighing::new(weights, months(context, sorted)?).into())
            }
        };
        Ok(Self { counts, weighing })
    }

    /// The counts.
    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// What a book of these counts keeps, and how much games weigh, in one line; empty if it keeps every move
    /// and every game counts once.
    pub(crate) fn keeps(&self, filter: &BookFilter) -> String {
        let weights = self.weighing.as_ref().map(|weighing| *weighing.weights());
        described(filter, &weights.unwrap_or_default())
    }

    /// How much games count, if not once each.
    pub(crate) fn weights(&self) -> Option<String> {
        self.weighing.as_ref().map(|weighing| weighing.weights().describe())
    }
}

impl SortedRows for WeighedCounts {
    type Error = Error;
    type Shard = WeighedRows<ShardRows>;

    fn shards(&self) -> u32 {
        self.counts.shards()
    }

    fn counting(&self) -> &Counting {
        self.counts.counting()
    }

    fn is_complete(&self) -> bool {
        self.counts.is_complete()
    }

    fn has_leaves(&self) -> bool {
        self.counts.has_leaves()
    }

    fn shard(&self, shard: u32) -> Result<WeighedRows<ShardRows>> {
        Ok(WeighedRows::new(self.counts.shard(shard)?, self.weighing.clone()))
    }
}

/// The oldest and the newest month that were counted; `None` if none is known.
fn months(context: &Context, counts: &SortedCounts) -> Result<Option<(Month, Month)>> {
    let of_shards = for_each_shard(context, "finding the newest month", counts.runs.shards(), |shard| {
        let (mut rows, mut batch, mut months) = (counts.runs.bucket(shard)?, Vec::new(), None);
        while rows.next_batch(&mut batch)? {
            months = batch.iter().fold(months, |months, row| widened(months, row.group));
        }
        Ok(months)
    })?;
    let ends = of_shards.into_iter().flatten().flat_map(|(oldest, newest)| [oldest, newest]);
    Ok(ends.fold(None, |months, month| Some(Month::widen(months, month))))
}

fn widened(months: Option<(Month, Month)>, group: Group) -> Option<(Month, Month)> {
    match group.month().and_then(Month::new) {
        Some(month) => Some(Month::widen(months, month)),
        None => months,
    }
}
