//! Parses ranges as users write them: `0.45..0.55`, `6..16`.

use std::{fmt, str::FromStr};

/// An inclusive range of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

/// An inclusive range of plies, counted from the start position.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Plies {
    /// The fewest.
    pub first: u16,
    /// The most.
    pub last: u16,
}

/// An inclusive range for the number of men on a board.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Pieces {
    /// The fewest.
    pub fewest: u16,
    /// The most.
    pub most: u16,
}

/// A string that is not a range.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct ParseBoundsError {
    text: String,
    expected: &'static str,
}

impl Bounds {
    /// Whether `value` is within the bounds.
    #[must_use]
    pub fn hold(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Formats the bounds in the notation that [`FromStr`] parses.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

impl FromStr for Bounds {
    type Err = ParseBoundsError;

    fn from_str(text: &str) -> Result<Self, ParseBoundsError> {
        let expected = "a range: write the least and the greatest, as 0.45..0.55";
        let (low, high) = ends::<f64>(text).ok_or(ParseBoundsError { text: text.into(), expected })?;
        Ok(Self { low, high })
    }
}

/// Formats the plies in the notation that [`FromStr`] parses.
impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { first, last } if first == last => write!(f, "{first}"),
            Self { first, last } => write!(f, "{first}..{last}"),
        }
    }
}

impl FromStr for Plies {
    type Err = ParseBoundsError;

    fn from_str(text: &str) -> Result<Self, ParseBoundsError> {
        let expected = "a number of plies: write 8, or 6..16 for the fewest and the most";
        let (first, last) = numbers(text).ok_or(ParseBoundsError { text: text.into(), expected })?;
        Ok(Self { first, last })
    }
}

/// Formats the numbers in the notation that [`FromStr`] parses.
impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.fewest, self.most)
    }
}

impl FromStr for Pieces {
    type Err = ParseBoundsError;

    fn from_str(text: &str) -> Result<Self, ParseBoundsError> {
        let expected =
            "a number of men, both kings among them: write 32, or 8..32 for the fewest and the most";
        let found = numbers(text).filter(|(fewest, most)| *fewest >= 2 && *most <= 32);
        let (fewest, most) = found.ok_or(ParseBoundsError { text: text.into(), expected })?;
        Ok(Self { fewest, most })
    }
}

/// Parses the two ends of a range, or a single number that serves as both.
fn numbers(text: &str) -> Option<(u16, u16)> {
    ends(text).or_else(|| text.trim().parse().ok().map(|number| (number, number)))
}

/// Parses the two ends of a range; `None` if the text is not a range or its lower end is above its upper end.
fn ends<T: FromStr + PartialOrd>(text: &str) -> Option<(T, T)> {
    let (low, high) = text.split_once("..")?;
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (low <= high).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_as_people_write_them() {
        assert_eq!("0.45..0.55".parse(), Ok(Bounds { low: 0.45, high: 0.55 }));
        assert_eq!("-1.5 .. 0".parse(), Ok(Bounds { low: -1.5, high: 0.0 }));
        assert_eq!("8".parse(), Ok(Plies { first: 8, last: 8 }));
        assert_eq!("6..16".parse(), Ok(Plies { first: 6, last: 16 }));
        assert_eq!("0..4".parse(), Ok(Plies { first: 0, last: 4 }));
        assert_eq!(
            [Plies { first: 6, last: 16 }, Plies { first: 8, last: 8 }].map(|p| p.to_string()),
            ["6..16", "8"]
        );
        for wrong in ["", "0.5", "0.6..0.5", "NaN..1", "a..b"] {
            assert!(wrong.parse::<Bounds>().is_err(), "{wrong}");
        }
        for wrong in ["", "-1", "9..8", "99999"] {
            assert!(wrong.parse::<Plies>().is_err(), "{wrong}");
        }
        assert_eq!("8..32".parse(), Ok(Pieces { fewest: 8, most: 32 }));
        for wrong in ["", "1", "1..8", "8..33", "32..8"] {
            assert!(wrong.parse::<Pieces>().is_err(), "{wrong}");
        }
    }
}
