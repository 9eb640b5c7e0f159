//! `_examples`: for each row with enough games, the text of the games with the highest ratings and of the
//! newest games.
//!
//! # Format
//!
//! The folder has two files of sorted entries in compressed blocks ([`blocks`]). `moves` lists the examples
//! for each position's moves ([`MoveExamples`]), in ascending order of keys; `games` lists the games
//! themselves ([`ExampleGame`]), in ascending order of [`GameId`]. The manifest records the maximum number of
//! examples of each kind in a row, the minimum number of games in a row that has examples, and the length and
//! index checksum of each file.
//!
//! # Order
//!
//! The games with the highest ratings are ordered by rating, then date, then id. The newest games are ordered
//! by date, then rating, then id. Both orders are total. The bytes of the files therefore do not depend on
//! the order in which games are counted, on the memory limit, or on the number of threads.

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
    /// The maximum number of examples of each kind in a row. There are two kinds of examples: the games with
    /// the highest ratings, and the newest games.
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
    /// The number of rows for which there may be better examples than those stored. There are two causes: a
    /// joined table had the row, but not all of the examples that it should have; or a subtraction removed an
    /// example.
    pub incomplete: u64,
    /// The file `moves`.
    pub moves: BlocksInfo,
    /// The file `games`.
    pub games: BlocksInfo,
}
