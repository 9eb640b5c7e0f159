//! The positions of a draft in memory, for walks that ask for all of them.

use position::{Key, PackedMove};

use crate::{Error, Result, RunOptions};

/// Positions between two looks at whether the user interrupts.
const POSITIONS_A_LOOK: usize = 1 << 16;
/// Positions for a word of the filter, at most: it has at least eight bits for each.
const POSITIONS_A_WORD: usize = 8;

/// Keys with their moves, ascending.
///
/// # Memory
///
/// At most 20 bytes a position and two a move.
pub(super) struct Positions {
    /// Keys, and where the moves of each end.
    ends: Vec<(Key, usize)>,
    moves: Vec<PackedMove>,
    /// How many positions are before those whose keys begin with the same bits.
    starts: Vec<usize>,
    /// By how many bits a key is shifted to those that it begins with.
    shift: u32,
    /// A bit for some bits of each key: most moves lead out of the book, and this tells so at once. Its words
    /// are in the order of keys, as all else here, so that ascending look-ups stay in the cache.
    filter: Vec<u64>,
}

impl Positions {
    /// Takes all positions in, which ascend.
    pub(super) fn read(
        all: impl Iterator<Item = Result<(Key, Vec<PackedMove>)>>,
        run: &RunOptions,
    ) -> Result<Self> {
        let (mut ends, mut moves) = (Vec::new(), Vec::new());
        for position in all {
            if ends.len().is_multiple_of(POSITIONS_A_LOOK) && run.flow().is_break() {
                return Err(Error::Interrupted);
            }
            let (key, of_key) = position?;
            moves.extend(of_key);
            ends.push((key, moves.len()));
        }
        Ok(Self::new(ends, moves))
    }

    fn new(ends: Vec<(Key, usize)>, moves: Vec<PackedMove>) -> Self {
        let bits = (ends.len() / POSITIONS_A_WORD).max(2).next_power_of_two().ilog2();
        let (shift, filter) = (u64::BITS - bits, vec![0; 1 << bits]);
        let mut found = Self { ends, moves, starts: vec![0; (1 << bits) + 1], shift, filter };
        for place in 0..found.ends.len() {
            let key = found.ends[place].0;
            let (word, bit) = found.bit(key);
            found.filter[word] |= bit;
            found.starts[word + 1] = place + 1;
        }
        // A beginning that no key has comes after the one before it.
        for at in 1..found.starts.len() {
            found.starts[at] = found.starts[at].max(found.starts[at - 1]);
        }
        found
    }

    /// The word of a key's bit in the filter, and the bit in it.
    fn bit(&self, key: Key) -> (usize, u64) {
        ((key.0 >> self.shift) as usize, 1 << (key.0 % u64::from(u64::BITS)))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The place of a position, if it is there.
    pub(super) fn place(&self, key: Key) -> Option<usize> {
        let (word, bit) = self.bit(key);
        if self.filter[word] & bit == 0 {
            return None;
        }
        let start = self.starts[word];
        let near = &self.ends[start..self.starts[word + 1]];
        near.binary_search_by_key(&key, |&(key, _)| key).ok().map(|at| start + at)
    }

    /// The key at a place.
    pub(super) fn key(&self, place: usize) -> Key {
        self.ends[place].0
    }

    /// The moves of the position at a place.
    pub(super) fn moves(&self, place: usize) -> &[PackedMove] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before].1);
        &self.moves[start..self.ends[place].1]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(keys: &[u64]) -> Positions {
        let moves = |number: usize| (0..number % 3).map(|mv| PackedMove((number + mv) as u16)).collect();
        let all = keys.iter().enumerate().map(|(number, &key)| Ok((Key(key), moves(number))));
        Positions::read(all, &RunOptions::default()).unwrap()
    }

    fn check(keys: &[u64], others: &[u64]) {
        let positions = read(keys);
        assert_eq!(positions.len(), keys.len());
        for (place, &key) in keys.iter().enumerate() {
            assert_eq!(positions.place(Key(key)), Some(place));
            assert_eq!(positions.key(place), Key(key));
            assert_eq!(positions.moves(place).len(), place % 3);
            assert!(positions.moves(place).iter().zip(place..).all(|(mv, at)| usize::from(mv.0) == at));
        }
        for other in others.iter().filter(|other| keys.binary_search(other).is_err()) {
            assert_eq!(positions.place(Key(*other)), None);
        }
    }

    #[test]
    fn positions_are_found_however_their_keys_are_spread() {
        check(&[], &[0, u64::MAX]);
        check(&[0, u64::MAX], &[1, 1 << 63]);
        check(&(0..100).collect::<Vec<_>>(), &[100, 164]);
        check(&(0..64).map(|bit| 1 << bit).collect::<Vec<_>>(), &[0, 3, u64::MAX]);
    }

    proptest! {
        #[test]
        fn prop_what_is_there_is_found(
            keys in prop::collection::btree_set(any::<u64>(), 0..200),
            others in prop::collection::vec(any::<u64>(), 50),
        ) {
            check(&keys.into_iter().collect::<Vec<_>>(), &others);
        }
    }
}
