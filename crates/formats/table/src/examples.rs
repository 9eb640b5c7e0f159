//! `_examples`: for each row that has enough games, those with the highest ratings and the newest ones, with
//! their texts.
//!
//! # Format
//!
//! The folder has two files of sorted entries in compressed blocks ([`blocks`]). `moves` has for each
//! position, ascending by key, the examples of its moves ([`MoveExamples`]); `games` has the games
//! ([`ExampleGame`]), ascending by [`GameId`]. The manifest has the maximum number of games of each kind that
//! a row keeps, the number of games that a row must have to get examples, and for each file its length and
//! the checksum of its index.
//!
//! # Order
//!
//! The games of one kind are ordered by rating, then date, then id; those of the other by date, then rating,
//! then id. Both orders are total, so the same games counted in any order, with any memory and on any number
//! of threads, give the same bytes.

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
    /// The maximum number of games that a row keeps of each of the two kinds: those with the highest ratings,
    /// and the newest.
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
    /// The number of rows for which better examples may exist, because one of the tables that were joined had
    /// the row but no examples for it.
    pub incomplete: u64,
    /// The file `moves`.
    pub moves: BlocksInfo,
    /// The file `games`.
    pub games: BlocksInfo,
}
