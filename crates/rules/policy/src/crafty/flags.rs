//! The flag bits of a book move, as Crafty's `book.c` has them.

use crate::Candidate;

/// `??`.
pub(super) const BLUNDER: u8 = 0x01;
/// `?`; the program itself also sets it (`BAD_MOVE`).
pub(super) const BAD: u8 = 0x02;
/// `=`.
pub(super) const EVEN: u8 = 0x04;
/// `!`; the program itself also sets it (`GOOD_MOVE`).
pub(super) const GOOD: u8 = 0x08;
/// `!!`.
pub(super) const ALWAYS: u8 = 0x10;

/// `?` or `??`: such moves are not played.
pub(super) const REJECTED: u8 = BAD | BLUNDER;
/// `!` or `!!`: the program's own rules never reject such moves.
pub(super) const WANTED: u8 = GOOD | ALWAYS;

/// The flags of the last annotation. `!?` and `?!` set both bits, as Crafty's `BookMask()` reads them sign by
/// sign, and so they are rejected as `?` is.
pub(super) fn of_annotation(candidate: &Candidate) -> u8 {
    match candidate.experience.nag {
        Some(1) => GOOD,
        Some(2) => BAD,
        Some(3) => ALWAYS,
        Some(4) => BLUNDER,
        Some(5 | 6) => GOOD | BAD,
        Some(10) => EVEN,
        _ => 0,
    }
}
