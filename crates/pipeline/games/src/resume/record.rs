//! The records of the ledger.

use std::{collections::BTreeMap, path::Path};

use extsort::RunFile;
use run::InputStatus;
use serde::{Deserialize, Serialize};

use super::Job;

/// One record.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Record {
    /// The first record: the settings and inputs of the count.
    Job(Job),
    /// Chunks that are counted.
    Group(CountedChunks),
    /// Runs that were merged into one.
    Merge(Merge),
    /// A list of rejected games that replaces the recorded one.
    List(List),
}

/// The list of rejected games, up to the point that is synced to disk.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct List {
    /// The name of its file.
    pub name: String,
    /// The length of the part on disk.
    pub bytes: u64,
    /// The checksum of that part.
    pub xxh3: u64,
}

/// A run, with its length and checksum, which identify it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct RecordedRun {
    /// The name of its file.
    pub name: String,
    /// The number of rows in the run.
    pub rows: u64,
    /// The length of the run's file in bytes.
    pub bytes: u64,
    /// The checksum of the run's contents.
    pub xxh3: u64,
}

/// Chunks that are counted. `runs` contains exactly the observations from these chunks.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct CountedChunks {
    /// The runs; empty if none of the games in the chunks counts.
    pub runs: Vec<RecordedRun>,
    /// The number of observations in the runs.
    pub items: u64,
    /// The chunks, by input.
    pub inputs: Vec<GroupInput>,
    /// The list that contains the lines of the rejected games in these chunks; `None` if no list was
    /// requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<List>,
}

/// The chunks in a group that belong to one input.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct GroupInput {
    /// The number of the input, counted from 0.
    pub input: u32,
    /// The number of chunks.
    pub chunks: u64,
    /// For each part of the input, the ranges of its text that the chunks cover.
    pub spans: BTreeMap<u32, Vec<(u64, u64)>>,
    /// The numbers of games in the chunks, by status.
    pub counts: InputStatus,
    /// The hashes of the input's blocks, continuing from those in earlier records.
    pub blocks: Vec<u64>,
}

/// Runs that were merged into one.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Merge {
    /// The run that replaces them.
    pub run: RecordedRun,
    /// The names of the replaced runs.
    pub parts: Vec<String>,
}

impl RecordedRun {
    pub(super) fn of(run: &RunFile) -> Self {
        Self { name: name_of(run.path()), rows: run.rows(), bytes: run.bytes(), xxh3: run.checksum() }
    }
}

/// The name of a file in the folder.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
