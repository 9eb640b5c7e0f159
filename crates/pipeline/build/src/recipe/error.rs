//! What is wrong with a recipe. Nothing was read or written yet.

use std::path::PathBuf;

use fault::{Failure, Kind};

use crate::{collisions::PathError, error::StageError};

/// Why a recipe cannot be read or planned.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// The text is not TOML.
    #[error("not TOML: {message}")]
    Toml {
        /// What the parser says, with line and column.
        message: String,
    },
    /// A text that is too long for a recipe.
    #[error("longer than {max} bytes: that is no recipe")]
    TooLong {
        /// The most bytes that are read.
        max: usize,
    },
    /// More stages than a recipe may have.
    #[error("{got} stages; a recipe has at most {max}: split it into several")]
    TooManyStages {
        /// The most stages.
        max: usize,
        /// The recipe's.
        got: usize,
    },
    /// A limit outside its range.
    #[error("[limits] `{key}`: must be {expected}, not {got}")]
    Limit {
        /// The limit.
        key: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        got: u64,
    },
    /// A recipe whose count machines cannot share.
    #[error(
        "machines share one count, from games to a table, and the recipe has {counts}",
        counts = if *counts == 0 { "none" } else { "several" }
    )]
    SharedCount {
        /// The counts it has, as far as they were looked at.
        counts: usize,
    },
    /// A value that must be a table is none.
    #[error("{what} must be a table, not {got}")]
    NotATable {
        /// The key or section.
        what: String,
        /// The type of its value.
        got: &'static str,
    },
    /// A key that the section does not have.
    #[error("{section}: unknown key `{key}`{hint}", hint = hint(near.as_deref()))]
    UnknownKey {
        /// The section.
        section: String,
        /// The key.
        key: String,
        /// The key that was perhaps meant.
        near: Option<String>,
    },
    /// A recipe of another format.
    #[error("[pipeline] format is {got}; this tabia reads format {expected}")]
    Format {
        /// The format that is read.
        expected: u32,
        /// The recipe's.
        got: u32,
    },
    /// A stage without a kind.
    #[error("{section} needs `kind = \"…\"`")]
    NoKind {
        /// The section.
        section: String,
    },
    /// Inputs that are not a list of names.
    #[error("{section} `inputs` must be a list of stage names")]
    Inputs {
        /// The section.
        section: String,
    },
    /// A kind that does not exist.
    #[error("{section} has the unknown kind `{kind}`{hint}", hint = hint(*near))]
    UnknownKind {
        /// The section.
        section: String,
        /// The kind.
        kind: String,
        /// The kind that was perhaps meant.
        near: Option<&'static str>,
    },
    /// A setting of another type, or with a value that cannot be read.
    #[error("{section}: {message}")]
    Settings {
        /// The section, and the key where it is known.
        section: String,
        /// What is expected and what is there.
        message: String,
    },
    /// Settings that make no sense together.
    #[error(transparent)]
    Setting(#[from] StageError),
    /// A recipe without stages.
    #[error("the recipe has no stages")]
    NoStages,
    /// An input that is not a stage.
    #[error("[stage.{stage}] takes from `{input}`, which is not a stage{hint}", hint = hint(near.as_deref()))]
    UnknownInput {
        /// The stage.
        stage: String,
        /// The input.
        input: String,
        /// The stage that was perhaps meant.
        near: Option<String>,
    },
    /// Stages that feed each other.
    #[error("the stages {} feed each other in a circle", stages.join(", "))]
    Circle {
        /// Their names.
        stages: Vec<String>,
    },
    /// Inputs of the wrong types.
    #[error("[stage.{stage}] is a `{kind}`, which takes {expected}; its inputs give {got}")]
    Ports {
        /// The stage.
        stage: String,
        /// Its kind.
        kind: &'static str,
        /// The ports it takes.
        expected: String,
        /// The ports of its inputs.
        got: String,
    },
    /// Two stages with one output.
    #[error("`{first}` and `{second}` both write {path}", path = path.display())]
    TwoWriters {
        /// A stage.
        first: String,
        /// Another one.
        second: String,
        /// Their output.
        path: PathBuf,
    },
    /// Outputs and inputs that are in each other's way.
    #[error(transparent)]
    Path(#[from] PathError),
}

impl Failure for RecipeError {
    fn kind(&self) -> Kind {
        Kind::Usage
    }
}

/// The end of a message that knows what was perhaps meant.
fn hint(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
