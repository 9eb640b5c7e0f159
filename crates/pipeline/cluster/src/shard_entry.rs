//! The line that a task prints once a shard's part file exists. The line contains the data that the table's
//! manifest needs.

use std::fmt;

use run::values::as_text;
use serde::{Deserialize, Serialize};
use table::{CountedInput, Counting, ShardInfo};

use super::{
    ClusterError, Place, PlanId, chunk::check_format, input_totals::InputTotals, list::WholeList,
    parts::is_plain,
};

/// Describes a part file and the job that it belongs to.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct ShardLine {
    /// Version of this object.
    pub(super) format: u32,
    /// The job that the shard belongs to.
    pub(super) job: String,
    pub(super) shard: u32,
    /// The number of shards.
    pub(super) of: u32,
    /// The path or URL of the part file.
    pub(super) path: Place,
    /// The part file's entry in the manifest.
    pub(super) part: ShardInfo,
    /// The games that were counted. Only the line of shard 0 contains this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) counted: Option<CountedGames>,
}

/// The games that a table counts, and how it counts them.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct CountedGames {
    pub(super) counting: Counting,
    #[serde(flatten)]
    pub(super) from: GamesOrigin,
}

/// Where the counts of a table come from.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum GamesOrigin {
    /// The inputs of a plan (in order), the warnings from its tasks, and the list of rejected games, if there
    /// is one.
    Inputs {
        #[serde(with = "as_text")]
        plan: PlanId,
        inputs: Vec<InputTotals>,
        warnings: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        listed: Option<WholeList>,
        /// The number of buckets that were searched for copies of games; `None` if copies were not left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        copies: Option<u32>,
    },
    /// Tables were added together. `sources` are the inputs whose games these tables count; `subtracted` are
    /// the inputs whose games were subtracted from them.
    Tables { sources: Vec<CountedInput>, subtracted: Vec<CountedInput> },
}

impl ShardLine {
    /// Encodes the line as JSON.
    pub(super) fn text(&self) -> String {
        let Ok(text) = serde_json::to_string(self) else { unreachable!("it has plain values") };
        text
    }

    /// Parses a line's text; `named` is its name in error messages.
    pub(super) fn parse(line: &str, named: impl fmt::Display) -> Result<Self, ClusterError> {
        let bad = |why: String| ClusterError::Lines(format!("{named}: {why}"));
        check_format(line).map_err(bad)?;
        let mut parsed: Self = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
        parsed.part.set_range(parsed.shard, parsed.of);
        if !is_plain(&parsed.job) {
            let name = &parsed.job;
            return Err(bad(format!(
                "`{name}` is not the name of a count: expected letters, digits, `-` and `_`"
            )));
        }
        Ok(parsed)
    }
}
