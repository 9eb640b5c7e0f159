//! The input side as its users see it: what is found does not depend on packing, threads or chunks.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod archives;
mod damage;
mod expanding;
mod frames;
mod packings;
mod reading;
mod resuming;
mod rule;
mod scheduling;
mod sections;
mod tricky;
