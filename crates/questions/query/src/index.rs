//! Keeps a book's positions and moves in memory, for walks that look up all of them.

use position::{Key, PackedMove};
use shakmaty::{Chess, Move, Position as _};

/// The filter has at most this many positions per word, so that there are at least eight bits for each
/// position.
const POSITIONS_A_WORD: usize = 8;

/// Positions and their moves, numbered from 0 in ascending order of their keys.
///
/// In a position of a book, most legal moves lead out of the book. The filter recognises nearly all of these
/// with a single memory access.
///
/// # Memory
///
/// An index takes at most 20 bytes for each position, and two for each move.
#[derive(Default)]
pub struct PositionIndex {
    /// The key of each position, and the index in `moves` where the position's moves end.
    ends: Vec<(Key, usize)>,
    moves: Vec<PackedMove>,
    /// For each value of the leading bits, the index in `ends` of the first key whose leading bits have this
    /// value or a higher value; the length of `ends` if there is no such key.
    starts: Vec<u32>,
    /// How far to shift a key right to get its leading bits.
    shift: u32,
    /// A Bloom filter: each key sets three bits of one word. Like everything in the index, the words are in
    /// the order of the keys, so that look-ups in ascending order hit the processor's cache.
    filter: Vec<u64>,
}

impl PositionIndex {
    /// Reads all positions, which must be in ascending order of their keys.
    ///
    /// # Errors
    ///
    /// Fails with the first error that `all` returns.
    pub fn read<E>(all: impl Iterator<Item = Result<(Key, Vec<PackedMove>), E>>) -> Result<Self, E> {
        let (mut ends, mut moves) = (Vec::new(), Vec::new());
        for position in all {
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
            let word = found.word(key);
            found.filter[word] |= bits_of(key);
            found.starts[word + 1] = place as u32 + 1;
        }
        // If no key has certain leading bits, the range of these bits is empty: it ends where the previous
        // range ends.
        for at in 1..found.starts.len() {
            found.starts[at] = found.starts[at].max(found.starts[at - 1]);
        }
        found
    }

    /// The index of a key's word in the filter.
    fn word(&self, key: Key) -> usize {
        (key.0 >> self.shift) as usize
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Whether the bits of a key are set in the filter. This is true of about one in a hundred keys that are
    /// not in the index.
    fn may_have(&self, key: Key) -> bool {
        let bits = bits_of(key);
        self.filter[self.word(key)] & bits == bits
    }

    /// The number of a position; `None` if it is not in the index.
    #[must_use]
    pub fn place(&self, key: Key) -> Option<usize> {
        if !self.may_have(key) {
            return None;
        }
        let word = self.word(key);
        let [start, end] = [word, word + 1].map(|word| self.starts[word] as usize);
        let near = &self.ends[start..end];
        near.binary_search_by_key(&key, |&(key, _)| key).ok().map(|at| start + at)
    }

    /// The legal moves that are not in `of_book` but lead to positions in the index, with the keys and
    /// numbers of these positions. In a book with moves for one side only, these are the other side's
    /// replies.
    pub fn replies(
        &self,
        key: Key,
        board: &Chess,
        of_book: &[PackedMove],
    ) -> impl Iterator<Item = (Move, Key, usize)> {
        let moves: Vec<_> = board.legal_moves().into_iter().map(|m| (m, key.after(board, m))).collect();
        // Checks all moves against the filter first, so that the cache misses of these checks overlap.
        let may_stay: Vec<_> = moves.iter().map(|&(_, key)| self.may_have(key)).collect();
        let staying = moves.into_iter().zip(may_stay).filter(|(_, may_stay)| *may_stay);
        let is_of_book = |mv| of_book.iter().any(|known| known.normalized(board) == mv);
        let others = staying.filter(move |((m, _), _)| !is_of_book(PackedMove::pack(*m)));
        others.filter_map(|((m, key), _)| Some((m, key, self.place(key)?)))
    }

    /// The key of a position, given its number.
    pub fn key(&self, place: usize) -> Key {
        self.ends[place].0
    }

    /// The moves of a position, given its number.
    pub fn moves(&self, place: usize) -> &[PackedMove] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before].1);
        &self.moves[start..self.ends[place].1]
    }
}

/// The bits that a key sets in its filter word.
fn bits_of(key: Key) -> u64 {
    let bit = |number: u64| 1 << (key.0 >> (6 * number) & 63);
    bit(0) | bit(1) | bit(2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(keys: &[u64]) -> PositionIndex {
        let moves = |number: usize| (0..number % 3).map(|mv| PackedMove((number + mv) as u16)).collect();
        let all = keys.iter().enumerate().map(|(number, &key)| Ok((Key(key), moves(number))));
        PositionIndex::read::<()>(all).unwrap()
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
