//! The list of all policies. A new policy is one file and one line here.

use crate::error::nearest;
use crate::{Error, Policy, PolicySpec};
use crate::{bayes, crafty, lokasoft, minimax, polyglot, postmodernist, terra, wilson};

/// All policies, in the order of lists.
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

/// Builds the policy of that name with `settings` as (name, text) pairs.
///
/// # Errors
///
/// Fails if the policy is unknown, or as [`PolicySpec::with`].
pub fn by_name(name: &str, settings: &[(String, String)]) -> Result<Policy, Error> {
    spec(name)?.with(settings)
}

/// The catalogue's policy of that name.
///
/// # Errors
///
/// [`Error::UnknownPolicy`].
pub fn spec(name: &str) -> Result<&'static PolicySpec, Error> {
    let known = || CATALOGUE.iter().map(|spec| spec.name);
    CATALOGUE.iter().find(|spec| spec.name == name).ok_or_else(|| Error::UnknownPolicy {
        name: name.to_owned(),
        nearest: nearest(name, known()),
        known: known().collect(),
    })
}
