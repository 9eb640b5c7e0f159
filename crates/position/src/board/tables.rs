//! What a move is looked up in: which squares lie where, and what they add to a key. All of it in one place, reached by one
//! pointer, and the part in use small enough for the first-level cache.
//!
//! A line between two squares depends, but for where it begins, on the difference of their numbers on a board sixteen files
//! wide, where no two directions share a difference. A table by that difference has 256 rows where one by both squares has 4096.

use std::{array::from_fn, sync::LazyLock};

use shakmaty::{File, Rank};

use super::{
    geometry::{self, BISHOP_STEPS, DIRECTIONS, KNIGHT_STEPS, ROOK_STEPS},
    zobrist::Zobrist,
};

pub(super) const PAWN: usize = 1;
pub(super) const KNIGHT: usize = 2;
pub(super) const BISHOP: usize = 3;
pub(super) const ROOK: usize = 4;
pub(super) const QUEEN: usize = 5;
pub(super) const KING: usize = 6;

/// What a piece does, as a row of [`Tables::reach`]: the number of its role, or for pawns, which do more than one thing, one of
/// these and the colour.
const PUSH: usize = 8;
const CAPTURE: usize = 10;
const ATTACK: usize = 12;

/// The row of squares that are on no line with one another.
const NO_DIRECTION: u8 = 8;

pub(super) struct Tables {
    pub(super) zobrist: Zobrist,
    /// By what a piece does and the square that it comes to.
    reach: [[u64; 64]; 16],
    /// By direction and square; the last rows are empty.
    rays: [[u64; 64]; 16],
    /// By [`gap`], the direction.
    directions: [u8; 256],
    /// By [`gap`], the squares between, as if the first square were a1 and the board went round.
    between: [u64; 256],
    /// By colour and square on the rank where its pawn ends a step of two, the squares beside.
    pub(super) beside: [[u64; 64]; 2],
    /// Castling rights lost when a piece leaves or enters a square.
    pub(super) rights_lost: [u8; 64],
    /// By file and by rank; the row behind the eighth is of no file or rank given.
    files: [u64; 16],
    ranks: [u64; 16],
}

/// The tables, made once a process.
pub(super) fn tables() -> &'static Tables {
    static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| Box::new(Tables::new()));
    &TABLES
}

impl Tables {
    fn new() -> Self {
        let mut directions = [NO_DIRECTION; 256];
        let mut between = [0; 256];
        for (number, direction) in DIRECTIONS.into_iter().enumerate() {
            for (before, gap) in (0..).zip(geometry::gaps(direction)) {
                directions[gap] = number as u8;
                between[gap] = geometry::wrapped_steps(direction, before);
            }
        }
        Self {
            zobrist: Zobrist::new(),
            reach: from_fn(|row| from_fn(|square| reach(row, square))),
            rays: from_fn(|row| {
                from_fn(|square| {
                    DIRECTIONS.get(row).map_or(0, |&direction| geometry::slides(square, &[direction]))
                })
            }),
            directions,
            between,
            beside: [3, 4].map(|rank| {
                from_fn(
                    |square| {
                        if square / 8 == rank { geometry::jumps(square, &[(-1, 0), (1, 0)]) } else { 0 }
                    },
                )
            }),
            rights_lost: from_fn(|square| match square {
                0 => 0b0010,
                4 => 0b0011,
                7 => 0b0001,
                56 => 0b1000,
                60 => 0b1100,
                63 => 0b0100,
                _ => 0,
            }),
            files: from_fn(|file| if file < 8 { 0x0101_0101_0101_0101 << file } else { u64::MAX }),
            ranks: from_fn(|rank| if rank < 8 { 0xff << (8 * rank) } else { u64::MAX }),
        }
    }

    /// Squares from which a piece of `role` reaches `square` on an empty board, where a pawn of `color` turns into nothing.
    #[inline]
    pub(super) fn reach(&self, role: usize, color: usize, capture: bool, square: usize) -> u64 {
        let pawn = PUSH + 2 * usize::from(capture) + color;
        self.reach[if role == PAWN { pawn } else { role } & 15][square & 63]
    }

    /// Squares from which a piece of `role` attacks `square` on an empty board.
    #[inline]
    pub(super) fn attackers(&self, role: usize, color: usize, square: usize) -> u64 {
        self.reach[if role == PAWN { ATTACK + color } else { role } & 15][square & 63]
    }

    /// Squares between two squares on a line; none between others a knight's step apart.
    #[inline]
    pub(super) fn between(&self, from: usize, to: usize) -> u64 {
        self.between[gap(from, to)].rotate_left(from as u32)
    }

    /// The line from a square through another to the edge, and the role that moves along it besides the queen. No squares if
    /// the two are on no line.
    #[inline]
    pub(super) fn line(&self, start: usize, through: usize) -> (u64, usize) {
        let direction = usize::from(self.directions[gap(start, through)]);
        (self.rays[direction & 15][start & 63], BISHOP + (direction & 1))
    }

    /// Squares that a SAN's disambiguation leaves.
    #[inline]
    pub(super) fn hint(&self, file: Option<File>, rank: Option<Rank>) -> u64 {
        let file = file.map_or(8, |file| file as usize);
        let rank = rank.map_or(8, |rank| rank as usize);
        self.files[file & 15] & self.ranks[rank & 15]
    }
}

/// How far and in what direction one square is from another: the difference on a board sixteen files wide.
#[inline]
fn gap(from: usize, to: usize) -> usize {
    let wide = |square| square + (square & 0o70);
    usize::from((wide(to) as u8).wrapping_sub(wide(from) as u8))
}

/// A row of [`Tables::reach`] at a square.
fn reach(row: usize, square: usize) -> u64 {
    let inner = !matches!(square / 8, 0 | 7);
    match row {
        KNIGHT => geometry::jumps(square, &KNIGHT_STEPS),
        BISHOP => geometry::slides(square, &BISHOP_STEPS),
        ROOK => geometry::slides(square, &ROOK_STEPS),
        QUEEN => geometry::slides(square, &DIRECTIONS),
        KING => geometry::jumps(square, &DIRECTIONS),
        PUSH if square / 8 == 3 => geometry::jumps(square, &[(0, -1), (0, -2)]),
        PUSH if inner => geometry::jumps(square, &[(0, -1)]),
        PUSH_BLACK if square / 8 == 4 => geometry::jumps(square, &[(0, 1), (0, 2)]),
        PUSH_BLACK if inner => geometry::jumps(square, &[(0, 1)]),
        CAPTURE if !inner => 0,
        CAPTURE_BLACK if !inner => 0,
        CAPTURE | ATTACK => geometry::jumps(square, &[(-1, -1), (1, -1)]),
        CAPTURE_BLACK | ATTACK_BLACK => geometry::jumps(square, &[(-1, 1), (1, 1)]),
        _ => 0,
    }
}
const PUSH_BLACK: usize = PUSH + 1;
const CAPTURE_BLACK: usize = CAPTURE + 1;
const ATTACK_BLACK: usize = ATTACK + 1;
