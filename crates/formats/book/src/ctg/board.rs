//! Decodes a position from its bits.

use shakmaty::{Bitboard, Color, File, Piece, Rank, Role, Setup, Square};

use crate::error::DecodeFault;

/// The bit in a position's first byte that is set if there is an en passant square.
const EN_PASSANT: u8 = 1 << 5;
/// The bit in a position's first byte that is set if there are castling rights.
const CASTLING: u8 = 1 << 6;
/// The rooks that may castle, in the order of their bits, starting with the lowest.
const ROOKS: [Square; 4] = [Square::A1, Square::H1, Square::A8, Square::H8];

/// Reads bits, starting with the highest bit of each byte.
struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Bits<'_> {
    fn next(&mut self) -> Result<bool, DecodeFault> {
        let byte = self.bytes.get(self.at / 8).ok_or(DecodeFault("a board goes beyond its bytes"))?;
        let bit = byte >> (7 - self.at % 8) & 1 == 1;
        self.at += 1;
        Ok(bit)
    }

    fn role(&mut self) -> Result<Role, DecodeFault> {
        if self.next()? {
            return Ok(Role::Pawn);
        }
        Ok(match (self.next()?, self.next()?) {
            (true, true) => Role::Rook,
            (true, false) => Role::Bishop,
            (false, true) => Role::Knight,
            (false, false) if self.next()? => Role::Queen,
            (false, false) => Role::King,
        })
    }

    fn piece(&mut self) -> Result<Option<Piece>, DecodeFault> {
        if !self.next()? {
            return Ok(None);
        }
        let role = self.role()?;
        Ok(Some(Piece { color: Color::from_white(!self.next()?), role }))
    }
}

/// Decodes the position in `bytes`, whose first byte contains the length and two flags. White is to move.
pub(super) fn decode(bytes: &[u8]) -> Result<Setup, DecodeFault> {
    let (head, last) = (bytes[0], bytes[bytes.len() - 1]);
    let mut setup = Setup::empty();
    let mut bits = Bits { bytes: &bytes[1..], at: 0 };
    for file in File::ALL {
        for rank in Rank::ALL {
            if let Some(piece) = bits.piece()? {
                setup.board.set_piece_at(Square::from_coords(file, rank), piece);
            }
        }
    }
    let rights = if head & CASTLING == 0 { 0 } else { last & 15 };
    let rooks = ROOKS.iter().enumerate().filter(|(bit, _)| rights >> bit & 1 == 1);
    setup.castling_rights = rooks.map(|(_, rook)| *rook).collect::<Bitboard>();
    if head & EN_PASSANT != 0 {
        let file = if head & CASTLING == 0 { last & 7 } else { last >> 4 & 7 };
        setup.ep_square = Some(Square::from_coords(File::new(file.into()), Rank::Sixth));
    }
    Ok(setup)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::{Position as _, fen::Fen};

    /// The start position as a real book stores it.
    const START: [u8; 22] = [
        0x56, 0xb6, 0x0f, 0x79, 0x60, 0xf3, 0xa6, 0x0f, 0x58, 0xb0, 0x78, 0xe0, 0xc1, 0xe1, 0xa6, 0x0f, 0x59,
        0x60, 0xf3, 0xb6, 0x0f, 0x7f,
    ];

    #[test]
    fn the_start_position_is_read() {
        let text = Fen::try_from(decode(&START).unwrap()).unwrap().to_string();
        assert_eq!(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    }

    #[test]
    fn without_castling_the_last_byte_says_nothing_of_rights() {
        let bytes = [&[START[0] & !CASTLING], &START[1..]].concat();
        let text = Fen::try_from(decode(&bytes).unwrap()).unwrap().to_string();
        assert_eq!(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
    }

    proptest! {
        #[test]
        fn prop_no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 2..40)) {
            if let Ok(setup) = decode(&bytes) {
                prop_assert_eq!(setup.turn, Color::White);
                let position = super::super::NormalForm::of_entry(setup);
                prop_assert!(position.is_none_or(|position| position.turn() == Color::White));
            }
        }
    }

    #[test]
    fn a_board_without_its_end_is_refused() {
        for length in 2..18 {
            assert!(decode(&START[..length]).is_err(), "{length}");
        }
    }
}
