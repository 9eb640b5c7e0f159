//! Walks through an artefact many times, always from the same position, with policies choosing the moves.
//!
//! # Flow
//!
//! 1. [`simulate`](simulate()) spreads walks over threads; each walk has its own stream of random numbers.
//! 2. A walker keeps choosing moves until there is none to choose from. It caches the moves that may be
//!    chosen in each position.
//! 3. The walks are added one after another, in order, to sums and to a [`Tree`]. The means in a
//!    [`Simulation`] come from the sums, and its most frequent lines from the tree.
//!
//! # Memory
//!
//! The tree takes at most 50 MB. In addition, a round of 1024 walks is kept in memory, and a few megabytes of
//! cached positions for each thread.

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
