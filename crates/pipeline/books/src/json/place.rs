//! The position that a line describes.

use position::{Board, Key};
use shakmaty::Color;

pub(super) use count::Side;

/// Converts a colour to a [`Side`].
pub(super) fn side_of(color: Color) -> Side {
    color.fold_wb(Side::White, Side::Black)
}

/// A position, with its side to move and its board if the line has them.
pub(super) struct Place {
    pub(super) key: Key,
    /// The side to move, if the line states it or has a FEN.
    pub(super) turn: Option<Side>,
    /// The board, if the line has a FEN.
    pub(super) board: Option<Board>,
}

impl Place {
    /// Determines the position from the `key`, the `fen` and the `turn` of a line.
    ///
    /// # Errors
    ///
    /// Fails if the line has neither a key nor a FEN, if one of these is wrong, or if they disagree; the
    /// error says which.
    pub(super) fn of(key: Option<&str>, fen: Option<&str>, turn: Option<Side>) -> Result<Self, String> {
        let given = key.map(str::parse::<Key>).transpose();
        let given = given.map_err(|error| format!("`key`: {error}"))?;
        let Some(fen) = fen else {
            let key = given.ok_or("neither a `key` nor a `fen`")?;
            return Ok(Self { key, turn, board: None });
        };
        let board = Board::from_fen(fen).map_err(|error| format!("`fen`: {error}"))?;
        let (key, of_fen) = (board.key(), side_of(board.turn()));
        match (given, turn) {
            (Some(given), _) if given != key => {
                Err(format!("the position in `fen` has the key {key}, but `key` is {given}"))
            }
            (_, Some(turn)) if turn != of_fen => Err("`turn` is not that of `fen`".into()),
            _ => Ok(Self { key, turn: Some(of_fen), board: Some(board) }),
        }
    }
}
