//! A policy, which combines a rule that judges a position's candidates with the bans that it honours.

use crate::bans::{BAD_THRESHOLD, Bans, HONOUR_BANS};
use crate::parameter::Settings;
use crate::{Error, Judgement, PolicySpec, Rule, Sheet, Situation};

/// A policy with its settings. It turns a position's candidates into probabilities of moves.
#[derive(Debug)]
pub struct Policy {
    spec: PolicySpec,
    rule: Box<dyn Rule>,
    bans: Bans,
}

impl PolicySpec {
    /// Builds the policy with `settings`, which are (name, text) pairs. Settings that are not given take
    /// their default values.
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
    /// The policy's catalogue entry.
    #[must_use]
    pub fn spec(&self) -> &PolicySpec {
        &self.spec
    }

    /// The policy's name in the catalogue.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.spec.name
    }

    /// Whether the policy reads [`Candidate::target`](crate::Candidate::target). If the policy does, every
    /// legal move that leads to a known position must be a candidate. If it does not, the caller need not
    /// look up these positions.
    #[must_use]
    pub fn needs_targets(&self) -> bool {
        self.rule.needs_targets()
    }

    /// Whether the policy reads evaluations found by searches. These include evaluations of the positions
    /// after the moves.
    #[must_use]
    pub fn reads_searches(&self) -> bool {
        self.rule.reads_searches()
    }

    /// The value in effect for a setting that has no default because it depends on another setting; `None`
    /// for all other settings.
    #[must_use]
    pub fn decided(&self, setting: &str) -> Option<String> {
        self.rule.decided(setting)
    }

    /// Judges every candidate of `situation`.
    ///
    /// It is not an error if there are no candidates, or if none of them can be chosen. All probabilities are
    /// then 0, and a note says why.
    #[must_use]
    pub fn judge(&self, situation: &Situation<'_>) -> Judgement {
        let judge = |allowed: &Situation<'_>| Sheet::fill(allowed, |sheet| self.rule.weigh(sheet));
        self.bans.judge(situation, judge).concluded()
    }
}
