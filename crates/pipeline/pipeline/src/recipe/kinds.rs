//! All kinds of stages. To add a kind, write a file with its settings and `impl Stage`. Here it gets a
//! variant, a name in [`KINDS`] and a line in each of the two matches.

use games::{ReadGames, Replay};
use stage::Stage;
use teach::{BackUp, LearnAnnotations, LearnCrafty, LearnEngine, LearnEvals, LearnGames};
use toml::Table;

use super::{RecipeError, settings::read_settings, text::nearest};
use crate::stages::{
    BookCounts, BookExperience, Compact, ExportGames, ExportParquet, ExportPolyglot, InputKind, MakeSuite,
    Open, RefineSuite, Report, ReviewGames, Simulate, SortMerge, WriteGames,
};

/// A stage of any kind.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each variant is documented at its settings")]
pub enum AnyStage {
    ReadGames(ReadGames),
    Replay(Replay),
    SortMerge(SortMerge),
    Open(Open),
    BookCounts(BookCounts),
    BookExperience(BookExperience),
    LearnCrafty(LearnCrafty),
    LearnGames(LearnGames),
    LearnAnnotations(LearnAnnotations),
    LearnEvals(LearnEvals),
    LearnEngine(LearnEngine),
    Minimax(BackUp),
    Compact(Compact),
    ExportParquet(ExportParquet),
    ExportGames(ExportGames),
    WriteGames(WriteGames),
    Review(ReviewGames),
    ExportPolyglot(ExportPolyglot),
    Report(Report),
    Simulate(Simulate),
    Suite(MakeSuite),
    RefineSuite(RefineSuite),
}

/// The kinds as recipes name them, in the order data flows through them.
pub const KINDS: [&str; 25] = [
    "read-games",
    "replay",
    "sort-merge",
    "open",
    "open-table",
    "open-book",
    "open-experience",
    "book-counts",
    "book-experience",
    "learn-crafty",
    "learn-games",
    "learn-annotations",
    "learn-evals",
    "learn-engine",
    "minimax",
    "compact",
    "export-parquet",
    "export-games",
    "write-games",
    "review",
    "export-polyglot",
    "report",
    "simulate",
    "suite",
    "refine-suite",
];

impl AnyStage {
    /// Reads the settings of a stage of `kind`; `section` names it in errors.
    pub(super) fn read(kind: &str, section: &str, table: &Table) -> Result<Self, RecipeError> {
        Ok(match kind {
            "read-games" => Self::ReadGames(read_settings(section, table)?),
            "replay" => Self::Replay(read_settings(section, table)?),
            "sort-merge" => Self::SortMerge(read_settings(section, table)?),
            "open" => read_open(InputKind::Any, section, table)?,
            "open-table" => read_open(InputKind::Table, section, table)?,
            "open-book" => read_open(InputKind::Book, section, table)?,
            "open-experience" => read_open(InputKind::Experience, section, table)?,
            "book-counts" => Self::BookCounts(read_settings(section, table)?),
            "book-experience" => Self::BookExperience(read_settings(section, table)?),
            "learn-crafty" => Self::LearnCrafty(read_settings(section, table)?),
            "learn-games" => Self::LearnGames(read_settings(section, table)?),
            "learn-annotations" => Self::LearnAnnotations(read_settings(section, table)?),
            "learn-evals" => Self::LearnEvals(read_settings(section, table)?),
            "learn-engine" => Self::LearnEngine(read_settings(section, table)?),
            "minimax" => Self::Minimax(read_settings(section, table)?),
            "compact" => Self::Compact(read_settings(section, table)?),
            "export-parquet" => Self::ExportParquet(read_settings(section, table)?),
            "export-games" => Self::ExportGames(read_settings(section, table)?),
            "write-games" => Self::WriteGames(read_settings(section, table)?),
            "review" => Self::Review(read_settings(section, table)?),
            "export-polyglot" => Self::ExportPolyglot(read_settings(section, table)?),
            "report" => Self::Report(read_settings(section, table)?),
            "simulate" => Self::Simulate(read_settings(section, table)?),
            "suite" => Self::Suite(read_settings(section, table)?),
            "refine-suite" => Self::RefineSuite(read_settings(section, table)?),
            _ => return Err(unknown_kind(section, kind)),
        })
    }

    /// The kind of the stage in recipes, and its behaviour.
    fn parts(&self) -> (&'static str, &dyn Stage) {
        match self {
            Self::ReadGames(stage) => ("read-games", stage),
            Self::Replay(stage) => ("replay", stage),
            Self::SortMerge(stage) => ("sort-merge", stage),
            Self::Open(stage) => (stage.expected.stage_kind(), stage),
            Self::BookCounts(stage) => ("book-counts", stage),
            Self::BookExperience(stage) => ("book-experience", stage),
            Self::LearnCrafty(stage) => ("learn-crafty", stage),
            Self::LearnGames(stage) => ("learn-games", stage),
            Self::LearnAnnotations(stage) => ("learn-annotations", stage),
            Self::LearnEvals(stage) => ("learn-evals", stage),
            Self::LearnEngine(stage) => ("learn-engine", stage),
            Self::Minimax(stage) => ("minimax", stage),
            Self::Compact(stage) => ("compact", stage),
            Self::ExportParquet(stage) => ("export-parquet", stage),
            Self::ExportGames(stage) => ("export-games", stage),
            Self::WriteGames(stage) => ("write-games", stage),
            Self::Review(stage) => ("review", stage),
            Self::ExportPolyglot(stage) => ("export-polyglot", stage),
            Self::Report(stage) => ("report", stage),
            Self::Simulate(stage) => ("simulate", stage),
            Self::Suite(stage) => ("suite", stage),
            Self::RefineSuite(stage) => ("refine-suite", stage),
        }
    }

    /// The kind of the stage in recipes.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.parts().0
    }

    /// The behaviour of the stage.
    pub(crate) fn stage(&self) -> &dyn Stage {
        self.parts().1
    }
}

fn read_open(expected: InputKind, section: &str, table: &Table) -> Result<AnyStage, RecipeError> {
    let open: Open = read_settings(section, table)?;
    Ok(AnyStage::Open(Open { expected, ..open }))
}

fn unknown_kind(section: &str, kind: &str) -> RecipeError {
    let near = nearest(kind, KINDS);
    RecipeError::UnknownKind { section: section.to_owned(), kind: kind.to_owned(), near }
}
