//! The position a user names by FEN, by a line of moves, or both.

use shakmaty::{CastlingMode, Chess, Move, Position as _, fen::Fen, san::SanPlus, uci::UciMove};

use crate::{Error, Result};

/// The position after `line` (SAN or UCI, move numbers allowed) from `fen`, or from the start.
///
/// # Errors
///
/// [`Error::Recipe`] naming the FEN, or the move that cannot be played.
pub fn position(fen: Option<&str>, line: Option<&str>) -> Result<Chess> {
    let mut position = fen.map_or_else(|| Ok(Chess::default()), from_fen)?;
    for token in line.unwrap_or_default().split_whitespace() {
        let name = token.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if name.is_empty() {
            continue;
        }
        let m = read_move(&position, name)
            .ok_or_else(|| Error::Recipe(format!("--line: `{name}` is not a legal move there")))?;
        position.play_unchecked(m);
    }
    Ok(position)
}

/// A legal move in SAN or UCI.
pub(super) fn read_move(position: &Chess, text: &str) -> Option<Move> {
    let san = SanPlus::from_ascii(text.as_bytes()).ok().and_then(|san| san.san.to_move(position).ok());
    san.or_else(|| text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok()))
}

fn from_fen(fen: &str) -> Result<Chess> {
    let wrong = |why: String| Error::Recipe(format!("--fen `{fen}`: {why}"));
    let parsed: Fen = fen.parse().map_err(|error| wrong(format!("{error}")))?;
    parsed.into_position(CastlingMode::Standard).map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use position::Key;

    use super::*;

    #[test]
    fn lines_in_san_and_uci() {
        let key = |line| Key::of(&position(None, Some(line)).unwrap());
        assert_eq!(key("1. e4 d5 2.e5 f5 Ke2"), Key(0x652a_607c_a3f2_42c1));
        assert_eq!(key("e2e4 d7d5 e4e5 f7f5 e1e2"), Key(0x652a_607c_a3f2_42c1));
        let error = position(None, Some("e4 e4")).unwrap_err().to_string();
        assert_eq!(error, "--line: `e4` is not a legal move there");
        assert!(position(Some("rubbish"), None).is_err());
    }
}
