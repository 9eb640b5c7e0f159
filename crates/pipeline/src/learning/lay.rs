//! Writing lessons over the experience that was there before.

use std::{iter::Peekable, path::Path};

use position::{ExperienceRow, Taught};
use table::{
    ExperienceFile, ExperienceHeader, ExperienceRows, ExperienceSource, ExperienceStats, ExperienceWriter,
};

use super::lessons::Change;
use crate::{
    Context, Result,
    experience::{join_sources, knows_something},
};

/// Who teaches, in what, and on top of what.
pub(super) struct Ground<'g> {
    /// Experience that was there before.
    pub(super) old: Option<&'g ExperienceFile>,
    /// Digest of the table.
    pub(super) table: Option<String>,
    /// The book filter, described.
    pub(super) book: Option<String>,
    /// The sources; lessons refer to their places here.
    pub(super) sources: Vec<ExperienceSource>,
}

/// Writes `changes`, which ascend and may meet on one row, over the old experience to `output`.
pub(super) fn lay(
    context: &Context,
    ground: &Ground<'_>,
    changes: impl Iterator<Item = Change>,
    output: &Path,
) -> Result<ExperienceStats> {
    context.progress.enter("writing experience", 0);
    let mut layers = Layers::new(ground)?;
    let mut writer = ExperienceWriter::create(output, &layers.header, context.existing())?;
    let mut changes = changes.peekable();
    while let Some(row) = layers.next_row(&mut changes)? {
        context.check_cancelled()?;
        if knows_something(&row) {
            writer.push(&row)?;
        }
    }
    Ok(writer.finish()?)
}

struct Layers {
    header: ExperienceHeader,
    old: Option<Peekable<ExperienceRows>>,
    /// Places in the header of the old file's sources, and of the new ones.
    old_places: Vec<u32>,
    places: Vec<u32>,
}

impl Layers {
    fn new(ground: &Ground<'_>) -> Result<Self> {
        let old_header = ground.old.map(ExperienceFile::header);
        let kept = |ours: &Option<String>, old: Option<&Option<String>>| match (ours, old) {
            (Some(ours), Some(Some(old))) if ours != old => None,
            (Some(ours), _) => Some(ours.clone()),
            (None, old) => old.cloned().flatten(),
        };
        let old_sources = old_header.map_or(&[][..], |header| &header.sources);
        let (sources, names) = join_sources(&[old_sources, &ground.sources]);
        let header = ExperienceHeader::new(
            kept(&ground.table, old_header.map(|header| &header.table)),
            kept(&ground.book, old_header.map(|header| &header.book)),
            sources,
        );
        let places =
            |names: &[String]| names.iter().map(|name| header.source(name).unwrap_or_default()).collect();
        let (old_places, places) = (places(&names[0]), places(&names[1]));
        let old = ground.old.map(ExperienceFile::read).transpose()?.map(Iterator::peekable);
        Ok(Self { header, old, old_places, places })
    }

    /// The next row: an old one, a new one, or an old one with lessons on top.
    fn next_row(
        &mut self,
        changes: &mut Peekable<impl Iterator<Item = Change>>,
    ) -> Result<Option<ExperienceRow>> {
        let next_old =
            self.old.as_mut().and_then(Peekable::peek).and_then(|row| Some(row.as_ref().ok()?.id()));
        let next_change = changes.peek().map(Change::id);
        let Some(id) = next_old.into_iter().chain(next_change).min() else {
            // Nothing more, or an old row that cannot be read.
            return Ok(self.old.as_mut().and_then(Iterator::next).transpose()?);
        };
        let mut row = None;
        if next_old == Some(id) {
            row = self.old.as_mut().and_then(Iterator::next).transpose()?;
            if let Some(row) = &mut row {
                moved(&mut row.taught, &self.old_places);
            }
        }
        while let Some(mut change) = changes.next_if(|change| change.id() == id) {
            moved(&mut change.taught, &self.places);
            row = Some(change.apply(row));
        }
        Ok(row)
    }
}

/// Sources by their places in the joined list.
fn moved(taught: &mut [Taught], places: &[u32]) {
    for taught in &mut *taught {
        taught.source = places[taught.source as usize];
    }
    taught.sort_unstable();
}
