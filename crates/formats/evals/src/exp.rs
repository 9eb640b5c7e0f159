//! What engines of today learn in (`.exp`): results of searches, by position and move.
//!
//! [`ExpFile`] reads one, and [`ExpFile::walk`] finds its positions. Those files name a position by
//! Stockfish's hash alone, so positions are found by playing from the start.
//!
//! # Format
//!
//! Little-endian; a value is Stockfish's, from the mover's view, and a move is packed as Stockfish does:
//! the square it enters in bits 0–5, the one it leaves in 6–11, promotion less 2 in 12–13 and its kind in
//! 14–15 (1 promotion, 2 en passant, 3 castling, as king takes rook).
//!
//! | layout | begins with | a record |
//! |---|---|---|
//! | [`Layout::BrainLearn`] (ShashChess, Alexander) | a record | u64 key, i32 depth, i32 value, u16 move, 2 unused, i32 chance to win in % |
//! | [`Layout::SugarV1`] | `SugaR` | u64 key, u32 move, i32 value, i32 depth, 4 unused |
//! | [`Layout::SugarV2`] (HypnoS) | `SugaR Experience version 2` | u64 key, u32 move, i32 value, i32 depth, u16 count, 2 unused |
//! | [`Layout::SugarWide`] | the same; 17 bytes, of which the last four say 34, and two blocks of 22 | u64 key, u16 move, i16 value, i16 depth, i16 count, 14 of results, 4 unused |
//!
//! (ShashChess, `learn/learn.cpp`; HypnoS, `experience.cpp`; forks of it of 2025 for the last one.) A record
//! is the result of one search. Chances to win and counts say nothing about it that its value does not, and
//! are not kept; files of the last layout may have empty places, whose move is 0.

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
    /// The second version's signature with records of 34 bytes.
    SugarWide,
}

/// A search of one move.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Record {
    /// Stockfish's hash of the position.
    key: u64,
    /// The move as Stockfish packs it.
    mv: u16,
    /// Plies.
    depth: u16,
    /// Stockfish's units.
    value: i32,
}

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExpError {
    /// An operation of the system failed.
    #[error(transparent)]
    Io(#[from] FileFault),
    /// Its length fits no layout.
    #[error(
        "{path} has {bytes} bytes, which no known layout of .exp files has: records of 24 bytes, with the \
         header of SugaR before them or without, or of 34; the file may be cut short"
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes of the file.
        bytes: u64,
    },
    /// It has no record of a search.
    #[error("{0} has no record of a search: there is nothing to learn")]
    Nothing(PathBuf),
    /// No record is of the start position or of one after a move.
    #[error(
        "{0} has no record of the start position or of a position after its first move: its keys are of a \
         kind that is not known, and name no position"
    )]
    ForeignKeys(PathBuf),
    /// The records do not fit in memory.
    #[error("{path} takes {need} MiB of memory and the limit is {limit} MiB: give it more with --memory")]
    Memory {
        /// The file.
        path: PathBuf,
        /// What its records take.
        need: u64,
        /// What is allowed.
        limit: u64,
    },
}

fault::kinds!(ExpError: Other);
