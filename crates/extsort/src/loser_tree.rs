//! A tournament of sources: which one has the smallest head.

/// The head of a source that has nothing left.
pub(crate) const EXHAUSTED: u128 = u128::MAX >> 1;

/// The most sources a tree can tell apart: a tag is 15 bits, and all ones mean exhausted.
pub(crate) const SOURCES_MAX: usize = TAG_MASK;

const TAG_MASK: usize = 0x7fff;

/// The head of a source: an id whose lowest 16 bits are zero, tagged with the source's number.
///
/// Heads have 127 bits, so that the sign of a difference says which one is smaller.
#[inline]
pub(crate) fn head(id: u128, source: usize) -> u128 {
    id >> 1 | source as u128
}

/// The number of the source whose head this is.
#[inline]
pub(crate) fn source_of(head: u128) -> usize {
    head as usize & TAG_MASK
}

/// A loser tree over the heads of sources.
///
/// Node 0 holds the winner, nodes 1.. the loser of the match played there. Replacing a head replays one
/// path of matches, each without a branch: which node comes next never depends on who won. Equal ids
/// come out in the order of their sources' numbers.
#[derive(Debug)]
pub(crate) struct LoserTree {
    nodes: Vec<u128>,
}

impl LoserTree {
    /// Plays all matches between `heads`, the one at each index that source's or [`EXHAUSTED`].
    pub(crate) fn new(heads: &[u128]) -> Self {
        assert!(heads.len() <= SOURCES_MAX, "a merge has at most {SOURCES_MAX} sources");
        let leaves = heads.len().next_power_of_two();
        let mut winners = vec![EXHAUSTED; 2 * leaves];
        winners[leaves..leaves + heads.len()].copy_from_slice(heads);
        let mut nodes = vec![EXHAUSTED; leaves];
        for node in (1..leaves).rev() {
            let (left, right) = (winners[2 * node], winners[2 * node + 1]);
            winners[node] = left.min(right);
            nodes[node] = left.max(right);
        }
        nodes[0] = winners[1];
        Self { nodes }
    }

    /// The smallest head, with its tag.
    #[inline]
    pub(crate) fn winner(&self) -> u128 {
        self.nodes[0]
    }

    /// Puts the next head of `source`, which must be the winner's source, in its place.
    #[inline]
    pub(crate) fn replace(&mut self, source: usize, head: u128) {
        let mut node = (self.nodes.len() + source) >> 1;
        let mut winner = head;
        while node > 0 {
            let other = self.nodes[node];
            // A mask from the sign of the difference, because the compiler makes a branch of a comparison,
            // and half of all matches would surprise it.
            let other_wins = (other.wrapping_sub(winner).cast_signed() >> 127).cast_unsigned();
            let swapped = (winner ^ other) & other_wins;
            self.nodes[node] = other ^ swapped;
            winner ^= swapped;
            node >>= 1;
        }
        self.nodes[0] = winner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges lists of small numbers through a tree and says which source each came from.
    fn merge(lists: &[&[u16]]) -> Vec<(u16, usize)> {
        let head = |source: usize, at: usize| {
            lists[source].get(at).map_or(EXHAUSTED, |value| head(u128::from(*value) << 112, source))
        };
        let mut at = vec![0; lists.len()];
        let heads: Vec<u128> = (0..lists.len()).map(|source| head(source, 0)).collect();
        let mut tree = LoserTree::new(&heads);
        let mut merged = Vec::new();
        while tree.winner() != EXHAUSTED {
            let source = source_of(tree.winner());
            merged.push(((tree.winner() >> 111) as u16, source));
            at[source] += 1;
            tree.replace(source, head(source, at[source]));
        }
        merged
    }

    #[test]
    fn no_source_is_exhausted_at_once() {
        assert_eq!(merge(&[]), []);
        assert_eq!(merge(&[&[]]), []);
        assert_eq!(merge(&[&[], &[], &[]]), []);
    }

    #[test]
    fn one_source_passes_through() {
        assert_eq!(merge(&[&[1, 2, 2, 9]]), [(1, 0), (2, 0), (2, 0), (9, 0)]);
    }

    #[test]
    fn two_sources_interleave_and_ties_go_by_source() {
        assert_eq!(merge(&[&[2, 4], &[1, 2, 5]]), [(1, 1), (2, 0), (2, 1), (4, 0), (5, 1)]);
    }

    #[test]
    fn three_sources_one_of_them_empty() {
        assert_eq!(merge(&[&[3, 3], &[], &[0, 3, 7]]), [(0, 2), (3, 0), (3, 0), (3, 2), (7, 2)]);
    }

    proptest::proptest! {
        #[test]
        fn prop_any_number_of_sources_comes_out_sorted(
            mut lists in proptest::collection::vec(proptest::collection::vec(proptest::num::u16::ANY, 0..20), 0..40)
        ) {
            let mut expected = Vec::new();
            for (source, list) in lists.iter_mut().enumerate() {
                list.sort_unstable();
                expected.extend(list.iter().map(|value| (*value, source)));
            }
            expected.sort_unstable();
            let slices: Vec<&[u16]> = lists.iter().map(Vec::as_slice).collect();
            proptest::prop_assert_eq!(merge(&slices), expected);
        }
    }
}
