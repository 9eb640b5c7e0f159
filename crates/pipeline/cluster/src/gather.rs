//! Joins exports of shards.

use std::{path::Path, time::Instant};

use analysis::{Folder, prepare_gathered};
use run::{FileFormat, Result, Run, RunOptions, SamePath, SettingError, Summary, check_paths};

/// Joins the exports of a table's shards, which are folders in `parts`, into the export that one machine
/// would have written. The parts are left as they are.
///
/// # Errors
///
/// Fails if a shard is missing or was written with other settings, or if the export cannot be written.
pub fn gather(parts: &Path, output: &Path, run: &RunOptions) -> Result<Summary> {
    let start = Instant::now();
    SettingError::check_not_stdout("output", output)?;
    check_paths(&[parts], &[(output, FileFormat::Parquet)], SamePath::Refused)?;
    let lock = run.lock(output)?;
    let (moves, prepared) = prepare_gathered(parts, output, run.force)?;
    let mut summary = Summary::new();
    summary.exported.extend([(Folder::Moves.to_string(), moves)]);
    summary.add_seconds("gather", start);
    let (outputs, locks) = (vec![prepared], vec![lock]);
    Run { summary, outputs, locks, ..Run::default() }.publish()
}
