//! Searches an artefact for openings by part of their name, or by their code.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashSet},
    time::{Duration, Instant},
};

use position::{Key, position_after};
use query::{KeyMove, Opening, View};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

/// The maximum number of openings that are listed.
const FOUND_MAX: usize = 12;
/// The maximum number of positions that a search keeps in memory; each takes about 150 bytes.
const POSITIONS_MAX: usize = 100_000;
/// The longest time that a search may take.
pub(super) const TIME_MAX: Duration = Duration::from_secs(3);

/// What a search found.
#[derive(Serialize)]
pub(super) struct FoundOpenings {
    openings: Vec<FoundOpening>,
    /// Whether all openings were found; false if a limit on openings, positions or time was reached.
    complete: bool,
}

/// An opening, and moves that lead to it from the start position.
#[derive(Serialize)]
pub(super) struct FoundOpening {
    eco: &'static str,
    name: &'static str,
    /// The moves in UCI notation, separated by commas.
    play: String,
}

/// A position that the search has reached, the move that leads to it, and the index of the step before it.
struct Step {
    position: Chess,
    uci: String,
    before: Option<usize>,
}

/// Finds openings whose code and name contain every word of `text`. The positions with the most games are
/// searched first, for at most `time_max`. In a book for one side, `replies_of` is the other side, which has
/// no moves in the book.
pub(super) fn find(
    view: &View<'_>,
    replies_of: Option<Color>,
    text: &str,
    time_max: Duration,
) -> query::Result<FoundOpenings> {
    let text = folded(text);
    let words: Vec<_> = text.split_whitespace().collect();
    let begin = Instant::now();
    let mut all = vec![Step { position: Chess::default(), uci: String::new(), before: None }];
    let (mut next, mut seen) = (BinaryHeap::from([(u64::MAX, Reverse(0))]), HashSet::from([Key::START]));
    let (mut found, mut complete) = (Vec::<FoundOpening>::new(), true);
    while let Some((_, Reverse(at))) = next.pop() {
        if found.len() >= FOUND_MAX || begin.elapsed() >= time_max {
            complete = false;
            break;
        }
        let position = all[at].position.clone();
        if let Some(Opening { eco, name, .. }) = Opening::of(&position) {
            let full = folded(&format!("{eco} {name}"));
            let is_new = found.iter().all(|known| known.name != name);
            if is_new && words.iter().all(|word| full.contains(word)) {
                found.push(FoundOpening { eco, name, play: line_to(&all, at) });
            }
        }
        for (m, played) in onward(view, replies_of, &position)? {
            let after = position_after(&position, m);
            if all.len() >= POSITIONS_MAX {
                complete &= seen.contains(&Key::of(&after));
            } else if seen.insert(Key::of(&after)) {
                next.push((played, Reverse(all.len())));
                let uci = m.to_uci(CastlingMode::Standard).to_string();
                all.push(Step { position: after, uci, before: Some(at) });
            }
        }
    }
    Ok(FoundOpenings { openings: found, complete })
}

/// The moves of a position and how often each was played. If the book has no moves for the side to move, the
/// legal moves that lead back into the book are returned. The count of such a move is the sum of the counts
/// of the book's replies to it.
fn onward(view: &View<'_>, replies_of: Option<Color>, position: &Chess) -> query::Result<Vec<(Move, u64)>> {
    let key = Key::of(position);
    if replies_of == Some(position.turn()) {
        let back = |m: Move| {
            let found = view.probe_key(key.after(position, m));
            let played = |moves: &[KeyMove]| moves.iter().map(KeyMove::played).sum();
            found.map(|found| found.map(|found| (m, played(&found.moves)))).transpose()
        };
        return position.legal_moves().into_iter().filter_map(back).collect();
    }
    let moves = view.probe_key(key)?.map_or(Vec::new(), |found| found.moves);
    Ok(moves.iter().filter_map(|known| Some((known.mv.unpack(position)?, known.played()))).collect())
}

fn line_to(all: &[Step], at: usize) -> String {
    let mut moves = Vec::new();
    let mut here = &all[at];
    while let Some(before) = here.before {
        moves.push(here.uci.as_str());
        here = &all[before];
    }
    moves.reverse();
    moves.join(",")
}

/// The text in lower case, without apostrophes or the accents that occur in the catalogue's names.
fn folded(text: &str) -> String {
    let plain = |letter: char| match letter {
        '\'' | '’' => None,
        'á' | 'à' | 'â' | 'ä' | 'å' | 'ã' => Some('a'),
        'é' | 'è' | 'ê' | 'ë' => Some('e'),
        'í' | 'ï' => Some('i'),
        'ó' | 'ô' | 'ö' | 'ø' | 'ő' => Some('o'),
        'ú' | 'ü' => Some('u'),
        'ć' | 'č' | 'ç' => Some('c'),
        'š' => Some('s'),
        'ž' => Some('z'),
        'ł' => Some('l'),
        'ñ' | 'ń' => Some('n'),
        other => Some(other),
    };
    text.chars().flat_map(char::to_lowercase).filter_map(plain).collect()
}

#[cfg(test)]
mod tests {
    use query::Artefact;
    use table::{Counting, TableWriter};

    use super::*;

    #[test]
    fn a_search_without_time_is_not_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.table");
        let writer = TableWriter::create(&path, Counting::default(), 1, false).unwrap();
        let shard = writer.shard(0).unwrap().finish().unwrap();
        writer.finish(vec![shard], Vec::new()).unwrap();
        let table = Artefact::open(&path).unwrap();
        let complete = |time| find(&View::of(&table), None, "najdorf", time).unwrap().complete;
        assert_eq!([Duration::ZERO, TIME_MAX].map(complete), [false, true]);
    }
}
