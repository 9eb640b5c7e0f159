//! A game that may be a copy or have copies, in the form in which the first pass sorts it.

use extsort::{Item, Least, Row};
use pgn::{
    copies::{Fingerprint, GameFacts},
    input::Place,
};
use position::{Outcome, Players};
use xxhash_rust::xxh3::xxh3_64;

/// The number of 64-bit words in a sorted candidate.
pub const WORDS: usize = 8;

/// A game that may be a copy or have copies, with its place in the inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Candidates are sorted by this number, and candidates with the same number are compared.
    pub(super) group: u64,
    /// A unique number, so that the sorter never merges two candidates.
    pub(super) serial: u64,
    pub(super) fingerprint: Fingerprint,
    /// The result: the number of an [`Outcome`], or [`NO_OUTCOME`].
    pub(super) outcome: u8,
    pub(super) known_tags: u16,
    pub(super) text: u64,
    pub(super) place: Place,
    /// The offset and length, in bytes, of the game's moves in the [`MovesFile`](super::moves::MovesFile);
    /// both are zero if the moves were not kept.
    pub(super) moves_at: u64,
    pub(super) moves_bytes: u64,
}

/// An unknown result.
pub(super) const NO_OUTCOME: u8 = 3;
pub(super) const SERIAL_BITS: u32 = 48;
const MOVES_BYTES_BITS: u32 = 40;

impl Candidate {
    /// Makes a candidate from the game at `place`. `moves_at` and `moves_bytes` are the offset and length of
    /// its moves.
    pub(super) fn new(
        known: &GameFacts,
        place: Place,
        serial: u64,
        (moves_at, moves_bytes): (u64, u64),
    ) -> Self {
        let GameFacts { fingerprint, outcome, known_tags, text, .. } = *known;
        let outcome = outcome.map_or(NO_OUTCOME, |outcome: Outcome| outcome as u8);
        let known_tags = known_tags.try_into().unwrap_or(u16::MAX);
        let group = fingerprint.game;
        Self { group, serial, fingerprint, outcome, known_tags, text, place, moves_at, moves_bytes }
    }

    /// Decodes a candidate from a sorted row.
    pub(super) fn of_row(row: &Row<WORDS>) -> Self {
        let [game, high, low, packed, text, stream, offset, moves_at] = row.sums;
        Self {
            group: (row.id >> 64) as u64,
            serial: (row.id >> (64 - SERIAL_BITS)) as u64 & ((1 << SERIAL_BITS) - 1),
            fingerprint: Fingerprint { game, players: Players::of_words([high, low]) },
            outcome: (packed >> MOVES_BYTES_BITS) as u8,
            known_tags: (packed >> 48) as u16,
            text,
            place: place_of_words([stream, offset]),
            moves_at,
            moves_bytes: packed & ((1 << MOVES_BYTES_BITS) - 1),
        }
    }

    /// Returns the game with a new `group`, which contains all games with the same surnames and date. If the
    /// surnames or the date are unknown, the group contains only this game.
    pub(super) fn by_players(self) -> Self {
        let group = match self.players().surnames_and_date() {
            Some(played) => xxh3_64(&played.0.to_le_bytes()),
            None => xxh3_64(&self.serial.to_le_bytes()),
        };
        Self { group, ..self }
    }

    /// Returns the game with a new `group`, which contains all games with the same players and date. A value
    /// that is unknown for one game but known for another game is not the same.
    pub(super) fn by_knowledge(self) -> Self {
        Self { group: xxh3_64(&self.players().0.to_le_bytes()), ..self }
    }

    /// Among copies of the same game, the one with the smallest rank is kept. The more bits of a game's
    /// players and date are known, the smaller its rank.
    pub(super) fn rank(&self) -> (u64, u64, Place) {
        let known = u64::from(self.players().known().count_ones()) << 16 | u64::from(self.known_tags);
        (u64::MAX - known, self.text, self.place)
    }

    /// The players and the date.
    pub(in crate::copies) fn players(&self) -> Players {
        self.fingerprint.players
    }
}

impl Item<WORDS> for Candidate {
    /// Nothing is combined, since no two candidates are equal.
    type Combine = Least;
    const PAYLOAD_BITS: u32 = 64 - SERIAL_BITS;

    #[inline]
    fn bits(&self) -> u128 {
        u128::from(self.group) << 64 | u128::from(self.serial) << (64 - SERIAL_BITS)
    }

    #[inline]
    fn add_to(&self, words: &mut [u64; WORDS]) {
        let packed =
            u64::from(self.known_tags) << 48 | u64::from(self.outcome) << MOVES_BYTES_BITS | self.moves_bytes;
        let [stream, offset] = words_of_place(self.place);
        let Fingerprint { game, players } = self.fingerprint;
        let [high, low] = players.words();
        *words = [game, high, low, packed, self.text, stream, offset, self.moves_at];
    }
}

/// Converts a place to two words, which sort in the same order as places do.
pub(super) fn words_of_place(place: Place) -> [u64; 2] {
    [u64::from(place.input) << 32 | u64::from(place.part), place.offset]
}

/// Converts words from [`words_of_place`] back to a place.
pub(super) fn place_of_words([stream, offset]: [u64; 2]) -> Place {
    Place { input: (stream >> 32) as u32, part: stream as u32, offset }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_comes_back_from_a_row() {
        let one = Candidate {
            group: u64::MAX - 5,
            serial: (1 << SERIAL_BITS) - 3,
            fingerprint: Fingerprint { game: 1 << 60, players: Players(u128::MAX / 3) },
            outcome: NO_OUTCOME,
            known_tags: 40_000,
            text: 99,
            place: Place { input: 70_000, part: 80_000, offset: 1 << 41 },
            moves_at: 1 << 50,
            moves_bytes: (1 << MOVES_BYTES_BITS) - 1,
        };
        let mut row = Row { id: one.bits(), note: 0, sums: [0; WORDS] };
        one.add_to(&mut row.sums);
        assert_eq!(format!("{:?}", Candidate::of_row(&row)), format!("{one:?}"));
    }
}
