//! Reads the position of a line, and finds its legal moves.

use position::{Key, PackedMove, legal_position};
use shakmaty::{Chess, Color, Position as _, fen::Fen, san::San};

use crate::{EvalReason, Refusal, fen::usual, lichess::uci, shown};

/// A position and its legal moves.
#[derive(Debug, Default)]
pub(crate) struct Position {
    chess: Chess,
    legal: Vec<PackedMove>,
}

impl Position {
    /// Sets the position from a FEN, whose move counters may be missing. Returns its key.
    pub(crate) fn set<'l>(&mut self, fen: &'l [u8]) -> Result<Key, Refusal<'l>> {
        let refusal = (EvalReason::BadPosition, shown(fen));
        let setup = match usual(fen) {
            Some(setup) => setup,
            None => Fen::from_ascii(fen).map_err(|_| refusal)?.into_setup(),
        };
        // Some published positions have more pieces than a game can have, or checks that cannot arise from a
        // legal move; they are accepted anyway.
        self.chess = legal_position(setup).ok_or(refusal)?;
        self.legal.clear();
        self.legal.extend(self.chess.legal_moves().iter().map(|mv| PackedMove::pack(*mv)));
        Ok(Key::of(&self.chess))
    }

    pub(crate) fn white_to_move(&self) -> bool {
        self.chess.turn() == Color::White
    }

    /// The move in the form that books use, if it is legal; castling may be written as a king move of two
    /// squares.
    pub(crate) fn legal(&self, mv: PackedMove) -> Option<PackedMove> {
        // The loop compares `mv` with every legal move and does not stop early, so that the processor can
        // compare several moves at a time.
        let is_legal = |mv| self.legal.iter().fold(0, |found, legal| found | u16::from(*legal == mv)) != 0;
        let by_squares = || Some(mv.normalized(&self.chess)).filter(|mv| is_legal(*mv));
        if is_legal(mv) { Some(mv) } else { by_squares() }
    }

    /// The legal move that `text` denotes in UCI notation or in SAN.
    pub(crate) fn named(&self, text: &[u8]) -> Option<PackedMove> {
        let in_san =
            || San::from_ascii(text.trim_ascii_end()).ok()?.to_move(&self.chess).ok().map(PackedMove::pack);
        uci(text).and_then(|mv| self.legal(mv)).or_else(in_san)
    }
}
