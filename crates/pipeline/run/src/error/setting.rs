//! An invalid setting.

use std::{fmt::Display, path::Path};

use output::is_stdout;
use position::NamedPositionError;

/// An invalid setting, found after all settings were read.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{key}`: {what}")]
#[must_use]
pub struct SettingError {
    /// The setting's key in a recipe; the flag is the same but with dashes instead of underscores.
    pub key: &'static str,
    /// What is wrong with the setting, and what the user can do.
    pub what: String,
}

fault::kinds!(SettingError: Usage);

impl SettingError {
    /// Returns the error for a value other than `expected`.
    pub fn new(key: &'static str, expected: &str, got: impl Display) -> Self {
        Self { key, what: format!("must be {expected}, not {got}") }
    }

    /// The error for a missing setting.
    pub fn missing(key: &'static str, expected: &str) -> Self {
        Self { key, what: format!("must be given: {expected}") }
    }

    /// Refuses `-` for an output that cannot go to standard output.
    pub fn check_not_stdout(key: &'static str, output: &Path) -> Result<(), Self> {
        Self::because(key, "cannot be standard output: give the name of a file or folder")
            .unless(!is_stdout(output))
    }

    /// Converts an error in the settings for reading or replaying games.
    pub fn of_replay(error: pgn::Error) -> Self {
        match error {
            pgn::Error::Setting { setting, expected, got } => Self::new(setting, expected, got),
            other => Self::because("replay", other.to_string()),
        }
    }

    /// Returns the error for an invalid setting; `what` is the reason.
    pub fn because(key: &'static str, what: impl Into<String>) -> Self {
        Self { key, what: what.into() }
    }

    /// Returns `self` as an error if `holds` is false.
    pub fn unless(self, holds: bool) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(self) }
    }
}

/// An invalid setting of a stage.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("[stage.{stage}] {error}")]
pub struct StageError {
    /// The stage.
    pub stage: String,
    /// The setting, and what is wrong with it.
    #[source]
    pub error: SettingError,
}

impl StageError {
    /// Returns a function for `map_err` that turns an error in a setting into an error of the stage.
    pub fn of(stage: &str) -> impl Fn(SettingError) -> Self + '_ {
        |error| Self { stage: stage.to_owned(), error }
    }
}

fault::kinds!(StageError: Usage);

/// Converts the error for an invalid FEN or line.
impl From<NamedPositionError> for SettingError {
    fn from(error: NamedPositionError) -> Self {
        let key = if matches!(error, NamedPositionError::Fen { .. }) { "fen" } else { "line" };
        Self { key, what: error.to_string() }
    }
}
