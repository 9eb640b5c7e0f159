//! Plays moves that are written as an origin square and a target square.

use shakmaty::{
    CastlingSide, File, Role, Square,
    san::{San, SanError},
};

use super::{Board, Ply};

impl Board {
    /// Plays the legal move from one square to another, whatever piece makes it. Castling is the king's move
    /// of two squares, or its move onto its own rook. With `is_capture`, only a capture is accepted; without
    /// it, a capture or a quiet move.
    ///
    /// # Errors
    ///
    /// Fails if there is no such move. In that case the board stays unchanged.
    #[cold]
    pub fn play_squares(
        &mut self,
        from: Square,
        to: Square,
        is_capture: bool,
        promotion: Option<Role>,
    ) -> Result<Ply, SanError> {
        let role = self.own_role(from.into()).ok_or(SanError::IllegalSan)?;
        let is_plain = !is_capture && promotion.is_none();
        if role == Role::King && from.file() == File::E && from.rank() == to.rank() && is_plain {
            match to.file() {
                File::G | File::H => return self.castle(CastlingSide::KingSide),
                File::A | File::C => return self.castle(CastlingSide::QueenSide),
                _ => {}
            }
        }
        let is_occupied = self.all() >> usize::from(to) & 1 == 1;
        let capture = is_capture || is_occupied || role == Role::Pawn && from.file() != to.file();
        let (file, rank) = (Some(from.file()), Some(from.rank()));
        self.play_san(&San::Normal { role, file, rank, capture, to, promotion })
    }
}
