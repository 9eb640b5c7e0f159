//! The recipes of commands: what `tabia build` and other commands run is data too.

use std::path::PathBuf;

use count::KeptMoves;
use games::{ReadGames, Replay};
use run::Limits;
use teach::{BackUp, LearnAnnotations, LearnCrafty, LearnEngine, LearnEvals, LearnGames};

use super::{AnyStage, Recipe};
use crate::stages::{
    Compact, ExportGames, ExportParquet, ExportPolyglot, InputKind, MakeSuite, Open, RefineSuite, Report,
    ReviewGames, SortMerge, WriteGames,
};

/// Games, and how they are replayed: the first two stages of every recipe that reads PGN.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// The inputs of the games.
    pub read: ReadGames,
    /// Which games count, and how they are replayed.
    pub replay: Replay,
}

/// The outputs of a build besides its book.
#[derive(Clone, Debug, Default)]
pub struct BuildOutputs {
    /// Crafty's learned PGN to replay over the book.
    pub learn: Option<LearnCrafty>,
    /// A Polyglot book written beside the book.
    pub polyglot: Option<ExportPolyglot>,
    /// Readable Parquet of all counts, written beside the book.
    pub parquet: Option<ExportParquet>,
}

/// `tabia count` makes a table from PGN.
#[must_use]
pub fn count(games: Games, tally: SortMerge, limits: Limits) -> Recipe {
    counted("Games counted into a table", games, tally, limits)
}

/// `tabia build` makes a book from PGN. The book of a repertoire has the marks of its moves. Crafty's
/// learned PGN over it, a Polyglot book and readable Parquet are optional.
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

/// `tabia compact` makes a book from a table.
#[must_use]
pub fn compact(table: PathBuf, experience: &[PathBuf], book: Compact, limits: Limits) -> Recipe {
    let recipe = Recipe::new("A table compacted into a book", limits);
    let recipe = recipe.stage::<&str>("table", open(InputKind::Table, table), &[]);
    let (recipe, inputs) = with_experience(recipe, vec!["table".into()], experience);
    recipe.stage("book", AnyStage::Compact(book), &inputs)
}

/// `tabia learn crafty` replays Crafty's learned PGN over the book that a table makes.
#[must_use]
pub fn learn_crafty(table: PathBuf, learn: LearnCrafty, limits: Limits) -> Recipe {
    Recipe::new("Crafty's records replayed over a book", limits)
        .stage::<&str>("table", open(InputKind::Table, table), &[])
        .stage("learn", AnyStage::LearnCrafty(learn), &["table"])
}

/// `tabia learn games` replays an engine's own games over the book that a table makes.
#[must_use]
pub fn learn_games(games: Games, table: PathBuf, learn: LearnGames, limits: Limits) -> Recipe {
    replayed("Own games over a book", games, limits)
        .stage::<&str>("table", open(InputKind::Table, table), &[])
        .stage("learn", AnyStage::LearnGames(learn), &["replay", "table"])
}

/// `tabia learn annotations` collects the marks of annotated lines.
#[must_use]
pub fn learn_annotations(games: Games, learn: LearnAnnotations, limits: Limits) -> Recipe {
    let recipe = replayed("Marks of annotated lines", games, limits);
    recipe.stage("learn", AnyStage::LearnAnnotations(learn), &["replay"])
}

/// `tabia learn evals` takes values from lists of evaluated positions; with a table or a book, only those of
/// its positions.
#[must_use]
pub fn learn_evals(only: Option<PathBuf>, learn: LearnEvals, limits: Limits) -> Recipe {
    let recipe = Recipe::new("Values of evaluated positions", limits);
    let learn = AnyStage::LearnEvals(learn);
    match only {
        None => recipe.stage::<&str>("learn", learn, &[]),
        Some(path) => recipe.stage::<&str>("positions", open(InputKind::Any, path), &[]).stage(
            "learn",
            learn,
            &["positions"],
        ),
    }
}

/// `tabia learn engine` has an engine search the positions of a book.
#[must_use]
pub fn learn_engine(book: PathBuf, experience: &[PathBuf], learn: LearnEngine, limits: Limits) -> Recipe {
    let recipe = Recipe::new("Positions of a book, searched by an engine", limits);
    let recipe = recipe.stage::<&str>("book", open(InputKind::Book, book), &[]);
    let (recipe, inputs) = with_experience(recipe, vec!["book".into()], experience);
    recipe.stage("learn", AnyStage::LearnEngine(learn), &inputs)
}

/// `tabia experience minimax` backs the evaluations of a book's positions up over the book.
#[must_use]
pub fn minimax(book: PathBuf, evaluations: &[PathBuf], values: BackUp, limits: Limits) -> Recipe {
    let recipe = Recipe::new("Evaluations backed up over a book", limits);
    let recipe = recipe.stage::<&str>("book", open(InputKind::Any, book), &[]);
    let (recipe, inputs) = with_experience(recipe, vec!["book".into()], evaluations);
    recipe.stage("values", AnyStage::Minimax(values), &inputs)
}

/// `tabia export parquet` writes a table, with experience beside it, or a book as readable Parquet.
#[must_use]
pub fn export_parquet(
    input: PathBuf,
    experience: &[PathBuf],
    parquet: ExportParquet,
    limits: Limits,
) -> Recipe {
    let recipe = Recipe::new("Counts as readable Parquet", limits);
    let recipe = recipe.stage::<&str>("input", open(InputKind::Any, input), &[]);
    let (recipe, inputs) = with_experience(recipe, vec!["input".into()], experience);
    recipe.stage("parquet", AnyStage::ExportParquet(parquet), &inputs)
}

/// `tabia export games` writes games as typed rows.
#[must_use]
pub fn export_games(games: Games, rows: ExportGames, limits: Limits) -> Recipe {
    let recipe = replayed("Games as typed rows", games, limits);
    recipe.stage("rows", AnyStage::ExportGames(rows), &["replay"])
}

/// `tabia filter` writes the text of games that pass, and of those that do not, unchanged.
#[must_use]
pub fn filter(games: Games, files: WriteGames, limits: Limits) -> Recipe {
    let recipe = replayed("Games that count, as they are written", games, limits);
    recipe.stage("files", AnyStage::WriteGames(files), &["replay"])
}

/// `tabia review` finds where a player's games left a book.
#[must_use]
pub fn review(games: Games, book: PathBuf, review: ReviewGames, limits: Limits) -> Recipe {
    replayed("A player's games against a book", games, limits)
        .stage::<&str>("book", open(InputKind::Any, book), &[])
        .stage("review", AnyStage::Review(review), &["replay", "book"])
}

/// `tabia export polyglot` of a table compacts it into a temporary book, and writes that as a Polyglot
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
        .stage::<&str>("table", open(InputKind::Table, table), &[])
        .stage("book", AnyStage::Compact(book), &["table"])
        .stage("polyglot", AnyStage::ExportPolyglot(polyglot), &["book"])
}

/// `tabia export polyglot` writes a book as a Polyglot book.
#[must_use]
pub fn export_polyglot(book: PathBuf, polyglot: ExportPolyglot, limits: Limits) -> Recipe {
    Recipe::new("A book written in Polyglot's format", limits)
        .stage::<&str>("book", open(InputKind::Book, book), &[])
        .stage("polyglot", AnyStage::ExportPolyglot(polyglot), &["book"])
}

/// `tabia report` writes a table or a book as a page to look at.
#[must_use]
pub fn report(input: PathBuf, experience: &[PathBuf], report: Report, limits: Limits) -> Recipe {
    let recipe = Recipe::new("Counts as a page to look at", limits);
    let recipe = recipe.stage::<&str>("input", open(InputKind::Any, input), &[]);
    let (recipe, inputs) = with_experience(recipe, vec!["input".into()], experience);
    recipe.stage("report", AnyStage::Report(report), &inputs)
}

/// `tabia suite` chooses openings for engine tests from a table, with experience beside it, or from a book.
#[must_use]
pub fn suite(input: Option<PathBuf>, experience: &[PathBuf], suite: MakeSuite, limits: Limits) -> Recipe {
    let mut recipe = Recipe::new("Openings for engine tests", limits);
    let mut inputs = Vec::new();
    if let Some(input) = input {
        recipe = recipe.stage::<&str>("input", open(InputKind::Any, input), &[]);
        inputs.push("input".to_owned());
    }
    let (recipe, inputs) = with_experience(recipe, inputs, experience);
    recipe.stage("suite", AnyStage::Suite(suite), &inputs)
}

/// `tabia suite --refine` keeps the openings of a suite that did in matches what is asked for.
#[must_use]
pub fn refine_suite(games: Games, refine: RefineSuite, limits: Limits) -> Recipe {
    let recipe = replayed("The openings of matches", games, limits);
    recipe.stage("refine", AnyStage::RefineSuite(refine), &["replay"])
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

/// Opens experience files. Returns the inputs of a stage that takes `inputs` and all of them.
fn with_experience(mut recipe: Recipe, mut inputs: Vec<String>, files: &[PathBuf]) -> (Recipe, Vec<String>) {
    for (path, number) in files.iter().zip(1..) {
        let name = format!("experience{number:02}");
        recipe = recipe.stage::<&str>(&name, open(InputKind::Experience, path.clone()), &[]);
        inputs.push(name);
    }
    (recipe, inputs)
}

fn open(expected: InputKind, path: PathBuf) -> AnyStage {
    AnyStage::Open(Open { path, expected })
}
