//! Opens inputs of any packing and cuts them into chunks of whole games, for many workers at once.
//!
//! # Flow
//! - [`expand`] turns names into [`Input`]s: files, directories, patterns, standard input.
//! - [`Chunks`] opens them by their first bytes, reads, unpacks and cuts them. Each worker asks for the next
//!   [`Chunk`] and hands back the buffer of the one before.
//! - [`Chunk::games`] gives the text of one game after another, as [`Piece`]s. Where a game starts is decided
//!   by lines alone, before anything parses them, so no chunk size, thread count or packing can change what
//!   is found.
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

mod archive;
mod bounds;
mod chunk;
mod chunks;
mod cut;
mod cutter;
mod done;
mod expand;
mod fault;
mod feed;
mod frames;
mod identity;
mod limit;
mod line_ends;
mod lock;
mod needed_window;
mod open_input;
mod origin;
mod packing;
mod parallel;
mod part_reader;
mod place;
mod places;
mod rule;
mod search;
mod section;
mod start;
mod stored;
mod text;
mod unpack;
mod utf16;
mod window;

pub use bounds::GameBounds;
pub use chunk::Chunk;
pub use chunks::{BlockHashes, ChunkOptions, Chunks, ReadProgress};
pub use cut::{Games, Piece, PieceKind, games};
pub use done::{InputDone, Spans};
pub use expand::{Expanded, expand, is_named_pgn};
pub(crate) use expand::{Wanted, expand_to};
pub use identity::{BLOCK_BYTES, identity_of_blocks};
pub use limit::GameTest;
pub use line_ends::LineEnds;
pub use origin::{Input, Stamp};
pub use packing::Packing;
pub use place::Place;
pub use places::{Location, Part, ReadInput, ReadInputs};
pub use rule::Unit;
pub use section::{Sections, sections};
pub use stored::ReadAt;
