//! The positions that a player has to learn, as rows for a trainer.

use std::fmt::Write as _;

use super::{Departure, Review};

/// The names of the columns.
const HEADING: &str = "fen,answer,book,played,games,last,line\r\n";

/// The places where the player left the book, as CSV (RFC 4180; no field needs quotes): the position, the
/// answer that the book plays most, all its answers, what the player played, in how many games, the last day
/// of them, and the line.
#[must_use]
pub fn drill(review: &Review) -> String {
    let mut text = String::from(HEADING);
    let of_player = |departure| departure == Departure::PlayerLeft;
    let reports = review.departures.iter().filter(|report| of_player(report.departure));
    for place in reports.flat_map(|report| &report.places) {
        let answer = place.book.first().map_or("", String::as_str);
        let played = place.played.as_deref().unwrap_or_default();
        let last = place.last.as_deref().unwrap_or_default();
        let (fen, book, games, line) = (&place.fen, place.book.join(" "), place.results.games, &place.line);
        // Writing to a text cannot fail.
        write!(text, "{fen},{answer},{book},{played},{games},{last},{line}\r\n").ok();
    }
    text
}
