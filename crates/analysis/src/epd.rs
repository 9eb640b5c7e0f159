//! Positions as text, written into a buffer that is used again.

use std::fmt::Write as _;

use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Position as _, Role};

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
        write!(self.fen, " 0 {}", reached.ply / 2 + 1).ok();
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

/// Appends the pieces, rank by rank from the eighth.
fn write_pieces(position: &Chess, epd: &mut String) {
    let mut letters = [0; 64];
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = role.of(color);
            for square in position.board().by_piece(piece) {
                letters[usize::from(square)] = piece.char() as u8;
            }
        }
    }
    for (rank, squares) in letters.chunks(8).rev().enumerate() {
        if rank > 0 {
            epd.push('/');
        }
        let mut empty = 0;
        for &letter in squares {
            if letter == 0 {
                empty += 1;
                continue;
            }
            push_empty(epd, std::mem::take(&mut empty));
            epd.push(char::from(letter));
        }
        push_empty(epd, empty);
    }
}

fn push_empty(epd: &mut String, squares: u8) {
    if squares > 0 {
        epd.push(char::from(b'0' + squares));
    }
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
