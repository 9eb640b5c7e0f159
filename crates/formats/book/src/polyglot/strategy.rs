//! Strategies for combining a move's weights in several Polyglot books.

use std::{fmt, str::FromStr};

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::Error;

/// How the weights of a move in several books are combined into one.
#[derive(Clone, Copy, Debug, Default, EnumString, Eq, IntoStaticStr, PartialEq, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Strategy {
    /// The weights are added, as in `merge-book` of Polyglot 2.0.4 (whose sums wrap at 65,536).
    #[default]
    Sum,
    /// Each position is taken from the first book that has it, as in `merge-book` of Polyglot 1.4.
    First,
    /// The new weight is the largest of the books' weights.
    Max,
    /// The new weight is the mean over the books that have the position; a book that lacks the move counts as
    /// a weight of 0.
    Average,
}

/// A factor for a book's weights: a decimal number greater than 0 and at most a million, with up to six
/// decimals.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Factor {
    /// The factor in millionths, at most 10^12.
    pub(super) millionths: u64,
}

impl Factor {
    /// The millionths of 1.
    pub(super) const ONE_MILLIONTHS: u64 = 1_000_000;
}

impl Default for Factor {
    fn default() -> Self {
        Self { millionths: Self::ONE_MILLIONTHS }
    }
}

impl FromStr for Factor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || {
            Error::setting(
                text,
                "a number above 0 and up to 1000000 with at most six decimals, such as 2 or 0.5",
            )
        };
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = whole.bytes().chain(decimals.bytes());
        let is_number = text != "." && digits.clone().all(|digit| digit.is_ascii_digit());
        if !is_number || whole.len() > 7 || decimals.len() > 6 {
            return Err(wrong());
        }
        let number = digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
        let millionths = number * 10_u64.pow(6 - decimals.len() as u32);
        let is_within = (1..=Self::ONE_MILLIONTHS * Self::ONE_MILLIONTHS).contains(&millionths);
        is_within.then_some(Self { millionths }).ok_or_else(wrong)
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.millionths / Self::ONE_MILLIONTHS;
        let rest = self.millionths % Self::ONE_MILLIONTHS;
        let decimals = format!("{rest:06}");
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            decimals => write!(f, "{whole}.{decimals}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_exact() {
        for (text, millionths) in
            [("2", 2_000_000), ("0.5", 500_000), (".000001", 1), ("1000000", 1_000_000_000_000)]
        {
            let factor: Factor = text.parse().unwrap();
            assert_eq!(factor.millionths, millionths, "{text}");
            assert_eq!(factor.to_string().parse::<Factor>().unwrap(), factor);
        }
    }

    #[test]
    fn other_factors_are_refused() {
        for text in ["", ".", "0", "0.0", "-1", "+1", "1e3", "1000000.1", "12345678", "0.0000001", "1,5", "٣"]
        {
            assert!(text.parse::<Factor>().is_err(), "{text}");
        }
    }
}
