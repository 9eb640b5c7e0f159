//! `_examples`: for each row with enough games, the games with the highest ratings and the newest games, with
//! their texts.
//!
//! # Format
//!
//! The folder has two files of sorted entries in compressed blocks ([`blocks`]). `moves` lists the examples
//! for each position's moves ([`MoveExamples`]), in ascending order of keys; `games` lists the games
//! themselves ([`ExampleGame`]), in ascending order of [`GameId`]. The manifest says how many games of each
//! kind a row keeps at most, how many games a row needs to get examples at all, and, for each file, its
//! length and the checksum of its index.
//!
//! # Order
//!
//! Games of the first kind are ordered by rating, then date, then id; games of the second by date, then
//! rating, then id. Both orders are total, so the same games give the same bytes no matter in which order
//! they are counted, with how much memory, and on how many threads.

mod blocks;
mod files;
mod game;
mod games;

use serde::{Deserialize, Serialize};

use self::blocks::BlocksInfo;

pub use self::{
    files::{Examples, ExamplesWriter},
    game::{ExampleGame, GameId, HEADERS, MoveExamples, RankedGame},
    games::GamesWriter,
};

/// The folder's name in a table's directory.
pub(crate) const EXAMPLES_NAME: &str = "_examples";

/// Which rows have examples, and how many.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ExampleRule {
    /// How many games a row keeps at most of each of the two kinds: those with the highest ratings, and the
    /// newest.
    pub per_row: u32,
    /// A row has examples only if it has at least this many games.
    pub min_games: u64,
}

/// The manifest's entry for the folder.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ExamplesInfo {
    /// Which rows have examples, and how many.
    #[serde(flatten)]
    pub rule: ExampleRule,
    /// The number of rows for which better examples may exist, because one of the joined tables had the row
    /// but no complete examples for it, or because a subtraction removed one of its examples.
    pub incomplete: u64,
    /// The file `moves`.
    pub moves: BlocksInfo,
    /// The file `games`.
    pub games: BlocksInfo,
}
