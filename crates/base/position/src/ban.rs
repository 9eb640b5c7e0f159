//! Bans: the reasons why a move is never played, whatever its counts. Bans apply to all books, whether their
//! weights come from counts or from a policy, and to players.

use crate::{Experience, Lesson};

/// The learned value at or below which a move is not playable, in pawns from the mover's point of view
/// (Crafty: unplayable moves).
///
/// Crafty stores the value as a float and compares it with the double −0.80 (`learn.c` in 15.17).
pub const UNPLAYABLE: f64 = -0.80;

/// Whether a move with the learned value `learn` may be played; false for NaN.
#[inline]
#[must_use]
pub fn is_playable(learn: f32) -> bool {
    f64::from(learn) > UNPLAYABLE
}

/// A reason why a move is never played.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ban {
    /// A value of 0, set by hand (Terra: user-set values).
    Value,
    /// A priority of 0 (`ChessPartner`: priority).
    Priority,
    /// `?` or `??` (Terra: marks).
    Mark,
    /// A learned value of −0.80 or less (Crafty: unplayable moves).
    Learned,
}

impl Ban {
    /// The kind of lesson that this ban comes from.
    #[must_use]
    pub fn lesson(self) -> Lesson {
        if self == Self::Learned { Lesson::Learn } else { Lesson::Set }
    }
}

impl Experience {
    /// All bans on the move. Bans that were set by hand come first.
    pub fn bans(&self) -> impl Iterator<Item = Ban> + use<> {
        let bans = [
            (Ban::Value, self.user_value == Some(0)),
            (Ban::Priority, self.priority == Some(0)),
            (Ban::Mark, matches!(self.nag, Some(2 | 4))),
            (Ban::Learned, !is_playable(self.learn)),
        ];
        bans.into_iter().filter_map(|(ban, holds)| holds.then_some(ban))
    }

    /// Whether there is no ban on the move.
    #[must_use]
    pub fn may_be_played(&self) -> bool {
        self.bans().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(learn: f32) -> Experience {
        Experience { learn, learn_count: 1, ..Experience::default() }
    }

    #[test]
    fn a_move_learned_bad_or_set_never_is_banned() {
        let set = |user_value, priority, nag| Experience { user_value, priority, nag, ..learned(0.0) };
        let allowed = [
            learned(0.0),
            learned(-0.79),
            set(Some(1), Some(1), None),
            set(Some(100), None, Some(3)),
            set(Some(15), None, Some(6)),
        ];
        for experience in allowed {
            assert!(experience.may_be_played(), "{experience:?}");
        }
        for (experience, bans) in [
            (learned(-0.8), &[Ban::Learned][..]),
            (learned(-999.0), &[Ban::Learned]),
            (learned(f32::NAN), &[Ban::Learned]),
            (Experience { learn: -0.98, ..set(Some(100), Some(5), Some(3)) }, &[Ban::Learned]),
            (set(Some(0), None, None), &[Ban::Value]),
            (set(None, Some(0), None), &[Ban::Priority]),
            (set(None, None, Some(2)), &[Ban::Mark]),
            (set(Some(0), Some(0), Some(4)), &[Ban::Value, Ban::Priority, Ban::Mark]),
        ] {
            assert_eq!(experience.bans().collect::<Vec<_>>(), bans, "{experience:?}");
            assert!(!experience.may_be_played());
        }
    }

    #[test]
    fn playable_is_strictly_above() {
        assert!(is_playable(-0.79));
        // The float that is nearest to -0.8 is less than the double -0.8.
        assert!(!is_playable(-0.8));
        assert!(!is_playable(f32::NAN));
    }
}
