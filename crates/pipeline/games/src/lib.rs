//! Games: which of them are read, which count, and how they are replayed.
//!
//! Each thread has its own operator, which turns chunks of games into the items that a sink takes. It is
//! the replay here, or a reader of [`pgn::batches::ReadChunk`] for annotated games or records.

mod read_games;
mod replay;

pub use read_games::{ReadGames, ReadOptions};
pub(crate) use replay::{GameStream, ReplayOperator};
pub use replay::{RejectList, Replay};
