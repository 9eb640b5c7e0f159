//! The errors of this crate.

use position::{Key, PackedMove};

/// An error of this crate. A record that cannot be interpreted is not an error but a
/// [`crafty::Rejection`](crate::crafty::Rejection).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no family of versions with this name.
    #[error("there is no family of Crafty versions called `{name}`; the families are {known}", name = .0, known = crate::crafty::Family::names())]
    UnknownFamilyName(String),
    /// There is no trust setting with this name.
    #[error("trust in search values must be auto, always or never, not `{given}`", given = .0)]
    UnknownTrust(String),
    /// There is no rule for records of lost games with this name.
    #[error("the rule for records of lost games must be learn, soften or skip, not `{given}`", given = .0)]
    UnknownResultRecords(String),
    /// A learning book's positions are out of order, or one occurs twice.
    #[error("the keys of a learning book must be in ascending order, but {key} came after {before}")]
    KeyOrder {
        /// The position that was pushed.
        key: Key,
        /// The position pushed before it.
        before: Key,
    },
    /// A position has the same move twice.
    #[error("move {mv} occurs twice in position {key}")]
    DuplicateMove {
        /// The position.
        key: Key,
        /// The move.
        mv: PackedMove,
    },
    /// A learned value is NaN or infinite.
    #[error("the learned value of move {mv} in position {key} must be a finite number, but is {learn}")]
    NotFinite {
        /// The position.
        key: Key,
        /// The move.
        mv: PackedMove,
        /// The value given.
        learn: f32,
    },
    /// A learning book has too many moves for 32-bit indices.
    #[error("a learning book can hold at most {most} moves", most = u32::MAX)]
    TooManyMoves,
    /// The text cannot be set as the value of a move.
    #[error("expected a number from 0 to 100, one of `!` `?` `!!` `??` `!?` `?!`, or `clear`, not `{given}`", given = .0)]
    UserValue(String),
    /// An ageing factor is outside its range.
    #[error("an ageing factor must be from 0 to 1, not {factor}", factor = .0)]
    Factor(f32),
    /// A move from position learning, in Crafty's packing, is illegal in the position.
    #[error("Crafty's packed move {packed} is not legal in the recorded position", packed = .0)]
    LearnedMove(u32),
}

// All of these errors are about values that the caller passed.
fault::kinds!(Error: Usage);
