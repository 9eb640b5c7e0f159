//! Which dimensions the rows of a table are split by.

use std::str::FromStr;

use position::Group;

use super::{
    PlayerName,
    clock::speed_of,
    date::{PartialDate, date_of},
    rating::band_of,
};
use crate::{Error, Result, tags::Tags};

/// The dimensions that edges are split by. The default is none.
#[derive(Clone, Debug, Default)]
pub struct GroupBy {
    /// By Lichess's speed, from `TimeControl`.
    pub speed: bool,
    /// By the band of the two players' mean rating.
    pub rating_band: bool,
    /// By year and month, from `UTCDate`, else `Date`.
    pub month: bool,
    /// By the colour that this player had.
    pub player_color: Option<PlayerName>,
}

/// The latest year a group can hold.
const YEAR_MAX: u16 = 4095;

impl GroupBy {
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

    /// Canonical text: `speed,rating-band,month`, then `player-color=NAME`; empty if there is no dimension.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut parts = Vec::new();
        for (on, name) in [(self.speed, "speed"), (self.rating_band, "rating-band"), (self.month, "month")] {
            if on {
                parts.push(name.to_owned());
            }
        }
        parts.extend(self.player_color.as_ref().map(|player| format!("player-color={player}")));
        parts.join(",")
    }
}

/// From a list such as `speed,rating-band,month`; the named player is set apart.
impl FromStr for GroupBy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut groups = Self::default();
        for name in text.split(',') {
            match name.trim_ascii() {
                "speed" => groups.speed = true,
                "rating-band" => groups.rating_band = true,
                "month" => groups.month = true,
                _ => {
                    return Err(Error::Value {
                        what: "group",
                        given: name.into(),
                        expected: "speed, rating-band or month, separated by commas",
                    });
                }
            }
        }
        Ok(groups)
    }
}

#[cfg(test)]
mod tests {
    use position::{RatingBand, Speed};
    use shakmaty::Color;

    use super::*;
    use crate::filter::test_tags::with_tags;

    const GAME: [(&str, &str); 6] = [
        ("White", "Carlsen, Magnus"),
        ("Black", "Anand, V"),
        ("WhiteElo", "2870"),
        ("BlackElo", "2785"),
        ("UTCDate", "2014.11.08"),
        ("TimeControl", "40/7200:20/3600:900+30"),
    ];

    #[test]
    fn every_dimension_is_filled() {
        let mut by: GroupBy = "month, speed,rating-band".parse().unwrap();
        by.player_color = Some("anand, v".parse().unwrap());
        let group = with_tags(&GAME, |tags| by.of(tags));
        assert_eq!(group.speed(), Some(Speed::Classical));
        assert_eq!(group.rating_band().map(RatingBand::lower_bound), Some(2800));
        assert_eq!(group.month(), Some((2014, 11)));
        assert_eq!(group.player_color(), Some(Color::Black));
        assert_eq!(by.describe(), "speed,rating-band,month,player-color=anand, v");
    }

    #[test]
    fn what_is_not_asked_for_or_unknown_stays_out() {
        assert_eq!(with_tags(&GAME, |tags| GroupBy::default().of(tags)), Group::NONE);
        assert_eq!(GroupBy::default().describe(), "");
        let by: GroupBy = "speed,rating-band,month".parse().unwrap();
        assert_eq!(
            with_tags(&[("WhiteElo", "2500"), ("Date", "2014.??.??")], |tags| by.of(tags)),
            Group::NONE
        );
        assert_eq!(with_tags(&[("Date", "9999.01.01")], |tags| by.of(tags)), Group::NONE);
    }

    #[test]
    fn unknown_dimensions_are_refused() {
        for text in ["", "elo", "speed,", "Speed", "speed;month"] {
            assert!(text.parse::<GroupBy>().is_err(), "{text}");
        }
        assert_eq!(
            "elo".parse::<GroupBy>().unwrap_err().to_string(),
            "`elo` is no group: expected speed, rating-band or month, separated by commas"
        );
    }
}
