//! Describes where a player's games left a book.

use std::io::{self, Write};

use craft::{Departure, DepartureReport, ExitPlace, Results, Review};

use super::{counted, grouped};
use crate::terminal::in_line;

/// Writes how games left the book: one line for each kind of departure, then the places where such departures
/// occurred.
pub(crate) fn write_review(out: &mut impl Write, review: &Review) -> io::Result<()> {
    let met = || review.departures.iter().filter(|report| report.results.games > 0);
    for DepartureReport { departure, results, found, .. } in met() {
        let games = counted(results.games, "game", "games");
        let rest = match (departure, review.side) {
            (Departure::OtherSide, Some("white")) => " as Black: the book is White's".into(),
            (Departure::OtherSide, _) => " as White: the book is Black's".into(),
            _ => format!("{}, {}", score(results), counted(*found, "place", "places")),
        };
        writeln!(out, "{:<20}{games:>14}{rest}", title(*departure))?;
    }
    met().filter(|report| !report.places.is_empty()).try_for_each(|report| write_places(out, report))
}

fn title(departure: Departure) -> &'static str {
    match departure {
        Departure::PlayerLeft => "the player left",
        Departure::OpponentLeft => "the opponent left",
        Departure::BookEnded => "the book ended",
        Departure::Completed => "ended in the book",
        Departure::OtherOpening => "another opening",
        Departure::OtherSide => "not followed",
    }
}

fn score(results: &Results) -> String {
    results.score.map_or_else(String::new, |score| format!(", score {:.1} %", 100.0 * score))
}

fn write_places(out: &mut impl Write, report: &DepartureReport) -> io::Result<()> {
    writeln!(out, "\n{}", title(report.departure))?;
    for place in &report.places {
        let ExitPlace { line, played, results, .. } = place;
        let games = counted(results.games, "game", "games");
        let line = if line.is_empty() { "start position" } else { line };
        let played = played.as_ref().map_or_else(String::new, |san| format!(": {}", in_line(san)));
        writeln!(out, "  {games}{}  {line}{played}{}", score(results), book(report.departure, place))?;
    }
    let more = report.found - report.places.len() as u64;
    if more > 0 { writeln!(out, "  … and {} more (--top)", grouped(more)) } else { Ok(()) }
}

/// Returns a string about the book's moves in the position where games left the book; empty if the kind of
/// departure needs no such text.
fn book(departure: Departure, place: &ExitPlace) -> String {
    let moves = place.book.join(", ");
    match departure {
        Departure::PlayerLeft | Departure::OtherOpening if !moves.is_empty() => {
            format!("; the book plays {moves}")
        }
        Departure::OpponentLeft if moves.is_empty() => "; the book has no answer".into(),
        Departure::OpponentLeft => format!("; the book has {moves}"),
        _ => String::new(),
    }
}
