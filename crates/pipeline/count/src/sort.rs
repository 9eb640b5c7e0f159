//! Sorts observations into runs and sums equal ones. Several counts can be made in one pass over the games.

mod count;
mod counting;
mod sink;

use clap::Args;
use serde::{Deserialize, Serialize};

pub use self::{
    count::{Part, count, count_inputs},
    counting::table_counting,
};

/// How rows are sorted.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct Sorting {
    /// The number of part files in the table, a power of two
    #[arg(long, value_name = "N", default_value_t = Sorting::default().shards, help_heading = "Counting")]
    pub shards: u32,
    /// How many spilled runs are merged at once
    #[arg(long, value_name = "N", hide = true)]
    pub fan_in: Option<usize>,
    /// Identifies the source of the runs if they are sent to other machines.
    #[arg(skip)]
    #[serde(skip)]
    pub run_source: u64,
}

impl Default for Sorting {
    fn default() -> Self {
        Self { shards: table::DEFAULT_SHARDS, fan_in: None, run_source: 0 }
    }
}
