//! The recipes that `tabia build` and other commands run.

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

/// The first two stages of every recipe that reads PGN: one reads the games, the other replays them.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// Which inputs the games are read from.
    pub read: ReadGames,
    /// Which games count, and how they are replayed.
    pub replay: Replay,
}

/// The optional parts of a build.
#[derive(Clone, Debug, Default)]
pub struct BuildOutputs {
    /// A stage that learns values for the book's moves from Crafty's records.
    pub learn: Option<LearnCrafty>,
    /// A stage that writes a Polyglot book in addition to the book.
    pub polyglot: Option<ExportPolyglot>,
    /// A stage that writes all counts as readable Parquet in addition to the book.
    pub parquet: Option<ExportParquet>,
}

/// `tabia count` makes a table from PGN.
pub fn count(games: Games, tally: SortMerge, limits: Limits) -> Recipe {
    counted("Games counted into a table", games, tally, limits)
}

/// `tabia build` makes a book from PGN. A repertoire's book includes the marks on its moves. On request, the
/// recipe also learns values for the book's moves from Crafty's records, and writes a Polyglot book and
/// readable Parquet.
pub fn build(games: Games, tally: SortMerge, book: Compact, outputs: BuildOutputs, limits: Limits) -> Recipe {
    let has_marks = games.replay.options.counting.repertoire;
    let mut recipe = counted("Games counted and compacted into a book", games, tally, limits);
    let mut inputs = vec!["tally"];
    if has_marks {
        let marks = LearnAnnotations { optional: true, ..LearnAnnotations::default() };
        recipe = recipe.stage("marks", marks, &["replay"]);
        inputs.push("marks");
    }
    if let Some(learn) = outputs.learn {
        let learn = LearnCrafty { book: book.keep.clone(), ..learn };
        recipe = recipe.stage("learn", learn, &["tally"]);
        inputs.push("learn");
    }
    recipe = recipe.stage("book", book, &inputs);
    if let Some(polyglot) = outputs.polyglot {
        recipe = recipe.stage("polyglot", polyglot, &["book"]);
    }
    if let Some(parquet) = outputs.parquet {
        recipe = recipe.stage("parquet", parquet, &inputs);
    }
    recipe
}

/// `tabia compact` makes a book from a table.
pub fn compact(table: PathBuf, experience: &[PathBuf], book: Compact, limits: Limits) -> Recipe {
    let table = ("table", InputKind::Table, table);
    opening("A table compacted into a book", Some(table), experience, ("book", book), limits)
}

/// `tabia learn crafty` learns values from Crafty's records, for the moves of the book made from a table.
pub fn learn_crafty(table: PathBuf, learn: LearnCrafty, limits: Limits) -> Recipe {
    let table = ("table", InputKind::Table, table);
    opening("Crafty's records replayed over a book", Some(table), &[], ("learn", learn), limits)
}

/// `tabia learn games` learns values from an engine's own games, for the moves of the book made from a table.
pub fn learn_games(games: Games, table: PathBuf, learn: LearnGames, limits: Limits) -> Recipe {
    let recipe = replayed("Own games over a book", games, limits).open("table", InputKind::Table, table);
    recipe.stage("learn", learn, &["replay", "table"])
}

/// `tabia learn annotations` collects the marks of annotated lines.
pub fn learn_annotations(games: Games, learn: LearnAnnotations, limits: Limits) -> Recipe {
    replayed("Marks of annotated lines", games, limits).stage("learn", learn, &["replay"])
}

/// `tabia learn evals` reads values from lists of evaluated positions. If a table or a book is passed, only
/// the values of its positions are read.
pub fn learn_evals(only: Option<PathBuf>, learn: LearnEvals, limits: Limits) -> Recipe {
    let only = only.map(|path| ("positions", InputKind::Any, path));
    opening("Values of evaluated positions", only, &[], ("learn", learn), limits)
}

/// `tabia learn engine` has an engine search the positions of a book.
pub fn learn_engine(book: PathBuf, experience: &[PathBuf], learn: LearnEngine, limits: Limits) -> Recipe {
    let book = ("book", InputKind::Book, book);
    opening("Positions of a book, searched by an engine", Some(book), experience, ("learn", learn), limits)
}

/// `tabia experience minimax` computes values for a whole book by minimax from the evaluations of its
/// positions.
pub fn minimax(book: PathBuf, evaluations: &[PathBuf], values: BackUp, limits: Limits) -> Recipe {
    let book = ("book", InputKind::Any, book);
    opening("Evaluations backed up over a book", Some(book), evaluations, ("values", values), limits)
}

/// `tabia export parquet` writes readable Parquet from a book, or from a table and experience files.
pub fn export_parquet(
    input: PathBuf,
    experience: &[PathBuf],
    parquet: ExportParquet,
    limits: Limits,
) -> Recipe {
    let input = ("input", InputKind::Any, input);
    opening("Counts as readable Parquet", Some(input), experience, ("parquet", parquet), limits)
}

/// `tabia export games` writes games as typed rows.
pub fn export_games(games: Games, rows: ExportGames, limits: Limits) -> Recipe {
    replayed("Games as typed rows", games, limits).stage("rows", rows, &["replay"])
}

/// `tabia filter` copies the games that count, unchanged, to one file and, on request, all others to a second
/// file.
pub fn filter(games: Games, files: WriteGames, limits: Limits) -> Recipe {
    replayed("Games that count, as they are written", games, limits).stage("files", files, &["replay"])
}

/// `tabia review` finds where a player's games left a book.
pub fn review(games: Games, book: PathBuf, review: ReviewGames, limits: Limits) -> Recipe {
    let recipe =
        replayed("A player's games against a book", games, limits).open("book", InputKind::Any, book);
    recipe.stage("review", review, &["replay", "book"])
}

/// If its input is a table, `tabia export polyglot` compacts the table into a temporary book and exports that
/// book.
pub fn export_polyglot_of_table(
    table: PathBuf,
    keep: KeptMoves,
    polyglot: ExportPolyglot,
    limits: Limits,
) -> Recipe {
    let book = Compact { keep, ..Compact::default() };
    Recipe::new("A table written in Polyglot's format", limits)
        .open("table", InputKind::Table, table)
        .stage("book", book, &["table"])
        .stage("polyglot", polyglot, &["book"])
}

/// `tabia export polyglot` exports a book as a Polyglot book.
pub fn export_polyglot(book: PathBuf, polyglot: ExportPolyglot, limits: Limits) -> Recipe {
    let book = ("book", InputKind::Book, book);
    opening("A book written in Polyglot's format", Some(book), &[], ("polyglot", polyglot), limits)
}

/// `tabia report` writes a table or a book as an HTML page.
pub fn report(input: PathBuf, experience: &[PathBuf], report: Report, limits: Limits) -> Recipe {
    let input = ("input", InputKind::Any, input);
    opening("Counts as a page to look at", Some(input), experience, ("report", report), limits)
}

/// `tabia suite` chooses openings for engine tests from a table, a book or a Polyglot book or, without an
/// input, from every line of legal moves.
pub fn suite(input: Option<PathBuf>, experience: &[PathBuf], suite: MakeSuite, limits: Limits) -> Recipe {
    let input = input.map(|input| ("input", InputKind::Any, input));
    opening("Openings for engine tests", input, experience, ("suite", suite), limits)
}

/// `tabia suite --refine` keeps the openings of a suite whose match results are within given limits.
pub fn refine_suite(games: Games, refine: RefineSuite, limits: Limits) -> Recipe {
    replayed("The openings of matches", games, limits).stage("refine", refine, &["replay"])
}

fn counted(summary: &str, games: Games, tally: SortMerge, limits: Limits) -> Recipe {
    replayed(summary, games, limits).stage("tally", tally, &["replay"])
}

fn replayed(summary: &str, games: Games, limits: Limits) -> Recipe {
    Recipe::new(summary, limits).source("games", games.read).stage("replay", games.replay, &["games"])
}

/// A recipe whose last stage takes experience files and, optionally, another input. The other stages open
/// these files.
fn opening(
    summary: &str,
    input: Option<(&str, InputKind, PathBuf)>,
    experience: &[PathBuf],
    (name, stage): (&str, impl Into<AnyStage>),
    limits: Limits,
) -> Recipe {
    let files = experience.iter().zip(1..);
    let files =
        files.map(|(path, number)| (format!("experience{number:02}"), InputKind::Experience, path.clone()));
    let input = input.map(|(name, expected, path)| (name.to_owned(), expected, path));
    let mut recipe = Recipe::new(summary, limits);
    let mut inputs = Vec::new();
    for (name, expected, path) in input.into_iter().chain(files) {
        recipe = recipe.open(&name, expected, path);
        inputs.push(name);
    }
    recipe.stage(name, stage, &inputs)
}

impl Recipe {
    /// Adds a stage without inputs.
    fn source(self, name: &str, stage: impl Into<AnyStage>) -> Self {
        self.stage(name, stage, &[] as &[&str])
    }

    /// Adds a stage that opens a file.
    fn open(self, name: &str, expected: InputKind, path: PathBuf) -> Self {
        self.source(name, Open { path, expected })
    }
}
