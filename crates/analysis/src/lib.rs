//! Readable Parquet for analysts: every edge with SAN and score, every position with its FEN, every opening by its name, every
//! game as a typed row.
//!
//! [`export`] writes a small star schema from [`Edges`], whoever has them; [`Openings`] names positions. Columns are
//! documented in `docs/parquet.md` and in each file. [`GamesWriter`] writes the games themselves, one typed [`GameRow`] each.
//!
//! # Flow
//!
//! 1. The walk plays the edges from the start position, one ply a pass, and finds the pieces of every key it reaches.
//! 2. Each shard's edges are joined with that and become `moves/`; every edge tells the position it leads to.
//! 3. Each shard's positions are joined with where they were found and the most played edge that leads there, and become
//!    `positions/`; those with names become `openings/`.
//! 4. `export.json` says what was written, and the folder appears.
//!
//! # Example
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use analysis::{Dimensions, EdgeRow, Edges, ExportOptions, Extras, InputError, Openings, ShardEdges};
//! use position::{Board, Key, Outcome, Tally};
//! use shakmaty::san::San;
//!
//! /// One game, 1.e4, in one shard.
//! struct OneMove(Option<EdgeRow>);
//!
//! impl Edges for OneMove {
//!     fn shards(&self) -> u32 { 1 }
//!     fn dimensions(&self) -> Dimensions { Dimensions::default() }
//!     fn shard(&self, _: u32) -> Result<Box<dyn ShardEdges + '_>, InputError> { Ok(Box::new(OneMove(self.0))) }
//! }
//!
//! impl ShardEdges for OneMove {
//!     fn next_batch(&mut self, rows: &mut Vec<EdgeRow>) -> Result<bool, InputError> {
//!         rows.clear();
//!         rows.extend(self.0.take());
//!         Ok(!rows.is_empty())
//!     }
//! }
//!
//! let ply = Board::start().play_san(&San::from_ascii(b"e4")?)?;
//! let tally = Tally::one(Outcome::White);
//! let edge = EdgeRow { key: Key::START, mv: ply.mv, step: ply.step, tally, ..EdgeRow::default() };
//! let dir = tempfile::tempdir()?;
//! let openings = Openings::bundled();
//! let extras = Extras { openings: &openings, experience: None };
//! let go_on = |_| ControlFlow::Continue(());
//! let output = dir.path().join("out");
//! let report = analysis::export(&OneMove(Some(edge)), extras, &ExportOptions::default(), &output, &go_on)?;
//! assert_eq!((report.moves, report.positions, report.unreached_positions), (1, 1, 0));
//! assert!(output.join("moves/part-00000.parquet").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod column;
mod error;
mod estimate;
mod export;
mod games;
mod input;
mod month;
mod moves;
mod openings;
mod options;
mod output;
mod part;
mod positions;
mod shards;
mod stream;
mod walk;

pub use column::ROW_GROUP_ROWS;
pub use error::{Error, InputError, Result};
pub use export::{Extras, Report, export};
pub use games::{
    DEFAULT_GAMES_A_PART, Eval, GameOptions, GameRow, GamesReport, GamesWriter, MoveList, days_since_1970,
};
pub use input::{Dimensions, EdgeRow, Edges, ShardEdges};
pub use openings::{OpeningName, Openings};
pub use options::{ExportOptions, KeyType, LookUp};
pub use output::MANIFEST_NAME;
pub use part::PartInfo;
pub use shards::{OnProgress, Progress};

/// Version of the files' columns and layout.
pub const FORMAT_VERSION: u32 = 1;

/// How keys are hashed: Polyglot's 781 numbers, en passant where a pawn stands beside, legal or not.
pub const KEY_SCHEME: &str = "polyglot-781;ep=pseudo-legal";

/// What wrote a file.
fn created_by() -> String {
    concat!("tabia ", env!("CARGO_PKG_VERSION")).to_owned()
}
