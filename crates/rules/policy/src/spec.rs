//! The declaration of a policy, from which the policy is built.

use crate::bans::HONOUR_BANS;
use crate::parameter::Settings;
use crate::{Parameter, Rule};
use serde::{Serialize, Serializer};

/// The settings that every policy has.
pub static COMMON: &[Parameter] = &[HONOUR_BANS];

/// The kinds of evidence that a rule may choose by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Evidence {
    /// How often moves were played, and with what results.
    Games,
    /// The weights of a Polyglot book, which set how often moves are to be played.
    Weights,
    /// Learned values, own results, and values set by hand.
    Experience,
    /// Engines' evaluations of moves, and values that were backed up from later evaluations.
    Evaluations,
}

/// A policy of the catalogue: its name, settings and constructor.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PolicySpec {
    /// The policy's name.
    pub name: &'static str,
    /// What the policy does, in one line.
    pub summary: &'static str,
    /// The source of the rule: sections of `docs/sources.md`, a program and its function, or `ours`.
    pub source: &'static str,
    /// The evidence that the rule chooses by. This does not include the evidence for bans, which every policy
    /// honours.
    #[serde(skip)]
    pub evidence: &'static [Evidence],
    /// The settings that only this policy has.
    #[serde(serialize_with = "with_common")]
    pub parameters: &'static [Parameter],
    #[serde(skip)]
    pub(crate) build: fn(&Settings) -> Box<dyn Rule>,
}

impl PolicySpec {
    /// The policy's own settings, then the settings that every policy has.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static Parameter> + Clone + use<> {
        self.parameters.iter().chain(COMMON)
    }
}

fn with_common<S: Serializer>(own: &'static [Parameter], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(own.iter().chain(COMMON))
}
