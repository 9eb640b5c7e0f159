//! The values set by hand for a book's moves, and whether the moves may be played.

use std::{
    iter::{Flatten, Peekable},
    option,
};

use book::Rows;
use itertools::Itertools as _;
use position::{Experience, ExperienceKind, Key, PackedMove};
use query::Artefact;
use serde::Serialize;

use crate::Result;

/// The values set by hand for a move, and whether the move may be played. By default, no values are set, and
/// the move may be played.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SetByHand {
    /// The value, 0 to 100; `None` if none was set.
    pub value: Option<u8>,
    /// The priority, 0 to 5; `None` if none was set.
    pub priority: Option<u8>,
    /// The mark, as a NAG number; `None` if none was set.
    pub nag: Option<u8>,
    /// Whether the move may be played. This is `false` if a value set by hand bans the move, or if the move's
    /// learned value is so bad that the move is never played.
    pub playable: bool,
}

impl Default for SetByHand {
    fn default() -> Self {
        Self::of(&Experience::default())
    }
}

impl SetByHand {
    fn of(known: &Experience) -> Self {
        let Experience { user_value: value, priority, nag, .. } = *known;
        Self { value, priority, nag, playable: known.may_be_played() }
    }
}

/// The values set by hand for an artefact's moves. Keys must be requested in ascending order.
pub(super) struct SetMoves<'a>(Peekable<Flatten<option::IntoIter<Rows<'a>>>>);

impl<'a> SetMoves<'a> {
    /// Reads the values of a book. Other artefacts have none.
    pub(super) fn of(artefact: &'a Artefact) -> Self {
        let book = if let Artefact::Book(book) = artefact { Some(book.experience()) } else { None };
        Self(book.into_iter().flatten().peekable())
    }

    /// Returns the values set by hand for the moves of a position.
    pub(super) fn at(&mut self, key: Key) -> Result<Vec<(PackedMove, SetByHand)>> {
        let rows = self.0.peeking_take_while(|row| row.as_ref().map_or(true, |row| row.key <= key));
        let of_moves = rows.filter_ok(|row| row.key == key && row.kind == ExperienceKind::Book);
        Ok(of_moves.map_ok(|row| (row.mv, SetByHand::of(&row.experience))).collect::<book::Result<_>>()?)
    }
}
