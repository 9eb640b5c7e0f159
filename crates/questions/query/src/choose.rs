//! Chooses a move in a position: a policy judges the data that an artefact has for the position's moves.
//!
//! # Flow
//!
//! 1. [`Chooser::new`] finds a policy by name and checks its settings.
//! 2. [`candidates`](candidates()) reads an artefact's data for a position's moves, but only as much as the
//!    policy needs.
//! 3. [`View::judge`](crate::View::judge) and [`judged_probe`] return the probability of every move, along
//!    with the values that led to it; [`pick`](pick()) chooses one move at random.

mod candidates;
mod chooser;
mod judge;
mod pick;

pub use candidates::{Candidates, book_moves, candidates};
pub use chooser::{Chooser, Setting, policy};
pub use judge::{Choice, ChosenMove};
pub use pick::{Draw, Pick, draw, pick};
