//! A Parquet file with a row for each opening of a suite.
//!
//! # Format
//!
//! Rows are in the order of the suite. `opening` is the opening's line; `white`, `draws` and `black` count
//! its games by result. `pairs_0` to `pairs_4` count the pairs that gave 0 to 4 half points to the player
//! whose name sorts first. `draw_rate`, `pair_draw_rate` and `bias` (White's score minus one half) are null
//! if there are no games or pairs to compute them from. `left_out` says why the opening is left out, and is
//! null if the opening is kept.

use std::iter;

use position::Tally;

use super::{RefineOptions, RefinedOpening};
use crate::{
    Result,
    row_file::{Column, Columns, RowFile},
};

const COUNTS: [&str; 8] = ["white", "draws", "black", "pairs_0", "pairs_1", "pairs_2", "pairs_3", "pairs_4"];
const RATES: [&str; 3] = ["draw_rate", "pair_draw_rate", "bias"];

/// The file that is being written.
pub type RefineRows = RowFile<OpeningRow>;

/// A row: an opening and, if the opening is left out, the reason why.
pub struct OpeningRow {
    opening: RefinedOpening,
    left_out: Option<&'static str>,
}

impl OpeningRow {
    fn counts(&self) -> [u64; COUNTS.len()] {
        let Tally { white, draws, black } = self.opening.tally;
        let [none, half, one, more, two] = self.opening.pairs;
        [white, draws, black, none, half, one, more, two]
    }

    fn rates(&self) -> [Option<f64>; RATES.len()] {
        [self.opening.draw_rate(), self.opening.pair_draw_rate(), self.opening.bias()]
    }
}

impl Columns for OpeningRow {
    fn columns() -> Vec<Column<Self>> {
        let opening = Column::new("required binary opening (STRING)", |row: &Self, column| {
            column.push_text(&row.opening.text);
        });
        let count = |(at, name): (usize, _)| {
            Column::new(format!("required int64 {name}"), move |row: &Self, column| {
                column.push(row.counts()[at]);
            })
        };
        let rate = |(at, name): (usize, _)| {
            Column::new(format!("optional double {name}"), move |row: &Self, column| {
                column.push_option(row.rates()[at].map(f64::to_bits));
            })
        };
        let left_out = Column::new("optional binary left_out (STRING)", |row: &Self, column| {
            column.push_text_option(row.left_out);
        });
        iter::once(opening)
            .chain(COUNTS.into_iter().enumerate().map(count))
            .chain(RATES.into_iter().enumerate().map(rate))
            .chain([left_out])
            .collect()
    }
}

impl RefineRows {
    /// Adds an opening.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn push(&mut self, opening: &RefinedOpening, options: &RefineOptions) -> Result<()> {
        self.add(&OpeningRow { opening: opening.clone(), left_out: options.refuse(opening) })
    }
}
