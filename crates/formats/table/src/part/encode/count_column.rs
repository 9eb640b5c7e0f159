//! A column of counts, with one byte for each count. In a real table, only about one count in five thousand
//! is 128 or more.

use pages::BYTE_INDICES;

/// A count below this is its own index in the column's dictionary.
const SMALL: u64 = 128;

/// The counts in one column of a row group, before they are replaced by indices into the column's dictionary.
///
/// # Memory
///
/// Uses one byte for each count, plus 16 bytes for each count of 128 or more.
#[derive(Default)]
pub(crate) struct CountColumn {
    /// Each row's count, if it is small; the byte of a large count is meaningless.
    bytes: Vec<u8>,
    /// The row and the value of each large count.
    large: Vec<(usize, u64)>,
}

impl CountColumn {
    /// Adds counts; `bits` must include all bits that are set in any of them.
    #[inline]
    pub(crate) fn extend(&mut self, counts: impl ExactSizeIterator<Item = u64> + Clone, bits: u64) {
        if bits >= SMALL {
            let rows = self.bytes.len()..;
            self.large.extend(rows.zip(counts.clone()).filter(|(_, count)| *count >= SMALL));
        }
        self.bytes.extend(counts.map(|count| count as u8));
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.large.clear();
    }

    /// Builds the dictionary and returns it with each row's index into it. Returns `None` and leaves the
    /// column unchanged if the indices do not fit in bytes.
    ///
    /// The dictionary is in ascending order: all numbers up to the largest small count, then the large counts
    /// that occur.
    pub(super) fn index(&mut self) -> Option<(Vec<u64>, &[u8])> {
        let mut distinct: Vec<u64> = self.large.iter().map(|(_, count)| *count).collect();
        distinct.sort_unstable();
        distinct.dedup();
        // For now, the byte of each large count is set to 0, so that it does not affect the maximum of the
        // small counts.
        self.large.iter().for_each(|(row, _)| self.bytes[*row] = 0);
        let small = self.bytes.iter().fold(0, |largest, byte| largest.max(*byte));
        let mut dictionary: Vec<u64> = (0..=u64::from(small)).collect();
        if dictionary.len() + distinct.len() > BYTE_INDICES {
            return None;
        }
        for (row, count) in &self.large {
            let rank = distinct.partition_point(|other| other < count);
            self.bytes[*row] = (dictionary.len() + rank) as u8;
        }
        dictionary.extend(distinct);
        Some((dictionary, &self.bytes))
    }

    /// Returns the counts at full width.
    pub(super) fn wide(&self) -> Vec<u64> {
        let mut counts: Vec<u64> = self.bytes.iter().map(|byte| u64::from(*byte)).collect();
        self.large.iter().for_each(|(row, count)| counts[*row] = *count);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts_of(numbers: &[u64]) -> CountColumn {
        let mut counts = CountColumn::default();
        for numbers in numbers.chunks(10) {
            counts.extend(numbers.iter().copied(), numbers.iter().fold(0, |bits, number| bits | number));
        }
        counts
    }

    #[test]
    fn the_dictionary_ascends_and_ends_with_the_large_counts() {
        let mut counts = counts_of(&[1, 300, 0, 2, 127 << 40, 300]);
        let (dictionary, indices) = counts.index().unwrap();
        assert_eq!(dictionary, [0, 1, 2, 300, 127 << 40]);
        assert_eq!(indices, [1, 3, 0, 2, 4, 3]);
    }

    proptest! {
        #[test]
        fn prop_indices_lead_back_to_the_counts(numbers in prop::collection::vec(0_u64..600, 0..1500)) {
            let mut counts = counts_of(&numbers);
            prop_assert_eq!(&counts.wide(), &numbers);
            let fits = counts.index().map(|(dictionary, indices)| {
                (indices.iter().map(|index| dictionary[usize::from(*index)]).collect(), dictionary)
            });
            let (found, dictionary): (Vec<u64>, Vec<u64>) = fits.unwrap_or_else(|| (counts.wide(), Vec::new()));
            prop_assert!(dictionary.is_sorted_by(|a, b| a < b));
            prop_assert_eq!(found, numbers);
        }
    }
}
