//! A position in four machine words, on which a known move can be played quickly.
//!
//! # Format
//!
//! Four bit planes give every square a four-bit code; a1 is the lowest bit of each plane. Code 0 is an empty
//! square. Codes 1 to 6 are White's pieces from pawn to king, and 7 is a white rook that may still castle.
//! Code 8 is the empty square behind a pawn that just moved two squares and now stands next to an enemy pawn.
//! Codes 9 to 14 are Black's pieces from pawn to king, and 15 is a black rook that may still castle. The side
//! to move follows from the parity of the ply.
//!
//! # Stability
//!
//! The format is used in temporary files only.

use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingMode, CastlingSide, Chess, Color, FromSetup as _, Position as _,
    PositionError, Role, Setup, Square,
};

use crate::{
    PackedMove, Step,
    step::{CAPTURED_CASTLING, CAPTURED_EN_PASSANT, RightsChange},
};

const EN_PASSANT: u8 = 8;
const BLACK: u8 = 8;
/// The code of a rook that may castle, without the bit for Black.
const CASTLING_ROOK: u8 = 7;

/// The pieces, castling rights and en passant square of a position.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Placement(pub [u64; 4]);

impl Placement {
    /// The placement of a position.
    #[must_use]
    pub fn of(position: &Chess) -> Self {
        let mut placement = Self::default();
        for (square, piece) in position.board() {
            placement.set(square, code(piece.color, piece.role as u8));
        }
        for square in position.castles().castling_rights() {
            placement.set(square, placement.at(square) | CASTLING_ROOK);
        }
        if let Some(square) = position.pseudo_legal_ep_square() {
            placement.set(square, EN_PASSANT);
        }
        placement
    }

    /// The code of a square.
    #[inline]
    pub(crate) fn at(&self, square: Square) -> u8 {
        let at = u32::from(square);
        (0..4).fold(0, |code, bit| code | ((self.0[bit] >> at & 1) as u8) << bit)
    }

    fn set(&mut self, square: Square, code: u8) {
        let at = u32::from(square);
        for (bit, plane) in self.0.iter_mut().enumerate() {
            *plane = *plane & !(1 << at) | u64::from(code >> bit & 1) << at;
        }
    }

    fn clear(&mut self, square: Square) {
        self.0 = self.0.map(|plane| plane & !(1 << u32::from(square)));
    }

    /// Returns the position after `mv`, and the move's step. Returns `None` if the mover has no piece on the
    /// square that the move leaves. Also returns `None` if the mover has a piece on the target square, unless
    /// the move is castling. The function tests neither whether the piece can move in this way, nor whether
    /// the mover's king is left in check. A caller that shows the position must make these two tests itself.
    #[must_use]
    pub fn after(self, mover: Color, mv: PackedMove) -> Option<(Self, Step)> {
        let (leaving, target) = (self.at(mv.from()), self.at(mv.to()));
        let role = role_of(leaving)?;
        if color_of(leaving) != Some(mover) {
            return None;
        }
        let castles = role == Role::King && target == code(mover, CASTLING_ROOK);
        if color_of(target) == Some(mover) && !castles {
            return None;
        }
        let captured = match role {
            _ if castles => CAPTURED_CASTLING,
            Role::Pawn if target == EN_PASSANT => CAPTURED_EN_PASSANT,
            _ => role_of(target).map_or(0, |role| role as usize),
        };
        let after = if castles { self.castled(mover, mv) } else { self.moved((mover, role), mv, target) };
        let color = usize::from(mover.is_black());
        Some((after, Step::new(color, role as usize, captured, self.rights_change(&after))))
    }

    fn rights_change(&self, after: &Self) -> RightsChange {
        let file = |placement: &Self| placement.en_passant().map_or(0, |square| square.file() as u8 + 1);
        let lost = self.unmoved_rooks() & !after.unmoved_rooks();
        let rooks = [Square::H1, Square::A1, Square::H8, Square::A8];
        let lost = rooks.iter().enumerate().map(|(bit, &rook)| (lost >> u32::from(rook) & 1) << bit);
        RightsChange::new(lost.sum::<u64>() as u8, file(self), file(after))
    }

    /// The placement after a move other than castling, to a square with the code `target`.
    fn moved(mut self, (mover, role): (Color, Role), mv: PackedMove, target: u8) -> Self {
        let (from, to) = (mv.from(), mv.to());
        self.forget_en_passant();
        if role == Role::King {
            self.forget_castling(mover);
        }
        self.clear(from);
        self.set(to, code(mover, mv.promotion().unwrap_or(role) as u8));
        if role == Role::Pawn {
            self.finish_pawn_move(mover, (from, to), target);
        }
        self
    }

    fn castled(mut self, mover: Color, mv: PackedMove) -> Self {
        let (from, to) = (mv.from(), mv.to());
        self.forget_en_passant();
        self.forget_castling(mover);
        let side = CastlingSide::from_king_side(to.file() > from.file());
        self.clear(from);
        self.clear(to);
        self.set(side.king_to(mover), code(mover, Role::King as u8));
        self.set(side.rook_to(mover), code(mover, Role::Rook as u8));
        self
    }

    /// Removes the pawn captured en passant, or marks the square behind a pawn that moved two squares.
    fn finish_pawn_move(&mut self, mover: Color, (from, to): (Square, Square), target: u8) {
        if target == EN_PASSANT {
            self.clear(Square::from_coords(to.file(), from.rank()));
        } else if u32::from(from).abs_diff(u32::from(to)) == 16 && self.has_pawn_beside(!mover, to) {
            self.set(Square::new(u32::midpoint(u32::from(from), u32::from(to))), EN_PASSANT);
        }
    }

    fn has_pawn_beside(&self, color: Color, square: Square) -> bool {
        let pawn = code(color, Role::Pawn as u8);
        let neighbor =
            |files| square.file().offset(files).map(|file| Square::from_coords(file, square.rank()));
        [neighbor(-1), neighbor(1)].into_iter().flatten().any(|square| self.at(square) == pawn)
    }

    fn forget_en_passant(&mut self) {
        self.0[3] &= !self.passed();
    }

    fn forget_castling(&mut self, color: Color) {
        let rooks = self.unmoved_rooks() & if color.is_black() { self.0[3] } else { !self.0[3] };
        self.0[0] &= !rooks;
        self.0[1] &= !rooks;
    }

    /// The square behind a pawn that just moved two squares and now stands next to an enemy pawn.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        Bitboard(self.passed()).first()
    }

    /// Rooks that may still castle.
    #[must_use]
    pub fn castling_rooks(&self) -> Bitboard {
        Bitboard(self.unmoved_rooks())
    }

    /// All pieces.
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        let [ones, twos, fours, _] = self.0;
        Bitboard(ones | twos | fours)
    }

    pub(crate) fn by_color(&self) -> ByColor<Bitboard> {
        let black = Bitboard(self.0[3]);
        ByColor { white: self.occupied() & !black, black: self.occupied() & black }
    }

    pub(crate) fn by_role(&self) -> ByRole<Bitboard> {
        let [ones, twos, fours, _] = self.0;
        let roles = ByRole {
            pawn: ones & !twos & !fours,
            knight: !ones & twos & !fours,
            bishop: ones & twos & !fours,
            rook: !ones & !twos & fours | self.unmoved_rooks(),
            queen: ones & !twos & fours,
            king: !ones & twos & fours,
        };
        roles.map(Bitboard)
    }

    fn passed(&self) -> u64 {
        let [ones, twos, fours, eights] = self.0;
        eights & !(ones | twos | fours)
    }

    fn unmoved_rooks(&self) -> u64 {
        self.0[0] & self.0[1] & self.0[2]
    }

    /// The position as shakmaty represents it, without move counters; `None` if it is illegal.
    #[must_use]
    pub fn position(&self, turn: Color) -> Option<Chess> {
        legal_position(Setup {
            board: shakmaty::Board::try_from_bitboards(self.by_role(), self.by_color()).ok()?,
            turn,
            castling_rights: self.castling_rooks(),
            ep_square: self.en_passant(),
            ..Setup::empty()
        })
    }
}

/// Makes a position from a setup. Accepts positions with too much material or impossible checks. Returns
/// `None` if shakmaty finds any other fault.
#[must_use]
pub fn legal_position(setup: Setup) -> Option<Chess> {
    match Chess::from_setup(setup, CastlingMode::Standard) {
        Ok(position) => Some(position),
        Err(error) => error.ignore_too_much_material().or_else(PositionError::ignore_impossible_check).ok(),
    }
}

fn code(color: Color, role: u8) -> u8 {
    color.fold_wb(role, role | BLACK)
}

fn color_of(code: u8) -> Option<Color> {
    (code & 7 != 0).then(|| Color::from_white(code & BLACK == 0))
}

/// The role that a code stands for, in either colour.
#[inline]
pub(crate) fn role_of(code: u8) -> Option<Role> {
    const ROLES: [Option<Role>; 8] = [
        None,
        Some(Role::Pawn),
        Some(Role::Knight),
        Some(Role::Bishop),
        Some(Role::Rook),
        Some(Role::Queen),
        Some(Role::King),
        Some(Role::Rook),
    ];
    ROLES[usize::from(code & 7)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Key};
    use proptest::prelude::*;
    use shakmaty::{EnPassantMode, fen::Epd, san::San};

    fn epd(position: &Chess) -> String {
        Epd::from_position(position, EnPassantMode::PseudoLegal).to_string()
    }

    #[test]
    fn the_start_is_the_start() {
        let start = Placement::of(&Chess::default()).position(Color::White).unwrap();
        assert_eq!(start, Chess::default());
        assert_eq!(Key::of(&start), Key::START);
    }

    #[test]
    fn a_move_that_cannot_be_is_none() {
        use shakmaty::Square as S;
        let start = Placement::of(&Chess::default());
        assert_eq!(start.after(Color::White, PackedMove::new(S::E7, S::E5, None)), None);
        assert_eq!(start.after(Color::White, PackedMove::new(S::E4, S::E5, None)), None);
        assert_eq!(start.after(Color::White, PackedMove::new(S::A1, S::A2, None)), None);
    }

    proptest! {
        #[test]
        fn prop_random_games_equal_shakmaty(choices in prop::collection::vec(0usize..200, 0..250)) {
            let (mut position, mut placement) = (Chess::default(), Placement::of(&Chess::default()));
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() { break; }
                let (m, key) = (moves[choice % moves.len()], Key::of(&position));
                let (after, step) = placement.after(position.turn(), PackedMove::pack(m)).unwrap();
                let ply = Board::at(&position).play_san(&San::from_move(&position, m)).unwrap();
                prop_assert_eq!((PackedMove::pack(m), step), (ply.mv, ply.step));
                position.play_unchecked(m);
                prop_assert_eq!(step.child(key, ply.mv), Key::of(&position));
                placement = after;
                let ours = placement.position(position.turn()).unwrap();
                prop_assert_eq!(epd(&ours), epd(&position));
                prop_assert_eq!(Key::of(&ours), Key::of(&position));
            }
        }
    }
}
