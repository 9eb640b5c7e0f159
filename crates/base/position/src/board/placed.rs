//! Makes a board from the four words of a placement.

use shakmaty::{Bitboard, ByColor, Color, Rank, Role, Square};

use super::{Board, number, tables};
use crate::{Key, Placement, spread::spread, step::RIGHTS};

/// The home squares of the king and the rook for each castling right, in the order of [`RIGHTS`].
const HOMES: [(Square, Square); 4] =
    [(Square::E1, Square::H1), (Square::E1, Square::A1), (Square::E8, Square::H8), (Square::E8, Square::A8)];

impl Board {
    /// Makes a board from `placement`; `key` must be the key of the position. Returns `None` if the position
    /// is illegal. This gives the same position as [`Placement::position`], in a fraction of the time.
    #[must_use]
    pub fn of_placement(placement: &Placement, turn: Color, key: Key) -> Option<Self> {
        if placement.en_passant().is_some() {
            return placement.position(turn).map(|position| Self::at(&position));
        }
        let mut board = Self {
            pieces: pieces(placement),
            mailbox: [0; 64],
            turn: number(turn),
            rights: rights(placement)?,
            en_passant: 0,
            possible_checkers: u64::MAX,
            sensitive: 0,
            key: key.0,
            tables: tables::tables(),
        };
        if !board.is_possible() {
            return None;
        }
        board.sensitive = board.sensitive_squares();
        let (rooks, [ones, twos, fours, _]) = (placement.castling_rooks().0, placement.0);
        let planes = [ones & !rooks, twos & !rooks, fours];
        for (rank, roles) in board.mailbox.chunks_exact_mut(8).enumerate() {
            roles.copy_from_slice(&spread(&planes.map(|plane| plane >> (8 * rank))));
        }
        debug_assert_eq!(key, board.hashed_in_full(), "the key that is known and the key of the pieces");
        Some(board)
    }

    /// Whether each side has one king, the king of the side that just moved is not attacked, and no pawn is
    /// on a first or last rank.
    fn is_possible(&self) -> bool {
        let [white, black] = &self.pieces;
        let back_ranks = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
        let has_one_king = |pieces: &[u64; 8]| pieces[Role::King as usize].is_power_of_two();
        let pawns = white[Role::Pawn as usize] | black[Role::Pawn as usize];
        has_one_king(white)
            && has_one_king(black)
            && pawns & back_ranks.0 == 0
            && !self.is_attacked(self.king(1 - self.us()), self.all(), self.us(), 0)
    }
}

fn pieces(placement: &Placement) -> [[u64; 8]; 2] {
    let roles = placement.by_role();
    let ByColor { white, black } = placement.by_color();
    [white, black].map(|own| {
        let mut pieces = [own.0, 0, 0, 0, 0, 0, 0, 0];
        for (role, squares) in roles.zip_role() {
            pieces[role as usize] = (squares & own).0;
        }
        pieces
    })
}

/// The castling rights, one bit for each; `None` if a king or rook with a right is not on its home square.
fn rights(placement: &Placement) -> Option<u8> {
    let rooks = placement.castling_rooks();
    if rooks.is_empty() {
        return Some(0);
    }
    let (mut rights, mut known) = (0, Bitboard::EMPTY);
    for (bit, ((color, _), (king, rook))) in RIGHTS.into_iter().zip(HOMES).enumerate() {
        let own = *placement.by_color().get(color);
        if rooks.contains(rook) && own.contains(rook) && (own & placement.by_role().king).contains(king) {
            rights |= 1 << bit;
            known.add(rook);
        }
    }
    (known == rooks).then_some(rights)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, FromSetup as _, Position as _, PositionError, Setup, fen::Fen};

    use super::*;

    /// The rights of a Chess960 position, in which kings and rooks may have other home squares.
    fn rights_of(fen: &str) -> Option<u8> {
        let setup: Setup = fen.parse::<Fen>().unwrap().into_setup();
        let position = Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .unwrap();
        assert!(position.castles().any());
        rights(&Placement::of(&position))
    }

    #[test]
    fn rights_are_known_where_king_and_rook_are_at_home() {
        assert_eq!(rights_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), Some(0b1111));
        assert_eq!(rights_of("4k3/8/8/8/8/8/8/1K5R w H - 0 1"), None);
        assert_eq!(rights_of("4k3/8/8/8/8/8/8/1K2N2R w H - 0 1"), None, "a knight at the king's home");
        assert_eq!(rights_of("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1"), None, "a rook that is not at home");
    }
}
