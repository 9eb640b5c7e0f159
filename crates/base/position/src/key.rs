//! The position key: Polyglot's 64-bit Zobrist hash.
//!
//! # Stability
//!
//! Polyglot has published 781 random numbers, which shakmaty's `Zobrist64` uses too. The numbers that apply
//! to a position are combined into its key by exclusive or. The en passant file is hashed if a pawn of the
//! side to move is beside the pawn that just moved two squares, even if the capture is illegal (Polyglot's
//! `book_format.html`, shakmaty's `EnPassantMode::PseudoLegal`). Tables and books on disk depend on the key,
//! so it never changes: the start position is `463b96181691fc9c`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, EnPassantMode, Move, Position as _, zobrist::Zobrist64};

use crate::position_after;

/// Polyglot's 64-bit hash of a position.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[must_use]
pub struct Key(pub u64);

impl Key {
    /// The start position.
    pub const START: Key = Key(0x463b_9618_1691_fc9c);

    /// The key of `position`, computed from all its pieces.
    pub fn of(position: &Chess) -> Self {
        let hash: Zobrist64 = position.zobrist_hash(EnPassantMode::PseudoLegal);
        Self(hash.0)
    }

    /// The key after the legal move `m` in `position`, whose key must be `self`. For most moves, the new key
    /// is computed without playing the move on a board.
    pub fn after(self, position: &Chess, m: Move) -> Self {
        let updated = position.update_zobrist_hash(Zobrist64(self.0), m, EnPassantMode::PseudoLegal);
        updated.map_or_else(|| Self::after_played(position, m), |hash| Self(hash.0))
    }

    #[cold]
    fn after_played(position: &Chess, m: Move) -> Self {
        Self::of(&position_after(position, m))
    }
}

/// Writes sixteen hexadecimal digits.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The text is not sixteen hexadecimal digits.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a key must have sixteen hexadecimal digits")]
pub struct ParseKeyError;

impl FromStr for Key {
    type Err = ParseKeyError;

    fn from_str(text: &str) -> Result<Self, ParseKeyError> {
        let hexadecimal = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let digits = hexadecimal.then_some(text).ok_or(ParseKeyError)?;
        u64::from_str_radix(digits, 16).map(Key).map_err(|_| ParseKeyError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_is_polyglots() {
        assert_eq!(Key::of(&Chess::default()), Key::START);
    }

    /// Tests all legal moves, including castling, captures, promotions and en passant, in the positions of
    /// 200 pseudorandom games.
    #[test]
    fn the_key_after_a_move_is_that_of_the_position_after_it() {
        let mut number = 1_u64;
        for _ in 0..200 {
            let mut board = Chess::default();
            for _ in 0..120 {
                let (key, moves) = (Key::of(&board), board.legal_moves());
                for &m in &moves {
                    assert_eq!(key.after(&board, m), Key::after_played(&board, m));
                }
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let Some(&m) = moves.get((number >> 33) as usize % moves.len().max(1)) else { break };
                board.play_unchecked(m);
            }
        }
    }

    #[test]
    fn text_round_trip() {
        assert_eq!("463b96181691fc9c".parse(), Ok(Key::START));
        assert_eq!(Key(1).to_string(), "0000000000000001");
        assert_eq!("463b".parse::<Key>(), Err(ParseKeyError));
        assert_eq!("+63b96181691fc9c".parse::<Key>(), Err(ParseKeyError));
    }
}
