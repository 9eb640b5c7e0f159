//! What can be wrong with what a caller hands in.

use position::{Key, PackedMove};

/// An error of this crate. A record that cannot teach is no error but a [`crafty::Rejection`](crate::crafty::Rejection).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A family of versions that does not exist.
    #[error("no family of Crafty versions is called `{name}`; there are {}", crate::crafty::Family::names())]
    UnknownFamilyName {
        /// What was asked for.
        name: String,
    },
    /// Positions of a learning book out of order, or one twice.
    #[error("positions of a learning book ascend: {key} came after {before}")]
    KeyOrder {
        /// The position pushed.
        key: Key,
        /// The one pushed before it.
        before: Key,
    },
    /// One move twice in a position.
    #[error("move {mv} stands twice in position {key}")]
    DuplicateMove {
        /// The position.
        key: Key,
        /// The move.
        mv: PackedMove,
    },
    /// A learned value that is no number.
    #[error("the learned value of move {mv} in position {key} is {learn}, expected a finite number")]
    NotFinite {
        /// The position.
        key: Key,
        /// The move.
        mv: PackedMove,
        /// What came instead of a number.
        learn: f32,
    },
    /// A book beyond what its offsets reach.
    #[error("a learning book holds at most {} moves", u32::MAX)]
    TooManyMoves,
    /// A value for a move that is not one.
    #[error("expected a number from 0 to 100, one of `!` `?` `!!` `??` `!?` `?!`, or `clear`; got `{text}`")]
    UserValue {
        /// What was given.
        text: String,
    },
    /// An ageing factor outside its range.
    #[error("an ageing factor lies between 0 and 1, got {factor}")]
    Factor {
        /// What was given.
        factor: f32,
    },
    /// A move of position learning that the position does not have.
    #[error("Crafty's move {mv} is not legal in its position")]
    LearnedMove {
        /// The move as Crafty packs it.
        mv: u32,
    },
}
