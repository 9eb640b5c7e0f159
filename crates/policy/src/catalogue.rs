//! The list of all policies. A new policy is one file and one line here.

use std::fmt;

use crate::error::nearest;
use crate::parameter::Settings;
use crate::{Error, Judgement, Parameter, Sheet, Situation};
use crate::{bayes, crafty, lokasoft, polyglot, postmodernist, terra, wilson};

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
];

/// A rule that turns a position's candidates into move probabilities.
pub trait Policy: fmt::Debug + Send + Sync {
    /// Its name in the catalogue.
    fn name(&self) -> &'static str;

    /// Whether it reads [`Candidate::target`](crate::Candidate::target). If so, every legal move that
    /// leads to a known position is a candidate; if not, the caller need not look those positions up.
    fn needs_targets(&self) -> bool {
        false
    }

    /// The value of a setting that was not given and has no default of its own: another setting decides it.
    fn decided(&self, _setting: &str) -> Option<String> {
        None
    }

    /// Whether it reads the values of searches, of which some belong to the positions that moves lead to.
    fn reads_searches(&self) -> bool {
        false
    }

    /// Fills in a sheet: excludes moves, weighs the others, and turns weights into probabilities.
    fn weigh(&self, sheet: &mut Sheet<'_>);

    /// Judges every candidate of `situation`.
    ///
    /// No candidates, or none that can be chosen, is not an error: all probabilities are 0, and a note
    /// says why.
    fn judge(&self, situation: &Situation<'_>) -> Judgement {
        Sheet::fill(situation, |sheet| self.weigh(sheet))
    }
}

/// A policy of the catalogue: its name, settings and constructor.
#[derive(Clone, Copy, Debug)]
pub struct PolicySpec {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// The source of its rule: sections of `docs/sources.md`, a program and its function, or `ours`.
    pub source: &'static str,
    /// Its settings.
    pub parameters: &'static [Parameter],
    pub(crate) build: fn(&Settings) -> Box<dyn Policy>,
}

impl PolicySpec {
    /// Builds the policy with `settings` as (name, text) pairs; other settings have their defaults.
    ///
    /// # Errors
    ///
    /// If a setting is unknown, given twice, or outside its range.
    pub fn with(&self, settings: &[(String, String)]) -> Result<Box<dyn Policy>, Error> {
        Ok((self.build)(&Settings::read(self.name, self.parameters, settings)?))
    }
}

/// Builds the policy of that name with `settings` as (name, text) pairs.
///
/// # Errors
///
/// If the policy is unknown, or as [`PolicySpec::with`].
pub fn by_name(name: &str, settings: &[(String, String)]) -> Result<Box<dyn Policy>, Error> {
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
