//! A game that is an example.

use std::{cmp::Ordering, fmt, str::FromStr};

use position::{Group, Outcome, PackedMove};
use serde::{Deserialize, Serialize};

/// The headers that an example keeps, in the order in which they are kept.
pub const HEADERS: [&str; 11] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "WhiteElo",
    "BlackElo",
    "TimeControl",
    "UTCTime",
    "FEN",
];

/// What identifies a game: in its upper bits four bits of each of the game's first moves, in its lower bits a
/// hash of the game's text. So games that begin alike are neighbours, and a block of them is smaller. It is
/// written as sixteen hexadecimal digits.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct GameId(#[serde(with = "postcard::fixint::le")] pub u64);

/// The number of moves of which an id has bits.
const ID_MOVES: usize = 6;
/// A multiplier that mixes the bits of a move.
const MIX: u16 = 0x9e37;

impl GameId {
    /// The id of a game with these moves; `text` is the XXH3-64 of its text without the blanks around it.
    #[must_use]
    pub fn new(moves: &[PackedMove], text: u64) -> Self {
        let bits = |ply: usize| moves.get(ply).map_or(0, |mv| u64::from(mv.0.wrapping_mul(MIX) >> 12));
        let beginning = (0..ID_MOVES).fold(0, |id, ply| id << 4 | bits(ply));
        Self(beginning << (64 - 4 * ID_MOVES) | text >> (4 * ID_MOVES))
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for GameId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number =
            Some(text).filter(|text| text.len() == 16).and_then(|text| u64::from_str_radix(text, 16).ok());
        number.map(Self).ok_or("sixteen hexadecimal digits")
    }
}

/// A game, and what decides its rank among others.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[must_use]
pub struct RankedGame {
    /// The sum of both Elo ratings; 0 unless both are known.
    pub elos: u16,
    /// The day as the number yyyymmdd, with zeros for unknown parts.
    pub date: u32,
    /// Which game it is.
    pub id: GameId,
}

impl RankedGame {
    /// A number that is larger for a better rated game and, among equally rated games, for a newer one.
    #[must_use]
    pub fn by_rating(self) -> u128 {
        u128::from(self.elos) << 96 | u128::from(self.date) << 64 | u128::from(self.id.0)
    }

    /// A number that is larger for a newer game and, among games of one day, for a better rated one.
    #[must_use]
    pub fn by_date(self) -> u128 {
        u128::from(self.date) << 80 | u128::from(self.elos) << 64 | u128::from(self.id.0)
    }

    /// The game whose [`by_rating`](Self::by_rating) is `number`.
    pub fn of_rating(number: u128) -> Self {
        Self { elos: (number >> 96) as u16, date: (number >> 64) as u32, id: GameId(number as u64) }
    }

    /// The game whose [`by_date`](Self::by_date) is `number`.
    pub fn of_date(number: u128) -> Self {
        Self { elos: (number >> 64) as u16, date: (number >> 80) as u32, id: GameId(number as u64) }
    }
}

/// The examples of a row.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct MoveExamples {
    mv: u16,
    group: u32,
    /// Whether it is certain that no better game than these is missing.
    pub is_complete: bool,
    /// The best rated games and the newest ones, the best rated first.
    games: Vec<RankedGame>,
}

impl MoveExamples {
    /// The examples of a row, chosen from `games`: the `count` best rated ones and the `count` newest ones. A
    /// game may be in `games` twice.
    #[must_use]
    pub fn new(
        (mv, group): (PackedMove, Group),
        is_complete: bool,
        mut games: Vec<RankedGame>,
        count: usize,
    ) -> Self {
        games.sort_by_key(|game| std::cmp::Reverse(game.by_date()));
        games.dedup();
        let newest = games.get(count.min(games.len())..).and_then(<[_]>::first).map(|game| game.by_date());
        games.sort_by_key(|game| std::cmp::Reverse(game.by_rating()));
        let mut place = 0;
        games.retain(|game| {
            place += 1;
            place <= count || newest.is_none_or(|bound| game.by_date() > bound)
        });
        Self { mv: mv.0, group: group.bits(), is_complete, games }
    }

    /// The move of the row.
    pub fn mv(&self) -> PackedMove {
        PackedMove(self.mv)
    }

    /// The group of the row.
    pub fn group(&self) -> Group {
        Group::from_bits(self.group)
    }

    /// The best rated games and the newest ones, the best rated first.
    pub fn games(&self) -> &[RankedGame] {
        &self.games
    }
}

/// A game that is an example.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ExampleGame {
    /// The values of [`HEADERS`], each ended by a newline; the value of a header that the game does not have
    /// is empty.
    headers: String,
    /// The result.
    pub outcome: Outcome,
    /// Its moves as far as they can be played, two bytes each: the square that is left, with the lower two
    /// bits of the promotion above it, and the square that is reached, with the upper bit of the promotion
    /// above it. In this form the bytes of a game repeat more often than the bits of [`PackedMove`] would.
    moves: Vec<u8>,
}

impl ExampleGame {
    /// A game with these headers (the values of [`HEADERS`]), this result and these moves. Line ends in
    /// values become blanks.
    #[must_use]
    pub fn new<H: AsRef<str>>(
        headers: impl IntoIterator<Item = H>,
        outcome: Outcome,
        moves: &[PackedMove],
    ) -> Self {
        let mut text = String::new();
        for value in headers {
            text.extend(value.as_ref().chars().map(|letter| if letter == '\n' { ' ' } else { letter }));
            text.push('\n');
        }
        let bytes = |mv: &PackedMove| [(mv.0 >> 6) as u8, (mv.0 & 63 | mv.0 >> 14 << 6) as u8];
        Self { headers: text, outcome, moves: moves.iter().flat_map(bytes).collect() }
    }

    /// The value of a header; empty if the game does not have it.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let at = HEADERS.iter().position(|header| *header == name);
        at.and_then(|at| self.headers.split('\n').nth(at)).unwrap_or("")
    }

    /// The order of different versions of one game, of which the smallest is kept.
    #[must_use]
    pub fn compared(&self, other: &Self) -> Ordering {
        (&self.headers, &self.moves).cmp(&(&other.headers, &other.moves))
    }

    /// Its moves, as far as they can be played.
    pub fn moves(&self) -> impl Iterator<Item = PackedMove> + '_ {
        let packed =
            |[from, to]: &[u8; 2]| u16::from(*from) << 6 | u16::from(*to & 63) | u16::from(*to >> 6) << 14;
        self.moves.as_chunks().0.iter().map(move |bytes| PackedMove(packed(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_headers_come_back() {
        let moves: Vec<_> = (0..5 << 12).map(PackedMove).collect();
        let game = ExampleGame::new(["a\nmatch", "", "2013.05.??"], Outcome::Black, &moves);
        assert!(game.moves().eq(moves));
        let headers = ["Event", "Site", "Date", "Round", "no header"].map(|name| game.header(name));
        assert_eq!((headers, game.outcome), (["a match", "", "2013.05.??", "", ""], Outcome::Black));
    }

    #[test]
    fn the_best_rated_and_the_newest_are_kept_once() {
        let game = |elos, date, id| RankedGame { elos, date, id: GameId(id) };
        let games = [game(5000, 1, 1), game(4000, 9, 2), game(4000, 8, 3), game(3000, 9, 4), game(0, 7, 5)];
        for game in games {
            assert_eq!(RankedGame::of_rating(game.by_rating()), game);
            assert_eq!(RankedGame::of_date(game.by_date()), game);
        }
        let twice = games.into_iter().rev().chain(games).collect();
        let kept = MoveExamples::new((PackedMove(796), Group::NONE), true, twice, 2);
        // The best rated are the first and the second, the newest the second and the fourth.
        assert_eq!(kept.games(), [games[0], games[1], games[3]]);
        assert_eq!((kept.mv(), kept.group()), (PackedMove(796), Group::NONE));
    }

    #[test]
    fn an_id_is_its_digits() {
        let id = GameId::new(&[PackedMove(796)], u64::MAX);
        assert_eq!(id.to_string().parse(), Ok(id));
        for wrong in ["", "abc", "00000000000000000", "g000000000000000"] {
            assert!(wrong.parse::<GameId>().is_err(), "{wrong}");
        }
    }
}
