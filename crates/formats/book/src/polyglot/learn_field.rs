//! The last 32 bits of an entry, which Polyglot calls `learn`.

use position::{Experience, Tally};
use shakmaty::Color;
use strum::{Display, EnumString};

use super::Weight;
use crate::Error;

/// What Tabia writes to the last 32 bits of an entry. No program that reads Polyglot books uses them to
/// choose moves.
///
/// # Format
///
/// As text, it is `none`, `learned` or `games`.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, PartialEq)]
#[strum(parse_err_fn = no_learn_field, parse_err_ty = Error, serialize_all = "lowercase")]
pub enum LearnField {
    /// The field is 0.
    #[default]
    None,
    /// The learned value in centipawns, rounded, as a signed number in two's complement; 0 if nothing was
    /// learned.
    Learned,
    /// The upper sixteen bits are the number of games, and the lower sixteen are the mover's points, with two
    /// for a win and one for a draw. Polyglot itself used to record its games this way. If either number is
    /// above 65,535, both are scaled down together.
    Games,
}

impl LearnField {
    /// Returns the 32 bits to write for a move with this tally and experience.
    #[must_use]
    pub fn bits(self, tally: Tally, mover: Color, known: &Experience) -> u32 {
        match self {
            Self::None => 0,
            // The cast limits the value to 32 bits, and turns NaN into 0.
            Self::Learned => ((f64::from(known.learn) * 100.0).round() as i32).cast_unsigned(),
            Self::Games => {
                let (games, points) = (Weight::Games.raw(tally, mover), Weight::WinsDraws.raw(tally, mover));
                let largest = games.max(points).max(u128::from(u16::MAX));
                let scaled = |count: u128| (count * u128::from(u16::MAX) / largest) as u32;
                scaled(games) << 16 | scaled(points)
            }
        }
    }
}

fn no_learn_field(text: &str) -> Error {
    Error::setting(text, "what a learn field holds: none, learned or games")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_points_follow_the_mover_and_keep_their_ratio() {
        let games = |white, draws, black, mover| {
            let bits = LearnField::Games.bits(Tally { white, draws, black }, mover, &Experience::default());
            (bits >> 16, bits & 0xffff)
        };
        assert_eq!(games(3, 2, 1, Color::White), (6, 8));
        assert_eq!(games(3, 2, 1, Color::Black), (6, 4));
        assert_eq!(games(32_767, 1, 0, Color::White), (32_768, 65_535));
        assert_eq!(games(65_536, 0, 0, Color::White), (32_767, 65_535));
        assert_eq!(games(0, 0, 65_536, Color::White), (65_535, 0));
        assert_eq!(games(u64::MAX, u64::MAX, u64::MAX, Color::White), (65_535, 65_535));
    }

    #[test]
    fn learned_values_are_signed_centipawns() {
        let learned = |learn| {
            let known = Experience { learn, ..Experience::default() };
            LearnField::Learned.bits(Tally::default(), Color::White, &known).cast_signed()
        };
        assert_eq!([0.0, 0.35, -0.8, -999.0, 1.006].map(learned), [0, 35, -80, -99_900, 101]);
        assert_eq!([f32::NAN, f32::INFINITY, -1e12].map(learned), [0, i32::MAX, i32::MIN]);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for field in [LearnField::None, LearnField::Learned, LearnField::Games] {
            assert_eq!(field.to_string().parse::<LearnField>().unwrap(), field);
        }
        assert!("value".parse::<LearnField>().is_err());
    }
}
