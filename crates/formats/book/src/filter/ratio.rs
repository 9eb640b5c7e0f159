//! A decimal fraction between 0 and 1, stored exactly.

use std::{fmt, str::FromStr};

use crate::Error;

const DECIMALS_MAX: usize = 18;

/// A decimal fraction between 0 and 1, stored exactly, so that a share of exactly four tenths meets a minimum
/// of `0.4`.
///
/// # Format
///
/// As text, it is `0`, `1`, `0.4` or `.4`, with up to 18 decimals. It is printed without trailing zeros.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ratio {
    numerator: u64,
    /// The denominator: a power of ten, at most 10^18.
    denominator: u64,
}

impl Ratio {
    /// The ratio 0, a minimum that every move meets.
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };

    /// Whether `part` / `whole` is at least this ratio; true if both are 0.
    #[must_use]
    pub fn reached_by(self, part: u128, whole: u128) -> bool {
        // `part` and `whole` are below 2^65, and numerator and denominator are below 2^60, so no product
        // overflows.
        part * u128::from(self.denominator) >= whole * u128::from(self.numerator)
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }
}

impl Default for Ratio {
    fn default() -> Self {
        Self::ZERO
    }
}

impl FromStr for Ratio {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::setting(text, "a decimal number from 0 to 1, such as 0.4");
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let decimals = decimals.trim_end_matches('0');
        let digits = whole.bytes().chain(decimals.bytes());
        if text.trim_matches('.').is_empty() || !digits.clone().all(|digit| digit.is_ascii_digit()) {
            return Err(wrong());
        }
        let whole = whole.trim_start_matches('0');
        if !(matches!((whole, decimals), ("1", "")) || whole.is_empty() && decimals.len() <= DECIMALS_MAX) {
            return Err(wrong());
        }
        let denominator = 10u64.pow(decimals.len() as u32);
        let numerator = digits.fold(0u64, |number, digit| number * 10 + u64::from(digit - b'0'));
        Ok(Self { numerator, denominator })
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.numerator / self.denominator;
        let decimals = self.numerator % self.denominator;
        match self.denominator.ilog10() as usize {
            0 => write!(f, "{whole}"),
            digits => write!(f, "{whole}.{decimals:0digits$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_kept_exactly() {
        for (text, printed) in [("0", "0"), ("1", "1"), ("1.000", "1"), (".40", "0.4"), ("00.05", "0.05")] {
            assert_eq!(text.parse::<Ratio>().unwrap().to_string(), printed);
        }
        assert_eq!("0.123456789012345678".parse::<Ratio>().unwrap().to_string(), "0.123456789012345678");
    }

    #[test]
    fn other_text_is_refused() {
        for text in [
            "",
            ".",
            "1.1",
            "2",
            "-0.1",
            "+0.1",
            "0,4",
            "40%",
            "1e-3",
            "NaN",
            "0.1234567890123456789",
            "0.4.",
            "0..4",
        ] {
            assert!(text.parse::<Ratio>().is_err(), "{text}");
        }
    }

    #[test]
    fn borders_are_exact() {
        let third: Ratio = "0.333333333333333333".parse().unwrap();
        assert!(third.reached_by(1, 3));
        assert!(!third.reached_by(333_333_333_333_333_332, 1_000_000_000_000_000_000));
        let tenth: Ratio = "0.1".parse().unwrap();
        assert!(tenth.reached_by(u128::from(u64::MAX / 5), u128::from(u64::MAX / 5) * 10));
        assert!(!tenth.reached_by(u128::from(u64::MAX / 5), u128::from(u64::MAX / 5) * 10 + 1));
        assert!("1".parse::<Ratio>().unwrap().reached_by(0, 0));
    }
}
