//! What happens to chunks of games between a source and a sink. Each thread has its own operator: the replay
//! here, or one of [`pgn::batches::ReadChunk`]'s readers of annotated games and of records.

mod replay;

pub(crate) use replay::{GameStream, ReplayOperator, check_annotated, check_whole_games};
pub use replay::{RejectList, Replay};
