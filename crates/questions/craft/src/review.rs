//! Finds where a player's games left a book, and who left it.
//!
//! # How a game is followed
//!
//! A game is followed from its first position until a move takes the game out of the book. The player's move
//! takes the game out of the book if the book does not play the move. The opponent's move takes the game out
//! of the book if the book neither has the move nor has a move to play in the resulting position. The
//! resulting position matters because the opponent may transpose into the book by a move that the book does
//! not have. The side whose move took the game out of the book has left the book, unless the book had already
//! ended before this move. The book ends where it has no move for the player, or where every move of the
//! opponent would take the game out of the book. A game that leaves the book before the player has made any
//! of the book's moves counts as a different opening.
//!
//! A book plays its kept moves, except banned ones. A Polyglot book plays the moves whose weight is above 0.
//! If a book has moves for one side only, games in which the player played the other side are not followed.

mod annotated;
mod drill;
mod places;
mod rows;

use std::cmp::Reverse;

use position::{PackedMove, position_after};
use query::{Artefact, View};
use serde::Serialize;
use shakmaty::{Chess, Color, Position as _};
use strum::{IntoStaticStr, VariantArray};

pub use self::{
    annotated::push_annotated,
    drill::drill,
    places::{DepartureReport, ExitPlace, Places, Results, Review},
    rows::{ReviewRows, ReviewedGame},
};
use crate::{Error, Result};

/// How a game left the book.
#[derive(
    Clone, Copy, Debug, Eq, Hash, IntoStaticStr, Ord, PartialEq, PartialOrd, Serialize, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Departure {
    /// The player made a move that the book does not play.
    PlayerLeft,
    /// The opponent made a move to which the book has no reply.
    OpponentLeft,
    /// The book has no more moves after this line.
    BookEnded,
    /// The game ended while it was still in the book.
    Completed,
    /// The game left the book before the player had made any of the book's moves.
    OtherOpening,
    /// The book has no moves for the player's side, so the game was not followed.
    OtherSide,
}

/// The place where a game left a book.
#[derive(Clone, Debug)]
pub struct Exit {
    /// How the game left the book.
    pub departure: Departure,
    /// The game's moves up to this point, in SAN. None of them took the game out of the book.
    pub line: Vec<String>,
    /// The position after these moves.
    pub position: Chess,
    /// The move that was played in this position, in SAN; `None` if the game ended.
    pub played: Option<String>,
    /// The moves that the book has in this position, in SAN, the most played ones first. Moves that the book
    /// never plays are left out if the player is to move, or if the game counts as a different opening.
    pub book: Vec<String>,
}

/// Follows games in a book.
pub struct Reviewer<'b> {
    book: &'b Artefact,
    /// The only side that the book has moves for; `None` if it has moves for both sides.
    side: Option<Color>,
}

impl<'b> Reviewer<'b> {
    /// Follows games in `book`.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NotABook`] for a table or an experience file. Also fails if the book cannot be
    /// read or is damaged.
    pub fn new(book: &'b Artefact) -> Result<Self> {
        match book {
            Artefact::Book(_) | Artefact::Polyglot(_) => Ok(Self { book, side: query::only_side(book)? }),
            Artefact::Table(_) | Artefact::Experience(_) => Err(Error::NotABook(book.path().into()).into()),
        }
    }

    /// The only side that the book has moves for; `None` if it has moves for both sides.
    #[must_use]
    pub fn side(&self) -> Option<Color> {
        self.side
    }

    /// Follows the moves of a game that begins at `start` and in which the player plays the side `own`. The
    /// game is followed only up to its first illegal move.
    ///
    /// # Errors
    ///
    /// Fails if the book cannot be read or is damaged.
    pub fn follow(
        &self,
        start: &Chess,
        own: Color,
        moves: impl IntoIterator<Item = PackedMove>,
    ) -> Result<Exit> {
        let exit =
            |departure, line, position| Exit { departure, line, position, played: None, book: Vec::new() };
        let mut position = start.clone();
        let mut line = Vec::new();
        if self.side == Some(!own) {
            return Ok(exit(Departure::OtherSide, line, position));
        }
        let mut has_own_move = false;
        for mv in moves {
            let mut after = position.clone();
            let Some(san) = mv.play_with_san(&mut after) else { break };
            let is_own = position.turn() == own;
            let book = self.moves(&position, is_own)?;
            if !book.contains(&mv) && (is_own || self.moves(&after, true)?.is_empty()) {
                let goes_on = !book.is_empty() || !is_own && self.has_reply(&position)?;
                let departure = match (has_own_move, goes_on) {
                    (false, _) => Departure::OtherOpening,
                    (true, false) => Departure::BookEnded,
                    (true, true) if is_own => Departure::PlayerLeft,
                    (true, true) => Departure::OpponentLeft,
                };
                let is_played = is_own || departure == Departure::OtherOpening;
                let book = self.moves(&position, is_played)?;
                let book = book.iter().filter_map(|mv| Some(mv.unpack_with_san(&position)?.1.to_string()));
                let (book, played) = (book.collect(), Some(san.to_string()));
                return Ok(Exit { departure, line, position, played, book });
            }
            has_own_move |= is_own;
            line.push(san.to_string());
            position = after;
        }
        Ok(exit(Departure::Completed, line, position))
    }

    /// The moves that the book has in a position, the most played ones first. If the player is to move, moves
    /// that the book never plays are left out.
    fn moves(&self, position: &Chess, is_own: bool) -> Result<Vec<PackedMove>> {
        let mut moves = query::candidates(&View::of(self.book), position, false)?.moves;
        moves.retain(|known| {
            let is_played = known.experience.may_be_played() && known.weight != Some(0);
            known.in_book && (is_played || !is_own)
        });
        moves.sort_by_key(|known| (Reverse(known.played()), known.mv));
        Ok(moves.into_iter().map(|known| known.mv).collect())
    }

    /// Whether any of the opponent's moves leads to a position in which the book has a move to play.
    fn has_reply(&self, position: &Chess) -> Result<bool> {
        for m in position.legal_moves() {
            if !self.moves(&position_after(position, m), true)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
