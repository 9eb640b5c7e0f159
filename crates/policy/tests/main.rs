//! The policies from outside: one module a theme.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::float_cmp, reason = "values that must be exact are compared exactly")]
#![expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "small whole numbers")]

mod catalogue;
mod draws;
mod mixture;
mod ours;
mod properties;
mod seeds;
mod situation;
mod vectors;
