//! Labels that positions hand on to those that follow them.

use position::Key;
use shakmaty::Chess;

/// The label that a position has of its own; its board is made where it is asked for.
pub type LabelOf<'l> = dyn Fn(Key, &dyn Fn() -> Option<Chess>) -> Option<u16> + Sync + 'l;

/// Labels of positions. One that has none of its own has its parent's, as the walk finds parents: so each
/// position has the last label on its line.
#[derive(Clone, Copy)]
pub struct Labels<'l> {
    /// That of the first position, unless it has one of its own.
    pub first: u16,
    /// Those of positions.
    pub of: &'l LabelOf<'l>,
}

impl Labels<'_> {
    /// All positions have the label 0.
    pub const NONE: Labels<'static> = Labels { first: 0, of: &|_, _| None };
}
