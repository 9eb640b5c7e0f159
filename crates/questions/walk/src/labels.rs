//! Labels that positions pass on to the positions after them.

use position::Key;
use shakmaty::Chess;

/// Looks up the label that a position has of its own; `None` if it has none. The board is made only if this
/// function requests it.
pub type LabelOf<'l> = dyn Fn(Key, &dyn Fn() -> Option<Chess>) -> Option<u16> + Sync + 'l;

/// The labels of positions. If a position has no label of its own, it takes the label of its parent in the
/// walk. So each position has the last label on its line.
#[derive(Clone, Copy)]
pub struct Labels<'l> {
    /// The label of the first position if it has none of its own.
    pub first: u16,
    /// Looks up the labels that positions have of their own.
    pub of: &'l LabelOf<'l>,
}

impl Labels<'_> {
    /// Every position gets the label 0.
    pub const NONE: Labels<'static> = Labels { first: 0, of: &|_, _| None };
}
