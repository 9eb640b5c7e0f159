//! The learning files of current engines (`.exp`): the results of searches, stored by position and move.
//!
//! [`ExpFile`] reads a file, and [`ExpFile::walk`] finds the positions. The files identify positions only by
//! Stockfish's hash, so the positions are found by playing moves from the start position.
//!
//! # Format
//!
//! Numbers are little-endian. Values are in Stockfish's units, from the mover's point of view. A move is
//! packed as in Stockfish: the target square in bits 0–5, the origin in 6–11, promotion minus 2 in 12–13 and
//! the kind of move in 14–15 (1 promotion, 2 en passant, 3 castling, as king takes rook).
//!
//! | layout | begins with | a record |
//! |---|---|---|
//! | [`Layout::BrainLearn`] (ShashChess, Alexander) | a record | u64 key, i32 depth, i32 value, u16 move, 2 unused, i32 chance to win in % |
//! | [`Layout::SugarV1`] | `SugaR` | u64 key, u32 move, i32 value, i32 depth, 4 unused |
//! | [`Layout::SugarV2`] (HypnoS) | `SugaR Experience version 2` | u64 key, u32 move, i32 value, i32 depth, u16 count, 2 unused |
//! | [`Layout::SugarWide`] | the same; 17 bytes, of which the last four say 34, and two blocks of 22 | u64 key, u16 move, i16 value, i16 depth, i16 count, 14 of results, 4 unused |
//!
//! The sources are ShashChess's `learn/learn.cpp`, HypnoS's `experience.cpp` and, for the last layout, forks
//! of HypnoS from 2025. A record is the result of one search. The reader does not keep the winning chances
//! and the counts: a value is complete without them. Files of the last layout may have empty records, whose
//! move is 0.

mod key;
mod read;
mod units;
mod walk;
mod write;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use fault::FileFault;

pub use self::{
    read::ExpFile,
    walk::{ExpSearch, ExpWalk, walk},
    write::{ExpRecords, WrittenLayout},
};

/// The layout of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Layout {
    /// Records without a header.
    BrainLearn,
    /// SugaR's first version.
    SugarV1,
    /// SugaR's second version.
    SugarV2,
    /// A layout with the signature of SugaR's second version, but with records of 34 bytes.
    SugarWide,
}

/// The result of a search for one move in a position.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Record {
    /// Stockfish's hash of the position.
    key: u64,
    /// The move as Stockfish packs it.
    mv: u16,
    /// The depth in plies.
    depth: u16,
    /// The value in Stockfish's units.
    value: i32,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExpError {
    /// The operating system reported an error.
    #[error(transparent)]
    Io(#[from] FileFault),
    /// The length of the file matches no known layout.
    #[error(
        "{path} has {bytes} bytes, which fits no known layout of .exp files (records of 24 bytes, with or without \
         the header of SugaR, or records of 34 bytes); the file may be cut short"
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// The size of the file in bytes.
        bytes: u64,
    },
    /// The file has no record of a search.
    #[error("{path} has no record of a search, so there is nothing to learn", path = .0.display())]
    Nothing(PathBuf),
    /// No record belongs to the start position or to any position one move after it.
    #[error(
        "{path} has no record of the start position or of a position one move later, so its keys are of an \
         unknown kind", path = .0.display()
    )]
    ForeignKeys(PathBuf),
    /// The records do not fit in memory.
    #[error("{path} takes {need} MiB of memory, but the limit is {limit} MiB: raise it with --memory")]
    Memory {
        /// The file.
        path: PathBuf,
        /// The memory that its records need, in MiB.
        need: u64,
        /// The memory limit, in MiB.
        limit: u64,
    },
}

fault::kinds!(ExpError: Other);
