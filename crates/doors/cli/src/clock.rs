//! Reads the current month from the clock, and derives a seed that differs from run to run.

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{Datelike as _, Local};

/// The largest integer that every program reads exactly from JSON.
const SEED_MAX: u128 = (1 << 53) - 1;

/// A seed that differs from run to run, taken from the clock's nanoseconds.
pub(crate) fn seed_of_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() & SEED_MAX) as u64
}

/// Today's year and month.
pub(crate) fn today() -> Option<(u16, u8)> {
    let today = Local::now();
    Some((today.year().try_into().ok()?, today.month().try_into().ok()?))
}
