//! Tests of whole tables, a module a theme.

mod damage;
mod fixture;
mod format;
mod joins;
mod ratings;
mod round_trip;
mod swapping;
