//! All kinds of stages. To add a kind, write a file with its settings and `impl Stage`, and add a line here.

use games::{ReadGames, Replay};
use stage::Stage;
use teach::{BackUp, LearnAnnotations, LearnCrafty, LearnEngine, LearnEvals, LearnGames};
use toml::Table;

use super::{RecipeError, settings::read_settings, text::nearest};
use crate::stages::{
    BookCounts, BookExperience, Compact, ExportGames, ExportParquet, ExportPolyglot, InputKind, MakeSuite,
    Open, RefineSuite, Report, ReviewGames, Simulate, SortMerge, WriteGames,
};

/// Declares the kinds of stages, one per line. Each line has the variant, the type of the settings, and the
/// name of the kind in recipes.
macro_rules! stages {
    ($($variant:ident($settings:ty): $kind:literal,)*) => {
        /// A stage of any kind.
        #[derive(Clone, Debug)]
        #[expect(missing_docs, reason = "each variant is documented at its settings")]
        pub enum AnyStage {
            Open(Open),
            $($variant($settings),)*
        }

        const KINDS: &[&str] = &[$($kind),*];

        impl AnyStage {
            /// Reads the settings of a stage of the kind `kind`; errors refer to the stage as `section`.
            pub(super) fn read(kind: &str, section: &str, table: &Table) -> Result<Self, RecipeError> {
                match kind {
                    $($kind => Ok(read_settings::<$settings>(section, table)?.into()),)*
                    _ => read_open(kind, section, table),
                }
            }

            fn parts(&self) -> (&'static str, &dyn Stage) {
                match self {
                    Self::Open(stage) => (stage.expected.stage_kind(), stage),
                    $(Self::$variant(stage) => ($kind, stage),)*
                }
            }
        }

        $(impl From<$settings> for AnyStage {
            fn from(stage: $settings) -> Self {
                Self::$variant(stage)
            }
        })*
    };
}

// The kinds are in the order in which data flows through them.
stages! {
    ReadGames(ReadGames): "read-games",
    Replay(Replay): "replay",
    SortMerge(SortMerge): "sort-merge",
    BookCounts(BookCounts): "book-counts",
    BookExperience(BookExperience): "book-experience",
    LearnCrafty(LearnCrafty): "learn-crafty",
    LearnGames(LearnGames): "learn-games",
    LearnAnnotations(LearnAnnotations): "learn-annotations",
    LearnEvals(LearnEvals): "learn-evals",
    LearnEngine(LearnEngine): "learn-engine",
    Minimax(BackUp): "minimax",
    Compact(Compact): "compact",
    ExportParquet(ExportParquet): "export-parquet",
    ExportGames(ExportGames): "export-games",
    WriteGames(WriteGames): "write-games",
    Review(ReviewGames): "review",
    ExportPolyglot(ExportPolyglot): "export-polyglot",
    Report(Report): "report",
    Simulate(Simulate): "simulate",
    Suite(MakeSuite): "suite",
    RefineSuite(RefineSuite): "refine-suite",
}

impl From<Open> for AnyStage {
    fn from(stage: Open) -> Self {
        Self::Open(stage)
    }
}

impl AnyStage {
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

/// The names of the kinds in recipes: first the kinds that open a file, then the others in the order in which
/// data flows through them.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    InputKind::ALL.map(InputKind::stage_kind).into_iter().chain(KINDS.iter().copied())
}

/// Reads the settings of a stage that opens a file. Each kind of input has its own kind of stage.
fn read_open(kind: &str, section: &str, table: &Table) -> Result<AnyStage, RecipeError> {
    let Some(expected) = InputKind::ALL.into_iter().find(|input| input.stage_kind() == kind) else {
        return Err(unknown_kind(section, kind));
    };
    Ok(Open { expected, ..read_settings(section, table)? }.into())
}

fn unknown_kind(section: &str, kind: &str) -> RecipeError {
    let near = nearest(kind, kinds());
    RecipeError::UnknownKind { section: section.to_owned(), kind: kind.to_owned(), near }
}
