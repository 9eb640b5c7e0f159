//! Playing a resolved move: pieces, rights, en passant and key.

use shakmaty::{CastlingSide, File, Role, Square, san::SanError};

use super::{
    Board, NONE, Ply,
    attacks::{self, KING},
    resolve::Resolved,
    rook_file,
};
use crate::{PackedMove, Step, step::Capture};

const ROOK: usize = 3;

/// Castling rights left when a piece leaves or enters a square.
const RIGHTS_KEPT: [u8; 64] = {
    let mut kept = [0b1111; 64];
    kept[4] = 0b1100;
    kept[7] = 0b1110;
    kept[0] = 0b1101;
    kept[60] = 0b0011;
    kept[63] = 0b1011;
    kept[56] = 0b0111;
    kept
};

impl Board {
    #[inline]
    pub(super) fn apply(&mut self, mv: Resolved) -> Ply {
        let us = usize::from(self.turn);
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        let mut hash = 0;
        let capture = self.take(mv, &mut hash);
        let landed = mv.promotion.map_or(mv.role, |role| role as u8 - 1);
        self.lift(us, usize::from(mv.role), mv.from, &mut hash);
        self.drop(us, usize::from(landed), mv.to, &mut hash);
        let en_passant =
            if mv.role == 0 && from ^ to == 16 { self.passed_square(mv.from, mv.to) } else { NONE };
        let step = self.turn_over(mv.role, capture, RIGHTS_KEPT[from] & RIGHTS_KEPT[to], en_passant, hash);
        Ply { mv: PackedMove::new(square(mv.from), square(mv.to), mv.promotion), step }
    }

    /// Castles if the right is held, the squares between are empty and the king passes no attack.
    pub(super) fn castle(&mut self, side: CastlingSide) -> Result<Ply, SanError> {
        let color = self.turn();
        let us = usize::from(self.turn);
        let right = 2 * us + usize::from(side == CastlingSide::QueenSide);
        let king = u8::from(Square::from_coords(File::E, color.backrank()));
        let rook = u8::from(Square::from_coords(rook_file(side), color.backrank()));
        let (king_to, rook_to) = (u8::from(side.king_to(color)), u8::from(side.rook_to(color)));
        let between = match side {
            CastlingSide::KingSide => 0b11 << (king + 1),
            CastlingSide::QueenSide => 0b111 << (king - 3),
        };
        let passes_attack = |board: &Self| {
            [king, rook_to, king_to]
                .iter()
                .any(|&at| board.is_attacked(at, board.all() & !(1 << king), 1 - us, 0))
        };
        if self.rights >> right & 1 == 0 || self.all() & between != 0 || passes_attack(self) {
            return Err(SanError::IllegalSan);
        }
        let mut hash = 0;
        self.lift(us, KING, king, &mut hash);
        self.lift(us, ROOK, rook, &mut hash);
        self.drop(us, KING, king_to, &mut hash);
        self.drop(us, ROOK, rook_to, &mut hash);
        let step = self.turn_over(KING as u8, Capture::Castling, RIGHTS_KEPT[usize::from(king)], NONE, hash);
        Ok(Ply { mv: PackedMove::new(square(king), square(rook), None), step })
    }

    #[inline]
    fn take(&mut self, mv: Resolved, hash: &mut u64) -> Capture {
        let them = 1 - usize::from(self.turn);
        if mv.en_passant != 0 {
            self.lift(them, 0, mv.to ^ 8, hash);
            return Capture::EnPassant;
        }
        match super::role(self.mailbox[usize::from(mv.to)]) {
            None => Capture::None,
            Some(role) => {
                self.lift(them, role as usize - 1, mv.to, hash);
                Capture::Role(role)
            }
        }
    }

    #[inline]
    fn lift(&mut self, color: usize, role: usize, at: u8, hash: &mut u64) {
        self.pieces[color][role] &= !(1 << at);
        self.occupied[color] &= !(1 << at);
        self.mailbox[usize::from(at)] = NONE;
        *hash ^= self.zobrist.pieces[color][role][usize::from(at)];
    }

    #[inline]
    fn drop(&mut self, color: usize, role: usize, at: u8, hash: &mut u64) {
        self.pieces[color][role] |= 1 << at;
        self.occupied[color] |= 1 << at;
        self.mailbox[usize::from(at)] = role as u8;
        *hash ^= self.zobrist.pieces[color][role][usize::from(at)];
    }

    /// The square a pawn passed over, if an enemy pawn attacks it (Polyglot's rule).
    #[inline]
    fn passed_square(&self, from: u8, to: u8) -> u8 {
        let (us, passed) = (usize::from(self.turn), u8::midpoint(from, to));
        if attacks::pawn_attacks(us, passed) & self.pieces[1 - us][0] == 0 { NONE } else { passed }
    }

    /// Hands the move over: rights, en passant square, turn and key.
    #[inline]
    fn turn_over(&mut self, role: u8, capture: Capture, kept: u8, en_passant: u8, hash: u64) -> Step {
        let lost = self.rights & !kept;
        let files =
            [self.en_passant, en_passant].map(|at| (at != NONE).then(|| File::new(u32::from(at & 7))));
        let step = Step::new(self.turn(), ROLES[usize::from(role)], capture, u16::from(lost), files);
        self.rights &= kept;
        self.en_passant = en_passant;
        self.base ^= hash ^ self.zobrist.rights[usize::from(lost)] ^ self.zobrist.white_turn;
        self.turn = 1 - self.turn;
        step
    }
}

const ROLES: [Role; 6] = Role::ALL;

#[inline]
fn square(number: u8) -> Square {
    Square::new(u32::from(number))
}
