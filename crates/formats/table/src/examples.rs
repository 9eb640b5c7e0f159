//! `_examples`: the best rated and the newest games of each row that has enough games, with the texts of
//! these games.
//!
//! # Format
//!
//! The folder has two files of sorted entries in compressed blocks ([`blocks`]). `moves` has for each
//! position, ascending by key, the examples of its moves ([`MoveExamples`]); `games` has the games
//! ([`ExampleGame`]), ascending by [`GameId`]. The manifest has the maximum number of games of each kind that
//! a row keeps, the number of games from which on a row has examples, and for each file its length and the
//! checksum of its index.
//!
//! # Order
//!
//! Games are ordered by rating, then date, then id, or by date, then rating, then id. Both orders are total,
//! so the same games counted in any order, with any memory and on any number of threads, give the same bytes.

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
    /// The maximum number of games that a row keeps of each kind: the best rated, and the newest.
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
    /// The number of rows whose examples may lack better games: of a table that was joined, one of the inputs
    /// had no examples for these rows.
    pub incomplete: u64,
    /// The file `moves`.
    pub moves: BlocksInfo,
    /// The file `games`.
    pub games: BlocksInfo,
}
