//! ChessBase's opening books (`.ctg`), which store positions with their moves and statistics in pages.
//!
//! A [`Reader`] reads all pages one after another, without the look-up table in the `.cto` file. A
//! [`CtgEntry`] is a position as the book stores it, in its [`NormalForm`] form.
//!
//! # Format
//!
//! The file consists of pages of 4,096 bytes; numbers are big-endian. The first page is a header, with the
//! number of games as a u32 at offset 28. Every other page begins with two u16s: the number of positions on
//! the page, and the number of bytes that are used, including these four. The positions follow:
//!
//! | bytes | meaning |
//! |---|---|
//! | 1 | bits 0–4: bytes of the position, this one included; bit 5: en passant; bit 6: castling rights |
//! | … | the board as bits, the highest first, from a1 to a8, b1 …; then padding, the file of en passant (3 bits), castling rights (4) |
//! | 1 | bytes of the moves, this one included |
//! | 2 a move | the move and its annotation |
//! | 12 | u24 each: games, won by White, lost, drawn |
//! | 18 | not known (4 bytes), games and sums of two ratings (u24, u32 each) |
//! | 3 | recommendation; not known; annotation of the position |
//!
//! An empty square is `0`. A piece is `11.` (pawn), `1001.` (knight), `1010.` (bishop), `1011.` (rook),
//! `10001.` (queen) or `10000.` (king), with `0` for White or `1` for Black in place of the dot. The
//! statistics of a move are stored with the position after it. (Sources: Sesse's specification,
//! rybkaforum.net, topic 2319; DroidFish's `CtgBook.java`.)

mod board;
mod moves;
mod normal_form;
mod reader;

pub use self::{
    normal_form::NormalForm,
    reader::{CtgEntry, Entries, EntryMove, Reader},
};
