//! Positions as text, written into a buffer that is used again.

use std::fmt::Write as _;

use position::Placement;
use shakmaty::{EnPassantMode, Position as _, Square};

use crate::positions::Reached;

/// Bytes of the longest EPD: 64 squares, 7 slashes, side, rights, square, and the blanks between.
const BYTES_MAX: usize = 64 + 7 + 2 + 5 + 3;

/// A position's EPD, and its FEN where it is asked for.
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

    /// Shows a position, with its en passant square only where a pawn may capture there, and without a count
    /// of moves since a pawn moved: the way here is not known.
    pub(crate) fn show(&mut self, reached: Reached<'_>) {
        self.text.clear();
        write_epd(reached, &mut self.text);
        self.epd_bytes = self.text.len();
        if self.with_fen {
            // A string takes any text.
            write!(self.text, " 0 {}", reached.walked.ply / 2 + 1).ok();
        }
    }

    /// All six fields, if they were asked for.
    pub(crate) fn fen(&self) -> Option<&str> {
        self.with_fen.then_some(&self.text)
    }

    /// The first four fields.
    pub(crate) fn epd(&self) -> &str {
        &self.text[..self.epd_bytes]
    }
}

/// Appends a position's EPD.
fn write_epd(reached: Reached<'_>, epd: &mut String) {
    let placement = &reached.walked.placement;
    epd.reserve(BYTES_MAX);
    write_pieces(placement, epd);
    epd.push_str(reached.board.turn().fold_wb(" w ", " b "));
    let rooks = placement.castling_rooks();
    if rooks.is_empty() {
        epd.push('-');
    }
    for (rook, letter) in [(Square::H1, 'K'), (Square::A1, 'Q'), (Square::H8, 'k'), (Square::A8, 'q')] {
        if rooks.contains(rook) {
            epd.push(letter);
        }
    }
    epd.push(' ');
    // Whether a pawn may capture there is rarely asked.
    let passed = placement.en_passant().map(|_| reached.board.position());
    match passed.and_then(|position| position.ep_square(EnPassantMode::Legal)) {
        None => epd.push('-'),
        Some(square) => square.append_to_string(epd),
    }
}

/// Letters of pieces by their code in a placement.
const LETTERS: [u8; 16] = *b"?PNBRQKR?pnbrqkr";

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

/// Appends the pieces, rank by rank from the eighth. Whether squares before a piece are empty is as good as
/// chance, so a branch on it would be mispredicted: their number is written, and kept by moving on.
fn write_pieces(placement: &Placement, epd: &mut String) {
    let (planes, occupied) = (placement.0, placement.occupied().0);
    // A rank takes nine bytes at most, and one more is written before it is known to be needed.
    let (mut text, mut end) = ([0; 8 * 9 + 1], 0);
    let mut push = |byte: u8, is_kept: bool| {
        text[end] = byte;
        end += usize::from(is_kept);
    };
    for rank in (0..8).rev().map(|rank| rank * 8) {
        let byte = |plane: u64| (plane >> rank & 0xff) as usize;
        let codes =
            planes.iter().enumerate().fold(0, |codes, (bit, plane)| codes | SPREAD[byte(*plane)] << bit);
        let (mut pieces, mut next) = (byte(occupied), 0);
        while pieces != 0 {
            let file = pieces.trailing_zeros();
            push(b'0' + (file - next) as u8, file > next);
            push(LETTERS[(codes >> (file * 8) & 15) as usize], true);
            (pieces, next) = (pieces & (pieces - 1), file + 1);
        }
        push(b'0' + (8 - next) as u8, next < 8);
        push(b'/', true);
    }
    // Letters, digits and strokes are text; the last stroke is not part of it.
    epd.push_str(str::from_utf8(&text[..end - 1]).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use position::{Board, Key};
    use proptest::prelude::*;
    use shakmaty::{
        CastlingMode, Chess,
        fen::{Epd, Fen},
    };
    use walk::Walked;

    fn check(position: &Chess) {
        let placement = Placement::of(position);
        let walked = Walked { key: Key::of(position), ply: 7, parent: None, placement, label: 0 };
        let mut shown = Shown::new(true);
        shown.show(Reached { walked: &walked, board: &Board::at(position) });
        let epd = Epd::from_position(position, EnPassantMode::Legal).to_string();
        assert_eq!((shown.epd(), shown.fen()), (epd.as_str(), Some(format!("{epd} 0 4").as_str())));
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
