//! The optional dimensions that split an edge: speed, rating band, month, and the colour of the named
//! player.
//!
//! # Format
//!
//! A group has thirty bits. From the most significant down, they hold the speed (3 bits), the rating band
//! (4), the month (16), the named player's colour (2), and five zeros. A month is `(year << 4) | month`. In
//! each field, 0 means that the value is unknown or that games are not grouped by it; rows with 0 sort first.
//! Speeds and colours are numbered in the order of their names, so that groups sort like the text columns of
//! a table.

use shakmaty::Color;
use strum::{Display, EnumString, FromRepr, IntoStaticStr, VariantArray};

/// A game's speed category, as Lichess defines it from the estimated number of seconds that each side has:
/// the initial time plus 40 increments. Parsing ignores case.
#[derive(
    Clone, Copy, Debug, Display, EnumString, Eq, FromRepr, Hash, IntoStaticStr, PartialEq, VariantArray,
)]
#[repr(u8)]
#[strum(ascii_case_insensitive, serialize_all = "camelCase")]
pub enum Speed {
    /// Under 30 s.
    UltraBullet = 6,
    /// Under 180 s.
    Bullet = 2,
    /// Under 480 s.
    Blitz = 1,
    /// Under 1,500 s.
    Rapid = 5,
    /// Under 21,600 s.
    Classical = 3,
    /// Everything slower, and games without a clock.
    Correspondence = 4,
}

impl Speed {
    /// Every speed, fastest first.
    pub const ALL: &[Speed] = Speed::VARIANTS;

    /// The speed category for this estimated duration, with the same limits as in lila-openingexplorer.
    #[must_use]
    pub fn of_seconds(seconds: u64) -> Self {
        match seconds {
            0..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            1500..21600 => Speed::Classical,
            _ => Speed::Correspondence,
        }
    }
}

/// A range of the two players' mean rating, identified by its lower bound.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct RatingBand(u8);

impl RatingBand {
    /// Lower bounds of the eleven bands (lila-openingexplorer's rating groups).
    pub const LOWER_BOUNDS: [u16; 11] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500, 2800, 3200];

    /// The band of a mean rating.
    #[must_use]
    pub fn of_mean(rating: u16) -> Self {
        let above = Self::LOWER_BOUNDS.iter().filter(|&&bound| bound <= rating).count();
        Self(above as u8)
    }

    /// The lowest mean rating of the band.
    #[must_use]
    pub fn lower_bound(self) -> u16 {
        Self::LOWER_BOUNDS[usize::from(self.0) - 1]
    }
}

/// The group that an observation belongs to; the default is "not grouped".
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[must_use]
pub struct Group(u32);

/// The bits of a group that hold one dimension.
#[derive(Clone, Copy, Debug)]
pub struct GroupField {
    shift: u32,
    mask: u32,
}

impl Group {
    /// The field for the speed, numbered as in [`Speed`].
    pub const SPEED: GroupField = GroupField { shift: 27, mask: 7 };
    /// The field for the rating band: its index in [`RatingBand::LOWER_BOUNDS`], counted from 1.
    pub const RATING_BAND: GroupField = GroupField { shift: 23, mask: 15 };
    /// The field for the month: `(year << 4) | month`.
    pub const MONTH: GroupField = GroupField { shift: 7, mask: 0xffff };
    /// The field for the named player's colour: 1 is black, 2 is white.
    pub const PLAYER_COLOR: GroupField = GroupField { shift: 5, mask: 3 };
    /// The number of bits in a group.
    pub const BITS: u32 = 30;
    /// The group whose fields are all 0: games are not grouped, or all values by which they are grouped are
    /// unknown.
    pub const NONE: Group = Group(0);

    /// The group with these bits; bits above the thirtieth are dropped.
    pub fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << Self::BITS) - 1))
    }

    /// The thirty bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// This group with the speed set.
    pub fn with_speed(self, speed: Option<Speed>) -> Self {
        self.with(Self::SPEED, speed.map_or(0, |speed| speed as u32))
    }

    /// This group with the rating band set.
    pub fn with_rating_band(self, band: Option<RatingBand>) -> Self {
        self.with(Self::RATING_BAND, band.map_or(0, |band| u32::from(band.0)))
    }

    /// This group with the month set: year 0–4095 and month 1–12.
    pub fn with_month(self, month: Option<(u16, u8)>) -> Self {
        self.with(Self::MONTH, month.map_or(0, |(year, month)| u32::from(year) << 4 | u32::from(month)))
    }

    /// This group with the named player's colour set.
    pub fn with_player_color(self, color: Option<Color>) -> Self {
        self.with(Self::PLAYER_COLOR, color.map_or(0, |color| color.fold_wb(2, 1)))
    }

    fn with(self, GroupField { shift, mask }: GroupField, value: u32) -> Self {
        Self(self.0 & !(mask << shift) | (value & mask) << shift)
    }

    /// The number in a field. It is 0 if the value is unknown, or if games are not grouped by this field.
    /// Numbers above 0 have the same order as the values that stand for them in the table's column of this
    /// field.
    #[inline]
    #[must_use]
    pub fn number(self, GroupField { shift, mask }: GroupField) -> u16 {
        (self.0 >> shift & mask) as u16
    }

    /// The speed; `None` if it is unknown or games are not grouped by it.
    #[must_use]
    pub fn speed(self) -> Option<Speed> {
        Speed::from_repr(self.number(Self::SPEED) as u8)
    }

    /// The rating band; `None` if it is unknown or games are not grouped by it.
    #[must_use]
    pub fn rating_band(self) -> Option<RatingBand> {
        let number = self.number(Self::RATING_BAND) as u8;
        (1..=11).contains(&number).then_some(RatingBand(number))
    }

    /// Year and month; `None` if they are unknown or games are not grouped by month.
    #[must_use]
    pub fn month(self) -> Option<(u16, u8)> {
        let number = self.number(Self::MONTH);
        (number != 0).then_some((number >> 4, (number & 15) as u8))
    }

    /// The named player's colour; `None` if games are not grouped by it.
    #[must_use]
    pub fn player_color(self) -> Option<Color> {
        match self.number(Self::PLAYER_COLOR) {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_touch_each_other() {
        let group = Group::NONE
            .with_speed(Some(Speed::Rapid))
            .with_rating_band(Some(RatingBand::of_mean(2199)))
            .with_month(Some((2014, 12)))
            .with_player_color(Some(Color::Black));
        assert_eq!(group.speed(), Some(Speed::Rapid));
        assert_eq!(group.rating_band().map(RatingBand::lower_bound), Some(2000));
        assert_eq!(group.month(), Some((2014, 12)));
        assert_eq!(group.player_color(), Some(Color::Black));
        assert_eq!(Group::from_bits(group.bits()), group);
        assert_eq!(group.with_speed(None).speed(), None);
        assert!(Group::NONE < group);
    }

    #[test]
    fn speeds_are_numbered_by_name() {
        let mut by_number = Speed::ALL.to_vec();
        by_number.sort_by_key(|&speed| speed as u32);
        assert!(by_number.is_sorted_by_key(<&str>::from));
    }

    #[test]
    fn bands_and_speeds_meet_at_their_bounds() {
        assert_eq!(RatingBand::of_mean(0).lower_bound(), 0);
        assert_eq!(RatingBand::of_mean(999).lower_bound(), 0);
        assert_eq!(RatingBand::of_mean(1000).lower_bound(), 1000);
        assert_eq!(RatingBand::of_mean(4000).lower_bound(), 3200);
        assert_eq!(Speed::of_seconds(29), Speed::UltraBullet);
        assert_eq!(Speed::of_seconds(30), Speed::Bullet);
        assert_eq!(Speed::of_seconds(21600), Speed::Correspondence);
    }
}
