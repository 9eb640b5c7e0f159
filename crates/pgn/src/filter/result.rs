//! The result a game is tagged with.

use position::Outcome;

use crate::{Error, Result, movetext::Terminator, tags::Tags};

/// The outcome of that name: `1-0`, `0-1`, `1/2-1/2`, or `white`, `black`, `draw` in any case.
///
/// # Errors
///
/// [`Error::Value`] for anything else.
pub fn parse_outcome(text: &str) -> Result<Outcome> {
    let text_trimmed = text.trim_ascii();
    let named = |name: &str| text_trimmed.eq_ignore_ascii_case(name);
    match text_trimmed {
        "1-0" => Ok(Outcome::White),
        "0-1" => Ok(Outcome::Black),
        "1/2-1/2" | "1/2" => Ok(Outcome::Draw),
        _ if named("white") => Ok(Outcome::White),
        _ if named("black") => Ok(Outcome::Black),
        _ if named("draw") => Ok(Outcome::Draw),
        _ => Err(Error::Value {
            what: "result",
            given: text.into(),
            expected: "1-0, 0-1 or 1/2-1/2 (or white, black, draw)",
        }),
    }
}

/// The outcome in the Result tag, if it names one. The terminator behind the moves is not looked at.
pub(super) fn outcome_of(tags: &Tags<'_>) -> Option<Outcome> {
    match Terminator::of_tag(tags.get("Result")?.bytes())? {
        Terminator::Known(outcome) => Some(outcome),
        Terminator::Star => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::test_tags::with_tags;

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

    #[test]
    fn outcomes_have_two_names() {
        for (text, outcome) in [
            ("1-0", Outcome::White),
            ("BLACK", Outcome::Black),
            ("1/2-1/2", Outcome::Draw),
            (" draw", Outcome::Draw),
        ] {
            assert_eq!(parse_outcome(text).unwrap(), outcome, "{text}");
        }
        assert_eq!(
            parse_outcome("win").unwrap_err().to_string(),
            "`win` is no result: expected 1-0, 0-1 or 1/2-1/2 (or white, black, draw)"
        );
    }
}
