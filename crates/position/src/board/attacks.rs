//! Who attacks a square.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::Board;

const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;
pub(super) const KING: usize = 5;

impl Board {
    /// Whether a piece of colour `by`, those on `removed` squares aside, attacks `square` when `occupied` squares block.
    #[inline]
    pub(super) fn is_attacked(&self, square: u8, occupied: u64, by: usize, removed: u64) -> bool {
        let (pieces, at, blockers) = (&self.pieces[by], sq(square), Bitboard(occupied));
        let present = !removed;
        let straight = (pieces[ROOK] | pieces[QUEEN]) & present;
        let diagonal = (pieces[BISHOP] | pieces[QUEEN]) & present;
        attacks::knight_attacks(at).0 & pieces[KNIGHT] & present != 0
            || pawn_attacks(1 - by, square) & pieces[PAWN] & present != 0
            || attacks::king_attacks(at).0 & pieces[KING] != 0
            || (attacks::bishop_attacks(at, Bitboard(0)).0 & diagonal != 0
                && attacks::bishop_attacks(at, blockers).0 & diagonal != 0)
            || (attacks::rook_attacks(at, Bitboard(0)).0 & straight != 0
                && attacks::rook_attacks(at, blockers).0 & straight != 0)
    }

    /// Whether moving a piece of `role` between the squares, taking what stands on `to` and on `also_taken` squares,
    /// leaves the mover's king unattacked.
    #[inline]
    pub(super) fn keeps_king_safe(&self, role: usize, from: u8, to: u8, also_taken: u64) -> bool {
        let us = usize::from(self.turn);
        let occupied = self.all() & !(1 << from | also_taken) | 1 << to;
        let king = if role == KING { to } else { self.pieces[us][KING].trailing_zeros() as u8 };
        !self.is_attacked(king, occupied, 1 - us, 1 << to | also_taken)
    }
}

/// Squares that a pawn of `color` on `square` attacks.
#[inline]
pub(super) fn pawn_attacks(color: usize, square: u8) -> u64 {
    attacks::pawn_attacks(Color::from_white(color == 0), sq(square)).0
}

/// Squares from which a piece of `role` reaches `square`.
#[inline]
pub(super) fn piece_attacks(role: Role, square: Square, occupied: u64) -> u64 {
    match role {
        Role::Pawn => unreachable!("pawns do not move as they attack"),
        Role::Knight => attacks::knight_attacks(square).0,
        Role::Bishop => attacks::bishop_attacks(square, Bitboard(occupied)).0,
        Role::Rook => attacks::rook_attacks(square, Bitboard(occupied)).0,
        Role::Queen => attacks::queen_attacks(square, Bitboard(occupied)).0,
        Role::King => attacks::king_attacks(square).0,
    }
}

#[inline]
fn sq(square: u8) -> Square {
    Square::new(u32::from(square))
}
