//! The list of games or records that do not count: one JSON object a line, in input order
//! whatever the threads did.
//!
//! # Format
//!
//! `{"input":"a.zip!x.pgn","offset":1234,"game":7,"ply":12,"reason":"illegal-move","text":"Bb6"}`: the byte
//! offset is that of the game's start in the decompressed stream, games count from 1 in each stream, `ply` is
//! null where no move is at fault. Games that a filter refused, where asked for, have the filter's name under
//! `filter` in place of `ply`, `reason` and `text`; copies have the place of the game that counts in their
//! place, `"copy_of":{"input":"b.pgn","offset":77}`, or `"copy_of":"table"` if that was counted before.
//! Records of learned PGN have their number under `record` in place of `game`.
//!
//! # Flow
//!
//! Inputs have their final names once all is read, so lines wait in a temporary file until then: the driver
//! gives a [`RejectLog`] those of each chunk; records, which are read in order, are written
//! straight to a [`RejectList`]. Without a list, [`FewRejects`] keeps a few games for the summary.

mod chunk;
mod chunks;
mod few;
mod line;
mod list;
mod log;

pub(crate) use chunk::ChunkStatus;
pub(crate) use few::FewRejects;
pub(crate) use line::{Line, Number};
pub(crate) use list::RejectList;
pub(crate) use log::RejectLog;
