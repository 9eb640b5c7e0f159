//! Stockfish's hash of a position.
//!
//! The random numbers come from Stockfish's generator with the seed 1070372: 64 for each piece (White's six
//! pieces first), eight for en passant files, sixteen for castling rights, and one for Black to move
//! (Stockfish, `Position::init`). Versions differ in two ways. Until 2024 the en passant file was hashed if
//! an enemy pawn stood ready to capture; later versions hash it only if the capture is legal. Versions since
//! 2022 also add a term to the key once 14 plies have passed since the last capture or pawn move.

use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Position as _};

const SEED: u64 = 1_070_372;
const EN_PASSANT: usize = 12 * 64;
const CASTLING: usize = EN_PASSANT + 8;
const BLACK_MOVES: usize = CASTLING + 16;
const RANDOM: [u64; BLACK_MOVES + 1] = random();
/// Once this many plies have passed without a capture or pawn move, a term is added to the key. The term
/// changes every `PROGRESS_STEP` plies.
const PROGRESS_FROM: u32 = 14;
const PROGRESS_STEP: u32 = 8;

/// Vigna's xorshift64* generator, as Stockfish implements it.
const fn random() -> [u64; BLACK_MOVES + 1] {
    let (mut numbers, mut state, mut at) = ([0; BLACK_MOVES + 1], SEED, 0);
    while at < numbers.len() {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        numbers[at] = state.wrapping_mul(2_685_821_657_736_338_717);
        at += 1;
    }
    numbers
}

/// The hash that most versions compute for a position shortly after a capture or a pawn move.
pub(super) fn key_of(position: &Chess) -> u64 {
    hashed(position, EnPassantMode::PseudoLegal)
}

/// The hashes that different engine versions compute for a position, without duplicates, most likely first.
pub(super) fn keys_of(position: &Chess) -> impl Iterator<Item = u64> {
    let (taken, legal) = (key_of(position), hashed(position, EnPassantMode::Legal));
    let plies = position.halfmoves();
    let term = plies.checked_sub(PROGRESS_FROM).map_or(0, |plies| {
        let number = u64::from(plies / PROGRESS_STEP);
        number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
    });
    let keys = [taken ^ term, legal ^ term, taken, legal];
    (0..keys.len()).filter(move |&at| !keys[..at].contains(&keys[at])).map(move |at| keys[at])
}

fn hashed(position: &Chess, en_passant: EnPassantMode) -> u64 {
    let mut key = 0;
    for (square, piece) in position.board() {
        let kind = usize::from(piece.color.is_black()) * 6 + piece.role as usize - 1;
        key ^= RANDOM[kind * 64 + usize::from(square)];
    }
    if let Some(square) = position.ep_square(en_passant) {
        key ^= RANDOM[EN_PASSANT + usize::from(square.file())];
    }
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    let rights = [Color::White, Color::Black].into_iter().flat_map(|color| sides.map(|side| (color, side)));
    let rights = rights.enumerate().filter(|(_, (color, side))| position.castles().has(*color, *side));
    key ^= RANDOM[CASTLING + rights.map(|(bit, _)| 1 << bit).sum::<usize>()];
    if position.turn().is_black() { key ^ RANDOM[BLACK_MOVES] } else { key }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    /// Compares the first and last random numbers for pieces, and the first numbers for en passant, castling
    /// and Black to move, with the list in ShashChess's `position.cpp`.
    #[test]
    fn numbers_are_stockfishs() {
        assert_eq!((RANDOM[0], RANDOM[767]), (591_679_071_752_537_765, 3_452_471_826_952_569_846));
        assert_eq!(RANDOM[EN_PASSANT], 9_031_641_776_876_329_352);
        assert_eq!(
            (RANDOM[CASTLING], RANDOM[BLACK_MOVES]),
            (7_487_338_029_351_702_425, 11_598_212_307_497_933_772)
        );
    }

    /// Stockfish 15.1 prints these keys for the command `d`. Versions from that time hash an en passant file
    /// even if the capture is not legal.
    #[test]
    fn keys_are_stockfishs() {
        let printed = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x8f8f_01d4_562f_59fb),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0xade7_fe48_1dd0_d8fa),
            ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 13 40", 0x1964_ba51_4e14_80cc),
            ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 14 40", 0x0d61_c12f_b973_0183),
            ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 29 40", 0x7533_d5fd_0de9_80b0),
            ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", 0x2e8c_f98b_9f02_e81d),
        ];
        for (fen, key) in printed {
            assert_eq!(keys_of(&position(fen)).next(), Some(key), "{fen}");
        }
        let keys = |fen| keys_of(&position(fen)).collect::<Vec<_>>();
        let plain = keys("4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1");
        assert_eq!((plain.len(), keys(printed[5].0)), (1, vec![printed[5].1, plain[0]]));
    }
}
