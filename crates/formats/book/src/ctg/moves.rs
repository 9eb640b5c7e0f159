//! Decodes the byte of a move: which piece moves, and how far.
//!
//! # Format
//!
//! Each byte stands for a piece and a step. A step consists of a number of files to the right and a number of
//! ranks up. A piece is identified by its kind and its place among the pieces of this kind, counted file by
//! file from a1. A move that runs off one edge of the board comes back in from the opposite edge. A king move
//! of two squares is castling; a pawn that reaches the last rank becomes a queen. No known rule explains
//! which byte stands for which move. (Source: Sesse's specification, rybkaforum.net, topic 2319, compared
//! with DroidFish's `CtgBook.java`.)

use shakmaty::Role;

/// The steps of one kind of piece. Each tuple contains the piece's place among the pieces of its kind, the
/// number of files, the number of ranks, and the byte.
type Steps = [(u8, i8, i8, u8)];

/// The meaning of a byte: the piece that moves, and how far it moves.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Step {
    pub(super) role: Role,
    /// The piece's place among the pieces of its kind, from 0.
    pub(super) place: usize,
    pub(super) files: i8,
    pub(super) ranks: i8,
}

/// The step that a byte stands for; `None` for an unknown byte.
pub(super) fn step(code: u8) -> Option<Step> {
    KINDS.iter().find_map(|&(role, steps)| {
        let &(place, files, ranks, _) = steps.iter().find(|step| step.3 == code)?;
        Some(Step { role, place: usize::from(place), files, ranks })
    })
}

const KINDS: [(Role, &Steps); 6] = [
    (Role::Pawn, PAWN),
    (Role::Knight, KNIGHT),
    (Role::Bishop, BISHOP),
    (Role::Rook, ROOK),
    (Role::Queen, QUEEN),
    (Role::King, KING),
];

#[rustfmt::skip]
const PAWN: &Steps = &[
    (0, -1, 1, 0x0c), (0, 0, 1, 0xec), (0, 0, 2, 0xdb), (0, 1, 1, 0x8b), (1, -1, 1, 0xd1),
    (1, 0, 1, 0x04), (1, 0, 2, 0x62), (1, 1, 1, 0x96), (2, -1, 1, 0x27), (2, 0, 1, 0x55),
    (2, 0, 2, 0x9b), (2, 1, 1, 0x7c), (3, -1, 1, 0x06), (3, 0, 1, 0xcf), (3, 0, 2, 0xe6),
    (3, 1, 1, 0xeb), (4, -1, 1, 0xde), (4, 0, 1, 0xbb), (4, 0, 2, 0x5f), (4, 1, 1, 0x00),
    (5, -1, 1, 0x82), (5, 0, 1, 0xcb), (5, 0, 2, 0xb1), (5, 1, 1, 0x2d), (6, -1, 1, 0xc7),
    (6, 0, 1, 0x18), (6, 0, 2, 0xc8), (6, 1, 1, 0x5c), (7, -1, 1, 0x24), (7, 0, 1, 0xa3),
    (7, 0, 2, 0x4a), (7, 1, 1, 0x14),
];
#[rustfmt::skip]
const KNIGHT: &Steps = &[
    (0, -2, -1, 0x0f), (0, -2, 1, 0xf7), (0, -1, -2, 0xda), (0, -1, 2, 0x85), (0, 1, -2, 0x8a),
    (0, 1, 2, 0x34), (0, 2, -1, 0xe9), (0, 2, 1, 0x36), (1, -2, -1, 0x01), (1, -2, 1, 0xd3),
    (1, -1, -2, 0x30), (1, -1, 2, 0xf3), (1, 1, -2, 0x2a), (1, 1, 2, 0x4c), (1, 2, -1, 0xe0),
    (1, 2, 1, 0xd2),
];
#[rustfmt::skip]
const BISHOP: &Steps = &[
    (0, -7, 7, 0x26), (0, -6, 6, 0xb2), (0, -5, 5, 0x3c), (0, -3, 3, 0x66), (0, -2, 2, 0xc3),
    (0, -1, 1, 0x1b), (0, 1, 1, 0x2e), (0, 2, 2, 0xc1), (0, 3, 3, 0x0d), (0, 4, 4, 0x6a),
    (0, 5, 5, 0x15), (0, 6, 6, 0x3a), (0, 7, 7, 0x12), (1, -7, 7, 0x72), (1, -6, 6, 0x79),
    (1, -5, 5, 0xcc), (1, -4, 4, 0x9f), (1, -3, 3, 0xca), (1, -2, 2, 0x22), (1, -1, 1, 0x54),
    (1, 1, 1, 0xf5), (1, 2, 2, 0xc2), (1, 3, 3, 0xb9), (1, 5, 5, 0x32), (1, 6, 6, 0x09),
    (1, 7, 7, 0x1d),
];
#[rustfmt::skip]
const ROOK: &Steps = &[
    (0, 0, 1, 0x81), (0, 0, 2, 0xe8), (0, 0, 3, 0x7a), (0, 0, 4, 0x99), (0, 0, 5, 0x87),
    (0, 0, 6, 0x50), (0, 0, 7, 0xe1), (0, 1, 0, 0x7f), (0, 2, 0, 0xcd), (0, 3, 0, 0x98),
    (0, 4, 0, 0xef), (0, 5, 0, 0x6e), (0, 6, 0, 0x52), (0, 7, 0, 0x86), (1, 0, 1, 0x7d),
    (1, 0, 2, 0xf4), (1, 0, 3, 0xe3), (1, 0, 4, 0xc5), (1, 0, 5, 0xa5), (1, 0, 6, 0x7b),
    (1, 0, 7, 0x69), (1, 1, 0, 0xc4), (1, 2, 0, 0xa9), (1, 3, 0, 0x0e), (1, 4, 0, 0xad),
    (1, 5, 0, 0xb5), (1, 6, 0, 0xd8), (1, 7, 0, 0x21),
];
#[rustfmt::skip]
const QUEEN: &Steps = &[
    (0, -7, 7, 0x42), (0, -6, 6, 0x80), (0, -5, 5, 0x4b), (0, -3, 3, 0x7e), (0, -2, 2, 0xd9),
    (0, -1, 1, 0xd7), (0, 0, 1, 0x05), (0, 0, 2, 0x9d), (0, 0, 3, 0x94), (0, 0, 4, 0x37),
    (0, 0, 5, 0xb7), (0, 0, 6, 0x9a), (0, 0, 7, 0xfd), (0, 1, 0, 0x2f), (0, 1, 1, 0xf1),
    (0, 2, 0, 0x74), (0, 2, 2, 0xa2), (0, 3, 0, 0x31), (0, 3, 3, 0x45), (0, 4, 0, 0xe5),
    (0, 4, 4, 0xe7), (0, 5, 0, 0x39), (0, 5, 5, 0x28), (0, 6, 0, 0x29), (0, 6, 6, 0x61),
    (0, 7, 0, 0x8f), (0, 7, 7, 0xed), (1, -7, 7, 0x63), (1, -6, 6, 0xab), (1, -5, 5, 0x3b),
    (1, -4, 4, 0x38), (1, -3, 3, 0xfe), (1, -2, 2, 0x8e), (1, -1, 1, 0xee), (1, 0, 1, 0x4d),
    (1, 0, 2, 0xbd), (1, 0, 3, 0xa0), (1, 0, 4, 0xb0), (1, 0, 5, 0xc6), (1, 0, 6, 0x1a),
    (1, 0, 6, 0xf9), (1, 0, 7, 0xc9), (1, 1, 0, 0xf8), (1, 1, 1, 0x92), (1, 2, 0, 0x03),
    (1, 2, 2, 0xfb), (1, 3, 0, 0xfa), (1, 3, 3, 0xae), (1, 4, 0, 0x08), (1, 5, 0, 0xbc),
    (1, 5, 5, 0x41), (1, 6, 6, 0x23), (1, 7, 0, 0xf0), (1, 7, 7, 0x6f),
];
#[rustfmt::skip]
const KING: &Steps = &[
    (0, -2, 0, 0xf6), (0, -1, -1, 0x8c), (0, -1, 0, 0x97), (0, -1, 1, 0xdf), (0, 0, -1, 0x0a),
    (0, 0, 1, 0x13), (0, 1, -1, 0x44), (0, 1, 0, 0xbe), (0, 1, 1, 0x67), (0, 2, 0, 0x6b),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// No two bytes stand for the same step, apart from one known pair.
    #[test]
    fn bytes_name_different_steps() {
        let steps: Vec<_> = (0..=u8::MAX).filter_map(|code| Some((code, step(code)?))).collect();
        assert_eq!(steps.len(), 166);
        let is_twice =
            |(code, found): &(u8, Step)| steps.iter().any(|(other, step)| other < code && step == found);
        let twice: Vec<_> = steps.iter().filter(|step| is_twice(step)).map(|(code, _)| *code).collect();
        assert_eq!(twice, [0xf9]);
        let e4 = Step { role: Role::Pawn, place: 4, files: 0, ranks: 2 };
        assert_eq!((step(0x5f), step(0x3f)), (Some(e4), None));
    }
}
