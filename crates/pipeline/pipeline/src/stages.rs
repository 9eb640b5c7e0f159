//! Work after breakers, on counts or books. It is done shard by shard on every thread where that is
//! possible.

mod book_moves;
mod compact;
mod export_parquet;
mod export_polyglot;
mod kept_moves;
mod known;
mod report;
mod simulate;
mod suite;
mod weigh_games;

pub use book_moves::kept_moves_of;
pub(crate) use book_moves::{TouchedKeys, book_moves};
pub use compact::Compact;
pub use export_parquet::ExportParquet;
pub use export_polyglot::{ExportPolyglot, Weighing};
pub use kept_moves::{KeptMoves, Side};
pub use report::Report;
pub use simulate::{Simulate, Walks};
pub use suite::MakeSuite;
pub use weigh_games::WeighGames;
