//! Arena's opening books (`.abk`): a tree of moves, in which each move links to its first reply and its next
//! alternative.
//!
//! # Format
//!
//! Little-endian. The file has a header as long as 900 records, followed by records of 28 bytes each. Record
//! 900 is the first move of the first position.
//!
//! | offset | bytes | type | meaning |
//! |---|---|---|---|
//! | 0 | 2 | u8 | squares from and to, a1 0 to h8 63; castling is the king's two steps |
//! | 2 | 1 | i8 | promotion: 0 none, 1 rook, 2 knight, 3 bishop, 4 queen; negative for White |
//! | 3 | 1 | u8 | priority, 0 (bad) to 9 |
//! | 4 | 12 | i32 | games, games that White won, games that White lost |
//! | 16 | 4 | u32 | flags: bit 24 of a deleted move |
//! | 20 | 4 | i32 | record of the first reply, −1 if there is none |
//! | 24 | 4 | i32 | record of the next alternative, −1 if there is none |
//!
//! (Sources: Chess Programming Wiki, "ABK"; for the fields of the [`Header`], also DroidFish's `AbkBook.java`
//! and existing files.)

mod header;
mod reader;
mod record;
mod writer;

pub use self::{
    header::{COUNTS_OF_POSITIONS, Header},
    reader::{Reader, SeenRecords},
    record::AbkMove,
    writer::{Branch, prepare},
};

/// The size of a record in bytes.
const RECORD_BYTES: usize = 28;
/// The number of the first move's record.
pub const FIRST_RECORD: u32 = 900;
/// The number of bytes before the first move's record.
const HEADER_BYTES: usize = FIRST_RECORD as usize * RECORD_BYTES;
