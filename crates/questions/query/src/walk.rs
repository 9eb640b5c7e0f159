//! Walks through an artefact many times, always from the same position and along moves that policies choose.
//!
//! # Flow
//!
//! 1. [`simulate`](simulate()) spreads walks over threads, each with its own stream of random numbers.
//! 2. A walker keeps drawing moves until it reaches a position that offers none. It caches what each position
//!    offers.
//! 3. Each walk is added, in order, to sums and to a [`Tree`]. A [`Simulation`] derives its means and its
//!    most frequent lines from them.
//!
//! # Memory
//!
//! The tree takes at most 50 MB; in addition, memory holds a round of 1024 walks and, for each thread, a few
//! megabytes of cached positions.

mod lines;
mod options;
mod simulate;
mod simulation;
mod tree;
mod walker;

pub(crate) use lines::share;
pub use lines::{Line, OtherLines, numbered};
pub use options::{PLIES_MAX, WalkOptions};
pub use simulate::simulate;
pub use simulation::{EndShare, PliesShare, Simulation};
pub use tree::{Node, Tree};
pub use walker::{Choosers, End};
