//! Counts as a book is made of them: each game with its weight.

use std::sync::Arc;

use book::BookFilter;
use shakmaty::Color;
use table::{Counting, GameWeights, Months, RowBatches as _, SortedRows, WeighedRows, Weighing};

use super::{Counts, ShardRows, SortedCounts};
use crate::{Context, Error, Result};

/// The positions of one shard of counts.
pub(crate) type PositionRows = table::PositionRows<WeighedRows<ShardRows>>;

/// A filter and the weights of games in one line; empty if every move is kept and each game counts once.
pub(crate) fn described(filter: &BookFilter, weights: &GameWeights) -> String {
    format!("{} {}", filter.describe(), weights.describe()).trim().to_owned()
}

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
                // Only ages depend on months.
                let months = match weights.half_life {
                    Some(_) => months(context, sorted)?,
                    None => Months::default(),
                };
                Some(Weighing::new(weights, &months).into())
            }
        };
        if let Some(doubt) = weighing.as_ref().and_then(|weighing| weighing.doubt(context.options.today)) {
            let warnings = &mut context.summary().warnings;
            if !warnings.contains(&doubt) {
                warnings.push(doubt);
            }
        }
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

    fn replies_of(&self) -> Option<Color> {
        self.counts.replies_of()
    }

    fn shard(&self, shard: u32) -> Result<WeighedRows<ShardRows>> {
        Ok(WeighedRows::new(self.counts.shard(shard)?, self.weighing.clone()))
    }
}

/// The months that were counted.
fn months(context: &Context, counts: &SortedCounts) -> Result<Months> {
    let of_shards = context.for_each_shard("finding the newest month", counts.runs.shards(), |shard| {
        let (mut rows, mut batch, mut months) = (counts.runs.bucket(shard)?, Vec::new(), Months::default());
        while rows.next_batch(&mut batch)? {
            for row in &batch {
                months.add(row);
            }
        }
        Ok(months)
    })?;
    let mut months = Months::default();
    for of_shard in of_shards {
        months.merge(of_shard);
    }
    Ok(months)
}
