//! Errors for recipes that are refused. Recipes are checked before anything is read or written.

use std::path::PathBuf;

use run::{PathError, StageError};

/// The reason why a recipe cannot be read or planned.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// The text is not TOML.
    #[error("the recipe is not TOML: {why}", why = .0)]
    Toml(String),
    /// The text is too long for a recipe.
    #[error("the recipe is longer than the maximum of {bytes} bytes", bytes = .0)]
    TooLong(usize),
    /// The recipe has more stages than allowed.
    #[error("the recipe has {got} stages, but the maximum is {max}: split it into several recipes")]
    TooManyStages {
        /// The maximum number of stages.
        max: usize,
        /// The number of stages in the recipe.
        got: usize,
    },
    /// The memory limit is outside its range.
    #[error("[limits] `memory_mib`: must be a number of MiB from 1 to 1099511627775, not {mib}", mib = .0)]
    MemoryLimit(u64),
    /// Several machines can share the work of exactly one count, but the recipe has no count, or more than
    /// one. The value is 0 if the recipe has no count, and 2 if it has more than one.
    #[error(
        "machines can share only one count, from games to a table, but the recipe has {counts}",
        counts = if *.0 == 0 { "none" } else { "several" }
    )]
    SharedCount(usize),
    /// A value should be a table but is not.
    #[error("{what} must be a table, not {got}")]
    NotATable {
        /// The key or section.
        what: String,
        /// The type of the value.
        got: &'static str,
    },
    /// A section has an unknown key.
    #[error("{section}: unknown key `{key}`{hint}", hint = hint(near.as_deref()))]
    UnknownKey {
        /// The section.
        section: String,
        /// The key.
        key: String,
        /// The nearest known key.
        near: Option<String>,
    },
    /// The recipe has a format that this version does not read.
    #[error("[pipeline] `format` is {got}, but this version reads only format {expected}")]
    Format {
        /// The format that this version reads.
        expected: u32,
        /// The format of the recipe.
        got: u32,
    },
    /// A stage has no kind.
    #[error("{section} needs `kind = \"…\"`", section = .0)]
    NoKind(String),
    /// The inputs are not a list of names.
    #[error("{section} `inputs`: must be a list of the names of stages", section = .0)]
    Inputs(String),
    /// The kind of a stage is unknown.
    #[error("{section} has the unknown kind `{kind}`{hint}", hint = hint(*near))]
    UnknownKind {
        /// The section.
        section: String,
        /// The kind.
        kind: String,
        /// The nearest known kind.
        near: Option<&'static str>,
    },
    /// A setting has a value of the wrong type, or one that cannot be read.
    #[error("{section}: {message}")]
    Settings {
        /// The section, with the key if it is known.
        section: String,
        /// What was expected and what was found.
        message: String,
    },
    /// A stage has an invalid setting.
    #[error(transparent)]
    Setting(#[from] StageError),
    /// The recipe has no stages.
    #[error("the recipe has no stages")]
    NoStages,
    /// An input of a stage is not the name of a stage.
    #[error("[stage.{stage}] `inputs`: there is no stage `{input}`{hint}", hint = hint(near.as_deref()))]
    UnknownInput {
        /// The stage.
        stage: String,
        /// The input.
        input: String,
        /// The stage name that is most similar to the input.
        near: Option<String>,
    },
    /// Stages feed each other in a cycle.
    #[error("the inputs of the stages {stages} form a cycle", stages = .0.join(", "))]
    Circle(Vec<String>),
    /// A stage's inputs do not match its input ports.
    #[error("[stage.{stage}] is a `{kind}`, which takes {expected}, but its inputs give {got}")]
    Ports {
        /// The stage.
        stage: String,
        /// Its kind.
        kind: &'static str,
        /// The input ports of the stage.
        expected: String,
        /// The output ports of the stages that feed it.
        got: String,
    },
    /// Two stages have the same output.
    #[error("`{first}` and `{second}` both write to {path}")]
    TwoWriters {
        /// A stage.
        first: String,
        /// Another one.
        second: String,
        /// Their output.
        path: PathBuf,
    },
    /// Outputs and inputs conflict.
    #[error(transparent)]
    Path(#[from] PathError),
}

fault::kinds!(RecipeError: Usage);

/// The ending of an error message, which suggests the nearest known name, if any.
fn hint(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
