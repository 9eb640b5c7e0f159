//! A record: a move.

use position::{PackedMove, Tally};
use shakmaty::{Chess, Move, Role, Square, uci::UciMove};

use super::RECORD_BYTES;

/// The bit that marks a deleted move.
const DELETED: u32 = 1 << 24;
/// The value of a link that points to no record.
const NONE: i32 = -1;
/// The pieces that a pawn can promote to, indexed by their codes in the file.
const PROMOTIONS: [Option<Role>; 5] =
    [None, Some(Role::Rook), Some(Role::Knight), Some(Role::Bishop), Some(Role::Queen)];

/// A move of the tree.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct AbkMove {
    /// The square that the piece moves from, 0 to 63.
    pub from: u8,
    /// The square that the piece moves to, 0 to 63.
    pub to: u8,
    /// The code of the piece that a pawn promotes to: 0 none, 1 rook, 2 knight, 3 bishop, 4 queen. The code
    /// is negative for White.
    pub promotion: i8,
    /// The priority, 0 (bad) to 9.
    pub priority: u8,
    /// The number of games on this line in which the move was played.
    pub games: i32,
    /// The number of these games that White won.
    pub won: i32,
    /// The number of these games that White lost.
    pub lost: i32,
    /// The bit that marks a deleted move, and bits whose meaning is undocumented.
    pub flags: u32,
    /// The number of the record that contains the first reply; `None` if there is no reply.
    pub next_move: Option<i32>,
    /// The number of the record that contains the next alternative to this move; `None` if there is none.
    pub next_sibling: Option<i32>,
}

impl AbkMove {
    /// Makes the record for the move `m`; `tally` contains White's wins, draws and losses.
    #[must_use]
    pub fn of(m: Move, is_white: bool, priority: u8, tally: [i32; 3]) -> Self {
        let to = match m {
            Move::Castle { king, rook } if king < rook => Square::new(u32::from(king) + 2),
            Move::Castle { king, .. } => Square::new(u32::from(king) - 2),
            _ => m.to(),
        };
        let number = PROMOTIONS.iter().position(|role| *role == m.promotion()).unwrap_or(0) as i8;
        let [won, draws, lost] = tally;
        Self {
            from: PackedMove::pack(m).from() as u8,
            to: to as u8,
            promotion: if is_white { -number } else { number },
            priority,
            games: won + draws + lost,
            won,
            lost,
            ..Self::default()
        }
    }

    /// Whether a user of Arena deleted the move.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.flags & DELETED != 0
    }

    /// The legal move in `position` that the record describes; `None` if there is no such move.
    #[must_use]
    pub fn legal_move(&self, position: &Chess) -> Option<Move> {
        self.uci()?.to_move(position).ok()
    }

    /// The move as text, such as `e2e4`, or the record's raw numbers if they cannot be a move.
    #[must_use]
    pub fn name(&self) -> String {
        let numbers = || format!("{}-{} (promotion {})", self.from, self.to, self.promotion);
        self.uci().map_or_else(numbers, |uci| uci.to_string())
    }

    fn uci(&self) -> Option<UciMove> {
        let square = |number: u8| Square::try_from(u32::from(number)).ok();
        let promotion = *PROMOTIONS.get(usize::from(self.promotion.unsigned_abs()))?;
        Some(UciMove::Normal { from: square(self.from)?, to: square(self.to)?, promotion })
    }

    /// The move's games by result, and whether White's wins and losses together exceed the number of games.
    /// If they do, the number of draws is 0. Returns `None` if a number is negative.
    #[must_use]
    pub fn tally(&self) -> Option<(Tally, bool)> {
        let [games, white, black] = [self.games, self.won, self.lost].map(u64::try_from);
        let (games, white, black) = (games.ok()?, white.ok()?, black.ok()?);
        let draws = games.saturating_sub(white + black);
        Some((Tally { white, draws, black }, white + black > games))
    }

    pub(super) fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Self {
        let int = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let link = |at| Some(int(at)).filter(|&record| record != NONE);
        Self {
            from: bytes[0],
            to: bytes[1],
            promotion: bytes[2].cast_signed(),
            priority: bytes[3],
            games: int(4),
            won: int(8),
            lost: int(12),
            flags: int(16).cast_unsigned(),
            next_move: link(20),
            next_sibling: link(24),
        }
    }

    pub(super) fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..4].copy_from_slice(&[self.from, self.to, self.promotion.cast_unsigned(), self.priority]);
        let links = [self.next_move, self.next_sibling].map(|link| link.unwrap_or(NONE));
        let ints = [self.games, self.won, self.lost, self.flags.cast_signed(), links[0], links[1]];
        for (place, int) in bytes[4..].chunks_exact_mut(4).zip(ints) {
            place.copy_from_slice(&int.to_le_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Position as _, fen::Fen};

    fn record(int: i32) -> AbkMove {
        let links = (Some(int).filter(|&at| at != -1), Some(!int).filter(|&at| at != -1));
        let (next_move, next_sibling) = links;
        let [from, to, promotion, priority] = int.to_le_bytes();
        let (promotion, flags) = (promotion.cast_signed(), int.cast_unsigned().rotate_left(7));
        let (games, won, lost) = (!int, int.rotate_left(3), int.rotate_left(11));
        AbkMove { from, to, promotion, priority, games, won, lost, flags, next_move, next_sibling }
    }

    proptest! {
        #[test]
        fn prop_bytes_come_back(int: i32) {
            prop_assert_eq!(AbkMove::from_bytes(&record(int).to_bytes()), record(int));
        }

        #[test]
        fn prop_moves_come_back(choices in prop::collection::vec(0usize..200, 0..200)) {
            let mut position = Chess::default();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() { break; }
                for &m in &moves {
                    let record = AbkMove::of(m, position.turn().is_white(), 5, [1, 2, 3]);
                    prop_assert_eq!(record.legal_move(&position), Some(m), "{}", record.name());
                }
                position.play_unchecked(moves[choice % moves.len()]);
            }
        }
    }

    #[test]
    fn promotions_and_castling_are_as_arena_writes_them() {
        let fen: Fen = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let named = |name: &str| {
            let m = name.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            AbkMove::of(m, true, 9, [0, 0, 1])
        };
        assert_eq!((named("a7a8q").promotion, named("a7a8n").promotion, named("e1g1").to), (-4, -2, 6));
        let taken = AbkMove { to: 7, ..named("e1g1") };
        assert_eq!(taken.legal_move(&position), named("e1g1").legal_move(&position), "king takes rook");
    }

    #[test]
    fn results_beyond_the_games_leave_no_draw_and_negative_ones_nothing() {
        let record = AbkMove { games: 10, won: 4, lost: 3, ..AbkMove::default() };
        assert_eq!(record.tally(), Some((Tally { white: 4, draws: 3, black: 3 }, false)));
        let more = AbkMove { lost: 7, ..record };
        assert_eq!(more.tally(), Some((Tally { white: 4, draws: 0, black: 7 }, true)));
        assert_eq!(AbkMove { won: -1, ..record }.tally(), None);
    }
}
