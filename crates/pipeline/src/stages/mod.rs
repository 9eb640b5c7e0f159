//! The stages: one file a kind, named as the kind.

mod compact;
mod export_polyglot;
mod open_book;
mod open_table;
mod read_games;
mod replay;
mod sort_merge;

pub use compact::{Compact, CompactSettings};
pub use export_polyglot::{ExportPolyglot, PolyglotSettings};
pub use open_book::{OpenBook, OpenBookSettings};
pub use open_table::{OpenTable, OpenTableSettings};
pub use read_games::{GameStream, ReadGames, ReadGamesSettings};
pub use replay::{ObservationStream, Replay, ReplaySettings};
pub use sort_merge::{SortMerge, SortMergeSettings};
