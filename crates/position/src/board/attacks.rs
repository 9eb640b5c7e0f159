//! Who attacks a square.
//!
//! Sliders are found the cheap way round: few stand on a line with the square at all, and for those it is one look-up to see
//! whether anything stands between. The tables fit the first-level cache, which magic bitboards' do not.

use shakmaty::{Color, Role, Square, attacks};

use super::Board;

const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;
pub(super) const KING: usize = 5;

/// Squares on the same file or rank as each square, on an empty board.
static STRAIGHTS: [u64; 64] = lines(&[(1, 0), (-1, 0), (0, 1), (0, -1)]);
/// Squares on the same diagonals.
static DIAGONALS: [u64; 64] = lines(&[(1, 1), (1, -1), (-1, 1), (-1, -1)]);

const fn lines(directions: &[(i32, i32)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0_u8;
    while square < 64 {
        let mut direction = 0;
        while direction < directions.len() {
            let (file_step, rank_step) = directions[direction];
            let (mut file, mut rank) = ((square % 8) as i32 + file_step, (square / 8) as i32 + rank_step);
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square as usize] |= 1 << (rank * 8 + file);
                (file, rank) = (file + file_step, rank + rank_step);
            }
            direction += 1;
        }
        square += 1;
    }
    table
}

impl Board {
    /// Whether a piece of colour `by`, those on `removed` squares aside, attacks `square` when `occupied` squares block.
    #[inline]
    pub(super) fn is_attacked(&self, square: u8, occupied: u64, by: usize, removed: u64) -> bool {
        let (pieces, at) = (&self.pieces[by], sq(square));
        let leapers = attacks::knight_attacks(at).0 & pieces[KNIGHT]
            | pawn_attacks(1 - by, square) & pieces[PAWN]
            | attacks::king_attacks(at).0 & pieces[KING];
        let sliders = STRAIGHTS[usize::from(square)] & (pieces[ROOK] | pieces[QUEEN])
            | DIAGONALS[usize::from(square)] & (pieces[BISHOP] | pieces[QUEEN]);
        leapers & !removed != 0 || any_open(sliders & !removed, square, occupied)
    }

    /// Whether moving a piece of `role` between the squares, taking what stands on `to` and on `also_taken` squares,
    /// leaves the mover's king unattacked.
    #[inline]
    pub(super) fn keeps_king_safe(&self, role: usize, from: u8, to: u8, also_taken: u64) -> bool {
        let us = usize::from(self.turn);
        let occupied = self.all() & !(1 << from | also_taken) | 1 << to;
        let king = if role == KING { to } else { self.pieces[us][KING].trailing_zeros() as u8 };
        !self.is_attacked(king, occupied, 1 - us, 1 << to | also_taken)
    }
}

/// Whether one of the sliders, which all stand on a line with `square`, sees it.
#[inline]
fn any_open(mut sliders: u64, square: u8, occupied: u64) -> bool {
    while sliders != 0 {
        if is_open(sliders.trailing_zeros() as u8, square, occupied) {
            return true;
        }
        sliders &= sliders - 1;
    }
    false
}

/// Whether nothing stands between two squares.
#[inline]
pub(super) fn is_open(from: u8, to: u8, occupied: u64) -> bool {
    attacks::between(sq(from), sq(to)).0 & occupied == 0
}

/// Squares that a pawn of `color` on `square` attacks.
#[inline]
pub(super) fn pawn_attacks(color: usize, square: u8) -> u64 {
    attacks::pawn_attacks(Color::from_white(color == 0), sq(square)).0
}

/// Squares from which a piece of `role` reaches `square` on an empty board.
#[inline]
pub(super) fn piece_reach(role: Role, square: Square) -> u64 {
    let at = usize::from(square);
    match role {
        Role::Pawn => unreachable!("pawns do not move as they attack"),
        Role::Knight => attacks::knight_attacks(square).0,
        Role::Bishop => DIAGONALS[at],
        Role::Rook => STRAIGHTS[at],
        Role::Queen => DIAGONALS[at] | STRAIGHTS[at],
        Role::King => attacks::king_attacks(square).0,
    }
}

#[inline]
fn sq(square: u8) -> Square {
    Square::new(u32::from(square))
}
