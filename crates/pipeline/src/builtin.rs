//! The recipes behind the commands: what `tabia build` and its kin run is data too.

use std::path::PathBuf;

use crate::{
    Limits, Recipe, Result,
    stages::{
        BookExperienceSettings, CompactSettings, CraftySettings, GamesSettings, LearnAnnotationsSettings,
        LearnCraftySettings, LearnGamesSettings, OpenBookSettings, OpenExperienceSettings, OpenTableSettings,
        ParquetSettings, PolyglotSettings, ReadGamesSettings, ReplaySettings, ReportSettings,
        SortMergeSettings, UnfoldBookSettings,
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

/// What a build does besides counting and compacting.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Crafty's learned PGN to replay over the book.
    pub learned: Option<CraftySettings>,
    /// A Polyglot book beside it.
    pub polyglot: Option<PolyglotSettings>,
    /// Readable Parquet of all counts beside it.
    pub parquet: Option<ParquetSettings>,
}

/// `tabia count`: PGN into a table.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn count(counting: &Counting, limits: Limits) -> Result<Recipe> {
    counting.stages(Recipe::new("Games counted into a table", limits))
}

/// `tabia build`: PGN into a book; if wanted, Crafty's learned PGN over it, a Polyglot book and readable Parquet beside it.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn build(counting: &Counting, book: &CompactSettings, beside: &Beside, limits: Limits) -> Result<Recipe> {
    let mut recipe = counting.stages(Recipe::new("Games counted and compacted into a book", limits))?;
    if let Some(learning) = &beside.learned {
        let learning = LearnCraftySettings { learning: learning.clone(), keeps: book.keeps.clone() };
        recipe = recipe.stage("learn", "learn-crafty", &["tally"], &learning)?;
    }
    let inputs: &[&str] = if beside.learned.is_some() { &["tally", "learn"] } else { &["tally"] };
    let mut recipe = recipe.stage("book", "compact", inputs, book)?;
    if let Some(polyglot) = &beside.polyglot {
        recipe = recipe.stage("polyglot", "export-polyglot", &["book"], polyglot)?;
    }
    if let Some(parquet) = &beside.parquet {
        recipe = recipe.stage("parquet", "export-parquet", inputs, parquet)?;
    }
    Ok(recipe)
}

/// `tabia compact`: a table into a book.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn compact(
    table: PathBuf,
    experience: &[PathBuf],
    book: &CompactSettings,
    limits: Limits,
) -> Result<Recipe> {
    let recipe = Recipe::new("A table compacted into a book", limits);
    let mut recipe = recipe.stage("table", "open-table", &[], &OpenTableSettings { path: table })?;
    let mut inputs = vec!["table".to_owned()];
    for (path, number) in experience.iter().zip(1..) {
        let name = format!("experience{number:02}");
        recipe =
            recipe.stage(&name, "open-experience", &[], &OpenExperienceSettings { path: path.clone() })?;
        inputs.push(name);
    }
    recipe.stage("book", "compact", &inputs.iter().map(String::as_str).collect::<Vec<_>>(), book)
}

/// `tabia learn crafty`: Crafty's learned PGN over the book a table makes.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn learn_crafty(table: PathBuf, learning: &LearnCraftySettings, limits: Limits) -> Result<Recipe> {
    Recipe::new("Crafty's records replayed over a book", limits)
        .stage("table", "open-table", &[], &OpenTableSettings { path: table })?
        .stage("learn", "learn-crafty", &["table"], learning)
}

/// `tabia learn games`: an engine's own games over the book a table makes.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn learn_games(
    (games, replay): (&ReadGamesSettings, &ReplaySettings),
    table: PathBuf,
    learning: &LearnGamesSettings,
    limits: Limits,
) -> Result<Recipe> {
    Recipe::new("Own games over a book", limits)
        .stage("games", "read-games", &[], games)?
        .stage("replay", "replay", &["games"], replay)?
        .stage("table", "open-table", &[], &OpenTableSettings { path: table })?
        .stage("learn", "learn-games", &["replay", "table"], learning)
}

/// `tabia learn annotations`: the marks of annotated lines.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn learn_annotations(
    (games, replay): (&ReadGamesSettings, &ReplaySettings),
    learning: &LearnAnnotationsSettings,
    limits: Limits,
) -> Result<Recipe> {
    Recipe::new("Marks of annotated lines", limits)
        .stage("games", "read-games", &[], games)?
        .stage("replay", "replay", &["games"], replay)?
        .stage("learn", "learn-annotations", &["replay"], learning)
}

/// `tabia export parquet`: a table, with experience beside it, as readable Parquet.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn export_table(
    table: PathBuf,
    experience: &[PathBuf],
    parquet: &ParquetSettings,
    limits: Limits,
) -> Result<Recipe> {
    let recipe = Recipe::new("A table as readable Parquet", limits);
    let recipe = recipe.stage("table", "open-table", &[], &OpenTableSettings { path: table })?;
    let (recipe, inputs) = with_experience(recipe, "table", experience)?;
    recipe.stage("parquet", "export-parquet", &inputs.iter().map(String::as_str).collect::<Vec<_>>(), parquet)
}

/// `tabia export parquet`: a book and what it knows as readable Parquet.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn export_book(book: PathBuf, parquet: &ParquetSettings, limits: Limits) -> Result<Recipe> {
    Recipe::new("A book as readable Parquet", limits)
        .stage("book", "open-book", &[], &OpenBookSettings { path: book })?
        .stage("counts", "unfold-book", &["book"], &UnfoldBookSettings {})?
        .stage("known", "book-experience", &["book"], &BookExperienceSettings::default())?
        .stage("parquet", "export-parquet", &["counts", "known"], parquet)
}

/// `tabia export games`: games as typed rows.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn export_games(
    (games, replay): (&ReadGamesSettings, &ReplaySettings),
    rows: &GamesSettings,
    limits: Limits,
) -> Result<Recipe> {
    Recipe::new("Games as typed rows", limits)
        .stage("games", "read-games", &[], games)?
        .stage("replay", "replay", &["games"], replay)?
        .stage("rows", "export-games", &["replay"], rows)
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

/// `tabia report`: a table as a page to look at.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn report_table(table: PathBuf, report: &ReportSettings, limits: Limits) -> Result<Recipe> {
    Recipe::new("A table as a page to look at", limits)
        .stage("table", "open-table", &[], &OpenTableSettings { path: table })?
        .stage("report", "report", &["table"], report)
}

/// `tabia report`: a book as a page to look at.
///
/// # Errors
///
/// If a setting cannot be written in a recipe.
pub fn report_book(book: PathBuf, report: &ReportSettings, limits: Limits) -> Result<Recipe> {
    Recipe::new("A book as a page to look at", limits)
        .stage("book", "open-book", &[], &OpenBookSettings { path: book })?
        .stage("counts", "unfold-book", &["book"], &UnfoldBookSettings {})?
        .stage("report", "report", &["counts"], report)
}

/// Opens experience files; the inputs of a stage that takes `first` and all of them.
fn with_experience(mut recipe: Recipe, first: &str, files: &[PathBuf]) -> Result<(Recipe, Vec<String>)> {
    let mut inputs = vec![first.to_owned()];
    for (path, number) in files.iter().zip(1..) {
        let name = format!("experience{number:02}");
        recipe =
            recipe.stage(&name, "open-experience", &[], &OpenExperienceSettings { path: path.clone() })?;
        inputs.push(name);
    }
    Ok((recipe, inputs))
}

impl Counting {
    fn stages(&self, recipe: Recipe) -> Result<Recipe> {
        recipe
            .stage("games", "read-games", &[], &self.games)?
            .stage("replay", "replay", &["games"], &self.replay)?
            .stage("tally", "sort-merge", &["replay"], &self.tally)
    }
}
