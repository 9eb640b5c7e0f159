//! Weights the counts in rows, batch by batch.

use std::sync::Arc;

use fault::Result;

use super::{Weighing, WeightedPosition};
use crate::{BoxedRows, Row, RowBatches};

/// The weighted rows of a shard, or its unchanged rows if there are no weights.
///
/// # Memory
///
/// Two batches of rows.
pub struct WeightedRows<'r> {
    rows: BoxedRows<'r>,
    weighing: Option<Arc<Weighing>>,
    batch: Vec<Row>,
    position: WeightedPosition,
}

impl<'r> WeightedRows<'r> {
    /// Creates a reader that weights the counts in `rows`.
    #[must_use]
    pub fn new(rows: BoxedRows<'r>, weighing: Option<Arc<Weighing>>) -> Self {
        Self { rows, weighing, batch: Vec::new(), position: WeightedPosition::default() }
    }
}

impl RowBatches for WeightedRows<'_> {
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> Result<bool> {
        let Some(weighing) = &self.weighing else { return self.rows.next_batch(rows) };
        rows.clear();
        while rows.is_empty() {
            if !self.rows.next_batch(&mut self.batch)? {
                self.position.finish_into(rows);
                return Ok(!rows.is_empty());
            }
            for row in &self.batch {
                if self.position.ends_before(row.key) {
                    self.position.finish_into(rows);
                }
                self.position.add(row, weighing.of(row.group));
            }
        }
        Ok(true)
    }
}
