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

    /// Whether it looks at [`Candidate::target`](crate::Candidate::target). Where it does, every legal move that leads to a known
    /// position is a candidate; where it does not, nobody needs to look those positions up.
    fn needs_targets(&self) -> bool {
        false
    }

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
    entry(name)?.with(settings)
}

/// The line of the catalogue for the policy of that name.
///
/// # Errors
///
/// [`Error::UnknownPolicy`].
pub fn entry(name: &str) -> Result<&'static Entry, Error> {
    let known = || CATALOGUE.iter().map(|entry| entry.name);
    CATALOGUE.iter().find(|entry| entry.name == name).ok_or_else(|| Error::UnknownPolicy {
        name: name.to_owned(),
        nearest: nearest(name, known()),
        known: known().collect(),
    })
}
