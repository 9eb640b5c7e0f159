//! Computes one shard of the sum of several tables, so that machines can share the work.

use std::path::PathBuf;

use query::Artefact;
use run::{Error, FileFormat, Result, RunOptions, SamePath, SettingError, check_paths};
use table::{JoinOptions, Table, merge_alone};

use super::{
    Place,
    job::Job,
    parts::Parts,
    shard_entry::{CountedGames, GamesOrigin},
};

/// A task that computes one shard of the sum of several tables.
#[derive(Clone, Debug)]
pub struct MergeTask {
    /// The tables.
    pub tables: Vec<PathBuf>,
    /// The table to make, with as many shards as the first of the tables.
    pub output: Place,
    /// The folder for part files; `None` for the default folder, whose name is computed from the tables.
    pub parts: Option<Place>,
    /// The shard.
    pub shard: u32,
    /// The name of this attempt, which must be unique among the attempts at the same shard.
    pub attempt: String,
    /// Whether counts are summed over all groups, so that the new table is not grouped.
    pub drop_groups: bool,
    /// Rows of positions with fewer visits than this are left out. A book that keeps only moves with at least
    /// this many games is the same with or without this limit: each of its positions and leaves has at least
    /// this many visits.
    pub min_visits: u64,
}

/// Computes one shard of the sum of the tables, writes it as a part file, and returns the line that describes
/// this part.
///
/// # Errors
///
/// Fails if the tables do not agree, if they have fingerprints of their games, or if they count the same
/// source and the merge is not forced. Also fails if the first table has no such shard.
pub fn merge_shard(job: &MergeTask, run: &RunOptions) -> Result<String> {
    if let Place::Folder(output) = &job.output {
        SettingError::check_not_stdout("output", output)?;
        let reads: Vec<_> = job.tables.iter().map(PathBuf::as_path).collect();
        check_paths(&reads, &[(output, FileFormat::Table)], SamePath::Replaced)?;
    }
    let open = |path: &PathBuf| Ok(Artefact::open(path)?.into_table()?);
    let tables = job.tables.iter().map(open).collect::<Result<Vec<Table>>>()?;
    let shards = tables.first().map_or(0, |table| table.shards().len() as u32);
    let expected = format!("below {shards} (the first table has {shards} shards)");
    SettingError::new("shard", &expected, job.shard).unless(job.shard < shards)?;
    let number = Job::of_tables(tables.iter().map(Table::digest), job.drop_groups, job.min_visits);
    let parts = Parts::to_write(job.parts.as_ref(), &job.output, number)?;
    let new = parts.begin(number, (job.shard, &job.attempt), &std::env::temp_dir())?;
    let join = JoinOptions {
        force: run.force,
        drop_groups: job.drop_groups,
        min_visits: job.min_visits,
        stop: &run.interrupt,
        ..JoinOptions::default()
    };
    let inputs: Vec<&Table> = tables.iter().collect();
    let (counting, part) = merge_alone(&inputs, (job.shard, shards), new.path(), &join)
        .map_err(|error| Error::from(error).of_run())?;
    let counted = (job.shard == 0).then(|| {
        let sources = inputs.iter().flat_map(|table| table.manifest().sources.clone()).collect();
        let subtracted = inputs.iter().flat_map(|table| table.manifest().subtracted.clone()).collect();
        CountedGames { counting, from: GamesOrigin::Tables { sources, subtracted } }
    });
    new.finish(number, (job.shard, shards), part, counted)
}
