//! Writes moves in SAN, in most cases from the board alone. Castling, promotions and en passant captures are
//! rare, so they are left to shakmaty. Moves that give check are also left to shakmaty if the enemy king then
//! has no safe square to move to, because such a check may be mate.

use shakmaty::{
    Bitboard, File, Rank, Role, Square,
    san::{San, SanPlus, Suffix},
};

use super::{Board, tables::KING};
use crate::PackedMove;

impl Board {
    /// Returns the SAN of `mv`, which must encode castling as a move of the king onto its own rook; `None` if
    /// the move is not legal here.
    #[must_use]
    pub fn san_of(&self, mv: PackedMove) -> Option<SanPlus> {
        let from = usize::from(mv.from());
        let to = usize::from(mv.to());
        let us = self.us();
        let role = self.own_role(from)?;
        let capture = self.pieces[1 - us][0] >> to & 1 == 1;
        let is_castling = self.pieces[us][0] >> to & 1 == 1;
        let is_en_passant = role == Role::Pawn && !capture && from & 7 != to & 7;
        if is_castling || is_en_passant || mv.promotion().is_some() {
            return self.san_of_rare(mv);
        }
        // Only a promotion has bits above those of the squares, and promotions were handled above. Any other
        // move with such bits is not legal.
        let alike = self.moves_alike(role, capture, to) & if mv.0 >> 12 == 0 { u64::MAX } else { 0 };
        if alike >> from & 1 == 0 {
            return None;
        }
        let checks = self.gives_check(role, from, to);
        if checks && !self.leaves_king_a_square(role, from, to) {
            return self.san_of_rare(mv);
        }
        let (file, rank) = self.hints(role, capture, mv.from(), alike & !(1 << from));
        let san = San::Normal { role, file, rank, capture, to: mv.to(), promotion: None };
        Some(SanPlus { san, suffix: checks.then_some(Suffix::Check) })
    }

    #[cold]
    fn san_of_rare(&self, mv: PackedMove) -> Option<SanPlus> {
        Some(mv.unpack_with_san(&self.position())?.1)
    }

    /// The squares of the pieces of `role` that have a legal move to `to`. Rare moves are not considered.
    fn moves_alike(&self, role: Role, capture: bool, to: usize) -> u64 {
        let (us, role) = (self.us(), role as usize);
        self.safe_ones(role, self.tables.reach(role, us, capture, to) & self.pieces[us][role], to, 0)
    }

    /// Whether moving a piece of `role` from `from` to `to` gives check, either directly or by uncovering a
    /// slider.
    fn gives_check(&self, role: Role, from: usize, to: usize) -> bool {
        let (us, king) = (self.us(), self.king(1 - self.us()));
        let occupied = self.all() & !(1 << from) | 1 << to;
        let is_direct = self.tables.attackers(role as usize, us, king) >> to & 1 == 1;
        is_direct && self.is_open(to, king, occupied)
            || self.any_open(self.sliders_through(1 - us, us, from) & !(1 << from), king, occupied)
    }

    /// Whether the enemy's king could move to a square that is not attacked, once a piece of `role` has moved
    /// from `from` to `to`.
    fn leaves_king_a_square(&self, role: Role, from: usize, to: usize) -> bool {
        let (us, king) = (self.us(), self.king(1 - self.us()));
        let occupied = self.all() & !(1 << from | 1 << king) | 1 << to;
        let is_attacked = |square| {
            let is_by_mover = self.tables.attackers(role as usize, us, square) >> to & 1 == 1;
            is_by_mover && self.is_open(to, square, occupied)
                || self.is_attacked(square, occupied, us, 1 << from)
        };
        let own = self.pieces[1 - us][0] & !(1 << to);
        Bitboard(self.tables.attackers(KING, us, king) & !own)
            .into_iter()
            .any(|square| !is_attacked(square.into()))
    }

    /// The file, rank or both that tell the piece on `from` apart from the pieces on `others`, which can move
    /// to the same square. The SAN of a pawn's capture always includes its file.
    fn hints(&self, role: Role, capture: bool, from: Square, others: u64) -> (Option<File>, Option<Rank>) {
        if role == Role::Pawn {
            return (capture.then(|| from.file()), None);
        }
        // The file is preferred, then the rank, and both only if neither suffices (PGN standard 8.2.3.4).
        let on_file = others & self.tables.hint(Some(from.file()), None) != 0;
        let on_rank = others & self.tables.hint(None, Some(from.rank())) != 0;
        ((others != 0 && (!on_file || on_rank)).then(|| from.file()), on_file.then(|| from.rank()))
    }
}
