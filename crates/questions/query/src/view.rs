//! An artefact as a question sees it: with its own games and experience, or with others in their place.

use experience::{ExperienceSource, LoadedRows};
use position::Key;
use table::{Row, Table, Weighing};

use crate::{Artefact, GamesFilter, Result};

/// An artefact, perhaps with a choice of its games, if a table counted them apart, and perhaps with
/// experience in place of its own.
#[derive(Clone, Copy)]
#[must_use]
pub struct View<'a> {
    pub(crate) artefact: &'a Artefact,
    /// Rows, and the sources that they refer to.
    pub(crate) experience: Option<(&'a LoadedRows, &'a [ExperienceSource])>,
    pub(crate) games: Option<&'a GamesFilter>,
    /// How much games of a table count.
    pub(crate) weighing: Option<&'a Weighing>,
}

impl<'a> View<'a> {
    /// All of an artefact.
    pub fn of(artefact: &'a Artefact) -> Self {
        Self { artefact, experience: None, games: None, weighing: None }
    }

    /// Reads `rows` in place of the artefact's own experience; `sources` are the teachers that they refer to.
    pub fn with_experience(self, rows: &'a LoadedRows, sources: &'a [ExperienceSource]) -> Self {
        Self { experience: Some((rows, sources)), ..self }
    }

    /// Counts only these games. A table that did not count them apart has no games then, unless the filter
    /// admits every game. Books and Polyglot books do not know their games, and the filter does not change
    /// them.
    pub fn only(self, games: &'a GamesFilter) -> Self {
        Self { games: Some(games), ..self }
    }

    /// The rows of a position that count, with the weights at which they count.
    pub(crate) fn rows_of(&self, table: &Table, key: Key) -> Result<Vec<Row>> {
        let mut rows = table.rows_of(key)?;
        if let Some(games) = self.games {
            rows.retain(|row| games.admits(row.group));
        }
        if let Some(weighing) = self.weighing {
            weighing.weigh(&mut rows);
        }
        Ok(rows)
    }
}
