//! Games: which of them are read, which count, and how they are replayed.
//!
//! Each thread has its own operator, which turns chunks of games into the items that a sink takes. The
//! operator is the replay ([`replay`](ReplayOperator)) or, for annotated games or records, a
//! [`pgn::batches::ReadChunk`]. One driver ([`driver`]) runs every pass on all threads.

#![expect(
    clippy::missing_errors_doc,
    reason = "an error of the pipeline is any error that ends the run: `fault::Error`"
)]

pub mod copies;
pub mod driver;
mod empty_count;
mod encoding;
mod read_games;
pub mod rejects;
mod replay;
pub mod resume;
pub mod spool;
mod sync;

pub use self::{
    copies::{Copies, Dedup, DedupGames},
    empty_count::EmptyCount,
    read_games::{ReadGames, ReadOptions},
    replay::{GameStream, RejectList, Replay, ReplayOperator},
};
