//! The position that games must reach to count, and from which on they count.

use position::{Board, Key};

use crate::{
    Error, Result,
    filter::Filter,
    movetext::{Movetext, Token},
};

/// A position named by a line of moves or a FEN.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Root {
    key: Key,
    filter: Filter,
}

impl Root {
    /// The position after a line of moves from the start position, as a game would have them: `e4 c5`, `1. e4 c5`.
    ///
    /// # Errors
    ///
    /// [`Error::Line`] at the first thing that is no move, or that no single legal move fits.
    pub fn from_line(line: &str) -> Result<Self> {
        let error = |ply: usize, text: &str, why| Error::Line { ply, text: text.to_owned(), why };
        let mut board = Board::start();
        let mut movetext = Movetext::new(line.as_bytes(), 0);
        let mut ply = 0;
        while let Some(token) = movetext.next() {
            ply += 1;
            let text = line.get(movetext.span()).unwrap_or(line);
            let Token::Move(san) = token else {
                return Err(error(ply, text, "not a move"));
            };
            board.play_san(&san).map_err(|failure| match failure {
                shakmaty::san::SanError::IllegalSan => error(ply, text, "not a legal move there"),
                shakmaty::san::SanError::AmbiguousSan => {
                    error(ply, text, "ambiguous: several legal moves fit")
                }
            })?;
        }
        Ok(Self { key: board.key(), filter: Filter::Line })
    }

    /// The position of a FEN.
    ///
    /// # Errors
    ///
    /// [`Error::Fen`] if it is none, or not a legal position.
    pub fn from_fen(fen: &str) -> Result<Self> {
        let board = Board::from_fen(fen.trim()).map_err(|why| Error::Fen { fen: fen.to_owned(), why })?;
        Ok(Self { key: board.key(), filter: Filter::Fen })
    }

    /// The position of a key.
    #[must_use]
    pub fn from_key(key: Key) -> Self {
        Self { key, filter: Filter::Fen }
    }

    /// The key of the position.
    #[must_use]
    pub fn key(&self) -> Key {
        self.key
    }

    /// The filter that refuses games which do not reach the position.
    #[must_use]
    pub fn filter(&self) -> Filter {
        self.filter
    }
}
