//! Tests of whole tables, with one module for each theme.

mod damage;
mod fixture;
mod format;
mod joins;
mod ratings;
mod round_trip;
mod swapping;
