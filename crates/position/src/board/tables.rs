//! Which squares lie where, in tables small enough to stay in the first-level cache.
//!
//! A line between two squares depends, but for where it begins, on the difference of their numbers on a board sixteen files
//! wide, where no two directions share a difference. A table by that difference has 256 rows where one by both squares has 4096.

pub(super) const PAWN: usize = 1;
pub(super) const KNIGHT: usize = 2;
pub(super) const BISHOP: usize = 3;
pub(super) const ROOK: usize = 4;
pub(super) const QUEEN: usize = 5;
pub(super) const KING: usize = 6;

/// Files and ranks of a step in each direction: a bishop's at even places, a rook's at odd ones.
const DIRECTIONS: [(i8, i8); 8] = [(1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)];
const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// The row of squares that are on no line with one another.
const NO_DIRECTION: u8 = 8;

/// What a piece does, as a row of [`REACH`]: the number of its role, or for pawns, which do more than one thing, one of these
/// and the colour.
const PUSH: usize = 8;
const CAPTURE: usize = 10;
const ATTACK: usize = 12;

static REACH: [[u64; 64]; 16] = {
    let mut table = [[0; 64]; 16];
    let mut at = 0;
    while at < 64 {
        let square = at as i8;
        table[KNIGHT][at] = jumps(square, &LEAPS);
        table[KING][at] = jumps(square, &DIRECTIONS);
        table[BISHOP][at] = rays(square, 0);
        table[ROOK][at] = rays(square, 1);
        table[QUEEN][at] = table[BISHOP][at] | table[ROOK][at];
        table[ATTACK][at] = jumps(square, &[(-1, -1), (1, -1)]);
        table[ATTACK + 1][at] = jumps(square, &[(-1, 1), (1, 1)]);
        if square / 8 != 0 && square / 8 != 7 {
            table[PUSH][at] = jumps(square, &[(0, -1)]);
            table[PUSH + 1][at] = jumps(square, &[(0, 1)]);
            table[CAPTURE][at] = table[ATTACK][at];
            table[CAPTURE + 1][at] = table[ATTACK + 1][at];
        }
        if square / 8 == 3 {
            table[PUSH][at] |= jumps(square, &[(0, -2)]);
        }
        if square / 8 == 4 {
            table[PUSH + 1][at] |= jumps(square, &[(0, 2)]);
        }
        at += 1;
    }
    table
};

/// By direction and square; the last rows are empty.
static RAYS: [[u64; 64]; 16] = {
    let mut table = [[0; 64]; 16];
    let mut at = 0;
    while at < 64 {
        let mut direction = 0;
        while direction < 8 {
            table[direction][at] = ray(at as i8, DIRECTIONS[direction], 7);
            direction += 1;
        }
        at += 1;
    }
    table
};

/// By [`gap`], the direction.
static COURSE: [u8; 256] = {
    let mut table = [NO_DIRECTION; 256];
    let mut direction = 0;
    while direction < 8 {
        let mut distance = 1;
        while distance < 8 {
            table[wide_gap(DIRECTIONS[direction], distance)] = direction as u8;
            distance += 1;
        }
        direction += 1;
    }
    table
};

/// By [`gap`], the squares between, as if the first square were a1 and the board went round.
static BETWEEN: [u64; 256] = {
    let mut table = [0; 256];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = DIRECTIONS[direction];
        let mut distance = 2;
        while distance < 8 {
            let before = table[wide_gap(DIRECTIONS[direction], distance - 1)];
            let last = (distance - 1) * (files + 8 * ranks);
            table[wide_gap(DIRECTIONS[direction], distance)] = before | 1 << (last & 63);
            distance += 1;
        }
        direction += 1;
    }
    table
};

/// Squares beside a square on the rank where a pawn of the colour ends a step of two.
pub(super) static BESIDE: [[u64; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut file = 0;
    while file < 8 {
        table[0][24 + file] = jumps(24 + file as i8, &[(-1, 0), (1, 0)]);
        table[1][32 + file] = jumps(32 + file as i8, &[(-1, 0), (1, 0)]);
        file += 1;
    }
    table
};

const fn wide_gap((files, ranks): (i8, i8), distance: i8) -> usize {
    ((files + 16 * ranks) * distance).cast_unsigned() as usize
}

const fn jumps(square: i8, steps: &[(i8, i8)]) -> u64 {
    let (mut squares, mut at) = (0, 0);
    while at < steps.len() {
        squares |= ray(square, steps[at], 1);
        at += 1;
    }
    squares
}

/// Squares on every second of the eight lines from a square, from the `first`.
const fn rays(square: i8, first: usize) -> u64 {
    let (mut squares, mut direction) = (0, first);
    while direction < 8 {
        squares |= ray(square, DIRECTIONS[direction], 7);
        direction += 2;
    }
    squares
}

const fn ray(square: i8, (files, ranks): (i8, i8), steps: i8) -> u64 {
    let (mut squares, mut step) = (0, 1);
    let (file, rank) = (square % 8, square / 8);
    while step <= steps {
        let (file, rank) = (file + step * files, rank + step * ranks);
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            squares |= 1 << (8 * rank + file);
        }
        step += 1;
    }
    squares
}

/// How far and in what direction one square is from another: the difference on a board sixteen files wide.
#[inline]
fn gap(from: usize, to: usize) -> usize {
    let wide = |square| square + (square & 0o70);
    usize::from((wide(to) as u8).wrapping_sub(wide(from) as u8))
}

/// Squares from which a piece of `role` reaches `square` on an empty board, where a pawn of `color` turns into nothing.
#[inline]
pub(super) fn reach(role: usize, color: usize, capture: bool, square: usize) -> u64 {
    let pawn = PUSH + 2 * usize::from(capture) + color;
    REACH[if role == PAWN { pawn } else { role } & 15][square & 63]
}

/// Squares from which a piece of `role` attacks `square` on an empty board.
#[inline]
pub(super) fn attackers(role: usize, color: usize, square: usize) -> u64 {
    REACH[if role == PAWN { ATTACK + color } else { role } & 15][square & 63]
}

/// Squares between two squares on a line.
#[inline]
pub(super) fn between(from: usize, to: usize) -> u64 {
    BETWEEN[gap(from, to)].rotate_left(from as u32)
}

/// The line from `start` through `through` to the edge, and the role that moves along it besides the queen. No squares if the
/// two are on no line.
#[inline]
pub(super) fn line(start: usize, through: usize) -> (u64, usize) {
    let direction = usize::from(COURSE[gap(start, through)]);
    (RAYS[direction & 15][start & 63], BISHOP + (direction & 1))
}
