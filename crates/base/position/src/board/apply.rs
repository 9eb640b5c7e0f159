//! Plays a resolved move: updates the pieces, the possible checkers and the key, and computes the step.

use shakmaty::{CastlingSide, File, Role, Square, san::SanError};

use super::{
    Board, Ply,
    resolve::LegalMove,
    rook_file,
    tables::{KING, PAWN, ROOK},
};
use crate::{
    PackedMove, Step,
    step::{CAPTURED_CASTLING, CAPTURED_EN_PASSANT},
};

impl Board {
    /// Plays a move that neither castles nor takes en passant.
    #[expect(clippy::inline_always, reason = "a call costs a tenth of the move")]
    #[inline(always)]
    pub(super) fn apply<const US: usize>(&mut self, mv: LegalMove) -> Ply {
        let LegalMove { role, landed, from, to } = mv;
        let captured = usize::from(self.mailbox[to & 63] & 7);
        // Quiet moves need no branch: if `to` is empty, `captured` is 0, the bits to clear are already clear,
        // and the Zobrist number is 0.
        self.pieces[1 - US][captured] &= !(1 << to);
        self.pieces[1 - US][0] &= !(1 << to);
        self.shift(US, mv);
        let numbers = &self.tables.zobrist.pieces;
        let hash = numbers[US][role as usize][from & 63]
            ^ numbers[US][landed as usize][to & 63]
            ^ numbers[1 - US][captured][to & 63];
        let update = self.update_rights::<US>(role as usize, from, to);
        self.possible_checkers = self.checkers_after::<US>(landed as usize, from, to);
        let step = Step::new(US, role as usize, captured, update.step);
        self.turn_over(US, hash ^ update.hash);
        Ply { mv: packed(mv), step }
    }

    /// Plays an en passant capture if the SAN describes one.
    #[cold]
    pub(super) fn take_en_passant(
        &mut self,
        role: Role,
        hint: u64,
        capture: bool,
        to: usize,
    ) -> Result<Ply, SanError> {
        let mv = self.resolve_en_passant(role, hint, capture, to)?;
        let (us, them, taken) = (self.us(), 1 - self.us(), to ^ 8);
        self.pieces[them][PAWN] &= !(1 << taken);
        self.pieces[them][0] &= !(1 << taken);
        self.mailbox[taken & 63] = 0;
        self.shift(us, mv);
        let numbers = &self.tables.zobrist.pieces;
        let hash = numbers[us][PAWN][mv.from] ^ numbers[us][PAWN][to] ^ numbers[them][PAWN][taken];
        self.possible_checkers = self.possible_checkers_in_full();
        let update = self.update_rights_in_full(PAWN, mv.from, to);
        self.turn_over(us, hash ^ update.hash);
        Ok(Ply { mv: packed(mv), step: Step::new(us, PAWN, CAPTURED_EN_PASSANT, update.step) })
    }

    /// Castles if the right exists, the squares between the king and the rook are empty, and no square on the
    /// king's path is attacked, including its first and last squares.
    #[cold]
    pub(super) fn castle(&mut self, side: CastlingSide) -> Result<Ply, SanError> {
        let color = self.turn();
        let us = self.us();
        let right = 2 * us + usize::from(side == CastlingSide::QueenSide);
        let king = usize::from(Square::from_coords(File::E, color.backrank()));
        let rook = usize::from(Square::from_coords(rook_file(side), color.backrank()));
        let (king_to, rook_to) = (usize::from(side.king_to(color)), usize::from(side.rook_to(color)));
        let between = match side {
            CastlingSide::KingSide => 0b11 << (king + 1),
            CastlingSide::QueenSide => 0b111 << (king - 3),
        };
        // The square of the king counts as empty, because the king does not shield the squares behind it.
        let passes_attack = |board: &Self| {
            [king, rook_to, king_to]
                .iter()
                .any(|&at| board.is_attacked(at, board.all() & !(1 << king), 1 - us, 0))
        };
        if self.rights >> right & 1 == 0 || self.all() & between != 0 || passes_attack(self) {
            return Err(SanError::IllegalSan);
        }
        self.shift(us, LegalMove { role: Role::King, landed: Role::King, from: king, to: king_to });
        self.shift(us, LegalMove { role: Role::Rook, landed: Role::Rook, from: rook, to: rook_to });
        let numbers = &self.tables.zobrist.pieces[us];
        let hash =
            numbers[KING][king] ^ numbers[KING][king_to] ^ numbers[ROOK][rook] ^ numbers[ROOK][rook_to];
        self.possible_checkers = self.possible_checkers_in_full();
        let update = self.update_rights_in_full(KING, king, king_to);
        self.turn_over(us, hash ^ update.hash);
        let mv = packed(LegalMove { role: Role::King, landed: Role::King, from: king, to: rook });
        Ok(Ply { mv, step: Step::new(us, KING, CAPTURED_CASTLING, update.step) })
    }

    /// Moves a piece to an empty square.
    #[inline]
    fn shift(&mut self, us: usize, mv: LegalMove) {
        let own = &mut self.pieces[us & 1];
        let (from, to) = (1 << mv.from, 1 << mv.to);
        own[0] ^= from | to;
        own[mv.role as usize] ^= from;
        own[mv.landed as usize] ^= to;
        self.mailbox[mv.from & 63] = 0;
        self.mailbox[mv.to & 63] = mv.landed as u8;
    }

    /// Completes the move: updates the key, and passes the turn to the other side.
    #[inline]
    fn turn_over(&mut self, us: usize, hash: u64) {
        self.key ^= hash ^ self.tables.zobrist.white_turn;
        self.turn = 1 - us as u8;
        debug_assert_eq!(self.key(), self.hashed_in_full(), "the key kept and the key of the pieces");
    }
}

#[inline]
fn packed(mv: LegalMove) -> PackedMove {
    let promotion = if mv.role == mv.landed { 0 } else { mv.landed as usize - 1 };
    PackedMove((mv.to | mv.from << 6 | promotion << 12) as u16)
}
