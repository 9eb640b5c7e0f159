//! What expressions mean, how they are printed, and how they fail.

mod errors;
mod meaning;
mod round_trip;
