//! What the ledger records.

use std::{collections::BTreeMap, path::Path};

use extsort::RunFile;
use serde::{Deserialize, Serialize};

use super::Job;
use crate::status::InputStatus;

/// One record.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Record {
    /// What is counted, and how: the first record.
    Job(Job),
    /// Chunks that are counted.
    Group(Group),
    /// Runs that have become one.
    Merge(Merge),
    /// A list of rejected games that takes the place of the one before.
    List(List),
}

/// The lines of rejected games, as far as they are on disk.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct List {
    /// Its file's name.
    pub(crate) name: String,
    /// The length of what is on disk.
    pub(crate) bytes: u64,
    /// The checksum of that.
    pub(crate) xxh3: u64,
}

/// A run, as it is known again.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Run {
    /// Its file's name.
    pub(crate) name: String,
    /// Its rows.
    pub(crate) rows: u64,
    /// Its length.
    pub(crate) bytes: u64,
    /// The checksum of all it holds.
    pub(crate) xxh3: u64,
}

/// Chunks that are counted: they are wholly in these runs, and the runs hold nothing else.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Group {
    /// The runs; none if no game of the chunks counts.
    pub(crate) runs: Vec<Run>,
    /// Observations in them.
    pub(crate) items: u64,
    /// The chunks, by input.
    pub(crate) inputs: Vec<GroupInput>,
    /// The list that has the lines of these chunks; `None` if none is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) list: Option<List>,
}

/// The chunks of one input in a group.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct GroupInput {
    /// Number of the input, from 0.
    pub(crate) input: u32,
    /// How many chunks there are.
    pub(crate) chunks: u64,
    /// Where they are: for each part, ranges of its text.
    pub(crate) spans: BTreeMap<u32, Vec<(u64, u64)>>,
    /// What became of their games.
    pub(crate) counts: InputStatus,
    /// Hashes of the input's blocks, after those of all records before.
    pub(crate) blocks: Vec<u64>,
}

/// Runs that have become one.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Merge {
    /// The run that takes their place.
    pub(crate) run: Run,
    /// Their names.
    pub(crate) parts: Vec<String>,
}

impl Run {
    pub(crate) fn of(run: &RunFile) -> Self {
        Self { name: name_of(run.path()), rows: run.rows(), bytes: run.bytes(), xxh3: run.checksum() }
    }
}

/// The name of a file in the folder.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
