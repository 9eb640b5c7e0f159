//! Counts, for each book of a merge, the moves in the merged book that this book lacks.

use book::{BookEdge, JoinedBooks, PositionEntry};
use output::grouped;

/// Counts of the moves in the merged book that one of the input books lacks.
#[derive(Clone, Copy, Default)]
pub(super) struct MissingMoves {
    /// Moves that the book lacks in positions that it has. A filter or an edit may have dropped these moves
    /// from the book, so the moves' tallies in the merged book may be too low.
    unknown: u64,
    /// Games that reached a position where the book lacks moves, and did not continue with a move of the
    /// book. Each of these games may have continued with a missing move.
    games: u64,
    /// Moves in positions that the book lacks.
    elsewhere: u64,
}

/// Counts the moves that each book lacks at the current position of `joined`, and adds the numbers to
/// `missing`, which has an entry for each book. `sum` is the merged position. Books that are `complete` are
/// skipped, because they have every move that was played.
pub(super) fn count(
    joined: &JoinedBooks<'_>,
    sum: &PositionEntry,
    complete: &[bool],
    missing: &mut [MissingMoves],
) {
    if sum.edges.is_empty() {
        return;
    }
    let mut held = joined.held().peekable();
    for (book, missing) in missing.iter_mut().enumerate().filter(|(book, _)| !complete[*book]) {
        while held.next_if(|(at, _)| *at < book).is_some() {}
        match held.next_if(|(at, _)| *at == book) {
            Some((_, entry)) => missing.add(entry, sum.edges.len()),
            None => missing.elsewhere += sum.edges.len() as u64,
        }
    }
}

impl MissingMoves {
    fn add(&mut self, entry: &PositionEntry, moves: usize) {
        let absent = (moves - entry.edges.len()) as u64;
        let kept: u64 = entry.edges.iter().map(|BookEdge { tally, .. }| tally.games()).sum();
        let rest = entry.tally.games().saturating_sub(kept);
        // If every visit to the position continued with a kept move, the other moves were never played.
        if absent > 0 && rest > 0 {
            self.unknown += absent;
            self.games += rest;
        }
    }

    /// The warning about the book at `path`; `keeps` describes the moves that its filter keeps.
    pub(super) fn warning(&self, path: &str, keeps: &str) -> Option<String> {
        let Self { unknown, games, elsewhere } = *self;
        if unknown + elsewhere == 0 {
            return None;
        }
        let keeps = if keeps.is_empty() { "what a filter or edits left" } else { keeps };
        let mut places = Vec::new();
        if unknown > 0 {
            let (moves, games) = (grouped(unknown), grouped(games));
            places.push(format!(
                "{moves} moves in positions that the book has (at most {games} games are missing)"
            ));
        }
        if elsewhere > 0 {
            let moves = grouped(elsewhere);
            places.push(format!("{moves} moves in positions that the book does not have"));
        }
        let places = places.join(" and ");
        Some(format!(
            "{path} does not have every move (it keeps {keeps}), so the tallies of some moves may be too low: {places}"
        ))
    }
}
