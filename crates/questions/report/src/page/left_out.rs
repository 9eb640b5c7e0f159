//! The games that do not count, because they were filtered out or rejected.

use std::{cmp::Reverse, collections::BTreeMap};

use table::CountedInput;

/// The number of games that do not count, by reason.
pub(super) struct LeftOut {
    /// All games in the inputs.
    pub(super) games: u64,
    /// Filtered games, by filter, including those left out as copies. The most frequent reason is first.
    pub(super) filtered: Vec<(String, u64)>,
    /// Rejected games, by reason. The most frequent reason is first.
    pub(super) rejected: Vec<(String, u64)>,
}

impl LeftOut {
    /// Adds up the numbers of games that do not count, over all inputs.
    pub(super) fn of(sources: &[CountedInput]) -> Self {
        Self {
            games: sources.iter().map(|source| source.games).sum(),
            filtered: filtered_and_copies(sources),
            rejected: summed(sources.iter().map(|source| &source.rejected)),
        }
    }
}

/// Returns the number of games that each filter left out, and the number of copies.
fn filtered_and_copies(sources: &[CountedInput]) -> Vec<(String, u64)> {
    let copies = BTreeMap::from([("copy".to_owned(), sources.iter().map(|source| source.copies).sum())]);
    summed(sources.iter().map(|source| &source.filtered).chain([&copies]))
}

fn summed<'s>(sources: impl Iterator<Item = &'s BTreeMap<String, u64>>) -> Vec<(String, u64)> {
    let mut sums: BTreeMap<&String, u64> = BTreeMap::new();
    for (reason, games) in sources.flatten() {
        *sums.entry(reason).or_default() += games;
    }
    let mut sums: Vec<_> = sums.into_iter().map(|(reason, games)| (reason.clone(), games)).collect();
    sums.retain(|(_, games)| *games > 0);
    sums.sort_by_key(|(_, games)| Reverse(*games));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_summed_and_the_commonest_reason_comes_first() {
        let source = |rejected: &[(&str, u64)]| CountedInput {
            games: 10,
            rejected: rejected.iter().map(|(reason, games)| ((*reason).to_owned(), *games)).collect(),
            ..CountedInput::default()
        };
        let left_out = LeftOut::of(&[
            source(&[("variant", 1), ("fragment", 1)]),
            source(&[("variant", 2), ("no-moves", 0)]),
        ]);
        assert_eq!(left_out.games, 20);
        assert_eq!(left_out.rejected, [("variant".to_owned(), 3), ("fragment".to_owned(), 1)]);
        assert!(left_out.filtered.is_empty());
    }
}
