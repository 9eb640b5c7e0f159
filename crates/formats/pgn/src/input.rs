//! Opens inputs, compressed or not, and cuts them into chunks of whole games for workers that read in
//! parallel.
//!
//! # Flow
//! - [`expand`] turns names into [`Input`]s: files, directories, patterns, standard input.
//! - [`Chunks`] recognises from the first bytes of each input how it is compressed, decompresses it and cuts
//!   it. Each worker asks for the next [`Chunk`] and hands back the buffer of its last one.
//! - [`Chunk::games`] returns the text of one game after another, as [`Piece`]s. Where a game starts is
//!   decided line by line before any parsing, so the games are the same for any chunk size, thread count or
//!   packing.
//! - [`Chunks::finish`] returns what was read: lengths, hashes, and how to name a [`Place`].
//!
//! ```
//! use pgn::input::{ChunkOptions, Chunks, Input};
//!
//! let text = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n";
//! let chunks = Chunks::open(vec![Input::stream("-", text.as_bytes())], ChunkOptions::default())?;
//! let mut games = 0;
//! let mut buffer = Vec::new();
//! while let Some(chunk) = chunks.next(0, buffer)? {
//!     games += chunk.games().count();
//!     buffer = chunk.text;
//! }
//! assert_eq!(games, 2);
//! assert_eq!(chunks.finish().list[0].bytes, text.len() as u64);
//! # Ok::<(), pgn::Error>(())
//! ```
//!
//! # Rooms
//! - `reading` opens inputs and returns their text, chunk by chunk, to any number of callers;
//! - `packings` recognises how an input is packed, and unpacks it;
//! - `cutting` finds where games start, and cuts text there;
//! - `stored` reads the stored bytes for all of these.

mod cutting;
mod lock;
mod packings;
mod reading;
mod stored;

pub use cutting::{Chunk, GameBounds, Games, LineEnds, Piece, PieceKind, Place, Unit, games};
pub use packings::Packing;
pub use reading::{
    BlockHashes, ChunkOptions, Chunks, GameTest, Input, InputDone, InputList, Location, Part, ReadInput,
    ReadInputs, ReadProgress, Sections, Spans, Stamp, expand, is_named_pgn, sections,
};
pub use reading::{WantedFiles, expand_to};
pub use stored::{BLOCK_BYTES, ReadAt, identity_of_blocks};
