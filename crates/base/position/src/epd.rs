//! Positions as EPD: the first four fields of FEN (PGN standard 16.2.2), with the en passant square only if a
//! pawn may capture there.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position as _, Square};

use crate::Placement;

/// The length of the longest EPD in bytes: 64 squares, 7 slashes, side, rights, square, and the blanks
/// between.
const BYTES_MAX: usize = 64 + 7 + 2 + 5 + 3;

/// Appends a position's EPD in a third of the time that [`shakmaty::fen::Epd`] takes.
pub fn push_epd(position: &Chess, epd: &mut String) {
    let board = position.board();
    let [pawns, knights, bishops] = [board.pawns(), board.knights(), board.bishops()];
    let [rooks, queens, kings] = [board.rooks(), board.queens(), board.kings()];
    let planes = [pawns | bishops | queens, knights | bishops | kings, rooks | queens | kings, board.black()];
    epd.reserve(BYTES_MAX);
    push_pieces(&planes.map(u64::from), board.occupied(), epd);
    push_state(
        position.turn(),
        position.castles().castling_rights(),
        position.ep_square(EnPassantMode::Legal),
        epd,
    );
}

impl Placement {
    /// Appends the EPD of a position with these pieces; `may_pass` is the square behind a pawn that may be
    /// captured en passant.
    pub fn push_epd(&self, turn: Color, may_pass: Option<Square>, epd: &mut String) {
        epd.reserve(BYTES_MAX);
        push_pieces(&self.0, self.occupied(), epd);
        push_state(turn, self.castling_rooks(), may_pass, epd);
    }
}

/// Appends the fields after the pieces.
fn push_state(turn: Color, castling_rooks: Bitboard, en_passant: Option<Square>, epd: &mut String) {
    epd.push_str(turn.fold_wb(" w ", " b "));
    if castling_rooks.is_empty() {
        epd.push('-');
    }
    for (rook, letter) in [(Square::H1, 'K'), (Square::A1, 'Q'), (Square::H8, 'k'), (Square::A8, 'q')] {
        if castling_rooks.contains(rook) {
            epd.push(letter);
        }
    }
    epd.push(' ');
    match en_passant {
        None => epd.push('-'),
        Some(square) => square.append_to_string(epd),
    }
}

/// Letters of pieces by their code in a [`Placement`].
const LETTERS: [u8; 16] = *b"?PNBRQKR?pnbrqkr";

/// Byte n of an entry is bit n of the entry's index.
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

/// Appends the pieces, rank by rank from the eighth. A branch on empty squares would be mispredicted, so the
/// number of empty squares is always written, and the end moves past it only if it is not 0.
fn push_pieces(planes: &[u64; 4], occupied: Bitboard, epd: &mut String) {
    // A rank takes at most nine bytes, plus one that may be written before it is clear whether to keep it.
    let (mut text, mut end) = ([0; 8 * 9 + 1], 0);
    let mut push = |byte: u8, is_kept: bool| {
        text[end] = byte;
        end += usize::from(is_kept);
    };
    for rank in (0..8).rev().map(|rank| rank * 8) {
        let byte = |plane: u64| (plane >> rank & 0xff) as usize;
        let codes =
            planes.iter().enumerate().fold(0, |codes, (bit, plane)| codes | SPREAD[byte(*plane)] << bit);
        let (mut pieces, mut next) = (byte(occupied.0), 0);
        while pieces != 0 {
            let file = pieces.trailing_zeros();
            push(b'0' + (file - next) as u8, file > next);
            push(LETTERS[(codes >> (file * 8) & 15) as usize], true);
            (pieces, next) = (pieces & (pieces - 1), file + 1);
        }
        push(b'0' + (8 - next) as u8, next < 8);
        push(b'/', true);
    }
    // All bytes are letters, digits and slashes, so this is valid text. The last slash is not part of the
    // text.
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
        let (mut of_position, mut of_placement) = (String::new(), String::new());
        push_epd(position, &mut of_position);
        let en_passant = position.ep_square(EnPassantMode::Legal);
        Placement::of(position).push_epd(position.turn(), en_passant, &mut of_placement);
        let epd = Epd::from_position(position, EnPassantMode::Legal).to_string();
        assert_eq!([of_position, of_placement], [epd.as_str(), epd.as_str()]);
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
