//! Families of Crafty versions, which differ in unit, point of view, back-up and update.
//!
//! | family | versions | unit | value seen by | back-up |
//! |---|---|---|---|---|
//! | [`M`](Family::M) | 11.8–11.14 | millipawn | Crafty | linear |
//! | [`M2`](Family::M2) | 11.15–12.5 | millipawn | Crafty | linear |
//! | [`M3`](Family::M3) | 12.6–14.3 | centipawn | White | linear |
//! | [`A`](Family::A) | 14.4–16.6 | centipawn | White | divided by the alternatives |
//! | [`B`](Family::B) | 16.7–17.14 | centipawn | White | three quarters a branch |
//! | [`B1`](Family::B1) | 18.0, 18.1 | centipawn | White | as B; a lost game touches all its moves |
//! | [`C0`](Family::C0) | 18.2 | centipawn | White, often with the wrong sign | ramp |
//! | [`C1`](Family::C1) | 18.3 | centipawn | White | ramp |
//! | [`C`](Family::C) | 18.4–19.19 | centipawn | White | ramp |
//! | [`C2`](Family::C2) | 19.20–20.16 | centipawn | White | ramp; values within 0.0001 of 0 count as none |

use position::Outcome;
use shakmaty::Color;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{RESULT_VALUE, Version};
use crate::{Error, search::LEARNED_MAX};

/// A family of Crafty versions, all of which learn in the same way. The table above lists them.
///
/// The rules come from the source code of 11.13, 11.23 and 15.17 to 20.14. No source code of 12.6 to 14.3 is
/// known; their rules are inferred from a file of 8,169 records from March and April 1998. If `LearnFunction`
/// is inverted and values are taken to be from White's point of view, 169 of the file's values are exactly at
/// the bound of 600 and none are at 6000. The unit is therefore the centipawn. If values were taken to be
/// from Crafty's own point of view, about one in eight values from its games with Black would exceed the
/// bound, so the point of view is White's. These records include the opponent's reply, like the records of
/// 11.23, so the rule for back-up is assumed to be the same as in 11.23. In 14.4, back-up began to divide the
/// value of a game (changelog in `main.c`).
#[derive(
    Clone, Copy, Debug, Display, EnumString, Eq, Hash, IntoStaticStr, Ord, PartialEq, PartialOrd, VariantArray,
)]
#[strum(ascii_case_insensitive, parse_err_fn = unknown_family, parse_err_ty = Error, serialize_all = "lowercase")]
#[non_exhaustive]
pub enum Family {
    /// Versions 11.8–11.14.
    M,
    /// Versions 11.15–12.5: a lesson worse than −1 pawn has more weight.
    M2,
    /// Versions 12.6–14.3: like M2, but in centipawns from White's point of view.
    M3,
    /// Versions 14.4–16.6: the rules of Hyatt's paper on book learning (docs/sources.md).
    A,
    /// Versions 16.7–17.14.
    B,
    /// Versions 18.0 and 18.1.
    B1,
    /// Version 18.2, whose signs are often wrong.
    C0,
    /// Version 18.3.
    C1,
    /// Versions 18.4–19.19.
    C,
    /// Versions 19.20–20.16.
    C2,
}

/// How a family spreads a game's value over its plies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// Ply i of n gets i/n of the value.
    Linear,
    /// At each branch, the value is divided by the number of playable moves, and all earlier plies get the
    /// quotient.
    Divide,
    /// At each branch, the value is multiplied by 3/4, and all earlier plies get the product.
    ThreeQuarters,
    /// The k-th of N branches gets k/N of the value, and so does every ply from there to the next branch.
    Ramp,
}

/// The value of a won or lost game in centipawns, in versions of Crafty from 18.2 on.
const RESULT_VALUE_SPREAD: i64 = 300;

impl Family {
    /// All families, oldest first.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The family of the version that a player's name contains; see [`Version::of_player`].
    #[must_use]
    pub fn of_player(name: &str) -> Option<Self> {
        Version::of_player(name)?.family()
    }

    /// The rule by which the family spreads a game's value over its plies.
    #[must_use]
    pub fn rule(self) -> Rule {
        match self {
            Family::M | Family::M2 | Family::M3 => Rule::Linear,
            Family::A => Rule::Divide,
            Family::B | Family::B1 => Rule::ThreeQuarters,
            Family::C0 | Family::C1 | Family::C | Family::C2 => Rule::Ramp,
        }
    }

    /// The value of a pawn in the family's unit: 100 or 1000.
    #[must_use]
    pub fn pawn(self) -> u16 {
        if matches!(self, Family::M | Family::M2) { 1000 } else { 100 }
    }

    /// Whether a version of Crafty in this family could have exported this value. The value must be one that
    /// `LearnFunction` can return or, from 12.6 on, ±[`RESULT_VALUE`]. Even a version that does not write
    /// ±[`RESULT_VALUE`] for its own games may have imported such a record from another version.
    #[must_use]
    pub fn can_export(self, value: i64) -> bool {
        let most = LEARNED_MAX * i64::from(self.pawn()) / 100;
        let is_result = value.unsigned_abs() == RESULT_VALUE.unsigned_abs() && !self.is_own_view();
        is_result || (-most..=most).contains(&value)
    }

    /// Whether the family's values are from the point of view of the side that Crafty played; otherwise, they
    /// are from White's point of view.
    #[must_use]
    pub fn is_own_view(self) -> bool {
        matches!(self, Family::M | Family::M2)
    }

    /// Whether the signs in the family's records are unreliable. This is the case for 18.2, which exports
    /// most values as if it had played the other colour.
    #[must_use]
    pub fn is_doubtful(self) -> bool {
        self == Family::C0
    }

    /// Whether a value of ±99900 marks a lost game (15.17 to 18.1 `LearnResult`).
    #[must_use]
    pub fn has_result_records(self) -> bool {
        matches!(self, Family::A | Family::B | Family::B1)
    }

    /// Returns the value that the player `own` learns from the result of a game, without regard to its
    /// searches. It is from White's point of view; `None` if nothing is learned from this result.
    ///
    /// From 14.12 to 18.1, a lost game is worth ±[`RESULT_VALUE`], all of which goes to the loser's last
    /// choice. From 18.2 on, a lost game is worth three pawns, which are spread over the game like the value
    /// of a search. From 19.14 on, Crafty learns from wins and draws as well (`LearnResult`, and `LearnBook`
    /// with `force` 2). This crate does so only for [`Family::C2`], which begins with 19.20.
    #[must_use]
    pub fn result_value(self, own: Color, outcome: Outcome) -> Option<i64> {
        let lost = own.fold_wb(Outcome::Black, Outcome::White);
        let value = match self {
            Family::M | Family::M2 | Family::M3 => return None,
            Family::C2 if outcome == Outcome::Draw => 0,
            Family::C2 if outcome != lost => RESULT_VALUE_SPREAD,
            _ if outcome != lost => return None,
            _ if self.has_result_records() => -RESULT_VALUE,
            _ => -RESULT_VALUE_SPREAD,
        };
        Some(own.fold_wb(value, -value))
    }

    /// Whether the test for playable moves uses White's point of view even for Black's moves. That is wrong
    /// for Black, but it is how Crafty learned from real games: from 18.3 on, all values are stored from
    /// White's point of view.
    #[must_use]
    pub fn tests_white_view(self) -> bool {
        matches!(self, Family::C1 | Family::C | Family::C2)
    }

    /// The names of all families, for messages.
    pub(crate) fn names() -> String {
        Self::VARIANTS.iter().map(|&family| <&str>::from(family)).collect::<Vec<_>>().join(", ")
    }
}

fn unknown_family(name: &str) -> Error {
    Error::UnknownFamilyName(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &family in Family::ALL {
            assert_eq!(family.to_string().parse(), Ok(family));
        }
        let message = "z".parse::<Family>().unwrap_err().to_string();
        assert!(message.contains("`z`") && message.contains("m3"), "{message}");
    }

    #[test]
    fn values_that_a_family_can_export() {
        for (family, most) in
            [(Family::M, 39_900), (Family::M2, 39_900), (Family::M3, 3990), (Family::C2, 3990)]
        {
            for sign in [-1, 1] {
                assert!(family.can_export(sign * most) && !family.can_export(sign * (most + 1)), "{family}");
                assert_eq!(family.can_export(sign * RESULT_VALUE), family.pawn() == 100, "{family}");
            }
        }
        assert!(!Family::A.can_export(i64::MIN));
    }

    #[test]
    fn results_teach_by_family() {
        use Outcome::{Black, Draw, White};
        let of = |family: Family, own| [White, Draw, Black].map(|outcome| family.result_value(own, outcome));
        for family in [Family::M, Family::M2, Family::M3] {
            assert_eq!(of(family, Color::White), [None; 3]);
        }
        for family in [Family::A, Family::B, Family::B1] {
            assert_eq!(of(family, Color::White), [None, None, Some(-99_900)]);
            assert_eq!(of(family, Color::Black), [Some(99_900), None, None]);
        }
        assert_eq!(of(Family::C, Color::White), [None, None, Some(-300)]);
        assert_eq!(of(Family::C2, Color::White), [Some(300), Some(0), Some(-300)]);
        assert_eq!(of(Family::C2, Color::Black), [Some(300), Some(0), Some(-300)]);
    }

    #[test]
    fn borders_between_families() {
        let of = |version: &str| Family::of_player(&format!("Crafty {version}"));
        let borders = [
            ("11.8", "11.14", Family::M),
            ("11.15", "12.5", Family::M2),
            ("12.6", "14.3", Family::M3),
            ("14.4", "16.6", Family::A),
            ("16.7", "17.14", Family::B),
            ("18.0", "18.1", Family::B1),
            ("18.2", "18.2", Family::C0),
            ("18.3", "18.3", Family::C1),
            ("18.4", "19.19", Family::C),
            ("19.20", "20.16", Family::C2),
        ];
        for (first, last, family) in borders {
            assert_eq!((of(first), of(last)), (Some(family), Some(family)));
        }
    }
}
