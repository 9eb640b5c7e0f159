//! ECO opening codes and ranges of them.

use std::{fmt, str::FromStr};

use crate::{Error, Result, tags::Tags};

/// A code `A00` to `E99`.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct EcoCode(u16);

/// An inclusive range of ECO codes: `B20`, `B20..B99`, `B20-B99`, or a whole volume `B`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EcoRange {
    first: EcoCode,
    last: EcoCode,
}

/// The game's opening code, from the tag ECO.
pub(super) fn eco_of(tags: &Tags<'_>) -> Option<EcoCode> {
    EcoCode::read(tags.get("ECO")?.bytes())
}

impl EcoCode {
    /// Reads the code from the first three characters, in upper or lower case. The rest of the value is
    /// ignored, such as a subdivision (`B90a`, `E12/05`). If the fourth character is a digit, however, the
    /// value is not a code.
    fn read(value: &[u8]) -> Option<Self> {
        match *value {
            [volume, tens @ b'0'..=b'9', ones @ b'0'..=b'9', ref rest @ ..]
                if !rest.first().is_some_and(u8::is_ascii_digit) =>
            {
                Some(Self(
                    volume_number(volume)? * 100 + u16::from(tens - b'0') * 10 + u16::from(ones - b'0'),
                ))
            }
            _ => None,
        }
    }
}

fn volume_number(letter: u8) -> Option<u16> {
    let letter = letter.to_ascii_uppercase();
    (b'A'..=b'E').contains(&letter).then(|| u16::from(letter - b'A'))
}

impl EcoRange {
    pub(super) fn contains(self, code: EcoCode) -> bool {
        (self.first..=self.last).contains(&code)
    }

    /// The value that ranges are sorted by.
    pub(super) fn order(self) -> (EcoCode, EcoCode) {
        (self.first, self.last)
    }

    /// Reads the text of one end of a range. Returns the codes for which this text stands by itself: one code
    /// or a whole volume.
    fn read_end(end: &str) -> Option<Self> {
        match *end.trim_ascii().as_bytes() {
            [letter] => {
                let first = volume_number(letter)? * 100;
                Some(Self { first: EcoCode(first), last: EcoCode(first + 99) })
            }
            ref code @ [_, _, _] => EcoCode::read(code).map(|code| Self { first: code, last: code }),
            _ => None,
        }
    }

    fn read(text: &str) -> Option<Self> {
        let (first, last) = text.split_once("..").or_else(|| text.split_once('-')).unwrap_or((text, text));
        let range = Self { first: Self::read_end(first)?.first, last: Self::read_end(last)?.last };
        (range.first <= range.last).then_some(range)
    }
}

impl FromStr for EcoRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::read(text).ok_or_else(|| Error::Value {
            what: "range of ECO codes",
            given: text.into(),
            expected: "a code such as B20, a range such as B20..B99, or a volume A to E",
        })
    }
}

impl fmt::Display for EcoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let volume = char::from(b'A' + (self.0 / 100) as u8);
        write!(f, "{volume}{:02}", self.0 % 100)
    }
}

/// Prints `B20` or `B20..B99`.
impl fmt::Display for EcoRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last { self.first.fmt(f) } else { write!(f, "{}..{}", self.first, self.last) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_first_three_characters() {
        for (value, code) in
            [("B20", "B20"), ("e12/05", "E12"), ("B90a", "B90"), ("A00", "A00"), ("C42 Petrov", "C42")]
        {
            assert_eq!(
                EcoCode::read(value.as_bytes()).map(|code| code.to_string()).as_deref(),
                Some(code),
                "{value}"
            );
        }
        for value in ["", "?", "-", "B2", "F20", "B200", "20B", "BB0", "É20"] {
            assert_eq!(EcoCode::read(value.as_bytes()), None, "{value}");
        }
    }

    #[test]
    fn ranges_round_trip() {
        for (text, shown) in [
            ("B20", "B20"),
            ("b20..b99", "B20..B99"),
            ("B20-C19", "B20..C19"),
            ("B", "B00..B99"),
            ("A..C", "A00..C99"),
            (" B20 .. B30 ", "B20..B30"),
            ("B20..B20", "B20"),
        ] {
            let range: EcoRange = text.parse().unwrap();
            assert_eq!(range.to_string(), shown, "{text}");
            assert_eq!(range.to_string().parse::<EcoRange>().unwrap(), range, "{text}");
        }
        for text in ["", "F", "B20..", "..B20", "B99..B20", "B20a", "B2", "B20..B30..B40", "Sicilian"] {
            assert!(text.parse::<EcoRange>().is_err(), "{text}");
        }
    }

    #[test]
    fn both_ends_are_included() {
        let range: EcoRange = "B20..B99".parse().unwrap();
        let contains = |code: &str| range.contains(EcoCode::read(code.as_bytes()).unwrap());
        assert!(contains("B20") && contains("B99") && contains("B57"));
        assert!(!contains("B19") && !contains("C00"));
    }
}
