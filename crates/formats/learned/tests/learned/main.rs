//! Learning files as their users see them: what real Craftys wrote, what is broken, and that order does not
//! depend on threads, chunks or packing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod broken;
mod inputs;
mod reading;
mod real;
mod soup;
