//! Castling rights and the en passant file, which few moves change.

use super::{Board, tables::PAWN};
use crate::step::RightsChange;

/// The home squares of the king and the rook for each castling right, in the order of `RIGHTS`. A move from
/// or to one of these squares ends that castling right.
const CASTLING_SQUARES: [u64; 4] = [0x90, 0x11, 0x90 << 56, 0x11 << 56];

/// A move's effect on castling rights and the en passant file, expressed as changes to the key and the step.
#[derive(Default)]
pub(super) struct RightsUpdate {
    pub(super) hash: u64,
    pub(super) step: RightsChange,
}

impl Board {
    /// Updates castling rights and the en passant file after a move by a piece of colour `US`. Most moves
    /// need no update: they start and end on squares that are not sensitive, and they make no en passant
    /// capture possible.
    #[inline]
    pub(super) fn update_rights<const US: usize>(
        &mut self,
        role: usize,
        from: usize,
        to: usize,
    ) -> RightsUpdate {
        let adjacent = self.tables.adjacent[US][to & 63] & self.pieces[1 - US][PAWN];
        let touched = (1 << from | 1 << to) & self.sensitive;
        if touched | adjacent == 0 {
            RightsUpdate::default()
        } else {
            self.update_rights_in_full(role, from, to)
        }
    }

    /// Like `update_rights`, but without the shortcut.
    #[cold]
    pub(super) fn update_rights_in_full(&mut self, role: usize, from: usize, to: usize) -> RightsUpdate {
        let rights_lost = self.rights & touched_rights(1 << from | 1 << to);
        let before = self.en_passant;
        self.rights ^= rights_lost;
        self.en_passant = self.passed_file(role, from, to);
        self.sensitive = self.sensitive_squares();
        let numbers = &self.tables.zobrist;
        let hash = numbers.rights[usize::from(rights_lost)]
            ^ numbers.en_passant[usize::from(before)]
            ^ numbers.en_passant[usize::from(self.en_passant)];
        RightsUpdate { hash, step: RightsChange::new(rights_lost, before, self.en_passant) }
    }

    /// Computes [`Board::sensitive`]. Any move clears the en passant file. As long as there is an en passant
    /// file, every square is therefore sensitive.
    pub(super) fn sensitive_squares(&self) -> u64 {
        if self.en_passant != 0 {
            return u64::MAX;
        }
        let held = (0..4).filter(|right| self.rights >> right & 1 == 1);
        held.fold(0, |squares, right| squares | CASTLING_SQUARES[right])
    }

    /// The file, from 1, of a pawn that moved two squares to a square beside an enemy pawn (Polyglot's
    /// rule); else 0.
    fn passed_file(&self, role: usize, from: usize, to: usize) -> u8 {
        let adjacent = self.tables.adjacent[self.us()][to] & self.pieces[1 - self.us()][PAWN];
        if role == PAWN && from ^ to == 16 && adjacent != 0 { 1 + (to & 7) as u8 } else { 0 }
    }
}

fn touched_rights(squares: u64) -> u8 {
    (0..4).fold(0, |rights, right| rights | u8::from(squares & CASTLING_SQUARES[right] != 0) << right)
}
