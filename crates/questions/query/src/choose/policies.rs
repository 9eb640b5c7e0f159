//! The policies, as lists show them.

use policy::{CATALOGUE, Parameter, ParameterKind, PolicySpec};
use serde::Serialize;

use crate::Result;

/// A policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PolicyInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Where its rule is from.
    pub source: &'static str,
    /// Its settings.
    pub parameters: Vec<ParameterInfo>,
}

/// A setting of a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ParameterInfo {
    /// Its name.
    pub name: &'static str,
    /// Its value if none is given; `None` where another setting decides it, as `meaning` says.
    pub default: Option<&'static str>,
    /// The values it may have, in words.
    pub range: String,
    /// Whether it is a whole number.
    #[serde(skip)]
    pub is_integer: bool,
    /// The least value, for numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
    /// The greatest value, for numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
    /// The names it may be, for names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<&'static str>,
    /// Its unit; empty for a name or a plain number.
    pub unit: &'static str,
    /// What it does, in a line.
    pub meaning: &'static str,
    /// Where it is from.
    pub source: &'static str,
}

/// All policies.
#[must_use]
pub fn policies() -> Vec<PolicyInfo> {
    CATALOGUE.iter().map(info).collect()
}

/// The policy of that name.
///
/// # Errors
///
/// [`Error::Policy`](crate::Error::Policy) if there is none.
pub fn policy(name: &str) -> Result<PolicyInfo> {
    Ok(info(policy::spec(name)?))
}

fn info(spec: &PolicySpec) -> PolicyInfo {
    let PolicySpec { name, summary, source, .. } = *spec;
    PolicyInfo { name, summary, source, parameters: spec.all_parameters().map(parameter).collect() }
}

#[expect(clippy::cast_precision_loss, reason = "ranges end far below 2^53")]
fn parameter(parameter: &Parameter) -> ParameterInfo {
    let (least, most, choices) = match parameter.kind {
        ParameterKind::Integer(least, most) => (Some(least as f64), Some(most as f64), Vec::new()),
        ParameterKind::Decimal(least, most) => (Some(least), Some(most), Vec::new()),
        ParameterKind::Choice(names) => (None, None, names.to_vec()),
        ParameterKind::Switch => (None, None, vec!["true", "false"]),
    };
    let Parameter { name, default, unit, meaning, source, .. } = *parameter;
    ParameterInfo {
        name,
        default,
        range: parameter.kind.to_string(),
        is_integer: matches!(parameter.kind, ParameterKind::Integer(..)),
        least,
        most,
        choices,
        unit,
        meaning,
        source,
    }
}
