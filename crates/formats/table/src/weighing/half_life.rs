//! The age at which a game has half the weight of a new game.

use std::{fmt, str::FromStr};

/// The longest half-life, in years.
const YEARS_MAX: u32 = 100;

/// The age, in months, at which a game has half the weight of a new game. It is parsed from text such as `3y`
/// or `18m`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct HalfLife {
    months: u32,
}

impl HalfLife {
    /// The half-life in months, at least 1.
    #[must_use]
    pub fn months(self) -> u32 {
        self.months
    }
}

impl FromStr for HalfLife {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let months = match (text.strip_suffix('y'), text.strip_suffix('m')) {
            (Some(years), _) => years.parse::<u32>().ok().and_then(|years| years.checked_mul(12)),
            (None, Some(months)) => months.parse().ok(),
            (None, None) => None,
        };
        let known = months.filter(|months| (1..=12 * YEARS_MAX).contains(months));
        let months = known.ok_or_else(|| {
            format!(
                "`{text}` is not a time: expected years such as 3y, or months such as 18m, up to {YEARS_MAX}y"
            )
        })?;
        Ok(Self { months })
    }
}

/// Prints a half-life in years if it is a whole number of years, and otherwise in months.
impl fmt::Display for HalfLife {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.months % 12 {
            0 => write!(f, "{}y", self.months / 12),
            _ => write!(f, "{}m", self.months),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_and_months_are_read_and_written() {
        for (text, written) in [("3y", "3y"), ("36m", "3y"), ("18m", "18m"), ("100y", "100y")] {
            assert_eq!(text.parse::<HalfLife>().unwrap().to_string(), written);
        }
        for wrong in ["", "3", "y", "0m", "-1y", "3 y", "101y", "4294967295y", "2.5y", "3Y"] {
            assert!(wrong.parse::<HalfLife>().is_err(), "{wrong}");
        }
    }
}
