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
    push_pieces(planes.map(u64::from), epd);
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
        push_pieces(self.0, epd);
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

/// How the text of a rank is made from eight bytes, one for each file: the letter of the piece, or 0 if the
/// square is empty. This depends only on the files that are occupied.
#[derive(Clone, Copy)]
struct RankLayout {
    /// The letters that move to a lower place: by one place, by two, and by four. A letter moves because a
    /// single digit stands for all empty squares that follow each other.
    moving: [u64; 3],
    /// For each byte of the text, its value if it is a digit that counts empty squares; otherwise 0.
    digits: u64,
    /// The length of the text.
    bytes: usize,
}

/// The layouts of ranks, indexed by a bit set of the occupied files.
static LAYOUTS: [RankLayout; 256] = {
    let mut layouts = [RankLayout { moving: [0; 3], digits: 0, bytes: 0 }; 256];
    let mut occupied = 0;
    while occupied < 256 {
        let layout = &mut layouts[occupied];
        let (mut file, mut is_after_piece) = (0, true);
        while file < 8 {
            let is_piece = occupied >> file & 1 == 1;
            if !is_piece {
                let digit = if is_after_piece { layout.bytes } else { layout.bytes - 1 };
                layout.digits += if is_after_piece { b'1' as u64 } else { 1 } << (8 * digit);
            }
            layout.bytes += (is_piece || is_after_piece) as usize;
            if is_piece {
                let places = file + 1 - layout.bytes;
                let (mut step, mut place) = (0, file);
                while step < 3 {
                    if places >> step & 1 == 1 {
                        layout.moving[step] |= 0xff << (8 * place);
                        place -= 1 << step;
                    }
                    step += 1;
                }
            }
            (is_after_piece, file) = (is_piece, file + 1);
        }
        occupied += 1;
    }
    layouts
};

impl RankLayout {
    /// The text of a rank, followed by zeros.
    #[inline]
    fn text(&self, letters: u64) -> u64 {
        let shifted = |text: u64, (moving, bits): (u64, u32)| text & !moving | (text & moving) >> bits;
        let [one, two, four] = self.moving;
        [(one, 8), (two, 16), (four, 32)].into_iter().fold(letters, shifted) | self.digits
    }
}

/// One bitboard for each bit of a piece's letter, lowest bit first: the squares of the pieces whose letter
/// has this bit. Bit 6 is set in all letters.
fn letter_bits([ones, twos, fours, black]: [u64; 4]) -> [u64; 7] {
    let occupied = ones | twos | fours;
    [
        fours & (ones ^ twos),
        twos | fours & !ones,
        twos & !ones & !fours,
        twos & !ones,
        ones & !twos | fours & !(ones ^ twos),
        black & occupied,
        occupied,
    ]
}

/// Appends the pieces, rank by rank from the eighth. The code has no branches that depend on the pieces,
/// because the processor would mispredict them. It looks up the layout of each rank in a table instead.
fn push_pieces(planes: [u64; 4], epd: &mut String) {
    // There is room for eight ranks of up to eight bytes, each with a slash.
    let (mut text, mut end) = ([0; 8 * 9], 0);
    let bits = letter_bits(planes);
    for rank in (0..8).rev() {
        let bits = bits.map(|plane| plane >> (8 * rank));
        let layout = &LAYOUTS[(bits[6] & 0xff) as usize];
        text[end..end + 8].copy_from_slice(&layout.text(u64::from_le_bytes(spread(&bits))).to_le_bytes());
        end += layout.bytes;
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
