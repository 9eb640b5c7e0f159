//! Settings for game weights, shared by all stages and commands that use weighted counts.

use clap::Args;
use run::{SettingError, values::option_as_text};
use serde::{Deserialize, Serialize};
use table::{GameWeights, HalfLife, Month, RatingWeights};

/// How much each game counts, by its age and by its ratings.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[command(next_help_heading = "Game weights")]
#[serde(default)]
pub struct WeighGames {
    /// The age at which a game counts as half a game, such as 3y or 18m; the counts must be split by month
    #[arg(long, value_name = "TIME")]
    #[serde(with = "option_as_text", skip_serializing_if = "Option::is_none")]
    pub half_life: Option<HalfLife>,
    /// The month from which ages are counted, such as 2015-06 [default: the newest month counted]
    #[arg(long, value_name = "YYYY-MM", requires = "half_life")]
    #[serde(with = "option_as_text", skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Month>,
    /// How much a game counts according to its players' mean rating, such as 2200=2,2500=4: each weight
    /// applies from its band up to the next; the counts must be split by rating band
    #[arg(long, value_name = "BAND=WEIGHT,...")]
    #[serde(with = "option_as_text", skip_serializing_if = "Option::is_none")]
    pub rating_weight: Option<RatingWeights>,
}

impl WeighGames {
    /// The weights that these settings describe.
    #[must_use]
    pub fn weights(&self) -> GameWeights {
        let Self { half_life, as_of, rating_weight } = *self;
        GameWeights { half_life, as_of, ratings: rating_weight }
    }

    /// Refuses `as_of` if no half-life is set.
    pub fn check(&self) -> Result<(), SettingError> {
        let needed = SettingError::because("as_of", "needs `half_life`, which it is for");
        needed.unless(self.as_of.is_none() || self.half_life.is_some())
    }
}
