//! Crafty's learned PGN: what thousands of copies of Crafty learned from their games, and shared as text.
//!
//! # Flow
//! - [`expand`] turns names into inputs: as for games, but directories give learning files.
//! - [`LearnedReader`] reads them, in any packing, on many threads, and gives [`LearnedBatch`]es in the order of the text.
//! - [`LearnedBatch::items`] gives each [`Item`]: a [`LearnedRecord`], a [`LearnedPosition`], or a [`LearnedRejection`].

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
pub use reader::LearnedReader;
pub use reason::Reason;
pub use record::{Item, LearnedPosition, LearnedRecord, LearnedRejection, Players, Whereabouts};

use crate::{
    Error, Result,
    input::{Expanded, Unit, Wanted, expand_to},
};

/// Expands names as [`crate::input::expand`] does, but a directory is every file in it, at any depth, that is named
/// `*.lrn` (plain or packed) or begins as a learning file once unpacked, whatever its name. So game files are left out.
///
/// # Errors
/// If a name is not there, cannot be looked at, or is a directory without learning files.
pub fn expand(names: &[String]) -> Result<Expanded> {
    expand_to(
        names,
        &Wanted {
            extension: "lrn",
            unit: Unit::Records,
            begins: parse::begins,
            none: |name| Error::NoLearned { name },
        },
    )
}
