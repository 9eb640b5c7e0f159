//! Which dimensions the rows of a table are split by.

use position::Group;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{
    PlayerName,
    clock::speed_of,
    date::{PartialDate, date_of},
    rating::band_of,
};
use crate::{Error, Result, setting::Setting, tags::Tags};

/// The dimensions that edges are split by. By default there are none.
#[derive(Clone, Debug, Default)]
pub struct GroupBy {
    /// Whether edges are split by Lichess's speed, from `TimeControl`.
    pub speed: bool,
    /// Whether edges are split by the band of the two players' mean rating.
    pub rating_band: bool,
    /// Whether edges are split by year and month, from `UTCDate`, else `Date`.
    pub month: bool,
    /// The player by whose colour edges are split.
    pub player_color: Option<PlayerName>,
}

/// The latest year a group can hold.
const YEAR_MAX: u16 = 4095;

impl GroupBy {
    /// The given dimensions. The colour is that of `player`; without a player it is left out.
    #[must_use]
    pub fn new(dimensions: &[Dimension], player: Option<&PlayerName>) -> Self {
        let has = |dimension| dimensions.contains(&dimension);
        Self {
            speed: has(Dimension::Speed),
            rating_band: has(Dimension::RatingBand),
            month: has(Dimension::Month),
            player_color: player.filter(|_| has(Dimension::PlayerColor)).cloned(),
        }
    }

    /// The group of a game with these tags; what is unknown, or not grouped by, stays unknown.
    #[must_use]
    pub fn of(&self, tags: &Tags<'_>) -> Group {
        let mut group = Group::NONE;
        if self.speed {
            group = group.with_speed(speed_of(tags));
        }
        if self.rating_band {
            group = group.with_rating_band(band_of(tags));
        }
        if self.month {
            let month = date_of(tags).and_then(PartialDate::month);
            group = group.with_month(month.filter(|&(year, _)| year <= YEAR_MAX));
        }
        if let Some(player) = &self.player_color {
            group = group.with_player_color(player.color(tags));
        }
        group
    }
}

/// A dimension by its name in options: `rating-band`.
#[derive(Clone, Copy, Debug, Display, EnumString, Eq, IntoStaticStr, PartialEq, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Dimension {
    /// Lichess's speed.
    Speed,
    /// The band of the two players' mean rating.
    RatingBand,
    /// Year and month.
    Month,
    /// The colour of the player whose games count.
    PlayerColor,
}

impl Setting for Dimension {
    fn parse(text: &str) -> Result<Self> {
        text.trim_ascii().parse().map_err(|_| Error::Value {
            what: "group",
            given: text.into(),
            expected: "speed, rating-band, month or player-color",
        })
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
mod tests {
    use position::{RatingBand, Speed};
    use shakmaty::Color;

    use super::*;
    use crate::filter::testing::with_tags;

    const GAME: [(&str, &str); 6] = [
        ("White", "Carlsen, Magnus"),
        ("Black", "Anand, V"),
        ("WhiteElo", "2870"),
        ("BlackElo", "2785"),
        ("UTCDate", "2014.11.08"),
        ("TimeControl", "40/7200:20/3600:900+30"),
    ];

    fn dimension(name: &str) -> Dimension {
        Dimension::parse(name).unwrap()
    }

    #[test]
    fn every_dimension_is_filled() {
        let player: PlayerName = "anand, v".parse().unwrap();
        let by =
            GroupBy::new(&["month", " speed", "rating-band", "player-color"].map(dimension), Some(&player));
        let group = with_tags(&GAME, |tags| by.of(tags));
        assert_eq!(group.speed(), Some(Speed::Classical));
        assert_eq!(group.rating_band().map(RatingBand::lower_bound), Some(2800));
        assert_eq!(group.month(), Some((2014, 11)));
        assert_eq!(group.player_color(), Some(Color::Black));
    }

    #[test]
    fn what_is_not_asked_for_or_unknown_stays_out() {
        assert_eq!(with_tags(&GAME, |tags| GroupBy::default().of(tags)), Group::NONE);
        let by = GroupBy::new(Dimension::VARIANTS, None);
        assert_eq!(
            with_tags(&[("WhiteElo", "2500"), ("Date", "2014.??.??")], |tags| by.of(tags)),
            Group::NONE
        );
        assert_eq!(with_tags(&[("Date", "9999.01.01")], |tags| by.of(tags)), Group::NONE);
    }

    #[test]
    fn unknown_dimensions_are_refused() {
        for text in ["", "elo", "speed,", "Speed", "speed;month"] {
            assert!(Dimension::parse(text).is_err(), "{text}");
        }
        assert_eq!(
            Dimension::parse("elo").unwrap_err().to_string(),
            "`elo` is no group: expected speed, rating-band, month or player-color"
        );
    }
}
