//! Reads and writes the values of settings in a recipe. A value is a string with the same text as on a
//! command line, or another TOML value.

#![expect(missing_docs, reason = "serde calls both functions of each module")]

use std::{fmt::Display, str::FromStr};

use clap::{Args, Command};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::{Table, Value};

/// The settings of a command that is called with only the flags in `required`; all other settings take their
/// default values.
#[must_use]
pub fn defaults<T: Args>(required: &[&str]) -> T {
    let command = T::augment_args(Command::new("settings").no_binary_name(true));
    let matches = command.try_get_matches_from(required);
    let settings = matches.and_then(|matches| T::from_arg_matches(&matches));
    settings.unwrap_or_else(|error| unreachable!("every other setting has a default: {error}"))
}

/// A setting that a recipe may give as a number or a string, such as `5` or `"white=5,black=3"`; both are
/// read as strings.
pub mod number_or_text {
    use super::{Deserialize, Deserializer, Display, FromStr, Serialize, Serializer, Value};

    pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(from: D) -> Result<T, D::Error> {
        let text = match Value::deserialize(from)? {
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::String(text) => text,
            other => {
                return Err(serde::de::Error::custom(format!(
                    "expected a number or a string, got a value of type {}",
                    other.type_str()
                )));
            }
        };
        text.parse().map_err(serde::de::Error::custom)
    }

    pub fn serialize<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
        value.to_string().serialize(serializer)
    }
}

/// A value written as a string.
pub mod as_text {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};

    pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(from: D) -> Result<T, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }

    pub fn serialize<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }
}

/// An optional value written as a string.
pub mod option_as_text {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};

    pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
    }

    pub fn serialize<S: Serializer>(value: &Option<impl Display>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }
}

/// A list of values written as strings.
pub mod each_as_text {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};

    pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
        from: D,
    ) -> Result<Vec<T>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
    }

    pub fn serialize<S: Serializer>(values: &[impl Display], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(ToString::to_string))
    }
}

/// Reads a policy's setting from a command line: `NAME=VALUE`.
///
/// # Errors
///
/// Fails if the text has no `=`.
pub fn parse_policy_setting(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("write a setting as name=value")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Settings of a policy: a table of numbers, strings and switches in a recipe, or `NAME=VALUE` on a command
/// line.
pub mod policy_settings {
    use super::{Deserialize, Deserializer, Serializer, Table, Value};

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, String)>, D::Error> {
        let text = |(name, value): (String, Value)| match value {
            Value::String(text) => Ok((name, text)),
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Ok((name, value.to_string())),
            other => Err(serde::de::Error::custom(format!(
                "setting `{name}` has the type {}: expected a number, a string or a switch",
                other.type_str()
            ))),
        };
        Table::deserialize(deserializer)?.into_iter().map(text).collect()
    }

    pub fn serialize<S: Serializer>(settings: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(settings.iter().map(|(name, value)| (name, value)))
    }
}
