//! Experience files: sorted Parquet files that store everything that was learned about edges or set for them
//! by hand.
//!
//! [`ExperienceWriter`] makes a file; [`ExperienceFile`] opens one and returns its rows in order. The rules
//! by which values are learned are in the crate `learn`.
//!
//! # Format
//!
//! An experience file is one Parquet file. Its rows are sorted by `key`, `move` and kind in ascending order;
//! the kinds are ordered as in the table below.
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `key` | UINT64 | position before the move; of kind `seen`, the identity of a game or record |
//! | `move` | UINT16 | packed move; 0: the position itself |
//! | `kind` | string | `book`, `postbook`, `position`, `seen`, `evaluation`, `minimax` |
//! | `learn` | FLOAT32, nullable | learned value, pawns, mover's view; null: nothing learned |
//! | `learn_count` | UINT32 | lessons it was made of |
//! | `own_wins`, `own_draws`, `own_losses` | UINT32 | the engine's own games, its view |
//! | `user_value` | UINT8, nullable | 0–100, set by hand |
//! | `priority` | UINT8, nullable | 0–5, set by hand |
//! | `nag` | UINT8, nullable | last annotation, number of its NAG |
//! | `eval` | FLOAT32, nullable | value of a search, pawns, mover's view |
//! | `depth` | UINT16, nullable | its depth, plies |
//! | `mate` | INT16, nullable | version 4: moves to mate, mover's view; negative if the mover is mated; `eval` is null then |
//! | `nodes` | UINT64, nullable | version 4: the nodes of the search |
//! | `sources` | LIST of STRUCT | where the values came from: `source` (string), `lesson` (`learn`, `own`, `set`, `search`), `count` (UINT32), `last` (INT32 yyyymmdd, null unknown) |
//!
//! The key-value metadata has three entries: `tabia.experience`, the [`ExperienceHeader`] as a JSON object;
//! `tabia.xxh3`, a checksum of the header and of all rows (`file/digest.rs`); and `tabia.file-xxh3`, a
//! checksum of the whole file (`file/checksum.rs`).
//!
//! # Stability
//!
//! `version` is raised with every change that an older reader would misread; a reader refuses versions above
//! its own. Files of version 1 have no checksum of the whole file; they can be read, and rewriting gives them
//! the current version. Version 3 added positions to the header; a file without positions and evaluations is
//! still written in version 2. Files of version 4 and later may have evaluations, with `mate` and `nodes`.
//! Files of version 5 may also have rows of kind `minimax`.

mod checksum;
mod columns;
mod digest;
mod header;
mod reader;
mod row_group;
mod schema;
mod writer;

pub(crate) use columns::check_values;
pub use header::{EXPERIENCE_VERSION, ExperienceHeader, ExperienceSource};
pub use reader::{ExperienceFile, ExperienceRows};
pub use writer::ExperienceWriter;

#[cfg(test)]
mod tests;
