//! The settings of a policy: their declared ranges and their checked values.

use std::fmt;

use crate::Error;
use crate::error::nearest;

/// One setting of a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name: the source's own, in kebab case.
    pub name: &'static str,
    /// Its type and range.
    pub kind: ParameterKind,
    /// Its value where none is given; `None` if another setting decides it, as [`Self::meaning`] says.
    pub default: Option<&'static str>,
    /// Its unit; empty for a name or a plain number.
    pub unit: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
    /// A section of `docs/sources.md`, a program and its function, or `ours`.
    pub source: &'static str,
}

impl Parameter {
    /// A setting of ours that another one decides if it is not given.
    pub(crate) const fn new(name: &'static str, kind: ParameterKind) -> Self {
        Self { name, kind, default: None, unit: "", meaning: "", source: "ours" }
    }

    /// Its value where none is given, and the unit of its values.
    pub(crate) const fn by_default(self, value: &'static str, unit: &'static str) -> Self {
        Self { default: Some(value), unit, ..self }
    }

    /// What it does.
    pub(crate) const fn means(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    /// Where it comes from.
    pub(crate) const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }
}

/// Type and range of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A whole number, both ends included.
    Integer(u64, u64),
    /// A number, both ends included.
    Decimal(f64, f64),
    /// One of these names.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
}

/// The allowed range, as messages and lists show it.
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

impl ParameterKind {
    /// Reads a value; `None` if it has another type or is outside the range.
    fn read(self, text: &str) -> Option<Value> {
        match self {
            ParameterKind::Integer(least, most) => {
                text.parse().ok().filter(|value| (least..=most).contains(value)).map(Value::Integer)
            }
            ParameterKind::Decimal(least, most) => {
                text.parse().ok().filter(|value| (least..=most).contains(value)).map(Value::Decimal)
            }
            ParameterKind::Choice(names) => {
                names.iter().copied().find(|name| *name == text).map(Value::Choice)
            }
            ParameterKind::Switch => text.parse().ok().map(Value::Switch),
        }
    }
}

/// A setting's value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Integer(u64),
    Decimal(f64),
    Choice(&'static str),
    Switch(bool),
}

/// The checked settings of one policy: each parameter with its value, given or default.
#[derive(Clone, Debug)]
pub(crate) struct Settings(Vec<(&'static str, Value)>);

impl Settings {
    /// Checks the `given` (name, text) pairs against the policy's parameters and fills in the defaults.
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
            let value = parameter.kind.read(text.trim()).ok_or_else(|| Error::OutOfRange {
                policy,
                name: parameter.name,
                got: text.clone(),
                expected: parameter.kind.to_string(),
            })?;
            values.push((parameter.name, value));
        }
        for parameter in parameters {
            if values.iter().all(|(known, _)| *known != parameter.name)
                && let Some(value) = parameter.default.and_then(|text| parameter.kind.read(text))
            {
                values.push((parameter.name, value));
            }
        }
        Ok(Self(values))
    }

    fn value(&self, parameter: &Parameter) -> Option<Value> {
        self.0.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| *value)
    }

    pub(crate) fn integer(&self, parameter: &Parameter) -> u64 {
        match self.value(parameter) {
            Some(Value::Integer(value)) => value,
            other => panic!("`{}` is declared as a whole number with a default: {other:?}", parameter.name),
        }
    }

    pub(crate) fn decimal(&self, parameter: &Parameter) -> f64 {
        match self.decimal_if_set(parameter) {
            Some(value) => value,
            None => panic!("`{}` is declared as a number with a default", parameter.name),
        }
    }

    pub(crate) fn decimal_if_set(&self, parameter: &Parameter) -> Option<f64> {
        match self.value(parameter) {
            Some(Value::Decimal(value)) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn choice(&self, parameter: &Parameter) -> &'static str {
        match self.value(parameter) {
            Some(Value::Choice(value)) => value,
            other => panic!("`{}` is declared as a choice with a default: {other:?}", parameter.name),
        }
    }

    pub(crate) fn switch(&self, parameter: &Parameter) -> bool {
        match self.value(parameter) {
            Some(Value::Switch(value)) => value,
            other => panic!("`{}` is declared as a switch with a default: {other:?}", parameter.name),
        }
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
