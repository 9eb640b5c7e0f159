//! Reads and writes the values of settings as text, in the same format for command lines (clap) and recipes
//! (serde).

use std::fmt::Display;

use position::{IllegalMove, Key, Outcome, Repeats, ResultFrom, Speed, UnknownResult};
use shakmaty::Color;

use crate::{Error, Result};

/// A setting's value, stored as a string.
pub(crate) trait Setting: Display + Sized {
    /// Parses the format that `Display` writes.
    fn parse(text: &str) -> Result<Self>;
}

/// Parses one value; used by clap as a value parser.
pub(crate) fn parse<T: Setting>(text: &str) -> Result<T> {
    T::parse(text)
}

/// Implements [`Setting`] for types of this crate, using their `FromStr` and `Display`. Each module calls
/// this macro for its own types.
macro_rules! settings_by_from_str {
    ($($value:ty),+) => {
        $(impl $crate::setting::Setting for $value {
            fn parse(text: &str) -> $crate::Result<Self> {
                text.parse()
            }
        })+
    };
}

pub(crate) use settings_by_from_str;

impl Setting for Outcome {
    /// Reads a result as PGN writes it, or as `white`, `black` or `draw` in upper or lower case.
    fn parse(text: &str) -> Result<Self> {
        match text.trim_ascii().to_ascii_lowercase().as_str() {
            "1-0" | "white" => Ok(Outcome::White),
            "0-1" | "black" => Ok(Outcome::Black),
            "1/2-1/2" | "1/2" | "draw" => Ok(Outcome::Draw),
            _ => Err(Error::Value {
                what: "result",
                given: text.into(),
                expected: "1-0, 0-1 or 1/2-1/2 (or white, black, draw)",
            }),
        }
    }
}

impl Setting for Color {
    fn parse(text: &str) -> Result<Self> {
        match text {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            _ => Err(Error::Value { what: "colour", given: text.into(), expected: "white or black" }),
        }
    }
}

/// Implements [`Setting`] for types that are read and written by name. Each module calls this macro for its
/// own types.
macro_rules! settings_by_name {
    ($($value:ty, $what:literal, $expected:literal;)+) => {
        $(impl $crate::setting::Setting for $value {
            fn parse(text: &str) -> $crate::Result<Self> {
                let wrong =
                    |_| $crate::Error::Value { what: $what, given: text.into(), expected: $expected };
                text.trim_ascii().parse().map_err(wrong)
            }
        })+
    };
}

pub(crate) use settings_by_name;

settings_by_name! {
    Repeats, "rule for repeated positions", "each or once";
    IllegalMove, "rule for illegal moves", "reject or keep-prefix";
    UnknownResult, "rule for unknown results", "reject or draw";
    ResultFrom, "source of results", "both, tag or moves";
    Speed, "speed", "ultraBullet, bullet, blitz, rapid, classical or correspondence";
    Key, "key of a position", "sixteen hexadecimal digits";
}

/// Serde for one value.
pub(crate) mod one {
    use std::borrow::Cow;

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::Setting;

    pub(crate) fn serialize<T: Setting, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T: Setting, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        T::parse(&Cow::<str>::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Serde for an optional value.
pub(crate) mod option {
    use serde::{Deserializer, Serializer};

    use super::{Setting, one};

    #[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
    pub(crate) fn serialize<T: Setting, S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => one::serialize(value, to),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, T: Setting, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
        one::deserialize(from).map(Some)
    }
}

/// Serde for a list of values, written as a list of strings. When it is read, a string may contain several
/// values, separated by commas.
pub(crate) mod list {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::Setting;

    pub(crate) fn serialize<T: Setting, S: Serializer>(values: &[T], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(T::to_string))
    }

    pub(crate) fn deserialize<'de, T: Setting, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        let items = Vec::<String>::deserialize(from)?;
        items
            .iter()
            .flat_map(|item| item.split(','))
            .map(T::parse)
            .collect::<Result<_, _>>()
            .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests;
