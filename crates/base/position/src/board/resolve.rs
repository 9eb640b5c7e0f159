//! Resolves a SAN to the only legal move that matches it, working backwards from the target square.

use std::num::NonZero;

use shakmaty::{Role, san::SanError};

use super::{Board, tables::PAWN};

/// A legal move.
#[derive(Clone, Copy)]
pub(super) struct LegalMove {
    pub(super) role: Role,
    /// The role after the move; it differs from `role` in a promotion.
    pub(super) landed: Role,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Board {
    /// Whether the move can end on the target square: a capture needs an enemy piece there, any other move an
    /// empty square.
    #[inline]
    pub(super) fn can_land<const US: usize>(&self, capture: bool, to: usize) -> bool {
        // This uses a mask instead of a branch: a quiet move is blocked by any piece, a capture by the
        // absence of an enemy piece.
        let enemies_if_quiet = self.pieces[1 - US][0] ^ u64::from(capture).wrapping_neg();
        (self.pieces[US][0] | enemies_if_quiet) >> to & 1 == 0
    }

    /// Resolves a move that is not a promotion and that [`can_land`](Self::can_land) has accepted.
    #[inline]
    pub(super) fn resolve<const US: usize>(
        &self,
        role: Role,
        hint: u64,
        capture: bool,
        to: usize,
    ) -> Result<LegalMove, SanError> {
        let candidates =
            self.tables.reach(role as usize, US, capture, to) & self.pieces[US][role as usize] & hint;
        let from = self.only_safe::<US>(role as usize, candidates, to)?;
        Ok(LegalMove { role, landed: role, from, to })
    }

    /// Resolves a pawn's move to the last rank.
    #[cold]
    pub(super) fn resolve_promotion(
        &self,
        hint: u64,
        capture: bool,
        to: usize,
        landed: Role,
    ) -> Result<LegalMove, SanError> {
        let us = self.us();
        let last_rank = if us == 0 { 56..64 } else { 0..8 };
        let targets = if capture { self.pieces[1 - us][0] } else { !self.all() };
        let possible = last_rank.contains(&to) && targets >> to & 1 == 1;
        if !possible || matches!(landed, Role::Pawn | Role::King) {
            return Err(SanError::IllegalSan);
        }
        let before = if us == 0 { to - 8 } else { to + 8 };
        let reach = if capture { self.tables.attackers(PAWN, us, to) } else { 1 << before };
        let from = only(self.safe_ones(PAWN, reach & self.pieces[us][PAWN] & hint, to, 0))?;
        Ok(LegalMove { role: Role::Pawn, landed, from, to })
    }

    /// Resolves an en passant capture, whose target square is empty. The captured pawn is on `to ^ 8`, one
    /// rank behind the target.
    pub(super) fn resolve_en_passant(
        &self,
        role: Role,
        hint: u64,
        capture: bool,
        to: usize,
    ) -> Result<LegalMove, SanError> {
        let us = self.us();
        if role != Role::Pawn || !capture || self.en_passant_square().map(usize::from) != Some(to) {
            return Err(SanError::IllegalSan);
        }
        let candidates = self.tables.attackers(PAWN, us, to) & self.pieces[us][PAWN] & hint;
        let from = only(self.safe_ones(PAWN, candidates, to, 1 << (to ^ 8)))?;
        Ok(LegalMove { role: Role::Pawn, landed: Role::Pawn, from, to })
    }

    /// The only candidate that has a free path and does not leave its king attacked. The same test of the
    /// path works for every role. Knights and kings cross no squares. A pawn crosses a square only if it
    /// moves two squares, and that square must be empty.
    #[inline]
    fn only_safe<const US: usize>(&self, role: usize, candidates: u64, to: usize) -> Result<usize, SanError> {
        // There are rarely several candidates; if there are, each of them needs the full test.
        if candidates & candidates.wrapping_sub(1) != 0 {
            return only(self.safe_ones(role, candidates, to, 0));
        }
        let from = only(candidates)?;
        if self.is_open(from, to, self.all()) && self.keeps_king_safe::<US>(role, from, to) {
            Ok(from)
        } else {
            Err(SanError::IllegalSan)
        }
    }

    /// The candidates that have a free path and do not leave their king attacked. The pieces on `to` and on
    /// `also_taken` squares count as captured. Only legal moves make a SAN ambiguous, so pinned pieces must
    /// be excluded here.
    #[inline(never)]
    pub(super) fn safe_ones(&self, role: usize, candidates: u64, to: usize, also_taken: u64) -> u64 {
        let (mut rest, mut safe) = (candidates, 0);
        while rest != 0 {
            let from = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.is_open(from, to, self.all()) && self.leaves_king_safe(role, from, to, also_taken) {
                safe |= 1 << from;
            }
        }
        safe
    }
}

/// The only square of a set; fails if the set is empty or has several squares.
#[inline]
fn only(squares: u64) -> Result<usize, SanError> {
    let some = NonZero::new(squares).ok_or(SanError::IllegalSan)?;
    if some.is_power_of_two() { Ok(some.trailing_zeros() as usize) } else { Err(SanError::AmbiguousSan) }
}
