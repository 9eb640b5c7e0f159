//! Labels of positions. A position passes its label on to the next positions along its lines, unless these
//! have labels of their own.

use position::Key;
use shakmaty::Chess;

/// Looks up a position's own label; `None` if it has none. The board is built only if the function asks for
/// it.
pub type LabelOf<'l> = dyn Fn(Key, &dyn Fn() -> Option<Chess>) -> Option<u16> + Sync + 'l;

/// The labels of positions. A position that has no label of its own inherits its parent's. Each position thus
/// has the last label along its line.
#[derive(Clone, Copy)]
pub struct Labels<'l> {
    /// The label of the walk's origin, if `of` returns `None` for the origin.
    pub first: u16,
    /// Looks up a position's own label, as opposed to a label that the position inherits.
    pub of: &'l LabelOf<'l>,
}

impl Labels<'_> {
    /// Every position gets the label 0.
    pub const NONE: Labels<'static> = Labels { first: 0, of: &|_, _| None };
}
