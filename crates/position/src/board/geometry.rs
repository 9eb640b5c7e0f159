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

/// How far one to seven steps lead on a board sixteen files wide, modulo 256.
pub(super) fn gaps((files, ranks): Step) -> impl Iterator<Item = usize> {
    (1..8).map(move |count| usize::from((count * (files + 16 * ranks)).cast_unsigned()))
}

/// The squares of so many steps from a1, on a board that goes round.
pub(super) fn wrapped_steps((files, ranks): Step, count: i8) -> u64 {
    (1..=count).fold(0, |squares, n| squares | 1 << ((n * (files + 8 * ranks)) & 63))
}
