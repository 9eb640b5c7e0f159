//! The result in a game's tags.

use position::Outcome;

use crate::{movetext::Terminator, tags::Tags};

/// The outcome that the tag Result states, if any. The result after the moves is ignored.
pub(super) fn outcome_of(tags: &Tags<'_>) -> Option<Outcome> {
    match Terminator::of_tag(tags.get("Result")?.bytes())? {
        Terminator::Known(outcome) => Some(outcome),
        Terminator::Star => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::with_tags;

    #[test]
    fn results_are_read_as_pgn_writes_them() {
        let outcome = |value| with_tags(&[("Result", value)], outcome_of);
        assert_eq!(outcome(" 1-0 "), Some(Outcome::White));
        assert_eq!(outcome("0-1"), Some(Outcome::Black));
        assert_eq!(outcome("1/2-1/2"), Some(Outcome::Draw));
        assert_eq!(outcome("½-½"), Some(Outcome::Draw));
        for value in ["", "*", "?", "1:0", "white", "+-"] {
            assert_eq!(outcome(value), None, "{value}");
        }
    }
}
