//! Applies changes to older experience, and writes the result.

use std::{collections::BTreeMap, iter::Peekable, path::Path};

use crate::{ExperienceFile, ExperienceHeader, ExperienceRows, ExperienceSource, ExperienceWriter};
use output::Prepared;
use position::{Contribution, ExperienceRow};

use crate::{
    Change, EvaluationRow, Job, Result, WrittenFile,
    rewrite::knows_something,
    union::{add, join_sources},
};

/// The older experience to which changes are applied, and the table, the book and the sources from which the
/// changes were learned.
#[derive(Default)]
pub struct Base<'b> {
    /// The older experience; `None` if there is none.
    pub old: Option<&'b ExperienceFile>,
    /// The digest of the table used for learning.
    pub table: Option<String>,
    /// The filters of the book used for learning, as text.
    pub book: Option<String>,
    /// The sources of the changes; each change refers to its sources by their indexes in this list.
    pub sources: Vec<ExperienceSource>,
    /// The FENs, by key, of the positions for which position learning has values.
    pub positions: BTreeMap<String, String>,
    /// Whether there are evaluations among the changes.
    pub evaluations: bool,
}

/// Applies `changes` to the old experience, and writes the result to `output`. The changes must be in
/// ascending order; several changes may be for the same row.
///
/// # Errors
///
/// Fails if the old file cannot be read or the new file cannot be written, and with [`fault::Stop`] if the
/// caller asked to stop.
pub fn update(
    base: &Base<'_>,
    changes: impl Iterator<Item = Change>,
    output: &Path,
    job: Job<'_>,
) -> Result<WrittenFile> {
    let (written, prepared) = prepare_update(base, changes, output, job)?;
    prepared.publish().map_err(|error| fault::output(output)(error.into()))?;
    Ok(written)
}

/// Like [`update`], but leaves the final rename to the caller.
///
/// # Errors
///
/// Fails as [`update`] does.
pub fn prepare_update(
    base: &Base<'_>,
    changes: impl Iterator<Item = Change>,
    output: &Path,
    job: Job<'_>,
) -> Result<(WrittenFile, Prepared)> {
    let mut rows = UpdatedRows::new(base)?;
    let mut writer = ExperienceWriter::create(output, &rows.header, job.existing)?;
    let mut changes = changes.peekable();
    while let Some(row) = rows.next(&mut changes)? {
        job.check_stop()?;
        if knows_something(&row) {
            writer.push(&row)?;
        }
    }
    Ok(writer.prepare()?)
}

/// Like [`prepare_update`], but all changes are evaluations, each edge has at most one, and there is no older
/// experience. A list may have hundreds of millions of evaluations, so writing a row allocates no memory.
///
/// # Errors
///
/// Fails as [`update`] does.
pub fn prepare_evaluations(
    base: &Base<'_>,
    found: impl Iterator<Item = EvaluationRow>,
    output: &Path,
    job: Job<'_>,
) -> Result<(WrittenFile, Prepared)> {
    let UpdatedRows { header, places, .. } = UpdatedRows::new(base)?;
    let mut writer = ExperienceWriter::create(output, &header, job.existing)?;
    let mut row: Option<ExperienceRow> = None;
    for found in found {
        job.check_stop()?;
        let row = row.get_or_insert_with(|| found.row(0));
        (row.key, row.mv, row.experience) = (found.key, found.mv, found.experience);
        row.taught[0].source = places[found.source as usize];
        writer.push(row)?;
    }
    Ok(writer.prepare()?)
}

/// The old rows with the changes applied.
struct UpdatedRows {
    header: ExperienceHeader,
    old: Option<Peekable<ExperienceRows>>,
    /// For each source of the old file, its index in `header`.
    old_places: Vec<u32>,
    /// For each source of the changes, its index in `header`.
    places: Vec<u32>,
}

impl UpdatedRows {
    fn new(base: &Base<'_>) -> Result<Self> {
        let old_header = base.old.map(ExperienceFile::header);
        let old_sources = old_header.map_or(&[][..], |header| &header.sources);
        let (sources, names) = join_sources(&[old_sources, &base.sources], add);
        let header = ExperienceHeader::new(
            agreed(base.table.as_ref(), old_header.and_then(|header| header.table.as_ref())),
            agreed(base.book.as_ref(), old_header.and_then(|header| header.book.as_ref())),
            sources,
        );
        let old_positions = old_header.map(|header| header.positions.clone()).unwrap_or_default();
        let evaluations = base.evaluations || old_header.is_some_and(|header| header.evaluations);
        let header = header.with_positions(old_positions).with_positions(base.positions.clone());
        let header = header.with_evaluations(evaluations);
        let places =
            |names: &[String]| names.iter().map(|name| header.source(name).unwrap_or_default()).collect();
        let (old_places, places) = (places(&names[0]), places(&names[1]));
        let old = base.old.map(ExperienceFile::read).transpose()?.map(Iterator::peekable);
        Ok(Self { header, old, old_places, places })
    }

    /// Returns the next row, which is an old row, a new row, or an old row with changes applied.
    fn next(
        &mut self,
        changes: &mut Peekable<impl Iterator<Item = Change>>,
    ) -> Result<Option<ExperienceRow>> {
        let next_old =
            self.old.as_mut().and_then(Peekable::peek).and_then(|row| Some(row.as_ref().ok()?.id()));
        let next_change = changes.peek().map(Change::id);
        let Some(id) = next_old.into_iter().chain(next_change).min() else {
            // There is no further row, or the next old row cannot be read.
            return Ok(self.old.as_mut().and_then(Iterator::next).transpose()?);
        };
        let mut row = None;
        if next_old == Some(id) {
            row = self.old.as_mut().and_then(Iterator::next).transpose()?;
            if let Some(row) = &mut row {
                renumber(&mut row.taught, &self.old_places);
            }
        }
        while let Some(mut change) = changes.next_if(|change| change.id() == id) {
            renumber(&mut change.taught, &self.places);
            row = Some(change.apply(row));
        }
        Ok(row)
    }
}

/// Compares the table (or the book) recorded for the changes with the one recorded in the old file. Returns
/// `None` if both are recorded but differ; otherwise returns the one that is recorded, if any.
fn agreed(ours: Option<&String>, old: Option<&String>) -> Option<String> {
    match (ours, old) {
        (Some(ours), Some(old)) if ours != old => None,
        (ours, old) => ours.or(old).cloned(),
    }
}

/// Renumbers sources by their indexes in the joined list.
fn renumber(taught: &mut [Contribution], places: &[u32]) {
    for taught in &mut *taught {
        taught.source = places[taught.source as usize];
    }
    taught.sort_unstable();
}
