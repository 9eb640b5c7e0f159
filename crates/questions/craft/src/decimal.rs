//! Numbers with a fixed number of decimal places.

use std::fmt::{self, Display, Write as _};

/// A number that is printed with `DIGITS` decimal places, exactly as `{:.DIGITS$}` prints it.
///
/// The standard library computes the exact digits of every number, which would take most of the time spent
/// writing a line of text. This type computes them only for the few numbers that are close to halfway
/// between two results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal<const DIGITS: u32>(pub(crate) f64);

/// A scaled number up to this size has a rounding error far below [`CLEAR`].
const LARGEST: f64 = 1e6;
/// A scaled number can be rounded safely if it is farther than this from halfway between two whole numbers.
const CLEAR: f64 = 1e-3;

impl<const DIGITS: u32> Display for Decimal<DIGITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = 10_i32.pow(DIGITS);
        let scaled = self.0 * f64::from(unit);
        let is_clear = (scaled.fract() - 0.5).abs() > CLEAR;
        if !(0.0..LARGEST).contains(&scaled) || !is_clear || self.0.is_sign_negative() {
            return write!(f, "{:.*}", DIGITS as usize, self.0);
        }
        let number = scaled.round() as i32;
        f.write_str(itoa::Buffer::new().format(number / unit))?;
        f.write_char('.')?;
        // Adding `unit` puts the digit 1 in front of the decimals, so that their leading zeros are printed.
        // `[1..]` then removes this digit.
        f.write_str(&itoa::Buffer::new().format(unit + number % unit)[1..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_digits_are_those_of_the_standard_library(whole in 0_u32..5000, parts in 1_u32..5000) {
            let ratio = f64::from(whole) / f64::from(parts);
            for value in [ratio, 100.0 * ratio, -ratio] {
                prop_assert_eq!(Decimal::<1>(value).to_string(), format!("{value:.1}"));
                prop_assert_eq!(Decimal::<4>(value).to_string(), format!("{value:.4}"));
            }
        }
    }

    #[test]
    fn what_is_no_small_number_is_shown_as_ever() {
        for value in [0.0, -0.0, 0.05, 0.15, 0.25, 99.95, 1e5, 1e9, -1.25, f64::NAN, f64::INFINITY] {
            assert_eq!(Decimal::<1>(value).to_string(), format!("{value:.1}"));
            assert_eq!(Decimal::<4>(value).to_string(), format!("{value:.4}"));
        }
    }
}
