//! The settings of the mixture. Some defaults differ between versions.

use super::threshold_centipawns;
use super::version::{self, Rules, Version};
use crate::bans::BAD_THRESHOLD;
use crate::parameter::Settings;
use crate::{Parameter, ParameterKind};

/// All settings, in the order in which lists show them.
pub(super) const PARAMETERS: &[Parameter] = &[
    VERSION,
    BOOK_WIDTH,
    BOOK_RANDOM,
    WEIGHTS[0],
    WEIGHTS[1],
    WEIGHTS[2],
    BAD_THRESHOLD,
    GOOD_THRESHOLD,
    NEVER_WON_RULE,
    RARE_RULE,
    PLAY_PERCENT,
];

const VERSION: Parameter = Parameter::new("version", ParameterKind::Choice(version::NAMES))
    .by_default("22", "")
    .means("whose weights and rules: 15.17; 16 to 17.12; 18 to 18.8; 18.10 to 18.15; 19 to 20.10; 22 (21.2 to 25.2)")
    .source("Crafty, book.c and data.c of these versions");
const BOOK_WIDTH: Parameter = Parameter::new("book-width", ParameterKind::Integer(1, 999))
    .by_default("5", "moves")
    .means("how many of the best moves are considered")
    .source("Crafty, command `book width`");
const BOOK_RANDOM: Parameter = Parameter::new("book-random", ParameterKind::Switch)
    .by_default("true", "")
    .means("draw; false: the considered move with the best evaluation, none if that is below -0.50")
    .source("Crafty, command `book random`");
/// The settings for the weights of frequency, learned value and evaluation.
const WEIGHTS: [Parameter; 3] = [
    weight("freq-weight", "weight of how often the move was played; by version: 1, 1, 0.5, 0.5, 1, 1"),
    weight("learn-weight", "weight of the learned value; by version: 1, 0.3, 1, 1, 1, 1"),
    weight("eval-weight", "weight of the evaluation; by version: 1, 0.1, 0.1, 0.1, 0.5, 0.1"),
];
const GOOD_THRESHOLD: Parameter = Parameter::new("good-threshold", ParameterKind::Decimal(0.0, 1000.0))
    .by_default("1", "pawns")
    .means("a move with a learned value at or above this is flagged !")
    .source("Crafty, LEARN_COUNTER_GOOD");
const NEVER_WON_RULE: Parameter =
    rule_switch("never-won-rule", "a move the mover never won with is flagged ?");
const RARE_RULE: Parameter =
    rule_switch("rare-rule", "a move played less than a tenth as often as the most played is flagged ?");
const PLAY_PERCENT: Parameter =
    rule_switch("play-percent", "a value set by hand without annotation is a play percent; 0 is ?");

const fn weight(name: &'static str, meaning: &'static str) -> Parameter {
    Parameter::new(name, ParameterKind::Decimal(0.0, 100.0)).means(meaning).source("Crafty, command `bookw`")
}

const fn rule_switch(name: &'static str, meaning: &'static str) -> Parameter {
    Parameter::new(name, ParameterKind::Switch).by_default("true", "").means(meaning).source("Crafty, Book()")
}

/// The values of these settings.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "four switches, each a setting of its own")]
pub(super) struct MixtureSettings {
    pub(super) version: Version,
    pub(super) weights: [f32; 3],
    pub(super) width: usize,
    pub(super) random: bool,
    pub(super) bad_centipawns: i64,
    pub(super) good_centipawns: i64,
    pub(super) never_won_rule: bool,
    pub(super) rare_rule: bool,
    pub(super) play_percent: bool,
}

impl MixtureSettings {
    pub(super) fn new(settings: &Settings) -> Self {
        let version = version::named(&settings.get::<String>(&VERSION));
        let weight = |at: usize| {
            let own: Option<f64> = settings.get_if_set(&WEIGHTS[at]);
            own.map_or(version.weights[at], |weight| weight as f32)
        };
        Self {
            version,
            weights: [0, 1, 2].map(weight),
            width: settings.get(&BOOK_WIDTH),
            random: settings.get(&BOOK_RANDOM),
            bad_centipawns: threshold_centipawns(settings.get(&BAD_THRESHOLD)),
            good_centipawns: threshold_centipawns(settings.get(&GOOD_THRESHOLD)),
            never_won_rule: settings.get(&NEVER_WON_RULE),
            rare_rule: settings.get(&RARE_RULE),
            play_percent: settings.get(&PLAY_PERCENT),
        }
    }

    /// The weight called `name`; `None` if there is none.
    pub(super) fn weight(&self, name: &str) -> Option<f32> {
        let at = WEIGHTS.iter().position(|parameter| parameter.name == name)?;
        Some(self.weights[at])
    }

    /// Whether a play percent sets the flag `!` and protects a move from `?`.
    pub(super) fn percent_flags(&self) -> bool {
        self.version.rules >= Rules::PlayPercent
    }

    /// Whether moves are flagged `?` before the ranges of values are determined.
    pub(super) fn flags_first(&self) -> bool {
        self.version.rules >= Rules::FlagsFirst
    }
}
