//! Books through the public interface: written, read back, damaged, exported.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, in the functions it calls too")]

mod answers;
mod damage;
mod golden;
mod polyglot;
mod round_trip;
mod samples;
