//! Settings for the weights, the learn field and the header of a Polyglot book.

use book::polyglot::{LearnField, Weight};
use clap::Args;
use query::Chooser;
use run::{
    SettingError,
    values::{as_text, parse_policy_setting, policy_settings},
};
use serde::{Deserialize, Serialize};

/// How the moves of a Polyglot book are weighted, and which other data the book contains.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Weighing {
    /// How a move is weighted: wins-draws (2 wins + draws), games, score, uniform, or win=2,draw=1,loss=0. A
    /// move that never scored has weight 1
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Outputs")]
    #[serde(with = "as_text")]
    pub weight: Weight,
    /// Derive weights from counts alone, and also write banned moves, that is, moves with a learned value of
    /// -0.80 or below, and moves set by hand to value 0, priority 0, ? or ??
    #[arg(long, help_heading = "Outputs")]
    pub counts_only: bool,
    /// In the Polyglot book, leave out moves with which the mover never won or drew, as polyglot make-book
    /// does
    #[arg(long, help_heading = "Outputs")]
    pub drop_unscored: bool,
    /// Weight moves by the probability with which this policy plays them, and leave out moves that it never
    /// plays; `tabia policies` lists all policies
    #[arg(long, value_name = "NAME", help_heading = "Outputs",
        conflicts_with_all = ["weight", "counts_only", "drop_unscored"])]
    pub policy: Option<String>,
    /// A setting of the policy, such as book-limit=40; may be repeated
    #[arg(long = "set", id = "settings", value_name = "KEY=VALUE", value_parser = parse_policy_setting,
        requires = "policy", help_heading = "Outputs")]
    #[serde(with = "policy_settings")]
    pub settings: Vec<(String, String)>,
    /// The last 32 bits of an entry: none (0), learned (learned value, signed centipawns), or games (games
    /// times 65,536 + 2 wins + draws)
    #[arg(long, value_name = "WHAT", default_value_t, help_heading = "Outputs")]
    #[serde(with = "as_text")]
    pub learn_field: LearnField,
    /// Write the optional header of the Polyglot book, with the source of the counts and how moves are
    /// weighted; programs that look up positions never read the header
    #[arg(long, help_heading = "Outputs")]
    pub header: bool,
}

impl Weighing {
    /// The policy whose probabilities determine the weights of moves; `None` if counts determine the weights.
    pub(super) fn chooser(&self) -> Result<Option<Chooser>, SettingError> {
        let chooser = |name: &String| {
            Chooser::new(name, &self.settings)
                .map_err(|error| SettingError::because("policy", error.to_string()))
        };
        self.policy.as_ref().map(chooser).transpose()
    }

    /// Refuses settings that cannot be used together.
    pub(super) fn check(&self) -> Result<(), SettingError> {
        if self.chooser()?.is_none() {
            let needed = SettingError::because("settings", "needs `policy`, the policy they are of");
            return needed.unless(self.settings.is_empty());
        }
        let excluded = [
            ("weight", self.weight != Weight::default()),
            ("counts_only", self.counts_only),
            ("drop_unscored", self.drop_unscored),
        ];
        let why = "cannot be given with `policy`, which decides";
        excluded.into_iter().try_for_each(|(key, given)| SettingError::because(key, why).unless(!given))
    }

    /// Describes the settings, for example as `weight wins-draws, counts only`.
    pub(super) fn note(&self) -> String {
        let mut note = match self.chooser() {
            Ok(Some(chooser)) => format!("policy {}", chooser.describe()),
            _ => format!("weight {}", self.weight),
        };
        let said = [(self.counts_only, ", counts only"), (self.drop_unscored, ", without unscored moves")];
        note.extend(said.into_iter().filter_map(|(given, text)| given.then_some(text)));
        match self.learn_field {
            LearnField::None => note,
            field => note + &format!(", learn field {field}"),
        }
    }
}
