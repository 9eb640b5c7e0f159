//! Candidates for the tests of this folder, and the definition of a copy.

use pgn::{copies::Fingerprint, input::Place};
use position::Players;
use proptest::prelude::*;

use super::candidate::Candidate;

/// Each part of the players is unknown or has one of two values, so that many players agree.
pub(super) fn players() -> impl Strategy<Value = u128> {
    prop::array::uniform7(0..3_u64).prop_map(|parts| Players::new(parts).0)
}

/// A candidate for tests, whose place and text are `number`.
pub(super) fn candidate(number: u64, players: u128, known_tags: u16) -> Candidate {
    Candidate {
        group: 7,
        serial: number,
        fingerprint: Fingerprint { game: 7, players: Players(players) },
        outcome: 1,
        known_tags,
        text: number,
        place: Place { input: 1, part: 2, offset: number },
        moves_at: 0,
        moves_bytes: 0,
    }
}

/// Finds copies by applying the definition directly: compares each game with all games that are kept.
pub(super) fn plainly(mut group: Vec<Candidate>) -> (Vec<u64>, Vec<(u64, u64)>) {
    group.sort_unstable_by_key(Candidate::rank);
    let (mut stay, mut copies) = (Vec::<Candidate>::new(), Vec::new());
    for game in group {
        match stay.iter().find(|other| other.players().know_all_of(game.players())) {
            Some(original) => copies.push((game.place.offset, original.place.offset)),
            None => stay.push(game),
        }
    }
    let mut stay: Vec<u64> = stay.iter().map(|game| game.place.offset).collect();
    stay.sort_unstable();
    copies.sort_unstable();
    (stay, copies)
}
