//! The list of games or records that do not count: one JSON object per line, in input order regardless of
//! the number of threads.
//!
//! # Format
//!
//! `{"input":"a.zip!x.pgn","offset":1234,"game":7,"ply":12,"reason":"illegal-move","text":"Bb6"}`: `offset`
//! is the byte at which the game starts in the decompressed stream, games are numbered from 1 in each stream,
//! and `ply` is null if no move is at fault. Filtered games and copies are listed only on request, and have
//! no `ply`, `reason` or `text`. In the line of a filtered game, the key `filter` contains the name of the
//! filter. In the line of a copy, the key `copy_of` contains the place of the original, as in
//! `"copy_of":{"input":"b.pgn","offset":77}`, or `"table"` if a table already counts the original. For
//! records of learned PGN, the key of the number is `record` instead of `game`.
//!
//! # Flow
//!
//! Each line contains the name of an input. These names are final only once everything has been read. Until
//! then, the contents of the lines are kept in a temporary file, without the names. The driver adds the lines
//! of each chunk to a [`RejectLog`]. Records are read in order, so they are written straight to a
//! [`RejectList`]. If machines share a count, the lines of each section are in a temporary file of their own,
//! and one machine [`join`]s these files. If no list is wanted, [`FewRejects`] keeps a handful of games for
//! the summary.

mod chunk;
mod chunks;
mod join;
mod list;
mod log;
mod named_rejects;
mod reject_entry;

pub use chunk::ChunkStatus;
pub use join::join;
pub use list::RejectList;
pub use log::RejectLog;
pub use named_rejects::FewRejects;
pub use reject_entry::{Number, RejectEntry};
