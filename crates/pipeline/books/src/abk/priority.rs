//! Converts between Arena's priorities (0 to 9) and the values that users set (0 to 100).

use position::Experience;

/// Arena's highest priority.
const PRIORITY_MAX: u8 = 9;
/// The priority of a move that has no value, priority, mark or lesson.
pub(super) const DEFAULT: u8 = 5;
/// The priority of a reply that is not in the book. Arena never plays a move of this priority.
pub(super) const REPLY: u8 = 0;
/// Lokasoft's highest priority.
const LOKASOFT_MAX: u8 = 5;
/// How much a learned value of one pawn adds to the priority of a move.
const STEPS_A_PAWN: f32 = 5.0;

/// The value for a priority: 9 becomes 100, and 0 stays 0, which forbids the move on both scales.
pub(crate) fn value_of(priority: u8) -> u8 {
    ratio(priority.min(PRIORITY_MAX), PRIORITY_MAX, 100)
}

/// A move's priority, which is 0 if the move may not be played. Otherwise, the priority comes from the value
/// set by hand or, if there is none, from Lokasoft's priority, then from the mark, then from the learned
/// value. A move without any of these has the priority [`DEFAULT`].
pub(super) fn priority_of(known: Option<&Experience>) -> u8 {
    let Some(known) = known else { return DEFAULT };
    let is_learned = known.learn_count > 0;
    if !known.may_be_played() {
        return 0;
    }
    let of_value = |value| ratio(value, 100, PRIORITY_MAX);
    let set = known.user_value.map(of_value);
    let set = set.or_else(|| known.priority.map(|priority| ratio(priority, LOKASOFT_MAX, PRIORITY_MAX)));
    let set = set.or_else(|| value_of_nag(known.nag?).map(of_value));
    set.unwrap_or_else(|| if is_learned { of_learned(known.learn) } else { DEFAULT })
}

/// The value that `learn annotations` sets for a mark.
fn value_of_nag(nag: u8) -> Option<u8> {
    match nag {
        1 => Some(75),
        3 => Some(100),
        5 | 6 => Some(15),
        2 | 4 => Some(0),
        _ => None,
    }
}

/// Converts a learned value to a priority from 1 to 9. The lowest is 1, because Arena never plays a move with
/// priority 0.
#[expect(clippy::cast_sign_loss, reason = "clamped above 0")]
fn of_learned(learn: f32) -> u8 {
    (f32::from(DEFAULT) + learn * STEPS_A_PAWN).round().clamp(1.0, PRIORITY_MAX.into()) as u8
}

/// Rescales `part` from the range 0..=`whole` to the range 0..=`other`, and rounds the result.
fn ratio(part: u8, whole: u8, other: u8) -> u8 {
    let [part, whole, other] = [part.min(whole), whole, other].map(u32::from);
    ((part * other + whole / 2) / whole) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_come_back_from_their_values() {
        for priority in 0..=PRIORITY_MAX {
            let known = Experience { user_value: Some(value_of(priority)), ..Experience::default() };
            assert_eq!(priority_of(Some(&known)), priority);
        }
        assert_eq!((value_of(0), value_of(5), value_of(200)), (0, 56, 100));
    }

    #[test]
    fn what_is_known_becomes_a_priority() {
        let none = Experience::default();
        let learned = |learn| Experience { learn, learn_count: 1, ..none };
        let of = |known: Experience| priority_of(Some(&known));
        assert_eq!((priority_of(None), of(none)), (DEFAULT, DEFAULT));
        assert_eq!([-0.8, -0.79, 0.0, 0.3, 5.0].map(|learn| of(learned(learn))), [0, 1, 5, 7, 9]);
        assert_eq!(
            [0, 1, 3, 5].map(|priority| of(Experience { priority: Some(priority), ..none })),
            [0, 2, 5, 9]
        );
        assert_eq!([1, 2, 3, 6].map(|nag| of(Experience { nag: Some(nag), ..none })), [7, 0, 9, 1]);
        assert_eq!(of(Experience { user_value: Some(100), ..learned(-2.0) }), 0, "it may not be played");
        assert_eq!(of(Experience { user_value: Some(22), ..learned(2.0) }), 2, "what is set comes first");
    }
}
