//! Positions as Python callers pass them: a key, a FEN, or a board of python-chess.

use position::{Key, named_position};
use pyo3::{Bound, PyAny, PyErr, PyResult, exceptions::PyTypeError, intern, prelude::*, types::PyString};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, FromSetup as _, PositionError, Rank, Setup,
    Square,
};

use crate::error::{Error, failed};

/// A position that a caller passed.
pub(crate) enum PositionArgument {
    /// Only the key is known, so moves cannot be named in SAN.
    Key(Key),
    /// A whole position.
    Position(Box<Chess>),
}

impl PositionArgument {
    /// Reads a key (a number, or sixteen hexadecimal digits), a FEN or a board.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_str()?;
            let key = text.parse().map(Self::Key);
            let position = |_| named_position(Some(text), None).map(|found| Self::Position(Box::new(found)));
            return key.or_else(position).map_err(failed);
        }
        if object.hasattr(intern!(object.py(), "occupied_co"))? {
            return Ok(Self::Position(Box::new(from_board(object)?)));
        }
        match object.extract::<u64>() {
            Ok(key) => Ok(Self::Key(Key(key))),
            // A key as a signed number, as in exports for Spark.
            Err(_) => object
                .extract::<i64>()
                .map(|key| Self::Key(Key(key.cast_unsigned())))
                .map_err(|_| PyTypeError::new_err("a position is a key, a FEN or a board of python-chess")),
        }
    }

    /// Its key.
    pub(crate) fn key(&self) -> Key {
        match self {
            Self::Key(key) => *key,
            Self::Position(position) => Key::of(position),
        }
    }

    /// The position, unless only its key is known.
    pub(crate) fn known(self) -> Option<Chess> {
        match self {
            Self::Key(_) => None,
            Self::Position(position) => Some(*position),
        }
    }

    /// The whole position.
    pub(crate) fn position(self) -> PyResult<Chess> {
        match self {
            Self::Key(key) => Err(Error::new_err(format!(
                "{key} is a key, which cannot be turned back into a position: give a FEN or a board"
            ))),
            Self::Position(position) => Ok(*position),
        }
    }
}

/// The position of a `chess.Board`, read from its bitboards.
fn from_board(board: &Bound<'_, PyAny>) -> PyResult<Chess> {
    let py = board.py();
    let bits = |name: &Bound<'_, PyString>| -> PyResult<Bitboard> {
        Ok(Bitboard(board.getattr(name)?.extract::<u64>()?))
    };
    let roles = ByRole {
        pawn: bits(intern!(py, "pawns"))?,
        knight: bits(intern!(py, "knights"))?,
        bishop: bits(intern!(py, "bishops"))?,
        rook: bits(intern!(py, "rooks"))?,
        queen: bits(intern!(py, "queens"))?,
        king: bits(intern!(py, "kings"))?,
    };
    let [black, white] = board.getattr(intern!(py, "occupied_co"))?.extract::<[u64; 2]>()?;
    let colors = ByColor { black: Bitboard(black), white: Bitboard(white) };
    let mut setup = Setup::empty();
    setup.castling_rights = castling_rights(bits(intern!(py, "castling_rights"))?, &roles, &colors);
    setup.board = Board::try_from_bitboards(roles, colors).map_err(|_| not_standard(board))?;
    setup.turn = Color::from_white(board.getattr(intern!(py, "turn"))?.extract()?);
    let ep_square = board.getattr(intern!(py, "ep_square"))?.extract::<Option<u32>>()?;
    setup.ep_square = ep_square.and_then(|square| Square::try_from(square).ok());
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|_| not_standard(board))
}

/// The castling rights whose king and rook are on their original squares. A python-chess board that was set
/// up by hand may also have other rights, which are dropped.
fn castling_rights(rights: Bitboard, roles: &ByRole<Bitboard>, colors: &ByColor<Bitboard>) -> Bitboard {
    let mut clean = Bitboard::EMPTY;
    for (rank, own, king) in
        [(Rank::First, colors.white, Square::E1), (Rank::Eighth, colors.black, Square::E8)]
    {
        if (roles.king & own).contains(king) {
            clean |= rights & roles.rook & own & Bitboard::from_rank(rank);
        }
    }
    clean
}

fn not_standard(board: &Bound<'_, PyAny>) -> PyErr {
    let fen = board.call_method0("fen").and_then(|fen| fen.extract::<String>()).unwrap_or_default();
    Error::new_err(format!("`{fen}` is not a legal position of standard chess"))
}
