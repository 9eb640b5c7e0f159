//! Tests the rules of learning through the public interface, without outside files.
#![expect(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic, and these numbers are exact")]

mod records;
mod sources;
