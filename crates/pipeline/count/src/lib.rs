//! Makes sorted counts from games, and reads counts for other stages.
//!
//! # Flow
//!
//! 1. [`sort`] replays a stream's games on all threads, sorts their observations into runs, and adds up equal
//!    observations; the result is [`SortedCounts`]. Several counts can be made in one pass over the games.
//! 2. [`Counts`] are either sorted runs or a table on disk, and are read shard by shard. [`WeightedCounts`]
//!    weight the games by age and rating, and [`book_moves`](book_moves()) finds the moves that a book keeps.
//! 3. [`merge`](merge()) adds tables together.

#![expect(
    clippy::missing_errors_doc,
    reason = "an error of the pipeline is any error that ends the run: `fault::Error`"
)]

mod book_moves;
mod counts;
mod examples;
mod kept_moves;
mod merge;
pub mod sort;
mod weigh_games;

pub use self::{
    book_moves::{TouchedKeys, book_moves, kept_moves_of},
    counts::{BucketRows, ObservedItem, PlainItem, RatedItem},
    counts::{
        Counts, OUTCOMES, OUTCOMES_AND_RATINGS, PLAYED, Play, PlayBy, PlayCounts, Runs, SortedCounts,
        WeightedCounts, described, give_back_during, of_book, of_play,
    },
    examples::{ExampleSettings, GameSpools, examples_warning, write_examples},
    kept_moves::{KeptMoves, Side},
    merge::{MergeOptions, merge, same_place, show_rows},
    sort::{Part, Sorting, count_inputs, table_counting},
    weigh_games::WeighGames,
};
pub use table::Shared;
