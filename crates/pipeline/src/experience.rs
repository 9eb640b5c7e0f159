//! Experience files as wholes: laid over each other, merged, compared, aged, cleared, shown.
//!
//! What teaches stands in `learning/`; the files themselves are crate `table`'s, the rules crate `learn`'s.

mod clear;
mod diff;
mod rewrite;
mod show;
mod union;

pub use clear::Clear;
pub use diff::{Difference, Differences, diff};
pub(crate) use rewrite::knows_something;
pub use rewrite::{age, clear, merge};
pub use show::{ShowOptions, Shown, ShownRow, Summary, show, summary};
pub(crate) use union::{Union, join_sources, join_taught};
