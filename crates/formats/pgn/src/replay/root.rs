//! Positions that games must reach to count, each given as a line of moves or as a FEN.

use std::{fmt, str::FromStr};

use position::{Board, Key, named_line};
use shakmaty::{
    CastlingMode, Chess, Position as _,
    san::{San, SanError},
};

use crate::{
    Error, Result,
    movetext::{Movetext, Token},
};

/// A line of moves from the start position, written in SAN (`e4 c5`, `1. e4 c5`) or in UCI.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Line {
    text: String,
    /// The line's moves in UCI notation, separated by spaces, whatever notation the user wrote them in.
    pub moves: String,
    /// The key of the position after the line.
    pub key: Key,
}

/// The FEN of a legal position.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fen {
    text: String,
    /// The key of the position.
    pub key: Key,
}

/// Fails with [`Error::Line`] at the first word that does not stand for exactly one legal move.
impl FromStr for Line {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self> {
        let sans = sans_of(line).or_else(|error| {
            // The game reader does not know UCI.
            let named = named_line(None, Some(line)).map_err(|_| error)?;
            Ok::<_, Error>(named.moves.into_iter().map(|san| san.san).collect())
        })?;
        let (moves, key) = played(&sans);
        Ok(Self { text: line.to_owned(), moves, key })
    }
}

/// Legal moves from the start position in UCI notation, and the key of the position after them.
fn played(sans: &[San]) -> (String, Key) {
    let (mut position, mut moves) = (Chess::default(), Vec::new());
    for san in sans {
        let Ok(mv) = san.to_move(&position) else { unreachable!("each was played before") };
        moves.push(mv.to_uci(CastlingMode::Standard).to_string());
        position.play_unchecked(mv);
    }
    (moves.join(" "), Key::of(&position))
}

/// The moves of a line that is written in SAN, like the moves of a game.
fn sans_of(line: &str) -> Result<Vec<San>> {
    let error = |ply: usize, text: &str, why| Error::Line { ply, text: text.to_owned(), why };
    let mut board = Board::start();
    let mut movetext = Movetext::new(line.as_bytes(), 0);
    let mut sans = Vec::new();
    while let Some(token) = movetext.next() {
        let ply = sans.len() + 1;
        let text = line.get(movetext.span()).unwrap_or(line);
        let Token::Move(san) = token else {
            return Err(error(ply, text, "not a move"));
        };
        board.play_san(&san).map_err(|failure| match failure {
            SanError::IllegalSan => error(ply, text, "not a legal move there"),
            SanError::AmbiguousSan => error(ply, text, "ambiguous: several legal moves fit"),
        })?;
        sans.push(san);
    }
    Ok(sans)
}

/// Fails with [`Error::Fen`] if the text is not a FEN, or its position is not legal.
impl FromStr for Fen {
    type Err = Error;

    fn from_str(fen: &str) -> Result<Self> {
        let board = Board::from_fen(fen.trim()).map_err(|why| Error::Fen { fen: fen.to_owned(), why })?;
        Ok(Self { text: fen.to_owned(), key: board.key() })
    }
}

/// Prints the line as it was given.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Prints the FEN as it was given.
impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_in_san_and_in_uci() {
        let key = |line: &str| line.parse::<Line>().unwrap().key;
        let castled = key("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O");
        assert_eq!(castled, key("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1"));
        assert_eq!(castled, key("1. e2e4 e5 2. g1f3 Nc6 3. Bb5 a7a6 4. O-O"));
        let moves = |line: &str| line.parse::<Line>().unwrap().moves;
        assert_eq!(moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O"), "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
        assert_eq!(moves("e2e4 c5"), "e2e4 c7c5");
        let error = "e2e4 e7e5 g1g3".parse::<Line>().unwrap_err().to_string();
        assert!(error.contains("ply 3") && error.contains("`g1g3`"), "{error}");
    }
}
