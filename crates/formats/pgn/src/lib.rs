//! Turns PGN into observations: opens files, whether compressed or not, cuts them into games, then filters
//! and replays the games.
//!
//! [`annotated`] reads games with the annotations of their moves.

pub mod annotated;
pub mod batches;
pub mod copies;
mod error;
pub mod filter;
pub mod input;
mod misspelling;
pub mod movetext;
pub mod replay;
mod setting;
mod simd;
pub mod tags;
mod texts;
pub mod verdict;

pub use error::{Error, Result};
pub use misspelling::{Misspelling, Misspellings};
