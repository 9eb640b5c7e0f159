//! Positions as EPD: the first four fields of FEN (PGN standard 16.2.2), with the en passant square only if a
//! pawn may capture there.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position as _, Square};

use crate::{Placement, spread::spread};

/// The length of the longest EPD in bytes: 64 squares, 7 slashes, side, rights, square, and the spaces
/// between.
const BYTES_MAX: usize = 64 + 7 + 2 + 5 + 3;

/// Appends a position's EPD in a third of the time that [`shakmaty::fen::Epd`] takes.
pub fn push_epd(position: &Chess, epd: &mut String) {
    let board = position.board();
    let [pawns, knights, bishops] = [board.pawns(), board.knights(), board.bishops()];
    let [rooks, queens, kings] = [board.rooks(), board.queens(), board.kings()];
    let planes = [pawns | bishops | queens, knights | bishops | kings, rooks | queens | kings, board.black()];
    epd.reserve(BYTES_MAX);
    push_pieces(planes.map(u64::from), board.occupied(), epd);
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
        push_pieces(self.0, self.occupied(), epd);
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

/// How the text of a rank is laid out, which depends only on the files that are occupied.
#[derive(Clone, Copy)]
struct RankLayout {
    /// For each byte of the rank's text, its value if it is a digit that counts empty squares; otherwise 0.
    digits: [u8; 8],
    /// For each file, the offset of the piece's letter in the rank's text; [`NOWHERE`] if the square is
    /// empty.
    places: [u8; 8],
    /// The length of the text.
    bytes: u8,
}

/// The offset at which the unused letters of empty squares are written. It lies after the longest text of a
/// rank and its slash. The texts of later ranks overwrite these letters, unless the whole text ends before
/// them.
const NOWHERE: u8 = 15;

/// The layouts of ranks, indexed by a bit set of the occupied files.
const LAYOUTS: [RankLayout; 256] = {
    let mut layouts = [RankLayout { digits: [0; 8], places: [NOWHERE; 8], bytes: 0 }; 256];
    let mut occupied = 0;
    while occupied < 256 {
        let layout = &mut layouts[occupied];
        let (mut file, mut bytes, mut is_after_piece) = (0, 0, true);
        while file < 8 {
            let is_piece = occupied >> file & 1 == 1;
            if is_piece {
                layout.places[file] = bytes;
            } else if is_after_piece {
                layout.digits[bytes as usize] = b'1';
            } else {
                layout.digits[bytes as usize - 1] += 1;
            }
            bytes += (is_piece || is_after_piece) as u8;
            (is_after_piece, file) = (is_piece, file + 1);
        }
        layout.bytes = bytes;
        occupied += 1;
    }
    layouts
};

/// One bitboard for each of the lowest six bits of a piece's letter, lowest bit first: the squares of the
/// pieces whose letter has this bit. Bit 6 is set in all letters.
fn letter_bits([ones, twos, fours, black]: [u64; 4]) -> [u64; 6] {
    [
        fours & (ones ^ twos),
        twos | fours & !ones,
        twos & !ones & !fours,
        twos & !ones,
        ones & !twos | fours & !(ones ^ twos),
        black,
    ]
}

/// Appends the pieces, rank by rank from the eighth. The code has no branches that depend on the pieces,
/// because the processor would mispredict them. It looks up the layout of each rank in a table instead.
fn push_pieces(planes: [u64; 4], occupied: Bitboard, epd: &mut String) {
    // There is room for eight ranks of up to eight bytes, each with a slash, and for the letter that the last
    // rank writes at `NOWHERE`.
    let (mut text, mut end) = ([0; 8 * 9 + NOWHERE as usize], 0);
    let bits = letter_bits(planes);
    for rank in (0..64).step_by(8).rev() {
        let letters = spread(&bits.map(|plane| plane >> rank)).map(|bits| 1 << 6 | bits);
        let layout = &LAYOUTS[(occupied.0 >> rank) as usize & 0xff];
        text[end..end + 8].copy_from_slice(&layout.digits);
        for (place, letter) in layout.places.iter().zip(letters) {
            text[end + usize::from(*place)] = letter;
        }
        end += usize::from(layout.bytes);
        text[end] = b'/';
        end += 1;
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
