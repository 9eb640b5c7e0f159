//! Choosing moves from what was made: a policy over the positions of a book, a table or a Polyglot book.
//!
//! # Flow
//!
//! 1. [`Chooser::new`] finds a policy by name and checks its settings; [`policies`] lists what there is.
//! 2. [`candidates`] reads what an artefact knows of one position's moves, as the policy wants it.
//! 3. [`judge`] and [`judged_probe`] tell every move's chance and why, [`pick`] draws one move, and [`simulate`] walks the book many
//!    times. [`picture()`] draws those walks.

mod candidates;
mod chooser;
mod judge;
mod lines;
mod named;
mod pick;
mod picture;
mod policies;
mod save;
mod simulate;
mod tree;
mod walk;

pub use candidates::{Candidates, candidates};
pub use chooser::{Chooser, Setting};
pub use judge::{Choice, ChosenMove, Exclusion, JudgedProbe, judge, judged_probe};
pub(crate) use lines::numbered;
pub use lines::{Line, OtherLines};
pub use named::Named;
pub use pick::{Pick, pick};
pub use picture::picture;
pub use policies::{ParameterInfo, PolicyInfo, policies, policy};
pub use save::save;
pub use simulate::{EndShare, Players, PliesShare, Simulation, WalkOptions, simulate};
pub use walk::End;
