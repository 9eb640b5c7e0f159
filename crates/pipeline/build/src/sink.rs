//! The stages that end a reading: each sink drives its own (`driver.rs`).

mod banned;
mod export_games;
mod learn_annotations;
mod learn_crafty;
mod learn_games;
mod sort_merge;
mod write_games;

pub use export_games::ExportGames;
pub use learn_annotations::LearnAnnotations;
pub use learn_crafty::{LearnCrafty, RecordOptions};
pub use learn_games::LearnGames;
pub use sort_merge::{SortMerge, Sorting};
pub(crate) use sort_merge::{count_inputs, table_counting};
pub use write_games::WriteGames;
