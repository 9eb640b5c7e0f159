//! A view of an artefact: all of its games or only some, with its own experience or the caller's.

use experience::{ExperienceSource, LoadedRows};
use position::Key;
use table::{Row, Table, Weighing};

use crate::{Artefact, GamesFilter, Result};

/// A view of an artefact, used to answer questions. A grouped table may be restricted to some of its games,
/// and experience from the caller may replace the artefact's own.
#[derive(Clone, Copy)]
#[must_use]
pub struct View<'a> {
    pub(crate) artefact: &'a Artefact,
    /// Rows of experience, and the sources they refer to.
    pub(crate) experience: Option<(&'a LoadedRows, &'a [ExperienceSource])>,
    pub(crate) games: Option<&'a GamesFilter>,
    /// The weights of a table's games; `None` if every game counts once.
    pub(crate) weighing: Option<&'a Weighing>,
}

impl<'a> View<'a> {
    /// Creates a view of all of the artefact's games, without weights, and with the artefact's own
    /// experience.
    pub fn of(artefact: &'a Artefact) -> Self {
        Self { artefact, experience: None, games: None, weighing: None }
    }

    /// Uses `rows`, which refer to `sources`, in place of the artefact's own experience.
    pub fn with_experience(self, rows: &'a LoadedRows, sources: &'a [ExperienceSource]) -> Self {
        Self { experience: Some((rows, sources)), ..self }
    }

    /// Counts only the games that pass the filter. If the filter restricts something that the table is not
    /// grouped by, the view has no games. The filter has no effect on books and Polyglot books, because their
    /// counts are not grouped.
    pub fn only(self, games: &'a GamesFilter) -> Self {
        Self { games: Some(games), ..self }
    }

    /// The rows of a position that pass the filter, with weighted counts.
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
