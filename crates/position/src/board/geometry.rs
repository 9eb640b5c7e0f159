//! Squares, steps and lines on an empty board, to fill tables from.

/// Files and ranks of a step.
pub(super) type Step = (i8, i8);

/// A step in each direction: a bishop's at even places, a rook's at odd ones.
pub(super) const DIRECTIONS: [Step; 8] =
    [(1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)];
pub(super) const BISHOP_STEPS: [Step; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
pub(super) const ROOK_STEPS: [Step; 4] = [(0, 1), (-1, 0), (0, -1), (1, 0)];
pub(super) const KNIGHT_STEPS: [Step; 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Squares that one of the steps leads to.
pub(super) fn jumps(square: usize, steps: &[Step]) -> u64 {
    steps.iter().map(|&step| walk(square, step, 1)).fold(0, |squares, more| squares | more)
}

/// Squares that any number of steps of a kind lead to.
pub(super) fn slides(square: usize, steps: &[Step]) -> u64 {
    steps.iter().map(|&step| walk(square, step, 7)).fold(0, |squares, more| squares | more)
}

fn walk(square: usize, (files, ranks): Step, count: i8) -> u64 {
    let (file, rank) = ((square % 8) as i8, (square / 8) as i8);
    let squares = (1..=count).map(|n| (file + n * files, rank + n * ranks));
    squares
        .filter(|(file, rank)| (0..8).contains(file) && (0..8).contains(rank))
        .fold(0, |squares, (file, rank)| squares | 1 << (8 * rank + file))
}

/// The line in steps of a kind from a square through another to the edge; no squares if the other is not reached.
pub(super) fn line(start: usize, through: usize, steps: &[Step]) -> u64 {
    let lines = steps.iter().map(|&step| walk(start, step, 7));
    lines.filter(|line| line >> through & 1 == 1).fold(0, |squares, line| squares | line)
}

/// Squares between two squares on a line.
pub(super) fn between(from: usize, to: usize) -> u64 {
    line(from, to, &DIRECTIONS) & line(to, from, &DIRECTIONS)
}
