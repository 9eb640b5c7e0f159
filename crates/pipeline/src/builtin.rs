//! The recipes behind the commands: what `tabia build` and its kin run is data too.

use std::path::PathBuf;

use crate::{
    Limits, Recipe, Result,
    stages::{
        CompactSettings, OpenBookSettings, OpenTableSettings, PolyglotSettings, ReadGamesSettings,
        ReplaySettings, SortMergeSettings,
    },
};

/// Games into counts: the first half of every build.
pub struct Counting {
    /// Where games come from.
    pub games: ReadGamesSettings,
    /// Which count and how.
    pub replay: ReplaySettings,
    /// How counts are sorted and where the table goes, if it is kept.
    pub tally: SortMergeSettings,
}

/// `tabia count`: PGN into a table.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn count(counting: &Counting, limits: Limits) -> Result<Recipe> {
    counting.stages(Recipe::new("Games counted into a table", limits))
}

/// `tabia build`: PGN into a book, and a Polyglot book beside it if wanted.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn build(
    counting: &Counting,
    book: &CompactSettings,
    polyglot: Option<&PolyglotSettings>,
    limits: Limits,
) -> Result<Recipe> {
    let recipe = counting.stages(Recipe::new("Games counted and compacted into a book", limits))?;
    let recipe = recipe.stage("book", "compact", &["tally"], book)?;
    match polyglot {
        Some(polyglot) => recipe.stage("polyglot", "export-polyglot", &["book"], polyglot),
        None => Ok(recipe),
    }
}

/// `tabia compact`: a table into a book.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn compact(table: PathBuf, book: &CompactSettings, limits: Limits) -> Result<Recipe> {
    Recipe::new("A table compacted into a book", limits)
        .stage("table", "open-table", &[], &OpenTableSettings { path: table })?
        .stage("book", "compact", &["table"], book)
}

/// `tabia export polyglot`: a book into a Polyglot book.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn export_polyglot(book: PathBuf, polyglot: &PolyglotSettings, limits: Limits) -> Result<Recipe> {
    Recipe::new("A book written in Polyglot's format", limits)
        .stage("book", "open-book", &[], &OpenBookSettings { path: book })?
        .stage("polyglot", "export-polyglot", &["book"], polyglot)
}

impl Counting {
    fn stages(&self, recipe: Recipe) -> Result<Recipe> {
        recipe
            .stage("games", "read-games", &[], &self.games)?
            .stage("replay", "replay", &["games"], &self.replay)?
            .stage("tally", "sort-merge", &["replay"], &self.tally)
    }
}
