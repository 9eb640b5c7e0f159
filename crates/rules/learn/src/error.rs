//! The errors of this crate.

use position::{Key, PackedMove};

/// An error of this crate. A record that cannot teach is not an error but a
/// [`crafty::Rejection`](crate::crafty::Rejection).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No family of versions has this name.
    #[error("no family of Crafty versions is called `{0}`; there are {known}", known = crate::crafty::Family::names())]
    UnknownFamilyName(String),
    /// No setting of trust has this name.
    #[error("trust in values of searches is auto, always or never, not `{0}`")]
    UnknownTrust(String),
    /// No setting of result records has this name.
    #[error("records of lost games teach by learn, soften or skip, not `{0}`")]
    UnknownResultRecords(String),
    /// Positions of a learning book are out of order, or one occurs twice.
    #[error("positions of a learning book ascend: {key} came after {before}")]
    KeyOrder {
        /// The position pushed.
        key: Key,
        /// The one pushed before it.
        before: Key,
    },
    /// A move occurs twice in a position.
    #[error("move {mv} occurs twice in position {key}")]
    DuplicateMove {
        /// The position.
        key: Key,
        /// The move.
        mv: PackedMove,
    },
    /// A learned value is NaN or infinite.
    #[error("the learned value of move {mv} in position {key} is {learn}, expected a finite number")]
    NotFinite {
        /// The position.
        key: Key,
        /// The move.
        mv: PackedMove,
        /// The value given.
        learn: f32,
    },
    /// A learning book is larger than its 32-bit offsets allow.
    #[error("a learning book holds at most {} moves", u32::MAX)]
    TooManyMoves,
    /// A text is not a value for a move.
    #[error("expected a number from 0 to 100, one of `!` `?` `!!` `??` `!?` `?!`, or `clear`; got `{0}`")]
    UserValue(String),
    /// An ageing factor is outside its range.
    #[error("an ageing factor is from 0 to 1, got {0}")]
    Factor(f32),
    /// A move of position learning, in Crafty's packing, is not legal in its position.
    #[error("Crafty's move {0} is not legal in its position")]
    LearnedMove(u32),
}

// Every error is about a value that the caller gave.
fault::kinds!(Error: Usage);
