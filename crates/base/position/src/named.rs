//! Finds the position that a user specified with a FEN, a line of moves, or both.

use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, fen::Fen, san::SanPlus, uci::UciMove};

/// Why a string does not specify a position.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NamedPositionError {
    /// The text is not the FEN of a legal position.
    #[error("`{fen}` is not the FEN of a legal position: {why}")]
    Fen {
        /// The text.
        fen: String,
        /// The reason.
        why: String,
    },
    /// A move of the line cannot be played.
    #[error("`{mv}` is not a legal move {place}")]
    Move {
        /// The move as written.
        mv: String,
        /// The position in which the move was to be played: `after e4 e5`, or a FEN.
        place: String,
    },
}

/// Plays `line` (in SAN or UCI, with or without move numbers) from `fen`, or from the start position if there
/// is no FEN, and returns the position reached.
///
/// # Errors
///
/// Fails if the FEN cannot be read, or a move cannot be played.
pub fn named_position(fen: Option<&str>, line: Option<&str>) -> Result<Chess, NamedPositionError> {
    Ok(named_line(fen, line)?.position)
}

/// A position, and the moves that lead to it.
#[derive(Clone, Debug, Default)]
pub struct NamedLine {
    /// The position before the moves.
    pub start: Chess,
    /// The moves.
    pub moves: Vec<SanPlus>,
    /// The position after the moves.
    pub position: Chess,
}

/// Like [`named_position`], but also returns the moves.
///
/// # Errors
///
/// The errors of [`named_position`].
pub fn named_line(fen: Option<&str>, line: Option<&str>) -> Result<NamedLine, NamedPositionError> {
    let start = fen.map_or_else(|| Ok(Chess::default()), from_fen)?;
    let (position, moves) = played_line(start.clone(), line.unwrap_or_default())?;
    Ok(NamedLine { start, moves, position })
}

/// Plays `line` (in SAN or UCI, with or without move numbers) from `position`. Returns the position reached,
/// and the moves in SAN.
///
/// # Errors
///
/// Fails if a move cannot be played.
pub fn played_line(mut position: Chess, line: &str) -> Result<(Chess, Vec<SanPlus>), NamedPositionError> {
    let mut sans = Vec::new();
    for token in line.split_whitespace() {
        let name = token.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if !name.is_empty() {
            let m = legal_move(&position, name).ok_or_else(|| illegal(&position, name, &sans))?;
            sans.push(SanPlus::from_move_and_play_unchecked(&mut position, m));
        }
    }
    Ok((position, sans))
}

/// Returns the legal move that `text` specifies in SAN or UCI.
///
/// # Errors
///
/// Fails if there is no such move.
pub fn named_move(position: &Chess, text: &str) -> Result<Move, NamedPositionError> {
    legal_move(position, text).ok_or_else(|| illegal(position, text, &[]))
}

fn legal_move(position: &Chess, text: &str) -> Option<Move> {
    let san = SanPlus::from_ascii(text.as_bytes()).ok().and_then(|san| san.san.to_move(position).ok());
    let uci = || text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok());
    san.or_else(uci)
}

/// The error if `text` is not a legal move in `position`, which `line` leads to.
fn illegal(position: &Chess, text: &str, line: &[SanPlus]) -> NamedPositionError {
    let place = match line {
        [] => format!("in {}", Fen::from_position(position, EnPassantMode::Legal)),
        line => format!("after {}", line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
    };
    NamedPositionError::Move { mv: text.to_owned(), place }
}

fn from_fen(fen: &str) -> Result<Chess, NamedPositionError> {
    let wrong = |why: String| NamedPositionError::Fen { fen: fen.to_owned(), why };
    let parsed: Fen = fen.parse().map_err(|error| wrong(format!("{error}")))?;
    parsed.into_position(CastlingMode::Standard).map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Key;

    #[test]
    fn lines_in_san_and_uci() {
        let key = |line| Key::of(&named_position(None, Some(line)).unwrap());
        assert_eq!(key("1. e4 d5 2.e5 f5 Ke2"), Key(0x652a_607c_a3f2_42c1));
        assert_eq!(key("e2e4 d7d5 e4e5 f7f5 e1e2"), Key(0x652a_607c_a3f2_42c1));
        let error = named_position(None, Some("e4 e4")).unwrap_err().to_string();
        assert_eq!(error, "`e4` is not a legal move after e4");
        let error = named_position(None, Some("1. Ke2")).unwrap_err().to_string();
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(error, format!("`Ke2` is not a legal move in {start}"));
        assert!(named_position(Some("rubbish"), None).is_err());
    }
}
