//! SAN to the one legal move it means, from the target square backwards.

use std::num::NonZero;

use shakmaty::{Role, san::SanError};

use super::{Board, tables::PAWN};

/// A legal move, ready to be played.
#[derive(Clone, Copy)]
pub(super) struct Resolved {
    pub(super) role: usize,
    /// The role after the move: another one for a pawn that promotes.
    pub(super) landed: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Board {
    /// Whether an enemy stands on the target of a capture, nothing on that of another move.
    #[inline]
    pub(super) fn can_land<const US: usize>(&self, capture: bool, to: usize) -> bool {
        let enemies_if_quiet = self.pieces[1 - US][0] ^ u64::from(capture).wrapping_neg();
        (self.pieces[US][0] | enemies_if_quiet) >> to & 1 == 0
    }

    /// A move to where a piece [can land](Self::can_land), other than a promotion.
    #[inline]
    pub(super) fn resolve<const US: usize>(
        &self,
        role: usize,
        hint: u64,
        capture: bool,
        to: usize,
    ) -> Result<Resolved, SanError> {
        let candidates = self.tables.reach(role, US, capture, to) & self.pieces[US][role & 7] & hint;
        let from = self.only_safe::<US>(role, candidates, to)?;
        Ok(Resolved { role, landed: role, from, to })
    }

    /// A pawn's move to the last rank.
    #[cold]
    pub(super) fn resolve_promotion(
        &self,
        hint: u64,
        capture: bool,
        to: usize,
        landed: Role,
    ) -> Result<Resolved, SanError> {
        let us = self.us();
        let last_rank = if us == 0 { 56..64 } else { 0..8 };
        let targets = if capture { self.pieces[1 - us][0] } else { !self.all() };
        let possible = last_rank.contains(&to) && targets >> to & 1 == 1;
        if !possible || matches!(landed, Role::Pawn | Role::King) {
            return Err(SanError::IllegalSan);
        }
        let before = if us == 0 { to - 8 } else { to + 8 };
        let reach = if capture { self.tables.attackers(PAWN, us, to) } else { 1 << before };
        let from = self.only_safe_of_many(PAWN, reach & self.pieces[us][PAWN] & hint, to)?;
        Ok(Resolved { role: PAWN, landed: landed as usize, from, to })
    }

    /// A pawn's move to an empty square that it attacks.
    pub(super) fn resolve_en_passant(
        &self,
        role: usize,
        hint: u64,
        capture: bool,
        to: usize,
    ) -> Result<Resolved, SanError> {
        let us = self.us();
        if role != PAWN || !capture || self.en_passant_square().map(usize::from) != Some(to) {
            return Err(SanError::IllegalSan);
        }
        let candidates = self.tables.attackers(PAWN, us, to) & self.pieces[us][PAWN] & hint;
        let keeps_safe = |&from: &usize| self.leaves_king_safe(PAWN, from, to, 1 << (to ^ 8));
        let from = only(squares(candidates).filter(keeps_safe))?;
        Ok(Resolved { role: PAWN, landed: PAWN, from, to })
    }

    /// The only candidate with a free way that keeps its king safe. Between the squares of a knight's, king's or pawn's step
    /// there is none, or one that must be empty, so that the way of every piece may be looked at alike.
    #[inline]
    fn only_safe<const US: usize>(&self, role: usize, candidates: u64, to: usize) -> Result<usize, SanError> {
        if candidates & candidates.wrapping_sub(1) != 0 {
            return self.only_safe_of_many(role, candidates, to);
        }
        let candidate = NonZero::new(candidates).ok_or(SanError::IllegalSan)?;
        let from = candidate.trailing_zeros() as usize;
        if self.is_open(from, to, self.all()) && self.keeps_king_safe::<US>(role, from, to) {
            Ok(from)
        } else {
            Err(SanError::IllegalSan)
        }
    }

    #[inline(never)]
    fn only_safe_of_many(&self, role: usize, candidates: u64, to: usize) -> Result<usize, SanError> {
        let is_safe =
            |&from: &usize| self.is_open(from, to, self.all()) && self.leaves_king_safe(role, from, to, 0);
        only(squares(candidates).filter(is_safe))
    }
}

/// The first of some squares if it is the last as well.
#[inline]
fn only(mut squares: impl Iterator<Item = usize>) -> Result<usize, SanError> {
    let first = squares.next().ok_or(SanError::IllegalSan)?;
    if squares.next().is_some() { Err(SanError::AmbiguousSan) } else { Ok(first) }
}

/// The squares of a set, lowest first.
#[inline]
fn squares(set: u64) -> impl Iterator<Item = usize> {
    let rest = |&set: &u64| Some(set & (set - 1)).filter(|&rest| rest != 0);
    std::iter::successors(Some(set).filter(|&set| set != 0), rest).map(|set| set.trailing_zeros() as usize)
}
