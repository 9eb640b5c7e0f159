//! Which values of searches are trusted.

use std::{fmt, str::FromStr};

use crate::Error;

/// Which values of searches are trusted: [`learn_function`](super::learn_function) weighs others less.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Trust {
    /// Those that are bad for the engine, as in every Crafty: a good one may only be a blunder of the
    /// opponent.
    #[default]
    Auto,
    /// All.
    Always,
    /// None.
    Never,
}

impl Trust {
    /// All settings.
    pub const ALL: [Trust; 3] = [Trust::Auto, Trust::Always, Trust::Never];

    /// Whether a value from the engine's view is trusted.
    #[must_use]
    pub fn is_trusted(self, value: i32) -> bool {
        match self {
            Self::Auto => value < 0,
            Self::Always => true,
            Self::Never => false,
        }
    }

    /// The name on the command line and in recipes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Trust {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|trust| trust.name() == name);
        found.ok_or_else(|| Error::UnknownTrust { name: name.to_owned() })
    }
}
