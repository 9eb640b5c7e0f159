//! Computes sets of squares on an empty board: the squares that a piece can reach, the squares on the line
//! from one square through another, and the squares between two squares. The look-up tables are filled with
//! these sets.

/// A direction, as the change of file and rank in one step.
pub(super) type Step = (i8, i8);

pub(super) const BISHOP_STEPS: [Step; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
pub(super) const ROOK_STEPS: [Step; 4] = [(0, 1), (-1, 0), (0, -1), (1, 0)];
pub(super) const KING_STEPS: [Step; 8] =
    [(1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)];
pub(super) const KNIGHT_STEPS: [Step; 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The squares that are one step away in any of these directions.
pub(super) fn jumps(square: usize, steps: &[Step]) -> u64 {
    set(steps.iter().filter_map(|&step| walk(square, step).next()))
}

/// The squares that are any number of steps away in any of these directions.
pub(super) fn slides(square: usize, steps: &[Step]) -> u64 {
    set(steps.iter().flat_map(|&step| walk(square, step)))
}

/// For each square, the line from `start` through that square to the edge of the board; empty if none of the
/// directions leads to that square.
pub(super) fn lines(start: usize, steps: &[Step]) -> [u64; 64] {
    let mut lines = [0; 64];
    for &step in steps {
        let line = set(walk(start, step));
        for through in walk(start, step) {
            lines[through] = line;
        }
    }
    lines
}

/// For each square, the squares between `start` and that square; empty if a queen could not move from one to
/// the other.
pub(super) fn between(start: usize) -> [u64; 64] {
    let mut between = [0; 64];
    for step in KING_STEPS {
        let mut passed = 0;
        for end in walk(start, step) {
            between[end] = passed;
            passed |= 1 << end;
        }
    }
    between
}

/// The squares from `square` in one direction, up to the edge of the board; `square` itself is not included.
fn walk(square: usize, (files, ranks): Step) -> impl Iterator<Item = usize> {
    let (file, rank) = ((square % 8) as i8, (square / 8) as i8);
    (1..8)
        .map(move |count| (file + count * files, rank + count * ranks))
        .take_while(|(file, rank)| (0..8).contains(file) && (0..8).contains(rank))
        .map(|(file, rank)| usize::from((8 * rank + file).cast_unsigned()))
}

fn set(squares: impl Iterator<Item = usize>) -> u64 {
    squares.fold(0, |set, square| set | 1 << square)
}
