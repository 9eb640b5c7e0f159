//! The normal form of a position, in which a book stores it: White is to move, and if there are no castling
//! rights, the White king is on the right.

use position::Key;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Position as _, PositionError, Role, Setup,
    Square,
};

/// The normal form of a position, and the ways in which the position was mirrored to obtain it.
#[derive(Clone, Debug)]
pub struct NormalForm {
    position: Chess,
    /// Whether the colours were exchanged, which also mirrors the ranks.
    colors: bool,
    /// Whether the files were mirrored.
    files: bool,
}

impl NormalForm {
    /// The normal form of `position`; `None` if it is not a position of standard chess.
    #[must_use]
    pub fn of(position: &Chess) -> Option<Self> {
        let mut setup = position.to_setup(EnPassantMode::Legal);
        let colors = position.turn() == Color::Black;
        if colors {
            setup.mirror();
        }
        let king = setup.board.king_of(Color::White)?;
        let files = setup.castling_rights.is_empty() && u32::from(king.file()) < 4;
        if files {
            setup.board.flip_horizontal();
            setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
        }
        Some(Self { position: legal(setup)?, colors, files })
    }

    /// The position of an entry, with an en passant square only if capturing on it is legal.
    pub(super) fn of_entry(setup: Setup) -> Option<Chess> {
        let position = legal(setup)?;
        legal(position.to_setup(EnPassantMode::Legal))
    }

    /// The key of the normal form.
    pub fn key(&self) -> Key {
        Key::of(&self.position)
    }

    /// The position in its normal form.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Converts a square of the normal form to the square of the original position.
    #[must_use]
    pub fn square(&self, square: Square) -> Square {
        let square = if self.files { square.flip_horizontal() } else { square };
        if self.colors { square.flip_vertical() } else { square }
    }
}

/// Converts the setup to a position. Accepts a setup with too much material, and a setup with a check that no
/// legal move can give. Returns `None` if shakmaty finds any other fault.
fn legal(setup: Setup) -> Option<Chess> {
    match Chess::from_setup(setup, CastlingMode::Standard) {
        Ok(position) => Some(position),
        Err(error) => error.ignore_too_much_material().or_else(PositionError::ignore_impossible_check).ok(),
    }
}

/// Returns the square of one of White's pieces of the given role. `place` is the number of the piece, counted
/// from 0, file by file from a1.
pub(super) fn piece(position: &Chess, role: Role, place: usize) -> Option<Square> {
    let board = position.board();
    let squares = board.by_color(Color::White) & board.by_role(role);
    let mut squares: Vec<_> = squares.into_iter().collect();
    squares.sort_by_key(|square| (square.file(), square.rank()));
    squares.get(place).copied()
}
