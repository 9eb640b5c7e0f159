//! Compares two books or tables. The comparison does not use a recipe, but its limits and outputs work as in
//! a run.

use std::path::Path;

use craft::{Diff, DiffOptions, DiffRows, of_writing};
use output::OutputFile;
use query::Artefact;
use run::{Error, FileFormat, Limits, Result, RunOptions, SamePath, SettingError, check_paths};
use walk::Work;

/// Compares the artefacts at two paths. If `rows` names a Parquet file, every move that differs is written to
/// it.
///
/// # Errors
///
/// Fails as [`craft::diff`] does, or if the output exists, cannot be written or is standard output.
pub fn diff(
    (first, second): (&Path, &Path),
    options: DiffOptions,
    rows: Option<&Path>,
    limits: &Limits,
    run: &RunOptions,
) -> Result<Diff> {
    let outputs: Vec<_> = rows.map(|rows| (rows, FileFormat::Parquet)).into_iter().collect();
    check_paths(&[first, second], &outputs, SamePath::Refused)?;
    let (first, second) = (Artefact::open(first)?, Artefact::open(second)?);
    let on_progress = |done| run.walked(done);
    let (threads, memory_bytes, temp_dir) = (limits.threads(), limits.memory_bytes(), limits.temp_folder());
    let work = Work { threads, memory_bytes, temp_dir, on_progress: &on_progress };
    let Some(path) = rows else {
        return craft::diff((&first, &second), options, &work, None).map_err(Error::of_run);
    };
    SettingError::check_not_stdout("output", path)?;
    let mut output = OutputFile::create(path, run.existing()).map_err(fault::output(path))?;
    let mut rows = DiffRows::new(output.file()).map_err(of_writing(path))?;
    let found = craft::diff((&first, &second), options, &work, Some(&mut rows)).map_err(of_writing(path))?;
    rows.finish().map_err(of_writing(path))?;
    output.finish().map_err(fault::output(path))?;
    Ok(found)
}
