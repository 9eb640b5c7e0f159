//! Counts, by name, the items that were read, written or left out.

use std::collections::BTreeMap;

/// How many items there are, by name. Names with no items have no entry.
#[derive(Default)]
pub(crate) struct ItemCounts(BTreeMap<&'static str, u64>);

impl ItemCounts {
    pub(crate) fn add(&mut self, what: &'static str, items: u64) {
        if items > 0 {
            *self.0.entry(what).or_default() += items;
        }
    }

    /// The counts in the form that a summary uses.
    pub(crate) fn said(&self) -> impl Iterator<Item = (String, u64)> {
        self.0.iter().map(|(what, items)| ((*what).to_owned(), *items))
    }
}
