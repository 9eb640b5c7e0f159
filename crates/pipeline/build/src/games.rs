//! Games: which are read, which of them count, and how they are played.
//!
//! Each thread has its own operator, which turns chunks of games into what a sink takes: the replay here, or
//! one of [`pgn::batches::ReadChunk`]'s readers of annotated games and of records.

mod read_games;
mod replay;

pub use read_games::{ReadGames, ReadOptions};
pub(crate) use replay::{GameStream, ReplayOperator};
pub use replay::{RejectList, Replay};
