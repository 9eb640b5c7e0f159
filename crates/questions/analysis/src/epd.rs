//! Writes positions as text into a buffer that is reused.

use std::fmt::Write as _;

use shakmaty::{EnPassantMode, Position as _};

use crate::positions::Reached;

/// A position's EPD and, if the caller wants it, its FEN.
#[derive(Default)]
pub(crate) struct Shown {
    text: String,
    epd_bytes: usize,
    with_fen: bool,
}

impl Shown {
    pub(crate) fn new(with_fen: bool) -> Self {
        Self { with_fen, ..Self::default() }
    }

    /// Shows a position. The en passant square is shown only if a pawn may actually capture there. The
    /// halfmove clock is 0, because it is not known how games reached the position.
    pub(crate) fn show(&mut self, reached: Reached<'_>) {
        self.text.clear();
        let (placement, board) = (&reached.walked.placement, reached.board);
        // Few positions have an en passant square, so the capture rarely needs to be tested for legality.
        let passed = placement.en_passant().map(|_| board.position());
        let en_passant = passed.and_then(|position| position.ep_square(EnPassantMode::Legal));
        placement.push_epd(board.turn(), en_passant, &mut self.text);
        self.epd_bytes = self.text.len();
        if self.with_fen {
            // Writing to a string cannot fail.
            write!(self.text, " 0 {}", reached.walked.ply / 2 + 1).ok();
        }
    }

    /// The FEN with all six fields, if the caller wants it.
    pub(crate) fn fen(&self) -> Option<&str> {
        self.with_fen.then_some(&self.text)
    }

    /// The EPD, which consists of the FEN's first four fields.
    pub(crate) fn epd(&self) -> &str {
        &self.text[..self.epd_bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use position::{Board, Key, Placement};
    use shakmaty::{CastlingMode, Chess, fen::Fen};
    use walk::Walked;

    #[test]
    fn a_position_is_shown_with_the_en_passant_square_that_is_legal() {
        for (fen, epd) in [
            ("8/8/8/3pP3/8/8/8/K1k5 w - d6 0 1", "8/8/8/3pP3/8/8/8/K1k5 w - d6"),
            ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r1k1/8/8/3pP3/8/8/8/4K3 w - -"),
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let placement = Placement::of(&position);
            let key = Key::of(&position);
            let walked = Walked { key, ply: 6, root: 0, plies_of_line: 6, parent: None, placement, label: 0 };
            let mut shown = Shown::new(true);
            shown.show(Reached { walked: &walked, board: &Board::at(&position) });
            assert_eq!((shown.epd(), shown.fen()), (epd, Some(format!("{epd} 0 4").as_str())));
        }
    }
}
