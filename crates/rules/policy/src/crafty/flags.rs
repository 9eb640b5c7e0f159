//! The flag bits of a book move, as in Crafty's `book.c`.

use crate::Candidate;

/// `??`.
pub(super) const BLUNDER: u8 = 0x01;
/// `?`, which the program may also set by itself (`BAD_MOVE`).
pub(super) const BAD: u8 = 0x02;
/// `=`.
pub(super) const EVEN: u8 = 0x04;
/// `!`, which the program may also set by itself (`GOOD_MOVE`).
pub(super) const GOOD: u8 = 0x08;
/// `!!`.
pub(super) const ALWAYS: u8 = 0x10;

/// The flags that keep a move from being played: `?` or `??`.
pub(super) const REJECTED: u8 = BAD | BLUNDER;
/// The flags that protect a move from being rejected by the program's own rules: `!` or `!!`.
pub(super) const WANTED: u8 = GOOD | ALWAYS;

/// The flags set by a move's last annotation. Since Crafty's `BookMask()` reads annotations character by
/// character, `!?` and `?!` set the bits of both `!` and `?`. Moves with these annotations are therefore
/// rejected, just like moves with `?`.
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
