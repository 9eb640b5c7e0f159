//! The durable table of counts: sharded, sorted Parquet files and a manifest.
//!
//! [`TableWriter`] writes a table, with one [`ShardWriter`] per shard; the table appears as a whole or not at
//! all. [`Table`] opens a table, returns its [`Row`]s in order or by key, and can verify the entire table.
//! [`merge`], [`add`] and [`subtract`] do arithmetic on tables. Tables hold raw counts, never weights.
//! Nothing in this crate reads PGN.
//!
//! # Flow
//!
//! 1. [`TableWriter::create`] makes a temporary directory next to the final one.
//! 2. A [`ShardWriter`] for each shard writes that shard's rows, in ascending order, to a file such as
//!    `part-00000.parquet`.
//! 3. [`TableWriter::finish`] writes `_manifest.json` and swaps the directory into place.
//! 4. [`Table::shard_rows`] streams a shard back. A join reads all its inputs this way, shard by shard, and
//!    writes its result as in steps 1 to 3.
//!
//! # Example
//!
//! ```
//! use position::{Key, Outcome, PackedMove, Tally};
//! use table::{Counting, Row, TableWriter};
//!
//! let dir = tempfile::tempdir()?;
//! let writer = TableWriter::create(&dir.path().join("games.table"), Counting::default(), 1, false)?;
//! let tally = Tally::one(Outcome::White);
//! let row = Row { key: Key::START, mv: PackedMove(796), tally, ..Row::default() };
//! let mut shard = writer.shard(0)?;
//! shard.push(&row)?;
//! let shards = vec![shard.finish()?];
//! let table = writer.finish(shards, Vec::new())?;
//! assert_eq!(table.rows_of(Key::START)?, [row]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counting;
mod error;
mod examples;
mod file_bytes;
mod fingerprints;
mod hash;
mod hex;
mod join;
mod manifest;
mod order;
mod parallel;
mod part;
mod positions;
mod roots;
mod row;
mod shards;
mod sink;
mod sorted_rows;
pub mod storage;
mod table;
mod verify;
mod version;
mod weighing;
mod writer;

pub use counting::{Counting, Groups};
pub use error::{Error, Result, system_error};
pub use examples::{
    ExampleGame, ExampleRule, Examples, ExamplesInfo, ExamplesWriter, GameId, GamesWriter, HEADERS,
    MoveExamples, RankedGame,
};
pub use fingerprints::{Fingerprints, FingerprintsInfo, FingerprintsWriter, fingerprints_name};
pub use join::{
    JoinOptions, Shared, add, merge, merge_alone, prepare_add, prepare_merge, prepare_subtract, shared_games,
    subtract,
};
pub use manifest::{
    CREATED_BY, CountedInput, FORMAT_VERSION, KEY_SCHEME, MANIFEST_NAME, Manifest, OLD_MANIFEST_NAME,
    RootsInfo, ShardInfo, is_table,
};
pub use parallel::for_each_shard;
pub use part::{ShardRows, ShardWriter, check_part, check_roots};
pub use position::RatingSums;
pub use positions::{Gather, PositionCounts, PositionRows};
pub use roots::{RootRow, Roots, roots_beside, roots_name};
pub use row::Row;
pub use shards::{job_of_part, part_name_of_job};
pub use sorted_rows::{BoxedRows, EachRoot, RowBatches, SortedRows};
pub use table::Table;
pub use verify::Verification;
pub use weighing::{GameWeights, HalfLife, Month, Months, RatingWeights, Weighing, WeightedRows};
pub use writer::{DEFAULT_SHARDS, TableWriter};

#[cfg(test)]
mod tests;
