//! The dimensions that the rows of a table are split by.

use position::Group;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{
    PlayerName,
    clock::speed_of,
    date::{PartialDate, date_of},
    rating::band_of,
};
use crate::tags::Tags;

/// The latest year that a group can represent.
const YEAR_MAX: u16 = 4095;

/// A dimension. Options spell the names of dimensions in lower case with hyphens, as in `rating-band`.
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

crate::setting::settings_by_name! {
    Dimension, "group", "speed, rating-band, month or player-color";
}

/// Returns the group of a game with these tags; a dimension is unknown if the tags do not determine it, or if
/// the table is not split by it. The colour is that of `player`; without a player it is unknown.
pub(crate) fn group_of(tags: &Tags<'_>, by: &[Dimension], player: Option<&PlayerName>) -> Group {
    by.iter().fold(Group::NONE, |group, dimension| match dimension {
        Dimension::Speed => group.with_speed(speed_of(tags)),
        Dimension::RatingBand => group.with_rating_band(band_of(tags)),
        Dimension::Month => {
            let month = date_of(tags).and_then(PartialDate::month);
            group.with_month(month.filter(|&(year, _)| year <= YEAR_MAX))
        }
        Dimension::PlayerColor => group.with_player_color(player.and_then(|player| player.color(tags))),
    })
}

#[cfg(test)]
mod tests {
    use position::{RatingBand, Speed};
    use shakmaty::Color;

    use super::*;
    use crate::{filter::testing::with_tags, setting::Setting};

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
        let by = ["month", " speed", "rating-band", "player-color"].map(dimension);
        let group = with_tags(&GAME, |tags| group_of(tags, &by, Some(&player)));
        assert_eq!(group.speed(), Some(Speed::Classical));
        assert_eq!(group.rating_band().map(RatingBand::lower_bound), Some(2800));
        assert_eq!(group.month(), Some((2014, 11)));
        assert_eq!(group.player_color(), Some(Color::Black));
    }

    #[test]
    fn what_is_not_asked_for_or_unknown_stays_out() {
        assert_eq!(with_tags(&GAME, |tags| group_of(tags, &[], None)), Group::NONE);
        let all = |tags: &Tags<'_>| group_of(tags, Dimension::VARIANTS, None);
        assert_eq!(with_tags(&[("WhiteElo", "2500"), ("Date", "2014.??.??")], all), Group::NONE);
        assert_eq!(with_tags(&[("Date", "9999.01.01")], all), Group::NONE);
    }

    #[test]
    fn unknown_dimensions_are_refused() {
        for text in ["", "elo", "speed,", "Speed", "speed;month"] {
            assert!(Dimension::parse(text).is_err(), "{text}");
        }
        assert_eq!(
            Dimension::parse("elo").unwrap_err().to_string(),
            "`elo` is not a group: expected speed, rating-band, month or player-color"
        );
    }
}
