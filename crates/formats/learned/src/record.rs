//! What a learning file teaches: records of games, positions, and what could not be read.

use position::{Key, PackedMove};
use shakmaty::Chess;

use super::LearnedReason;
use pgn::{input::Place, tags::TagValue};

/// One item of a learning file.
#[derive(Clone, Debug)]
pub enum Item<'b> {
    /// A game and the value it taught.
    Record(LearnedRecord<'b>),
    /// A position and the value a search gave it.
    Position(LearnedPosition<'b>),
    /// Something that could not be read.
    Rejection(LearnedRejection<'b>),
}

/// The place of an item.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Whereabouts {
    /// Its first byte; [`ReadInputs::locate`](pgn::input::ReadInputs::locate) makes it readable.
    pub place: Place,
    /// Its number among the items of its stream, rejected ones counted, from 1.
    pub number: u64,
}

/// The players as the file names them.
#[derive(Clone, Copy, Debug)]
pub struct Players<'b> {
    /// White's name; empty if the file does not name him.
    pub white: TagValue<'b>,
    /// Black's name; empty if the file does not name him.
    pub black: TagValue<'b>,
}

/// A record of `book.lrn`: the moves of a game from the start position, and what it taught.
///
/// The numbers are as the file has them: unit and point of view depend on the version of Crafty that wrote
/// them (`learn.c` of 11.8 to 20.14), and so follow from the player tags.
#[derive(Clone, Debug)]
pub struct LearnedRecord<'b> {
    /// Its place.
    pub at: Whereabouts,
    /// Who played.
    pub players: Players<'b>,
    /// The day it was learned as `yyyymmdd`; `None` if the file's makes no sense (Crafty before 19.6 wrote
    /// years such as 1848660 where `time_t` has 64 bits).
    pub date: Option<u32>,
    /// Each position before a move and the move, at least one; White moves at even indices.
    pub plies: &'b [(Key, PackedMove)],
    /// The learned value.
    pub value: i64,
    /// Depth of the search that gave it.
    pub depth: i64,
    /// Crafty's rating less that of its opponent.
    pub rating_difference: i64,
}

/// An entry of `position.lrn`: a position and the result of a search.
#[derive(Clone, Debug)]
pub struct LearnedPosition<'b> {
    /// Its place.
    pub at: Whereabouts,
    /// Who played, the right way round (see Names in [the module](super)).
    pub players: Players<'b>,
    /// The day it was learned, as in [`LearnedRecord::date`].
    pub date: Option<u32>,
    /// The position.
    pub position: &'b Chess,
    /// Its key.
    pub key: Key,
    /// The value as the file has it, from the view of the side to move: centipawns from Crafty 14.0 on,
    /// millipawns before.
    pub value: i64,
    /// The best move as Crafty packs it: from 6 bits, to 6, piece 3, captured 3, promotion 3, lowest first.
    pub crafty_move: i64,
    /// Depth of the search as the file has it: sixtieths of a ply, from Crafty 20.3 on quarters.
    pub depth: i64,
}

/// Something in a learning file that teaches nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LearnedRejection<'b> {
    /// Its place.
    pub at: Whereabouts,
    /// Why.
    pub reason: LearnedReason,
    /// The ply of the move that failed, 1 for White's first; `None` where the reason is no move.
    pub ply: Option<u32>,
    /// The offending text, decoded as tag values are, at most
    /// [`Rejection::TEXT_CHARS_MAX`](pgn::verdict::Rejection::TEXT_CHARS_MAX) characters.
    pub text: &'b str,
}
