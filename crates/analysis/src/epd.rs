//! Positions as text, written into a buffer that is used again.

use std::fmt::Write as _;

use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Position as _};

use crate::positions::Reached;

/// Bytes of the longest EPD: 64 squares, 7 slashes, side, rights, square, and the blanks between.
const BYTES_MAX: usize = 64 + 7 + 2 + 5 + 3;

/// A position's FEN, of which the beginning is its EPD.
#[derive(Default)]
pub(crate) struct Shown {
    fen: String,
    epd_bytes: usize,
}

impl Shown {
    /// Shows a position, with its en passant square only where a pawn may capture there, and without a count
    /// of moves since a pawn moved: the way here is not known.
    pub(crate) fn show(&mut self, reached: &Reached) {
        self.fen.clear();
        write_epd(&reached.board, &mut self.fen);
        self.epd_bytes = self.fen.len();
        // A string takes any text.
        write!(self.fen, " 0 {}", reached.walked.ply / 2 + 1).ok();
    }

    /// All six fields.
    pub(crate) fn fen(&self) -> &str {
        &self.fen
    }

    /// The first four fields.
    pub(crate) fn epd(&self) -> &str {
        &self.fen[..self.epd_bytes]
    }
}

/// Appends a position's EPD.
fn write_epd(position: &Chess, epd: &mut String) {
    epd.reserve(BYTES_MAX);
    write_pieces(position, epd);
    epd.push_str(position.turn().fold_wb(" w ", " b "));
    let before = epd.len();
    for (color, side, letter) in [
        (Color::White, CastlingSide::KingSide, 'K'),
        (Color::White, CastlingSide::QueenSide, 'Q'),
        (Color::Black, CastlingSide::KingSide, 'k'),
        (Color::Black, CastlingSide::QueenSide, 'q'),
    ] {
        if position.castles().has(color, side) {
            epd.push(letter);
        }
    }
    if epd.len() == before {
        epd.push('-');
    }
    epd.push(' ');
    match position.ep_square(EnPassantMode::Legal) {
        None => epd.push('-'),
        Some(square) => {
            epd.push(square.file().char());
            epd.push(square.rank().char());
        }
    }
}

/// Letters of pieces by code: a role's number, and 8 more for Black's.
const LETTERS: [u8; 16] = *b"?PNBRQK??pnbrqk?";

/// Byte n of an entry is bit n of its number.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[at] |= (at as u64 >> bit & 1) << (bit * 8);
            bit += 1;
        }
        at += 1;
    }
    table
};

/// Appends the pieces, rank by rank from the eighth. Whether a square is empty is as good as chance, so a
/// branch on it would be mispredicted: what may be needed is written, and kept by moving on.
fn write_pieces(position: &Chess, epd: &mut String) {
    let board = position.board();
    let planes = [
        board.pawns() | board.bishops() | board.queens(),
        board.knights() | board.bishops() | board.kings(),
        board.rooks() | board.queens() | board.kings(),
        board.by_color(Color::Black),
    ];
    // A rank takes nine bytes at most, and one more is written before it is known to be needed.
    let (mut text, mut end) = ([0; 8 * 9 + 1], 0);
    for rank in (0..8).rev() {
        let codes = planes.iter().enumerate().fold(0, |codes, (bit, plane)| {
            codes | SPREAD[(plane.0 >> (rank * 8) & 0xff) as usize] << bit
        });
        let mut empty = 0;
        for code in codes.to_le_bytes() {
            let is_piece = code != 0;
            text[end] = b'0' + empty;
            end += usize::from(is_piece & (empty > 0));
            text[end] = LETTERS[usize::from(code & 15)];
            end += usize::from(is_piece);
            empty = if is_piece { 0 } else { empty + 1 };
        }
        text[end] = b'0' + empty;
        end += usize::from(empty > 0);
        text[end] = b'/';
        end += 1;
    }
    // Letters, digits and strokes are text; the last stroke is not part of it.
    epd.push_str(str::from_utf8(&text[..end - 1]).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::{
        CastlingMode,
        fen::{Epd, Fen},
    };

    fn check(position: &Chess) {
        let mut shown = Shown::default();
        shown.show(&Reached { ply: 7, board: position.clone() });
        let epd = Epd::from_position(position, EnPassantMode::Legal).to_string();
        assert_eq!((shown.epd(), shown.fen()), (epd.as_str(), format!("{epd} 0 4").as_str()));
    }

    #[test]
    fn en_passant_is_shown_where_it_is_legal() {
        for fen in [
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "8/8/8/8/8/8/8/K1k5 b - - 0 1",
        ] {
            check(&fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap());
        }
    }

    proptest! {
        #[test]
        fn prop_random_games_equal_shakmaty(choices in prop::collection::vec(0usize..200, 0..120)) {
            let mut position = Chess::default();
            for choice in choices {
                check(&position);
                let moves = position.legal_moves();
                if moves.is_empty() { break; }
                position.play_unchecked(moves[choice % moves.len()]);
            }
        }
    }
}
