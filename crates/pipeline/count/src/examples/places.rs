//! Places for the examples of rows: for each row, which of its games are the best rated and the newest so
//! far.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use position::{Key, Observation};
use table::RankedGame;

use run::Result;

/// How many places share a lock.
const PLACES_A_LOCK: usize = 64;
/// How many bits the filter has for each place.
const FILTER_BITS: usize = 16;
/// The size in bytes of a place without its games: its row, at least two slots, a part of the filter, and its
/// bounds.
const PLACE_BYTES: u64 = 16 + 4 * 4 + 2 * FILTER_BITS as u64 / 8 + 16;

/// The games of one kind (best rated or newest) that each row has so far.
#[derive(Clone, Copy)]
enum Kind {
    BestRated = 0,
    Newest = 1,
}

/// Places for rows, each with up to `per_row` games of both kinds.
pub(super) struct Places {
    pub(super) per_row: usize,
    most: usize,
    /// The rows, ascending.
    rows: Vec<u128>,
    /// For each slot of the hash table, the number of a place plus one; 0 if the slot is empty.
    slots: Vec<u32>,
    /// A bit for each position that has a place.
    filter: Vec<u64>,
    /// For each place and kind, the smallest game that the place still takes: the upper bits of that game's
    /// number.
    bounds: Vec<[AtomicU64; 2]>,
    /// The games of the places as numbers, for each place and kind in descending order; 0 where a place has
    /// no game yet.
    games: Vec<Mutex<Vec<u128>>>,
}

impl Places {
    /// Prepares as many places as fit in `memory_bytes`.
    pub(super) fn new(memory_bytes: u64, per_row: usize) -> Self {
        let bytes = PLACE_BYTES + 2 * 16 * per_row as u64;
        let most = (memory_bytes / bytes).clamp(1, u64::from(u32::MAX >> 1)) as usize;
        let (rows, slots, filter, bounds, games) = Default::default();
        Self { per_row, most, rows, slots, filter, bounds, games }
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows.len() >= self.most
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row by its identity; rows must ascend.
    pub(super) fn add(&mut self, row: u128) {
        self.rows.push(row);
    }

    /// Makes room for the games of all rows.
    pub(super) fn lay_out(&mut self) {
        let places = self.rows.len();
        self.slots = vec![0; (2 * places).next_power_of_two()];
        self.filter = vec![0; (places * FILTER_BITS / 64).next_power_of_two()];
        self.bounds.resize_with(places, Default::default);
        let games = PLACES_A_LOCK * 2 * self.per_row;
        self.games.resize_with(places.div_ceil(PLACES_A_LOCK), || Mutex::new(vec![0; games]));
        for place in 0..places {
            let row = self.rows[place];
            let (word, bit) = self.filter_bit(Observation(row).key());
            self.filter[word] |= bit;
            let mut slot = self.slot(row);
            while self.slots[slot] != 0 {
                slot = (slot + 1) % self.slots.len();
            }
            self.slots[slot] = place as u32 + 1;
        }
    }

    fn filter_bit(&self, key: Key) -> (usize, u64) {
        ((key.0 >> 6) as usize % self.filter.len(), 1 << (key.0 % 64))
    }

    /// The first slot of a row. Keys are as good as random; moves and groups are mixed in.
    fn slot(&self, row: u128) -> usize {
        let mixed = (row >> 64) as u64 ^ (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 20) as usize % self.slots.len()
    }

    /// The place of the row that a move of a game belongs to, if it has one.
    #[inline]
    pub(super) fn place_of(&self, observation: Observation) -> Option<usize> {
        let (word, bit) = self.filter_bit(observation.key());
        if self.filter[word] & bit == 0 {
            return None;
        }
        let row = Observation::row_id(observation.key(), observation.mv(), observation.group());
        let mut slot = self.slot(row);
        loop {
            let place = self.slots[slot].checked_sub(1)? as usize;
            if self.rows[place] == row {
                return Some(place);
            }
            slot = (slot + 1) % self.slots.len();
        }
    }

    /// Offers a game to a place.
    #[inline]
    pub(super) fn offer(&self, place: usize, game: RankedGame) {
        for (kind, number) in [(Kind::BestRated, game.by_rating()), (Kind::Newest, game.by_date())] {
            if (number >> 64) as u64 >= self.bounds[place][kind as usize].load(Relaxed) {
                self.insert(place, kind, number);
            }
        }
    }

    fn insert(&self, place: usize, kind: Kind, number: u128) {
        let games = &self.games[place / PLACES_A_LOCK];
        let mut games = games.lock().unwrap_or_else(PoisonError::into_inner);
        let from = (2 * (place % PLACES_A_LOCK) + kind as usize) * self.per_row;
        let games = &mut games[from..from + self.per_row];
        let at = games.partition_point(|&held| held > number);
        if games.get(at).is_none_or(|&held| held == number) {
            return;
        }
        games[at..].rotate_right(1);
        games[at] = number;
        let least = games[self.per_row - 1];
        self.bounds[place][kind as usize].store((least >> 64) as u64, Relaxed);
    }

    /// Calls `each` with each row and its games, in ascending order of rows, and removes all places.
    pub(super) fn drain(&mut self, mut each: impl FnMut(u128, Vec<RankedGame>) -> Result<()>) -> Result<()> {
        let (rows, games) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.games));
        self.bounds.clear();
        let mut games =
            games.into_iter().map(|games| games.into_inner().unwrap_or_else(PoisonError::into_inner));
        for rows in rows.chunks(PLACES_A_LOCK) {
            let games = games.next().unwrap_or_default();
            for (&row, games) in rows.iter().zip(games.chunks(2 * self.per_row)) {
                let (best_rated, newest) = games.split_at(self.per_row);
                let is_game = |number: &&u128| **number != 0;
                let best_rated =
                    best_rated.iter().filter(is_game).map(|&number| RankedGame::of_rating(number));
                let newest = newest.iter().filter(is_game).map(|&number| RankedGame::of_date(number));
                each(row, best_rated.chain(newest).collect())?;
            }
        }
        Ok(())
    }
}
