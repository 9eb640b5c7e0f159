//! Writes rows for a trainer program, one for each position that a player should learn.

use std::{cmp::Reverse, collections::HashMap, fmt::Write as _};

use super::{Departure, ExitPlace, Review};

/// The names of the columns.
const HEADING: &str = "fen,answer,book,played,games,last,line\r\n";

/// Returns CSV text (RFC 4180) with one row for each position in which the player left the book. A row has
/// the position, the answer that the book plays most, all of the book's answers, the moves that the player
/// played instead, the number of games, the date of the latest game, and the line. No field needs quotes.
/// Positions with the most games come first.
#[must_use]
pub fn drill(review: &Review) -> String {
    let mut text = String::from(HEADING);
    for of_position in positions(review) {
        let games = games_of(&of_position);
        let last = of_position.iter().filter_map(|place| place.last.as_deref()).max().unwrap_or_default();
        let played: Vec<_> = of_position.iter().filter_map(|place| place.played.as_deref()).collect();
        let ExitPlace { fen, line, book, .. } = of_position[0];
        let answer = book.first().map_or("", String::as_str);
        let (book, played) = (book.join(" "), played.join(" "));
        // Writing to a string cannot fail.
        write!(text, "{fen},{answer},{book},{played},{games},{last},{line}\r\n").ok();
    }
    text
}

/// Groups the places where the player left the book. Each group contains the places with the same position.
/// Positions with the most games come first.
fn positions(review: &Review) -> Vec<Vec<&ExitPlace>> {
    let of_player = review.departures.iter().filter(|report| report.departure == Departure::PlayerLeft);
    let mut positions: HashMap<&str, Vec<&ExitPlace>> = HashMap::new();
    for place in of_player.flat_map(|report| &report.places) {
        positions.entry(without_clocks(&place.fen)).or_default().push(place);
    }
    let mut positions: Vec<_> = positions.into_values().collect();
    positions.sort_by_key(|places| (Reverse(games_of(places)), places[0].line.as_str()));
    positions
}

fn games_of(places: &[&ExitPlace]) -> u64 {
    places.iter().map(|place| place.results.games).sum()
}

/// Removes the two counters from a FEN, because positions that differ only in these counters are treated as
/// one position.
fn without_clocks(fen: &str) -> &str {
    fen.rsplitn(3, ' ').last().unwrap_or(fen)
}
