//! Which search values are trusted.

use strum::{Display, EnumString, IntoStaticStr};

use crate::Error;

/// Which search values are trusted. [`learn_function`](super::learn_function) gives less weight to values
/// that are not trusted.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(parse_err_fn = unknown_trust, parse_err_ty = Error, serialize_all = "lowercase")]
pub enum Trust {
    /// Only values that are bad for the engine are trusted, as in every Crafty; a good value may be due only
    /// to a blunder by the opponent.
    #[default]
    Auto,
    /// All values are trusted.
    Always,
    /// No value is trusted.
    Never,
}

impl Trust {
    /// Whether to trust `value`, which must be from the engine's point of view.
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
