//! Learns from an engine's own games, using ChessPartner's conditions, Terra's dynamic values and Terra's
//! PostBook.

mod lokasoft;
mod terra;

use position::{Outcome, PackedMove};
use shakmaty::Color;

use crate::identity::Identity;

pub use lokasoft::{Clause, Refusal, applies};
pub use terra::{POST_BOOK_MOVES, add_result, book_plies, post_book_plies};

/// A finished game played by the engine itself.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OwnGame {
    /// The engine's side.
    pub own: Color,
    /// The result of the game.
    pub outcome: Outcome,
    /// The number of half-moves of the game.
    pub plies: u32,
    /// The engine's rating; `None` if unknown.
    pub own_elo: Option<u16>,
    /// The opponent's rating; `None` if unknown.
    pub opponent_elo: Option<u16>,
    /// Whether the game was played with a time control, no matter how fast or slow.
    pub timed: bool,
    /// `false` if a move was taken back or the engine was replaced during the game.
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

/// The identity of a game, used to recognise copies and record each game only once. It is a hash of the
/// players (the first 31 bytes of each name), the date (yyyymmdd, 0 if unknown), the moves and, if known, the
/// outcome.
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

/// A hash of a game's [`identity`], the round of the event and the time of day. It tells apart games that
/// have the same moves and were played on the same day.
#[must_use]
pub fn timed_identity(identity: u64, round: Option<&str>, time: Option<&str>) -> u64 {
    if round.is_none() && time.is_none() {
        return identity;
    }
    let begun = Identity::new().number(identity.cast_signed()).name(round.unwrap_or_default());
    begun.name(time.unwrap_or_default()).finish()
}

/// The identity that is stored for a game after one side has learned from it. If an engine plays against
/// itself, it learns from both sides, and the game is remembered once for each.
#[must_use]
pub fn side_identity(identity: u64, own: Color) -> u64 {
    Identity::new().number(identity.cast_signed()).number(own.fold_wb(0, 1)).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_of_sides_are_stable() {
        let sides = [Color::White, Color::Black].map(|own| side_identity(7, own));
        assert_eq!(
            sides,
            [0x47d3_1199_58a8_dbbe, 0xf086_c6c7_99ec_7e76],
            "kept in files: they may never change"
        );
    }

    #[test]
    fn identities_with_a_round_or_a_time_are_stable() {
        assert_eq!(timed_identity(7, None, None), 7, "files of older versions remember it so");
        let begun = [(Some("3.1"), Some("12:34:56")), (Some("3.1"), None), (None, Some("12:34:56"))];
        assert_eq!(
            begun.map(|(round, time)| timed_identity(7, round, time)),
            [0x2c1b_a34d_b320_7654, 0x48e3_cc44_1529_1ef4, 0xc69e_43a9_e077_0139],
            "kept in files: they may never change"
        );
    }

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
