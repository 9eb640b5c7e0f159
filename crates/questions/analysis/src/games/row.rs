//! A game as a row: its tags as typed values, and its moves.

use std::fmt;

use chrono::NaiveDate;
use position::{Key, PackedMove};
use shakmaty::{File, Square};

/// A game: its tags as typed values, and its moves.
///
/// The tags have the same names and types as in Lichess's published data set of standard games; see
/// `docs/parquet.md`. Values that a game lacks are `None` or empty lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRow {
    /// The tag `Event`.
    pub event: Option<String>,
    /// The tag `Site`.
    pub site: Option<String>,
    /// The tag `White`.
    pub white: Option<String>,
    /// The tag `Black`.
    pub black: Option<String>,
    /// `1-0`, `1/2-1/2`, `0-1` or `*`.
    pub result: Option<String>,
    /// The tag `WhiteTitle`.
    pub white_title: Option<String>,
    /// The tag `BlackTitle`.
    pub black_title: Option<String>,
    /// White's rating, Elo.
    pub white_elo: Option<i16>,
    /// Black's rating, Elo.
    pub black_elo: Option<i16>,
    /// How much this game changed White's rating.
    pub white_rating_diff: Option<i16>,
    /// How much this game changed Black's rating.
    pub black_rating_diff: Option<i16>,
    /// The day as a number of days since 1970-01-01, from the tag `UTCDate` or, if there is none, from the
    /// tag `Date`. `None` unless the year, month and day are all known.
    pub utc_date: Option<i32>,
    /// The tag `UTCTime` as a number of seconds since midnight, below 86,400.
    pub utc_time: Option<u32>,
    /// The tag `ECO`.
    pub eco: Option<String>,
    /// The tag `Opening`.
    pub opening: Option<String>,
    /// The tag `Termination`.
    pub termination: Option<String>,
    /// The tag `TimeControl`.
    pub time_control: Option<String>,
    /// The key of the position after the last move.
    pub end_key: Option<Key>,
    /// The moves.
    pub moves: Vec<GameMove>,
    /// The key of the position before each move; only observations need these keys.
    pub keys: Vec<Key>,
    /// The evaluation after each move, in hundredths of a pawn from White's point of view; `None` if the move
    /// has no evaluation or the evaluation is a mate. The list is empty if no move has an evaluation.
    pub evals_cp: Vec<Option<i32>>,
    /// The number of moves to mate after each move, negative if Black mates; `None` unless the evaluation is
    /// a mate. The list is empty if no move has an evaluation.
    pub evals_mate: Vec<Option<i32>>,
    /// The mover's clock in seconds after each move, or `None` for a move without a clock. The list is empty
    /// if no move has a clock.
    pub clocks: Vec<Option<f32>>,
}

/// A move of a game.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GameMove {
    /// The move in Polyglot's packed form, in which castling is written as the king taking its own rook.
    pub packed: PackedMove,
    /// Whether the move is castling.
    pub castles: bool,
}

impl GameMove {
    /// A number that no move with another name has.
    pub(crate) fn code(self) -> u64 {
        u64::from(self.packed.0) | u64::from(self.castles) << 16
    }

    /// The move's name in UCI, in which castling is written as the king moving two files.
    #[must_use]
    pub fn uci(self) -> impl fmt::Display {
        if !self.castles {
            return self.packed;
        }
        let (from, to) = (self.packed.from(), self.packed.to());
        let file = if to.file() > from.file() { File::G } else { File::C };
        PackedMove::new(from, Square::from_coords(file, from.rank()), None)
    }
}

/// Converts a day of the Gregorian calendar to days since 1970-01-01; `None` if there is no such day.
#[must_use]
pub fn days_since_1970(year: i32, month: u32, day: u32) -> Option<i32> {
    let day = NaiveDate::from_ymd_opt(year, month, day)?;
    (1..=9999).contains(&year).then(|| day.to_epoch_days())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_castling_has_another_name_in_uci() {
        let of = |packed, castles| GameMove { packed, castles };
        let castling = PackedMove::new(Square::E8, Square::A8, None);
        assert_eq!(of(castling, true).uci().to_string(), "e8c8");
        assert_eq!(of(castling, false).uci().to_string(), "e8a8");
        let short = PackedMove::new(Square::E1, Square::H1, None);
        assert_eq!(of(short, true).uci().to_string(), "e1g1");
        assert_eq!(of(short, true).packed, short);
    }

    #[test]
    fn days_are_the_calendars() {
        assert_eq!(days_since_1970(1970, 1, 1), Some(0));
        assert_eq!(days_since_1970(2000, 3, 1), Some(11_017));
        assert_eq!(days_since_1970(2013, 1, 31), Some(15_736));
        assert_eq!(days_since_1970(1851, 6, 21), Some(-43_293));
        assert_eq!(days_since_1970(2023, 2, 29), None);
        assert_eq!(days_since_1970(2024, 2, 29), Some(19_782));
        assert_eq!(days_since_1970(2024, 13, 1), None);
        assert_eq!(days_since_1970(2024, 1, 0), None);
        let mut days = -800_000;
        while days_since_1970(1, 1, 1) > Some(days) {
            days += 1;
        }
        for year in 1..3000 {
            for month in 1..=12 {
                for day in 1..=31 {
                    if let Some(got) = days_since_1970(year, month, day) {
                        assert_eq!(got, days, "{year}-{month}-{day}");
                        days += 1;
                    }
                }
            }
        }
    }
}
