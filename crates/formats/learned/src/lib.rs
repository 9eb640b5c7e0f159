//! Crafty's learned PGN: what thousands of copies of Crafty learned from their games and shared as text.
//!
//! # Flow
//! - [`expand`] turns the names of files and directories into inputs. Of the files in a directory, it takes
//!   only the learning files.
//! - [`open`] prepares to read the inputs, compressed or not, and returns an iterator over [`LearnedBatch`]es
//!   in the order of the text.
//! - [`LearnedBatch::items`] returns the [`Item`]s: each is a [`LearnedRecord`], a [`LearnedPosition`] or a
//!   [`LearnedRejection`].
//!
//! The crate neither judges nor scales the numbers: a caller must know which version of Crafty wrote a
//! number, and what the number means in that version.
//!
//! ```
//! use learned::Item;
//! use pgn::input::{ChunkOptions, Input};
//!
//! let text = "[White \"GuestABC\"]\n[Black \"Crafty 15.17\"]\n[Date \"1998.11.20\"]\n\
//!     e4 d6 d4 g6 {79 3 100}\n";
//! let input = Input::stream("-", text.as_bytes());
//! for batch in learned::open(vec![input], &ChunkOptions::default())? {
//!     for item in batch?.items() {
//!         let Item::Record(record) = item else { panic!("{item:?}") };
//!         let black = record.players.black.text();
//!         assert_eq!((black.as_ref(), record.date), ("Crafty 15.17", Some(19_981_120)));
//!         assert_eq!((record.plies.len(), record.value), (4, 79));
//!         assert_eq!((record.depth, record.rating_difference), (3, 100));
//!     }
//! }
//! # Ok::<(), pgn::Error>(())
//! ```
//!
//! # Format
//! A record of `book.lrn` (`LearnBook` in Crafty's `learn.c`, 11.8 to 20.14) is three tags, lines of moves
//! without numbers, and `{value depth rating-difference}`; there is no blank line and no result.
//! `position.lrn` begins with the word `position`; an entry consists of three tags, a `setboard` line with a
//! position that is almost a FEN, and `{value move depth}`. A file may contain both records and positions.
//!
//! # Lenient reading
//! The reader accepts any tags in any order, and names and lines of any length. It accepts any whitespace,
//! CRLF, blank lines and `%` lines anywhere. Moves may be on any number of lines, with or without move
//! numbers (`1.e4`, `1. e4`), in every notation that the reader of games accepts, or in coordinates (`g1f3`,
//! `e1g1`). Annotations and results may appear among the moves, and commas between the numbers. The `}` may
//! be missing at the end of a line.
//!
//! A record begins at a tag line that does not follow another tag line, so a fault in one record affects no
//! other. If a player is named twice before any move, the second name begins another record: the first record
//! has lost its moves, and is rejected as `no-moves`.
//!
//! # Names
//! Crafty 15 swaps the players' names in `position.lrn` and writes `Black` first; later versions write
//! `White` first, with the right names. [`LearnedPosition::players`] has the names the right way round: with
//! them, Crafty is the side to move in all but one of 766 entries from real files.

mod batch;
mod epd;
mod header;
mod moves;
mod numbers;
mod parse;
mod reader;
mod reason;
mod record;
mod setboard;

pub use batch::LearnedBatch;
pub use parse::Parser;
pub use reader::{LearnedReader, chunk_options, open};
pub use reason::LearnedReason;
pub use record::{Item, ItemPlace, LearnedPosition, LearnedRecord, LearnedRejection, Players};

use pgn::{
    Error, Result,
    input::{InputList, Unit, WantedFiles, expand_to},
};

/// Expands names as [`pgn::input::expand`] does, but a directory stands for all learning files in it, at any
/// depth: every file that is named `*.lrn` (plain or compressed) or whose content, once decompressed, begins
/// like a learning file. Game files in the directory are skipped.
///
/// # Errors
/// Fails if a name does not exist, cannot be read, or is a directory without learning files.
pub fn expand(names: &[String]) -> Result<InputList> {
    expand_to(
        names,
        &WantedFiles {
            extension: "lrn",
            unit: Unit::Records,
            begins: parse::begins,
            none: |name| Error::NoLearned(name),
        },
    )
}
