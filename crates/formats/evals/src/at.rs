//! The position of a line, and its legal moves.

use position::{Key, PackedMove};
use shakmaty::{CastlingMode, Chess, Color, Position as _, PositionError, fen::Fen, san::San};

use crate::{EvalReason, Refusal, lichess::uci, shown};

/// A position and its legal moves.
#[derive(Debug, Default)]
pub(crate) struct Position {
    chess: Chess,
    legal: Vec<PackedMove>,
}

impl Position {
    /// Takes the position of a FEN, whose move counters may be missing. Returns its key.
    pub(crate) fn set<'l>(&mut self, fen: &'l [u8]) -> Result<Key, Refusal<'l>> {
        let refusal = (EvalReason::BadPosition, shown(fen));
        let setup = Fen::from_ascii(fen).map_err(|_| refusal)?;
        // More pieces than a game can have, and checks that no move gives, are no reason to refuse.
        let position: Result<Chess, _> = setup.into_position(CastlingMode::Standard);
        self.chess = position
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|_| refusal)?;
        self.legal.clear();
        self.legal.extend(self.chess.legal_moves().into_iter().map(PackedMove::pack));
        Ok(Key::of(&self.chess))
    }

    pub(crate) fn white_to_move(&self) -> bool {
        self.chess.turn() == Color::White
    }

    /// A legal move as books have it, whose castling may be written as the king's two squares.
    pub(crate) fn legal(&self, mv: PackedMove) -> Option<PackedMove> {
        let mv = if mv.may_castle_by_king() { mv.normalized(&self.chess) } else { mv };
        self.legal.contains(&mv).then_some(mv)
    }

    /// The legal move that a text names, in UCI notation or in SAN.
    pub(crate) fn named(&self, text: &[u8]) -> Option<PackedMove> {
        let in_san =
            || San::from_ascii(text.trim_ascii_end()).ok()?.to_move(&self.chess).ok().map(PackedMove::pack);
        uci(text).and_then(|mv| self.legal(mv)).or_else(in_san)
    }
}
