//! Learning from an engine's own games: ChessPartner's conditions, Terra's dynamic values, Terra's
//! PostBook.

mod lokasoft;
mod terra;

use position::{Outcome, PackedMove};
use shakmaty::Color;

use crate::identity::Identity;

pub use lokasoft::{Clause, Refusal, applies};
pub use terra::{POST_BOOK_MOVES, add_result, book_plies, post_book_plies};

/// A finished game that the engine played itself.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OwnGame {
    /// The engine's side.
    pub own: Color,
    /// How the game ended.
    pub outcome: Outcome,
    /// Half-moves played.
    pub plies: u32,
    /// The engine's rating, if known.
    pub own_elo: Option<u16>,
    /// The opponent's rating, if known.
    pub opponent_elo: Option<u16>,
    /// Whether it was played at tournament level, or at least with a time control.
    pub timed: bool,
    /// Whether no move was taken back and no engine exchanged.
    pub serious: bool,
}

impl OwnGame {
    fn is_won(&self) -> bool {
        self.outcome == self.own.fold_wb(Outcome::White, Outcome::Black)
    }

    fn is_lost(&self) -> bool {
        self.outcome == self.own.fold_wb(Outcome::Black, Outcome::White)
    }
}

/// The identity of a game, so that a copy of it is not recorded again: a hash of players (first 31
/// bytes), date (yyyymmdd, 0 if unknown), moves and outcome, if it is known.
#[must_use]
pub fn identity(
    white: &str,
    black: &str,
    date: u32,
    moves: impl ExactSizeIterator<Item = PackedMove>,
    outcome: Option<Outcome>,
) -> u64 {
    let numbers = Identity::new().name(white).name(black).moves(moves).number(i64::from(date));
    numbers.number(outcome.map_or(-1, |outcome| outcome as i64)).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_told_apart() {
        let moves = [PackedMove(0x31c), PackedMove(0xd24)];
        let of =
            |date, count, outcome| identity("a", "b", date, moves[..count].iter().copied(), Some(outcome));
        let game = of(20_260_101, 2, Outcome::White);
        assert_eq!(game, of(20_260_101, 2, Outcome::White));
        for other in
            [of(0, 2, Outcome::White), of(20_260_101, 1, Outcome::White), of(20_260_101, 2, Outcome::Draw)]
        {
            assert_ne!(game, other);
        }
    }
}
