//! shakmaty's Zobrist numbers (Polyglot's 781 randoms), laid out for the replay.

use shakmaty::{
    Color, File, Piece, Role, Square,
    zobrist::{Zobrist64, ZobristValue},
};

use crate::step::RIGHTS;

/// The random numbers that are combined into a key by exclusive or.
pub(super) struct Zobrist {
    /// The numbers of pieces, indexed by colour (White is 0), role (a pawn is 1) and square. Role 0 means
    /// that there is no piece, so all its numbers are 0.
    pub(super) pieces: [[[u64; 64]; 8]; 2],
    /// The numbers of castling rights, indexed by the set of rights.
    pub(super) rights: [u64; 16],
    /// The numbers of en passant files, indexed by file, counted from 1. Entry 0, for positions without an en
    /// passant file, is 0.
    pub(super) en_passant: [u64; 16],
    /// The number that is included in the key if White is to move.
    pub(super) white_turn: u64,
}

impl Zobrist {
    pub(super) fn new() -> Self {
        Self {
            pieces: [Color::White, Color::Black].map(|color| {
                std::array::from_fn(|role| std::array::from_fn(|square| piece(color, role, square)))
            }),
            rights: std::array::from_fn(|set| {
                let held = RIGHTS.into_iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
                held.fold(0, |hash, (_, (color, side))| {
                    hash ^ Zobrist64::zobrist_for_castling_right(color, side).0
                })
            }),
            en_passant: std::array::from_fn(|file| match file {
                1..=8 => Zobrist64::zobrist_for_en_passant_file(File::new(file as u32 - 1)).0,
                _ => 0,
            }),
            white_turn: Zobrist64::zobrist_for_white_turn().0,
        }
    }
}

fn piece(color: Color, role: usize, square: usize) -> u64 {
    Role::try_from(role)
        .ok()
        .map_or(0, |role| Zobrist64::zobrist_for_piece(Square::new(square as u32), Piece { color, role }).0)
}
