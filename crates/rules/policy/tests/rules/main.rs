//! The policies through the public interface, one module for each theme.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::float_cmp, reason = "values that must be exact are compared exactly")]
#![expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "small whole numbers")]

mod bans;
mod catalogue;
mod draws;
mod mixture;
mod ours;
mod properties;
mod situation;
mod sources;
mod vectors;
mod wheel;
