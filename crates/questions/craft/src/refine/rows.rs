//! A row an opening, as Parquet.
//!
//! # Format
//!
//! Rows come in the order of the suite. `opening` is its line; `white`, `draws` and `black` are its games by
//! result, and `pairs_0`, `pairs_1` … `pairs_4` its pairs by the half points of the player whose name comes
//! first. `draw_rate`, `pair_draw_rate` and `bias` (White's score less a half) are null without games or
//! pairs, and `left_out` says why an opening does not stay.

use std::sync::Arc;

use arrow_array::{
    ArrayRef,
    builder::{Float64Builder, Int64Builder, StringBuilder},
};
use arrow_schema::{DataType, Field};

use super::{RefineOptions, RefinedOpening};
use crate::{
    Result,
    row_file::{Columns, RowFile},
};

const COUNTS: [&str; 8] = ["white", "draws", "black", "pairs_0", "pairs_1", "pairs_2", "pairs_3", "pairs_4"];
const RATES: [&str; 3] = ["draw_rate", "pair_draw_rate", "bias"];

/// The file that is being written.
pub type RefineRows = RowFile<OpeningColumns>;

/// The columns of its openings.
#[derive(Default)]
pub struct OpeningColumns {
    opening: StringBuilder,
    counts: [Int64Builder; COUNTS.len()],
    rates: [Float64Builder; RATES.len()],
    left_out: StringBuilder,
}

impl Columns for OpeningColumns {
    fn fields() -> Vec<Field> {
        let opening = Field::new("opening", DataType::Utf8, false);
        let counts = COUNTS.map(|name| Field::new(name, DataType::Int64, false));
        let rates = RATES.map(|name| Field::new(name, DataType::Float64, true));
        let left_out = Field::new("left_out", DataType::Utf8, true);
        [opening].into_iter().chain(counts).chain(rates).chain([left_out]).collect()
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        let opening: ArrayRef = Arc::new(self.opening.finish());
        let counts = self.counts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let rates = self.rates.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let left_out: ArrayRef = Arc::new(self.left_out.finish());
        [opening].into_iter().chain(counts).chain(rates).chain([left_out]).collect()
    }
}

impl RefineRows {
    /// Adds an opening.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn push(&mut self, opening: &RefinedOpening, options: &RefineOptions) -> Result<()> {
        let tally = opening.tally;
        let counts = [tally.white, tally.draws, tally.black].into_iter().chain(opening.pairs);
        let rates = [opening.draw_rate(), opening.pair_draw_rate(), opening.bias()];
        self.add(|columns| {
            columns.opening.append_value(&opening.text);
            columns
                .counts
                .iter_mut()
                .zip(counts)
                .for_each(|(column, count)| column.append_value(count.cast_signed()));
            columns.rates.iter_mut().zip(rates).for_each(|(column, rate)| column.append_option(rate));
            columns.left_out.append_option(options.refuse(opening));
        })
    }
}
