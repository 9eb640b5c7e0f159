//! The step of a move: sixteen bits that, together with the move and the key before it, determine the key
//! after the move.
//!
//! A key cannot be turned back into a position, so the key and the move alone determine neither the side to
//! move nor the key of the next position. With the step, both can be computed without a board. The bits of a
//! step depend only on the position and the move, so observations with the same key, move and group have the
//! same step.
//!
//! # Format
//!
//! | bits | meaning |
//! |---|---|
//! | 15 | mover: 1 White, 0 Black |
//! | 12–14 | role that moves: 1 pawn … 6 king; 0 for a terminal visit |
//! | 9–11 | captured: 0 nothing, 1 pawn … 5 queen, 6 castling, 7 en passant |
//! | 5–8 | castling rights lost: bit 5 White king side, 6 White queen side, 7 Black king side, 8 Black queen side |
//! | 1–4 | en passant file hashed before the move: 0 none, 1 a … 8 h |
//! | 0 | whether an en passant file (that of the move) is hashed after it |
//!
//! # Stability
//!
//! Steps are stored in tables and sorted runs. The encoding of steps changes only when these files get a new
//! format version.

use shakmaty::{
    CastlingSide, Color, File, Piece, Role, Square,
    zobrist::{Zobrist64, ZobristValue},
};

use crate::{Key, PackedMove};

pub(crate) const CAPTURED_CASTLING: usize = 6;
pub(crate) const CAPTURED_EN_PASSANT: usize = 7;

/// The mover's colour, the roles of the moved and the captured piece, and the changes that the move makes to
/// castling rights and the en passant file.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[must_use]
pub struct Step(pub u16);

/// The bits of a step that encode changes to castling rights and to the en passant file. Few moves change
/// either.
#[derive(Clone, Copy, Default)]
pub(crate) struct RightsChange(u16);

impl RightsChange {
    /// `rights_lost` has one bit for each castling right, in the order of [`RIGHTS`]. `file_before` and
    /// `file_after` are the en passant files that are hashed before and after the move. Files are counted
    /// from 1; 0 means no file.
    pub(crate) fn new(rights_lost: u8, file_before: u8, file_after: u8) -> Self {
        Self(u16::from(rights_lost) << 5 | u16::from(file_before) << 1 | u16::from(file_after != 0))
    }
}

impl Step {
    /// Makes a step from numbers: `color` is 0 for White; `captured` is 0, the number of a role,
    /// `CAPTURED_CASTLING` or `CAPTURED_EN_PASSANT`.
    #[inline]
    pub(crate) fn new(color: usize, role: usize, captured: usize, rights: RightsChange) -> Self {
        Self(((1 - color) << 15 | role << 12 | captured << 9) as u16 | rights.0)
    }

    /// The step of a terminal visit, which holds only the side to move.
    pub fn terminal(mover: Color) -> Self {
        Self(mover.fold_wb(1, 0) << 15)
    }

    /// The side that moves.
    #[must_use]
    pub fn mover(self) -> Color {
        Color::from_white(self.0 >> 15 == 1)
    }

    /// The piece that moves; `None` for a terminal visit.
    #[must_use]
    pub fn role(self) -> Option<Role> {
        Role::try_from(self.0 >> 12 & 7).ok()
    }

    /// Whether the king castles.
    #[must_use]
    pub fn is_castling(self) -> bool {
        self.captured() == CAPTURED_CASTLING
    }

    fn captured(self) -> usize {
        usize::from(self.0 >> 9 & 7)
    }

    fn en_passant_before(self) -> Option<File> {
        let file = self.0 >> 1 & 15;
        (1..=8).contains(&file).then(|| File::new(u32::from(file) - 1))
    }

    /// The key of the position that `mv` leads to from `key`; `key` itself for a terminal visit.
    pub fn child(self, key: Key, mv: PackedMove) -> Key {
        let Some(moved) = self.role() else { return key };
        let mut hash =
            Zobrist64(key.0) ^ Zobrist64::zobrist_for_white_turn() ^ self.pieces(moved, mv) ^ self.rights();
        if let Some(file) = self.en_passant_before() {
            hash ^= Zobrist64::zobrist_for_en_passant_file(file);
        }
        if self.0 & 1 == 1 {
            hash ^= Zobrist64::zobrist_for_en_passant_file(mv.from().file());
        }
        Key(hash.0)
    }

    fn pieces(self, moved: Role, mv: PackedMove) -> Zobrist64 {
        let (us, from, to) = (self.mover(), mv.from(), mv.to());
        if self.captured() == CAPTURED_CASTLING {
            let side = CastlingSide::from_king_side(to.file() > from.file());
            return piece(us, Role::King, from)
                ^ piece(us, Role::King, side.king_to(us))
                ^ piece(us, Role::Rook, to)
                ^ piece(us, Role::Rook, side.rook_to(us));
        }
        let landed = mv.promotion().unwrap_or(moved);
        let own = piece(us, moved, from) ^ piece(us, landed, to);
        match self.captured() {
            CAPTURED_EN_PASSANT => own ^ piece(!us, Role::Pawn, Square::from_coords(to.file(), from.rank())),
            captured => Role::try_from(captured).map_or(own, |role| own ^ piece(!us, role, to)),
        }
    }

    fn rights(self) -> Zobrist64 {
        let mut hash = Zobrist64::default();
        for (bit, (color, side)) in RIGHTS.into_iter().enumerate() {
            if self.0 >> (5 + bit) & 1 == 1 {
                hash ^= Zobrist64::zobrist_for_castling_right(color, side);
            }
        }
        hash
    }
}

/// Castling rights in the order of their bits.
pub(crate) const RIGHTS: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::KingSide),
    (Color::White, CastlingSide::QueenSide),
    (Color::Black, CastlingSide::KingSide),
    (Color::Black, CastlingSide::QueenSide),
];

fn piece(color: Color, role: Role, square: Square) -> Zobrist64 {
    Zobrist64::zobrist_for_piece(square, Piece { color, role })
}
