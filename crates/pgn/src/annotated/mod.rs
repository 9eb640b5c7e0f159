//! Games with what their movetext says beside the moves: evaluations, depths, clocks and annotations.
//!
//! # Flow
//! - [`AnnotatedReader`] reads games, in any packing, on many threads, and gives [`AnnotatedBatch`]es in the order of the text.
//! - [`AnnotatedBatch::games`] gives each [`AnnotatedGame`], accepted or not, by the rules of [`crate::replay`].
//! - Its [`AnnotatedPly`]s hold the moves and the [`Notes`] to each.

mod batch;
mod comment;
mod loose;
mod notes;
mod ply;
mod reader;
mod work;

pub use batch::{AnnotatedBatch, AnnotatedGame};
pub use ply::{AnnotatedPly, Evaluation, Notes, Style};
pub use reader::{AnnotatedOptions, AnnotatedReader};
