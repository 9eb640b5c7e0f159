//! Labels that positions hand on to those that follow them.

use position::Key;
use shakmaty::Chess;

/// The label that a position has of its own; its board is made only on request.
pub type LabelOf<'l> = dyn Fn(Key, &dyn Fn() -> Option<Chess>) -> Option<u16> + Sync + 'l;

/// Labels of positions. A position without a label of its own has that of its parent in the walk, so that
/// each position has the last label on its line.
#[derive(Clone, Copy)]
pub struct Labels<'l> {
    /// The label of the first position, unless it has one of its own.
    pub first: u16,
    /// The labels of positions.
    pub of: &'l LabelOf<'l>,
}

impl Labels<'_> {
    /// All positions have the label 0.
    pub const NONE: Labels<'static> = Labels { first: 0, of: &|_, _| None };
}
