//! Compares the experience in two files.

use std::path::Path;

use itertools::{EitherOrBoth, Itertools as _};
use position::{ExperienceKind, ExperienceRow};

use crate::{ExperienceFile, Result};

/// An edge whose experience differs between two files.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The edge's row in the first file, if there is one.
    pub first: Option<ExperienceRow>,
    /// The edge's row in the second file, if there is one.
    pub second: Option<ExperienceRow>,
}

type Row = table::Result<ExperienceRow>;

/// The differences between the values in two files, in ascending order. The sources of the values and the
/// identities of games are not compared.
pub struct Differences {
    joined: Box<dyn Iterator<Item = EitherOrBoth<Row>>>,
    /// The number of rows with equal values so far.
    pub equal: u64,
}

/// Compares two experience files.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub fn diff(first: &Path, second: &Path) -> Result<Differences> {
    // A row that cannot be read has the id `None`, which sorts before all others, so the error is returned
    // next.
    let id = |row: &Row| row.as_ref().ok().map(ExperienceRow::id);
    let joined = rows(first)?.merge_join_by(rows(second)?, move |a, b| id(a).cmp(&id(b)));
    Ok(Differences { joined: Box::new(joined), equal: 0 })
}

/// Returns the rows of a file, except the identities of games.
fn rows(path: &Path) -> Result<impl Iterator<Item = Row> + use<>> {
    let is_seen = |row: &Row| row.as_ref().is_ok_and(|row| row.kind == ExperienceKind::Seen);
    Ok(ExperienceFile::open(path)?.read()?.filter(move |row| !is_seen(row)))
}

impl Differences {
    fn next_difference(&mut self) -> Result<Option<Difference>> {
        for pair in &mut self.joined {
            let (first, second) = pair.left_and_right();
            let (first, second) = (first.transpose()?, second.transpose()?);
            match (&first, &second) {
                (Some(one), Some(other)) if one.experience == other.experience => self.equal += 1,
                _ => return Ok(Some(Difference { first, second })),
            }
        }
        Ok(None)
    }
}

impl Iterator for Differences {
    type Item = Result<Difference>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_difference().transpose()
    }
}
