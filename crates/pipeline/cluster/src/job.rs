//! The settings of a count, and the job number that all its tasks share.

use std::{fmt, path::Path, str::FromStr};

use clap::Args;
use count::{Sorting, table_counting};
use games::{DedupGames, ReadOptions, RejectList, Replay, copies::SECTIONS_MAX};
use output::is_stdout;
use pipeline::stages::SortMerge;
use run::{Result, SettingError};
use serde::{Deserialize, Serialize};
use stage::Stage;
use table::Counting;
use xxhash_rust::xxh3::xxh3_64;

use super::ClusterError;

/// The maximum number of buckets into which games are sorted to find copies. There is a limit because each
/// map task reads the files of all buckets.
const COPY_BUCKETS_MAX: u32 = 64;

/// How games are counted: the same for every task of a count.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct CountSettings {
    /// How games are read.
    #[command(flatten)]
    #[serde(flatten)]
    pub read: ReadOptions,
    /// Which games count, and how.
    #[command(flatten)]
    #[serde(flatten)]
    pub replay: Replay,
    /// The number of part files in the table, and how runs are merged.
    #[command(flatten)]
    #[serde(flatten)]
    pub sorting: Sorting,
}

impl CountSettings {
    /// Refuses settings that make no sense, or that require all games to be on one machine.
    ///
    /// # Errors
    ///
    /// Fails with [`SettingError`], which names the setting.
    pub fn check(&self) -> Result<()> {
        let alone = |key, why: &str| Err(SettingError::because(key, format!("needs one machine: {why}")));
        let checked = if self.read.limit.is_some() {
            alone("limit", "it takes games in the order of the input")
        } else if self.replay.dedup.dedup_games == DedupGames::Truncated {
            alone("dedup_games", "it compares beginnings move by move; `exact` does not")
        } else if self.replay.options.counting.repertoire {
            alone("repertoire", "its files are cut at records, and sections of files at games")
        } else if self.replay.list.rejects.as_deref().is_some_and(is_stdout) {
            Err(SettingError::because("rejects", "expected a file, not `-`: machines share the count"))
        } else {
            let sink = SortMerge { sorting: self.sorting.clone(), ..SortMerge::default() };
            self.replay.check().and_then(|()| sink.check(&[]))
        };
        checked?;
        Ok(self.read.bounds.check().map_err(SettingError::of_replay)?)
    }

    /// Returns the settings for replaying one section of an input. The list of rejected games is written to a
    /// temporary file, in a form that can be joined with other lists.
    pub(super) fn replay_of_section(&self, temp_dir: &Path) -> Replay {
        let name = || temp_dir.join(format!(".tabia-{}.rejects", std::process::id()));
        let rejects = self.replay.list.rejects.as_ref().map(|_| name());
        let list = RejectList { rejects, unplaced: true, ..self.replay.list.clone() };
        Replay { list, ..self.replay.clone() }
    }

    /// The options that the table's manifest records.
    pub(super) fn counting(&self) -> Counting {
        table_counting(&self.replay.options)
    }

    /// Refuses a plan that has more chunks than these settings allow.
    ///
    /// # Errors
    ///
    /// Fails with [`SettingError`], which names the setting.
    pub fn check_plan(&self, plan: PlanId) -> Result<()> {
        let chunks = plan.chunks;
        let why =
            format!("cannot look for copies in more than {SECTIONS_MAX} chunks, but the plan has {chunks}");
        let is_possible = self.copy_buckets() == 0 || plan.chunks <= SECTIONS_MAX;
        Ok(SettingError::because("dedup_games", why).unless(is_possible)?)
    }

    /// Refuses to look for copies unless the count leaves copies out.
    pub(super) fn check_finding(&self) -> Result<()> {
        let why = "is off: this count leaves no copies out, so none are to be found";
        Ok(SettingError::because("dedup_games", why).unless(self.copy_buckets() > 0)?)
    }

    /// The number of buckets into which games are sorted, by their moves, to find copies; 0 if copies are not
    /// left out.
    #[must_use]
    pub fn copy_buckets(&self) -> u32 {
        if self.replay.dedup.dedup_games.is_off() { 0 } else { self.shards().min(COPY_BUCKETS_MAX) }
    }

    /// How many part files the table has.
    pub(super) fn shards(&self) -> u32 {
        self.sorting.shards
    }
}

/// A plan's name: a hash of its chunks, and the number of chunks.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PlanId {
    pub(super) digest: u64,
    /// The number of chunks.
    pub chunks: u32,
}

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{}", self.digest, self.chunks)
    }
}

impl FromStr for PlanId {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<Self, ClusterError> {
        let wrong = || ClusterError::PlanName(text.to_owned());
        let (digest, chunks) =
            text.split_once('-').filter(|(digest, _)| digest.len() == 16).ok_or_else(wrong)?;
        let digest = u64::from_str_radix(digest, 16).map_err(|_| wrong())?;
        Ok(Self { digest, chunks: chunks.parse().map_err(|_| wrong())? })
    }
}

/// A job's number: a hash of a plan and its settings. Two jobs are very unlikely to have the same number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Job(u32);

impl Job {
    pub(super) fn new(plan: PlanId, settings: &CountSettings) -> Self {
        let Ok(settings) = serde_json::to_string(settings) else {
            unreachable!("settings have only string keys and plain values")
        };
        let text = format!("{} {plan} {settings}", table::CREATED_BY);
        Self(xxh3_64(text.as_bytes()) as u32)
    }

    /// Returns the job that adds together the tables with these manifest digests. The job's number also
    /// depends on `drop_groups` and `min_visits`.
    pub(super) fn of_tables<'d>(
        digests: impl Iterator<Item = &'d str>,
        drop_groups: bool,
        min_visits: u64,
    ) -> Self {
        let digests = digests.collect::<Vec<_>>().join(" ");
        Self(xxh3_64(format!("{} {digests} {drop_groups} {min_visits}", table::CREATED_BY).as_bytes()) as u32)
    }

    /// Combines the job's number with a chunk's number. The result is the source number that every segment of
    /// the chunk's run contains.
    pub(super) fn source(self, chunk: u32) -> u64 {
        u64::from(self.0) << 32 | u64::from(chunk)
    }

    /// Extracts the chunk's number from a source number.
    pub(super) fn chunk_of(source: u64) -> u64 {
        source & u64::from(u32::MAX)
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}
