//! The recipes of commands: what `tabia build` and others run is data too.

use std::path::PathBuf;

use super::{AnyStage, Recipe};
use crate::{
    Limits,
    games::{ReadGames, Replay},
    shard::{Compact, ExportParquet, ExportPolyglot, KeptMoves, MakeSuite, Report},
    sink::{ExportGames, LearnAnnotations, LearnCrafty, LearnGames, SortMerge, WriteGames},
    source::{Expected, Open},
};

/// Games, and how they are replayed: the first two stages of every recipe that reads PGN.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// Where games come from.
    pub read: ReadGames,
    /// Which count and how.
    pub replay: Replay,
}

/// What a build does besides counting and compacting.
#[derive(Clone, Debug, Default)]
pub struct BuildOutputs {
    /// Crafty's learned PGN to replay over the book.
    pub learn: Option<LearnCrafty>,
    /// A Polyglot book beside it.
    pub polyglot: Option<ExportPolyglot>,
    /// Readable Parquet of all counts beside it.
    pub parquet: Option<ExportParquet>,
}

/// `tabia count`: PGN into a table.
#[must_use]
pub fn count(games: Games, tally: SortMerge, limits: Limits) -> Recipe {
    counted("Games counted into a table", games, tally, limits)
}

/// `tabia build`: PGN into a book, of a repertoire with the marks of its moves; if wanted, Crafty's learned
/// PGN over it, a Polyglot book and readable Parquet beside it.
#[must_use]
pub fn build(games: Games, tally: SortMerge, book: Compact, outputs: BuildOutputs, limits: Limits) -> Recipe {
    let has_marks = games.replay.options.counting.repertoire;
    let mut recipe = counted("Games counted and compacted into a book", games, tally, limits);
    let mut inputs = vec!["tally"];
    if has_marks {
        let marks = AnyStage::LearnAnnotations(LearnAnnotations { optional: true, ..Default::default() });
        recipe = recipe.stage("marks", marks, &["replay"]);
        inputs.push("marks");
    }
    if let Some(learn) = outputs.learn {
        let learn = LearnCrafty { book: book.keep.clone(), ..learn };
        recipe = recipe.stage("learn", AnyStage::LearnCrafty(learn), &["tally"]);
        inputs.push("learn");
    }
    recipe = recipe.stage("book", AnyStage::Compact(book), &inputs);
    if let Some(polyglot) = outputs.polyglot {
        recipe = recipe.stage("polyglot", AnyStage::ExportPolyglot(polyglot), &["book"]);
    }
    if let Some(parquet) = outputs.parquet {
        recipe = recipe.stage("parquet", AnyStage::ExportParquet(parquet), &inputs);
    }
    recipe
}

/// `tabia compact`: a table into a book.
#[must_use]
pub fn compact(table: PathBuf, experience: &[PathBuf], book: Compact, limits: Limits) -> Recipe {
    let recipe = Recipe::new("A table compacted into a book", limits);
    let recipe = recipe.stage::<&str>("table", open(Expected::Table, table), &[]);
    let (recipe, inputs) = with_experience(recipe, "table", experience);
    recipe.stage("book", AnyStage::Compact(book), &inputs)
}

/// `tabia learn crafty`: Crafty's learned PGN over the book a table makes.
#[must_use]
pub fn learn_crafty(table: PathBuf, learn: LearnCrafty, limits: Limits) -> Recipe {
    Recipe::new("Crafty's records replayed over a book", limits)
        .stage::<&str>("table", open(Expected::Table, table), &[])
        .stage("learn", AnyStage::LearnCrafty(learn), &["table"])
}

/// `tabia learn games`: an engine's own games over the book a table makes.
#[must_use]
pub fn learn_games(games: Games, table: PathBuf, learn: LearnGames, limits: Limits) -> Recipe {
    replayed("Own games over a book", games, limits)
        .stage::<&str>("table", open(Expected::Table, table), &[])
        .stage("learn", AnyStage::LearnGames(learn), &["replay", "table"])
}

/// `tabia learn annotations`: the marks of annotated lines.
#[must_use]
pub fn learn_annotations(games: Games, learn: LearnAnnotations, limits: Limits) -> Recipe {
    let recipe = replayed("Marks of annotated lines", games, limits);
    recipe.stage("learn", AnyStage::LearnAnnotations(learn), &["replay"])
}

/// `tabia export parquet`: a table, with experience beside it, or a book as readable Parquet.
#[must_use]
pub fn export_parquet(
    input: PathBuf,
    experience: &[PathBuf],
    parquet: ExportParquet,
    limits: Limits,
) -> Recipe {
    let recipe = Recipe::new("Counts as readable Parquet", limits);
    let recipe = recipe.stage::<&str>("input", open(Expected::Any, input), &[]);
    let (recipe, inputs) = with_experience(recipe, "input", experience);
    recipe.stage("parquet", AnyStage::ExportParquet(parquet), &inputs)
}

/// `tabia export games`: games as typed rows.
#[must_use]
pub fn export_games(games: Games, rows: ExportGames, limits: Limits) -> Recipe {
    let recipe = replayed("Games as typed rows", games, limits);
    recipe.stage("rows", AnyStage::ExportGames(rows), &["replay"])
}

/// `tabia filter`: the text of games that pass, and of those that do not, unchanged.
#[must_use]
pub fn filter(games: Games, files: WriteGames, limits: Limits) -> Recipe {
    let recipe = replayed("Games that count, as they are written", games, limits);
    recipe.stage("files", AnyStage::WriteGames(files), &["replay"])
}

/// `tabia export polyglot` of a table: the table is compacted into a temporary book, and this into a Polyglot
/// book.
#[must_use]
pub fn export_polyglot_of_table(
    table: PathBuf,
    keep: KeptMoves,
    polyglot: ExportPolyglot,
    limits: Limits,
) -> Recipe {
    let book = Compact { keep, ..Compact::default() };
    Recipe::new("A table written in Polyglot's format", limits)
        .stage::<&str>("table", open(Expected::Table, table), &[])
        .stage("book", AnyStage::Compact(book), &["table"])
        .stage("polyglot", AnyStage::ExportPolyglot(polyglot), &["book"])
}

/// `tabia export polyglot`: a book into a Polyglot book.
#[must_use]
pub fn export_polyglot(book: PathBuf, polyglot: ExportPolyglot, limits: Limits) -> Recipe {
    Recipe::new("A book written in Polyglot's format", limits)
        .stage::<&str>("book", open(Expected::Book, book), &[])
        .stage("polyglot", AnyStage::ExportPolyglot(polyglot), &["book"])
}

/// `tabia report`: a table or a book as a page to look at.
#[must_use]
pub fn report(input: PathBuf, experience: &[PathBuf], report: Report, limits: Limits) -> Recipe {
    let recipe = Recipe::new("Counts as a page to look at", limits);
    let recipe = recipe.stage::<&str>("input", open(Expected::Any, input), &[]);
    let (recipe, inputs) = with_experience(recipe, "input", experience);
    recipe.stage("report", AnyStage::Report(report), &inputs)
}

/// `tabia suite`: openings for engine tests, chosen from a table, with experience beside it, or a book.
#[must_use]
pub fn suite(input: PathBuf, experience: &[PathBuf], suite: MakeSuite, limits: Limits) -> Recipe {
    let recipe = Recipe::new("Openings for engine tests", limits);
    let recipe = recipe.stage::<&str>("input", open(Expected::Any, input), &[]);
    let (recipe, inputs) = with_experience(recipe, "input", experience);
    recipe.stage("suite", AnyStage::Suite(suite), &inputs)
}

fn counted(summary: &str, games: Games, tally: SortMerge, limits: Limits) -> Recipe {
    replayed(summary, games, limits).stage("tally", AnyStage::SortMerge(tally), &["replay"])
}

fn replayed(summary: &str, games: Games, limits: Limits) -> Recipe {
    Recipe::new(summary, limits).stage::<&str>("games", AnyStage::ReadGames(games.read), &[]).stage(
        "replay",
        AnyStage::Replay(games.replay),
        &["games"],
    )
}

/// Opens experience files; the inputs of a stage that takes `first` and all of them.
fn with_experience(mut recipe: Recipe, first: &str, files: &[PathBuf]) -> (Recipe, Vec<String>) {
    let mut inputs = vec![first.to_owned()];
    for (path, number) in files.iter().zip(1..) {
        let name = format!("experience{number:02}");
        recipe = recipe.stage::<&str>(&name, open(Expected::Experience, path.clone()), &[]);
        inputs.push(name);
    }
    (recipe, inputs)
}

fn open(expected: Expected, path: PathBuf) -> AnyStage {
    AnyStage::Open(Open { path, expected })
}
