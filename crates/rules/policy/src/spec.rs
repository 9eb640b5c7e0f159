//! The declaration from which a policy is built.

use crate::bans::HONOUR_BANS;
use crate::parameter::Settings;
use crate::{Parameter, Rule};
use serde::{Serialize, Serializer};

/// The settings that every policy has.
pub static COMMON: &[Parameter] = &[HONOUR_BANS];

/// The kinds of evidence that a rule may use.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Evidence {
    /// How often moves were played, and how the games with them ended.
    Games,
    /// The weights in a Polyglot book, which say how often moves are to be played.
    Weights,
    /// Learned values, own results, and values that were set by hand.
    Experience,
    /// Engines' evaluations of moves, and values backed up from evaluations of later positions.
    Evaluations,
}

/// A policy in the catalogue: its name, settings and constructor.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PolicySpec {
    /// The policy's name.
    pub name: &'static str,
    /// What the policy does, on one line.
    pub summary: &'static str,
    /// The source of the rule: sections of `docs/sources.md`, a program and its function, or `ours`.
    pub source: &'static str,
    /// The evidence that the rule uses. Evidence for bans is not included, since every policy honours bans.
    #[serde(skip)]
    pub evidence: &'static [Evidence],
    /// The policy's own settings, without those that every policy has.
    #[serde(serialize_with = "with_common")]
    pub parameters: &'static [Parameter],
    #[serde(skip)]
    pub(crate) build: fn(&Settings) -> Box<dyn Rule>,
}

impl PolicySpec {
    /// The policy's own settings, followed by those that every policy has.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static Parameter> + Clone + use<> {
        self.parameters.iter().chain(COMMON)
    }
}

fn with_common<S: Serializer>(own: &'static [Parameter], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(own.iter().chain(COMMON))
}
