//! Players by name.

use std::{fmt, str::FromStr};

use position::only_side;
use regex::{Regex, RegexBuilder};
use shakmaty::Color;

use crate::{Error, Result, tags::Tags};

/// The player that a filter names, either by a whole name or by `/a regular expression/`; case is ignored.
///
/// A name must equal the tag's text, apart from case and from whitespace at either end: `Carlsen, Magnus` is
/// not `Magnus Carlsen`.
#[derive(Clone, Debug)]
pub enum PlayerName {
    /// The whole name; case is ignored.
    Exact(String),
    /// A pattern that may match anywhere in the name; case is ignored, unless the pattern contains `(?-i)`.
    Pattern(Regex),
}

impl PlayerName {
    /// Whether the player of this colour is the named player.
    fn is(&self, tags: &Tags<'_>, color: Color) -> bool {
        let Some(value) = tags.get(color.fold_wb("White", "Black")) else { return false };
        self.is_named(value.text().trim_ascii())
    }

    /// Whether `name`, which has no whitespace around it, is the player's name.
    #[must_use]
    #[inline]
    pub fn is_named(&self, name: &str) -> bool {
        match self {
            _ if name.is_empty() => false,
            PlayerName::Exact(exact) => equals_in_any_case(name, exact),
            PlayerName::Pattern(pattern) => pattern.is_match(name),
        }
    }

    /// Whether the named player plays with this colour in a game; if `color` is `None`, with either colour.
    pub(super) fn plays(&self, tags: &Tags<'_>, color: Option<Color>) -> bool {
        match color {
            Some(color) => self.is(tags, color),
            None => Color::ALL.into_iter().any(|color| self.is(tags, color)),
        }
    }

    /// The colour of the named player; `None` if the name matches neither side or both.
    #[must_use]
    pub fn color(&self, tags: &Tags<'_>) -> Option<Color> {
        only_side(|color| self.is(tags, color))
    }
}

fn equals_in_any_case(a: &str, b: &str) -> bool {
    let lower = |text: &'_ str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    a.eq_ignore_ascii_case(b) || !(a.is_ascii() && b.is_ascii()) && lower(a) == lower(b)
}

impl FromStr for PlayerName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim_ascii();
        let pattern = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        match pattern {
            Some(pattern) if !pattern.is_empty() => RegexBuilder::new(pattern)
                .case_insensitive(true)
                .build()
                .map(Self::Pattern)
                .map_err(|source| Error::Pattern { pattern: pattern.into(), source }),
            None if !text.is_empty() => Ok(Self::Exact(text.into())),
            _ => Err(Error::Value {
                what: "player",
                given: text.into(),
                expected: "a whole name as in the tags, or /a regular expression/",
            }),
        }
    }
}

/// Prints the name so that it can be parsed again.
impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerName::Exact(name) => f.write_str(name),
            PlayerName::Pattern(pattern) => write!(f, "/{pattern}/"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::with_tags;

    fn color(name: &str, white: &str, black: &str) -> Option<Color> {
        let name: PlayerName = name.parse().unwrap();
        with_tags(&[("White", white), ("Black", black)], |tags| name.color(tags))
    }

    #[test]
    fn a_name_is_whole_and_in_any_case() {
        assert_eq!(color("carlsen, magnus", " Carlsen, Magnus ", "Anand"), Some(Color::White));
        assert_eq!(color("KÖNIG", "Anand", "König"), Some(Color::Black));
        assert_eq!(color("Carlsen", "Carlsen, Magnus", "Anand"), None);
        assert_eq!(color("Anand", "Anand", "anand"), None, "both sides");
    }

    #[test]
    fn a_pattern_is_found_anywhere() {
        assert_eq!(color("/^Carlsen/", "Carlsen, Magnus", "Anand"), Some(Color::White));
        assert_eq!(color("/(?i)MAGNUS/", "Anand", "Carlsen, Magnus"), Some(Color::Black));
        assert_eq!(color("/carlsen/", "Carlsen, Magnus", "Anand"), Some(Color::White), "in any case");
        assert_eq!(color("/köNIG/", "Anand", "KÖNIG"), Some(Color::Black));
        assert_eq!(color("/(?-i)carlsen/", "Carlsen, Magnus", "Anand"), None);
        assert_eq!(color("/.*/", "", "Anand"), Some(Color::Black), "an empty tag names no one");
    }

    #[test]
    fn a_color_can_be_asked_for() {
        let plays = |color| {
            let name: PlayerName = "Anand".parse().unwrap();
            with_tags(&[("White", "Anand"), ("Black", "Carlsen")], |tags| name.plays(tags, color))
        };
        assert!(plays(None) && plays(Some(Color::White)) && !plays(Some(Color::Black)));
        let anyone: PlayerName = "/./".parse().unwrap();
        assert!(!with_tags(&[], |tags| anyone.plays(tags, None)));
    }

    #[test]
    fn wrong_names_are_refused() {
        for text in ["", " ", "//", "/(/"] {
            assert!(text.parse::<PlayerName>().is_err(), "{text}");
        }
        assert_eq!("/".parse::<PlayerName>().unwrap().to_string(), "/");
        assert_eq!("/a b/".parse::<PlayerName>().unwrap().to_string(), "/a b/");
    }
}
