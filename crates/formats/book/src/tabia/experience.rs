//! Experience in a book: sparse sections, in which moves without experience take no space.
//!
//! # Format
//!
//! There are three sections, which are either all present or all absent. Numbers are little-endian.
//!
//! | section | |
//! |---|---|
//! | experience index | for each position that something is known of, ascending by key: key (8 bytes), offset of its rows in the next section (8) |
//! | experience rows | rows, ascending by key, move and kind; those of one key end where the next key's begin |
//! | sources | a JSON list: who taught, in the order rows refer to |
//!
//! The position or the move may be missing from the entries, because the experience of a move is stored even
//! if the book's filter dropped the move. The format of a row is described in `row.rs`.

mod draft;
pub(crate) mod row;
mod section;

pub(crate) use draft::Draft;
pub(crate) use section::Section;

/// The size of an index record in bytes.
pub(crate) const RECORD_BYTES: usize = 16;
