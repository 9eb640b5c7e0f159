//! The list of games or records that do not count: one JSON object a line, in input order whatever the threads did.
//!
//! # Format
//!
//! `{"input":"a.zip!x.pgn","offset":1234,"game":7,"ply":12,"reason":"illegal-move","text":"Bb6"}`: the byte offset is that of
//! the game's start in the decompressed stream, games count from 1 in each stream, `ply` is null where no move is at fault.
//! Games that a filter refused, where asked for, have the filter's name under `filter` in place of `ply`, `reason` and `text`.
//! Records of learned PGN have their number under `record` in place of `game`.
//!
//! # Flow
//!
//! Inputs have their final names once all is read, so everybody lets a [`Fate`] wait in a temporary file until then. Who reads
//! in order has a [`WaitingRejects`]; who counts on many threads gives a [`ChunkLog`] for each chunk to a [`RejectLog`]. Both
//! write through a [`RejectList`].

mod line;
mod list;
mod log;
mod waiting;

pub(crate) use line::{Fate, Line, Number};
pub(crate) use list::RejectList;
pub(crate) use log::{ChunkLog, RejectLog};
pub(crate) use waiting::WaitingRejects;
