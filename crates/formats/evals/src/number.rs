//! Whole numbers.

use std::ops::RangeInclusive;

use crate::{EvalReason, Refusal, shown};

/// Parses a whole number within a range.
pub(crate) fn within<T: TryFrom<i64>>(text: &[u8], range: RangeInclusive<i64>) -> Result<T, Refusal<'_>> {
    let number =
        whole(text).filter(|number| range.contains(number)).and_then(|number| number.try_into().ok());
    number.ok_or((EvalReason::BadNumber, shown(text)))
}

/// Parses a whole number of at most eighteen digits.
fn whole(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let number = digits
        .iter()
        .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))?;
    Some(if digits.len() < text.len() { -number } else { number })
}
