//! How a lesson changes the learned value of a move.

use crate::crafty::{Family, Rule};

/// Returns the learned value of a move after `lesson`. Before this lesson, the value was `old`, and the move
/// had `count` lessons. All values are in pawns, from the mover's point of view.
///
/// From 14.4 on, the first lesson sets the value, and each later one moves it to the mean of the lesson and
/// the value so far (Crafty: average). A value of exactly 0 means that nothing was learned; from 19.20 on, so
/// does a value within 0.0001 of 0. Before 14.4, the old value is weighted by its number of lessons, up to a
/// limit of 255. From 11.15 on, the limit is 5 if the lesson is worse than −1 pawn (11.23 `LearnBookUpdate`).
///
/// # Examples
///
/// In the paper, the value of 4.Nc3 changes as follows over three games (Crafty: section 5.1):
///
/// ```
/// use learn::{crafty::Family, search::updated};
/// let first = updated(Family::A, 0.0, 0, -1.35 / 3.0);
/// let second = updated(Family::A, first, 1, -1.39 / 2.0);
/// let third = updated(Family::A, second, 2, -1.39);
/// let printed = [first, second, third].map(|value| format!("{value:.5}"));
/// assert_eq!(printed, ["-0.45000", "-0.57250", "-0.98125"]);
/// ```
#[must_use]
pub fn updated(family: Family, old: f32, count: u32, lesson: f32) -> f32 {
    let (old, lesson) = (f64::from(old), f64::from(lesson));
    let new = if family.rule() == Rule::Linear {
        let weight = weight(family, count, lesson);
        (old * weight + lesson) / (weight + 1.0)
    } else if is_none(family, old) {
        lesson
    } else {
        f64::midpoint(old, lesson)
    };
    // Adding zero turns negative zero into zero.
    new as f32 + 0.0
}

fn is_none(family: Family, old: f64) -> bool {
    if family == Family::C2 { old.abs() < 0.0001 } else { old == 0.0 }
}

fn weight(family: Family, count: u32, lesson: f64) -> f64 {
    let most = if family != Family::M && lesson < -1.0 { 5 } else { 255 };
    f64::from(count.min(most))
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "bit for bit is what is promised")]
mod tests {
    use super::*;

    #[test]
    fn zero_still_halves() {
        assert_eq!(updated(Family::C, 0.5, 1, 0.0), 0.25);
    }

    #[test]
    fn tiny_values_count_as_none_only_from_19_20() {
        assert_eq!(updated(Family::C, 0.00005, 3, 1.0), 0.500_025);
        assert_eq!(updated(Family::C2, 0.00005, 3, 1.0), 1.0);
    }

    #[test]
    fn a_count_weighs_before_14_4() {
        assert_eq!(updated(Family::M, 0.0, 0, -0.3), -0.3);
        assert_eq!(updated(Family::M, 1.0, 3, -1.0), 0.5);
        assert_eq!(updated(Family::M, 0.0, 300, 256.0), 1.0);
        assert_eq!(updated(Family::M, 0.0, 99, -2.0), -0.02);
        assert_eq!(updated(Family::M2, 0.0, 99, -2.4), -0.4);
    }

    #[test]
    fn no_negative_zero() {
        assert_eq!(updated(Family::A, 0.0, 0, -0.0).to_bits(), 0);
    }
}
