//! Makes experience files from other experience files, row by row.

use std::path::{Path, PathBuf};

use crate::{ExperienceFile, ExperienceHeader, ExperienceWriter};
use itertools::Itertools as _;
use position::{ExperienceKind, ExperienceRow};

use crate::{Clear, Job, Result, Union, WrittenFile};

/// Merges files into a new file; the last file is the newest.
///
/// # Errors
///
/// Fails if a file cannot be read or the output cannot be written.
pub fn merge(files: &[PathBuf], output: &Path, job: Job<'_>) -> Result<WrittenFile> {
    let union = Union::open(files.iter().map(PathBuf::as_path))?;
    let mut rows = union.rows()?;
    let mut written = write(union.header(), &mut rows, output, job)?;
    written.warnings.extend(rows.warnings("files"));
    Ok(written)
}

/// Moves learned values towards zero: values above −0.80 are multiplied by `factor`, and other values stay as
/// they are ([`learn::experience::age`]).
///
/// # Errors
///
/// Fails as [`merge`] does.
pub fn age(file: &Path, factor: f32, output: &Path, job: Job<'_>) -> Result<WrittenFile> {
    let file = ExperienceFile::open(file)?;
    let mut rows = file.read()?.map(|row| {
        let mut row = row?;
        learn::experience::age(&mut row.experience, factor)?;
        Ok(row)
    });
    write(file.header(), &mut rows, output, job)
}

/// Removes the values that `what` selects, and any rows left without a value. When all lessons of a source
/// are removed, its games can be learned again.
///
/// # Errors
///
/// Fails as [`merge`] does, and also with [`Error::UnknownSource`](crate::Error::UnknownSource).
pub fn clear(file: &Path, what: &Clear, output: &Path, job: Job<'_>) -> Result<WrittenFile> {
    let file = ExperienceFile::open(file)?;
    let matcher = what.matcher(file.header())?;
    let mut rows = file.read()?.filter_map_ok(|row| matcher.clear(row)).map(|row| Ok(row?));
    write(file.header(), &mut rows, output, job)
}

/// Writes rows to a new file.
fn write(
    header: &ExperienceHeader,
    rows: &mut dyn Iterator<Item = Result<ExperienceRow>>,
    output: &Path,
    job: Job<'_>,
) -> Result<WrittenFile> {
    let mut writer = ExperienceWriter::create(output, header, job.existing)?;
    for row in rows {
        job.check_stop()?;
        writer.push(&row?)?;
    }
    Ok(writer.finish()?)
}

/// Whether a row has any value; the identity of a game counts as one.
pub(crate) fn knows_something(row: &ExperienceRow) -> bool {
    row.kind == ExperienceKind::Seen || !row.experience.is_empty()
}
