//! shakmaty's Zobrist numbers (Polyglot's 781 randoms), laid out for the replay.

use std::sync::LazyLock;

use shakmaty::{
    Color, File, Piece, Role, Square,
    zobrist::{Zobrist64, ZobristValue},
};

use crate::step::RIGHTS;

/// Numbers to exclusive-or into a key.
pub(super) struct Zobrist {
    /// By colour (White 0), role (pawn 0) and square.
    pub(super) pieces: [[[u64; 64]; 6]; 2],
    /// By set of castling rights.
    pub(super) rights: [u64; 16],
    /// By file.
    pub(super) en_passant: [u64; 8],
    /// While White is to move.
    pub(super) white_turn: u64,
}

/// The table, made once a process.
pub(super) fn table() -> &'static Zobrist {
    static TABLE: LazyLock<Box<Zobrist>> = LazyLock::new(|| Box::new(Zobrist::new()));
    &TABLE
}

impl Zobrist {
    fn new() -> Self {
        Self {
            pieces: [Color::White, Color::Black].map(|color| {
                Role::ALL.map(|role| {
                    Square::ALL.map(|square| Zobrist64::zobrist_for_piece(square, Piece { color, role }).0)
                })
            }),
            rights: std::array::from_fn(|set| {
                let held = RIGHTS.into_iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
                held.fold(0, |hash, (_, (color, side))| {
                    hash ^ Zobrist64::zobrist_for_castling_right(color, side).0
                })
            }),
            en_passant: File::ALL.map(|file| Zobrist64::zobrist_for_en_passant_file(file).0),
            white_turn: Zobrist64::zobrist_for_white_turn().0,
        }
    }
}
