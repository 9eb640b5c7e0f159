//! Values set by hand: NAGs and suffixes, Terra's `bookeval`, Lokasoft's priority.
//!
//! | mark | NAG | user value | priority |
//! |---|---|---|---|
//! | `!` | 1 | 75 very often | 4 |
//! | `?` | 2 | 0 never | 0 |
//! | `!!` | 3 | 100 always | 5 |
//! | `??` | 4 | 0 never | 0 |
//! | `!?` | 5 | 15 very seldom | 2 |
//! | `?!` | 6 | 15 very seldom | 1 |
//!
//! The values are Terra's (Terra: marks). Terra's text mentions `?!` but gives no value for it; here, `?!`
//! has the value of `!?`. The text does not mention `??`; here, it has the value of `?`. Priorities run from
//! 0 (never played) to 5 (the best), and 3 is the default (ChessPartner: priority). The mapping from marks to
//! priorities is our own. All other NAGs, for example `=` (10), have neither a value nor a priority.

use position::{Experience, Lesson};

use crate::Error;

/// The NAGs of the six move annotations (PGN standard, section 10), by suffix.
const SUFFIXES: [(&str, u8); 6] = [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];

/// The NAG of a suffix; `None` if the string is not one of the six suffixes.
#[must_use]
pub fn nag_of_suffix(suffix: &str) -> Option<u8> {
    SUFFIXES.iter().find(|entry| entry.0 == suffix).map(|entry| entry.1)
}

/// Returns the user value that a NAG stands for, 0 to 100; `None` unless the NAG belongs to one of the six
/// suffixes.
#[must_use]
pub fn user_value(nag: u8) -> Option<u8> {
    match nag {
        1 => Some(75),
        2 | 4 => Some(0),
        3 => Some(100),
        5 | 6 => Some(15),
        _ => None,
    }
}

/// Returns the priority that a NAG stands for, 0 to 5 (ChessPartner: priority); `None` unless the NAG belongs
/// to one of the six suffixes.
#[must_use]
pub fn priority(nag: u8) -> Option<u8> {
    match nag {
        1 => Some(4),
        2 | 4 => Some(0),
        3 => Some(5),
        5 => Some(2),
        6 => Some(1),
        _ => None,
    }
}

/// Gives a move the value, priority and NAG of an annotation, replacing any earlier annotation. Returns
/// `false` and changes nothing if `nag` does not belong to one of the six suffixes (Terra: marks).
pub fn annotate(experience: &mut Experience, nag: u8) -> bool {
    let (Some(value), Some(priority)) = (user_value(nag), priority(nag)) else { return false };
    experience.user_value = Some(value);
    experience.priority = Some(priority);
    experience.nag = Some(nag);
    true
}

/// A setting that a user can make for a move (Terra: marks).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UserSetting {
    /// A value from 0 to 100.
    Value(u8),
    /// The NAG of one of the six annotations.
    Nag(u8),
    /// Removes the values set by hand, and the results of the engine's own games.
    Clear,
}

impl UserSetting {
    /// Applies the setting. A number also removes an earlier annotation. As in Terra, `clear` removes user
    /// values and own results but keeps learned values.
    pub fn apply(self, experience: &mut Experience) {
        match self {
            UserSetting::Nag(nag) => {
                annotate(experience, nag);
            }
            UserSetting::Value(value) => {
                let old = Experience { user_value: Some(value), ..*experience };
                *experience = Experience { priority: None, nag: None, ..old };
            }
            UserSetting::Clear => {
                crate::experience::clear(experience, &[Lesson::Set, Lesson::Own]);
            }
        }
    }
}

/// Parses a setting: `75`, `!!` or `clear`.
///
/// # Errors
///
/// Fails with [`Error::UserValue`] for any other string.
pub fn parse_value(text: &str) -> Result<UserSetting, Error> {
    let value = || text.parse().ok().filter(|&value| value <= 100).map(UserSetting::Value);
    let number = text.bytes().all(|byte| byte.is_ascii_digit());
    match nag_of_suffix(text) {
        Some(nag) => Some(UserSetting::Nag(nag)),
        None if text.eq_ignore_ascii_case("clear") => Some(UserSetting::Clear),
        None if number => value(),
        None => None,
    }
    .ok_or_else(|| Error::UserValue(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use position::OwnResults;

    use super::*;

    #[test]
    fn settings_as_typed() {
        assert_eq!(parse_value("75"), Ok(UserSetting::Value(75)));
        assert_eq!(parse_value("0"), Ok(UserSetting::Value(0)));
        assert_eq!(parse_value("?!"), Ok(UserSetting::Nag(6)));
        assert_eq!(parse_value("clear"), Ok(UserSetting::Clear));
        for text in ["101", "-1", "+5", "", "!!!", "=", "e4", "7 5", "999999999999"] {
            assert!(parse_value(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_number_replaces_an_annotation() {
        let mut experience = Experience::default();
        UserSetting::Nag(3).apply(&mut experience);
        assert_eq!(
            (experience.user_value, experience.priority, experience.nag),
            (Some(100), Some(5), Some(3))
        );
        UserSetting::Value(40).apply(&mut experience);
        assert_eq!((experience.user_value, experience.priority, experience.nag), (Some(40), None, None));
    }

    #[test]
    fn clear_leaves_what_was_learned() {
        let own = OwnResults { wins: 1, ..OwnResults::default() };
        let mut experience =
            Experience { learn: -0.5, learn_count: 2, own, user_value: Some(75), ..Experience::default() };
        UserSetting::Clear.apply(&mut experience);
        assert_eq!(experience, Experience { learn: -0.5, learn_count: 2, ..Experience::default() });
    }

    #[test]
    fn other_nags_change_nothing() {
        let mut experience = Experience::default();
        for nag in [0, 7, 10, 146, 255] {
            assert!(!annotate(&mut experience, nag));
        }
        assert!(experience.is_empty());
    }
}
