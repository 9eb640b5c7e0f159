//! Look-up tables of the replay: squares reached, lines, and Zobrist numbers.
//!
//! The tables are one allocation, reached through one pointer. The tables indexed by two squares are large,
//! but a game uses few of their rows, because one of the squares is always a king's square or the target of a
//! SAN. The part that a replay uses therefore fits into the first-level cache; tables of magic bitboards
//! would not.

use std::{array::from_fn, sync::LazyLock};

use shakmaty::{File, Rank};

use super::{
    geometry::{self, BISHOP_STEPS, KING_STEPS, KNIGHT_STEPS, ROOK_STEPS, Step},
    zobrist::Zobrist,
};

pub(super) const PAWN: usize = 1;
pub(super) const KNIGHT: usize = 2;
pub(super) const BISHOP: usize = 3;
pub(super) const ROOK: usize = 4;
pub(super) const QUEEN: usize = 5;
pub(super) const KING: usize = 6;

/// The numbers of the rows of [`Tables::reach`] for pawns: one row for the pushes and one for the captures of
/// each colour. For any other piece, the row has the number of the piece's role.
const PUSH: usize = 8;
const PUSH_BLACK: usize = 9;
const CAPTURE: usize = 10;
const CAPTURE_BLACK: usize = 11;

/// The directions from a pawn's target square back to its origin, indexed by colour, for pushes and for
/// captures.
const PAWN_ORIGINS: [[&[Step]; 2]; 2] = [[&[(0, -1)], &[(-1, -1), (1, -1)]], [&[(0, 1)], &[(-1, 1), (1, 1)]]];

/// The look-up tables of the replay.
pub(super) struct Tables {
    pub(super) zobrist: Zobrist,
    /// The squares that a piece may come from, indexed by row and target square.
    reach: [[u64; 64]; 16],
    /// The squares that an attacker may be on, indexed by its colour and role and by the attacked square.
    attackers: [[[u64; 64]; 8]; 2],
    /// The straight line and the diagonal from a square through another square to the edge of the board,
    /// indexed by both squares. At least one of the two lines is empty.
    lines: [[[u64; 2]; 64]; 64],
    /// The squares between two squares, indexed by both.
    between: [[u64; 64]; 64],
    /// The squares to the left and right of a pawn that moved two squares, indexed by its colour and square.
    pub(super) adjacent: [[u64; 64]; 2],
    /// The squares of each file and of each rank. If a SAN names no file or no rank, entry 8 is used, which
    /// holds every square.
    files: [u64; 16],
    ranks: [u64; 16],
}

/// The tables, built once per process.
pub(super) fn tables() -> &'static Tables {
    static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| Box::new(Tables::new()));
    &TABLES
}

impl Tables {
    fn new() -> Self {
        Self {
            zobrist: Zobrist::new(),
            reach: from_fn(|row| from_fn(|square| reach(row, square))),
            attackers: PAWN_ORIGINS
                .map(|[_, captures]| from_fn(|role| from_fn(|square| attackers(role, square, captures)))),
            lines: from_fn(|start| {
                let [straight, diagonal] =
                    [ROOK_STEPS, BISHOP_STEPS].map(|steps| geometry::lines(start, &steps));
                from_fn(|through| [straight[through], diagonal[through]])
            }),
            between: from_fn(geometry::between),
            adjacent: [3, 4].map(|rank| from_fn(|square| adjacent(rank, square))),
            files: from_fn(|file| if file < 8 { 0x0101_0101_0101_0101 << file } else { u64::MAX }),
            ranks: from_fn(|rank| if rank < 8 { 0xff << (8 * rank) } else { u64::MAX }),
        }
    }

    /// Squares from which a piece of `role` reaches `square` on an empty board; promotions are not
    /// included.
    #[inline]
    pub(super) fn reach(&self, role: usize, color: usize, capture: bool, square: usize) -> u64 {
        let pawn = PUSH + 2 * usize::from(capture) + color;
        self.reach[if role == PAWN { pawn } else { role } & 15][square & 63]
    }

    /// Squares from which a piece of `role` attacks `square` on an empty board.
    #[inline]
    pub(super) fn attackers(&self, role: usize, color: usize, square: usize) -> u64 {
        self.attackers[color & 1][role & 7][square & 63]
    }

    /// The squares between two squares on a line; empty if the two are not on a line. The table's first index
    /// is the target square, so that the look-ups for all candidates of a SAN read the same row.
    #[inline]
    pub(super) fn between(&self, from: usize, to: usize) -> u64 {
        self.between[to & 63][from & 63]
    }

    /// The straight line and the diagonal from a square through another square to the edge of the board. At
    /// least one of the two lines is empty.
    #[inline]
    pub(super) fn lines(&self, start: usize, through: usize) -> [u64; 2] {
        self.lines[start & 63][through & 63]
    }

    /// The squares on the file and the rank that a SAN gives to disambiguate a move. Without a file or a
    /// rank, the squares on all files or ranks.
    #[inline]
    pub(super) fn hint(&self, file: Option<File>, rank: Option<Rank>) -> u64 {
        let file = file.map_or(8, |file| file as usize);
        let rank = rank.map_or(8, |rank| rank as usize);
        self.files[file & 15] & self.ranks[rank & 15]
    }
}

/// Computes the entry of [`Tables::reach`] for a row and a square.
fn reach(row: usize, square: usize) -> u64 {
    let rank = square / 8;
    match (row, rank) {
        (PUSH, 3) => geometry::jumps(square, &[(0, -1), (0, -2)]),
        (PUSH_BLACK, 4) => geometry::jumps(square, &[(0, 1), (0, 2)]),
        (PUSH | PUSH_BLACK | CAPTURE | CAPTURE_BLACK, 0 | 7) => 0,
        (PUSH | PUSH_BLACK, _) => geometry::jumps(square, PAWN_ORIGINS[row - PUSH][0]),
        (CAPTURE | CAPTURE_BLACK, _) => geometry::jumps(square, PAWN_ORIGINS[row - CAPTURE][1]),
        _ => attackers(row, square, &[]),
    }
}

/// The squares to the left and right of a square on `rank`; empty for squares on other ranks.
fn adjacent(rank: usize, square: usize) -> u64 {
    if square / 8 == rank { geometry::jumps(square, &[(-1, 0), (1, 0)]) } else { 0 }
}

/// Squares from which a piece of `role` attacks a square; `pawns` holds the directions for pawns.
fn attackers(role: usize, square: usize, pawns: &[Step]) -> u64 {
    match role {
        PAWN => geometry::jumps(square, pawns),
        KNIGHT => geometry::jumps(square, &KNIGHT_STEPS),
        BISHOP => geometry::slides(square, &BISHOP_STEPS),
        ROOK => geometry::slides(square, &ROOK_STEPS),
        QUEEN => geometry::slides(square, &KING_STEPS),
        KING => geometry::jumps(square, &KING_STEPS),
        _ => 0,
    }
}
