//! A board that plays SAN and keeps its key as it goes.

use std::fmt;

use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, Move, Piece, Position as _, Role, Square,
    fen::Fen,
    san::{San, SanError},
    zobrist::{Zobrist64, ZobristValue},
};

use crate::{
    Key, PackedMove, Step,
    step::{Capture, RIGHTS},
};

/// One played move: what to store of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ply {
    /// The move in Polyglot's bits.
    pub mv: PackedMove,
    /// What it changed besides.
    pub step: Step,
}

/// A FEN that cannot be played from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FenError(String);

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FenError {}

/// A position being replayed. Copying one is cheap; playing allocates nothing.
#[derive(Clone, Debug)]
pub struct Board {
    position: Chess,
    /// The key without its en passant part.
    base: Zobrist64,
    rights: u16,
    en_passant: Option<File>,
}

impl Board {
    /// The start position.
    #[must_use]
    pub fn start() -> Self {
        Self::at(Chess::default())
    }

    /// The position of a FEN (standard castling only).
    ///
    /// # Errors
    ///
    /// If the text is no FEN, or the position is not a legal one.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fen: Fen = fen.parse().map_err(|error| FenError(format!("not a FEN: {error}")))?;
        let position = fen
            .into_position(CastlingMode::Standard)
            .map_err(|error| FenError(format!("not a legal position: {error}")))?;
        Ok(Self::at(position))
    }

    /// A board at `position`.
    #[must_use]
    pub fn at(position: Chess) -> Self {
        let en_passant = hashed_file(&position);
        let mut base = Zobrist64(Key::of(&position).0);
        if let Some(file) = en_passant {
            base ^= Zobrist64::zobrist_for_en_passant_file(file);
        }
        Self { base, rights: rights(&position), en_passant, position }
    }

    /// The key of the position.
    #[must_use]
    pub fn key(&self) -> Key {
        match self.en_passant {
            None => Key(self.base.0),
            Some(file) => Key((self.base ^ Zobrist64::zobrist_for_en_passant_file(file)).0),
        }
    }

    /// Who is to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The position as shakmaty has it.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Plays the one legal move that `san` means.
    ///
    /// # Errors
    ///
    /// If no legal move fits, or more than one does; the board stays as it was.
    pub fn play_san(&mut self, san: &San) -> Result<Ply, SanError> {
        let m = san.to_move(&self.position)?;
        Ok(self.play(m))
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) -> Ply {
        let (us, before) = (self.turn(), (self.rights, self.en_passant));
        let (capture, pieces) = change(us, m);
        self.position.play_unchecked(m);
        self.rights = rights(&self.position);
        self.en_passant = hashed_file(&self.position);
        let rights_lost = before.0 & !self.rights;
        self.base ^= pieces ^ Zobrist64::zobrist_for_white_turn() ^ rights_hash(rights_lost);
        debug_assert_eq!(self.key(), Key::of(&self.position), "incremental key after {m:?}");
        let step = Step::new(us, m.role(), capture, rights_lost, [before.1, self.en_passant]);
        Ply { mv: PackedMove::pack(m), step }
    }
}

fn hashed_file(position: &Chess) -> Option<File> {
    position.ep_square(EnPassantMode::PseudoLegal).map(Square::file)
}

fn rights(position: &Chess) -> u16 {
    let held = |(bit, &(color, side)): (usize, &(Color, CastlingSide))| {
        u16::from(position.castles().has(color, side)) << bit
    };
    RIGHTS.iter().enumerate().map(held).sum()
}

fn rights_hash(lost: u16) -> Zobrist64 {
    let mut hash = Zobrist64::default();
    for (bit, (color, side)) in RIGHTS.into_iter().enumerate() {
        if lost >> bit & 1 == 1 {
            hash ^= Zobrist64::zobrist_for_castling_right(color, side);
        }
    }
    hash
}

/// What `m` captures, and the exclusive or of the pieces it moves and takes.
fn change(us: Color, m: Move) -> (Capture, Zobrist64) {
    let piece = |color, role, square| Zobrist64::zobrist_for_piece(square, Piece { color, role });
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            let own = piece(us, role, from) ^ piece(us, promotion.unwrap_or(role), to);
            match capture {
                None => (Capture::None, own),
                Some(taken) => (Capture::Role(taken), own ^ piece(!us, taken, to)),
            }
        }
        Move::EnPassant { from, to } => {
            let taken = piece(!us, Role::Pawn, Square::from_coords(to.file(), from.rank()));
            (Capture::EnPassant, piece(us, Role::Pawn, from) ^ piece(us, Role::Pawn, to) ^ taken)
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook.file() > king.file());
            let kings = piece(us, Role::King, king) ^ piece(us, Role::King, side.king_to(us));
            (Capture::Castling, kings ^ piece(us, Role::Rook, rook) ^ piece(us, Role::Rook, side.rook_to(us)))
        }
        Move::Put { .. } => unreachable!("standard chess has no drops"),
    }
}

#[cfg(test)]
mod tests;
