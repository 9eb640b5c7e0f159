//! Finds attacks on a square, and tests whether a move leaves the mover's own king in check.
//!
//! Few sliders are in line with any one square, and a single look-up for each of them shows whether a piece
//! stands in between. This makes magic bitboards unnecessary.

use super::{
    Board,
    tables::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

impl Board {
    /// Whether a piece of colour `by` attacks `square`. The `occupied` squares block sliders, and attackers
    /// on `removed` squares do not count.
    pub(super) fn is_attacked(&self, square: usize, occupied: u64, by: usize, removed: u64) -> bool {
        let pieces = &self.pieces[by & 1];
        let reach = |role| self.tables.attackers(role, by, square);
        let leapers =
            reach(KNIGHT) & pieces[KNIGHT] | reach(PAWN) & pieces[PAWN] | reach(KING) & pieces[KING];
        let sliders =
            reach(ROOK) & (pieces[ROOK] | pieces[QUEEN]) | reach(BISHOP) & (pieces[BISHOP] | pieces[QUEEN]);
        leapers & !removed != 0 || self.any_open(sliders & !removed, square, occupied)
    }

    /// Whether a piece of `role` can move from `from` to `to` without leaving the mover's king in check.
    ///
    /// If no enemy piece can be giving check now, only two kinds of moves need the full test: moves of the
    /// king, and moves of a piece between the king and an enemy slider.
    #[inline]
    pub(super) fn keeps_king_safe<const US: usize>(&self, role: usize, from: usize, to: usize) -> bool {
        let suspects = self.possible_checkers | self.sliders_through(US, 1 - US, from);
        suspects == 0 && role != KING || self.leaves_king_safe(role, from, to, 0)
    }

    /// Like [`keeps_king_safe`](Self::keeps_king_safe), but without shortcuts. The pieces on `to` and on
    /// `also_taken` squares count as captured.
    #[inline(never)]
    pub(super) fn leaves_king_safe(&self, role: usize, from: usize, to: usize, also_taken: u64) -> bool {
        let us = self.us();
        let occupied = self.all() & !(1 << from | also_taken) | 1 << to;
        let king = if role == KING { to } else { self.king(us) };
        // A captured piece is still in the bitboards, so it is excluded from the attackers.
        !self.is_attacked(king, occupied, 1 - us, 1 << to | also_taken)
    }

    /// The pieces of colour `US` that may give check after a piece moved to `to` as `role`: that piece, if
    /// nothing stands between it and the king, and any sliders that the move may have uncovered. Sliders that
    /// another piece still blocks are included, so the set may be too large but never too small.
    #[inline]
    pub(super) fn checkers_after<const US: usize>(&self, role: usize, from: usize, to: usize) -> u64 {
        let king = self.king(1 - US);
        let direct = if self.is_open(to, king, self.all()) { 1 << to } else { 0 };
        direct & self.tables.attackers(role, US, king) | self.sliders_through(1 - US, US, from)
    }

    /// All squares if the side that just moved gives check, else none. This is only used for rare moves. The
    /// pieces that give check need not be found, because a set that is too large does no harm: the next move
    /// is merely tested in full.
    pub(super) fn possible_checkers_in_full(&self) -> u64 {
        let us = self.us();
        if self.is_attacked(self.king(1 - us), self.all(), us, 0) { u64::MAX } else { 0 }
    }

    /// Sliders of colour `by` on the line from the king of `color` through `square`, even if other pieces are
    /// in between.
    #[inline]
    pub(super) fn sliders_through(&self, color: usize, by: usize, square: usize) -> u64 {
        let [straight, diagonal] = self.tables.lines(self.king(color), square);
        let pieces = &self.pieces[by & 1];
        straight & (pieces[ROOK] | pieces[QUEEN]) | diagonal & (pieces[BISHOP] | pieces[QUEEN])
    }

    #[inline]
    pub(super) fn king(&self, color: usize) -> usize {
        self.pieces[color & 1][KING].trailing_zeros() as usize
    }

    /// Whether any of the `sliders` attacks `square`. Each of them must be in line with `square`.
    #[inline]
    pub(super) fn any_open(&self, mut sliders: u64, square: usize, occupied: u64) -> bool {
        while sliders != 0 {
            if self.is_open(sliders.trailing_zeros() as usize, square, occupied) {
                return true;
            }
            sliders &= sliders - 1;
        }
        false
    }

    /// Whether all squares between two squares are empty.
    #[inline]
    pub(super) fn is_open(&self, from: usize, to: usize, occupied: u64) -> bool {
        self.tables.between(from, to) & occupied == 0
    }
}
