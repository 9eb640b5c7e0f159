//! PGN in, observations out: opens game dumps of any packing, cuts them into games, filters and replays them.

mod error;
pub mod filter;
pub mod input;
pub mod movetext;
pub mod replay;
pub mod tags;
pub mod verdict;

pub use error::{Error, Result};
