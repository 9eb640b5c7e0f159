//! Counts how often games left a book at each place, and with what results.

use std::{cmp::Reverse, collections::HashMap};

use position::{Key, Outcome};
use query::numbered;
use serde::Serialize;
use shakmaty::{Chess, Color, EnPassantMode, fen::Fen};
use strum::VariantArray as _;

use super::{Departure, Exit};
use crate::{Error, Result};

/// The approximate number of bytes that a place takes, including its line and moves.
const PLACE_BYTES: u64 = 600;

/// Games by result, from the player's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Results {
    /// The number of games, including games without a result.
    pub games: u64,
    /// Games that the player won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that the player lost.
    pub losses: u64,
    /// The player's score from 0 to 1 in the games with a result; `None` if there are none.
    pub score: Option<f64>,
}

impl Results {
    /// The result of one game.
    fn of(own: Color, outcome: Option<Outcome>) -> Self {
        let won = own.fold_wb(Outcome::White, Outcome::Black);
        let [wins, draws, losses] = match outcome {
            Some(Outcome::Draw) => [0, 1, 0],
            Some(outcome) if outcome == won => [1, 0, 0],
            Some(_) => [0, 0, 1],
            None => [0; 3],
        };
        Self { games: 1, wins, draws, losses, score: None }
    }

    #[expect(clippy::cast_precision_loss, reason = "a ratio of games; they stay far below 2^53")]
    fn add(&mut self, other: Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        let known = self.wins + self.draws + self.losses;
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        self.score = (known > 0).then(|| points / known as f64);
    }
}

/// A place where games left a book: a position, and the move that was played in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExitPlace {
    /// The player's side.
    pub color: &'static str,
    /// The shortest line by which these games reached the position, in SAN with move numbers. If several
    /// lines are equally short, this is the first in alphabetical order.
    pub line: String,
    /// The position.
    pub fen: String,
    /// The move that was played in this position, in SAN; `None` if the game or the book ended there.
    pub played: Option<String>,
    /// The moves that the book has in this position, in SAN, the most played ones first.
    pub book: Vec<String>,
    /// The games that left the book here, by result.
    #[serde(flatten)]
    pub results: Results,
    /// The date of the latest of these games, such as 2024-05-01; `None` if no game's exact date is known.
    pub last: Option<String>,
}

impl ExitPlace {
    fn new(own: Color, played: Option<String>, book: &[String]) -> Self {
        Self {
            color: own.fold_wb("white", "black"),
            line: String::new(),
            fen: String::new(),
            played,
            book: book.to_vec(),
            results: Results::default(),
            last: None,
        }
    }

    /// Returns a sort key. Places are sorted by the number of games in descending order. Places with the same
    /// number of games are in alphabetical order of their lines.
    fn order(&self) -> (Reverse<u64>, &str, Option<&str>, &str) {
        (Reverse(self.results.games), &self.line, self.played.as_deref(), self.color)
    }
}

/// The games that left the book in the same way.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DepartureReport {
    /// How these games left the book.
    pub departure: Departure,
    /// The games, by result.
    #[serde(flatten)]
    pub results: Results,
    /// The number of places where these games left the book, including those that are not listed.
    pub found: u64,
    /// The places, sorted by the number of games in descending order. Places with the same number of games
    /// are in alphabetical order of their lines.
    pub places: Vec<ExitPlace>,
}

/// A player's games, compared with a book.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Review {
    /// The number of games; a game that the player played against himself counts twice.
    pub games: u64,
    /// The only side that the book has moves for; `None` if it has moves for both sides.
    pub side: Option<&'static str>,
    /// A report for each way of leaving the book, even if no game left it that way.
    pub departures: Vec<DepartureReport>,
}

impl Review {
    /// Limits each report to its first `most` places.
    pub fn shorten(&mut self, most: usize) {
        self.departures.iter_mut().for_each(|report| report.places.truncate(most));
    }
}

/// Identifies a place by the way games left the book, the player's side, the position, and the move.
type PlaceId = (Departure, Color, Key, Option<String>);

/// Collects the places where games left a book. The result does not depend on the order of the games.
///
/// # Memory
///
/// A collection takes about 600 bytes for each place.
pub struct Places {
    /// Each place, with the number of plies in its line.
    places: HashMap<PlaceId, (usize, ExitPlace)>,
    places_max: u64,
}

impl Places {
    /// Creates an empty collection, which can grow to as many places as fit into `memory_bytes`.
    #[must_use]
    pub fn new(memory_bytes: u64) -> Self {
        Self { places: HashMap::new(), places_max: memory_bytes / PLACE_BYTES }
    }

    /// Adds a game that began at `start`. `day` is the game's date as the number yyyymmdd.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::TooManyPlaces`] if another place would exceed the memory limit.
    pub fn add(
        &mut self,
        (start, own): (&Chess, Color),
        exit: &Exit,
        outcome: Option<Outcome>,
        day: Option<u32>,
    ) -> Result<()> {
        let played = exit.played.clone().filter(|_| exit.departure != Departure::BookEnded);
        let place = (exit.departure, own, Key::of(&exit.position), played.clone());
        if self.places.len() as u64 >= self.places_max && !self.places.contains_key(&place) {
            return Err(Error::TooManyPlaces(self.places_max).into());
        }
        let line = numbered(start, &exit.line);
        let plies = exit.line.len();
        let (shortest, known) =
            self.places.entry(place).or_insert_with(|| (usize::MAX, ExitPlace::new(own, played, &exit.book)));
        if (plies, &line) < (*shortest, &known.line) {
            *shortest = plies;
            known.line = line;
            known.fen = Fen::from_position(&exit.position, EnPassantMode::Legal).to_string();
        }
        known.results.add(Results::of(own, outcome));
        known.last = known.last.take().max(day.map(date));
        Ok(())
    }

    /// Returns the review. `side` is the only side that the book has moves for. Games that were not followed
    /// are counted, but no places are listed for them.
    #[must_use]
    pub fn finish(self, side: Option<Color>) -> Review {
        let places = self.places.into_iter().map(|((departure, ..), (_, place))| (departure, place));
        let mut places: Vec<_> = places.collect();
        places.sort_by(|(_, a), (_, b)| a.order().cmp(&b.order()));
        let games = places.iter().map(|(_, place)| place.results.games).sum();
        let mut departures: Vec<_> = Departure::VARIANTS.iter().copied().map(DepartureReport::none).collect();
        for (departure, place) in places {
            departures[departure as usize].push(place);
        }
        Review { games, side: side.map(|side| side.fold_wb("white", "black")), departures }
    }
}

impl DepartureReport {
    fn none(departure: Departure) -> Self {
        Self { departure, results: Results::default(), found: 0, places: Vec::new() }
    }

    fn push(&mut self, place: ExitPlace) {
        self.results.add(place.results);
        if self.departure != Departure::OtherSide {
            self.found += 1;
            self.places.push(place);
        }
    }
}

/// Formats the number yyyymmdd as a date such as 2024-05-01.
fn date(day: u32) -> String {
    format!("{:04}-{:02}-{:02}", day / 10_000, day / 100 % 100, day % 100)
}
