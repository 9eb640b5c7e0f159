//! The settings of a policy: their declared ranges, and their validated values.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::Error;
use crate::error::nearest;

/// One setting of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// The name of the setting. It is the name that the source uses, in kebab case.
    pub name: &'static str,
    /// The default value. `None` if the default depends on another setting, as described in
    /// [`Self::meaning`].
    pub default: Option<&'static str>,
    /// The type and range of the values.
    #[serde(flatten)]
    pub kind: ParameterKind,
    /// The unit of the values; empty for a name or a plain number.
    pub unit: &'static str,
    /// What the setting does, on one line.
    pub meaning: &'static str,
    /// The source of the setting: a section of `docs/sources.md`, a program and its function, or `ours`.
    pub source: &'static str,
}

impl Parameter {
    /// A setting of our own that has no default. If it is not set, its value depends on another setting.
    pub(crate) const fn new(name: &'static str, kind: ParameterKind) -> Self {
        Self { name, kind, default: None, unit: "", meaning: "", source: "ours" }
    }

    /// Sets the default value and the unit of the setting.
    pub(crate) const fn by_default(self, value: &'static str, unit: &'static str) -> Self {
        Self { default: Some(value), unit, ..self }
    }

    /// Sets [`Self::meaning`], a description of the setting on one line.
    pub(crate) const fn means(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    /// Sets the source of the setting, which is `ours` by default.
    pub(crate) const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }
}

/// The type and range of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A whole number between these two, inclusive.
    Integer(u64, u64),
    /// A number between these two, inclusive.
    Decimal(f64, f64),
    /// One of these names.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
}

/// Prints the allowed range in the words used by messages and lists.
impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterKind::Integer(least, most) => write!(f, "a whole number from {least} to {most}"),
            ParameterKind::Decimal(least, most) => write!(f, "a number from {least} to {most}"),
            ParameterKind::Choice(names) => write!(f, "one of {}", names.join(", ")),
            ParameterKind::Switch => f.write_str("true or false"),
        }
    }
}

/// Serializes the range as text, followed by either its minimum and maximum or the names that may be chosen.
impl Serialize for ParameterKind {
    #[expect(clippy::cast_precision_loss, reason = "ranges end far below 2^53")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown {
            range: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            least: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            most: Option<f64>,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            choices: &'static [&'static str],
        }
        let (least, most, choices) = match *self {
            ParameterKind::Integer(least, most) => (Some(least as f64), Some(most as f64), &[][..]),
            ParameterKind::Decimal(least, most) => (Some(least), Some(most), &[][..]),
            ParameterKind::Choice(names) => (None, None, names),
            ParameterKind::Switch => (None, None, &["true", "false"][..]),
        };
        Shown { range: self.to_string(), least, most, choices }.serialize(serializer)
    }
}

impl ParameterKind {
    /// Whether `text` is a value of this type within the range.
    fn admits(self, text: &str) -> bool {
        match self {
            ParameterKind::Integer(least, most) => {
                text.parse().is_ok_and(|value| (least..=most).contains(&value))
            }
            ParameterKind::Decimal(least, most) => {
                text.parse().is_ok_and(|value| (least..=most).contains(&value))
            }
            ParameterKind::Choice(names) => names.contains(&text),
            ParameterKind::Switch => text.parse::<bool>().is_ok(),
        }
    }
}

/// The validated settings of a policy, as pairs of a parameter's name and its value (given or default) as
/// text.
#[derive(Clone, Debug)]
pub(crate) struct Settings(Vec<(&'static str, String)>);

impl Settings {
    /// Checks `given`, a list of (name, text) pairs, against the policy's parameters, and fills in the
    /// defaults.
    pub(crate) fn read(
        policy: &'static str,
        parameters: impl Iterator<Item = &'static Parameter> + Clone,
        given: &[(String, String)],
    ) -> Result<Self, Error> {
        let mut values = Vec::new();
        for (name, text) in given {
            let parameter = find(policy, parameters.clone(), name)?;
            if values.iter().any(|(known, _)| *known == parameter.name) {
                return Err(Error::GivenTwice { policy, name: parameter.name });
            }
            if !parameter.kind.admits(text.trim()) {
                let (got, expected) = (text.clone(), parameter.kind.to_string());
                return Err(Error::OutOfRange { policy, name: parameter.name, got, expected });
            }
            values.push((parameter.name, text.trim().to_owned()));
        }
        for parameter in parameters {
            if values.iter().all(|(known, _)| *known != parameter.name) {
                values.extend(parameter.default.map(|text| (parameter.name, text.to_owned())));
            }
        }
        Ok(Self(values))
    }

    /// The value of a parameter that has a default.
    pub(crate) fn get<T: FromStr>(&self, parameter: &Parameter) -> T {
        let value = self.get_if_set(parameter);
        value.unwrap_or_else(|| panic!("`{}` is declared with a default, of this type", parameter.name))
    }

    /// The value of a parameter; `None` if it was not given and has no default.
    pub(crate) fn get_if_set<T: FromStr>(&self, parameter: &Parameter) -> Option<T> {
        let (_, text) = self.0.iter().find(|(name, _)| *name == parameter.name)?;
        text.parse().ok()
    }
}

fn find(
    policy: &'static str,
    parameters: impl Iterator<Item = &'static Parameter> + Clone,
    name: &str,
) -> Result<&'static Parameter, Error> {
    let found = parameters.clone().find(|parameter| parameter.name == name);
    found.ok_or_else(|| {
        let known: Vec<_> = parameters.map(|parameter| parameter.name).collect();
        let nearest = nearest(name, known.iter().copied());
        Error::UnknownSetting { policy, name: name.to_owned(), nearest, known }
    })
}
