//! A move in Polyglot's sixteen bits.
//!
//! # Format
//!
//! Bits 0–2 to-file, 3–5 to-rank, 6–8 from-file, 9–11 from-rank, 12–14 promotion (0 none, 1 knight, 2 bishop,
//! 3 rook, 4 queen). Castling is written as the king taking its own rook: `e1h1`, `e1a1`, `e8h8`, `e8a8`
//! (Polyglot, `book_format.html`). Some books by other programs store castling as a two-square king move
//! instead (`e1g1`). If the position is known, such a move is read as castling, too. The value 0 would be
//! `a1a1`, which is not a move, so it marks a *terminal visit*: the game ended in the position, or the ply
//! limit cut it off.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{
    CastlingSide, Chess, Move, MoveList, Position as _, Role, Square,
    san::{San, SanPlus, Suffix},
};

use crate::Step;

/// The ways to castle: the two squares of the king's move, the rook's square, and the move in UCI notation.
const CASTLING: [(Square, Square, Square, &str); 4] = [
    (Square::E1, Square::G1, Square::H1, "e1g1"),
    (Square::E1, Square::C1, Square::A1, "e1c1"),
    (Square::E8, Square::G8, Square::H8, "e8g8"),
    (Square::E8, Square::C8, Square::A8, "e8c8"),
];

/// A move as Polyglot packs it; 0 is a terminal visit.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[must_use]
pub struct PackedMove(pub u16);

impl PackedMove {
    /// No move: the game ended here, or the ply limit cut it off.
    pub const TERMINAL: PackedMove = PackedMove(0);

    /// Packs squares and promotion.
    #[inline]
    pub fn new(from: Square, to: Square, promotion: Option<Role>) -> Self {
        // shakmaty numbers the roles from 1 for a pawn; Polyglot numbers promotions from 1 for a knight.
        let promotion = promotion.map_or(0, |role| role as u16 - 1);
        Self(u16::from(to) | u16::from(from) << 6 | promotion << 12)
    }

    /// Packs a legal move.
    ///
    /// # Panics
    ///
    /// Panics on a piece drop, which standard chess does not have.
    #[inline]
    pub fn pack(m: Move) -> Self {
        let Some(from) = m.from() else { panic!("no drops in standard chess: {m:?}") };
        Self::new(from, m.to(), m.promotion())
    }

    /// The square the piece leaves.
    #[must_use]
    pub fn from(self) -> Square {
        Square::new(u32::from(self.0 >> 6 & 63))
    }

    /// The square the piece goes to; for castling, the square of the mover's rook.
    #[must_use]
    pub fn to(self) -> Square {
        Square::new(u32::from(self.0 & 63))
    }

    /// The piece a pawn turns into.
    #[must_use]
    pub fn promotion(self) -> Option<Role> {
        let number = usize::from(self.0 >> 12);
        (1..=4).contains(&number).then(|| Role::ALL[number])
    }

    /// Whether this marks a terminal visit.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        self == Self::TERMINAL
    }

    /// The move in UCI notation, in which castling is a two-square king move. No position is needed. The bits
    /// alone do not show which piece moves. The moves `e1h1`, `e1a1`, `e8h8` and `e8a8` therefore count as
    /// castling if `step` is the step of a castling move, or if `step` is `None`.
    #[must_use]
    pub fn uci(self, step: Option<Step>) -> String {
        let castling = CASTLING.into_iter().filter(|_| step.is_none_or(Step::is_castling));
        let named = castling.into_iter().find(|&(king, _, rook, _)| self == Self::new(king, rook, None));
        named.map_or_else(|| self.to_string(), |(.., name)| name.to_owned())
    }

    /// The same move, encoded as by [`pack`](Self::pack). The bits change only if they encode castling as a
    /// two-square king move, and castling is legal in `position`.
    pub fn normalized(self, position: &Chess) -> Self {
        let as_castling = self.rook_of_king_move().and_then(|_| self.unpack(position));
        as_castling.map_or(self, Self::pack)
    }

    /// Whether this may be castling, encoded as a two-square king move. The bits may also encode a move of
    /// another piece, because they do not show which piece moves.
    #[must_use]
    pub fn may_castle_by_king(self) -> bool {
        self.rook_of_king_move().is_some()
    }

    /// The square of the rook, if a king that moves between these two squares castles.
    fn rook_of_king_move(self) -> Option<Square> {
        let castling = CASTLING.into_iter().find(|&(from, to, ..)| self == Self::new(from, to, None));
        castling.map(|(_, _, rook, _)| rook)
    }

    /// The legal move in `position` with these bits; castling may also be encoded as a two-square king move.
    /// `None` if there is no such move.
    #[must_use]
    pub fn unpack(self, position: &Chess) -> Option<Move> {
        let m = self.guessed(position)?;
        alike(m, position).contains(&m).then_some(m)
    }

    /// The legal move in `position` with these bits, and its SAN.
    #[must_use]
    pub fn unpack_with_san(self, position: &Chess) -> Option<(Move, SanPlus)> {
        self.played_on(&mut position.clone())
    }

    /// Plays the legal move in `position` with these bits and returns its SAN. If there is no such move, the
    /// position does not change.
    pub fn play_with_san(self, position: &mut Chess) -> Option<SanPlus> {
        self.played_on(position).map(|(_, san)| san)
    }

    fn played_on(self, position: &mut Chess) -> Option<(Move, SanPlus)> {
        let m = self.guessed(position)?;
        let alike = alike(m, position);
        if !alike.contains(&m) {
            return None;
        }
        position.play_unchecked(m);
        Some((m, SanPlus { san: San::disambiguate(m, &alike), suffix: suffix(position) }))
    }

    /// The only move that these bits may encode, given the pieces on its two squares; it may be illegal.
    fn guessed(self, position: &Chess) -> Option<Move> {
        let (from, to, board) = (self.from(), self.to(), position.board());
        let role = board.role_at(from)?;
        let is_own = |square| board.color_at(square) == Some(position.turn());
        let capture = board.role_at(to);
        if role == Role::King
            && let Some(rook) = self.rook_of_king_move()
        {
            return Some(Move::Castle { king: from, rook });
        }
        let m = if role == Role::King && is_own(to) {
            Move::Castle { king: from, rook: to }
        } else if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
            Move::EnPassant { from, to }
        } else {
            Move::Normal { role, from, capture, to, promotion: self.promotion() }
        };
        // The bits of `m` differ from `self` if `self` has an unknown promotion, a bit set above the
        // promotion, or a promotion in castling or en passant.
        (Self::pack(m) == self).then_some(m)
    }
}

/// All legal moves whose SAN could be confused with that of `m`; no other moves are generated. The list takes
/// much memory, so each branch returns it as soon as it is made, which avoids a copy.
fn alike(m: Move, position: &Chess) -> MoveList {
    match m {
        Move::Normal { role, to, .. } | Move::Put { role, to } => position.san_candidates(role, to),
        Move::EnPassant { to, .. } => position.san_candidates(Role::Pawn, to),
        Move::Castle { king, rook } => {
            position.castling_moves(CastlingSide::from_king_side(king.file() < rook.file()))
        }
    }
}

/// The SAN suffix for check or checkmate of the move that led to this position. Since few moves give check,
/// the replies rarely need to be generated. [`Suffix::from_position`] always generates them, because it also
/// finds stalemates.
fn suffix(after: &Chess) -> Option<Suffix> {
    if after.checkers().is_empty() {
        return None;
    }
    Some(if after.legal_moves().is_empty() { Suffix::Checkmate } else { Suffix::Check })
}

/// Writes a move such as `e2e4` or `e7e8q`, castling as the king taking its own rook (`e1h1`), and a terminal
/// visit as `--`.
impl fmt::Display for PackedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_terminal() {
            return f.write_str("--");
        }
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Board;
    use shakmaty::fen::Fen;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().unwrap();
        fen.into_position(shakmaty::CastlingMode::Standard).unwrap()
    }

    #[test]
    fn every_legal_move_round_trips() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let position = position(fen);
            for m in position.legal_moves() {
                assert_eq!(PackedMove::pack(m).unpack(&position), Some(m), "{fen} {m:?}");
            }
        }
    }

    /// Checks for all 65,536 values that the unpacked move and its SAN are the same as in shakmaty.
    fn check_every_pattern(position: &Chess) {
        let mut legal: BTreeMap<u16, Move> =
            position.legal_moves().into_iter().map(|m| (PackedMove::pack(m).0, m)).collect();
        for m in position.legal_moves().into_iter().filter(|m| m.is_castle()) {
            let to = m.castling_side().unwrap().king_to(position.turn());
            let king_move = PackedMove::new(m.from().unwrap(), to, None);
            assert!(legal.insert(king_move.0, m).is_none());
            assert_eq!(king_move.normalized(position), PackedMove::pack(m));
        }
        for bits in 0..=u16::MAX {
            let expected = legal.get(&bits);
            let found = PackedMove(bits).unpack_with_san(position);
            assert_eq!(found.as_ref().map(|(m, _)| m), expected, "{bits:#06x}");
            assert!(found.is_some() || PackedMove(bits).normalized(position).0 == bits);
            if let Some((m, san)) = found {
                assert_eq!(san, SanPlus::from_move(position.clone(), m));
            }
        }
    }

    #[test]
    fn what_is_legal_and_its_san_are_shakmatys() {
        for fen in [
            "r3k2r/pPp2pPp/8/3pP3/3Pp3/8/PpP2PpP/R3K2R w KQkq d6 0 1",
            "r3k2r/pPp2pPp/8/3pP3/3Pp3/8/PpP2PpP/R3K2R b KQkq - 0 1",
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
            "QQQ5/8/7k/N2N3N/8/1N3N2/4r3/4K2R w K - 0 1",
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4",
            "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1",
        ] {
            check_every_pattern(&position(fen));
        }
    }

    /// A move from e1 to g1 is castling only if the piece is a king that may castle.
    #[test]
    fn only_a_king_that_may_castles_by_its_two_squares() {
        let short = PackedMove::new(Square::E1, Square::G1, None);
        for (fen, castles) in [
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", true),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4K1NR w K - 0 1", false),
            ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", false),
            ("k7/8/8/8/8/8/K7/4Q2R w - - 0 1", false),
            ("4k2r/8/8/8/8/8/8/4K2R b Kk - 0 1", false),
        ] {
            let position = position(fen);
            let expected = if castles { "e1h1" } else { "e1g1" };
            assert_eq!(short.normalized(&position).to_string(), expected, "{fen}");
        }
        let queen = position("k7/8/8/8/8/8/K7/4Q2R w - - 0 1");
        assert!(short.unpack(&queen).is_some_and(|m| !m.is_castle()));
    }

    #[test]
    fn a_step_says_whether_a_move_castles() {
        let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let mut board = Board::at(&position);
        let castles = board.play_san(&San::from_ascii(b"O-O").unwrap()).unwrap();
        assert_eq!(
            (castles.mv.to_string(), castles.mv.uci(Some(castles.step))),
            ("e1h1".into(), "e1g1".into())
        );
        assert_eq!(
            (castles.mv.uci(None), castles.mv.uci(Some(Step::default()))),
            ("e1g1".into(), "e1h1".into())
        );
        let long = PackedMove::new(Square::E8, Square::A8, None);
        assert_eq!((long.uci(None), PackedMove(796).uci(None)), ("e8c8".into(), "e2e4".into()));
    }

    #[test]
    fn bits_are_polyglots() {
        let e2e4 = PackedMove::new(Square::E2, Square::E4, None);
        assert_eq!(e2e4.0, 0b000_001_100_011_100);
        assert_eq!(e2e4.to_string(), "e2e4");
        let promotion = PackedMove::new(Square::A7, Square::A8, Some(Role::Queen));
        assert_eq!(promotion.0 >> 12, 4);
        assert_eq!(promotion.to_string(), "a7a8q");
        assert_eq!(PackedMove::TERMINAL.to_string(), "--");
    }
}
