//! The stages that open artefacts, count games, or make books, exports and pages from counts. The stages that
//! read and replay games are in the crate `stage`, and the stages that learn are in `teach`;
//! `recipe/kinds.rs` lists all kinds.

mod book_experience;
mod compact;
mod export_games;
mod export_parquet;
mod export_polyglot;
mod known;
mod open;
mod refine_suite;
mod report;
mod review;
mod simulate;
mod sort_merge;
mod suite;
mod write_games;

use self::book_experience::write_experience;
pub use self::{
    book_experience::BookExperience,
    compact::Compact,
    export_games::ExportGames,
    export_parquet::ExportParquet,
    export_polyglot::{ExportPolyglot, Weighing},
    open::{BookCounts, InputKind, Open},
    refine_suite::{RefineRules, RefineSuite},
    report::Report,
    review::ReviewGames,
    simulate::{Simulate, Walks},
    sort_merge::SortMerge,
    suite::MakeSuite,
    write_games::WriteGames,
};
