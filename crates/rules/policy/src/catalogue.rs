//! The list of all policies. To add a policy, write a file for it and add a line here.

use crate::error::nearest;
use crate::{Error, Policy, PolicySpec};
use crate::{bayes, crafty, lokasoft, minimax, polyglot, postmodernist, terra, wilson};

/// All policies, in the order in which they are shown to users.
pub static CATALOGUE: &[PolicySpec] = &[
    postmodernist::SPEC,
    lokasoft::SPEC,
    terra::SPEC,
    crafty::paper::SPEC_5_1,
    crafty::paper::SPEC_5_2,
    crafty::mixture::SPEC,
    polyglot::SPEC,
    wilson::SPEC,
    bayes::SPEC,
    minimax::SPEC,
];

/// Builds the policy `name` with `settings`, which are (name, text) pairs.
///
/// # Errors
///
/// Fails if there is no such policy, or if [`PolicySpec::with`] fails.
pub fn by_name(name: &str, settings: &[(String, String)]) -> Result<Policy, Error> {
    spec(name)?.with(settings)
}

/// The entry of the policy `name`.
///
/// # Errors
///
/// Fails with [`Error::UnknownPolicy`] if there is no such policy.
pub fn spec(name: &str) -> Result<&'static PolicySpec, Error> {
    let known = || CATALOGUE.iter().map(|spec| spec.name);
    CATALOGUE.iter().find(|spec| spec.name == name).ok_or_else(|| Error::UnknownPolicy {
        name: name.to_owned(),
        nearest: nearest(name, known()),
        known: known().collect(),
    })
}
