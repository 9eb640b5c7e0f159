//! Which values of searches are trusted.

use strum::{Display, EnumString, IntoStaticStr};

use crate::Error;

/// Which values of searches are trusted: [`learn_function`](super::learn_function) weighs others less.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(parse_err_fn = unknown_trust, parse_err_ty = Error, serialize_all = "lowercase")]
pub enum Trust {
    /// Values that are bad for the engine, as in every Crafty: a good value may only be a blunder of the
    /// opponent.
    #[default]
    Auto,
    /// All values.
    Always,
    /// No value.
    Never,
}

impl Trust {
    /// Whether a value from the engine's view is trusted.
    #[must_use]
    pub fn is_trusted(self, value: i32) -> bool {
        match self {
            Self::Auto => value < 0,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

fn unknown_trust(name: &str) -> Error {
    Error::UnknownTrust(name.to_owned())
}
