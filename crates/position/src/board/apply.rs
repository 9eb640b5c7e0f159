//! Playing a resolved move: pieces, rights, en passant, alarm and key.

use shakmaty::{CastlingSide, File, Square, san::SanError};

use super::{
    Board, Ply,
    resolve::Resolved,
    rook_file,
    tables::{KING, PAWN, ROOK},
};
use crate::{
    PackedMove, Step,
    step::{CAPTURED_CASTLING, CAPTURED_EN_PASSANT},
};

/// What a move did besides moving its piece.
struct Effects {
    captured: u16,
    rights_lost: u8,
    en_passant: u8,
    /// Of the pieces that moved or vanished.
    hash: u64,
}

impl Board {
    /// Plays a move that neither castles nor takes en passant.
    #[inline]
    pub(super) fn apply<const US: usize>(&mut self, mv: Resolved) -> Ply {
        let Resolved { role, landed, from, to } = mv;
        let captured = usize::from(self.mailbox[to & 63]);
        // What is captured on an empty square is no role: its number in the table is 0, and none of its squares is cleared.
        self.pieces[1 - US][captured & 7] &= !(1 << to);
        self.pieces[1 - US][0] &= !(1 << to);
        self.shift(US, mv);
        let numbers = &self.tables.zobrist.pieces;
        let hash = numbers[US][role & 7][from & 63]
            ^ numbers[US][landed & 7][to & 63]
            ^ numbers[1 - US][captured & 7][to & 63];
        let rights_lost =
            self.rights & (self.tables.rights_lost[from & 63] | self.tables.rights_lost[to & 63]);
        let en_passant = self.passed_file::<US>(role, from, to);
        self.alarm = self.suspects::<US>(landed, from, to);
        let effects = Effects { captured: captured as u16, rights_lost, en_passant, hash };
        Ply { mv: packed(mv), step: self.turn_over(US, role, &effects) }
    }

    /// Plays a pawn's capture of the one that just passed it, if that is what is meant.
    #[cold]
    pub(super) fn take_en_passant(
        &mut self,
        role: usize,
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
        self.alarm = self.alarm_in_full();
        let effects = Effects { captured: CAPTURED_EN_PASSANT, rights_lost: 0, en_passant: 0, hash };
        Ok(Ply { mv: packed(mv), step: self.turn_over(us, PAWN, &effects) })
    }

    /// Castles if the right is held, the squares between are empty and the king passes no attack.
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
        let passes_attack = |board: &Self| {
            [king, rook_to, king_to]
                .iter()
                .any(|&at| board.is_attacked(at, board.all() & !(1 << king), 1 - us, 0))
        };
        if self.rights >> right & 1 == 0 || self.all() & between != 0 || passes_attack(self) {
            return Err(SanError::IllegalSan);
        }
        self.shift(us, Resolved { role: KING, landed: KING, from: king, to: king_to });
        self.shift(us, Resolved { role: ROOK, landed: ROOK, from: rook, to: rook_to });
        let numbers = &self.tables.zobrist.pieces[us];
        let hash =
            numbers[KING][king] ^ numbers[KING][king_to] ^ numbers[ROOK][rook] ^ numbers[ROOK][rook_to];
        self.alarm = self.alarm_in_full();
        let rights_lost = self.rights & self.tables.rights_lost[king];
        let effects = Effects { captured: CAPTURED_CASTLING, rights_lost, en_passant: 0, hash };
        let mv = packed(Resolved { role: KING, landed: KING, from: king, to: rook });
        Ok(Ply { mv, step: self.turn_over(us, KING, &effects) })
    }

    /// Moves a piece to a square where nothing stands any more.
    #[inline]
    fn shift(&mut self, us: usize, mv: Resolved) {
        let own = &mut self.pieces[us & 1];
        let (from, to) = (1 << mv.from, 1 << mv.to);
        own[0] ^= from | to;
        own[mv.role & 7] ^= from;
        own[mv.landed & 7] ^= to;
        self.mailbox[mv.from & 63] = 0;
        self.mailbox[mv.to & 63] = mv.landed as u8;
    }

    /// The file, from 1, of a pawn that steps two squares to beside an enemy pawn (Polyglot's rule).
    #[inline]
    fn passed_file<const US: usize>(&self, role: usize, from: usize, to: usize) -> u8 {
        let beside = self.tables.beside[US][to & 63] & self.pieces[1 - US][PAWN];
        if beside == 0 { 0 } else { passed_file_beside(role, from, to) }
    }

    /// Hands the move over: rights, en passant file, turn and key.
    #[inline]
    fn turn_over(&mut self, us: usize, role: usize, effects: &Effects) -> Step {
        let &Effects { captured, rights_lost, en_passant, hash } = effects;
        let step = Step::new(us, role as u16, captured, rights_lost, [self.en_passant, en_passant]);
        let numbers = &self.tables.zobrist;
        self.key ^= hash ^ numbers.rights[usize::from(rights_lost & 15)] ^ numbers.white_turn;
        self.key ^= numbers.en_passant[usize::from(self.en_passant & 15)];
        self.key ^= numbers.en_passant[usize::from(en_passant & 15)];
        self.rights ^= rights_lost;
        self.en_passant = en_passant;
        self.turn = 1 - us as u8;
        step
    }
}

/// The same, if there is an enemy pawn beside.
#[cold]
fn passed_file_beside(role: usize, from: usize, to: usize) -> u8 {
    if role == PAWN && from ^ to == 16 { 1 + (to & 7) as u8 } else { 0 }
}

#[inline]
fn packed(mv: Resolved) -> PackedMove {
    let promotion = if mv.role == mv.landed { 0 } else { mv.landed - 1 };
    PackedMove((mv.to | mv.from << 6 | promotion << 12) as u16)
}
