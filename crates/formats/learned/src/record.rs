//! The items of a learning file: records of games, positions, and text that could not be read.

use position::{Key, PackedMove};
use shakmaty::Chess;

use super::LearnedReason;
use pgn::{input::Place, tags::TagValue};

/// One item of a learning file.
#[derive(Clone, Debug)]
pub enum Item<'b> {
    /// A game and the value that was learned from it.
    Record(LearnedRecord<'b>),
    /// A position and the value that a search gave it.
    Position(LearnedPosition<'b>),
    /// Text that could not be read.
    Rejection(LearnedRejection<'b>),
}

/// The place of an item in the inputs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ItemPlace {
    /// The place of the item's first byte; [`ReadInputs::locate`](pgn::input::ReadInputs::locate) converts a
    /// place to human-readable form.
    pub place: Place,
    /// The number of the item in its stream, counted from 1. Rejected items are counted too.
    pub number: u64,
}

/// The players' names, as the file gives them.
#[derive(Clone, Copy, Debug)]
pub struct Players<'b> {
    /// White's name; empty if the file does not name White.
    pub white: TagValue<'b>,
    /// Black's name; empty if the file does not name Black.
    pub black: TagValue<'b>,
}

/// A record of `book.lrn`: the moves of a game from the start position, and what was learned from it.
///
/// The numbers are exactly as in the file. Their unit and point of view depend on the version of Crafty that
/// wrote them (`learn.c` of 11.8 to 20.14); the version is in the players' tags.
#[derive(Clone, Debug)]
pub struct LearnedRecord<'b> {
    /// The place of the record.
    pub at: ItemPlace,
    /// The players.
    pub players: Players<'b>,
    /// The day on which the value was learned, as `yyyymmdd`; `None` if the date in the file makes no sense
    /// (with a 64-bit `time_t`, Crafty before 19.6 wrote years such as 1848660).
    pub date: Option<u32>,
    /// The moves, each with the key of the position before it; there is at least one move. White's moves have
    /// even indices.
    pub plies: &'b [(Key, PackedMove)],
    /// The learned value.
    pub value: i64,
    /// The depth of the search that found the value.
    pub depth: i64,
    /// Crafty's rating minus its opponent's rating.
    pub rating_difference: i64,
}

/// An entry of `position.lrn`: a position and the result of a search.
#[derive(Clone, Debug)]
pub struct LearnedPosition<'b> {
    /// The place of the entry.
    pub at: ItemPlace,
    /// The players, each with the right colour; see "Names" in [the module](super).
    pub players: Players<'b>,
    /// The day on which the value was learned, as in [`LearnedRecord::date`].
    pub date: Option<u32>,
    /// The position.
    pub position: &'b Chess,
    /// The key of the position.
    pub key: Key,
    /// The value as the file gives it, from the mover's point of view: in centipawns from Crafty 14.0 on, in
    /// millipawns in earlier versions.
    pub value: i64,
    /// The best move as Crafty packs it, from the lowest bits up: from (6 bits), to (6), piece (3), captured
    /// (3), promotion (3).
    pub crafty_move: i64,
    /// The depth of the search as the file gives it: in sixtieths of a ply or, from Crafty 20.3 on, in
    /// quarters of a ply.
    pub depth: i64,
}

/// A part of a learning file from which nothing is learned.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LearnedRejection<'b> {
    /// The place of the rejected text in the inputs.
    pub at: ItemPlace,
    /// The reason.
    pub reason: LearnedReason,
    /// The ply of the move that failed, 1 for White's first; `None` if the reason is not about a move.
    pub ply: Option<u32>,
    /// At most [`Rejection::TEXT_CHARS_MAX`](pgn::verdict::Rejection::TEXT_CHARS_MAX) characters of the
    /// faulty text, decoded like tag values.
    pub text: &'b str,
}
