//! Readable Parquet for analysts: every edge with SAN and score, every position with its FEN, every opening
//! with its name, every game as a typed row.
//!
//! [`prepare_export`] writes a small star schema from [`SortedRows`](table::SortedRows): the rows of a table,
//! or counts that were never written to a table. [`openings::Openings`] names positions. Columns are
//! documented in `docs/parquet.md` and in each file. [`GamesWriter`] writes the games themselves, each as a
//! typed [`GameRow`], and their moves.
//!
//! # Flow
//!
//! 1. The walk (crate [`walk`]) plays the edges from the start position, one ply in each pass, and finds the
//!    board, the ply and the parent of every key it reaches.
//! 2. Each shard's edges are joined with the results of the walk and written to `moves/` and `positions/`;
//!    positions that have names are also written to `openings/`.
//! 3. `export.json` is written, with a list of the files. The folder is then ready to be published.
//!
//! # Example
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use analysis::{ExportOptions, Extras};
//! use openings::Openings;
//! use position::{Board, Key, Outcome, Tally};
//! use shakmaty::san::San;
//! use table::{Counting, Row, TableWriter};
//!
//! // A table of one game, 1.e4.
//! let dir = tempfile::tempdir()?;
//! let writer = TableWriter::create(&dir.path().join("games.table"), Counting::default(), 1, false)?;
//! let ply = Board::start().play_san(&San::from_ascii(b"e4")?)?;
//! let tally = Tally::one(Outcome::White);
//! let mut shard = writer.shard(0)?;
//! shard.push(&Row { key: Key::START, mv: ply.mv, step: ply.step, tally, ..Row::default() })?;
//! let table = writer.finish(vec![shard.finish()?], Vec::new())?;
//!
//! let openings = Openings::bundled();
//! let extras = Extras { experience: None, evaluations: None, examples: None, openings: &openings };
//! let go_on = |_| ControlFlow::Continue(());
//! let output = dir.path().join("out");
//! let options = ExportOptions::default();
//! let (report, prepared) = analysis::prepare_export(&table, extras, &options, &output, &go_on)?;
//! prepared.publish()?;
//! assert_eq!((report.moves, report.positions, report.unreached_positions), (1, 1, 0));
//! assert!(output.join("moves/part-00000.parquet").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cells;
mod column;
mod cut;
mod epd;
mod error;
mod estimate;
mod evaluations;
mod examples;
mod export;
mod games;
mod gather;
mod lines;
mod month;
mod moves;
mod options;
mod part;
mod positions;
mod stream;

pub use cut::{Beginning, Cut};
pub use error::{Error, Result};
pub use evaluations::{Evaluations, EvaluationsOf};
pub use export::{ExportReport, Extras, prepare_export};
pub use games::{
    DEFAULT_GAMES_A_PART, GameMove, GameOptions, GameRow, GamesReport, GamesWriter, MoveList, days_since_1970,
};
pub use gather::prepare_gathered;
pub use options::{ExportOptions, Folder, KeyType, LookUp, OneShard};
pub use part::PartInfo;
pub use walk::{OnProgress, WalkProgress};

/// The name of the file that describes an export. Every export has this file, and a folder without it is
/// never replaced.
pub const MANIFEST_NAME: &str = "export.json";

const FORMAT: &str = "tabia-export";
const MARKER: output::Marker = output::Marker { name: MANIFEST_NAME, old_name: None, format: FORMAT };

/// Version of the files' columns and layout.
pub const FORMAT_VERSION: u32 = 2;
