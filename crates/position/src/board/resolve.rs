//! SAN to the one legal move it means, from the target square backwards.

use shakmaty::{File, Rank, Role, Square, san::SanError};

use super::{Board, attacks};

/// A legal move, ready to be played.
#[derive(Clone, Copy)]
pub(super) struct Resolved {
    pub(super) role: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) promotion: Option<Role>,
    /// Square of the pawn taken en passant, as a bit.
    pub(super) en_passant: u64,
}

/// Squares that a SAN's disambiguation leaves.
#[derive(Clone, Copy)]
pub(super) struct Hint(u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const RANK_1: u64 = 0xff;

impl Hint {
    #[inline]
    pub(super) fn new(file: Option<File>, rank: Option<Rank>) -> Self {
        let files = file.map_or(u64::MAX, |file| FILE_A << u32::from(file));
        let ranks = rank.map_or(u64::MAX, |rank| RANK_1 << (8 * u32::from(rank)));
        Self(files & ranks)
    }
}

impl Board {
    /// The move of a piece other than a pawn.
    #[inline]
    pub(super) fn resolve_piece(
        &self,
        role: Role,
        hint: Hint,
        capture: bool,
        to: Square,
    ) -> Result<Resolved, SanError> {
        let us = usize::from(self.turn);
        let (number, target) = (role as u8 - 1, 1u64 << u32::from(to));
        let takes = self.occupied[1 - us] & target != 0;
        if takes != capture || self.occupied[us] & target != 0 {
            return Err(SanError::IllegalSan);
        }
        let candidates = attacks::piece_reach(role, to) & self.pieces[us][usize::from(number)] & hint.0;
        let from = self.only_safe(number, candidates, u8::from(to), 0)?;
        Ok(Resolved { role: number, from, to: u8::from(to), promotion: None, en_passant: 0 })
    }

    /// The move of a pawn.
    #[inline]
    pub(super) fn resolve_pawn(
        &self,
        hint: Hint,
        capture: bool,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Resolved, SanError> {
        let last_rank = matches!(to.rank(), Rank::First | Rank::Eighth);
        let promotes = matches!(promotion, Some(Role::Knight | Role::Bishop | Role::Rook | Role::Queen));
        if promotes != last_rank || promotion.is_some() != promotes {
            return Err(SanError::IllegalSan);
        }
        let square = u8::from(to);
        let (candidates, en_passant) =
            if capture { self.pawn_captures(square)? } else { (self.pawn_pushes(square), 0) };
        let from = self.only_safe(0, candidates & hint.0, square, en_passant)?;
        Ok(Resolved { role: 0, from, to: square, promotion, en_passant })
    }

    /// Pawns that attack `to` and take something there; the square of what they take en passant.
    #[inline]
    fn pawn_captures(&self, to: u8) -> Result<(u64, u64), SanError> {
        let us = usize::from(self.turn);
        let en_passant = if self.occupied[1 - us] >> to & 1 == 1 {
            0
        } else if to == self.en_passant {
            1 << (to ^ 8)
        } else {
            return Err(SanError::IllegalSan);
        };
        Ok((attacks::pawn_attacks(1 - us, to) & self.pieces[us][0], en_passant))
    }

    /// The pawn that can step to `to`, if one can.
    #[inline]
    fn pawn_pushes(&self, to: u8) -> u64 {
        let (us, target, empty) = (usize::from(self.turn), 1u64 << to, !self.all());
        let pawns = self.pieces[us][0];
        let (one, two, fourth_rank) = if us == 0 {
            (target >> 8, target >> 16, RANK_1 << 24)
        } else {
            (target << 8, target << 16, RANK_1 << 32)
        };
        if target & empty == 0 {
            0
        } else if pawns & one != 0 {
            one
        } else if target & fourth_rank != 0 && one & empty != 0 {
            pawns & two
        } else {
            0
        }
    }

    /// The only candidate with a free way that keeps its king safe. Between the squares of a knight's, king's or pawn's step
    /// there is none, or one known to be empty, so that the way of every piece may be looked at alike.
    #[inline]
    fn only_safe(&self, role: u8, mut candidates: u64, to: u8, en_passant: u64) -> Result<u8, SanError> {
        let mut found = None;
        while candidates != 0 {
            let from = candidates.trailing_zeros() as u8;
            candidates &= candidates - 1;
            if attacks::is_open(from, to, self.all())
                && self.keeps_king_safe(usize::from(role), from, to, en_passant)
                && found.replace(from).is_some()
            {
                return Err(SanError::AmbiguousSan);
            }
        }
        found.ok_or(SanError::IllegalSan)
    }
}
