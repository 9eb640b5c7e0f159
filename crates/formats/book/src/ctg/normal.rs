//! A position as a book has it: White to move, and without castling rights the White king on the right.

use position::Key;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Position as _, PositionError, Role, Setup,
    Square,
};

/// A position in the form of the book, and how it was turned.
#[derive(Clone, Debug)]
pub struct Normal {
    position: Chess,
    /// Whether the colours were exchanged, which mirrors the ranks too.
    colors: bool,
    /// Whether the files were mirrored.
    files: bool,
}

impl Normal {
    /// The form that the book has `position` in; `None` if it is no position of standard chess.
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

    /// The position of an entry, with en passant only where it is legal.
    pub(super) fn of_entry(setup: Setup) -> Option<Chess> {
        let position = legal(setup)?;
        legal(position.to_setup(EnPassantMode::Legal))
    }

    /// The key of the form.
    pub fn key(&self) -> Key {
        Key::of(&self.position)
    }

    /// The position in this form.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Where a square of the form is in the position itself.
    #[must_use]
    pub fn square(&self, square: Square) -> Square {
        let square = if self.files { square.flip_horizontal() } else { square };
        if self.colors { square.flip_vertical() } else { square }
    }
}

/// The position of a setup, if shakmaty takes it for legal, or for what is rare in games but legal there.
fn legal(setup: Setup) -> Option<Chess> {
    match Chess::from_setup(setup, CastlingMode::Standard) {
        Ok(position) => Some(position),
        Err(error) => error.ignore_too_much_material().or_else(PositionError::ignore_impossible_check).ok(),
    }
}

/// The square of the piece that is number `place` of its kind, file by file from a1.
pub(super) fn piece(position: &Chess, role: Role, place: usize) -> Option<Square> {
    let board = position.board();
    let squares = board.by_color(Color::White) & board.by_role(role);
    let mut squares: Vec<_> = squares.into_iter().collect();
    squares.sort_by_key(|square| (square.file(), square.rank()));
    squares.get(place).copied()
}
