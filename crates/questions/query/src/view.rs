//! How a question sees an artefact: with all of its games or only some, and with its own experience or a
//! caller's.

use experience::{ExperienceSource, LoadedRows};
use position::Key;
use table::{Row, Table, Weighing};

use crate::{Artefact, GamesFilter, Result};

/// An artefact as a question sees it. A table with groups may be restricted to some of its games, and a
/// caller's experience may replace the artefact's own.
#[derive(Clone, Copy)]
#[must_use]
pub struct View<'a> {
    pub(crate) artefact: &'a Artefact,
    /// Rows of experience, and the sources that they refer to.
    pub(crate) experience: Option<(&'a LoadedRows, &'a [ExperienceSource])>,
    pub(crate) games: Option<&'a GamesFilter>,
    /// The weights of a table's games; `None` if each game counts once.
    pub(crate) weighing: Option<&'a Weighing>,
}

impl<'a> View<'a> {
    /// An artefact as it is.
    pub fn of(artefact: &'a Artefact) -> Self {
        Self { artefact, experience: None, games: None, weighing: None }
    }

    /// Reads `rows` in place of the artefact's own experience; `sources` are the sources that `rows` refer
    /// to.
    pub fn with_experience(self, rows: &'a LoadedRows, sources: &'a [ExperienceSource]) -> Self {
        Self { experience: Some((rows, sources)), ..self }
    }

    /// Counts only games that pass the filter. A table that is not grouped by what the filter asks for has no
    /// games in this view, unless the filter lets every game pass. The filter has no effect on books and
    /// Polyglot books, which do not keep games apart.
    pub fn only(self, games: &'a GamesFilter) -> Self {
        Self { games: Some(games), ..self }
    }

    /// The rows of a position that pass the filter, with counts weighed.
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
