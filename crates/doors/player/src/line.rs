//! The line of a `position` command: its first position, its moves, and its last position.

use shakmaty::{CastlingMode, Chess, Move, Position as _, fen::Fen, uci::UciMove};

use crate::protocol::Position;

/// A line of moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// The FEN of the first position, exactly as in the command; `None` for the start position.
    pub(crate) fen: Option<String>,
    /// The first position.
    pub(crate) start: Chess,
    pub(crate) moves: Vec<Move>,
    /// The last position.
    pub(crate) position: Chess,
}

impl Line {
    /// Plays the moves listed in a `position` command.
    ///
    /// # Errors
    ///
    /// Fails with a message that says what is wrong with the FEN or a move.
    pub(crate) fn read(command: &Position<'_>, mode: CastlingMode) -> Result<Self, String> {
        let start = match command.fen {
            None => Chess::default(),
            Some(fen) => position(fen, mode).ok_or_else(|| format!("`{fen}` is not a legal position"))?,
        };
        let fen = command.fen.map(str::to_owned);
        let mut line = Self { fen, start: start.clone(), moves: Vec::new(), position: start };
        for text in &command.moves {
            let plies = line.moves.len();
            line.play(text).ok_or_else(|| format!("`{text}` is not a legal move after {plies} plies"))?;
        }
        Ok(line)
    }

    /// Plays one more move; `None` if it is not legal.
    pub(crate) fn play(&mut self, text: &str) -> Option<()> {
        let mv = self.legal(text)?;
        self.position.play_unchecked(mv);
        self.moves.push(mv);
        Some(())
    }

    /// The move in UCI notation, if it is legal in the last position.
    pub(crate) fn legal(&self, text: &str) -> Option<Move> {
        text.parse::<UciMove>().ok()?.to_move(&self.position).ok()
    }
}

fn position(fen: &str, mode: CastlingMode) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(mode).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: Option<&str>, moves: &[&str]) -> Result<Line, String> {
        Line::read(&Position { fen, moves: moves.to_vec() }, CastlingMode::Standard)
    }

    #[test]
    fn castling_is_read_in_both_spellings() {
        let fen = Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let two_files = line(fen, &["e1g1", "e8c8"]).unwrap();
        let onto_rook = line(fen, &["e1h1", "e8a8"]).unwrap();
        assert_eq!(two_files.position, onto_rook.position);
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(line(None, &["e2e4", "e7e4"]).unwrap_err(), "`e7e4` is not a legal move after 1 plies");
        assert_eq!(line(Some("8/8"), &[]).unwrap_err(), "`8/8` is not a legal position");
    }
}
