//! The stages: one file a kind, named as the kind.

mod book_experience;
mod compact;
mod experience_output;
mod export_games;
mod export_parquet;
mod export_polyglot;
mod keeps;
mod learn_annotations;
mod learn_crafty;
mod learn_games;
mod open_book;
mod open_experience;
mod open_table;
mod read_games;
mod replay;
mod simulate;
mod sort_merge;
mod unfold_book;

pub use book_experience::{BookExperience, BookExperienceSettings};
pub use compact::{Compact, CompactSettings};
pub use export_games::{ExportGames, GamesSettings};
pub use export_parquet::{ExportParquet, ParquetSettings};
pub use export_polyglot::{ExportPolyglot, PolyglotSettings};
pub use keeps::{KeepsSettings, Threshold};
pub use learn_annotations::{LearnAnnotations, LearnAnnotationsSettings};
pub use learn_crafty::{CraftySettings, LearnCrafty, LearnCraftySettings};
pub use learn_games::{LearnGames, LearnGamesSettings, OwnGamesSettings};
pub use open_book::{OpenBook, OpenBookSettings};
pub use open_experience::{OpenExperience, OpenExperienceSettings};
pub use open_table::{OpenTable, OpenTableSettings};
pub use read_games::{GameStream, ReadGames, ReadGamesSettings};
pub use replay::{ObservationStream, Replay, ReplaySettings};
pub use simulate::{Simulate, SimulateSettings};
pub use sort_merge::{SortMerge, SortMergeSettings};
pub use unfold_book::{UnfoldBook, UnfoldBookSettings};
