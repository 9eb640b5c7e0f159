//! Counts in which every game has a weight; books are made from these.

use std::sync::Arc;

use book::BookFilter;
use run::{Context, Result};
use shakmaty::Color;
use table::{
    BoxedRows, Counting, EachRoot, GameWeights, Months, RowBatches as _, SortedRows, Weighing, WeightedRows,
};

use super::{Counts, SortedCounts};

/// Describes a filter and the game weights in one line, which is empty if every move is kept and every game
/// counts once.
#[must_use]
pub fn described(filter: &BookFilter, weights: &GameWeights) -> String {
    format!("{} {}", filter.describe(), weights.describe()).trim().to_owned()
}

/// A pair of counts and game weights. The weights are applied when rows are read; the stored counts do not
/// change.
pub struct WeightedCounts {
    counts: Arc<Counts>,
    /// The weights; `None` if every game counts once.
    weighing: Option<Arc<Weighing>>,
}

impl WeightedCounts {
    /// Makes weighted counts, in which `weights` apply to the games in `counts`.
    ///
    /// # Errors
    ///
    /// Fails with [`table::Error::NotGrouped`] if the counts are not grouped by the dimensions on which the
    /// weights depend. Also fails if the counts cannot be read.
    pub fn new(context: &Context, counts: Arc<Counts>, weights: GameWeights) -> Result<Self> {
        let weighing = match &*counts {
            Counts::Table(table) => table.weighing(weights)?,
            Counts::Sorted(_) if weights.is_none() => None,
            Counts::Sorted(sorted) => {
                weights.check(sorted.counting.groups)?;
                // The months are needed only if games are weighted by age.
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

    /// The counts without weights.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Describes the filter and the game weights of a book made from these counts, in one line. The line is
    /// empty if the book keeps every move and every game counts once.
    #[must_use]
    pub fn keeps(&self, filter: &BookFilter) -> String {
        let weights = self.weighing.as_ref().map(|weighing| *weighing.weights());
        described(filter, &weights.unwrap_or_default())
    }

    /// Describes the game weights; `None` if every game counts once.
    #[must_use]
    pub fn describe_weights(&self) -> Option<String> {
        self.weighing.as_ref().map(|weighing| weighing.weights().describe())
    }
}

impl SortedRows for WeightedCounts {
    fn shards(&self) -> u32 {
        self.counts.shards()
    }

    fn counting(&self) -> &Counting {
        self.counts.counting()
    }

    fn replies_of(&self) -> Option<Color> {
        self.counts.replies_of()
    }

    fn all_start_elsewhere(&self, rooted: u64) -> bool {
        self.counts.all_start_elsewhere(rooted)
    }

    fn roots(&self, shard: u32, each: &mut EachRoot<'_>) -> Result<()> {
        self.counts.roots(shard, each)
    }

    fn shard(&self, shard: u32) -> Result<BoxedRows<'_>> {
        Ok(Box::new(WeightedRows::new(self.counts.shard(shard)?, self.weighing.clone())))
    }
}

/// The months in which the counted games were played.
fn months(context: &Context, counts: &SortedCounts) -> Result<Months> {
    let of_shards = context.for_each_shard("finding the newest month", counts.runs.shards(), |shard| {
        let mut rows = counts.runs.bucket(shard)?;
        let mut batch = Vec::new();
        let mut months = Months::default();
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
