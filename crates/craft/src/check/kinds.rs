//! What is looked for.

use std::{fmt, str::FromStr};

use serde::Serialize;

/// A kind of finding.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Moves of the opponent that the book has no answer to.
    Holes,
    /// Positions where the repertoire's side has more than one move.
    Choices,
    /// Moves that score less than the best one there by more than a bound.
    Worse,
    /// Moves that lead back to a position of the same line.
    Repetitions,
    /// Lines that end early.
    DeadEnds,
    /// Positions that no line reaches.
    Unreachable,
    /// Moves that cannot be drawn as they are weighed, or are not legal.
    Weights,
}

impl FindingKind {
    /// All kinds, in the order in which they are reported.
    pub const ALL: [Self; 7] = [
        Self::Holes,
        Self::Choices,
        Self::Worse,
        Self::Repetitions,
        Self::DeadEnds,
        Self::Unreachable,
        Self::Weights,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Holes => "holes",
            Self::Choices => "choices",
            Self::Worse => "worse",
            Self::Repetitions => "repetitions",
            Self::DeadEnds => "dead-ends",
            Self::Unreachable => "unreachable",
            Self::Weights => "weights",
        }
    }
}

/// By [`FindingKind::name`].
impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for FindingKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| format!("`{text}` is none of {}", names()))
    }
}
