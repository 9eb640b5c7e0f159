//! The list of all policies. A new policy is one file and one line here.

use std::fmt;

use crate::bans::{Bans, HONOUR_BANS};
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

/// The settings that every policy has.
pub static COMMON: &[Parameter] = &[HONOUR_BANS];

/// What a rule may go by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Evidence {
    /// How often moves were played, and with what results.
    Games,
    /// The weights of a Polyglot book, which say how often moves are to be played.
    Weights,
    /// What was learned, own results, and what was set by hand.
    Experience,
}

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
        Sheet::fill(situation, |sheet| self.weigh(sheet)).concluded()
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
    /// What its rule goes by, besides the bans that every policy honours.
    pub evidence: &'static [Evidence],
    /// The settings of its own.
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
        let settings = Settings::read(self.name, self.all_parameters(), settings)?;
        let policy = (self.build)(&settings);
        if !settings.switch(&HONOUR_BANS) {
            return Ok(policy);
        }
        let learned = !self.parameters.contains(&crafty::BAD_THRESHOLD);
        Ok(Box::new(WithBans { policy, bans: Bans { learned } }))
    }

    /// Its own settings, then those that every policy has.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static Parameter> + Clone + use<> {
        self.parameters.iter().chain(COMMON)
    }
}

/// A policy that never plays what is banned.
#[derive(Debug)]
struct WithBans {
    policy: Box<dyn Policy>,
    bans: Bans,
}

impl Policy for WithBans {
    fn name(&self) -> &'static str {
        self.policy.name()
    }

    fn needs_targets(&self) -> bool {
        self.policy.needs_targets()
    }

    fn decided(&self, setting: &str) -> Option<String> {
        self.policy.decided(setting)
    }

    fn reads_searches(&self) -> bool {
        self.policy.reads_searches()
    }

    fn weigh(&self, sheet: &mut Sheet<'_>) {
        self.policy.weigh(sheet);
    }

    fn judge(&self, situation: &Situation<'_>) -> Judgement {
        let judge = |allowed: &Situation<'_>| Sheet::fill(allowed, |sheet| self.policy.weigh(sheet));
        self.bans.judge(situation, judge).concluded()
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
