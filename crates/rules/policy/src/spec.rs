//! The declaration of a policy, from which it is built.

use crate::bans::{BAD_THRESHOLD, Bans, HONOUR_BANS};
use crate::parameter::Settings;
use crate::{Error, Judgement, Parameter, Policy, Sheet, Situation};

/// The settings that every policy has.
pub static COMMON: &[Parameter] = &[HONOUR_BANS];

/// The kinds of evidence that a rule may go by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Evidence {
    /// How often moves were played, and with what results.
    Games,
    /// The weights of a Polyglot book, which say how often moves are to be played.
    Weights,
    /// Learned values, own results, and values set by hand.
    Experience,
    /// What engines said of moves, and what is worth earlier.
    Evaluations,
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
    /// The settings that only this policy has.
    pub parameters: &'static [Parameter],
    pub(crate) build: fn(&Settings) -> Box<dyn Policy>,
}

impl PolicySpec {
    /// Builds the policy with `settings` as (name, text) pairs; other settings have their defaults.
    ///
    /// # Errors
    ///
    /// Fails if a setting is unknown, given twice, or outside its range.
    pub fn with(&self, settings: &[(String, String)]) -> Result<Box<dyn Policy>, Error> {
        let settings = Settings::read(self.name, self.all_parameters(), settings)?;
        let policy = (self.build)(&settings);
        if !settings.switch(&HONOUR_BANS) {
            return Ok(policy);
        }
        let learned = !self.parameters.contains(&BAD_THRESHOLD);
        Ok(Box::new(WithBans { policy, bans: Bans { learned } }))
    }

    /// Its own settings, then those that every policy has.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static Parameter> + Clone + use<> {
        self.parameters.iter().chain(COMMON)
    }
}

/// A policy that never plays a banned move.
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
