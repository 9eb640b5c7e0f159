//! Every policy there is, one line each. A new one is one file and one line here.

use std::fmt;

use crate::error::nearest;
use crate::parameter::Settings;
use crate::{Error, Judgement, Parameter, Sheet, Situation};
use crate::{bayes, crafty, lokasoft, polyglot, postmodernist, terra, wilson};

/// All policies, in the order lists show them.
pub static CATALOGUE: &[Entry] = &[
    postmodernist::ENTRY,
    lokasoft::ENTRY,
    terra::ENTRY,
    crafty::paper::ENTRY_5_1,
    crafty::paper::ENTRY_5_2,
    crafty::mixture::ENTRY,
    polyglot::ENTRY,
    wilson::ENTRY,
    bayes::ENTRY,
];

/// A rule that turns a position's candidates into move probabilities.
pub trait Policy: fmt::Debug + Send + Sync {
    /// Its name in the catalogue.
    fn name(&self) -> &'static str;

    /// Fills in a sheet: excludes moves, weighs the others, shares the probability out.
    fn weigh(&self, sheet: &mut Sheet<'_>);

    /// Judges every candidate of `situation`.
    ///
    /// No candidates, or none that can be chosen, is an answer and no error: all probabilities are 0, and a note says why.
    fn judge(&self, situation: &Situation<'_>) -> Judgement {
        Sheet::fill(situation, |sheet| self.weigh(sheet))
    }
}

/// One policy of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Where its rule is from.
    pub source: &'static str,
    /// Its settings.
    pub parameters: &'static [Parameter],
    pub(crate) build: fn(&Settings) -> Box<dyn Policy>,
}

impl Entry {
    /// The policy with `settings` as (name, text) pairs, the others at their defaults.
    ///
    /// # Errors
    ///
    /// A setting that the policy does not have, that is given twice, or that is outside its range.
    pub fn with(&self, settings: &[(String, String)]) -> Result<Box<dyn Policy>, Error> {
        Ok((self.build)(&Settings::read(self.name, self.parameters, settings)?))
    }
}

/// The policy of that name, with `settings` as (name, text) pairs.
///
/// # Errors
///
/// An unknown policy, or what [`Entry::with`] refuses.
pub fn by_name(name: &str, settings: &[(String, String)]) -> Result<Box<dyn Policy>, Error> {
    let known = || CATALOGUE.iter().map(|entry| entry.name);
    let entry = CATALOGUE.iter().find(|entry| entry.name == name);
    let unknown = || Error::UnknownPolicy {
        name: name.to_owned(),
        nearest: nearest(name, known()),
        known: known().collect(),
    };
    entry.ok_or_else(unknown)?.with(settings)
}
