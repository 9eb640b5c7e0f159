//! Ratios of counts.

/// The ratio of a part to a whole; NaN if the whole is 0.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "for people; counts past 2^52 lose nothing they would see")]
pub fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
