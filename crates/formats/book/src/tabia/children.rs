//! Legal moves that lead into the book.

use position::{Key, PackedMove, Tally, position_after};
use shakmaty::{Chess, Move, Position as _};

use crate::{Book, PositionEntry, Result};

/// A legal move that leads to a position of the book.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Child {
    /// The move.
    pub mv: Move,
    /// The position it leads to.
    pub key: Key,
    /// Games that reached that position, by any move order.
    pub tally: Tally,
    /// The place of that position in the book, as [`Book::probe_place`] returns it.
    pub place: usize,
}

impl Book {
    /// Every legal move of `position` whose target is in the book, ascending by packed move, with the
    /// target's tally. `position` itself and these moves need not be in the book. The engine PostModernist
    /// chooses its moves from such a list.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt).
    pub fn children(&self, position: &Chess) -> Result<Vec<Child>> {
        self.children_among(position, |_| true)
    }

    /// Like [`children`](Self::children), but returns only the children whose keys `may_have` accepts. A
    /// caller that needs the children of many positions can use `may_have` to skip most moves quickly.
    ///
    /// # Errors
    ///
    /// Fails as [`children`](Self::children) does.
    pub fn children_among(&self, position: &Chess, may_have: impl Fn(Key) -> bool) -> Result<Vec<Child>> {
        let mut children = Vec::new();
        let mut entry = PositionEntry::default();
        for mv in position.legal_moves() {
            let key = Key::of(&position_after(position, mv));
            if may_have(key)
                && let Some(place) = self.probe_place(key, &mut entry)?
            {
                children.push(Child { mv, key, tally: entry.tally, place });
            }
        }
        children.sort_by_key(|child| PackedMove::pack(child.mv));
        Ok(children)
    }
}
