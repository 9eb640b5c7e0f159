//! What two experience files know differently.

use std::{iter::Peekable, path::Path};

use crate::{ExperienceFile, ExperienceRows};
use position::{ExperienceKind, ExperienceRow, Key, PackedMove};

use crate::Result;

/// An edge about which two files know different things.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What the first file knows.
    pub first: Option<ExperienceRow>,
    /// What the second file knows.
    pub second: Option<ExperienceRow>,
}

/// The differences in values of two files, ascending. Where values came from, and which games
/// taught, is not compared.
pub struct Differences {
    first: Rows,
    second: Rows,
    /// Rows so far whose values are equal.
    pub equal: u64,
}

/// Compares two experience files.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub fn diff(first: &Path, second: &Path) -> Result<Differences> {
    Ok(Differences { first: Rows::open(first)?, second: Rows::open(second)?, equal: 0 })
}

/// Rows of a file without identities of games.
struct Rows(Peekable<ExperienceRows>);

impl Rows {
    fn open(path: &Path) -> Result<Self> {
        Ok(Self(ExperienceFile::open(path)?.read()?.peekable()))
    }

    /// What the next row is about.
    fn next_id(&mut self) -> Result<Option<(Key, PackedMove, ExperienceKind)>> {
        while self.0.next_if(|row| row.as_ref().is_ok_and(|row| row.kind == ExperienceKind::Seen)).is_some() {
        }
        match self.0.peek() {
            Some(Ok(row)) => Ok(Some(row.id())),
            Some(Err(_)) => self.next().map(|_| None),
            None => Ok(None),
        }
    }

    fn next(&mut self) -> Result<Option<ExperienceRow>> {
        Ok(self.0.next().transpose()?)
    }
}

impl Differences {
    fn next_difference(&mut self) -> Result<Option<Difference>> {
        loop {
            let (a, b) = (self.first.next_id()?, self.second.next_id()?);
            let Some(lowest) = a.into_iter().chain(b).min() else { return Ok(None) };
            let first = if a == Some(lowest) { self.first.next()? } else { None };
            let second = if b == Some(lowest) { self.second.next()? } else { None };
            match (&first, &second) {
                (Some(one), Some(other)) if one.experience == other.experience => self.equal += 1,
                _ => return Ok(Some(Difference { first, second })),
            }
        }
    }
}

impl Iterator for Differences {
    type Item = Result<Difference>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_difference().transpose()
    }
}
