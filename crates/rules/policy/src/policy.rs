//! What a policy is: a rule over a position's candidates, and the bans that it honours.

use crate::bans::{BAD_THRESHOLD, Bans, HONOUR_BANS};
use crate::parameter::Settings;
use crate::{Error, Judgement, PolicySpec, Rule, Sheet, Situation};

/// A policy as it is set: it turns a position's candidates into move probabilities.
#[derive(Debug)]
pub struct Policy {
    spec: PolicySpec,
    rule: Box<dyn Rule>,
    bans: Bans,
}

impl PolicySpec {
    /// Builds the policy with `settings` as (name, text) pairs; other settings have their defaults.
    ///
    /// # Errors
    ///
    /// Fails if a setting is unknown, given twice, or outside its range.
    pub fn with(&self, settings: &[(String, String)]) -> Result<Policy, Error> {
        let settings = Settings::read(self.name, self.all_parameters(), settings)?;
        let bans = match settings.get(&HONOUR_BANS) {
            false => Bans::None,
            true if self.parameters.contains(&BAD_THRESHOLD) => Bans::ByHand,
            true => Bans::All,
        };
        Ok(Policy { spec: *self, rule: (self.build)(&settings), bans })
    }
}

impl Policy {
    /// Its entry of the catalogue.
    #[must_use]
    pub fn spec(&self) -> &PolicySpec {
        &self.spec
    }

    /// Its name in the catalogue.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.spec.name
    }

    /// Whether it reads [`Candidate::target`](crate::Candidate::target). If so, every legal move that
    /// leads to a known position is a candidate; if not, the caller need not look those positions up.
    #[must_use]
    pub fn needs_targets(&self) -> bool {
        self.rule.needs_targets()
    }

    /// Whether it reads the values of searches. Some of these belong to the positions that moves lead to.
    #[must_use]
    pub fn reads_searches(&self) -> bool {
        self.rule.reads_searches()
    }

    /// The value of a setting that was not given and has no default of its own: another setting decides it.
    #[must_use]
    pub fn decided(&self, setting: &str) -> Option<String> {
        self.rule.decided(setting)
    }

    /// Judges every candidate of `situation`.
    ///
    /// It is not an error if there are no candidates, or none that can be chosen: all probabilities are 0,
    /// and a note says why.
    #[must_use]
    pub fn judge(&self, situation: &Situation<'_>) -> Judgement {
        let judge = |allowed: &Situation<'_>| Sheet::fill(allowed, |sheet| self.rule.weigh(sheet));
        self.bans.judge(situation, judge).concluded()
    }
}
