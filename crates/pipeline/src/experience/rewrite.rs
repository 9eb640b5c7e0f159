//! Experience files made of others, row by row.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use output::Existing;
use position::{ExperienceRow, Kind};
use table::{ExperienceFile, ExperienceHeader, ExperienceStats, ExperienceWriter};

use super::{Clear, Union};
use crate::{Error, Report, Result, RunOptions, report::peak_rss_bytes};

/// Lays files over each other into a new one.
///
/// # Errors
///
/// If a file cannot be read, or the output not written.
pub fn merge(files: &[PathBuf], output: &Path, run: &RunOptions) -> Result<Report> {
    let union = Union::open(files.iter().map(PathBuf::as_path))?;
    let mut rows = union.rows()?;
    let mut report = write(union.header(), &mut rows, output, run)?;
    if rows.seen_twice > 0 {
        report.warnings.push(format!(
            "{} games or records taught more than one of these files: their lessons count more than once",
            rows.seen_twice
        ));
    }
    Ok(report)
}

/// Pulls learned values towards zero: those above −0.80 are multiplied by `factor`, really bad ones stay ([`learn::experience::age`]).
///
/// # Errors
///
/// As [`merge`].
pub fn age(file: &Path, factor: f32, output: &Path, run: &RunOptions) -> Result<Report> {
    let file = ExperienceFile::open(file)?;
    let mut rows = file.read()?.map(|row| {
        let mut row = row?;
        learn::experience::age(&mut row.experience, factor)?;
        Ok(row)
    });
    write(file.header(), &mut rows, output, run)
}

/// Takes out what `what` names; rows that know nothing any more go, and with all of a source's lessons its games may teach
/// again.
///
/// # Errors
///
/// As [`merge`], and [`Error::Recipe`] if a source to clear is none of the file's.
pub fn clear(file: &Path, what: &Clear, output: &Path, run: &RunOptions) -> Result<Report> {
    let file = ExperienceFile::open(file)?;
    let matcher = what.matcher(file.header()).map_err(Error::Recipe)?;
    let mut rows = file
        .read()?
        .map(|row| Ok(matcher.clear(row?)))
        .filter_map(|row: Result<Option<ExperienceRow>>| row.transpose());
    write(file.header(), &mut rows, output, run)
}

/// Writes rows to a new file.
fn write(
    header: &ExperienceHeader,
    rows: &mut dyn Iterator<Item = Result<ExperienceRow>>,
    output: &Path,
    run: &RunOptions,
) -> Result<Report> {
    let start = Instant::now();
    let mut report = Report::new();
    let existing = Existing::replaced_if(run.force);
    let mut writer = ExperienceWriter::create(output, header, existing)?;
    for row in rows {
        run.check_cancelled()?;
        writer.push(&row?)?;
    }
    let ExperienceStats { rows, .. } = writer.finish()?;
    report.experience_rows = rows;
    report.outputs.push(output.display().to_string());
    report.time("rewrite", start);
    report.peak_rss_bytes = peak_rss_bytes();
    Ok(report)
}

/// Whether a row knows anything: identities of games always do.
pub(crate) fn knows_something(row: &ExperienceRow) -> bool {
    row.kind == Kind::Seen || !row.experience.is_empty()
}
