//! Choosing a move of a position: a policy over what an artefact knows of it.
//!
//! # Flow
//!
//! 1. [`Chooser::new`] finds a policy by name and checks its settings.
//! 2. [`candidates`](candidates()) reads what an artefact knows of a position's moves, as the policy
//!    needs it.
//! 3. [`View::judge`](crate::View::judge) and [`judged_probe`] give every move its chance and the reasons
//!    for it; [`pick`](pick()) draws one move.

mod candidates;
mod chooser;
mod judge;
mod pick;

pub use candidates::{Candidates, book_moves, candidates};
pub use chooser::{Chooser, Setting, policy};
pub use judge::{Choice, ChosenMove, JudgedProbe, judged_probe};
pub use pick::{Draw, Pick, draw, pick};
