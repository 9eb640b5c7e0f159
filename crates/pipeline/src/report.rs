//! What a run did: the summary that `--json` prints and the lines people read.

use std::{collections::BTreeMap, fs, time::Instant};

use serde::Serialize;

/// Version of the summary object.
pub const FORMAT: u32 = 1;

/// The summary of a run. Keys are stable within a format version.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Version of this object.
    pub format: u32,
    /// The inputs, in the order given.
    pub inputs: Vec<InputReport>,
    /// Games met.
    pub games: u64,
    /// Games counted.
    pub accepted: u64,
    /// Games that a filter refused, by filter.
    pub filtered: BTreeMap<String, u64>,
    /// Games rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Accepted games that an illegal move cut (`--illegal-move keep-prefix`).
    pub cut: u64,
    /// Observations sorted.
    pub observations: u64,
    /// Rows of the table: distinct (key, move, group).
    pub edges: u64,
    /// Positions in the book, leaves included.
    pub book_positions: u64,
    /// Moves in the book.
    pub book_edges: u64,
    /// What learning met; null where nothing was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning: Option<LearningReport>,
    /// Rows exported, by what they are.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub exported: BTreeMap<String, u64>,
    /// Rows of an experience file that was written, identities of games left out.
    pub experience_rows: u64,
    /// Rows of experience in the book.
    pub book_experience: u64,
    /// Runs spilled to disk.
    pub runs: u64,
    /// Bytes spilled to disk.
    pub bytes_spilled: u64,
    /// Seconds a stage, by its name in the recipe.
    pub seconds: BTreeMap<String, f64>,
    /// Highest resident memory of the process so far.
    pub peak_rss_bytes: u64,
    /// What was written.
    pub outputs: Vec<String>,
    /// What the user should know though nothing failed.
    pub warnings: Vec<String>,
}

/// What became of the records or games that were to teach.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LearningReport {
    /// Records or games met.
    pub records: u64,
    /// Those that taught something.
    pub taught: u64,
    /// Those in order that taught nothing, by why.
    pub idle: BTreeMap<String, u64>,
    /// Those that could not be read as meant, by reason.
    pub rejected: BTreeMap<String, u64>,
}

/// One input.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InputReport {
    /// As named by the user.
    pub name: String,
    /// Bytes as stored.
    pub bytes: u64,
    /// XXH3-64 of those bytes; null if the input was not read to its end (`--limit`).
    pub xxh3: Option<String>,
    /// Games met.
    pub games: u64,
    /// Games counted.
    pub accepted: u64,
    /// Games that a filter refused, by filter.
    pub filtered: BTreeMap<String, u64>,
    /// Games rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
}

impl Report {
    /// An empty report of the present format.
    #[must_use]
    pub fn new() -> Self {
        Self { format: FORMAT, ..Self::default() }
    }

    /// Games and records rejected for any reason.
    #[must_use]
    pub fn rejected_games(&self) -> u64 {
        let learning = self.learning.iter().flat_map(|learning| learning.rejected.values());
        self.rejected.values().chain(learning).sum()
    }

    pub(crate) fn add_input(&mut self, input: InputReport) {
        self.games += input.games;
        self.accepted += input.accepted;
        add_counts(&mut self.filtered, &input.filtered);
        add_counts(&mut self.rejected, &input.rejected);
        self.inputs.push(input);
    }

    pub(crate) fn time(&mut self, stage: &str, since: Instant) {
        self.seconds.insert(stage.into(), since.elapsed().as_secs_f64());
    }
}

fn add_counts(sum: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>) {
    for (name, count) in more {
        *sum.entry(name.clone()).or_default() += count;
    }
}

/// Highest resident memory of this process so far, in bytes; 0 where the system does not say.
#[must_use]
pub fn peak_rss_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
